//! Old recordings give way to new ones.

use super::super::held::hold_alone;
use super::super::retention::make_room_for;
use super::*;

fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn folder(files: &[(&str, usize)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), "x".repeat(*bytes)).unwrap();
    }
    folder
}

const FIRST: &str = "2026-11-30T20-15-01.000Z-demo-a.wait.jsonl";
const SECOND: &str = "2026-11-30T20-15-02.000Z-demo-a.wait.jsonl";
const THIRD: &str = "2026-12-01T00-00-00.000Z-demo-a.wait.jsonl";

#[test]
fn u14_the_oldest_go_first_by_number_and_by_size() {
    let all = [(FIRST, 10), (SECOND, 20), (THIRD, 30)];
    for (most, bytes, kept) in [
        (3, 60, &[FIRST, SECOND, THIRD][..]),
        (2, 60, &[SECOND, THIRD]),
        (3, 59, &[SECOND, THIRD]),
        (3, 49, &[THIRD]),
        (0, 60, &[]),
    ] {
        let folder = folder(&all);
        make_room_for(folder.path(), most, bytes).unwrap();
        assert_eq!(names(&folder), kept, "{most} files of {bytes} bytes");
    }
}

#[test]
fn u22_what_was_named_is_never_removed_and_counts_for_nothing() {
    let named = [
        "a.wait.jsonl",
        "2026-11-30T20-15-01.000Z.txt",
        "0.wait.jsonl",
    ];
    let folder = folder(&[
        (FIRST, 1),
        (SECOND, 1),
        (named[0], 99),
        (named[1], 99),
        (named[2], 99),
    ]);
    make_room_for(folder.path(), 1, 1).unwrap();
    assert_eq!(names(&folder), [named[2], named[1], SECOND, named[0]]);
}

#[cfg(unix)]
#[test]
fn what_is_open_stays_whoever_has_it_open() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut writer = RecordingWriter::create(&path(FIRST)).unwrap();
    for event in story() {
        writer.append(&event).unwrap();
    }
    std::fs::copy(path(FIRST), path(SECOND)).unwrap();
    std::fs::copy(path(FIRST), path(THIRD)).unwrap();
    let reader = RecordingReader::open(&path(SECOND)).unwrap();
    make_room_for(folder.path(), 0, 0).unwrap();
    assert_eq!(names(&folder), [FIRST, SECOND]);
    // Who reads on after the writer is done holds it from then on.
    let mut late = RecordingReader::open(&path(FIRST)).unwrap();
    drop(writer);
    while late.next_event().unwrap().is_some() {}
    make_room_for(folder.path(), 0, 0).unwrap();
    assert_eq!(names(&folder), [FIRST, SECOND]);
    let texts = reader.texts().clone();
    drop((reader, late));
    make_room_for(folder.path(), 0, 0).unwrap();
    assert_eq!(names(&folder), [SECOND]);
    drop(texts);
    make_room_for(folder.path(), 0, 0).unwrap();
    assert!(names(&folder).is_empty());
}

#[test]
fn what_a_killed_process_left_of_a_recording_goes() {
    let folder = tempfile::tempdir().unwrap();
    let left = |name: &str, age: u64| {
        let path = folder.path().join(name);
        let file = std::fs::File::create(&path).unwrap();
        let then = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
        file.set_modified(then).unwrap();
        (path, file)
    };
    let (old, file) = left(".begun-a1b2c3", 3_600);
    drop(file);
    let (young, _) = left(".begun-d4e5f6", 5);
    let (held, file) = left(".begun-g7h8i9", 3_600);
    assert!(hold_alone(&file));
    let (other, _) = left(".notes", 3_600);
    make_room(folder.path()).unwrap();
    assert!(!old.exists());
    assert!(young.exists() && held.exists() && other.exists());
}
