//! The Library: what is saved is listed, filtered, read, renamed, deleted, brought back and copied.

use serde_json::{Value, json};
use stakeout::app::{
    CopyOf, Kept, KeptOutcome, KeptWait, LibraryChange, change_library, list_library,
};
use stakeout::tui::keys::Context;
use stakeout::tui::layer::{Layer, Question};
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Id, Msg, ServerList};
use stakeout::tui::model::Place;
use stakeout::wait::Reason;

use crate::harness::{Session, Shelf, demo_tools, listed, picture, pictures, rollout, servers};
use crate::replay::recorded;

fn library() -> Session {
    let mut session = Session::start();
    listed(&mut session);
    session.keys("3");
    session
}

fn shelf() -> Shelf {
    let shelf = Shelf::new();
    shelf.spec("web is rolled out");
    shelf.spec("mail drains");
    shelf.recording(
        "2026-11-30T20-15-01.000Z-demo-rollout_status.wait.jsonl",
        &recorded(),
    );
    shelf
}

#[test]
fn what_is_saved_is_listed_and_told() {
    let mut session = library();
    session.keys("G k k");
    pictures!("library", session);
    session.resize(60, 16);
    picture!("library_60x16", session);
    session.keys("Tab");
    picture!("library_preview_60x16", session);
    session.keys("Tab").resize(80, 24).keys("g");
    pictures!("library_broken", session);
}

#[test]
fn an_empty_library_says_how_things_get_here() {
    let mut session = Session::start();
    session.keys("3");
    picture!("library_empty_80x24", session);
    session.keys("Enter r R D x y u Tab");
    assert_eq!(session.model.place, Place::Library);
    assert!(session.model.layers.is_empty());
}

#[test]
fn ascii_draws_the_library_too() {
    let look = Look {
        theme: Theme::Mono,
        unicode: false,
    };
    let mut session = Session::with(look, (80, 24), servers());
    listed(&mut session);
    session.keys("3 j");
    let screen = session.screen();
    assert!(screen.is_ascii(), "{screen}");
    picture!("ascii_library_80x24", session);
}

#[test]
fn a_filter_finds_by_name_tool_and_condition() {
    let mut session = library();
    session.keys("/").types("rollout");
    session.shows("3 of 7").hides("mail drains");
    picture!("library_filter_80x24", session);
    session.keys("Enter").hides("typing");
    assert_eq!(session.model.context(), Context::LibraryList);
    session.keys("j j");
    assert!(session.model.library.chosen().is_some());
    session.keys("Esc").shows("mail drains").hides("3 of 7");
    session.keys("/").types("hung").shows("the night it hung");
    session.keys("Esc").shows("mail drains");
    session.keys("/").types("quiet for").shows("1 of 7");
    session
        .keys("Ctrl-U")
        .types("nothing like it")
        .shows("nothing passes the filter");
    session.keys("Enter Enter").shows("nothing is chosen here");
    session.keys("Esc Esc");
    assert_eq!(session.model.place, Place::Bench);
}

#[test]
fn a_file_is_renamed_and_stays_chosen() {
    let shelf = shelf();
    let mut session = Session::on(&shelf);
    session
        .keys("3")
        .shows("2 saved waits")
        .shows("1 recording");
    session.keys("j R").shows("Rename web is rolled out");
    session.keys("Ctrl-U").types("mail drains").keys("Enter");
    session.shows("choose another name");
    session.keys("Ctrl-U Enter").shows("type something first");
    session.types("a web/rollout").keys("Enter");
    session
        .shows("it is called a web/rollout now")
        .shows("▸ wait a web/rollout");
    assert!(
        shelf
            .folders
            .library()
            .join("a web%2Frollout.wait.json")
            .exists()
    );
    session.keys("G R").shows("rollout_status");
    session.keys("Ctrl-U").types("the night").keys("Enter");
    session.shows("▸ rec  the night");
    assert!(
        shelf
            .folders
            .recordings()
            .join("the night.wait.jsonl")
            .exists()
    );
    session.keys("R Esc");
    assert!(session.model.layers.is_empty());
}

