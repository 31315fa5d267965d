//! What is left of a recording when its process is killed at any moment.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "command_line/place.rs"]
#[allow(dead_code)]
mod place;
#[path = "support/mod.rs"]
mod support;

use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::BuildHasher;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use stakeout::store::{RecordingReader, list_recordings};
use stakeout::wait::{Event, Sample};

use place::{Place, Running, until};

/// Processes at the same time, and how many one after the other.
const BESIDE: usize = 10;
const IN_A_ROW: usize = 20;

/// A number below `limit`, another one each time.
fn random(limit: u64) -> u64 {
    RandomState::new().hash_one(()) % limit
}

/// Runs a wait whose every sample is large and new, and kills it: anywhere within two seconds, or
/// just when a sample comes in. Answers what it printed, up to the last whole line.
fn killed(place: &Place) -> Vec<Event> {
    let stdio = place.stdio("many-tools");
    let mut command = place.command(&[
        "run",
        "--stdio",
        &stdio,
        "--tool",
        "grows",
        "--matches",
        "never",
        "--poll",
        "1",
        "--max-wait",
        "4",
        "--output",
        "jsonl",
        "--quiet",
    ]);
    let out = place.path("stdout.jsonl");
    command.stdout(File::create(&out).unwrap());
    command.stderr(Stdio::null());
    let running = Running {
        child: Some(command.spawn().unwrap()),
    };
    let calls = 1 + usize::try_from(random(2)).unwrap();
    until("the tool is called", || {
        place.lab.seen().matches("tools/call").count() >= calls
    });
    let most = if random(2) == 0 { 2_000_000 } else { 8_000 };
    std::thread::sleep(Duration::from_micros(random(most)));
    // Dropping it kills it with SIGKILL.
    drop(running);
    let printed = place::text_of(&out);
    let whole = printed.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let lines = whole.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn recorded(path: &Path) -> Vec<Event> {
    let mut reader = RecordingReader::open(path).unwrap();
    std::iter::from_fn(|| reader.next_event().unwrap()).collect()
}

fn samples(events: &[Event]) -> Vec<&Sample> {
    let samples = events.iter().filter_map(|event| match event {
        Event::Sample(sample) => Some(sample),
        _ => None,
    });
    samples.collect()
}

/// Answers how many samples were recorded.
fn a_killed_wait_is_recorded() -> usize {
    let place = Place::new();
    let printed = killed(&place);
    let listed = list_recordings(&place.state().join("recordings")).unwrap();
    let printed = samples(&printed);
    let Some(listed) = listed.first() else {
        assert!(
            printed.len() <= 1,
            "{} samples, none recorded",
            printed.len()
        );
        return 0;
    };
    let summary = listed
        .summary
        .as_ref()
        .unwrap_or_else(|error| panic!("{error}"));
    let events = recorded(&listed.path);
    let recorded = samples(&events);
    assert!(
        recorded.len() + 1 >= printed.len(),
        "{} samples, {} recorded",
        printed.len(),
        recorded.len()
    );
    for (printed, recorded) in printed.iter().zip(&recorded) {
        assert_eq!(printed, recorded);
    }
    let newest = recorded.last().map_or(0, |sample| sample.sample);
    assert!(summary.samples >= newest);
    recorded.len()
}

#[test]
fn u21_a_process_that_is_killed_at_any_moment_leaves_all_samples_but_at_most_the_last() {
    let beside = (0..BESIDE).map(|_| {
        std::thread::spawn(|| {
            (0..IN_A_ROW)
                .map(|_| a_killed_wait_is_recorded())
                .sum::<usize>()
        })
    });
    let beside: Vec<_> = beside.collect();
    let recorded: usize = beside.into_iter().map(|own| own.join().unwrap()).sum();
    assert!(
        recorded >= BESIDE * IN_A_ROW,
        "only {recorded} samples were recorded"
    );
}
