//! Choosing: what the lists point at, and what the Bench holds.

use stakeout::tui::message::Effect;
use stakeout::wait::WaitError;

use crate::harness::Session;

#[test]
fn r_and_t_in_a_list_act_on_no_tool_but_the_highlighted_one() {
    for (columns, rows) in [(80, 24), (60, 16), (120, 36)] {
        let mut session = Session::at(columns, rows);
        if columns == 80 {
            session.keys("Enter");
        }
        session.shows("•▸ rollout_status").keys("G");
        for key in ["t", "r", "Ctrl-T", "Ctrl-R"] {
            session
                .keys(key)
                .shows("Enter chooses repo/get file first")
                .shows("demo ▸ rollout_status");
        }
        session.keys("Esc /").types("build").keys("Ctrl-R");
        session.shows("Enter chooses build_status first");
        let calls =
            |effect: &Effect| matches!(effect, Effect::Try { .. } | Effect::StartWait { .. });
        assert!(!session.asked.iter().any(calls), "{:?}", session.asked);
        session.keys("Enter t");
        let Effect::Try { tool, .. } = session.last() else {
            panic!("{:?}", session.last())
        };
        assert_eq!(tool, "build_status");
    }
}

#[test]
fn r_in_the_list_of_servers_acts_on_no_other_server() {
    let mut session = Session::at(120, 36);
    session
        .keys("Shift-Tab j j")
        .keys("r")
        .shows("Enter connects to cluster first")
        .shows("demo ▸ rollout_status");
    session.connects = Some(Ok(vec![]));
    session
        .keys("Enter t")
        .shows("choose a tool of this server first");
    assert!(session.model.watched.is_none());
    session.keys("Shift-Tab k k r");
    assert!(matches!(session.last(), Effect::StartWait { .. }));
}

#[test]
fn the_tool_pane_tells_of_the_server_of_the_tool_on_the_bench() {
    let mut session = Session::start();
    session.connects = Some(Err(WaitError::ServerUnavailable {
        server: "cluster".to_owned(),
        step: "starting".to_owned(),
        cause: "no such program".to_owned(),
    }));
    session
        .keys("Enter Shift-Tab j j Enter")
        .shows("no such program")
        .keys("Esc")
        .shows("demo ▸ rollout_status")
        .shows("stakeout-demo 0.1.0 MCP")
        .hides("not connected");
}

#[test]
fn a_slash_finds_a_tool_from_every_field_at_rest() {
    for steps in [
        "",
        "to-form Esc",
        "to-json Esc",
        "to-kind",
        "to-pattern Esc",
        "to-more",
    ] {
        let mut session = Session::start();
        session.keys(steps).keys("/").types("jlg").shows("/jlg");
        session.keys("Enter").shows("demo ▸ job_logs");
    }
}
