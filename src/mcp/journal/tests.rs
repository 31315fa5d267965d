//! The bounds of a journal, and which answer belongs to which request.

#![allow(clippy::panic)]

use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, CustomResult,
    RequestId, ServerJsonRpcMessage, ServerResult,
};

use super::*;

fn call(id: i64) -> ClientJsonRpcMessage {
    let request = CallToolRequest::new(CallToolRequestParams::new("t"));
    let request = ClientRequest::CallToolRequest(request);
    ClientJsonRpcMessage::request(request, RequestId::Number(id))
}

fn result(id: i64) -> ServerJsonRpcMessage {
    let result = ServerResult::CustomResult(CustomResult(serde_json::Value::Null));
    ServerJsonRpcMessage::response(result, RequestId::Number(id))
}

#[test]
fn t3_the_log_keeps_the_last_thousand_lines() {
    let journal = Journal::default();
    for number in 0..1_500 {
        journal.line(LogKind::Stderr, format!("line {number}").as_bytes());
    }
    let page = journal.log(0);
    assert_eq!(page.entries.len(), 1_000);
    assert_eq!((page.oldest, page.next), (500, 1_500));
    assert_eq!(page.entries[0].text, "line 500");
    assert_eq!(journal.last_stderr(2), ["line 1498", "line 1499"]);
    assert_eq!(journal.log(1_499).entries.len(), 1);
    assert_eq!(journal.log(1_500).entries.len(), 0);
    assert_eq!(journal.log(7).entries.len(), 1_000);
}

#[test]
fn t1_noise_is_counted_cut_and_made_readable() {
    let journal = Journal::default();
    journal.line(LogKind::Noise, &[0xff; 5_000]);
    journal.line(LogKind::Noise, b"plain\r");
    assert_eq!(journal.noise(), 2);
    let page = journal.log(0);
    assert!(page.entries[0].text.ends_with('…'));
    assert_eq!(page.entries[0].text.chars().count(), 4_097);
    assert_eq!(page.entries[1].text, "plain");
}

#[test]
fn the_last_words_are_those_of_the_process_that_said_them() {
    let journal = Journal::default();
    journal.line(LogKind::Stderr, b"of the first process");
    journal.begin("starting again");
    assert!(journal.last_stderr(5).is_empty());
    journal.line(LogKind::Stderr, b"of the second");
    assert_eq!(journal.last_stderr(5), ["of the second"]);
    assert_eq!(journal.log(0).entries.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn an_answer_knows_its_request_and_how_long_it_took() {
    let journal = Journal::with_trace(Instant::now());
    journal.sent(&call(7), b"{}\n");
    tokio::time::advance(Duration::from_millis(12)).await;
    journal.received(&result(7), b"{ }");
    journal.received(&result(7), b"{ }");
    journal.sent(&call(8), b"{}\n");
    journal.begin("another connection");
    journal.received(&result(8), b"{ }");
    let page = journal.trace(0);
    let told: Vec<_> = page
        .entries
        .iter()
        .map(|entry| (entry.direction, entry.method.as_deref(), entry.latency))
        .collect();
    let (sent, received) = (Direction::Sent, Direction::Received);
    let calls = Some("tools/call");
    assert_eq!(
        told,
        [
            (sent, calls, None),
            (received, calls, Some(Duration::from_millis(12))),
            (received, None, None),
            (sent, calls, None),
            (received, None, None),
        ]
    );
    assert_eq!(page.entries[0].text, "{}");
    assert_eq!(page.entries[0].bytes, 3);
}

#[test]
fn a_long_message_is_kept_head_and_tail() {
    let journal = Journal::with_trace(Instant::now());
    let mut message = vec![b'a'; 100_000];
    message.extend_from_slice(b"the end");
    journal.received(&result(1), &message);
    let entry = &journal.trace(0).entries[0];
    assert_eq!(entry.bytes, 100_007);
    assert!(entry.text.len() < trace::KEPT_MESSAGE + 100);
    assert!(entry.text.starts_with("aaa") && entry.text.ends_with("the end"));
    assert!(entry.text.contains("… 34471 bytes are left out here …"));
}

#[test]
fn the_trace_keeps_at_most_eight_mebibytes() {
    let journal = Journal::with_trace(Instant::now());
    let message = vec![b'a'; 60_000];
    for id in 0..300 {
        journal.received(&result(id), &message);
    }
    let page = journal.trace(0);
    let bytes: usize = page.entries.iter().map(|entry| entry.text.len()).sum();
    assert!((7_500_000..8_388_608).contains(&bytes), "{bytes}");
    assert_eq!(page.next, 300);
    assert_eq!(page.oldest, page.entries[0].number);
    for id in 0..200_000 {
        journal.received(&result(id), b"");
    }
    assert!(journal.trace(0).entries.len() < 50_000);
}

#[test]
fn a_log_is_bounded_however_long_the_names_of_loggers_are() {
    let journal = Journal::default();
    let logger = "l".repeat(1024 * 1024);
    for number in 0..1_500 {
        let kind = LogKind::Message {
            level: "info".to_owned(),
            logger: Some(logger.clone()),
        };
        journal.line(kind, format!("line {number}").as_bytes());
    }
    let page = journal.log(0);
    assert_eq!((page.entries.len(), page.oldest), (1_000, 500));
    for entry in &page.entries {
        let LogKind::Message { logger, .. } = &entry.kind else {
            panic!("{entry:?}")
        };
        assert_eq!(
            logger.as_deref(),
            Some(format!("{}…", "l".repeat(256)).as_str())
        );
    }
    for _ in 0..1_000 {
        journal.trouble("t".repeat(100_000));
    }
    let kept: usize = journal
        .log(0)
        .entries
        .iter()
        .map(|line| line.text.len())
        .sum();
    assert!((4_900_000..=5 * 1024 * 1024).contains(&kept), "{kept}");
    assert_eq!(journal.log(0).next, 2_500);
}

#[test]
fn t4_the_last_words_of_a_process_survive_what_else_is_said() {
    let journal = Journal::default();
    journal.line(LogKind::Stderr, b"panicked at src/main.rs");
    journal.line(LogKind::Stderr, b"  ");
    for _ in 0..1_000 {
        let kind = LogKind::Message {
            level: "info".to_owned(),
            logger: None,
        };
        journal.line(kind, b"still here");
        journal.line(LogKind::Noise, b"debug");
    }
    assert_eq!(journal.last_stderr(5), ["panicked at src/main.rs"]);
}

#[test]
fn answers_find_their_requests_after_thousands_that_got_none() {
    let journal = Journal::with_trace(Instant::now());
    for id in 0..5_000 {
        journal.sent(&call(id), b"{}");
    }
    journal.received(&result(4_999), b"{}");
    journal.received(&result(4_000), b"{}");
    let page = journal.trace(5_000);
    let calls = Some("tools/call");
    assert_eq!(page.entries[0].method.as_deref(), calls);
    assert_eq!(page.entries[1].method.as_deref(), calls);
}

#[test]
fn where_nobody_looks_the_messages_are_not_kept() {
    let journal = Journal::default();
    journal.begin("it is begun");
    journal.sent(&call(1), br#"{"method":"tools/call"}"#);
    journal.received(&result(1), b"{}");
    assert_eq!(journal.trace(0), Page::default());
    assert_eq!(journal.log(0).entries.len(), 1);
}
