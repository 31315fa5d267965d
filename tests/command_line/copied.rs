//! Command lines that the screen copies: a shell that runs one repeats the wait.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Parser;
use serde_json::{Value, json};
use stakeout::app::command_line;
use stakeout::cli::{Arguments, Command, Plan};
use stakeout::mcp::{HttpAddress, Reach, ServerEntry, Source, StdioCommand};
use stakeout::wait::Call;

use crate::place::{Place, Ran};

fn entry(source: Source, reach: Reach) -> ServerEntry {
    let name = "lab".to_owned();
    let connect_timeout = None;
    ServerEntry {
        name,
        source,
        reach,
        connect_timeout,
    }
}

fn stdio(words: &[&str]) -> Reach {
    let (command, args) = words.split_first().unwrap();
    Reach::Stdio(StdioCommand {
        command: (*command).to_owned(),
        args: args.iter().map(|word| (*word).to_owned()).collect(),
        env: BTreeMap::from([("TOKEN".to_owned(), "a b'c".to_owned())]),
        cwd: None,
    })
}

/// What `run` makes of the flags of a command line.
fn read_back(line: &str) -> (Call, u32) {
    let words = shlex::split(line).unwrap();
    let arguments = Arguments::try_parse_from(words).unwrap_or_else(|error| panic!("{error}"));
    let Some(Command::Run(flags)) = arguments.command else {
        panic!("{line}")
    };
    let plan = Plan::of(&flags).unwrap();
    (Call::parse(&plan.wait).unwrap(), plan.rounds)
}

#[test]
fn flags_say_all_that_a_call_says() {
    let everything = json!({
        "probe": { "server": "lab", "tool": "-t $x`y`", "args": {
            "quote": "it's \"so\" \\ $HOME `id` !x\n", "empty": "", "n": 18_446_744_073_709_551_615_u64, "null": null,
        } },
        "until": { "not_matches": "-(?m)^it's\\s+\"$" },
        "poll_sec": 3, "max_wait_sec": 400, "fail_when": "a|b c", "tool_errors": "observe",
        "retry_errors": 2, "probe_timeout_sec": 9, "ignore": "\\d+s ago",
    });
    let little = json!({
        "probe": { "server": "lab", "tool": "t", "args": {} }, "until": { "quiet_for_sec": 9 },
        "poll_sec": 2, "max_wait_sec": 120,
    });
    let server = entry(Source::User(PathBuf::from("x")), stdio(&["x"]));
    for (call, rounds) in [(everything, 7), (little, 1)] {
        let call = Call::parse(&call).unwrap();
        let line = command_line(&server, &call, rounds).unwrap().text;
        assert_eq!(read_back(&line), (call, rounds), "{line}");
    }
}

#[test]
fn control_characters_are_escaped_where_they_mean_the_same() {
    let call = json!({
        "probe": { "server": "lab", "tool": "t", "args": { "text": "a\u{1b}[0m\u{9b}" } },
        "until": { "matches": "\u{1b}\\[3[12]m" },
    });
    let server = entry(Source::BuiltIn, Reach::Demo);
    let call = Call::parse(&call).unwrap();
    let line = command_line(&server, &call, 1).unwrap().text;
    assert!(!line.chars().any(char::is_control), "{line:?}");
    let (again, _) = read_back(&line);
    assert_eq!(again.args(), call.args());
    let pattern = again.until().pattern().unwrap();
    assert!(pattern.is_match("\u{1b}[31m"));
}

#[test]
fn a_backslash_before_a_control_character_still_escapes_it() {
    let call = json!({
        "probe": { "server": "lab", "tool": "t", "args": {} },
        "until": { "matches": "a\\\u{1b}b\\\\\u{1b}\u{202e}" },
    });
    let call = Call::parse(&call).unwrap();
    let line = command_line(&entry(Source::BuiltIn, Reach::Demo), &call, 1).unwrap();
    assert!(
        line.text
            .chars()
            .all(|letter| letter.is_ascii_graphic() || letter == ' ')
    );
    let (again, _) = read_back(&line.text);
    let pattern = again.until().pattern().unwrap();
    assert!(pattern.is_match("a\u{1b}b\\\u{1b}\u{202e}"));
}

