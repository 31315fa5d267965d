//! The whole circle on one terminal: a wait is built, run, saved, run by its name, looked at again,
//! asked what if, and saved as another.

use std::process::Command;

use serde_json::Value;

use crate::pty::Pty;

/// Two screens, and a run without one between them.
const SCRIPT: &str = r#"
"$STAKEOUT"
"$STAKEOUT" run 'one of three' --output none --quiet; echo "ran: $?"
read -r _
"$STAKEOUT"
"#;

fn types(pty: &mut Pty, what: &str, keys: &[&str], wanted: &str) {
    for key in keys {
        pty.press(key);
        pty.rest();
    }
    pty.until(what, |screen| screen.contains(wanted));
}

#[test]
fn a_wait_goes_round_from_the_bench_to_a_file_a_recording_and_back() {
    const TAB: &str = "\t";
    const ENTER: &str = "\r";
    const CLEAR: &str = "\u{15}";
    let mut pty = Pty::shell(SCRIPT);
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    let to_pattern = [TAB; 7];
    types(&mut pty, "the pattern", &to_pattern, "typing");
    let pattern = [CLEAR, "(?m)^web\\s+1/3"];
    types(&mut pty, "the condition", &pattern, "(?m)^web\\s+1/3");
    types(&mut pty, "a match", &["\u{12}"], "matched after");
    types(&mut pty, "the dialog", &["s"], "Save the wait");
    types(
        &mut pty,
        "the name",
        &["one of three"],
        "one of three.wait.json",
    );
    types(&mut pty, "it is saved", &[ENTER], "saved as");
    pty.press("q");
    pty.until("the run by name", |screen| screen.contains("ran: 0"));
    pty.press("\r");
    pty.until("the bench again", |screen| screen.contains("Arguments"));
    types(&mut pty, "the library", &["3"], "recording");
    types(&mut pty, "the recording", &["j", ENTER], "REPLAY");
    types(&mut pty, "what if", &["i"], "What if");
    let other = [CLEAR, "(?m)^web\\s+0/3"];
    types(&mut pty, "the answer", &other, "would stop at sample 1");
    types(&mut pty, "the bench", &[ENTER], "Arguments");
    types(&mut pty, "the other dialog", &["s"], "Save the wait");
    let name = [CLEAR, "none of three"];
    types(&mut pty, "the other name", &name, "none of three.wait.json");
    types(&mut pty, "it is saved too", &[ENTER], "saved as");
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
    let list = Command::new(env!("CARGO_BIN_EXE_stakeout"))
        .args(["list", "--json"])
        .env("HOME", pty.home())
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .output()
        .unwrap();
    let listed: Value = serde_json::from_slice(&list.stdout).unwrap();
    let saved = |number: usize| {
        let spec = &listed["specs"][number];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&spec["name"]), text(&spec["until"]["matches"]))
    };
    let pair = |name: &str, pattern: &str| (name.to_owned(), pattern.to_owned());
    assert_eq!(saved(0), pair("none of three", "(?m)^web\\s+0/3"));
    assert_eq!(saved(1), pair("one of three", "(?m)^web\\s+1/3"));
    assert_eq!(listed["recordings"].as_array().unwrap().len(), 2);
}
