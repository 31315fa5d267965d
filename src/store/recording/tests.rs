//! What the tests of recordings share, and those of the reader and the writer.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod keep;
mod listed;
mod retention;
mod round_trip;

use std::io::Write;
use std::path::PathBuf;

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::wait::{Event, Header, Millis, Outcome, Reason, Sample, WaitResult};

pub(super) fn header() -> Header {
    Header {
        version: 1,
        started_at: "2026-11-30T20:15:01.123Z".to_owned(),
        server: "demo".to_owned(),
        name: None,
        wait: json!({
            "probe": { "tool": "rollout_status", "args": {} }, "until": { "matches": "3/3" },
        }),
        rounds: 1,
    }
}

pub(super) fn sample(number: u64, text: &str) -> Event {
    Event::Sample(Sample {
        sample: number,
        at_ms: Millis::default(),
        latency_ms: Millis::default(),
        bytes: text.len(),
        tool_error: false,
        same_as: None,
        text_left_out: false,
        text: Some(text.into()),
    })
}

pub(super) fn same(number: u64, first: u64, text: &str) -> Event {
    let Event::Sample(sample) = sample(number, text) else {
        unreachable!("a sample is one")
    };
    Event::Sample(Sample {
        same_as: Some(first),
        ..sample
    })
}

pub(super) fn end(text: &str) -> Event {
    Event::WaitEnded {
        at_ms: Millis::default(),
        outcome: Outcome::Result(WaitResult {
            reason: Reason::Matched,
            last_observation: text.into(),
            elapsed_sec: 1,
            samples: 3,
            effective_max_wait_sec: 120,
        }),
    }
}

pub(super) fn story() -> Vec<Event> {
    vec![
        Event::WaitStarted(header()),
        sample(1, "web 1/3 ☕"),
        sample(2, "web 2/3"),
        same(3, 1, "web 1/3 ☕"),
        end("web 1/3 ☕"),
    ]
}

/// A recording of a story, as a file and as its bytes.
pub(super) fn recorded(story: &[Event]) -> (TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.wait.jsonl");
    let mut writer = RecordingWriter::create(&path).unwrap();
    for event in story {
        writer.append(event).unwrap();
    }
    let bytes = std::fs::read(&path).unwrap();
    (folder, path, bytes)
}

pub(super) fn rest(reader: &mut RecordingReader) -> Vec<Event> {
    std::iter::from_fn(|| reader.next_event().unwrap()).collect()
}

fn file(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.wait.jsonl");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn refusal(bytes: &[u8]) -> String {
    let (folder, path) = file(bytes);
    let error = RecordingReader::open(&path).unwrap_err().to_string();
    error.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn a_recording_gives_back_what_was_told_and_any_one_text() {
    let (_folder, path, _) = recorded(&story());
    let mut reader = RecordingReader::open(&path).unwrap();
    assert_eq!(reader.header(), &header());
    let events = rest(&mut reader);
    assert_eq!(events, story());
    let texts = events.iter().filter_map(|event| match event {
        Event::Sample(sample) => sample.text.clone(),
        _ => None,
    });
    let texts: Vec<_> = texts.collect();
    assert!(
        std::sync::Arc::ptr_eq(&texts[0], &texts[2]),
        "equal texts are one"
    );
    let again = |sample| reader.texts().text(sample);
    assert_eq!(again(2).as_deref(), Some("web 2/3"));
    assert_eq!(again(3).as_deref(), Some("web 1/3 ☕"));
    assert_eq!(again(4), None);
}

#[test]
fn the_writer_finds_the_texts_that_it_wrote_while_it_writes() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = RecordingWriter::create(&folder.path().join("r.wait.jsonl")).unwrap();
    let texts = writer.texts().clone();
    assert_eq!(texts.text(1), None);
    for event in story() {
        writer.append(&event).unwrap();
    }
    assert_eq!(texts.text(3).as_deref(), Some("web 1/3 ☕"));
    drop(writer);
    assert_eq!(texts.text(2).as_deref(), Some("web 2/3"));
}

#[test]
fn a_recording_is_read_while_it_grows_by_single_bytes() {
    let (_other, _, bytes) = recorded(&story());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.wait.jsonl");
    let mut growing = std::fs::File::create(&path).unwrap();
    let mut reader = None;
    let mut read = Vec::new();
    for byte in bytes {
        growing.write_all(&[byte]).unwrap();
        match &mut reader {
            None => reader = RecordingReader::open(&path).ok(),
            Some(reader) => read.extend(rest(reader)),
        }
    }
    assert_eq!(read, story());
}

#[test]
fn a_recording_that_was_cut_off_at_any_byte_is_read_up_to_there() {
    let (_folder, path, bytes) = recorded(&story());
    let lines: Vec<usize> = (0..=bytes.len())
        .filter(|at| bytes.get(*at).is_none_or(|byte| *byte == b'\n'))
        .collect();
    for cut in 0..=bytes.len() {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        // A last line that is whole but for its line break counts.
        let whole = lines.iter().filter(|end| **end <= cut).count().min(5);
        match RecordingReader::open(&path) {
            Ok(mut reader) => {
                let read = rest(&mut reader);
                assert_eq!(read, story()[..whole], "cut at {cut}");
                let ends = cut == 0 || lines.contains(&cut) || bytes[cut - 1] == b'\n';
                assert_eq!(reader.is_within_a_line(), !ends, "cut at {cut}");
            }
            Err(_) => assert_eq!(whole, 0, "cut at {cut}"),
        }
    }
}

