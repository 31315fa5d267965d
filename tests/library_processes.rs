//! Several copies of stakeout on one library and one memory at once: nothing is lost, and nothing
//! is half-written. The copies are this test's own program, started again as a worker.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::{Child, Command};

use serde_json::json;
use stakeout::store::{Drafts, Over, RememberedTools, SaveError, Spec, SpecFile, Specs, Trust};

const WORKERS: usize = 4;
const ROUNDS: usize = 30;
/// The folder that workers work in, and which of them one is.
const FOLDER: &str = "LIBRARY_WORKER_FOLDER";
const NUMBER: &str = "LIBRARY_WORKER_NUMBER";

fn spec(name: &str) -> Spec {
    let call = json!({
        "probe": { "tool": "t", "args": { "filler": "x".repeat(20_000) } },
        "until": { "matches": "x" },
    });
    Spec {
        name: Some(name.to_owned()),
        ..Spec::new(call.as_object().unwrap().clone())
    }
}

fn start(folder: &Path, number: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "worker", "--nocapture"])
        .env(FOLDER, folder)
        .env(NUMBER, number.to_string())
        .spawn()
        .unwrap()
}

/// What a copy does: it saves, renames, deletes and brings back, and remembers.
#[test]
fn worker() {
    let (Ok(folder), Ok(number)) = (std::env::var(FOLDER), std::env::var(NUMBER)) else {
        return;
    };
    let folder = Path::new(&folder);
    let specs = Specs::new(folder.join("library"));
    let drafts = Drafts::new(folder.join("state/drafts.json"));
    let tools = RememberedTools::new(folder.join("state/tools.json"));
    let trust = Trust::new(folder.join("state/trust.json"));
    for round in 0..ROUNDS {
        let name = format!("{number}-{round}");
        let first = format!("first {name}");
        let path = specs.path_of(&first);
        SpecFile::save(&spec(&first), &path, Over::Nothing).unwrap();
        let path = specs.rename(&path, &name).unwrap();
        let deleted = specs.delete(&path).unwrap();
        specs.restore(&deleted).unwrap();
        // One name that all of them want.
        let wanted = format!("wanted {round}");
        match SpecFile::save(&spec(&wanted), &specs.path_of(&wanted), Over::Nothing) {
            Ok(_) | Err(SaveError::Exists(_)) => {}
            Err(error) => panic!("{error}"),
        }
        // One file that all of them change: each counts one up, and none is lost.
        let counter = specs.path_of("counter");
        loop {
            let (mut counted, file) = SpecFile::open(&counter).unwrap();
            counted.rounds += 1;
            match SpecFile::save(&counted, &counter, Over::Known(&file)) {
                Ok(_) => break,
                Err(SaveError::Changed(_)) => {}
                Err(error) => panic!("{error}"),
            }
        }
        drafts.keep("ci", &name, Some(json!(round))).unwrap();
        tools.remember(&name, vec!["tool".to_owned()]).unwrap();
        trust.approve(Path::new("/origin"), &name).unwrap();
        for listed in specs.list().unwrap() {
            assert!(listed.call.is_ok(), "{listed:?}");
        }
    }
}

#[test]
fn copies_at_once_lose_nothing_and_leave_nothing_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let specs = Specs::new(folder.path().join("library"));
    let counter = specs.path_of("counter");
    SpecFile::save(&spec("counter"), &counter, Over::Nothing).unwrap();
    let workers: Vec<Child> = (0..WORKERS)
        .map(|number| start(folder.path(), number))
        .collect();
    for mut worker in workers {
        assert!(worker.wait().unwrap().success());
    }
    let listed = specs.list().unwrap();
    let names: Vec<&str> = listed.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names.len(), WORKERS * ROUNDS + ROUNDS + 1, "{names:?}");
    let (counted, _) = SpecFile::open(&counter).unwrap();
    assert_eq!(counted.rounds as usize, 1 + WORKERS * ROUNDS);
    let drafts = Drafts::new(folder.path().join("state/drafts.json")).all();
    assert_eq!(drafts.len(), WORKERS * ROUNDS);
    let tools = RememberedTools::new(folder.path().join("state/tools.json"));
    assert_eq!(tools.servers_with("tool").len(), WORKERS * ROUNDS);
    let trust = Trust::new(folder.path().join("state/trust.json"));
    for number in 0..WORKERS {
        for round in 0..ROUNDS {
            let name = format!("{number}-{round}");
            assert!(names.contains(&name.as_str()), "{name} is lost");
            assert!(trust.is_approved(Path::new("/origin"), &name), "{name}");
        }
    }
    // What was being written is gone, or is a file.
    for name in ["library", "state"] {
        for entry in std::fs::read_dir(folder.path().join(name)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            assert!(file.ends_with(".json"), "{file} was left behind");
        }
    }
}
