//! Following, holding, and what is dropped meanwhile.

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
