//! The pictures in `assets/screens`: real drawings as SVG. They are made again by
//! `UPDATE_SCREENS=1 cargo test --test screen assets`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stakeout::tui::look::Theme;
use stakeout::wait::{AfterSleep, Event, Reason, Sample};

use crate::form::hard;
use crate::harness::{Session, Shelf, listed, millis, rollout, tool};
use crate::replay::{recorded, timeless};
use crate::svg::{DARK, LIGHT, svg};
use crate::waits::two;

/// A wait whose rollout is at `ready` of 3 after `seconds`.
fn waiting(session: &mut Session, ready: u32) {
    session.keys("r").round(1);
    let texts = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3].map(rollout);
    let seen = texts.iter().filter(|text| **text <= rollout(ready));
    for (index, text) in seen.enumerate() {
        let at = index as u64 * 1004;
        sample(
            session,
            index as u64 + 1,
            at,
            [9, 12, 10, 15, 11, 8][index % 6],
            text,
        );
    }
}

/// A sample that took `latency` ms, and the sleep after it.
fn sample(session: &mut Session, sample: u64, at: u64, latency: u64, text: &Arc<str>) {
    session.at_second((at + latency) as f64 / 1000.0);
    session.told(Event::SampleStarted {
        sample,
        at_ms: millis(at),
    });
    session.told(Event::Sample(Sample {
        sample,
        at_ms: millis(at),
        latency_ms: millis(latency),
        bytes: text.len(),
        tool_error: false,
        same_as: None,
        text_left_out: false,
        text: Some(Arc::clone(text)),
    }));
    session.told(Event::Sleeping {
        at_ms: millis(at + latency),
        for_ms: millis(1000),
        then: AfterSleep::Sample,
    });
}

fn first_start() -> Session {
    Session::start()
}

fn tried() -> Session {
    let mut session = Session::start();
    session.keys("t").tried(&rollout(3), false);
    session
}

fn why_not() -> Session {
    let mut session = Session::start();
    session.keys("t").tried(&rollout(1), false);
    session.keys("to-pattern Ctrl-U").types(r"^web\s+1/3");
    session
}

fn running() -> Session {
    let mut session = Session::start();
    waiting(&mut session, 2);
    session.at_second(11.6);
    session
}

fn change() -> Session {
    let mut session = running();
    session.keys("{");
    session
}

fn matched() -> Session {
    let mut session = Session::start();
    waiting(&mut session, 3);
    session
        .at_second(12.1)
        .ends_with(Reason::Matched, 12, 13, &rollout(3));
    session
}

fn help() -> Session {
    let mut session = running();
    session.keys("?");
    session
}

fn wide() -> Session {
    let mut session = Session::at(120, 36);
    session.keys("t").tried(&rollout(3), false);
    session
}

fn adding() -> Session {
    let mut session = Session::start();
    session
        .keys("Enter Shift-Tab a")
        .types("npx -y @modelcontextprotocol/server-everything");
    session
}

fn form() -> Session {
    let mut session = Session::start();
    let mut pods = tool("list_pods", "The pods of a namespace that a selector picks");
    pods.input_schema = hard();
    session.connects = Some(Ok(vec![pods]));
    session
        .keys("Enter Shift-Tab R Tab g Enter Tab")
        .types("prod");
    session
}

fn waits() -> Session {
    let (mut session, ..) = two();
    session.keys("W");
    session
}

fn library() -> Session {
    let mut session = Session::start();
    listed(&mut session);
    session.keys("3 G k k");
    session
}

fn replay() -> Session {
    let shelf = Shelf::new();
    shelf.recording("web is rolled out.wait.jsonl", &recorded());
    let mut session = Session::on(&shelf);
    session.keys("3 Enter [");
    timeless(&mut session);
    session
}

fn commands() -> Session {
    let mut session = Session::start();
    session.keys(":").types("pane");
    session
}

/// A picture's name, what it shows, and how to get there.
type Picture = (&'static str, &'static str, fn() -> Session);

const SCREENS: [Picture; 14] = [
    ("bench", "the Bench at the first start", first_start),
    ("form", "the arguments of a tool as a form", form),
    ("try", "a try that meets the condition", tried),
    ("why-not", "why the condition does not hold", why_not),
    ("watch", "a wait that runs", running),
    ("change", "a change, beside the sample before", change),
    ("matched", "a wait that was met", matched),
    ("waits", "the list of waits", waits),
    ("library", "what is saved", library),
    ("replay", "a recording is played", replay),
    ("help", "the keys of the Watch", help),
    ("commands", "the command palette", commands),
    ("add", "a server is added", adding),
    ("wide", "the Bench with more room", wide),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/screens")
}

fn pictures() -> BTreeMap<String, String> {
    let mut pictures = BTreeMap::new();
    for (name, title, session) in SCREENS {
        let mut session = session();
        for (suffix, theme, palette) in [("", Theme::Dark, &DARK), ("-light", Theme::Light, &LIGHT)]
        {
            session.model.look.theme = theme;
            let (buffer, cursor) = (session.buffer(), session.cursor());
            let drawn = svg(&format!("stakeout: {title}"), &buffer, cursor, palette);
            pictures.insert(format!("{name}{suffix}.svg"), drawn);
        }
    }
    pictures
}

#[test]
fn the_assets_are_what_the_screen_draws() {
    let (folder, pictures) = (folder(), pictures());
    let update = std::env::var_os("UPDATE_SCREENS").is_some();
    if update {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for (name, drawn) in &pictures {
            std::fs::write(folder.join(name), drawn).unwrap();
        }
    }
    let again = "draw them again with UPDATE_SCREENS=1 cargo test --test screen assets";
    for (name, drawn) in &pictures {
        let kept = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            kept == *drawn,
            "{name} is not what the screen draws; {again}"
        );
    }
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(
        files,
        pictures.len(),
        "there are other files in {folder:?}; {again}"
    );
}

#[test]
fn every_picture_of_the_readme_is_there() {
    let readme = include_str!("../../README.md");
    let named: Vec<&str> = readme
        .split("assets/screens/")
        .skip(1)
        .filter_map(|rest| rest.split_once(".svg"))
        .map(|(name, _)| name)
        .collect();
    assert!(named.len() >= 4, "{named:?}");
    for name in named {
        let name = name.trim_end_matches("-light");
        let known = SCREENS.iter().any(|(known, ..)| *known == name);
        assert!(known, "there is no picture {name}");
    }
}
