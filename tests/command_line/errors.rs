//! What is said when something is wrong before a wait begins.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use crate::place::{Place, Running};

#[test]
fn a_fault_of_json_is_named_by_line_and_column() {
    let place = Place::new();
    place.write("args.json", "{\n  \"a\": 1,\n  \"é\": x\n}");
    place
        .run_on("echo", &["--matches", "a", "--args", "@args.json"])
        .exits(2)
        .says("--args: line 3, column 8: expected value");
    place
        .run_on("echo", &["--matches", "a", "--args", "[1]"])
        .exits(2)
        .says("must be a JSON object");
    place
        .run_on("echo", &["--matches", "a", "--arg", "k:=x"])
        .exits(2)
        .says("for a string, write k=… without the colon");
    place
        .run_on("echo", &["--matches", "a", "--arg", "k:=1,2"])
        .exits(2)
        .says("k:=1,2");
    place
        .run_on("echo", &["--matches", "a", "--arg", "kv"])
        .exits(2)
        .says("write K=V for a string");
    place
        .run_on("echo", &["--matches", "a", "--arg", "=v"])
        .exits(2)
        .says("write K=V for a string");
    place.write("x.wait.json", "{\n\"wait\": ]");
    place
        .run(&["run", "x.wait.json"])
        .exits(2)
        .says("x.wait.json: line 2, column 9: the JSON doesn't parse");
    place
        .run(&["check", "x.wait.json"])
        .exits(2)
        .says("x.wait.json: line 2, column 9");
}

#[test]
fn f12_an_integer_beyond_64_bits_is_refused_wherever_it_stands() {
    let place = Place::new();
    let big = "{\"id\": 123456789012345678901234567890}";
    place
        .run_on("echo", &["--matches", "a", "--args", big])
        .exits(2)
        .says("beyond 64 bits");
    place
        .run_on(
            "echo",
            &[
                "--matches",
                "a",
                "--arg",
                "id:=123456789012345678901234567890",
            ],
        )
        .exits(2)
        .says("beyond 64 bits");
    place.write("x.json", &format!("{{\"probe\": {{\"tool\": \"echo\",\n\"args\": {big}}}, \"until\": {{\"matches\": \"a\"}}}}"));
    place
        .run(&["run", "x.json"])
        .exits(2)
        .says("x.json: line 2, column 16: 123456789012345678901234567890 is beyond 64 bits");
}

#[test]
fn a_file_that_can_not_be_read_is_named_with_the_reason() {
    let place = Place::new();
    place
        .run(&["run", "nosuch.json"])
        .exits(2)
        .says("nosuch.json: there is no such file; check the path\n");
    place
        .run_on("echo", &["--matches", "a", "--args", "@nosuch.json"])
        .exits(2)
        .says("--args: nosuch.json: there is no such file");
    place
        .run(&["check", "."])
        .exits(2)
        .says(".: it is a folder; name a file");
    std::fs::write(place.path("latin1.json"), b"{\"a\": \"\xe9\"}").unwrap();
    place
        .run(&["run", "latin1.json"])
        .exits(2)
        .says("latin1.json: it is not UTF-8 text");
    place
        .run_on("echo", &["--matches", "a", "--args", "@latin1.json"])
        .exits(2)
        .says("it is not UTF-8 text");
}

#[test]
fn verbose_adds_the_chain() {
    let place = Place::new();
    let brief = place.run(&["run", "nosuch.json"]).exits(2);
    assert!(!brief.stderr.contains("because"), "{brief:?}");
    assert_eq!(brief.stderr.lines().count(), 1);
    place
        .run(&["run", "nosuch.json", "--verbose"])
        .exits(2)
        .says("  because: No such file or directory");
    place
        .run_on("echo", &["-v", "--matches", "a", "--args", "@nosuch.json"])
        .exits(2)
        .says("because: No such file");
}

#[test]
fn arguments_that_are_not_utf_8_are_refused() {
    let place = Place::new();
    let mut command = place.command(&["run", "--tool", "x", "--matches"]);
    command.arg(OsStr::from_bytes(b"\xff"));
    let ran = Running::of(command).end().exits(2);
    assert!(ran.stderr.contains("UTF-8"), "{ran:?}");
}

#[test]
fn a_home_that_is_missing_or_read_only_keeps_nothing_from_running() {
    let place = Place::new();
    let stdio = place.stdio("many-tools");
    let args = [
        "run",
        "--stdio",
        &stdio,
        "--tool",
        "say",
        "--arg",
        "text=a",
        "--matches",
        "a",
        "-q",
    ];
    let mut command = place.command(&args);
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
        command.env_remove(name);
    }
    // The folder of the account is taken; it is only read where nothing is remembered.
    command.env("XDG_STATE_HOME", place.home());
    Running::of(command).end().exits(0);
    let mut command = place.command(&args);
    command
        .env("HOME", "/nonexistent")
        .env("XDG_STATE_HOME", "/proc/nonexistent");
    command.env("XDG_CONFIG_HOME", "/nonexistent/config");
    Running::of(command).end().exits(0);
    std::fs::create_dir_all(place.state()).unwrap();
    std::fs::set_permissions(place.state(), std::fs::Permissions::from_mode(0o500)).unwrap();
    place.run(&args).exits(0);
    std::fs::set_permissions(place.state(), std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn files_of_ours_that_hold_something_else_are_no_obstacle() {
    let place = Place::new();
    std::fs::create_dir_all(place.state()).unwrap();
    for file in ["tools.json", "trust.json"] {
        std::fs::write(place.state().join(file), "not ours").unwrap();
    }
    place
        .run_on("say", &["--arg", "text=a", "--matches", "a"])
        .exits(0);
}

#[test]
fn help_fits_80_columns_and_stays_short() {
    let place = Place::new();
    for command in [
        &["--help"][..],
        &["run", "--help"],
        &["call", "--help"],
        &["tools", "-h"],
        &["servers", "-h"],
        &["check", "--help"],
        &["demo-server", "--help"],
    ] {
        let mut command = place.command(command);
        command.env("COLUMNS", "80");
        let ran = Running::of(command).end().exits(0);
        for line in ran.stdout.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        assert!(!ran.stdout.contains("\n\n\n"), "{}", ran.stdout);
    }
}

#[test]
fn server_flags_before_a_command_are_explained() {
    let place = Place::new();
    let ran = place.run(&["--stdio", "x", "tools"]).exits(2);
    assert!(
        ran.stderr.contains("as in stakeout tools --stdio"),
        "{ran:?}"
    );
}

#[test]
fn a_home_that_is_no_place_is_refused_with_the_way_out() {
    let place = Place::new();
    let mut command = place.command(&["servers"]);
    command
        .env("HOME", "relative")
        .env_remove("XDG_CONFIG_HOME");
    let ran = Running::of(command).end().exits(2);
    ran.says("there is no home folder; set HOME to an absolute path");
}