#[test]
fn a_name_that_would_become_another_is_refused() {
    for tool in ["a\u{1b}b", "a\rb", "a\u{202e}b"] {
        let call = json!({ "probe": { "tool": tool, "args": {} }, "until": { "matches": "x" } });
        let call = Call::parse(&call).unwrap();
        let refused = command_line(&entry(Source::BuiltIn, Reach::Demo), &call, 1);
        assert!(
            refused
                .unwrap_err()
                .contains("characters that no terminal shows")
        );
    }
}

#[test]
fn a1_no_secret_stands_in_a_command_line() {
    let call = json!({ "probe": { "tool": "t", "args": {} }, "until": { "matches": "x" } });
    let call = Call::parse(&call).unwrap();
    let address = HttpAddress {
        url: "https://me:s3cret@localhost/mcp?key=s3cret&v=${V}".to_owned(),
        headers: BTreeMap::from([
            ("X-Key".to_owned(), "s3cret".to_owned()),
            ("Y".to_owned(), "Bearer ${Y}".to_owned()),
        ]),
    };
    let server = entry(Source::Added, Reach::Http(address));
    let copied = command_line(&server, &call, 1).unwrap();
    assert!(!copied.text.contains("s3cret"), "{}", copied.text);
    let words = shlex::split(&copied.text).unwrap();
    assert_eq!(
        words[3],
        "https://${URL_USER}@localhost/mcp?key=${KEY}&v=${V}"
    );
    assert_eq!(words[5], "X-Key: ${X_KEY}");
    assert_eq!(words[7], "Y: Bearer ${Y}");
    assert_eq!(copied.variables, ["URL_USER", "KEY", "X_KEY"]);
}

#[test]
fn the_server_is_given_as_a_new_process_finds_it() {
    let call = json!({ "probe": { "tool": "t", "args": {} }, "until": { "matches": "x" } });
    let call = Call::parse(&call).unwrap();
    let line = |source: Source, reach: Reach| {
        command_line(&entry(source, reach), &call, 1).map(|copied| copied.text)
    };
    let file = PathBuf::from("my servers.json");
    let start = |source| line(source, stdio(&["x"])).unwrap();
    let is_named = "stakeout run --server lab --tool";
    assert!(start(Source::Project(file.clone())).starts_with(is_named));
    let of_file = start(Source::ConfigFlag(file.clone()));
    assert!(of_file.contains("--mcp-config 'my servers.json' --server lab"));
    let typed = line(Source::Added, stdio(&["sh", "-c", "a 'b' # c"])).unwrap();
    let words = shlex::split(&typed).unwrap();
    assert_eq!(shlex::split(&words[3]).unwrap(), ["sh", "-c", "a 'b' # c"]);
    assert_eq!(words[4..6], ["--env", "TOKEN=${TOKEN}"]);
    let address = HttpAddress {
        url: "http://localhost:1/mcp".to_owned(),
        headers: BTreeMap::from([("X-Key".to_owned(), "${KEY}".to_owned())]),
    };
    let by_url = line(Source::CommandLine, Reach::Http(address.clone())).unwrap();
    assert!(by_url.contains("--url http://localhost:1/mcp --header 'X-Key: ${KEY}'"));
    // A path without /sse at its end says the other transport.
    let refused = line(Source::Spec(file), Reach::Sse(address)).unwrap_err();
    assert!(refused.contains("no flags say how"), "{refused}");
}

#[test]
fn a_shell_repeats_the_wait() {
    let place = Place::new();
    let call = json!({
        "probe": { "tool": "say", "args": { "text": "it's 100 % done; $HOME \"x\"" } },
        "until": { "matches": "it's \\d+ % done; \\$HOME \"x\"$" },
    });
    let call = Call::parse(&call).unwrap();
    let command = place.lab.command("many-tools");
    let words = [vec![command.command], command.args].concat();
    let mut server = entry(Source::CommandLine, stdio(&["x"]));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    server.reach = stdio(&words);
    let line = command_line(&server, &call, 1).unwrap().text;
    let bin = place.path("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_stakeout"), bin.join("stakeout")).unwrap();
    let script = format!("PATH={}:$PATH; {line}", bin.display());
    let mut shell = std::process::Command::new("sh");
    let like = place.command(&[]);
    shell.args(["-c", &script]).env_clear();
    shell.current_dir(like.get_current_dir().unwrap());
    for (name, value) in like.get_envs() {
        if let Some(value) = value {
            shell.env(name, value);
        }
    }
    shell.env("TOKEN", "a b'c");
    let ran = Ran::from(shell.output().unwrap()).exits(0);
    let result: Value = ran.json();
    assert_eq!(result["reason"], "matched");
}
