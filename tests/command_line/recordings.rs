//! `--record FILE`.

use std::os::unix::fs::PermissionsExt;

use crate::place::Place;

#[test]
fn a_recording_has_the_lines_of_jsonl() {
    let place = Place::new();
    let args = [
        "--quiet-for",
        "1",
        "--poll",
        "1",
        "--arg",
        "text=a",
        "--output",
        "jsonl",
        "--record",
        "r.wait.jsonl",
    ];
    let ran = place.run_on("say", &args).exits(0);
    assert_eq!(place.read("r.wait.jsonl"), ran.stdout);
    let mode = std::fs::metadata(place.path("r.wait.jsonl"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "outputs can hold secrets");
}

#[test]
fn every_form_can_be_recorded_and_errors_are_recorded_too() {
    let place = Place::new();
    for (number, form) in ["json", "text", "none"].into_iter().enumerate() {
        let file = format!("{number}.wait.jsonl");
        place
            .run_on(
                "bad-params",
                &["--matches", "a", "--output", form, "--record", &file],
            )
            .exits(3);
        let text = place.read(&file);
        assert!(
            text.starts_with("{\"event\":\"wait_started\",\"version\":1,"),
            "{text}"
        );
        assert!(
            text.lines().last().unwrap().contains("probe_failed"),
            "{text}"
        );
    }
}

#[test]
fn an_existing_file_is_refused_and_kept() {
    let place = Place::new();
    place.write("r.wait.jsonl", "precious");
    let args = [
        "--arg",
        "text=a",
        "--matches",
        "a",
        "--record",
        "r.wait.jsonl",
    ];
    let ran = place
        .run_on("say", &args)
        .exits(2)
        .says("r.wait.jsonl: the file exists already; name a new one");
    assert_eq!(ran.stdout, "");
    assert_eq!(place.read("r.wait.jsonl"), "precious");
    assert!(place.lab.processes().is_empty(), "nothing was started");
}

#[test]
fn a_recording_that_can_not_be_made_is_said_before_anything_starts() {
    let place = Place::new();
    let args = [
        "--arg",
        "text=a",
        "--matches",
        "a",
        "--record",
        "no/such/folder.jsonl",
    ];
    place
        .run_on("say", &args)
        .exits(2)
        .says("it can't be created: there is no such file");
    assert!(place.lab.processes().is_empty());
}

#[test]
fn a_refused_wait_leaves_no_recording() {
    let place = Place::new();
    place
        .run_on("say", &["--matches", "(", "--record", "r.wait.jsonl"])
        .exits(2);
    assert!(!place.path("r.wait.jsonl").exists());
}
