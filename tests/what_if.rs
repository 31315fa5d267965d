//! What if: a wait's story, judged once more, gives what the wait itself would have given.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/vectors.rs"]
mod vectors;

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use stakeout::store::{RecordingReader, RecordingWriter};
use stakeout::wait::{
    Call, Chain, Ending, Event, FORMAT_VERSION, Header, History, Judged, Notes, Outcome, Output,
    Probe, Reason, SampleFailure, Verdict, WaitError, WaitFailure, WhatIf, engine,
};
use tokio_util::sync::CancellationToken;

use vectors::{Script, Step};

/// A wait, as it is told and as it ended.
struct Story {
    events: Vec<Event>,
    ending: Ending,
    took: Duration,
}

impl Story {
    fn attempts(&self) -> usize {
        let attempt = |event: &&Event| matches!(event, Event::SampleStarted { .. });
        self.events.iter().filter(attempt).count()
    }
}

/// Runs `call` for as many rounds as it may have, unless it is stopped before.
async fn run<P: Probe>(
    call: Call,
    mut probe: P,
    rounds: u32,
    stop_after: Option<Duration>,
) -> Story {
    let stop = CancellationToken::new();
    if let Some(after) = stop_after {
        let stop = stop.clone();
        tokio::spawn(async move {
            tokio::time::sleep(after).await;
            stop.cancel();
        });
    }
    let mut events = Vec::new();
    let mut tell = |event| events.push(event);
    tell(Event::WaitStarted(Header {
        version: FORMAT_VERSION,
        started_at: "2026-11-30T14:40:06.943Z".to_owned(),
        server: "ci".to_owned(),
        name: None,
        wait: call.to_value(),
        rounds,
    }));
    let mut chain = Chain::new(call);
    let mut left = rounds;
    let ending = loop {
        left -= 1;
        let ending = engine::run(&mut probe, &mut chain, &mut tell, &stop).await;
        if left == 0 || !matches!(&ending, Ok(result) if result.reason == Reason::Timeout) {
            break ending;
        }
    };
    let at_ms = chain.elapsed();
    let outcome = Outcome::from(&ending);
    tell(Event::WaitEnded { at_ms, outcome });
    Story {
        events,
        ending,
        took: at_ms.0,
    }
}

fn play(call: &Value, steps: &[Step], rounds: u32, stop_after: Option<Duration>) -> Story {
    let call = Call::parse(call).unwrap();
    let script = Script { steps, next: 0 };
    vectors::paused().block_on(run(call, script, rounds, stop_after))
}

fn ask(call: &Value, events: &[Event]) -> WhatIf {
    let mut what_if = WhatIf::new(Call::parse(call).unwrap());
    for event in events {
        what_if.hear(event);
    }
    what_if
}

/// The events as a recording of them has them.
fn recorded(events: &[Event]) -> Vec<Event> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.wait.jsonl");
    let mut writer = RecordingWriter::create(&path).unwrap();
    for event in events {
        writer.append(event).unwrap();
    }
    let mut reader = RecordingReader::open(&path).unwrap();
    std::iter::from_fn(|| reader.next_event().unwrap()).collect()
}

#[test]
fn every_vector_answers_what_if_with_its_own_condition_as_it_ended() {
    let (mut cases, mut refused) = (0, 0);
    for file in vectors::files() {
        for case in vectors::read(&file) {
            cases += 1;
            if Call::parse(&case.call).is_err() {
                refused += 1;
                continue;
            }
            let story = play(&case.call, &case.probe, 1, None);
            let answer = ask(&case.call, &recorded(&story.events)).ending();
            assert_eq!(answer, story.ending, "{}: {}", file.display(), case.name);
        }
    }
    assert!(refused > 0 && cases > refused, "{refused} of {cases}");
}

/// The events as the history of a wait tells them again.
fn remembered(events: &[Event]) -> Vec<Event> {
    let mut history = History::new();
    for event in events {
        history.record(event, false);
    }
    history.story()
}

fn step() -> impl Strategy<Value = Step> {
    let latency = prop_oneof![Just(0), 1..50_u64, 500..9_000_u64];
    let text = prop_oneof![
        Just("Pending 1s"),
        Just("Pending 2s"),
        Just("Running 1/3"),
        Just("Ready"),
        Just("")
    ];
    let one = |latency_ms| Step {
        latency_ms,
        times: 1,
        ..Step::default()
    };
    prop_oneof![
        6 => (text, latency.clone()).prop_map(move |(text, latency)| Step {
            text: Some(text.to_owned()),
            ..one(latency)
        }),
        2 => latency.clone().prop_map(move |latency| Step {
            tool_error: Some("Running late".to_owned()),
            ..one(latency)
        }),
        1 => latency.prop_map(move |latency| Step {
            error: Some("reset".to_owned()),
            ..one(latency)
        }),
        1 => Just(Step { hang: Some(true), ..one(0) }),
    ]
}

