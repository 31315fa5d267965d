//! What the screen opens with, whole calls that are loaded, and tools that change in view.

use ratatui::style::Modifier;
use serde_json::{Value, json};
use stakeout::app::Connected;
use stakeout::mcp::Tool;
use stakeout::tui::bench::Focus;
use stakeout::tui::keys::Context;
use stakeout::tui::message::{Effect, Id, Msg};
use stakeout::wait::WaitError;

use crate::harness::{COLOUR, Session, demo_tools, rollout, server, servers, tool};

fn given() -> Session {
    let mut rows = servers();
    let mut lab = server("lab", "command line");
    lab.given = true;
    rows.insert(0, lab);
    Session::with(COLOUR, (80, 24), rows)
}

fn call() -> Value {
    json!({
        "probe": { "server": "cluster", "tool": "job_logs", "args": { "job": "import" } },
        "until": { "quiet_for_sec": 8 }, "poll_sec": 5,
    })
}

/// Answers the effect that asks whose tool is called.
fn resolved(session: &mut Session, server: Result<&str, WaitError>, fault: Option<&str>) {
    let asked = session.asked.iter().rev();
    let id = asked.into_iter().find_map(|effect| match effect {
        Effect::Resolve { id, .. } => Some(*id),
        _ => None,
    });
    session.tell(Msg::Resolved {
        id: id.expect("it was asked whose tool it is"),
        server: server.map(str::to_owned),
        fault: fault.map(str::to_owned),
    });
}

#[test]
fn a_server_of_the_command_line_is_chosen_already() {
    let mut session = given();
    let Some(Effect::Connect { server, .. }) = session.asked.first() else {
        panic!("{:?}", session.asked)
    };
    assert_eq!(server, "lab");
    session
        .shows("Tools of lab")
        .shows("▸ lab")
        .shows("demo")
        .shows("● connected");
    assert_eq!(session.model.context(), Context::ToolList);
    session
        .keys("j j j j Enter")
        .shows("lab ▸ repo/get file")
        .hides("Tools of lab");
}

#[test]
fn the_demo_is_still_there_beside_a_given_server() {
    let mut session = given();
    session.keys("Shift-Tab j Enter").shows("Tools of demo");
}

#[test]
fn the_screen_opens_with_a_call() {
    let mut session = Session::with_call(call(), 4);
    session.hides("rollout_status");
    resolved(&mut session, Ok("cluster"), None);
    session
        .shows("cluster ▸ job_logs")
        .shows("\"job\": \"import\"")
        .shows("8s")
        .shows("rounds 4");
    let connects =
        |effect: &Effect| matches!(effect, Effect::Connect { server, .. } if server == "cluster");
    assert!(session.asked.iter().any(connects));
    session.keys("r");
    let Effect::StartWait {
        server,
        call,
        rounds,
        ..
    } = session.last()
    else {
        panic!("{:?}", session.last())
    };
    assert_eq!((server.as_str(), *rounds), ("cluster", 4));
    assert_eq!(call.tool(), "job_logs");
}

#[test]
fn a_call_whose_server_nobody_can_say_asks_for_it() {
    let mut session = Session::with_call(call(), 1);
    let candidates = vec!["ci".to_owned(), "cluster".to_owned()];
    resolved(
        &mut session,
        Err(WaitError::ServerAmbiguous { candidates }),
        None,
    );
    assert_eq!(session.model.context(), Context::ServerList);
    session
        .shows("choose one of ci, cluster")
        .hides("--server")
        .shows("cluster")
        .keys("r")
        .shows("no server is chosen yet");
    session.connects = Some(Ok(vec![tool("other", "")]));
    session
        .keys("j j Enter")
        .shows("this server has no tool job_logs");
    session.connects = Some(Ok(demo_tools()));
    session.keys("Shift-Tab k k Enter r");
    let Effect::StartWait { server, call, .. } = session.last() else {
        panic!("{:?}", session.last())
    };
    assert_eq!((server.as_str(), call.tool()), ("demo", "job_logs"));
}

#[test]
fn a_call_with_a_fault_is_loaded_and_says_so() {
    let mut session = Session::with_call(call(), 1);
    let fault = Some("pol_sec is no field of the call");
    resolved(&mut session, Ok("demo"), fault);
    session.shows("loaded, but pol_sec is no field");
}

#[test]
fn an_untrusted_server_of_a_call_is_asked_about() {
    let mut session = Session::with_call(call(), 1);
    resolved(&mut session, Ok("ci"), None);
    session
        .shows("Trust this server?")
        .keys("n")
        .shows("ci ▸ job_logs");
}

fn destructive_logs() -> Vec<Tool> {
    let mut logs = tool("job_logs", "Deletes as it reads");
    logs.destructive = Some(true);
    vec![logs]
}

fn starts(session: &Session) -> bool {
    let starts = |effect: &Effect| matches!(effect, Effect::StartWait { .. });
    session.asked.iter().any(starts)
}

