//! What is said of errors, of equal samples, and of conditions that were met by nothing.

use std::sync::Arc;

use serde_json::{Value, json};
use stakeout::tui::message::{Effect, Msg};
use stakeout::wait::{Event, Reason, Sample};

use crate::harness::{Session, millis, picture, rollout};
use crate::pictures::SIZES;

/// A wait with that condition and more.
fn waiting_for(until: Value, more: Value) -> Session {
    let mut session = Session::start();
    let mut call = json!({ "probe": { "tool": "job_logs", "args": {} }, "until": until });
    for (key, value) in more.as_object().unwrap() {
        call[key] = value.clone();
    }
    session.tell(Msg::Paste(call.to_string()));
    let Effect::Resolve { id, .. } = *session.last() else {
        panic!("{:?}", session.last())
    };
    let server = Ok("demo".to_owned());
    let fault = None;
    session.tell(Msg::Resolved { id, server, fault });
    session.keys("Esc r").round(1);
    session
}

fn error() -> Arc<str> {
    Arc::from("Tool returned an error: no such deployment")
}

#[test]
fn u15_equal_samples_are_folded_with_their_number_and_times() {
    let mut session = Session::start();
    session.keys("r").round(1);
    let (none, one) = (rollout(0), rollout(1));
    for sample in 1..=8 {
        session.sample(sample, sample * 2000, &none);
    }
    session.shows("8 of 8 alike, 0:02-0:16");
    session.sample(9, 18_000, &one).hides("alike");
    session.keys("[").shows("8 of 8 alike").keys("[ [");
    session.shows("┌ 6 ·").shows("6 of 8 alike, 0:02-0:16");
    session.keys("{").shows("┌ 1 ·").shows("1 of 8 alike");
    session.keys("}").shows("┌ 9 ·").hides("alike");
}

#[test]
fn one_steps_by_change_over_equal_errors_and_failures() {
    let mut session = waiting_for(json!({ "matches": "x" }), json!({ "retry_errors": 9 }));
    let (error, calm) = (error(), rollout(0));
    session.sample(1, 0, &calm);
    for sample in 2..=4 {
        session.observed(sample, sample * 1000, &error, true);
    }
    for sample in 5..=7 {
        session.failed(sample, sample * 1000, "reset");
    }
    session.keys("{").shows("┌ 5 ·").shows("1 of 3 alike");
    session.keys("{").shows("┌ 2 ·").shows("tool error");
    session.keys("{").shows("┌ 1 ·").keys("} }").shows("┌ 5 ·");
}

#[test]
fn w21_the_same_error_again_and_again_is_called_out() {
    let mut session = waiting_for(json!({ "matches": "x" }), json!({ "retry_errors": 9 }));
    let error = error();
    for sample in 1..=2 {
        session.observed(sample, sample * 1000, &error, true);
    }
    session.hides("in a row");
    for sample in 3..=6 {
        session.observed(sample, sample * 1000, &error, true);
    }
    session.shows("! the same error 6 times in a row: no such deployment; x stops");
    session.shows("!!!!!!");
    session.sample(7, 7000, &rollout(0)).hides("the same error");
    for sample in 8..=10 {
        session.failed(sample, sample * 1000, "connection reset");
    }
    session.shows("! the same error 3 times in a row: connection reset; x stops");
}

#[test]
fn w2_what_a_tool_error_means_is_said_beside_it() {
    let quiet = json!({ "quiet_for_sec": 9 });
    let fails = json!({ "tool_errors": "fail", "retry_errors": 3 });
    let cases = [
        (
            json!({ "not_matches": "x" }),
            json!({}),
            "it can't satisfy not_matches",
        ),
        (
            json!({ "matches": "x" }),
            json!({}),
            "what it says can still match",
        ),
        (
            quiet.clone(),
            json!({}),
            "proves no quiet; the quiet window starts again",
        ),
        (
            quiet.clone(),
            json!({ "tool_errors": "observe" }),
            "judged like any output",
        ),
        (
            quiet,
            fails,
            "counts as a failed sample, 2 in a row; 3 are tolerated",
        ),
    ];
    for (until, more, said) in cases {
        let mut session = waiting_for(until, more);
        session
            .observed(1, 0, &error(), true)
            .observed(2, 1000, &error(), true);
        session.shows(said);
        session.sample(3, 2000, &rollout(0)).hides(said);
    }
}