#[test]
fn what_is_deleted_comes_back_the_last_first() {
    let shelf = shelf();
    let mut session = Session::on(&shelf);
    session
        .keys("3 u")
        .shows("nothing was deleted since stakeout began");
    session
        .keys("D")
        .shows("mail drains was deleted; u brings it back");
    session
        .keys("Delete")
        .shows("web is rolled out was deleted")
        .hides("saved wait");
    session.keys("D").shows("rollout_status was deleted");
    session.keys("x").shows("nothing is chosen here");
    assert!(session.model.library.rows().is_empty());
    session.keys("u").shows("rollout_status is back");
    session
        .keys("u")
        .shows("web is rolled out is back")
        .shows("▸ wait web is rolled out");
    session
        .keys("u")
        .shows("mail drains is back")
        .shows("2 saved waits");
    session.keys("u").shows("nothing was deleted");
    session.keys("D");
    shelf.spec("mail drains");
    session.keys("u").shows("rename that one first");
}

#[test]
fn a_change_waits_for_the_one_before_and_each_is_undone() {
    let shelf = Shelf::new();
    let path = shelf.spec("mail drains");
    shelf.spec("web is rolled out");
    let mut session = Session::on(&shelf);
    session.keys("3 j");
    let (id, mail) = (Id(7_000), "mail drains".to_owned());
    session.model.library.changing = Some(id);
    session.keys("R").types("x").keys("Enter");
    session.shows("the change before is not done yet");
    let deletion = LibraryChange::Delete {
        kind: Kept::Spec,
        path,
        name: mail.clone(),
    };
    let result = change_library(&shelf.folders, deletion);
    assert!(result.is_ok(), "{result:?}");
    session.tell(Msg::LibraryChanged { id, result });
    session.keys("Enter").shows("it is called");
    session.keys("u").shows("mail drains is back");
}

#[test]
fn what_is_gone_for_good_is_no_obstacle_to_what_was_deleted_before() {
    let shelf = shelf();
    let mut session = Session::on(&shelf);
    session.keys("3 D D");
    let deleted = shelf.folders.library().with_file_name("deleted");
    let files = std::fs::read_dir(deleted).unwrap().flatten();
    let is_web = |path: &std::path::Path| path.to_string_lossy().contains("-web");
    let lost = files.map(|file| file.path()).find(|path| is_web(path));
    std::fs::remove_file(lost.unwrap()).unwrap();
    session
        .keys("u")
        .shows("web is rolled out is gone for good; u brings mail drains back");
    session.keys("u").shows("mail drains is back");
    session.keys("u").shows("nothing was deleted");
}

#[test]
fn the_last_outcome_of_a_wait_is_of_that_wait_as_it_is_saved() {
    let shelf = Shelf::new();
    shelf.spec("web");
    let record = |file: &str, server: &str, until: &str| {
        let mut lines = recorded();
        lines[0]["name"] = json!("web");
        lines[0]["server"] = json!(server);
        lines[0]["wait"] = json!({
            "probe": { "tool": "rollout_status", "args": {} }, "until": { "matches": until },
        });
        shelf.recording(file, &lines);
    };
    let outcome = || list_library(&shelf.folders).rows[0].outcome.clone();
    record("a.wait.jsonl", "demo", "something else");
    record("b.wait.jsonl", "elsewhere", "3/3");
    assert_eq!(outcome(), None);
    record("c.wait.jsonl", "demo", "3/3");
    assert_eq!(outcome(), Some(KeptOutcome::Met("matched".to_owned())));
}

#[test]
fn nothing_of_a_files_reaches_the_terminal_as_it_is() {
    let hostile = format!(
        "a\u{1b}]0;x\u{7}\u{9b}31m\u{202e}\u{200b}\r\nb{}",
        "é".repeat(10_000)
    );
    for size in [(80, 24), (60, 16), (200, 60)] {
        let mut session = library();
        let rows = &mut session.library.rows;
        for (index, row) in rows.iter_mut().enumerate() {
            row.name.clone_from(&hostile);
            row.server.clone_from(&hostile);
            row.tool.clone_from(&hostile);
            row.condition.clone_from(&hostile);
            if index == 0 {
                row.problem = Some(hostile.clone());
            } else {
                row.outcome = Some(KeptOutcome::Unmet(hostile.clone()));
            }
        }
        for preview in session.previews.values_mut() {
            preview
                .facts
                .iter_mut()
                .for_each(|fact| fact.1.clone_from(&hostile));
            preview.text = hostile.as_str().into();
        }
        session.resize(size.0, size.1).keys("1 3");
        for keys in ["", "j", "Tab", "Tab R", "Esc x", "Esc D", "g Enter", "/"] {
            session.keys(keys);
            for cell in session.buffer().content() {
                let odd = |symbol: char| symbol.is_control() || "\u{202e}\u{200b}".contains(symbol);
                assert!(!cell.symbol().contains(odd), "{keys}: {:?}", cell.symbol());
            }
        }
    }
}

