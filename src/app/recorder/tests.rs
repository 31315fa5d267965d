//! Recordings of waits: what is written, what is left out, and what is told of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::mpsc::Receiver;

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::store::{KeptRecordings, RecordingReader, list_recordings};
use crate::wait::{Millis, Outcome, WaitFailure};

struct Place {
    home: TempDir,
    recorder: Recorder,
}

impl Place {
    fn new(limit: usize) -> Self {
        let home = tempfile::tempdir().unwrap();
        let recorder = Recorder::with_backlog(home.path().join("recordings"), limit);
        Self { home, recorder }
    }

    fn record(&self) -> (WaitRecording, Receiver<RecordingNews>) {
        let (tell, news) = channel();
        let recording = self.recorder.record(move |own| drop(tell.send(own)));
        (recording, news)
    }

    fn files(&self) -> Vec<PathBuf> {
        let listed = list_recordings(&self.home.path().join("recordings")).unwrap();
        listed.into_iter().map(|own| own.path).collect()
    }
}

/// As many recordings as a folder keeps, and one more, made long ago.
fn fill(folder: &Path) -> Vec<PathBuf> {
    std::fs::create_dir_all(folder).unwrap();
    let name = |number| format!("2026-01-01T00-00-00.{number:03}Z-demo-t.wait.jsonl");
    let files: Vec<_> = (0..201).map(|number| folder.join(name(number))).collect();
    for file in &files {
        std::fs::write(file, "").unwrap();
    }
    files
}

fn started() -> Event {
    Event::WaitStarted(Header {
        version: 1,
        started_at: "2026-11-30T20:15:01.123Z".to_owned(),
        server: "demo".to_owned(),
        name: None,
        wait: json!({ "probe": { "tool": "t", "args": {} }, "until": { "matches": "x" } }),
        rounds: 1,
    })
}

fn sample(number: u64, same_as: Option<u64>, text: &str) -> Event {
    Event::Sample(Sample {
        sample: number,
        at_ms: Millis::default(),
        latency_ms: Millis::default(),
        bytes: text.len(),
        tool_error: false,
        same_as,
        text_left_out: false,
        text: Some(text.into()),
    })
}

fn ended() -> Event {
    let error = crate::wait::WaitError::Cancelled { samples: 0 };
    Event::WaitEnded {
        at_ms: Millis::default(),
        outcome: Outcome::from(&Err(WaitFailure::before_the_first_sample(error))),
    }
}

fn read(path: &Path) -> Vec<Event> {
    let mut reader = RecordingReader::open(path).unwrap();
    std::iter::from_fn(|| reader.next_event().unwrap()).collect()
}

/// What a sample says about its text: whose it is, whether it was left out, and the text.
fn about(event: &Event) -> (Option<u64>, bool, Option<String>) {
    let Event::Sample(sample) = event else {
        panic!("no sample: {event:?}")
    };
    let text = sample.text.as_deref().map(str::to_owned);
    (sample.same_as, sample.text_left_out, text)
}

#[tokio::test]
async fn u22_a_wait_is_written_as_it_is_told_and_found_in_the_folder() {
    let place = Place::new(BACKLOG);
    let (mut recording, news) = place.record();
    let story = [started(), sample(1, None, "a"), sample(2, Some(1), "a")];
    for event in &story {
        recording.add(event);
    }
    place.recorder.flush().await;
    let files = place.files();
    assert_eq!(read(&files[0]), story);
    assert_eq!(
        news.try_iter().collect::<Vec<_>>(),
        [RecordingNews::Begun(files[0].clone())]
    );
    assert_eq!(recording.texts().text(2).as_deref(), Some("a"));
    // The next round of the same wait.
    recording.add(&ended());
    recording.add(&sample(3, Some(1), "a"));
    place.recorder.flush().await;
    assert_eq!(read(&files[0]).len(), 5);
    assert_eq!(place.files().len(), 1);
}

#[tokio::test]
async fn a_wait_that_ends_before_its_first_sample_leaves_no_file() {
    let place = Place::new(BACKLOG);
    let (mut recording, news) = place.record();
    recording.add(&started());
    recording.add(&ended());
    place.recorder.flush().await;
    assert!(place.files().is_empty());
    assert_eq!(news.try_iter().count(), 0);
}