#[test]
fn a_failed_sample_says_how_many_are_tolerated() {
    let mut session = waiting_for(json!({ "matches": "x" }), json!({ "retry_errors": 1 }));
    session
        .failed(1, 0, "reset")
        .shows("1 in a row; 1 are tolerated");
    session
        .failed(2, 1000, "reset")
        .shows("2 in a row: retries are set to 1");
    let mut session = waiting_for(json!({ "matches": "x" }), json!({}));
    session
        .failed(1, 0, "reset")
        .shows("without retries it ends the wait");
}

#[test]
fn a_condition_that_was_met_by_nothing_is_called_out() {
    let empty: Arc<str> = Arc::from(" \n");
    let mut session = waiting_for(json!({ "not_matches": "x" }), json!({}));
    session
        .sample(1, 0, &empty)
        .ends_with(Reason::Matched, 1, 1, &empty);
    session
        .shows("✔ matched")
        .shows("! met by an empty output: is that what you meant?");
    let mut session = waiting_for(json!({ "matches": "no such" }), json!({}));
    session.observed(1, 0, &error(), true);
    session.ends_with(Reason::Matched, 1, 1, &error());
    session.shows("! met by a tool error: is that what you meant?");
    let mut session = waiting_for(json!({ "matches": "web" }), json!({}));
    session.sample(1, 0, &rollout(0));
    session
        .ends_with(Reason::Matched, 1, 1, &rollout(0))
        .hides("is that what");
}

#[test]
fn w14_the_outcome_counts_what_failed_and_why() {
    let mut session = waiting_for(json!({ "matches": "x" }), json!({ "retry_errors": 9 }));
    for sample in 1..=3 {
        session.failed(sample, sample * 1000, "connection reset");
    }
    session
        .sample(4, 4000, &rollout(1))
        .failed(5, 5000, "no answer within 3 s");
    session
        .observed(6, 6000, &error(), true)
        .sample(7, 7000, &rollout(2));
    session.ends_with(Reason::Timeout, 120, 3, &rollout(2));
    session.shows("timeout at the bound of 120 s, 3 samples: nothing matched; 4 failed");
    session.shows("last value  … web         2/3");
    session.shows("last error  sample 6: Tool returned an error: no such deployment");
    session.shows("failures    connection reset (3), no answer within 3 s (1)");
}

#[test]
fn latencies_and_changes_add_up_over_rounds_and_failures() {
    let mut session = Session::start();
    session.resize(120, 36).keys("r").round(1);
    let mut at = 0;
    let mut sample = |session: &mut Session, latency, text: &Arc<str>| {
        at += 1;
        session.told(Event::Sample(Sample {
            sample: at,
            at_ms: millis(at * 1000),
            latency_ms: millis(latency),
            bytes: text.len(),
            tool_error: false,
            same_as: None,
            text_left_out: false,
            text: Some(Arc::clone(text)),
        }));
    };
    sample(&mut session, 10, &rollout(0));
    sample(&mut session, 20, &rollout(1));
    session.ends_with(Reason::Timeout, 120, 2, &rollout(1));
    session.keys("c").round(2);
    sample(&mut session, 400, &rollout(1));
    session.failed(4, 4000, "reset");
    // 3, 10, 20 and 400 ms; the first sample of a round may be a change as well.
    session
        .shows("p50 10 ms")
        .shows("max 400 ms")
        .shows("1 change");
    sample(&mut session, 30, &rollout(2));
    session.shows("p50 20 ms").shows("2 changes");
}

#[test]
fn pictures_of_honesty() {
    for (columns, rows) in SIZES {
        let mut session = waiting_for(json!({ "not_matches": "x" }), json!({}));
        session.resize(columns, rows);
        for sample in 1..=6 {
            session.observed(sample, sample * 1000, &error(), true);
        }
        picture!(format!("same_error_{columns}x{rows}"), session);
        let empty: Arc<str> = Arc::from("");
        session
            .sample(7, 7000, &empty)
            .ends_with(Reason::Matched, 7, 7, &empty);
        picture!(format!("met_by_nothing_{columns}x{rows}"), session);
        let mut session = Session::start();
        session.resize(columns, rows).keys("r").round(1);
        for sample in 1..=300 {
            let text = rollout(u32::try_from(sample / 40 % 3).unwrap());
            session.sample(sample, sample * 2000, &text);
        }
        session.keys("{ { ]");
        picture!(format!("alike_{columns}x{rows}"), session);
    }
}
