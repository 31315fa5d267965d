//! Saving a wait: the dialog, what it asks for, and what the screen says of it afterwards.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stakeout::app::{EntryOffer, LibraryChanged, SaveLook, SaveRequest, SavedSpec};
use stakeout::store::{SaveError, Spec, SpecFile, SpecPlace};
use stakeout::tui::Start;
use stakeout::tui::keys::Context;
use stakeout::tui::message::{Effect, Id, Msg};
use stakeout::tui::model::Model;

use crate::harness::{COLOUR, Session, pictures, servers};

const FOLDER: &str = "/home/ada/.local/share/stakeout/library";

fn path(name: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{name}.wait.json"))
}

/// Answers the last effect that looked at what saving would do.
fn looked(session: &mut Session, exists: bool, entry: EntryOffer) {
    let asked = session.asked.iter().rev().find_map(|effect| match effect {
        Effect::LookAtSaving { id, name, .. } => Some((*id, name.clone())),
        _ => None,
    });
    let (id, name) = asked.expect("nothing was looked at");
    let path = match name.as_str() {
        "" => Err("a saved wait needs a name".to_owned()),
        name => Ok(path(name)),
    };
    let look = SaveLook {
        path,
        exists,
        entry,
    };
    session.tell(Msg::SaveLooked { id, look });
}

/// What was last asked to be saved.
fn asked(session: &Session) -> (Id, SaveRequest) {
    match session.last() {
        Effect::SaveSpec { id, request } => (*id, (**request).clone()),
        other => panic!("{other:?}"),
    }
}

/// Answers it: it was saved.
fn done(session: &mut Session, variables: &[&str]) {
    let (id, request) = asked(session);
    let name = request.spec.name.clone().unwrap_or_default();
    let done = SavedSpec {
        file: SpecFile::of(&path(&name), "as it is now"),
        spec: request.spec,
        variables: variables.iter().map(|name| (*name).to_owned()).collect(),
    };
    let result = Ok(Box::new(done));
    session.tell(Msg::SpecSaved { id, result });
}

fn call() -> Value {
    json!({
        "probe": { "tool": "rollout_status", "args": { "deployment": "web" } },
        "until": { "matches": "3/3" }, "poll_sec": 1,
    })
}

/// The screen that opens with a saved wait.
fn opened() -> Session {
    let spec = Spec {
        name: Some("release build".to_owned()),
        description: Some("build 4211 has ended".to_owned()),
        rounds: 4,
        ..Spec::new(call().as_object().unwrap().clone())
    };
    let model = Model::new(COLOUR, (80, 24), servers(), &[]);
    let start = Start {
        call: Some(call()),
        rounds: 4,
        saved: Some(Box::new((SpecFile::of(&path("release build"), ""), spec))),
        ..Start::default()
    };
    let mut session = Session::opened(model, start);
    let id = session.asked.iter().rev().find_map(|effect| match effect {
        Effect::Resolve { id, .. } => Some(*id),
        _ => None,
    });
    session.tell(Msg::Resolved {
        id: id.unwrap(),
        server: Ok("demo".to_owned()),
        fault: None,
    });
    session
}

#[test]
fn what_is_on_the_bench_is_saved_under_a_name() {
    let mut session = Session::start();
    session.keys("s").shows("Save the wait");
    assert_eq!(session.model.context(), Context::Saving);
    looked(&mut session, false, EntryOffer::Needless);
    session
        .shows("a saved wait needs a name")
        .types("web is out");
    looked(&mut session, false, EntryOffer::Needless);
    looked(&mut session, false, EntryOffer::Needless);
    session.shows("library/web is out.wait.json");
    session.keys("Tab").types("three of three");
    pictures!("saving", session);
    session.keys("Enter").shows("saving …");
    let (_, request) = asked(&session);
    assert_eq!(request.place, SpecPlace::Library);
    assert_eq!(request.spec.name.as_deref(), Some("web is out"));
    assert_eq!(request.spec.description.as_deref(), Some("three of three"));
    assert_eq!(request.spec.wait["probe"]["server"], "demo");
    assert!(request.known.is_none() && request.with_entry.is_none());
    done(&mut session, &[]);
    session.hides("Save the wait").shows("saved as /home");
    session.shows("   web is out  ").hides(", changed");
}

#[test]
fn a_wait_that_can_t_be_run_can_t_be_saved_and_leads_to_what_is_wrong() {
    let mut session = Session::start();
    session.keys("to-pattern Ctrl-U Ctrl-S");
    session.hides("Save the wait").shows("can't save: ");
}

#[test]
fn a_saved_wait_is_named_and_saved_again_by_one_key() {
    let mut session = opened();
    session
        .shows("loaded release build")
        .shows("   release build  ");
    session.hides(", changed").keys("to-pattern").types("x");
    session.shows("release build, changed").keys("Backspace");
    session.hides(", changed").types("!").keys("Ctrl-S");
    looked(&mut session, true, EntryOffer::Needless);
    session
        .shows("It is written again.")
        .shows("build 4211 has ended");
    pictures!("saving_again", session);
    session.keys("Enter");
    let (_, request) = asked(&session);
    assert_eq!(request.place, SpecPlace::File(path("release build")));
    let known = SpecFile::of(&path("release build"), "");
    assert_eq!(request.known, Some(known));
    assert_eq!(request.spec.rounds, 4);
    assert_eq!(request.spec.wait["until"]["matches"], "3/3!");
    // The server wasn't named before, and is not named now.
    assert_eq!(request.spec.wait["probe"].get("server"), None);
    assert_eq!(
        request.spec.description.as_deref(),
        Some("build 4211 has ended")
    );
    done(&mut session, &[]);
    session.hides(", changed");
}