fn condition() -> impl Strategy<Value = Value> {
    let until = prop_oneof![
        Just(json!({ "matches": "Ready" })),
        Just(json!({ "matches": "never" })),
        Just(json!({ "matches": "error: Running" })),
        Just(json!({ "not_matches": "Pending|Running" })),
        (1..8_u64).prop_map(|seconds| json!({ "quiet_for_sec": seconds })),
    ];
    let fail_when = prop_oneof![3 => Just(Value::Null), 1 => Just(json!("1/3"))];
    let ignore = prop_oneof![Just(Value::Null), Just(json!("\\d+s"))];
    let tool_errors = prop_oneof![Just("guard"), Just("observe"), Just("fail")];
    (until, fail_when, ignore, tool_errors).prop_map(|(until, fail_when, ignore, tool_errors)| {
        json!({ "until": until, "fail_when": fail_when, "ignore": ignore, "tool_errors": tool_errors })
    })
}

fn rest() -> impl Strategy<Value = Value> {
    let probe_timeout = proptest::option::of(1..9_u64);
    (1..7_u64, 8..25_u64, 0..4_u64, probe_timeout).prop_map(|(poll, max_wait, retries, timeout)| {
        json!({
            "probe": { "tool": "status", "args": {} },
            "poll_sec": poll, "max_wait_sec": max_wait,
            "retry_errors": retries, "probe_timeout_sec": timeout,
        })
    })
}

/// A call with that condition.
fn with(rest: &Value, condition: &Value) -> Value {
    let mut call = rest.clone();
    let fields = condition.as_object().unwrap().clone();
    call.as_object_mut().unwrap().extend(fields);
    call
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn another_condition_ends_as_if_it_had_been_run(
        rest in rest(),
        conditions in [condition(), condition()],
        steps in prop::collection::vec(step(), 1..8),
        rounds in 1..4_u32,
        stop_after in proptest::option::of(0..60_000_u64),
    ) {
        let stop_after = stop_after.map(Duration::from_millis);
        let [recorded, other] = conditions.map(|condition| with(&rest, &condition));
        let story = play(&recorded, &steps, rounds, stop_after);
        let live = play(&other, &steps, rounds, stop_after);
        let answer = ask(&other, &story.events).ending();
        prop_assert_eq!(&ask(&other, &remembered(&story.events)).ending(), &answer);
        if live.took <= story.took && live.attempts() <= story.attempts() {
            prop_assert_eq!(answer, live.ending);
        } else {
            let failure = answer.unwrap_err();
            prop_assert!(matches!(failure.error, WaitError::RecordingEnded { .. }), "{:?}", failure);
        }
    }

    #[test]
    fn its_own_condition_ends_as_it_ended_and_a_part_of_it_is_undecided_until_then(
        rest in rest(),
        condition in condition(),
        steps in prop::collection::vec(step(), 1..8),
        rounds in 1..4_u32,
        part in 0.0..1.0_f64,
    ) {
        let call = with(&rest, &condition);
        let story = play(&call, &steps, rounds, None);
        prop_assert_eq!(&ask(&call, &story.events).ending(), &story.ending);
        let decides = story.events.iter().rposition(|event| {
            matches!(event, Event::Sample(_) | Event::SampleFailed { .. } | Event::SampleStarted { .. })
        });
        let part = (decides.unwrap() as f64 * part) as usize;
        let failure = ask(&call, &story.events[..part]).ending().unwrap_err();
        let undecided = matches!(failure.error, WaitError::RecordingEnded { recorded: None, .. });
        prop_assert!(undecided, "{:?}", failure);
    }
}

fn text(text: &str) -> Step {
    Step {
        text: Some(text.to_owned()),
        times: 1,
        ..Step::default()
    }
}

fn call(condition: Value) -> Value {
    let rest = json!({
        "probe": { "tool": "status", "args": {} }, "poll_sec": 2, "max_wait_sec": 10,
    });
    with(&rest, &condition)
}

#[test]
fn each_sample_says_what_it_would_mean_also_after_the_stop() {
    let steps = ["Pending 1s", "Pending 2s", "Ready", "Lost", "Ready"].map(text);
    let recorded = call(json!({ "until": { "matches": "never" } }));
    let story = play(&recorded, &steps, 1, None);
    let other =
        call(json!({ "until": { "matches": "Ready" }, "fail_when": "Lost", "ignore": "\\d+s" }));
    let mut what_if = WhatIf::new(Call::parse(&other).unwrap());
    let judged = story.events.iter().filter_map(|event| what_if.hear(event));
    let judged: Vec<(u64, Verdict, bool)> = judged
        .map(
            |Judged {
                 sample,
                 verdict,
                 changed,
                 ..
             }| (sample, verdict, changed),
        )
        .collect();
    let (met, failed) = (
        Verdict::Stop(Reason::Matched),
        Verdict::Stop(Reason::Failed),
    );
    assert_eq!(
        judged[..5],
        [
            (1, Verdict::GoOn, false),
            (2, Verdict::GoOn, false),
            (3, met.clone(), true),
            (4, failed, true),
            (5, met, true),
        ]
    );
    let stop = what_if.stopped().unwrap();
    assert_eq!((stop.sample, stop.at), (Some(3), Duration::from_secs(4)));
    let result = what_if.ending().unwrap();
    assert_eq!((result.reason, result.samples), (Reason::Matched, 3));
}

