//! Sessions on the Watch.

use std::sync::Arc;

use stakeout::tui::bench::Focus;
use stakeout::tui::draft::Input;
use stakeout::tui::message::{Effect, Msg};
use stakeout::wait::{Event, Note, Reason, WaitError};

use crate::harness::{Session, millis, rollout};

/// A wait with samples at 0/3, 0/3, 1/3, 1/3, 2/3.
fn watching() -> Session {
    let mut session = Session::start();
    session.keys("r").round(1);
    let (none, one, two) = (rollout(0), rollout(1), rollout(2));
    for (index, text) in [&none, &none, &one, &one, &two].into_iter().enumerate() {
        session.sample(index as u64 + 1, index as u64 * 1000, text);
    }
    session
}

#[test]
fn the_newest_sample_is_followed_until_one_steps_back() {
    let mut session = watching();
    session
        .shows("web         2/3")
        .shows("following")
        .shows("··◆·◆");
    session
        .keys("[")
        .shows("web         1/3")
        .shows("held, 1 newer");
    session
        .sample(6, 5000, &rollout(3))
        .shows("web         1/3")
        .shows("held, 2 newer");
    session
        .keys("End")
        .shows("web         3/3")
        .shows("following");
    session
        .keys("Home")
        .shows("web         0/3")
        .shows("held, 5 newer");
    session
        .keys("space")
        .shows("web         3/3")
        .keys("space")
        .shows("held");
}

#[test]
fn steps_go_by_sample_and_by_change() {
    let mut session = watching();
    session
        .keys("{")
        .shows("┌ 3 ·")
        .keys("Shift-←")
        .shows("┌ 1 ·")
        .keys("Shift-→")
        .shows("┌ 3 ·");
    session
        .keys("]")
        .shows("┌ 4 ·")
        .keys("←")
        .shows("┌ 3 ·")
        .keys("} }")
        .shows("┌ 5 ·");
}

#[test]
fn u12_the_first_sample_is_no_change() {
    let mut session = Session::start();
    session
        .keys("r")
        .round(1)
        .sample(1, 0, &rollout(0))
        .shows("0 changes")
        .shows("first");
    session.hides("◆");
}

#[test]
fn elapsed_and_remaining_add_up() {
    let mut session = watching();
    session.at_second(47.3).shows("0:47   1:13 left").shows("█");
    session.told(Event::SampleStarted {
        sample: 6,
        at_ms: millis(47_300),
    });
    session.at_second(49.5).shows("sampling 6, 2 s");
}

#[test]
fn the_story_of_a_wait_ends_in_a_sentence() {
    let mut session = watching();
    session
        .ends_with(Reason::Matched, 5, 6, &rollout(3))
        .shows("✔ matched after 0:05, 6 samples");
    session.shows("●0 ✔1 ✖0").shows("r run again");
}

#[test]
fn w14_a_timeout_names_the_last_value_and_the_last_error() {
    let mut session = Session::start();
    session
        .keys("r")
        .round(1)
        .sample(1, 0, &rollout(0))
        .failed(2, 1000, "connection \u{1b}reset");
    session
        .sample(3, 2000, &rollout(1))
        .ends_with(Reason::Timeout, 120, 2, &rollout(1));
    session.shows("timeout at the bound of 120 s, 2 samples: nothing matched");
    session
        .shows("last value  … web         1/3")
        .shows("last error  sample 2: connection ␛reset");
    session.shows("c continue").shows("●0 ✔0 ✖1");
}

#[test]
fn a_timeout_can_be_continued_and_its_history_goes_on() {
    let mut session = watching();
    session
        .ends_with(Reason::Timeout, 120, 5, &rollout(2))
        .keys("c");
    let wait = session.wait();
    assert_eq!(*session.last(), Effect::ContinueWait { wait });
    session
        .round(2)
        .sample(6, 130_000, &rollout(3))
        .shows("round 2")
        .shows("··◆·◆◆");
    session
        .ends_with(Reason::Matched, 1, 1, &rollout(3))
        .shows("●0 ✔1 ✖0");
    session.keys("c").shows("only a timeout can be continued");
}

#[test]
fn x_stops_and_ctrl_c_does_so_too() {
    let mut session = watching();
    let wait = session.wait();
    session.keys("x").shows("stopping");
    assert_eq!(*session.last(), Effect::StopWait { wait });
    let mut session = watching();
    session.keys("Ctrl-C").shows("stopping");
    session
        .fails_with(WaitError::Cancelled { samples: 5 })
        .shows("cancelled after 5 samples");
}

#[test]
fn run_again_starts_afresh_and_late_events_are_dropped() {
    let mut session = watching();
    let first = session.wait();
    session
        .ends_with(Reason::Matched, 5, 5, &rollout(2))
        .keys("r")
        .shows("no sample yet");
    assert_ne!(session.wait(), first);
    session.tell(Msg::Told {
        wait: first,
        changed: false,
        event: Event::SampleStarted {
            sample: 9,
            at_ms: millis(0),
        },
    });
    session.hides("sampling 9");
}

