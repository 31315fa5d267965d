//! How each server stands, and what is said when that changes.

use stakeout::app::ServerState;
use stakeout::tui::message::Effect;
use stakeout::wait::WaitError;

use crate::harness::{
    COLOUR, Session, demo_tools, picture, pictures, rollout, server, servers, tool,
};

fn connected() -> Option<ServerState> {
    Some(ServerState::Connected {
        protocol: "2026-07-28".to_owned(),
        software: Some("registry 2.1.0".to_owned()),
    })
}

fn lost() -> Option<ServerState> {
    let reason = "it was killed by signal 9 (KILL); its last words on stderr:\nout of cheese";
    Some(ServerState::Lost {
        reason: reason.to_owned(),
    })
}

fn failed(unauthorized: bool) -> Option<ServerState> {
    let reason = if unauthorized {
        "server \"vault\" is not available: connecting failed: the server answered HTTP 401 \
         Unauthorized; set or renew its Authorization header, with --header 'Authorization: Bearer …' \
         or under \"headers\" in its configuration"
    } else {
        "server \"crashes\" is not available: initialize failed: the server ended the connection: \
         it exited with code 7; its last words on stderr:\nfatal: no kubeconfig"
    };
    Some(ServerState::Failed {
        reason: reason.to_owned(),
        unauthorized,
    })
}

/// A server in every state that there is; the demo is listed.
fn of_all_kinds(columns: u16, rows: u16) -> Session {
    let mut all = servers();
    for name in [
        "registry", "starts", "crashes", "vault", "dies", "old", "off",
    ] {
        all.push(server(name, "user mcp.json"));
    }
    for row in &mut all {
        row.shadowed = row.name == "old";
        row.disabled = row.name == "off";
    }
    let mut session = Session::with(COLOUR, (columns, rows), all);
    session
        .stand("registry", connected())
        .stand("starts", Some(ServerState::Connecting))
        .stand("crashes", failed(false))
        .stand("vault", failed(true))
        .stand("dies", lost());
    if columns == 80 {
        session.keys("Enter");
    }
    session.keys("Shift-Tab z");
    session
}

#[test]
fn every_state_has_a_symbol_and_a_word() {
    for (columns, rows) in [(80, 24), (120, 36), (200, 60), (60, 16)] {
        let mut session = of_all_kinds(columns, rows);
        picture!(format!("states_{columns}x{rows}"), session);
    }
}

#[test]
fn u4_why_a_server_failed_is_in_the_help_whole() {
    let mut session = of_all_kinds(80, 24);
    for (server, words) in [
        ("registry", "Connected: registry 2.1.0 MCP 2026-07-28"),
        ("crashes", "fatal: no kubeconfig"),
        ("vault", "set or renew its Authorization header"),
        ("dies", "out of cheese"),
        ("off", "Disabled where it is configured"),
    ] {
        session.keys("g");
        while session.model.bench.selected_server().unwrap().name != server {
            session.keys("j");
        }
        session.keys("?").shows(words).keys("Esc");
    }
}

#[test]
fn t8_a_server_that_is_lost_while_idle_says_so_at_once_and_enter_makes_it_again() {
    let mut session = Session::at(120, 36);
    session
        .shows("● connected")
        .stand("demo", lost())
        .shows("! lost")
        .hides("● connected")
        .shows("demo is lost: it was killed by signal 9")
        .shows("build_status");
    pictures!("lost", session);
    session.shows("lost: it was killed by signal 9");
    session.resize(120, 36).keys("Shift-Tab Enter");
    assert!(matches!(
        session.last(),
        Effect::Connect { afresh: false, .. }
    ));
    session.shows("● connected").hides("lost");
}

#[test]
fn a_server_that_a_wait_uses_is_lost_without_a_word_and_listed_again_when_it_is_back() {
    let mut session = Session::at(120, 36);
    session.keys("r").round(1).sample(1, 0, &rollout(0));
    session
        .stand("demo", lost())
        .hides("is lost")
        .keys("1")
        .shows("! lost");
    let before = session.followed.clone();
    session.stand("demo", connected()).shows("● connected");
    let Some(Effect::FollowTools { announced, .. }) = &session.followed else {
        panic!("nothing follows the tools")
    };
    assert_eq!(*announced, None);
    assert_ne!(session.followed, before);
}

#[test]
fn t14_a_server_that_starts_says_for_how_long() {
    let mut session = Session::start();
    session.connects = None;
    session.keys("Enter Shift-Tab j j Enter");
    session
        .stand("cluster", Some(ServerState::Connecting))
        .at_second(12.0)
        .shows("connecting, 12 s");
}

#[test]
fn a_server_that_somebody_else_connected_is_listed_after_all() {
    let mut session = Session::at(120, 36);
    session.connects = Some(Err(WaitError::ServerUnavailable {
        server: "cluster".to_owned(),
        step: "connecting".to_owned(),
        cause: "no answer".to_owned(),
    }));
    session.keys("Shift-Tab j j Enter").shows("✖ failed");
    session.connects = Some(Ok(demo_tools()));
    session
        .stand("cluster", connected())
        .shows("● connected")
        .shows("Tools of cluster")
        .shows("build_status");
}

#[test]
fn a_tool_that_destroys_says_so_in_the_list_and_the_help_tells_all_hints() {
    let mut session = Session::start();
    let mut dangerous = tool("pod_delete", "Deletes a pod");
    (dangerous.read_only, dangerous.destructive) = (Some(false), Some(true));
    session.connects = Some(Ok(vec![dangerous]));
    session
        .keys("Enter Shift-Tab j j Enter")
        .shows("destructive · Deletes a pod")
        .keys("?")
        .shows("may change something, may destroy something");
}
