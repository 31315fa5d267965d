//! Servers that are added while the screen is open, and those of other programs.

use stakeout::app::ServerRow;
use stakeout::tui::keys::Context;
use stakeout::tui::message::{Effect, Id, Msg, ServerList};

use crate::harness::{Session, server, servers};

/// The layer, opened from the list of servers.
fn adding() -> Session {
    let mut session = Session::start();
    session.keys("Enter Shift-Tab a");
    assert_eq!(session.model.context(), Context::Adding);
    session
}

fn list(more: &[ServerRow]) -> ServerList {
    let mut rows = servers();
    for row in more {
        rows.insert(0, row.clone());
    }
    ServerList {
        servers: rows,
        problems: Vec::new(),
    }
}

fn asked(session: &Session) -> Id {
    match session.last() {
        Effect::AddServer { id, .. } | Effect::Discover { id } => *id,
        other => panic!("{other:?}"),
    }
}

fn added(session: &mut Session, result: Result<&str, &str>) {
    let id = asked(session);
    let row = |name| server(name, "added here");
    let result = result.map(|name| (name.to_owned(), list(&[row(name)])));
    let result = result.map_err(str::to_owned);
    session.tell(Msg::Added { id, result });
}

fn discovered(session: &mut Session, result: Result<&[ServerRow], &str>) {
    let id = asked(session);
    let result = result.map(|rows| (rows.len(), list(rows)));
    let result = result.map_err(str::to_owned);
    session.tell(Msg::Discovered { id, result });
}

#[test]
fn a_line_becomes_a_server_that_is_connected_at_once() {
    let mut session = adding();
    session.types("sh 'my server.sh' --q");
    assert!(session.cursor().is_some(), "one sees where one types");
    session.keys("Enter").shows("looking");
    let Effect::AddServer { line, .. } = session.last() else {
        panic!("{:?}", session.last())
    };
    assert_eq!(line, "sh 'my server.sh' --q");
    added(&mut session, Ok("sh"));
    session.hides("Add a server").shows("Tools of sh");
    let Some(Effect::Connect { server, .. }) = session.asked.last() else {
        panic!("{:?}", session.asked.last())
    };
    assert_eq!(server, "sh");
    session.keys("Enter").shows("sh ▸ build_status");
}

#[test]
fn what_is_wrong_with_a_line_stands_below_it_until_it_is_changed() {
    let mut session = adding();
    session.types("npx '").keys("Enter");
    added(
        &mut session,
        Err("the command line has a quote that is not closed"),
    );
    session.shows("a quote that is not closed").shows("npx '");
    session.types("'").hides("a quote that is not closed");
    session.keys("Enter");
    added(&mut session, Ok("npx"));
    session.shows("Tools of npx");
}

#[test]
fn one_line_is_asked_for_at_a_time() {
    let mut session = adding();
    session.types("npx a").keys("Enter");
    let count = session.asked.len();
    session.keys("Enter Tab");
    assert_eq!(session.asked.len(), count);
}

#[test]
fn other_programs_are_looked_for_and_the_first_that_is_new_is_selected() {
    let mut session = adding();
    session.keys("Tab");
    assert!(matches!(session.last(), Effect::Discover { .. }));
    let found = [
        server("files", "Cursor ~/.cursor/mcp.json"),
        server("git", "Codex x"),
    ];
    discovered(&mut session, Ok(&found));
    session
        .hides("Add a server")
        .shows("2 servers of other programs; Enter connects to one");
    assert_eq!(session.model.context(), Context::ServerList);
    let selected = session.model.bench.selected_server().unwrap();
    assert_eq!(selected.name, "git");
    session.shows("Codex x");
}

#[test]
fn other_programs_that_list_nothing_leave_the_line_open() {
    let mut session = adding();
    session.types("npx a").keys("Tab");
    discovered(&mut session, Ok(&[]));
    session
        .shows("the files of other programs list no server")
        .shows("npx a");
}

#[test]
fn what_is_wrong_with_their_files_is_told_below_the_list() {
    let mut session = adding();
    session.keys("Tab");
    let id = asked(&session);
    let mut list = list(&[server("git", "Codex x")]);
    list.problems = vec!["zed/settings.json:3: this is not valid JSON".to_owned()];
    let result = Ok((1, list));
    session.tell(Msg::Discovered { id, result });
    session.shows("zed/settings.json:3: this is");
}

#[test]
fn a_layer_that_was_closed_takes_the_list_and_nothing_else() {
    let mut session = adding();
    session.types("npx a").keys("Enter Esc");
    added(&mut session, Ok("npx"));
    session.shows("npx").hides("Tools of npx");
    assert_eq!(session.model.context(), Context::ServerList);
}

#[test]
fn letters_are_text_and_keys_of_a_line_work() {
    let mut session = adding();
    session
        .types("qa?1 r")
        .keys("Ctrl-W")
        .types("z")
        .keys("Ctrl-A")
        .types("x");
    let Some(stakeout::tui::layer::Layer::Add(adding)) = session.model.layers.last() else {
        panic!("the layer is gone")
    };
    assert_eq!(adding.line.text(), "xqa?1 z");
    session.tell(Msg::Paste("npx\n-y\n".to_owned()));
    session.shows("xnpx -yqa?1 z");
    session
        .keys("F1")
        .shows("adding a server")
        .keys("Esc")
        .shows("Add a server");
    session.keys("Esc").hides("Add a server");
    assert_eq!(session.model.context(), Context::ServerList);
}

#[test]
fn the_layer_fits_the_smallest_screen() {
    let mut session = adding();
    session.keys("Enter");
    let long = "the command line has a quote that is not closed, or ends in a backslash; close it";
    added(&mut session, Err(long));
    for (columns, rows) in [(60, 16), (80, 24), (200, 60)] {
        session.resize(columns, rows);
        let screen = session.screen();
        for words in ["Add a server", "close it", "closes", "npx -y"] {
            assert!(
                screen.contains(words),
                "{words} at {columns}x{rows}:\n{screen}"
            );
        }
        assert!(session.cursor().is_some());
    }
}