#[test]
fn e_takes_the_wait_to_the_bench() {
    let mut session = watching();
    session
        .keys("1 to-pattern Ctrl-U")
        .types("OTHER")
        .keys("Esc 2 E");
    session
        .shows(r"(?m)^web\s+3/3")
        .hides("OTHER")
        .shows("Arguments");
}

#[test]
fn notes_of_the_sample_in_flight_are_shown() {
    let mut session = watching();
    session.told(Event::SampleStarted {
        sample: 6,
        at_ms: millis(5000),
    });
    session.note(
        6,
        Note::Log {
            level: "info".to_owned(),
            text: "pulled\u{7}".to_owned(),
        },
    );
    session.shows("info: pulled␇");
    session.note(
        6,
        Note::Progress {
            progress: 3.0,
            total: Some(4.0),
            message: Some("layers".to_owned()),
        },
    );
    session.shows("███████▌── 3 of 4: layers · info: pulled␇");
    session
        .told(Event::SampleStarted {
            sample: 7,
            at_ms: millis(6000),
        })
        .hides("pulled");
}

#[test]
fn u4_a_long_error_can_be_scrolled() {
    let mut session = Session::start();
    let cause = (0..200)
        .map(|line| format!("stderr line {line}\n"))
        .collect();
    let (server, step) = ("demo".to_owned(), "starting".to_owned());
    session.keys("r").fails_with(WaitError::ServerUnavailable {
        server,
        step,
        cause,
    });
    session
        .shows("is not available")
        .keys("G")
        .shows("stderr line 199");
}

#[test]
fn matches_are_highlighted_and_searched_once_a_text() {
    let mut session = watching();
    session.judges = false;
    let three = rollout(3);
    session.sample(6, 5000, &three);
    let Effect::Highlight { id, text, .. } = session.last().clone() else {
        panic!()
    };
    assert_eq!(text, three);
    session.sample(7, 6000, &three).keys("[ ]");
    let searches = |session: &Session| {
        session
            .asked
            .iter()
            .filter(|effect| matches!(effect, Effect::Highlight { .. }))
            .count()
    };
    assert_eq!(searches(&session), 1);
    let highlights = stakeout::tui::document::Highlights {
        until: vec![41..56],
        ..Default::default()
    };
    session.tell(Msg::Highlighted { id, highlights });
    assert_eq!(searches(&session), 1);
    let buffer = session.buffer();
    let marked = (0..80)
        .filter(|x| buffer[(*x, 7)].bg == ratatui::style::Color::Green)
        .count();
    assert_eq!(marked, 15);
}

#[test]
fn the_timeline_shows_the_weightiest_of_each_group() {
    let mut session = Session::start();
    session.keys("r").round(1);
    let text = rollout(0);
    for sample in 1..=780 {
        if sample == 401 {
            session.failed(sample, sample * 1000, "reset");
        } else {
            session.sample(sample, sample * 1000, &text);
        }
    }
    let screen = session.screen();
    let timeline = screen.lines().find(|line| line.contains("···")).unwrap();
    assert_eq!(timeline.trim().chars().count(), 78);
    assert_eq!(
        timeline.trim().chars().position(|cell| cell == '×'),
        Some(40)
    );
}

#[test]
fn a_wait_that_ends_out_of_sight_rings_and_says_so() {
    let mut session = watching();
    session
        .keys("1")
        .ends_with(Reason::Matched, 5, 5, &rollout(3));
    assert_eq!(*session.last(), Effect::Ring);
    session
        .shows("rollout_status: matched after 0:05")
        .shows("✔1");
    let marked = |session: &mut Session| {
        let buffer = session.buffer();
        let cell = (60..80).map(|x| &buffer[(x, 0)]);
        let mut met = cell.filter(|cell| cell.symbol() == "✔");
        let met = met.next().expect("the count of what was met");
        met.modifier.contains(ratatui::style::Modifier::REVERSED)
    };
    assert!(marked(&mut session));
    session.keys("2 1");
    assert!(!marked(&mut session));
}

#[test]
fn a_hundred_thousand_lines_are_scrolled_to_the_end() {
    let mut session = Session::start();
    let text: Arc<str> = (0..100_000)
        .map(|line| format!("{line}\n"))
        .collect::<String>()
        .into();
    session
        .keys("r")
        .round(1)
        .sample(1, 0, &text)
        .keys("G")
        .shows("99999")
        .shows("of 100000");
    session.keys("g").shows("1-14 of 100000");
}

#[test]
fn zoom_gives_the_observation_the_whole_screen() {
    let mut session = watching();
    session
        .keys("z")
        .hides("every 1 s")
        .shows("z unzoom")
        .keys("Esc")
        .shows("every 1 s");
}

