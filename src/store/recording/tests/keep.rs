//! Naming recordings, deleting them and bringing them back.

use super::*;

const FILE: &str = "2026-11-30T20-15-01.123Z-demo-a.wait.jsonl";

/// A recording in a folder that nobody has made yet.
fn kept(home: &TempDir) -> (KeptRecordings, PathBuf) {
    let folder = home.path().join("recordings");
    std::fs::create_dir(&folder).unwrap();
    let path = folder.join(FILE);
    let mut writer = RecordingWriter::create(&path).unwrap();
    for event in story() {
        writer.append(&event).unwrap();
    }
    (KeptRecordings::new(folder), path)
}

#[test]
fn u22_no_name_is_given_under_which_a_recording_would_be_removed() {
    let home = tempfile::tempdir().unwrap();
    let (kept, path) = kept(&home);
    for name in ["2026-11-30T20-15-01.123Z-keep", &FILE[..FILE.len() - 11]] {
        let refused = kept.rename(&path, name).unwrap_err();
        assert!(refused.contains("choose another name"), "{refused}");
        assert!(path.exists(), "{name}");
    }
    let named = kept.rename(&path, "2026-11-30 keep").unwrap();
    assert_eq!(
        KeptRecordings::name_of(&named).as_deref(),
        Some("2026-11-30 keep")
    );
}

#[cfg(unix)]
#[test]
fn u14_what_is_deleted_stays_the_users_alone_and_apart_from_saved_waits() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let (kept, path) = kept(&home);
    let deleted = kept.delete(&path).unwrap();
    std::fs::remove_dir(path.parent().unwrap()).unwrap();
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&home.path().join("deleted-recordings")), 0o700);
    assert!(!home.path().join("deleted").exists());
    kept.restore(&deleted).unwrap();
    assert_eq!(mode(path.parent().unwrap()), 0o700);
}
