//! What must hold for any call and any probe, on a paused clock.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};
use stakeout::wait::{
    AfterSleep, Call, Chain, Ending, Evaluator, Event, Millis, Note, Notes, Output, Probe, Reason,
    Sample, SampleFailure, Verdict, WaitError, engine,
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// What one sample does.
#[derive(Debug, Clone)]
enum Step {
    Text(&'static str, u64),
    ToolError(u64),
    Fail(u64),
    Hang,
}

/// Plays steps over and over, and watches its own use.
struct Watched {
    steps: Vec<Step>,
    next: usize,
    in_flight: Arc<AtomicUsize>,
    overlapped: Arc<AtomicBool>,
}

impl Watched {
    fn new(steps: Vec<Step>) -> Self {
        Self {
            steps,
            next: 0,
            in_flight: Arc::default(),
            overlapped: Arc::default(),
        }
    }
}

/// Counts a sample as in flight until its future ends or is dropped.
struct InFlight(Arc<AtomicUsize>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Probe for Watched {
    async fn sample(&mut self, _number: u64, _notes: Notes) -> Result<Output, SampleFailure> {
        if self.in_flight.fetch_add(1, Ordering::SeqCst) > 0 {
            self.overlapped.store(true, Ordering::SeqCst);
        }
        let _in_flight = InFlight(Arc::clone(&self.in_flight));
        let step = self.steps[self.next % self.steps.len()].clone();
        self.next += 1;
        let latency = match step {
            Step::Text(_, latency) | Step::ToolError(latency) | Step::Fail(latency) => latency,
            Step::Hang => std::future::pending().await,
        };
        if latency > 0 {
            tokio::time::sleep(Duration::from_millis(latency)).await;
        }
        match step {
            Step::Text(text, _) => Ok(Output {
                text: text.to_owned(),
                tool_error: false,
            }),
            Step::ToolError(_) => Ok(Output {
                text: "Tool returned an error: busy".to_owned(),
                tool_error: true,
            }),
            _ => Err(SampleFailure {
                cause: "reset".to_owned(),
                hopeless: false,
            }),
        }
    }
}

fn step() -> impl Strategy<Value = Step> {
    let latency = prop_oneof![Just(0), 1..50_u64, 500..9_000_u64];
    let text = prop_oneof![
        Just("Pending"),
        Just("Running 1/3"),
        Just("Ready"),
        Just("")
    ];
    prop_oneof![
        6 => (text, latency.clone()).prop_map(|(text, latency)| Step::Text(text, latency)),
        1 => latency.clone().prop_map(Step::ToolError),
        1 => latency.prop_map(Step::Fail),
        1 => Just(Step::Hang),
    ]
}

fn until() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({ "matches": "Ready" })),
        Just(json!({ "matches": "never" })),
        Just(json!({ "not_matches": "Pending|Running" })),
        (1..8_u64).prop_map(|seconds| json!({ "quiet_for_sec": seconds })),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    (
        until(),
        1..7_u64,
        8..40_u64,
        0..4_u64,
        proptest::option::of(1..9_u64),
        0..3_usize,
    )
        .prop_map(
            |(until, poll_sec, max_wait_sec, retry_errors, probe_timeout_sec, tool_errors)| {
                Call::parse(&json!({
                    "probe": { "tool": "status", "args": {} },
                    "until": until,
                    "poll_sec": poll_sec,
                    "max_wait_sec": max_wait_sec,
                    "retry_errors": retry_errors,
                    "probe_timeout_sec": probe_timeout_sec,
                    "tool_errors": (["guard", "observe", "fail"][tool_errors]),
                }))
                .unwrap()
            },
        )
}

/// A run on a paused clock: how it ended, how long it took, and what it told.
struct Run {
    ending: Ending,
    took: Duration,
    events: Vec<Event>,
    overlapped: bool,
    left_in_flight: usize,
}

fn run(call: &Call, steps: Vec<Step>, stop_after: Option<Duration>) -> Run {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let mut probe = Watched::new(steps);
        let (in_flight, overlapped) = (Arc::clone(&probe.in_flight), Arc::clone(&probe.overlapped));
        let stop = CancellationToken::new();
        if let Some(after) = stop_after {
            let stop = stop.clone();
            tokio::spawn(async move {
                tokio::time::sleep(after).await;
                stop.cancel();
            });
        }
        let mut events = Vec::new();
        let began = Instant::now();
        let mut tell = |event| events.push(event);
        let ending = engine::run(&mut probe, &mut Chain::new(call.clone()), &mut tell, &stop).await;
        Run {
            ending,
            took: began.elapsed(),
            events,
            overlapped: overlapped.load(Ordering::SeqCst),
            left_in_flight: in_flight.load(Ordering::SeqCst),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn w17_the_bound_holds_whatever_the_probe_does(call in call(), steps in prop::collection::vec(step(), 1..6)) {
        let run = run(&call, steps, None);
        prop_assert!(run.took <= call.bound(), "{:?} over {:?}", run.took, call.bound());
        prop_assert_eq!(run.left_in_flight, 0);
        if let Ok(result) = &run.ending && result.reason == Reason::Timeout {
            prop_assert_eq!(run.took, call.bound());
        }
    }

    #[test]
    fn samples_never_overlap_and_are_a_poll_apart(call in call(), steps in prop::collection::vec(step(), 1..6)) {
        let run = run(&call, steps, None);
        prop_assert!(!run.overlapped);
        let mut ended = None;
        let mut last_look = false;
        for event in &run.events {
            match event {
                Event::SampleStarted { at_ms, .. } => {
                    if let Some(ended) = ended {
                        prop_assert!(last_look || at_ms.0 >= ended + call.poll());
                    }
                }
                Event::Sample(sample) => ended = Some(sample.completed()),
                Event::SampleFailed { at_ms, latency_ms, .. } => ended = Some(at_ms.0 + latency_ms.0),
                Event::Sleeping { then, .. } => last_look = *then == AfterSleep::LastLook,
                _ => {}
            }
        }
    }

    #[test]
    fn w4_the_last_look_is_taken_at_most_once_and_finishes_in_time(call in call(), steps in prop::collection::vec(step(), 1..6)) {
        let run = run(&call, steps, None);
        let looks = run.events.iter().filter(|event| matches!(event, Event::Sleeping { then: AfterSleep::LastLook, .. }));
        prop_assert!(looks.count() <= 1);
    }

    #[test]
    fn stopping_in_any_phase_ends_at_once(call in call(), steps in prop::collection::vec(step(), 1..6), after in 0..40_000_u64) {
        let free = run(&call, steps.clone(), None);
        let after = Duration::from_millis(after);
        let stopped = run(&call, steps, Some(after));
        prop_assert_eq!(stopped.left_in_flight, 0);
        if after < free.took {
            prop_assert_eq!(stopped.took, after);
            let failure = stopped.ending.unwrap_err();
            let cancelled = matches!(failure.error, WaitError::Cancelled { samples } if samples == failure.samples);
            prop_assert!(cancelled, "{:?}", failure.error);
        } else if after > free.took {
            prop_assert_eq!(stopped.ending, free.ending);
        }
    }

    #[test]
    fn every_event_reads_back_as_it_was_told(call in call(), steps in prop::collection::vec(step(), 1..6)) {
        let run = run(&call, steps, None);
        for event in run.events {
            let line = serde_json::to_string(&event).unwrap();
            let read: Event = serde_json::from_str(&line).unwrap();
            let told = match event {
                // On a line, a text that an earlier sample had is not repeated.
                Event::Sample(mut sample) => {
                    if sample.same_as.is_some() {
                        sample.text = None;
                    }
                    Event::Sample(sample)
                }
                other => other,
            };
            prop_assert_eq!(read, told);
        }
    }

    #[test]
    fn a_call_survives_its_own_json(call in call()) {
        prop_assert_eq!(Call::parse(&call.to_value()).unwrap(), call);
    }
}

#[test]
fn w15_a_quiet_window_equal_to_the_poll_settles_at_the_second_sample() {
    let call = Call::parse(&json!({
        "probe": { "tool": "status", "args": {} },
        "until": { "quiet_for_sec": 2 }, "poll_sec": 2, "max_wait_sec": 10,
    }))
    .unwrap();
    let run = run(&call, vec![Step::Text("a", 3), Step::Text("a", 0)], None);
    let result = run.ending.unwrap();
    assert_eq!((result.reason, result.samples), (Reason::Settled, 2));
}

#[test]
fn w14_the_outcome_names_the_last_failure() {
    let call = Call::parse(&json!({
        "probe": { "tool": "status", "args": {} },
        "until": { "matches": "x" }, "poll_sec": 1, "max_wait_sec": 5, "retry_errors": 9,
    }))
    .unwrap();
    let run = run(&call, vec![Step::Fail(0), Step::Hang], None);
    let message = run.ending.unwrap_err().error.to_string();
    assert!(message.contains("the last failure: reset"), "{message}");
}

#[test]
fn equal_outputs_are_told_once_even_when_they_flip() {
    let call = Call::parse(&json!({
        "probe": { "tool": "status", "args": {} },
        "until": { "matches": "never" }, "poll_sec": 1, "max_wait_sec": 3,
    }))
    .unwrap();
    let run = run(&call, vec![Step::Text("Ready", 0), Step::Text("", 0)], None);
    let same_as: Vec<Option<u64>> = run
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Sample(sample) => Some(sample.same_as),
            _ => None,
        })
        .collect();
    assert_eq!(same_as, [None, None, Some(1), Some(2)]);
}

