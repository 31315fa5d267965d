//! A server's log and the protocol's trace, over a place.

use std::sync::Arc;
use std::time::Duration;

use stakeout::mcp::{Direction, LogEntry, LogKind, Page, TraceEntry, TraceKind};
use stakeout::tui::journal::{News, Part};
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Msg};

use crate::harness::{Session, picture, rollout, servers};

const SIZES: [(u16, u16); 4] = [(60, 16), (80, 24), (120, 36), (200, 60)];

impl Session {
    /// Answers the effect that reads a journal.
    fn news(&mut self, news: News) -> &mut Self {
        let Some(Effect::FollowJournal { id, .. }) = self.reads.clone() else {
            panic!("no journal is read")
        };
        self.tell(Msg::Journal { id, news })
    }

    /// Which journal is read, from where, and with which filter.
    fn reading(&self) -> (String, Part, Option<u64>, String) {
        match self.reads.clone() {
            Some(Effect::FollowJournal {
                server,
                part,
                from,
                filter,
                ..
            }) => (server, part, from, filter),
            other => panic!("{other:?} reads no journal"),
        }
    }
}

fn lines(first: u64, lines: &[(LogKind, &str)]) -> News {
    let line = |(place, (kind, text)): (usize, &(LogKind, &str))| {
        let number = first + place as u64;
        Arc::new(LogEntry {
            number,
            at: Duration::from_millis(number * 1_234),
            kind: kind.clone(),
            text: (*text).to_owned(),
        })
    };
    let entries: Vec<_> = lines.iter().enumerate().map(line).collect();
    let noise = |entry: &&Arc<LogEntry>| entry.kind == LogKind::Noise;
    News::Log {
        noise: entries.iter().filter(noise).count() as u64,
        page: Page {
            next: first + entries.len() as u64,
            entries,
            oldest: 0,
        },
    }
}

fn message(level: &str, logger: Option<&str>) -> LogKind {
    LogKind::Message {
        level: level.to_owned(),
        logger: logger.map(str::to_owned),
    }
}

fn story() -> News {
    lines(
        0,
        &[
            (LogKind::Event, "starting npx"),
            (LogKind::Event, "process 4711 started"),
            (
                LogKind::Stderr,
                "npm warn exec The following package was not found and will be installed: cluster-server@1.4.0",
            ),
            (LogKind::Noise, "debug: calling upstream"),
            (LogKind::Event, "connected: cluster 1.4.0, MCP 2025-11-25"),
            (message("info", Some("api")), "listening"),
            (message("warning", None), "{\"disk\":\"full\"}"),
            (message("emergency", Some("kernel")), "no more pods"),
            (
                LogKind::Stderr,
                "a title \u{1b}]0;owned\u{7} and \u{202e}sdrawkcab\tafter a tab",
            ),
            (LogKind::Trouble, "it was killed by signal 9 (KILL)"),
        ],
    )
}

fn trace() -> News {
    let mut entries = Vec::new();
    let mut add = |direction, kind, method: Option<&str>, id: Option<&str>, latency, text: &str| {
        let number = entries.len() as u64;
        entries.push(Arc::new(TraceEntry {
            number,
            at: Duration::from_millis(900 + number * 37),
            direction,
            kind,
            method: method.map(str::to_owned),
            id: id.map(str::to_owned),
            latency,
            bytes: text.len(),
            text: text.to_owned(),
        }));
    };
    let (sent, received) = (Direction::Sent, Direction::Received);
    let took = |millis| Some(Duration::from_millis(millis));
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"rollout_status","arguments":{"replicas":3}}}"#;
    add(
        sent,
        TraceKind::Request,
        Some("initialize"),
        Some("0"),
        None,
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#,
    );
    add(
        received,
        TraceKind::Result,
        Some("initialize"),
        Some("0"),
        took(180),
        r#"{"jsonrpc":"2.0","id":0,"result":{}}"#,
    );
    add(
        sent,
        TraceKind::Notification,
        Some("notifications/initialized"),
        None,
        None,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    );
    add(
        sent,
        TraceKind::Request,
        Some("tools/call"),
        Some("2"),
        None,
        call,
    );
    add(
        received,
        TraceKind::Notification,
        Some("notifications/progress"),
        None,
        None,
        r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#,
    );
    add(
        received,
        TraceKind::Error,
        Some("tools/call"),
        Some("2"),
        took(12),
        r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no"}}"#,
    );
    News::Messages(Page {
        next: 6,
        entries,
        oldest: 0,
    })
}

#[test]
fn a_servers_log_at_every_size() {
    for (columns, rows) in SIZES {
        let mut session = Session::at(columns, rows);
        session.keys("L").news(story());
        picture!(format!("log_{columns}x{rows}"), session);
    }
}

#[test]
fn the_trace_at_every_size() {
    for (columns, rows) in SIZES {
        let mut session = Session::at(columns, rows);
        session.keys("T").news(trace());
        picture!(format!("trace_{columns}x{rows}"), session);
        session.keys("k k Enter");
        picture!(format!("message_{columns}x{rows}"), session);
    }
}

#[test]
fn both_in_ascii() {
    let look = Look {
        theme: Theme::Mono,
        unicode: false,
    };
    let mut session = Session::with(look, (80, 24), servers());
    session.keys("L").news(story());
    picture!("ascii_log_80x24", session);
    session.keys("T").news(trace());
    picture!("ascii_trace_80x24", session);
}

