//! The rooms and arrows of the house, read off the sources.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};

use regex::Regex;

/// Each room, and the rooms that it may import from.
const ARROWS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("wait", &["text"]),
    ("mcp", &["text", "wait"]),
    ("store", &["text", "wait"]),
    ("app", &["text", "wait", "mcp", "store"]),
    ("cli", &["text", "wait", "mcp", "store", "app"]),
    ("tui", &["text", "wait", "mcp", "store", "app"]),
    ("serve", &["text", "wait", "mcp", "store", "app"]),
];

/// What the pure rooms may build on, beside the standard library.
const PURE: &[(&str, &[&str])] = &[
    (
        "text",
        &["similar", "unicode_segmentation", "unicode_width"],
    ),
    (
        "wait",
        &[
            "regex",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "tokio_util",
        ],
    ),
];

/// Crates that belong to some rooms alone.
const CRATES: &[(&str, &[&str])] = &[
    ("rmcp", &["mcp", "serve"]),
    ("reqwest", &["mcp"]),
    ("rustls", &["mcp"]),
    ("process_wrap", &["mcp"]),
    ("etcetera", &["store"]),
    ("opentelemetry", &["app"]),
    ("opentelemetry_otlp", &[]),
    ("opentelemetry_sdk", &["app"]),
    ("tracing_opentelemetry", &["app"]),
    ("tracing_subscriber", &[]),
    ("toml", &["mcp", "store"]),
    ("jsonschema", &["app", "mcp"]),
    ("regex_syntax", &["app"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("anyhow", &["cli", "tui"]),
    ("crossterm", &["cli", "tui"]),
    ("axum", &["serve"]),
    ("hyper", &["serve"]),
    ("hyper_util", &["serve"]),
    ("globset", &["serve"]),
    ("ratatui", &["tui"]),
    ("tui_textarea", &["tui"]),
    ("nucleo_matcher", &["tui"]),
];

/// What only the screen's runtime may do.
const EFFECTS: &[&str] = &[
    "tokio::spawn",
    "spawn_blocking",
    "std::thread",
    "Instant::now",
    "SystemTime",
    "Timestamp::now",
    "std::fs",
    "std::env",
    "std::io::stdout",
    "async fn",
    ".await",
    "process::Command",
];

/// What `wait` and `text` must not touch, whatever crate it comes from.
const WORLD: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::io",
    "SystemTime",
    "std::time::Instant",
    "tokio::fs",
    "tokio::net",
    "tokio::process",
    "tokio::io",
];

const GLOBALS: &[&str] = &[
    "OnceLock",
    "LazyLock",
    "OnceCell",
    "LazyCell",
    "lazy_static",
    "thread_local!",
    "static mut",
];

const LONGEST_FILE: usize = 600;

const TOP_LEVEL: &[&str] = &[
    ".ci",
    ".git",
    ".gitattributes",
    ".github",
    ".gitignore",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "assets",
    "benches",
    "build.rs",
    "src",
    "target",
    "tests",
];

struct Source {
    path: PathBuf,
    /// The room, or the file itself at the top of `src`.
    room: String,
    text: String,
    /// The text without comments.
    code: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn sources() -> Vec<Source> {
    let comment = Regex::new(r"(?m)//.*$").unwrap();
    let mut files = Vec::new();
    files_below(&root().join("src"), &mut files);
    files.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let code = comment.replace_all(&text, "").into_owned();
        let path = path.strip_prefix(root().join("src")).unwrap().to_owned();
        let room = path
            .components()
            .next()
            .unwrap()
            .as_os_str()
            .to_string_lossy()
            .into_owned();
        Source {
            path,
            room,
            text,
            code,
        }
    };
    files.into_iter().map(read).collect()
}

fn assert_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The rooms that the code of a file names by `crate::` or by climbing with `super::`.
fn rooms_named(source: &Source) -> Vec<String> {
    let depth = source.path.components().count() - usize::from(source.path.ends_with("mod.rs"));
    let by_crate = Regex::new(r"\bcrate::\{?\s*([a-z_]+)").unwrap();
    let climbing = Regex::new(r"\b((?:super::)+)\{?\s*([a-z_]+)").unwrap();
    let mut named: Vec<String> = by_crate
        .captures_iter(&source.code)
        .map(|found| found[1].to_owned())
        .collect();
    for found in climbing.captures_iter(&source.code) {
        // An inline module, such as the tests of a file, is one step deeper than its file.
        if found[1].matches("super::").count() > depth {
            named.push(found[2].to_owned());
        }
    }
    named
}

#[test]
fn imports_follow_the_arrows() {
    let mut faults = Vec::new();
    for source in sources() {
        let Some((_, allowed)) = ARROWS.iter().find(|(room, _)| *room == source.room) else {
            assert!(
                ["lib.rs", "main.rs", "serving.rs", "telemetry.rs"].contains(&source.room.as_str()),
                "{} is in no room",
                source.path.display()
            );
            continue;
        };
        for named in rooms_named(&source) {
            let is_room = ARROWS.iter().any(|(room, _)| *room == named);
            if is_room && named != source.room && !allowed.contains(&named.as_str()) {
                faults.push(format!("{} imports from {named}", source.path.display()));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn the_pure_rooms_touch_nothing_of_the_world() {
    let used = Regex::new(r"(?m)^\s*(?:pub(?:\(.*?\))? )?use (?:::)?([a-z_0-9]+)(?:::|;)").unwrap();
    let mut faults = Vec::new();
    for source in sources() {
        let Some((_, allowed)) = PURE.iter().find(|(room, _)| *room == source.room) else {
            continue;
        };
        for found in used.captures_iter(&source.code) {
            let name = &found[1];
            let own = ["std", "crate", "super", "self"].contains(&name)
                || source.code.contains(&format!("mod {name};"));
            if !own && !allowed.contains(&name) {
                faults.push(format!("{} uses the crate {name}", source.path.display()));
            }
        }
        for world in WORLD.iter().filter(|world| source.code.contains(**world)) {
            faults.push(format!("{} uses {world}", source.path.display()));
        }
    }
    assert_none(&faults);
}

#[test]
fn crates_stay_in_their_rooms() {
    let mut faults = Vec::new();
    for source in sources() {
        for (name, rooms) in CRATES {
            let named = Regex::new(&format!(r"(?:^|[^\w:]){name}::")).unwrap();
            let edge = ["main.rs", "serving.rs", "telemetry.rs"].contains(&source.room.as_str());
            if named.is_match(&source.code) && !edge && !rooms.contains(&source.room.as_str()) {
                faults.push(format!("{} uses {name}", source.path.display()));
            }
        }
    }
    assert_none(&faults);
}

#[test]
fn effects_of_the_screen_are_performed_in_one_place() {
    let mut faults = Vec::new();
    let screen = sources().into_iter().filter(|source| source.room == "tui");
    for source in screen {
        let place = source
            .path
            .components()
            .nth(1)
            .unwrap()
            .as_os_str()
            .to_string_lossy()
            .into_owned();
        let performs = ["mod.rs", "runtime", "runtime.rs", "terminal", "terminal.rs"]
            .contains(&place.as_str());
        if performs {
            continue;
        }
        for effect in EFFECTS
            .iter()
            .filter(|effect| source.code.contains(**effect))
        {
            faults.push(format!("{} performs {effect}", source.path.display()));
        }
        if place.starts_with("view") && source.code.contains("&mut Model") {
            faults.push(format!(
                "{} changes the model while drawing",
                source.path.display()
            ));
        }
    }
    assert_none(&faults);
}

#[test]
fn there_is_no_global_state() {
    let global = Regex::new(r"(?m)^\s*(?:pub(?:\(.*?\))? )?static\s").unwrap();
    let mut faults = Vec::new();
    for source in sources() {
        if global.is_match(&source.code) || GLOBALS.iter().any(|name| source.code.contains(name)) {
            faults.push(format!("{} holds global state", source.path.display()));
        }
    }
    assert_none(&faults);
}

#[test]
fn files_are_short_and_open_with_what_they_own() {
    let mut faults = Vec::new();
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches"] {
        if root().join(folder).is_dir() {
            files_below(&root().join(folder), &mut files);
        }
    }
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().count();
        if lines > LONGEST_FILE {
            faults.push(format!(
                "{} has {lines} lines, over {LONGEST_FILE}",
                path.display()
            ));
        }
    }
    for source in sources() {
        if !source.text.starts_with("//! ") {
            faults.push(format!(
                "{} doesn't open with what it owns",
                source.path.display()
            ));
        }
    }
    assert_none(&faults);
}

#[test]
fn the_top_level_holds_only_what_belongs_there() {
    let faults: Vec<String> = std::fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| !TOP_LEVEL.contains(&name.as_str()))
        .collect();
    assert_none(&faults);
}