#[test]
fn a_copy_goes_where_it_is_typed_and_over_nothing() {
    let shelf = shelf();
    let mut session = Session::on(&shelf);
    session
        .keys("3 x")
        .shows("Export mail drains")
        .shows("mail drains.wait.json");
    let to = shelf.path().join("there/mail.json");
    let typed = to.display().to_string();
    session
        .keys("Ctrl-U")
        .types(&typed)
        .keys("Enter")
        .shows("a copy is in");
    let copy = std::fs::read_to_string(&to).unwrap();
    assert!(copy.contains("\"name\": \"mail drains\""));
    session
        .keys("x Ctrl-U")
        .types(&typed)
        .keys("Enter")
        .shows("exists already");
    session
        .keys("Ctrl-U")
        .types("~/there")
        .keys("Enter")
        .shows("a copy is in");
    assert!(shelf.folders.home.join("there").is_file());
    session.keys("y");
    let Effect::Copy(CopyOf::Path(path)) = session.last() else {
        panic!("{:?}", session.last())
    };
    assert_eq!(*path, shelf.folders.library().join("mail drains.wait.json"));
}

#[test]
fn a_copy_that_can_not_be_made_blames_the_right_path() {
    let shelf = shelf();
    let [gone, there] = ["gone.wait.json", "there.wait.json"].map(|name| shelf.path().join(name));
    std::fs::write(&there, "{}").unwrap();
    let below = there.join("copy.json");
    for (path, to, blamed, why) in [
        (
            &gone,
            "~/copy.json",
            &gone,
            "there is no such file; check the path",
        ),
        (
            &there,
            below.to_str().unwrap(),
            &below,
            "a part of its path is no folder; move it away",
        ),
    ] {
        let (path, to) = (path.clone(), to.to_owned());
        let said = change_library(&shelf.folders, LibraryChange::Export { path, to });
        let expected = format!("{}: {why}", blamed.display());
        assert_eq!(said.unwrap_err(), expected);
    }
}

#[test]
fn a_broken_file_hides_no_other_and_is_told() {
    let shelf = shelf();
    std::fs::write(shelf.folders.library().join("broken.wait.json"), "{").unwrap();
    std::fs::write(shelf.folders.recordings().join("x.wait.jsonl"), "{}\n").unwrap();
    let mut session = Session::on(&shelf);
    session.keys("3").shows("mail drains").shows("2 recordings");
    session.shows("the JSON doesn't parse");
    session.keys("Enter").shows("the JSON doesn't parse");
    session.keys("D").shows("broken was deleted");
    session.keys("/").types("wait.jsonl");
    session
        .keys("Esc G")
        .shows("x")
        .keys("r")
        .shows("no recording");
}

#[test]
fn a_preview_is_read_like_any_text() {
    let shelf = shelf();
    let mut session = Session::on(&shelf);
    session
        .keys("3")
        .shows("for        mail drains, well or badly");
    session
        .shows("rollout_status of demo")
        .shows("up to 2 rounds");
    session.keys("Tab");
    assert_eq!(session.model.context(), Context::LibraryText);
    session.keys("/").types("3/3").keys("Enter").shows("1 of 1");
    session.keys("w # j k Esc Esc");
    assert_eq!(session.model.context(), Context::LibraryList);
    session
        .keys("G")
        .shows("matched after 0:03")
        .shows("web         3/3");
}

fn answers(session: &mut Session, call: Value, notices: &[&str]) {
    let Effect::ReadKept { id, .. } = *session.last() else {
        panic!("{:?}", session.last())
    };
    let kept = KeptWait {
        call,
        rounds: 2,
        saved: None,
        notices: notices.iter().map(|notice| (*notice).to_owned()).collect(),
    };
    let list = ServerList {
        servers: servers(),
        problems: Vec::new(),
    };
    session.tell(Msg::KeptRead {
        id,
        result: Ok((kept, list)),
    });
    let asked = session.asked.iter().rev();
    let id = asked.into_iter().find_map(|effect| match effect {
        Effect::Resolve { id, call } => Some((*id, call["probe"]["server"].clone())),
        _ => None,
    });
    let (id, server) = id.unwrap();
    session.tell(Msg::Resolved {
        id,
        server: Ok(server.as_str().unwrap().to_owned()),
        fault: None,
    });
}