#[test]
fn l_and_t_show_the_server_in_view_and_close_what_they_showed() {
    let mut session = Session::at(120, 36);
    session.keys("L").shows("Server log · demo").keys("L");
    session.hides("Server log").keys("Shift-Tab j j L");
    assert_eq!(session.reading().0, "cluster");
    session
        .shows("Server log · cluster")
        .shows("nothing to show");
    session
        .keys("T")
        .shows("Protocol · cluster")
        .hides("Server log");
    assert_eq!(session.reading().1, Part::Messages);
    session.keys("Esc").hides("Protocol").keys("g r");
    session.round(1).sample(1, 0, &rollout(0));
    session
        .keys("T")
        .shows("Protocol · demo")
        .keys("q")
        .shows("2 Watch");
}

#[test]
fn a_pane_that_is_closed_reads_no_more() {
    let mut session = Session::start();
    session.keys("L").news(story());
    let Some(Effect::FollowJournal { id, from, .. }) = session.reads.clone() else {
        panic!("no journal is read")
    };
    assert_eq!(from, Some(10));
    session.keys("Esc");
    assert_eq!(*session.last(), Effect::Abandon { id });
    session.news(lines(10, &[(LogKind::Stderr, "too late")]));
    session.hides("too late").keys("L").hides("too late");
    session.keys("Ctrl-C").hides("Server log");
}

#[test]
fn a_log_that_is_scrolled_stays_put_and_says_what_came_since() {
    let many: Vec<(LogKind, String)> = (0..100)
        .map(|number| (LogKind::Stderr, format!("line {number}.")))
        .collect();
    let many: Vec<(LogKind, &str)> = many
        .iter()
        .map(|(kind, text)| (kind.clone(), text.as_str()))
        .collect();
    let mut session = Session::start();
    session.keys("L").news(lines(0, &many));
    session.shows("line 99.").shows("following").keys("PgUp");
    session.shows("held").hides("line 99.").shows("line 61.");
    let more = [
        (LogKind::Noise, "line 100."),
        (LogKind::Trouble, "line 101."),
    ];
    session.news(lines(100, &more));
    session
        .shows("held, 2 newer")
        .shows("line 61.")
        .hides("line 101.");
    session.shows("1 line of stdout were no messages");
    session.keys("space").shows("following").shows("line 101.");
    session
        .keys("g")
        .shows("line 0.")
        .keys("G")
        .shows("following");
    session
        .resize(60, 16)
        .shows("line 101.")
        .keys("w")
        .shows("line 101.");
}

#[test]
fn the_filter_is_applied_where_the_journal_is_read() {
    let mut session = Session::start();
    session.keys("L").news(story()).shows("listening");
    session.keys("/").types("q?").shows("typing").shows("/q?");
    let (.., from, filter) = session.reading();
    assert_eq!((from, filter.as_str()), (None, "q?"));
    session.shows("listening");
    session.news(lines(3, &[(LogKind::Noise, "matches q?")]));
    session.hides("listening").shows("matches q?").keys("Enter");
    session.shows("/q?").hides("typing").keys("/ Esc");
    assert_eq!(session.reading().3, "");
    session
        .hides("/q?")
        .keys("?")
        .shows("Keys · Server log")
        .keys("Esc");
    session.shows("Server log · demo");
}

#[test]
fn a_message_is_copied_as_it_was_written() {
    let mut session = Session::start();
    session.keys("T y").shows("there is no message to copy");
    session.news(trace()).keys("k k y");
    let Effect::Copy(stakeout::app::CopyOf::Message(message)) = session.last() else {
        panic!("{:?}", session.last())
    };
    assert!(message.text.starts_with(r#"{"jsonrpc":"2.0","id":2,"#));
}

#[test]
fn a_question_lies_on_top_of_a_pane() {
    let mut session = Session::start();
    session.keys("r").round(1).sample(1, 0, &rollout(0));
    session.keys("L").news(story()).keys("Ctrl-Z");
    session.shows("Suspend?").shows("Server log").keys("n");
    session.hides("Suspend?").shows("Server log · demo");
}

#[test]
fn typing_in_the_filter_of_a_journal_acts_on_nothing_below() {
    for key in ["L", "T"] {
        let mut session = Session::at(120, 36);
        let below = format!("{:?}", session.model.bench);
        session.keys(key).keys("/").types("err");
        session.keys("Ctrl-R Ctrl-T Tab Shift-Tab F2 Ctrl-F Ctrl-O Ctrl-P PgUp PgDn ↑ ↓");
        session.shows("/err").shows("typing");
        assert_eq!(format!("{:?}", session.model.bench), below);
        assert_eq!(session.model.running().count(), 0);
        session
            .keys("F1")
            .shows("typing in the filter of a journal");
        session.keys("Esc Ctrl-U").hides("err").shows("typing");
        session.keys("Esc").hides("typing");
    }
}

#[test]
fn keys_that_hold_anywhere_hold_over_panes_and_the_list_of_waits() {
    let mut session = Session::start();
    session.keys("r").round(1).sample(1, 0, &rollout(0));
    for over in ["L", "T", "W"] {
        session.keys(over).keys("1").shows("Arguments");
        assert!(session.model.layers.is_empty(), "{over}");
        session.keys(over).keys("2").shows("DEPLOYMENT");
        assert!(session.model.layers.is_empty(), "{over}");
        session.keys(over).keys(":").shows("Commands").keys("Esc");
        assert!(session.model.layers.is_empty(), "{over}");
    }
    for over in ["L", "T"] {
        session.keys(over).keys("W").shows("Waits").keys("W");
        assert!(session.model.layers.is_empty(), "{over}");
    }
    session.keys("1 W L").shows("Server log · demo").keys("Esc");
    assert!(session.model.layers.is_empty());
    session.keys("W T").shows("Protocol · demo").keys("Esc");
    assert!(session.model.layers.is_empty());
}
