//! Lines of a server: replies, noise, and what can't be read.

#![allow(clippy::unwrap_used, clippy::panic)]

use rmcp::model::{CallToolRequest, CallToolRequestParams};

use super::*;

fn waiting_for(ids: &[i64]) -> Replies {
    let replies = Replies::raw(&["tools/call"]);
    for id in ids {
        let request = CallToolRequest::new(CallToolRequestParams::new("t"));
        replies.expect(&ClientJsonRpcMessage::request(
            ClientRequest::CallToolRequest(request),
            RequestId::Number(*id),
        ));
    }
    replies
}

fn message(line: &[u8], replies: &Replies) -> ServerJsonRpcMessage {
    match read(line, replies) {
        Reading::Message(message) => *message,
        other => panic!("no message: {other:?}"),
    }
}

fn error_of(line: &[u8], replies: &Replies) -> (ErrorData, Option<RequestId>) {
    match message(line, replies) {
        ServerJsonRpcMessage::Error(error) => (error.error, error.id),
        other => panic!("no error: {other:?}"),
    }
}

#[test]
fn a_result_that_is_waited_for_is_kept_as_it_was_sent() {
    let line = br#"{"jsonrpc":"2.0","id":"7","result":{"z":1,"a":{"q":2,"b":3},"tools":[]}}"#;
    let ServerJsonRpcMessage::Response(response) = message(line, &waiting_for(&[7])) else {
        panic!("no response");
    };
    assert_eq!(response.id, RequestId::Number(7));
    let ServerResult::CustomResult(raw) = response.result else {
        panic!("not raw");
    };
    assert_eq!(raw.0.to_string(), r#"{"z":1,"a":{"q":2,"b":3},"tools":[]}"#);
}

#[test]
fn t12_null_beside_a_result_or_an_error_is_nothing() {
    let result = br#"{"jsonrpc":"2.0","id":7,"result":{"a":1},"error":null}"#;
    let read = message(result, &waiting_for(&[7]));
    assert!(
        matches!(read, ServerJsonRpcMessage::Response(_)),
        "{read:?}"
    );
    let error = br#"{"jsonrpc":"2.0","id":7,"result":null,"error":{"code":1,"message":"m"}}"#;
    let (error, id) = error_of(error, &waiting_for(&[7]));
    assert_eq!(
        (error.message.as_ref(), id),
        ("m", Some(RequestId::Number(7)))
    );
}

#[test]
fn an_id_that_is_no_whole_number_is_nobodys() {
    let mut envelope = Envelope::default();
    envelope.feed(br#"{"id":1.5,"result":{}}"#);
    assert_eq!(envelope.reply_to(), None);
}

#[test]
fn every_kind_of_unreadable_reply_fails_its_own_call() {
    let replies: [&[u8]; 8] = [
        br#"{"id":7,"result":{}}"#,
        br#"{"jsonrpc":"1.0","id":7,"result":{}}"#,
        br#"{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"m"}}"#,
        br#"{"jsonrpc":"2.0","id":7}"#,
        b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"t\":\"\xff\xfe\"}}",
        br#"{"jsonrpc":"2.0","id":7,"result":{"n":1e400}}"#,
        br#"{"result":{"nested":{"id":1,"n":[1e400]}},"jsonrpc":"2.0","id":7}"#,
        br#"{"jsonrpc":"2.0","id":7,"error":"boom"}"#,
    ];
    for reply in replies {
        let (error, id) = error_of(reply, &waiting_for(&[7, 8]));
        assert_eq!(error.code, OUR_ERROR, "{}", String::from_utf8_lossy(reply));
        assert_eq!(id, Some(RequestId::Number(7)));
    }
}

#[test]
fn an_error_without_an_id_goes_to_the_one_call_that_waits() {
    let line = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}"#;
    assert_eq!(
        error_of(line, &waiting_for(&[7])).1,
        Some(RequestId::Number(7))
    );
    assert_eq!(error_of(line, &waiting_for(&[7, 8])).1, None);
}

#[test]
fn t1_what_is_no_message_is_noise() {
    let replies = waiting_for(&[7]);
    for noise in [
        "hello",
        "{\"a\":1}",
        "null",
        "[1,2]",
        "{\"id\":",
        "\u{1b}[31mred\u{1b}[0m",
    ] {
        assert!(
            matches!(read(noise.as_bytes(), &replies), Reading::Noise),
            "{noise}"
        );
    }
    for blank in ["", "  ", "\r", "\u{feff}", "\u{1b}[0m"] {
        assert!(
            matches!(read(blank.as_bytes(), &replies), Reading::Blank),
            "{blank:?}"
        );
    }
}

#[test]
fn t12_marks_and_colours_around_a_message_are_tolerated() {
    let line = "\u{feff}\u{1b}[0m {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\u{1b}[0m\r";
    assert!(matches!(
        message(line.as_bytes(), &waiting_for(&[7])),
        ServerJsonRpcMessage::Response(_)
    ));
}

#[test]
fn a_request_that_cant_be_read_is_not_taken_for_a_reply() {
    let line = br#"{"id":7,"method":"elicitation/create","params":{"n":1e400}}"#;
    assert!(matches!(read(line, &waiting_for(&[7])), Reading::Noise));
}

#[test]
fn a_cancelled_request_waits_no_longer() {
    let replies = waiting_for(&[7]);
    let cancelled = rmcp::model::CancelledNotificationParam::new(Some(RequestId::Number(7)), None);
    replies.expect(&ClientJsonRpcMessage::notification(
        ClientNotification::CancelledNotification(rmcp::model::CancelledNotification::new(
            cancelled,
        )),
    ));
    assert_eq!(replies.only(), None);
}

fn lines_of(limit: usize, chunks: &[&[u8]]) -> Vec<Line> {
    let mut lines = Lines::new(limit);
    let mut told = Vec::new();
    for chunk in chunks {
        lines.push(chunk, &mut |line| told.push(line));
    }
    told
}

#[test]
fn lines_are_cut_across_chunks() {
    let told = lines_of(10, &[b"ab", b"c\nd", b"ef\n\n"]);
    let whole: Vec<&[u8]> = told
        .iter()
        .map(|line| match line {
            Line::Whole(bytes) => bytes.as_slice(),
            Line::TooLong { .. } => panic!("too long"),
        })
        .collect();
    assert_eq!(whole, [&b"abc"[..], b"def", b""]);
}

#[test]
fn a_long_line_is_told_as_soon_as_its_id_is_known() {
    let told = lines_of(
        30,
        &[br#"{"jsonrpc":"2.0","id":5,"result":{"text":"aaaaaaaaaa"#],
    );
    let [Line::TooLong { envelope, .. }] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(envelope.reply_to(), Some(RequestId::Number(5)));
}

#[test]
fn a_long_line_whose_id_comes_last_is_told_at_its_end_and_the_next_line_is_whole() {
    let chunks: [&[u8]; 3] = [
        br#"{"result":{"text":"aaaaaaaaaaaaaaaaaaaaaaaa"#,
        br#"aaaa \" } {","id":9},"jsonrpc":"2.0","id":"#,
        b"6}\nnext\n",
    ];
    let told = lines_of(30, &chunks);
    let [Line::TooLong { envelope, .. }, Line::Whole(next)] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(envelope.reply_to(), Some(RequestId::Number(6)));
    assert_eq!(next, b"next");
}

#[test]
fn t12_half_an_emoji_is_a_replacement_character() {
    let line = br#"{"jsonrpc":"2.0","id":7,"result":{"text":"cut \ud83d"}}"#;
    let ServerJsonRpcMessage::Response(response) = message(line, &waiting_for(&[7])) else {
        panic!("no response");
    };
    let ServerResult::CustomResult(raw) = response.result else {
        panic!("not raw");
    };
    assert_eq!(raw.0["text"], "cut \u{fffd}");
}