/// The screen that opens with a call, as long as its server's tools aren't listed, and the connect
/// that lists them.
fn before_the_list() -> (Session, Id) {
    let mut session = Session::with_call(call(), 1);
    session.connects = None;
    resolved(&mut session, Ok("cluster"), None);
    let Effect::Connect { id, .. } = *session.last() else {
        panic!("{:?}", session.last())
    };
    (session, id)
}

fn listed(tools: Vec<Tool>) -> Result<Connected, WaitError> {
    Ok(Connected {
        server: "cluster".to_owned(),
        protocol: "2025-11-25".to_owned(),
        software: None,
        tools,
        warnings: Vec::new(),
        announced: 0,
    })
}

#[test]
fn a_tool_that_is_not_listed_yet_is_not_run_before_it_says_whether_it_destroys() {
    let (mut session, id) = before_the_list();
    session.keys("r").shows("once cluster has listed its tools");
    assert!(!starts(&session));
    let result = listed(destructive_logs());
    session.tell(Msg::Connected { id, result });
    session.shows("destructiveHint");
    assert!(!starts(&session));

    let (mut session, id) = before_the_list();
    session.keys("r");
    let result = listed(vec![tool("job_logs", "")]);
    session.tell(Msg::Connected { id, result });
    assert!(starts(&session));
    session.hides("has listed its tools");
}

#[test]
fn what_waits_for_the_list_is_kept_back_by_any_key_and_by_a_failure() {
    let (mut session, id) = before_the_list();
    session.keys("r Tab");
    let result = listed(vec![tool("job_logs", "")]);
    session.tell(Msg::Connected { id, result });
    assert!(!starts(&session));

    let (mut session, id) = before_the_list();
    let error = WaitError::ServerUnavailable {
        server: "cluster".to_owned(),
        step: "starting".to_owned(),
        cause: "no such program".to_owned(),
    };
    let result = Err(error);
    session.keys("r").tell(Msg::Connected { id, result });
    assert!(!starts(&session));
    session
        .keys("Ctrl-R")
        .shows("cluster has not listed job_logs");
    assert!(!starts(&session));
    session.keys("y");
    assert!(starts(&session));
}

#[test]
fn edit_lists_the_tools_of_the_waits_server() {
    let mut session = Session::start();
    session.keys("r");
    session.connects = Some(Ok(destructive_logs()));
    session.keys("1 Enter Shift-Tab j j Enter Enter 2");
    session.connects = Some(Ok(demo_tools()));
    session.keys("E");
    session.shows("demo ▸ rollout_status");
    let Some(Effect::Connect { server, .. }) = session.asked.last() else {
        panic!("{:?}", session.last())
    };
    assert_eq!(server, "demo");
    assert_eq!(session.model.bench.listed.as_deref(), Some("demo"));
    assert!(session.model.bench.draft.arguments().is_formable());
}

#[test]
fn a_call_that_is_pasted_in_a_list_is_loaded() {
    let mut session = Session::start();
    let trace = json!({ "params": { "name": "wait_for", "arguments": call().to_string() } });
    session.keys("Enter").tell(Msg::Paste(trace.to_string()));
    resolved(&mut session, Ok("cluster"), None);
    session.shows("cluster ▸ job_logs").shows("loaded");
}

#[test]
fn several_calls_in_a_paste_are_one_too_many() {
    let mut session = Session::start();
    let mut other = call();
    other["poll_sec"] = json!(9);
    session.tell(Msg::Paste(json!([call(), other]).to_string()));
    session.shows("nothing was loaded").shows("rollout_status");
}

#[test]
fn a_call_that_is_pasted_among_arguments_is_offered() {
    let mut session = Session::start();
    let text = call().to_string();
    session.keys("to-json").tell(Msg::Paste(text.clone()));
    session
        .shows("A whole call")
        .shows("Enter loads it   Esc inserts it")
        .keys("Esc")
        .shows("\"import\"}}")
        .shows("demo ▸ rollout_status");
    assert_eq!(session.model.bench.focus.pane().title(), "Arguments");
    session.tell(Msg::Paste(text)).keys("Enter");
    resolved(&mut session, Ok("cluster"), None);
    session.shows("cluster ▸ job_logs");
}

#[test]
fn arguments_that_only_look_like_a_call_are_text() {
    let mut session = Session::start();
    session
        .keys("Tab")
        .tell(Msg::Paste("{\"probe\": 1}".to_owned()))
        .hides("A whole call")
        .shows("{\"probe\": 1}");
}