#[test]
fn a_cause_is_cut_also_where_it_is_a_tools_own_words() {
    let call = Call::parse(&json!({
        "probe": { "tool": "status", "args": {} },
        "until": { "matches": "x" }, "tool_errors": "fail",
    }))
    .unwrap();
    let text: Arc<str> = format!("head{}tail", "a".repeat(100_000)).into();
    let verdict = Evaluator::new(call).hear(&Event::Sample(Sample {
        sample: 1,
        at_ms: Millis::default(),
        latency_ms: Millis::default(),
        bytes: text.len(),
        tool_error: true,
        same_as: None,
        text_left_out: false,
        text: Some(text),
    }));
    let Verdict::GiveUp(WaitError::ProbeFailed { cause, .. }) = verdict else {
        panic!("{verdict:?}");
    };
    assert!(cause.len() <= 8 * 1024, "{}", cause.len());
    assert!(cause.starts_with("head") && cause.ends_with("tail"));
}

/// Says more than anybody can hear.
struct Flooding;

impl Probe for Flooding {
    async fn sample(&mut self, _number: u64, notes: Notes) -> Result<Output, SampleFailure> {
        let progress = |progress| Note::Progress {
            progress,
            total: None,
            message: None,
        };
        for step in 0..10_000 {
            notes.tell(progress(f64::from(step)));
            tokio::task::yield_now().await;
        }
        notes.tell(Note::Reconnected);
        tokio::time::sleep(Duration::from_secs(1)).await;
        notes.tell(progress(-1.0));
        Ok(Output {
            text: "done".to_owned(),
            tool_error: false,
        })
    }
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_notes_is_thinned_and_our_own_are_kept() {
    let call = Call::parse(&json!({
        "probe": { "tool": "status", "args": {} }, "until": { "matches": "done" },
    }))
    .unwrap();
    let mut notes = Vec::new();
    let mut tell = |event| {
        if let Event::Note { note, .. } = event {
            notes.push(note);
        }
    };
    let stop = CancellationToken::new();
    let ending = engine::run(&mut Flooding, &mut Chain::new(call), &mut tell, &stop).await;
    assert_eq!(ending.unwrap().reason, Reason::Matched);
    assert_eq!(
        notes.len(),
        102,
        "a hundred, ours, and one of the next second"
    );
    assert_eq!(notes[100], Note::Reconnected);
}