fn call(server: &str) -> Value {
    json!({
        "probe": { "server": server, "tool": "job_logs", "args": { "job": "import" } },
        "until": { "quiet_for_sec": 8 },
    })
}

#[test]
fn enter_loads_a_wait_on_the_bench() {
    let mut session = library();
    session.keys("j Enter");
    assert!(matches!(
        session.last(),
        Effect::ReadKept {
            kind: Kept::Spec,
            ..
        }
    ));
    answers(&mut session, call("demo"), &[]);
    session
        .shows("demo ▸ job_logs")
        .shows("loaded; r runs it")
        .shows("rounds 2");
    assert!(session.model.waits.is_empty());
}

#[test]
fn r_runs_a_saved_wait_and_asks_about_a_destructive_tool() {
    let mut session = library();
    session.keys("j r");
    answers(&mut session, call("demo"), &[]);
    assert_eq!(session.model.place, Place::Watch);
    session.shows("demo ▸ job_logs");
    let mut session = library();
    let mut tools = demo_tools();
    tools[2].destructive = Some(true);
    session.connects = Some(Ok(tools));
    session.keys("1 Enter Shift-Tab R 3 j r");
    answers(&mut session, call("demo"), &[]);
    session.shows("destructiveHint");
    session.keys("y");
    assert_eq!(session.model.place, Place::Watch);
}

#[test]
fn r_asks_about_an_untrusted_server_first_and_runs_after_the_yes() {
    let mut session = library();
    session.keys("j r");
    answers(&mut session, call("ci"), &[]);
    let top = session.model.layers.last();
    assert!(matches!(
        top,
        Some(Layer::Question(Question::Approve { .. }))
    ));
    session.keys("y");
    let Effect::Approve { id, .. } = *session.last() else {
        panic!("{:?}", session.last())
    };
    let mut rows = servers();
    rows[1].approval = None;
    session.tell(Msg::Approved {
        id,
        result: Ok(rows),
    });
    assert_eq!(session.model.place, Place::Watch);
    session.shows("ci ▸ job_logs");

    let mut session = library();
    session.keys("j r");
    answers(&mut session, call("ci"), &[]);
    session.keys("n t");
    assert!(session.model.waits.is_empty());
    assert_eq!(session.model.bench.held, None);
}

#[test]
fn what_is_odd_about_a_file_is_said() {
    let mut session = library();
    session.keys("j Enter");
    let notices = ["found a call at params", "server: it has no command"];
    answers(&mut session, call("demo"), &notices);
    session.shows("found a call at params, server: it has no command; r runs it");
    session.keys("3").hides("found a call");
    session.keys("j Enter");
    let Effect::ReadKept { id, .. } = *session.last() else {
        panic!("{:?}", session.last())
    };
    session.tell(Msg::KeptRead {
        id,
        result: Err("web.wait.json: there is no such file; check the path".to_owned()),
    });
    session.shows("there is no such file");
}

#[test]
fn a_running_recording_stays_where_it_is() {
    let mut session = library();
    session.keys("j j j D").shows("its wait is still running");
    session.keys("R").shows("its wait is still running");
    assert!(session.model.layers.is_empty());
}

#[test]
fn the_library_is_left_as_it_was() {
    let mut session = library();
    session
        .keys("/")
        .types("web")
        .keys("Enter j 1 3")
        .shows("3 of 7");
    session.keys("? Esc : Esc L Esc");
    assert_eq!(session.model.context(), Context::LibraryList);
    session.keys("q");
    assert_eq!(*session.last(), Effect::Quit);
}

#[test]
fn what_ends_while_the_library_is_open_is_listed_anew() {
    let mut session = Session::start();
    session.keys("r").round(1).sample(1, 0, &rollout(1));
    listed(&mut session);
    session.keys("3");
    session.shows("the night it hung");
    let rows = &mut session.library.rows;
    rows.retain(|row| row.name != "the night it hung");
    session.ends_with(Reason::Matched, 5, 6, &rollout(3));
    session.hides("the night it hung");
}