#[tokio::test]
async fn beyond_the_backlog_texts_are_left_out_said_once_and_none_is_lost_twice() {
    let place = Place::new(10);
    let (mut recording, news) = place.record();
    recording.add(&started());
    recording.add(&sample(1, None, "short"));
    place.recorder.flush().await;
    {
        // A disk that doesn't answer.
        let file = Arc::clone(&recording.file);
        let _stuck = file.lock().unwrap();
        recording.add(&sample(2, None, "sixsix"));
        recording.add(&sample(3, None, "seven77"));
        recording.add(&sample(4, Some(3), "seven77"));
        recording.add(&sample(5, Some(1), "short"));
        recording.add(&Event::Note {
            sample: 6,
            at_ms: Millis::default(),
            note: Note::Log {
                level: "info".to_owned(),
                text: "a long story".to_owned(),
            },
        });
        assert!(place.recorder.backlog.bytes.load(Ordering::Relaxed) <= 10);
    }
    place.recorder.flush().await;
    recording.add(&sample(7, Some(3), "seven77"));
    recording.add(&sample(8, Some(3), "seven77"));
    place.recorder.flush().await;
    let events = read(&place.files()[0]);
    let whole = |text: &str| Some(text.to_owned());
    assert_eq!(
        events[1..].iter().map(about).collect::<Vec<_>>(),
        [
            (None, false, whole("short")),
            (None, false, whole("sixsix")),
            (None, true, None),
            (None, true, None),
            (Some(1), false, whole("short")),
            (None, false, whole("seven77")),
            (Some(7), false, whole("seven77")),
        ]
    );
    let told: Vec<RecordingNews> = news.try_iter().collect();
    assert_eq!(told[1..], [RecordingNews::HasGaps]);
    assert_eq!(place.recorder.backlog.bytes.load(Ordering::Relaxed), 0);
    assert_eq!(recording.texts().text(3), None);
    assert_eq!(recording.texts().text(8).as_deref(), Some("seven77"));
}

#[tokio::test]
async fn a_folder_that_can_not_be_written_is_said_once() {
    let place = Place::new(BACKLOG);
    std::fs::write(place.home.path().join("recordings"), "a file").unwrap();
    let (mut recording, news) = place.record();
    recording.add(&started());
    for number in 1..4 {
        recording.add(&sample(number, None, "a"));
    }
    place.recorder.flush().await;
    let told: Vec<RecordingNews> = news.try_iter().collect();
    let [RecordingNews::Failed(sentence)] = &told[..] else {
        panic!("{told:?}")
    };
    assert!(
        sentence.starts_with("the wait is not recorded: "),
        "{sentence}"
    );
}

#[tokio::test]
async fn u14_old_recordings_give_way_in_our_own_folder_and_nowhere_else() {
    let place = Place::new(BACKLOG);
    let (ours, archive) = (
        place.home.path().join("recordings"),
        place.home.path().join("archive"),
    );
    let (old, archived) = (fill(&ours), fill(&archive));
    std::fs::create_dir(ours.join("2025-01-01T00-00-00.000Z-a.wait.jsonl")).unwrap();
    let path = archive.join("2026-11-30T20-15-01.123Z-demo-t.wait.jsonl");
    let file = RecordingWriter::create(&path).unwrap();
    let mut asked_for = place.recorder.record_into(file, |_| {});
    for event in [started(), sample(1, None, "a"), ended()] {
        asked_for.add(&event);
    }
    place.recorder.flush().await;
    assert!(archived.iter().all(|file| file.exists()));
    assert!(old.iter().all(|file| file.exists()));
    let (mut recording, _news) = place.record();
    recording.add(&started());
    recording.add(&sample(1, None, "a"));
    place.recorder.flush().await;
    let gone = old.iter().filter(|file| !file.exists());
    assert_eq!(
        gone.collect::<Vec<_>>(),
        old[..2].iter().collect::<Vec<_>>()
    );
    assert!(archived.iter().all(|file| file.exists()));
}

#[cfg(unix)]
#[tokio::test]
async fn u22_what_has_ended_is_kept_after_the_fact_and_goes_on_where_it_is() {
    let place = Place::new(BACKLOG);
    let kept = KeptRecordings::new(place.home.path().join("recordings"));
    let (mut recording, news) = place.record();
    recording.add(&started());
    recording.add(&sample(1, None, "a"));
    place.recorder.flush().await;
    let path = news.try_iter().next().unwrap().path().unwrap();
    let refused = kept.rename(&path, "release").unwrap_err();
    assert!(refused.contains("still running"), "{refused}");
    recording.add(&ended());
    place.recorder.flush().await;
    assert_eq!(recording.texts().text(1).as_deref(), Some("a"));
    let named = kept.rename(&path, "release").unwrap();
    // The wait is continued.
    recording.add(&sample(2, None, "b"));
    place.recorder.flush().await;
    assert_eq!(place.files(), std::slice::from_ref(&named));
    assert_eq!(read(&named).len(), 4);
    assert!(kept.delete(&named).unwrap_err().contains("still running"));
    assert_eq!(recording.texts().text(1).as_deref(), Some("a"));
    recording.add(&ended());
    place.recorder.flush().await;
    let deleted = kept.delete(&named).unwrap();
    recording.add(&sample(3, Some(2), "b"));
    recording.add(&ended());
    place.recorder.flush().await;
    assert!(place.files().is_empty());
    kept.restore(&deleted).unwrap();
    assert_eq!(read(&named).len(), 7);
    assert_eq!(news.try_iter().count(), 0);
}