#[test]
fn what_says_the_same_is_written_as_it_was() {
    let mut session = opened();
    session.keys("s Enter");
    let (_, request) = asked(&session);
    assert_eq!(Value::Object(request.spec.wait), call());
}

#[test]
fn another_name_is_another_file_beside_the_first() {
    let mut session = opened();
    session.keys("s").types(" 2").keys("Enter");
    let (_, request) = asked(&session);
    assert_eq!(request.place, SpecPlace::Beside(path("release build")));
}

#[test]
fn what_is_there_or_was_changed_meanwhile_is_asked_about() {
    let mut session = opened();
    session.keys("s Enter");
    let (id, _) = asked(&session);
    let changed = SaveError::Changed(path("release build"));
    let result = Err(changed);
    session.tell(Msg::SpecSaved { id, result });
    session
        .shows("Write over it?")
        .shows("changed by another program");
    session.keys("n").shows("Save the wait").keys("Enter");
    let (id, request) = asked(&session);
    assert!(!request.over_anything);
    let result = Err(SaveError::Exists(path("release build")));
    session.tell(Msg::SpecSaved { id, result });
    session.shows("already.").keys("y").shows("saving …");
    let (_, request) = asked(&session);
    assert!(request.over_anything);
    done(&mut session, &[]);
    session.hides("Save the wait");
}

#[test]
fn a_disk_that_can_t_be_written_to_is_told_in_the_dialog() {
    let mut session = opened();
    session.keys("s Enter");
    let (id, _) = asked(&session);
    let result = Err(SaveError::Failed {
        path: path("release build"),
        problem: "access is denied; check its permissions".to_owned(),
    });
    session.tell(Msg::SpecSaved { id, result });
    session
        .shows("is denied; check")
        .types("!")
        .hides("is denied; check");
}

#[test]
fn a1_a_server_of_this_user_s_alone_is_put_in_without_its_secrets() {
    let mut session = Session::start();
    session.keys("s").types("ci");
    let entry = EntryOffer::Possible {
        advised: true,
        variables: vec!["AUTHORIZATION".to_owned()],
        reach: "npx mcp-remote https://ci.example.com/mcp".to_owned(),
    };
    looked(&mut session, false, entry.clone());
    looked(&mut session, false, entry.clone());
    session.shows("(•) how demo is reached");
    session
        .shows("${AUTHORIZATION}, to be set")
        .shows("It holds: npx mcp-remote");
    pictures!("saving_server", session);
    session.keys("Tab Tab Tab space");
    looked(&mut session, false, entry);
    session
        .shows("(•) its name alone")
        .hides("AUTHORIZATION")
        .keys("space Enter");
    let (_, request) = asked(&session);
    assert_eq!(request.with_entry, Some(true));
    done(&mut session, &["AUTHORIZATION"]);
    session.shows("set AUTHORIZATION before it runs");
}

#[test]
fn a_place_is_chosen_and_a_path_typed() {
    let mut session = Session::start();
    session.keys("s").types("ci").keys("Tab Tab →");
    looked(&mut session, false, EntryOffer::Needless);
    session.shows("(•) this folder").keys("→");
    looked(&mut session, false, EntryOffer::Needless);
    session.keys("Tab").types("~/waits/ci").keys("Enter");
    let (_, request) = asked(&session);
    assert_eq!(request.place, SpecPlace::Path("~/waits/ci".to_owned()));
    session.keys("Esc").hides("Save the wait");
}

#[test]
fn a_saved_wait_that_is_renamed_in_the_library_is_saved_again_where_it_is_then() {
    let mut session = opened();
    session.keys("3");
    session.model.library.changing = Some(Id(7_000));
    let spec = Spec {
        name: Some("nightly".to_owned()),
        ..Spec::new(call().as_object().unwrap().clone())
    };
    let saved = (SpecFile::of(&path("nightly"), "as it is now"), spec);
    session.tell(Msg::LibraryChanged {
        id: Id(7_000),
        result: Ok(LibraryChanged::Renamed {
            from: path("release build"),
            path: path("nightly"),
            name: "nightly".to_owned(),
            saved: Some(Box::new(saved)),
        }),
    });
    session.keys("1").shows("    nightly").keys("s Enter");
    let (_, request) = asked(&session);
    assert_eq!(request.place, SpecPlace::File(path("nightly")));
}

#[test]
fn a_wait_on_the_watch_is_saved_and_carries_its_name() {
    let mut session = opened();
    session.keys("r");
    let Effect::StartWait { name, .. } = session.last() else {
        panic!("{:?}", session.last());
    };
    assert_eq!(name.as_deref(), Some("release build"));
    session
        .shows("   release build  ")
        .keys("s")
        .shows("Save the wait");
    session.keys("Enter");
    done(&mut session, &[]);
    session
        .shows("saved as /home")
        .keys("E")
        .shows("   release build  ");
    session.hides(", changed");
}

#[test]
fn who_closes_the_dialog_too_early_hears_that_it_was_saved() {
    let mut session = opened();
    session.keys("s Enter Esc").hides("Save the wait");
    done(&mut session, &[]);
    session.shows("saved as /home").keys("s Enter");
    let (id, request) = asked(&session);
    let now = SpecFile::of(&path("release build"), "as it is now");
    assert_eq!(request.known, Some(now));
    session.keys("Esc");
    let result = Err(SaveError::Changed(path("release build")));
    session.tell(Msg::SpecSaved { id, result });
    session.shows("it was not saved: ").hides("Write over it?");
}
