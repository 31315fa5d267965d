//! Recordings: those of every run, and those of `--record FILE`.

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
        .says("folder.jsonl: its folder does not exist; make it first");
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

/// The files among the recordings.
fn kept(place: &Place) -> Vec<std::path::PathBuf> {
    let files = std::fs::read_dir(place.state().join("recordings"));
    let files = files.into_iter().flatten();
    files.map(|entry| entry.unwrap().path()).collect()
}

const UNTIL_QUIET: &[&str] = &["--quiet-for", "1", "--poll", "1", "--arg", "text=a"];

#[test]
fn u22_every_run_is_recorded_for_the_user_alone() {
    let place = Place::new();
    let ran = place.run_on("say", &[UNTIL_QUIET, &["--output", "jsonl"]].concat());
    let ran = ran.exits(0);
    assert_eq!(ran.stderr.matches("recorded").count(), 0, "{ran:?}");
    let [file] = &kept(&place)[..] else {
        panic!("{:?}", kept(&place))
    };
    assert_eq!(std::fs::read_to_string(file).unwrap(), ran.stdout);
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(
        name.ends_with("Z-misbehaving_server-say.wait.jsonl"),
        "{name}"
    );
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(file), mode(file.parent().unwrap())), (0o600, 0o700));
    let again = place.run_on("say", &[UNTIL_QUIET, &["--verbose"]].concat());
    again.exits(0).says("recorded in ");
    assert_eq!(kept(&place).len(), 2);
}

#[test]
fn nothing_is_recorded_where_nobody_wants_it_or_nothing_was_sampled() {
    let place = Place::new();
    place
        .run_on("say", &[UNTIL_QUIET, &["--no-record"]].concat())
        .exits(0);
    place
        .run_on("say", &[UNTIL_QUIET, &["--record", "own.jsonl"]].concat())
        .exits(0);
    place.run_on("nothing", &["--matches", "a"]).exits(2);
    place
        .run(&[
            "run",
            "--stdio",
            "/no/such/server",
            "--tool",
            "t",
            "--matches",
            "a",
        ])
        .exits(3);
    std::fs::write(place.config().join("config.toml"), "record = false\n").unwrap();
    place.run_on("say", UNTIL_QUIET).exits(0);
    assert!(kept(&place).is_empty());
    let both = place.run_on(
        "say",
        &[UNTIL_QUIET, &["--no-record", "--record", "b"]].concat(),
    );
    both.exits(2);
}

#[test]
fn u22_rounds_go_into_one_recording() {
    let place = Place::new();
    let args = [
        "--matches",
        "zzz",
        "--poll",
        "1",
        "--max-wait",
        "2",
        "--rounds",
        "2",
    ];
    place.run_on("count", &args).exits(124);
    let [file] = &kept(&place)[..] else {
        panic!("{:?}", kept(&place))
    };
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(text.matches("\"wait_started\"").count(), 1);
    assert_eq!(text.matches("\"round_started\"").count(), 2);
    assert_eq!(text.matches("\"wait_ended\"").count(), 1);
}

#[test]
fn a_full_disk_is_said_once_and_the_wait_goes_on() {
    let place = Place::new();
    let stdio = place.stdio("many-tools");
    // The limit of a file's size, which no privilege lifts, stands for the size of the disk.
    let args = [
        "run",
        "--stdio",
        &stdio,
        "--tool",
        "grows",
        "--matches",
        "^call 3",
    ];
    let mut command = std::process::Command::new("sh");
    let limited = "trap '' XFSZ; ulimit -f 500; exec \"$@\"";
    command
        .args(["-c", limited, "sh", env!("CARGO_BIN_EXE_stakeout")])
        .args(args);
    command.args(["--poll", "1"]);
    let own = place.command(&[]);
    for (name, value) in own.get_envs() {
        command.env(name, value.unwrap());
    }
    command.current_dir(own.get_current_dir().unwrap());
    let ran = crate::place::Running::of(command).end().exits(0);
    let said = "the recording can't be written (the file may not be larger; raise the limit), \
                and ends early; the wait goes on";
    assert_eq!(ran.stderr.matches(said).count(), 1, "{}", ran.stderr);
    let [file] = &kept(&place)[..] else {
        panic!("{:?}", kept(&place))
    };
    let mut reader = stakeout::store::RecordingReader::open(file).unwrap();
    let mut events = 0;
    while reader.next_event().unwrap().is_some() {
        events += 1;
    }
    assert!(events >= 3 && !reader.is_within_a_line(), "{events}");
}

#[test]
fn a_folder_that_can_not_be_written_is_said_once_and_the_wait_goes_on() {
    let place = Place::new();
    std::fs::create_dir_all(place.state()).unwrap();
    std::fs::write(place.state().join("recordings"), "no folder").unwrap();
    let ran = place.run_on("say", UNTIL_QUIET).exits(0);
    let said = "the wait is not recorded: ";
    assert_eq!(ran.stderr.matches(said).count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("; the wait goes on"), "{}", ran.stderr);
}
