//! The files of `assets/deploy`: what they have stakeout do is something that it does.

use std::path::Path;

use clap::Parser;
use regex::Regex;
use serde_json::Value;
use stakeout::cli::Arguments;

use crate::place::Place;

fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/deploy");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// The argument lists of a file: JSON, as the flow style of YAML and a Containerfile have it.
fn argument_lists(text: &str) -> Vec<Vec<String>> {
    let list = Regex::new(r"(?m)^\s*(?:args: |CMD )(\[.*\])$").unwrap();
    let lists = list.captures_iter(text);
    lists
        .map(|found| serde_json::from_str(&found[1]).unwrap())
        .collect()
}

/// What a ConfigMap holds under `name`: all lines that are indented further than the name.
fn held(text: &str, name: &str) -> String {
    let (_, rest) = text.split_once(&format!("  {name}: |\n")).unwrap();
    let lines = rest.lines().take_while(|line| line.starts_with("    "));
    lines.map(|line| format!("{}\n", &line[4..])).collect()
}

#[test]
fn every_argument_is_one_that_the_command_line_takes() {
    for (name, first) in [
        ("Containerfile", "serve"),
        ("serve.yaml", "serve"),
        ("job.yaml", "run"),
    ] {
        let lists = argument_lists(&file(name));
        assert_eq!(lists.len(), 1, "{name}");
        assert_eq!(lists[0][0], first);
        let line = std::iter::once("stakeout".to_owned()).chain(lists[0].clone());
        Arguments::try_parse_from(line).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn the_servers_and_the_wait_that_they_hold_are_read() {
    let place = Place::new();
    place.write("mcp.json", &held(&file("serve.yaml"), "mcp.json"));
    let servers = place
        .run(&["servers", "--json", "--mcp-config", "mcp.json"])
        .exits(0);
    for name in ["cluster", "ci"] {
        assert!(
            servers.stdout.contains(&format!("\"{name}\"")),
            "{servers:?}"
        );
    }
    assert_eq!(servers.stderr, "");

    let job = file("job.yaml");
    let spec = held(&job, "release-build.wait.json");
    place.write("release-build.wait.json", &spec);
    place.run(&["check", "release-build.wait.json"]).exits(0);
    let mounted = format!("/specs/{}", "release-build.wait.json");
    assert_eq!(argument_lists(&job)[0][1], mounted);
    let spec: Value = serde_json::from_str(&spec).unwrap();
    let seconds = spec["rounds"].as_u64().unwrap() * spec["wait"]["max_wait_sec"].as_u64().unwrap();
    let deadline = Regex::new(r"activeDeadlineSeconds: (\d+)").unwrap();
    let deadline: u64 = deadline.captures(&job).unwrap()[1].parse().unwrap();
    assert!(deadline > seconds, "the Job outlives its wait");
}

#[test]
fn the_image_is_built_from_what_the_build_needs() {
    let text = file("Containerfile");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copied = text.lines().filter_map(|line| line.strip_prefix("COPY "));
    for source in copied.filter(|copied| !copied.starts_with("--from")) {
        let mut words: Vec<&str> = source.split(' ').collect();
        words.pop();
        for word in words {
            assert!(root.join(word).exists(), "{word}");
        }
    }
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let version = Regex::new("rust-version = \"(.*)\"").unwrap();
    let version = version.captures(&manifest).unwrap()[1].to_owned();
    assert!(
        text.contains(&format!("rust:{version}-")),
        "built with the Rust that is promised"
    );
    let number = Regex::new("(?m)^version = \"(.*)\"").unwrap();
    let image = format!(
        "image: stakeout:{}",
        &number.captures(&manifest).unwrap()[1]
    );
    for name in ["serve.yaml", "job.yaml"] {
        assert!(file(name).contains(&image), "{name}");
    }
}
