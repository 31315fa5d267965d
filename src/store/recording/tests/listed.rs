//! The list of recordings.

use super::*;

#[test]
fn recordings_are_listed_the_newest_first_with_what_they_are_about() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let write = |name: &str, story: &[Event]| {
        let mut writer = RecordingWriter::create(&path(name)).unwrap();
        for event in story {
            writer.append(event).unwrap();
        }
        writer
    };
    drop(write(
        "2026-11-30T20-15-01.123Z-demo-rollout_status.wait.jsonl",
        &story(),
    ));
    let mut later = story();
    later[0] = Event::WaitStarted(Header {
        started_at: "2026-11-30T21:00:00Z".to_owned(),
        ..header()
    });
    // Long lines at its end, one after the other.
    let long = "x".repeat(200_000);
    later.splice(
        2..,
        [
            sample(2, &long),
            sample(3, &"y".repeat(262_144)),
            end(&long),
        ],
    );
    drop(write("release.wait.jsonl", &later));
    let running = write("running.wait.jsonl", &story()[..3]);
    drop(write("killed.wait.jsonl", &story()[..4]));
    std::fs::write(path("broken.wait.jsonl"), "{}").unwrap();
    std::fs::write(path("notes.txt"), "mine").unwrap();
    std::fs::create_dir(path("folder.wait.jsonl")).unwrap();

    let listed = list_recordings(folder.path()).unwrap();
    let names: Vec<_> = listed
        .iter()
        .map(|own| own.path.file_name().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "release.wait.jsonl",
            "running.wait.jsonl",
            "killed.wait.jsonl",
            "2026-11-30T20-15-01.123Z-demo-rollout_status.wait.jsonl",
            "broken.wait.jsonl",
        ]
    );
    let named: Vec<bool> = listed.iter().map(|own| own.named).collect();
    assert_eq!(named, [true, true, true, false, true]);
    let summaries: Vec<_> = listed.iter().map(|own| own.summary.as_ref()).collect();
    let ended = |summary: &RecordingSummary| matches!(summary.end, RecordingEnd::Ended(_));
    assert!(ended(summaries[0].unwrap()) && ended(summaries[3].unwrap()));
    assert_eq!(summaries[1].unwrap().end, RecordingEnd::Running);
    assert_eq!(summaries[2].unwrap().end, RecordingEnd::CutOff);
    assert!(summaries[4].is_err());
    let samples = summaries.iter().flatten().map(|summary| summary.samples);
    assert_eq!(samples.collect::<Vec<_>>(), [3, 2, 3, 3]);
    assert_eq!(summaries[3].unwrap().header, header());
    assert_eq!(listed[4].bytes, 2);
    drop(running);
    let summary = RecordingSummary::of(&path("running.wait.jsonl")).unwrap();
    assert_eq!(summary.end, RecordingEnd::CutOff);
}

#[test]
fn without_a_folder_there_are_no_recordings() {
    assert_eq!(list_recordings("/no/such/folder".as_ref()).unwrap(), []);
}
