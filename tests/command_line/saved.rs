//! Saved waits by their names, and what is found in larger texts.

use serde_json::{Value, json};

use crate::place::Place;

fn call() -> Value {
    json!({ "probe": { "server": "demo", "tool": "queue_depth", "args": {} },
            "until": { "matches": "depth" }, "poll_sec": 1 })
}

fn named(name: &str) -> Value {
    json!({ "name": name, "description": "the mail is out", "wait": call(), "rounds": 2 })
}

#[test]
fn a_saved_wait_is_run_and_checked_by_its_name() {
    let place = Place::new();
    place.save("mail.wait.json", &named("mail queue"));
    let ran = place.run(&["run", "mail queue"]).exits(0);
    assert_eq!(ran.json()["reason"], "matched");
    let ran = place.run(&["run", "mail", "--output", "jsonl"]).exits(0);
    let started: Value = serde_json::from_str(ran.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(started["name"], "mail queue");
    let ran = place.run(&["check", "mail queue"]).exits(0);
    assert!(
        ran.stdout.contains("library/mail.wait.json: valid\n"),
        "{ran:?}"
    );
}

#[test]
fn a_name_that_nobody_has_is_told_with_the_near_ones() {
    let place = Place::new();
    place.save("mail.wait.json", &named("mail queue"));
    for command in ["run", "check"] {
        let ran = place.run(&[command, "mail qeue"]).exits(2);
        ran.says(
            "stakeout: neither a file nor a saved wait is called \"mail qeue\"; \
             did you mean \"mail queue\"?\n",
        );
    }
    let ran = place.run(&["run", "./mail"]).exits(2);
    ran.says("./mail: there is no such file");
    let ran = Place::new().run(&["check", "mail"]).exits(2);
    ran.says("nothing is saved yet");
}

#[test]
fn what_is_saved_is_listed_the_broken_too() {
    let place = Place::new();
    let ran = place.run(&["list"]).exits(0);
    assert_eq!(ran.stdout, "");
    ran.says("nothing is saved yet");
    place.save("mail.wait.json", &named("mail queue"));
    place.save("a%2Fb.wait.json", &json!({ "wait": 3 }));
    let ran = place.run(&["list"]).exits(0);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("wait  a/b   "), "{ran:?}");
    assert!(lines[0].contains("  broken  "), "{ran:?}");
    let sentence = "wait must be a JSON object, the call";
    assert!(lines[0].ends_with(sentence), "{ran:?}");
    let mail = "wait  mail queue  demo ▸ queue_depth";
    assert!(lines[1].starts_with(mail), "{ran:?}");
    assert!(lines[1].ends_with("until matches depth"), "{ran:?}");
    let listed = place.run(&["list", "--json"]).exits(0).json();
    let specs = &listed["specs"];
    assert_eq!(specs[0]["problem"], "wait must be a JSON object, the call");
    assert_eq!(specs[1]["description"], "the mail is out");
    assert_eq!(specs[1]["until"], json!({ "matches": "depth" }));
    assert_eq!(specs[1]["rounds"], 2);
    assert_eq!(listed["recordings"], json!([]));
    assert!(
        specs[1]["path"]
            .as_str()
            .unwrap()
            .ends_with("library/mail.wait.json")
    );
}

#[test]
fn recordings_are_listed_with_how_they_ended() {
    let place = Place::new();
    place.save("mail.wait.json", &named("mail queue"));
    let folder = place.state().join("recordings");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("mail%2Fone.wait.jsonl").display().to_string();
    place
        .run(&["run", "mail queue", "--record", &file])
        .exits(0);
    let ran = place.run(&["list"]).exits(0);
    let recording = ran
        .stdout
        .lines()
        .find(|line| line.starts_with("recording"));
    let recording = recording.unwrap_or_else(|| panic!("{ran:?}"));
    assert!(recording.starts_with("recording  mail/one "), "{ran:?}");
    assert!(
        recording.contains("  demo ▸ queue_depth  matched"),
        "{ran:?}"
    );
    // What is told of it is what `replay` takes.
    let replayed = place.run(&["replay", "mail/one", "--output", "json"]);
    assert_eq!(replayed.exits(0).json()["reason"], "matched");
    let listed = place.run(&["list", "--json"]).exits(0).json();
    assert_eq!(listed["recordings"][0]["name"], "mail/one");
    assert_eq!(listed["recordings"][0]["spec"], "mail queue");
    assert_eq!(
        listed["recordings"][0]["end"]["result"]["reason"],
        "matched"
    );
}

#[test]
fn a_saved_waits_own_server_is_asked_about_as_any_specs() {
    let place = Place::new();
    let wait =
        json!({ "probe": { "tool": "echo", "args": { "k": 1 } }, "until": { "matches": "k" } });
    let spec = json!({ "name": "own", "wait": wait, "server": place.entry("many-tools") });
    place.save("own.wait.json", &spec);
    let ran = place.run(&["run", "own"]).exits(2);
    assert_eq!(ran.json()["error"]["code"], "untrusted_server");
    place.run(&["run", "own", "--trust"]).exits(0);
}

#[test]
fn a_call_is_found_in_json_lines_and_in_prose() {
    let place = Place::new();
    let event = json!({ "params": { "name": "wait_for", "arguments": call() } });
    let lines = format!("{}\n{}\n{event}\n", json!({ "a": 1 }), json!([2]));
    let ran = place.run_with_stdin(&["check", "-"], &lines).exits(0);
    let note = "note      -: found a call at params.arguments of line 3\n";
    assert!(ran.stdout.contains(note), "{ran:?}");
    let prose = format!("Sure! This waits for it:\n\n{:#}\n\nShall I?", call());
    let ran = place.run_with_stdin(&["run", "-"], &prose).exits(0);
    ran.says("-: found a call at line 3\n");
    let broken = "{ \"wait\": { \"probe\": }";
    let ran = place.run_with_stdin(&["check", "-"], broken).exits(2);
    ran.says("-: line 1, column 22: the JSON doesn't parse");
}