#[test]
fn tools_that_change_are_listed_again_and_the_selection_stays() {
    let mut session = Session::start();
    session.keys("Enter G").shows("▸ repo/get file");
    let Some(Effect::FollowTools { id, server, .. }) = session.followed.clone() else {
        panic!("nothing follows the tools")
    };
    let mut tools = demo_tools();
    tools.insert(0, tool("brand_new", "just came"));
    let relisted = |tools| {
        Ok(stakeout::app::Connected {
            server: server.clone(),
            protocol: "2025-11-25".to_owned(),
            software: None,
            tools,
            warnings: Vec::new(),
            announced: 1,
        })
    };
    let result = relisted(tools);
    session
        .tell(Msg::Connected { id, result })
        .shows("brand_new")
        .shows("▸ repo/get file")
        .shows("the server has changed its tools");
    let late = relisted(Vec::new());
    session.tell(Msg::Connected { id, result: late });
    session.shows("brand_new");
    let Some(Effect::FollowTools { id, announced, .. }) = session.followed.clone() else {
        panic!("nothing follows the tools")
    };
    assert_eq!(announced, Some(1));
    let result = relisted(vec![tool("brand_new", "")]);
    session
        .tell(Msg::Connected { id, result })
        .shows("this server has no tool rollout_status");
}

#[test]
fn t8_after_a_reconnect_the_tools_are_listed_again() {
    use stakeout::wait::Note;
    let mut session = Session::start();
    session.keys("r").round(1).sample(1, 0, &rollout(0));
    let before = session.followed.clone();
    session.note(2, Note::Reconnected);
    let Some(Effect::FollowTools { announced, .. }) = &session.followed else {
        panic!("nothing follows the tools")
    };
    assert_eq!(*announced, None);
    assert_ne!(session.followed, before);
}

#[test]
fn the_focused_pane_is_told_without_colours() {
    let look = stakeout::tui::look::Look {
        theme: stakeout::tui::look::Theme::Mono,
        unicode: false,
    };
    let mut session = Session::with(look, (80, 24), servers());
    let reversed = |session: &mut Session| -> Vec<String> {
        let buffer = session.buffer();
        let title = |y: u16| -> String {
            let cells = (0..80).map(|x| &buffer[(x, y)]);
            let marked = cells.filter(|cell| cell.modifier.contains(Modifier::REVERSED));
            marked.map(|cell| cell.symbol()).collect()
        };
        let rows = (1..23).map(title);
        rows.map(|title| title.trim().to_owned())
            .filter(|title| !title.is_empty())
            .collect()
    };
    assert_eq!(reversed(&mut session), ["Tool"]);
    session.keys("Tab");
    assert_eq!(reversed(&mut session), ["Arguments"]);
    session.keys("to-kind");
    assert_eq!(reversed(&mut session), ["Until", "(*) matches"]);
    // Its frame is whole: bold all around, nothing of it dim like its neighbours'.
    let buffer = session.buffer();
    let title = (1..23).find(|y| buffer[(2, *y)].symbol() == "U").unwrap();
    for place in [
        (0, title),
        (40, title),
        (79, title),
        (0, title + 1),
        (40, title + 4),
    ] {
        let modifier = buffer[place].modifier;
        assert!(modifier.contains(Modifier::BOLD), "{place:?}");
        assert!(!modifier.contains(Modifier::DIM), "{place:?}");
    }
    assert_eq!(session.model.bench.focus, Focus::Kind);
    session.keys("to-preview");
    assert_eq!(reversed(&mut session), ["Preview"]);
}

#[test]
fn nothing_moves_beside_what_a_wait_is_doing() {
    let mut session = Session::start();
    session.keys("r").round(1);
    let place = |session: &mut Session| {
        let screen = session.screen();
        let line = screen.lines().find(|line| line.contains("every 1 s"));
        line.and_then(|line| line.find("every")).unwrap()
    };
    session.sample(1, 0, &rollout(0));
    let asleep = place(&mut session);
    session.told(stakeout::wait::Event::SampleStarted {
        sample: 2,
        at_ms: crate::harness::millis(1000),
    });
    assert_eq!(place(&mut session), asleep);
}

#[test]
fn u4_why_a_connection_failed_can_be_scrolled() {
    let cause: String = (0..40)
        .map(|line| format!("stderr line {line}\n"))
        .collect();
    let mut session = Session::start();
    session.connects = Some(Err(WaitError::ServerUnavailable {
        server: "cluster".to_owned(),
        step: "starting".to_owned(),
        cause,
    }));
    session
        .keys("Enter Shift-Tab j j Enter")
        .shows("is not available")
        .hides("stderr line 39")
        .hides("Enter choose")
        .keys("G")
        .shows("stderr line 39")
        .keys("g")
        .shows("is not available");
    session.connects = Some(Ok(demo_tools()));
    session.keys("Shift-Tab Enter").shows("build_status");
}

#[test]
fn a_call_in_a_larger_text_is_loaded_and_it_is_said_where_it_was() {
    let mut session = Session::start();
    let event = json!({ "params": { "name": "wait_for", "arguments": call().to_string() } });
    let trace = format!("{}\nsent {event}\n", json!({ "level": "info" }));
    session.tell(Msg::Paste(trace.clone()));
    resolved(&mut session, Ok("demo"), None);
    session.shows("loaded, found at params.arguments of line 2; r runs it");
    session.keys("to-json").tell(Msg::Paste(trace));
    session
        .shows("A whole call")
        .shows("It was found at params.arguments of line 2.");
}