#[test]
fn what_is_no_recording_is_told_in_a_sentence() {
    let no_recording = "r.wait.jsonl: it is no recording: its first line is no wait_started event";
    for text in [
        "{}",
        "[1]\n",
        "\n",
        "{\"event\":\"sample\"}\n",
        "\u{0}\u{0}",
        "{\"event\":",
    ] {
        let said = refusal(text.as_bytes());
        assert!(said.starts_with(no_recording), "{text:?}: {said}");
    }
    assert_eq!(
        refusal(b""),
        "r.wait.jsonl: it is empty; nothing was recorded"
    );
    let (_folder, _, bytes) = recorded(&story());
    assert_eq!(
        refusal(&bytes[..60]),
        "r.wait.jsonl: it ends within its first line; nothing was recorded"
    );
    assert_eq!(
        refusal(b"{\"event\":\"wait_started\",\"version\":2,\"anything\":1}\n"),
        "r.wait.jsonl: it is of version 2, and this stakeout reads version 1; use a newer one"
    );
    let said = refusal(b"{\"event\":\"wait_started\",\"version\":1}\n");
    assert!(
        said.starts_with("r.wait.jsonl: its header is broken: missing field"),
        "{said}"
    );
    let missing = RecordingReader::open("/no/such/file".as_ref()).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "/no/such/file: there is no such file; check the path"
    );
}

#[test]
fn a_broken_line_is_named_and_what_stands_before_it_is_read() {
    let (_other, _, mut bytes) = recorded(&story()[..2]);
    for (line, said) in [
        ("nonsense", "column 2: the line is broken: expected ident"),
        ("\u{0}\u{0}", "column 1: the line is broken: expected value"),
        (
            "{\"event\":\"unheard_of\"}",
            "the line is broken: unknown variant `unheard_of`",
        ),
        (
            "{\"event\":\"wait_started\",\"version\":1,\"started_at\":\"\",\"server\":\"\",\
             \"wait\":{},\"rounds\":1}",
            "another recording begins here; split the file",
        ),
        (
            "{\"event\":\"sample\",\"sample\":9,\"at_ms\":0,\"latency_ms\":0,\"bytes\":1,\
             \"tool_error\":false,\"same_as\":7}",
            "sample 9 has the text of sample 7, which isn't before it",
        ),
    ] {
        let length = bytes.len();
        bytes.extend([line.as_bytes(), b"\n"].concat());
        let (_folder, path) = file(&bytes);
        let mut reader = RecordingReader::open(&path).unwrap();
        for _ in 0..2 {
            reader.next_event().unwrap().unwrap();
        }
        let error = reader.next_event().unwrap_err();
        assert_eq!(error.line, Some(3));
        let words = error.to_string();
        assert!(
            words.contains("r.wait.jsonl:3: ") && words.contains(said),
            "{words}"
        );
        assert_eq!(reader.next_event().unwrap_err(), error);
        bytes.truncate(length);
    }
}

#[test]
fn a_line_without_an_end_fills_no_memory() {
    let (_other, _, mut bytes) = recorded(&story()[..2]);
    bytes.resize(bytes.len() + 2 * usize::try_from(LINE_LIMIT).unwrap(), b'x');
    let (_folder, path) = file(&bytes);
    let mut reader = RecordingReader::open(&path).unwrap();
    for _ in 0..2 {
        reader.next_event().unwrap().unwrap();
    }
    for _ in 0..2 {
        let error = reader.next_event().unwrap_err().to_string();
        assert!(
            error.ends_with(":3: the line is longer than 16 MiB"),
            "{error}"
        );
    }
}

#[test]
fn a_recording_is_told_from_a_spec_by_what_is_in_it() {
    let (_folder, path, _) = recorded(&story());
    assert!(is_recording(&path));
    let (_other, spec) = file(b"{ \"probe\": { \"tool\": \"t\" } }");
    assert!(!is_recording(&spec) && !is_recording(spec.parent().unwrap()));
}

#[cfg(unix)]
#[test]
fn a_recording_and_its_folder_are_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("state/stakeout/recordings");
    let first = RecordingWriter::create_in(&folder, &header(), RecordedTexts::default()).unwrap();
    let second = RecordingWriter::create_in(&folder, &header(), RecordedTexts::default()).unwrap();
    assert_ne!(first.path(), second.path(), "nothing is overwritten");
    let names = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(names, 2, "what they were written to at first is gone");
    for made in [&first, &second] {
        let text = std::fs::read_to_string(made.path()).unwrap();
        let began: Event = serde_json::from_str(&text).unwrap();
        assert_eq!(began, Event::WaitStarted(header()), "never empty");
    }
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(first.path()), mode(&folder)), (0o600, 0o700));
}
