//! Following, holding, and what is dropped meanwhile.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::mcp::{Direction, LogKind, TraceKind};

fn lines(numbers: std::ops::Range<u64>, oldest: u64) -> News {
    let line = |number| {
        Arc::new(LogEntry {
            number,
            at: Duration::from_secs(number),
            kind: LogKind::Stderr,
            text: format!("line {number}"),
        })
    };
    let next = numbers.end;
    News::Log {
        page: Page {
            entries: numbers.map(line).collect(),
            next,
            oldest,
        },
        noise: 0,
    }
}

fn messages(numbers: std::ops::Range<u64>, oldest: u64) -> News {
    let message = |number: u64| {
        Arc::new(TraceEntry {
            number,
            at: Duration::from_secs(number),
            direction: Direction::Sent,
            kind: TraceKind::Request,
            method: Some("tools/call".to_owned()),
            id: Some(number.to_string()),
            latency: None,
            bytes: 2,
            text: format!("{{\"id\":{number}}}"),
        })
    };
    let next = numbers.end;
    News::Messages(Page {
        entries: numbers.map(message).collect(),
        next,
        oldest,
    })
}

fn pane(part: Part) -> JournalPane {
    let mut pane = JournalPane::new("demo".to_owned(), part);
    pane.settle(40, 5);
    pane
}

fn first_line(pane: &JournalPane) -> String {
    let View::Log(view) = &pane.view else {
        return String::new();
    };
    let first = view.visible().next();
    first.map_or_else(String::new, |(line, _)| line.entry.text.clone())
}

fn log(pane: &JournalPane) -> &LogView {
    match &pane.view {
        View::Log(view) => view,
        View::Messages(_) => unreachable!(),
    }
}

fn trace(pane: &mut JournalPane) -> &mut MessagesView {
    match &mut pane.view {
        View::Messages(view) => view,
        View::Log(_) => unreachable!(),
    }
}

#[test]
fn a_log_follows_the_newest_until_it_is_scrolled_and_again_at_its_end() {
    let mut pane = pane(Part::Log);
    pane.take(lines(0..20, 0));
    assert_eq!(first_line(&pane), "line 15");
    pane.scroll(-3);
    assert_eq!(first_line(&pane), "line 12");
    pane.take(lines(20..32, 0));
    assert_eq!(first_line(&pane), "line 12");
    assert_eq!(log(&pane).newer(), 12);
    pane.page(true);
    assert_eq!(first_line(&pane), "line 16");
    pane.scroll(1_000);
    assert!(pane.follows());
    assert_eq!(first_line(&pane), "line 27");
}

#[test]
fn a_held_log_stays_put_while_lines_above_are_dropped() {
    let mut pane = pane(Part::Log);
    pane.take(lines(0..1_000, 0));
    pane.scroll(-500);
    assert_eq!(first_line(&pane), "line 495");
    pane.take(lines(1_000..1_200, 200));
    assert_eq!(first_line(&pane), "line 495");
    pane.take(lines(1_200..1_900, 900));
    assert_eq!(first_line(&pane), "line 900");
    assert_eq!(log(&pane).len(), 1_000);
    pane.settle(4, 5);
    assert_eq!(first_line(&pane), "line 900");
}

#[test]
fn another_filter_shows_what_comes_next_alone() {
    let mut pane = pane(Part::Log);
    pane.take(lines(0..20, 0));
    pane.restart();
    assert_eq!(log(&pane).len(), 20);
    pane.take(lines(3..5, 0));
    assert_eq!(log(&pane).len(), 2);
    assert_eq!(first_line(&pane), "line 3");
}

#[test]
fn a_selected_message_stays_selected_and_is_opened_as_it_was_sent() {
    let mut pane = pane(Part::Messages);
    pane.take(messages(0..20, 0));
    assert_eq!(trace(&mut pane).cursor(), 19);
    pane.scroll(-2);
    pane.take(messages(20..30, 10));
    let view = trace(&mut pane);
    assert_eq!(view.entries()[view.cursor()].number, 17);
    assert_eq!((view.cursor(), view.newer(), view.top()), (7, 12, 5));
    view.open();
    let opened = view
        .opened()
        .map(|opened| opened.document.text().to_string());
    assert_eq!(opened.as_deref(), Some("{\n  \"id\": 17\n}"));
    view.step(1);
    view.step(-3);
    assert_eq!(view.opened().map(|opened| opened.entry.number), Some(15));
    view.close();
    pane.scroll(1_000);
    assert!(pane.follows());
    let view = trace(&mut pane);
    assert_eq!((view.cursor(), view.top()), (19, 15));
}

fn message(text: &str) -> News {
    News::Messages(Page {
        entries: vec![Arc::new(TraceEntry {
            number: 0,
            at: Duration::ZERO,
            direction: Direction::Received,
            kind: TraceKind::Result,
            method: Some("tools/call".to_owned()),
            id: Some("1".to_owned()),
            latency: None,
            bytes: text.len(),
            text: text.to_owned(),
        })],
        next: 1,
        oldest: 0,
    })
}

#[test]
fn a_message_is_whole_at_every_width() {
    let mut pane = pane(Part::Messages);
    let slow = "e\u{301}".repeat(20_000);
    pane.take(message(&format!("[\"{slow}\",\"the end\"]")));
    trace(&mut pane).open();
    for width in [40, 30, 7, 80] {
        pane.settle(width, 5);
        pane.scroll(isize::MAX / 2);
        let opened = trace(&mut pane).opened().unwrap();
        let last = opened.document.visible(5).last().cloned().unwrap();
        assert_eq!(opened.document.slice(&last), "]", "{width}");
    }
}

#[test]
fn stepping_where_there_is_no_other_message_leaves_it_as_it_is() {
    let mut pane = pane(Part::Messages);
    pane.take(message(&format!("[{}1]", "1,".repeat(50))));
    trace(&mut pane).open();
    pane.scroll(7);
    for by in [-1, 1] {
        trace(&mut pane).step(by);
        let opened = trace(&mut pane).opened().unwrap();
        assert_eq!(opened.document.top(), 7, "{by}");
    }
}

#[test]
fn a_log_of_characters_that_are_slow_to_measure_is_laid_out_within_a_bound() {
    let mut pane = pane(Part::Log);
    let line = |number| {
        Arc::new(LogEntry {
            number,
            at: Duration::ZERO,
            kind: LogKind::Stderr,
            text: "e\u{301}".repeat(1_300),
        })
    };
    pane.take(News::Log {
        page: Page {
            entries: (0..1_000).map(line).collect(),
            next: 1_000,
            oldest: 0,
        },
        noise: 0,
    });
    // The newest are wrapped, and the oldest are cut at the edge.
    let rows = log(&pane).len();
    assert!((4_000..8_000).contains(&rows), "{rows}");
    pane.scroll(-isize::MAX / 2);
    let heights: Vec<usize> = log(&pane)
        .visible()
        .map(|(line, _)| line.rows.len())
        .collect();
    assert_eq!(heights, [1; 5]);
    pane.scroll(isize::MAX / 2);
    let heights: Vec<usize> = log(&pane)
        .visible()
        .map(|(line, _)| line.rows.len())
        .collect();
    assert_eq!(heights, [33; 5]);
}