#[test]
fn a_tool_error_that_failed_the_wait_is_kept_as_it_was() {
    let error = Step {
        tool_error: Some("busy".to_owned()),
        times: 1,
        ..Step::default()
    };
    let until = json!({ "matches": "busy" });
    let recorded = call(json!({ "until": until, "tool_errors": "fail" }));
    let story = play(&recorded, &[error], 1, None);
    assert_eq!(story.ending.unwrap_err().error.code(), "probe_failed");
    let other = call(json!({ "until": until, "tool_errors": "guard" }));
    let result = ask(&other, &story.events).ending().unwrap();
    assert_eq!(result.reason, Reason::Matched);
    assert_eq!(&*result.last_observation, "Tool returned an error: busy");
}

#[test]
fn where_the_wait_itself_was_decided_first_the_answer_says_how() {
    let recorded = call(json!({ "until": { "matches": "Ready" } }));
    let story = play(&recorded, &[text("Pending"), text("Ready")], 1, None);
    let other = call(json!({ "until": { "matches": "never" } }));
    let failure = ask(&other, &story.events).ending().unwrap_err();
    assert_eq!(failure.error.code(), "recording_ended");
    assert_eq!(failure.samples, 2);
    assert_eq!(failure.last_observation.as_deref(), Some("Ready"));
    let message = failure.error.to_string();
    let expected =
        "the recorded wait ended (matched) after 2 samples, before the condition was decided";
    assert!(message.starts_with(expected), "{message}");
}

/// Refuses for good, whatever is retried.
struct Refusing;

impl Probe for Refusing {
    async fn sample(&mut self, _number: u64, _notes: Notes) -> Result<Output, SampleFailure> {
        Err(SampleFailure {
            cause: "the token was refused".to_owned(),
            hopeless: true,
        })
    }
}

#[test]
fn a_failure_that_no_retry_can_mend_ends_it_under_any_condition() {
    let mut recorded = call(json!({ "until": { "matches": "Ready" } }));
    recorded["retry_errors"] = json!(9);
    let wait = Call::parse(&recorded).unwrap();
    let story = vectors::paused().block_on(run(wait, Refusing, 1, None));
    let mut other = call(json!({ "until": { "quiet_for_sec": 4 } }));
    other["retry_errors"] = json!(9);
    assert_eq!(ask(&other, &story.events).ending(), story.ending);
    assert_eq!(story.ending.unwrap_err().error.code(), "probe_failed");
}

#[test]
fn a_wait_that_was_continued_and_then_lost_its_server_ends_with_that() {
    let recorded = call(json!({ "until": { "matches": "never" } }));
    let mut events = play(&recorded, &[text("Pending")], 1, None).events;
    let other = call(json!({ "until": { "matches": "Ready" } }));
    let timeout = ask(&other, &events).ending().unwrap();
    assert_eq!(timeout.reason, Reason::Timeout);
    let lost = WaitError::ServerUnavailable {
        server: "ci".to_owned(),
        step: "starting".to_owned(),
        cause: "gone".to_owned(),
    };
    let ending = Err(WaitFailure {
        error: lost.clone(),
        elapsed_sec: 12,
        samples: 6,
        last_observation: Some("Pending".into()),
    });
    events.push(Event::WaitEnded {
        at_ms: stakeout::wait::Millis(Duration::from_secs(12)),
        outcome: Outcome::from(&ending),
    });
    let samples = timeout.samples;
    let failure = ask(&other, &events).ending().unwrap_err();
    assert_eq!((failure.error, failure.samples), (lost, samples));
}

#[test]
fn a_sample_without_its_text_proves_nothing_and_is_counted() {
    let recorded = call(json!({ "until": { "matches": "never" } }));
    let mut events = play(&recorded, &[text("Pending")], 1, None).events;
    for event in &mut events {
        if let Event::Sample(sample) = event
            && sample.sample % 2 == 0
        {
            sample.text = None;
        }
    }
    for until in [
        json!({ "not_matches": "Pending" }),
        json!({ "quiet_for_sec": 4 }),
    ] {
        let what_if = ask(&call(json!({ "until": until })), &events);
        assert_eq!(what_if.ending().unwrap().reason, Reason::Timeout);
        assert_eq!(what_if.without_text(), 3);
    }
}

#[test]
fn a_wait_whose_texts_are_all_lost_still_ends_with_its_budget() {
    let recorded = call(json!({ "until": { "matches": "never" } }));
    let mut events = play(&recorded, &[text("Pending")], 1, None).events;
    for event in &mut events {
        if let Event::Sample(sample) = event {
            sample.text = None;
        }
    }
    let other = call(json!({ "until": { "matches": "Pending" } }));
    let result = ask(&other, &events).ending().unwrap();
    assert_eq!((result.reason, result.samples), (Reason::Timeout, 6));
    assert_eq!(&*result.last_observation, "[7 bytes, not on record]");
}