#[test]
fn the_sparkline_shows_the_latencies_against_the_longest() {
    use stakeout::wait::Sample;
    let mut session = Session::start();
    session.resize(120, 36).keys("r").round(1);
    for (sample, latency_ms) in [(1, 10), (2, 70), (3, 30)] {
        let text = rollout(0);
        session.told(Event::Sample(Sample {
            sample,
            at_ms: millis(sample * 1000),
            latency_ms: millis(latency_ms),
            bytes: text.len(),
            tool_error: false,
            same_as: None,
            text_left_out: false,
            text: Some(text),
        }));
    }
    session.shows("▂█▄");
}

#[test]
fn the_bench_is_at_rest_after_the_watch() {
    for back in ["1", "Esc", "E"] {
        let mut session = Session::start();
        session.keys("to-pattern Ctrl-R").round(1).keys(back);
        session.shows("Arguments").hides(" typing ").keys("2");
        session.shows("until matches");
    }
    let mut session = watching();
    session.keys("E");
    assert_eq!(session.model.bench.focus, Focus::Text(Input::Pattern));
    session.keys("Enter").types("x").shows("3/3x");
}

/// A log of that many lines.
fn log(lines: usize) -> Arc<str> {
    (1..=lines)
        .map(|line| format!("line {line}\n"))
        .collect::<String>()
        .into()
}

#[test]
fn who_follows_sees_what_changed() {
    let mut session = Session::start();
    session.keys("r").round(1).sample(1, 0, &log(40));
    session.shows("1-14 of 40").sample(2, 1000, &log(41));
    session.shows("+ line 41").shows("28-41 of 41");
    session.keys("k k").sample(3, 2000, &log(60));
    session.shows("26-39 of 60").hides("line 60");
    session.keys("G").sample(4, 3000, &log(90)).shows("line 90");
}

#[test]
fn who_follows_sees_what_met_the_condition() {
    let mut session = Session::start();
    session.keys("r").round(1).sample(1, 0, &log(40));
    let met: Arc<str> = format!("LINE 1\n{}web  3/3\n{}", log(50), log(30)).into();
    session.sample(2, 1000, &met).shows("LINE 1");
    session
        .ends_with(Reason::Matched, 1, 2, &met)
        .shows("web  3/3");
    session.keys("g").shows("LINE 1").hides("web  3/3");
}

#[test]
fn a_view_at_the_bottom_stays_there_when_the_wait_ends() {
    let mut session = Session::start();
    session.keys("r").round(1).sample(1, 0, &log(40)).keys("G");
    session.shows("27-40 of 40");
    session.ends_with(Reason::Timeout, 120, 1, &log(40));
    session.shows("29-40 of 40");
}

#[test]
fn how_long_it_has_been_quiet_is_shown_while_it_is() {
    let mut session = Session::start();
    session.keys("to-kind → → Tab").types("4s").keys("Ctrl-R");
    session.round(1).hides("quiet 0 of");
    for (sample, second, lines) in [(1, 0, 1), (2, 1, 2), (3, 2, 2), (4, 3, 2)] {
        session.sample(sample, second * 1000, &log(lines));
    }
    session.shows("quiet 2 of 4 s");
    session.failed(5, 4000, "reset").hides("of 4 s");
    session.sample(6, 5000, &log(2)).shows("quiet 0 of 4 s");
}

#[test]
fn a_reconnect_stays_visible_on_its_sample() {
    let mut session = watching();
    session.told(Event::SampleStarted {
        sample: 6,
        at_ms: millis(5000),
    });
    session
        .note(6, Note::Reconnecting)
        .note(6, Note::Reconnected);
    session.shows("reconnected; the server may");
    session
        .sample(6, 5000, &rollout(2))
        .sample(7, 6000, &rollout(2));
    session
        .hides("reconnected")
        .keys("[")
        .shows("same · reconnected · 2 of 3 alike");
    let screen = session.screen();
    let rows: Vec<&str> = screen.lines().skip(1).take(5).collect();
    assert!(rows.iter().all(|row| !row.is_empty()), "{screen}");
}

#[test]
fn the_first_sample_is_titled_like_the_others() {
    let mut session = watching();
    session.shows("5 · 4.01 s · +1.00 s · 74 B · changed · 12 ms");
    session
        .keys("Home")
        .shows("1 · 0.0 s · 74 B · first · 1 of 2 alike, 0:00-0:01");
}

#[test]
fn an_error_advises_what_can_be_done_on_the_screen() {
    let mut session = Session::start();
    session.keys("r").fails_with(WaitError::UnknownProbeTool {
        server: "demo".to_owned(),
        tool: "rollout".to_owned(),
        near: Box::default(),
        elsewhere: Box::default(),
    });
    session
        .shows("/ on the Bench lists")
        .hides("stakeout tools");
    session.keys("r").fails_with(WaitError::UntrustedServer {
        server: "ci".to_owned(),
        would_run: "npx ci".to_owned(),
        origin: "./.mcp.json".to_owned(),
        fingerprint: "1f".into(),
    });
    session.shows("not trusted yet").hides("--trust");
}
