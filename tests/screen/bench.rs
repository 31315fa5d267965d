//! Sessions on the Bench.

use std::sync::Arc;

use serde_json::json;
use stakeout::tui::bench::Focus;
use stakeout::tui::draft::Input;
use stakeout::tui::message::{Effect, Msg};
use stakeout::wait::{Note, WaitError};

use crate::harness::{Session, demo_tools, rollout, servers, tool};

#[test]
fn a_first_start_has_the_rollout_filled_in_and_one_key_runs_it() {
    let mut session = Session::start();
    session
        .shows("demo ▸ rollout_status")
        .shows(r"(?m)^web\s+3/3")
        .keys("r");
    let Effect::StartWait {
        server,
        call,
        rounds,
        ..
    } = session.last()
    else {
        panic!("{:?}", session.asked)
    };
    assert_eq!(
        (server.as_str(), call.tool(), *rounds),
        ("demo", "rollout_status", 1)
    );
    session.shows("until matches");
}

#[test]
fn a_run_that_is_asked_for_before_anything_is_judged_starts_as_soon_as_it_is() {
    let mut session = Session::start();
    session.keys("to-json").judges = false;
    session.types(" ");
    let judged = session.asked.last().cloned();
    let Some(Effect::Assess {
        id, draft, schema, ..
    }) = judged
    else {
        panic!("{judged:?}")
    };
    session.keys("Ctrl-R");
    assert!(session.model.watched.is_none());
    let found = stakeout::tui::assess::assess(&draft, schema.as_deref(), None, &|| true);
    session.tell(Msg::Assessed {
        id,
        assessment: Box::new(found),
    });
    assert!(matches!(session.last(), Effect::StartWait { .. }));
}

#[test]
fn a_slow_connect_leaves_every_key_answering() {
    let mut session = Session::start();
    session.connects = None;
    session
        .keys("Enter Shift-Tab R")
        .at_second(12.4)
        .shows("connecting, 12 s");
    session.keys("to-json").types("x").shows("x{");
    session.keys("Ctrl-C").shows("connecting was stopped");
    assert!(matches!(session.last(), Effect::Abandon { .. }));
}

#[test]
fn a_tool_is_picked_by_a_fuzzy_filter() {
    let mut session = Session::start();
    session
        .keys("Enter")
        .shows("Tools of demo")
        .keys("/")
        .types("jlg")
        .shows("/jlg");
    session
        .hides("build_status")
        .keys("Enter")
        .shows("demo ▸ job_logs")
        .hides("Tools of demo");
    assert_eq!(
        session.model.bench.target.as_ref().unwrap().tool,
        "job_logs"
    );
}

#[test]
fn escape_clears_a_filter_and_enter_keeps_it() {
    let mut session = Session::start();
    session
        .keys("Enter /")
        .types("stat")
        .keys("Enter")
        .hides("job_logs")
        .shows("/stat");
    session.keys("/ Esc").shows("job_logs").hides("/stat");
}

#[test]
fn u2_letters_are_text_only_where_one_types() {
    let mut session = Session::start();
    session.keys("Enter /").types("r t q1?").shows("/r t q1?");
    assert!(session.model.watched.is_none() && session.model.layers.is_empty());
    session.keys("Esc Esc to-json").types("r").shows("r{");
    session.keys("Esc r").shows("can't run: line 1, column 1");
}

#[test]
fn f20_any_tool_name_can_be_run() {
    let mut session = Session::start();
    session
        .keys("Enter /")
        .types("repo/")
        .keys("Enter")
        .shows("demo ▸ repo/get file");
    session.keys("to-pattern").types("done").keys("Ctrl-R");
    let Effect::StartWait { call, .. } = session.last() else {
        panic!("{:?}", session.last())
    };
    assert_eq!(call.tool(), "repo/get file");
}

#[test]
fn f18_drafts_are_kept_by_server_and_tool() {
    let mut session = Session::start();
    session.keys("to-pattern").types("EDITED").keys("Esc Esc");
    session
        .keys("Enter /")
        .types("build")
        .keys("Enter")
        .hides("EDITED");
    session
        .keys("Enter /")
        .types("rollout")
        .keys("Enter")
        .shows("EDITED");
    session.keys("Enter Shift-Tab R Esc").shows("EDITED");
}

#[test]
fn an_empty_pattern_is_no_condition_yet_and_cannot_be_run() {
    let mut session = Session::start();
    session
        .keys("to-pattern Ctrl-U")
        .shows("no condition yet: write a pattern");
    session.keys("Ctrl-R").shows("can't run: no condition yet");
    assert!(session.model.watched.is_none());
}

#[test]
fn refusals_stand_beside_their_field_as_one_types() {
    let mut session = Session::start();
    session
        .keys("to-pattern")
        .types("(")
        .shows("unclosed group");
    session
        .keys("Backspace Tab Ctrl-U")
        .types("3m")
        .shows("poll_sec 180 is not below the bound");
    session
        .keys("Ctrl-U")
        .types("0")
        .shows("poll_sec is 0; it must be at least 1");
    session
        .keys("Ctrl-U")
        .types("5x")
        .shows("\"5x\" is no duration");
    session.keys("Ctrl-R").shows("can't run");
    assert!(session.model.watched.is_none());
}

#[test]
fn arguments_are_checked_as_one_types() {
    let mut session = Session::start();
    session
        .keys("to-json")
        .types("x")
        .shows("line 1, column 1")
        .keys("Ctrl-R")
        .shows("can't run");
    session.keys("Backspace");
    for _ in 0..100 {
        session.keys("Ctrl-D");
    }
    session
        .types(r#"{"replicas": "three"}"#)
        .shows("/replicas")
        .keys("Ctrl-R");
    assert!(
        session.model.watched.is_some(),
        "a schema's complaint is a warning"
    );
}

#[test]
fn a_try_shows_the_output_and_what_it_would_mean() {
    let mut session = Session::start();
    session.keys("t");
    let Effect::Try {
        server, tool, args, ..
    } = session.last()
    else {
        panic!()
    };
    assert_eq!((server.as_str(), tool.as_str()), ("demo", "rollout_status"));
    assert_eq!(args["deployment"], json!("web"));
    session.at_second(2.2).shows("trying, 2 s");
    session
        .tried(&rollout(1), false)
        .shows("web         1/3")
        .shows("would go on: no match");
    session
        .keys("t")
        .tried(&rollout(3), false)
        .shows("would stop now: matched")
        .shows("try 2");
}

#[test]
fn the_preview_is_judged_at_every_key() {
    let mut session = Session::start();
    session
        .keys("t")
        .tried(&rollout(1), false)
        .keys("to-pattern Ctrl-U")
        .shows("no condition yet");
    session.types("web").shows("would stop now: matched");
    let marked = session.model.bench.assessment.highlights.until.clone();
    assert_eq!(marked, [41..44]);
    session.types("(").shows("the condition can't be used");
}

#[test]
fn a_tool_error_proves_no_absence() {
    let mut session = Session::start();
    session
        .keys("to-kind → t")
        .tried("Tool returned an error: NotFound", true);
    session.shows("would go on: an error is no proof");
}

#[test]
fn a_failed_try_says_why_and_a_late_answer_is_dropped() {
    let mut session = Session::start();
    session.keys("t");
    let Effect::Try { id, .. } = *session.last() else {
        panic!()
    };
    let error = WaitError::ProbeFailed {
        tool: "rollout_status".to_owned(),
        sample: 1,
        cause: "the server ended with exit code 3\nlast words: \u{1b}[31mboom".to_owned(),
    };
    session.keys("Ctrl-C").shows("the try was stopped");
    session
        .tell(Msg::Tried {
            id,
            result: Err(error.clone()),
        })
        .hides("boom");
    session.keys("t");
    let Effect::Try { id, .. } = *session.last() else {
        panic!()
    };
    session.tell(Msg::Tried {
        id,
        result: Err(error),
    });
    session.shows("the try failed").shows("␛[31mboom");
}

#[test]
fn progress_of_a_try_is_shown_beside_it() {
    let mut session = Session::start();
    session.keys("t");
    let Effect::Try { id, .. } = *session.last() else {
        panic!()
    };
    let message = Some("pulling \u{202e}image".to_owned());
    let note = Note::Progress {
        progress: 3.0,
        total: Some(10.0),
        message,
    };
    session
        .tell(Msg::TryNote { id, note })
        .shows("███─────── 3 of 10: pulling ‹202E›image");
}

#[test]
fn a_suggestion_with_extensions_unfolds_them() {
    let mut session = Session::start();
    session.keys("Enter /").types("flaky").keys("Enter");
    assert!(session.model.bench.more, "flaky_status needs retries");
    session.shows("retries");
    session.keys("r");
    let Effect::StartWait { call, .. } = session.last() else {
        panic!("{:?}", session.last())
    };
    assert!(call.retry_errors() > 0);
}

#[test]
fn more_fields_are_reached_by_tab_and_by_a_letter() {
    let mut session = Session::start();
    session
        .hides("probe timeout")
        .keys("m")
        .shows("probe timeout")
        .shows("tool errors");
    session.keys("to-fail-when").types("lost").keys("Ctrl-R");
    let Effect::StartWait { call, .. } = session.last() else {
        panic!("{:?}", session.last())
    };
    assert_eq!(call.fail_when().unwrap().source(), "lost");
}

#[test]
fn an_untrusted_server_is_asked_about_before_it_is_used() {
    let mut session = Session::start();
    session.keys("Enter Shift-Tab j Enter");
    session
        .shows("Trust this server?")
        .shows("npx -y ci-server --token ${CI_TOKEN}");
    let connects = |session: &Session| {
        let ci =
            |effect: &&Effect| matches!(effect, Effect::Connect { server, .. } if server == "ci");
        session.asked.iter().filter(ci).count()
    };
    session.keys("Enter").shows("Trust this server?").keys("n");
    assert_eq!(connects(&session), 0);
    session.keys("Enter y");
    let Effect::Approve {
        id,
        ref server,
        ref fingerprint,
    } = *session.last()
    else {
        panic!("{:?}", session.last())
    };
    let shown = session.model.bench.servers[1].approval.as_ref();
    assert_eq!(server, "ci");
    assert_eq!(*fingerprint, shown.unwrap().fingerprint);
    let mut rows = servers();
    rows[1].approval = None;
    session.tell(Msg::Approved {
        id,
        result: Ok(rows),
    });
    assert_eq!(connects(&session), 1);
    session.shows("Tools of ci");
}

#[test]
fn the_question_of_trust_waits_for_who_types() {
    let mut session = Session::start();
    session.connects = None;
    session.keys("Enter Shift-Tab j j Enter");
    let Effect::Connect { id, .. } = *session.last() else {
        panic!("{:?}", session.last())
    };
    session.keys("to-pattern").types("read");
    session.tell(Msg::Connected {
        id,
        result: Err(WaitError::UntrustedServer {
            server: "cluster".to_owned(),
            would_run: "npx cluster".to_owned(),
            origin: "./.mcp.json".to_owned(),
            fingerprint: "1f".into(),
        }),
    });
    session.hides("Trust this server?").shows("Enter on it");
    session.types("y");
    let approves = |effect: &Effect| matches!(effect, Effect::Approve { .. });
    assert!(!session.asked.iter().any(approves));
    session.keys("Esc Esc Enter Enter");
    session.shows("Trust this server?").keys("y");
    assert!(approves(session.last()));
}

#[test]
fn a_destructive_tool_is_asked_about_once() {
    let mut session = Session::start();
    let mut drop_table = tool("drop_table", "Drops it");
    drop_table.destructive = Some(true);
    session.connects = Some(Ok(vec![drop_table]));
    session
        .keys("Enter Shift-Tab j j Enter Enter")
        .shows("cluster ▸ drop_table");
    session.keys("t").shows("destructiveHint").keys("n");
    assert!(
        !session
            .asked
            .iter()
            .any(|effect| matches!(effect, Effect::Try { .. }))
    );
    session.keys("t y");
    assert!(matches!(session.last(), Effect::Try { .. }));
    session
        .tried("gone", false)
        .keys("to-pattern")
        .types("gone")
        .keys("Ctrl-R");
    assert!(matches!(session.last(), Effect::StartWait { .. }));
}

#[test]
fn a_try_of_another_tool_is_stopped_when_one_is_chosen() {
    let mut session = Session::start();
    session.keys("t");
    let Effect::Try { id, .. } = *session.last() else {
        panic!("{:?}", session.last())
    };
    session.keys("Enter k Enter").shows("demo ▸ build_status");
    assert_eq!(*session.last(), Effect::Abandon { id });
}

#[test]
fn r13_a_failed_list_looks_unlike_an_empty_one() {
    let mut session = Session::start();
    session.connects = Some(Ok(vec![]));
    session
        .keys("Enter Shift-Tab j j Enter")
        .shows("The server has no tools.");
    session.connects = Some(Err(WaitError::ServerUnavailable {
        server: "cluster".to_owned(),
        step: "starting".to_owned(),
        cause: "no such program".to_owned(),
    }));
    session
        .keys("Shift-Tab R")
        .hides("The server has no tools.")
        .shows("no such program");
}

#[test]
fn a_paste_goes_where_one_types_and_nowhere_else() {
    let mut session = Session::start();
    session.tell(Msg::Paste("rq\n".to_owned()));
    assert!(session.model.watched.is_none());
    session.shows("a paste goes into a field");
    session
        .keys("to-pattern Ctrl-U")
        .tell(Msg::Paste("a\nb\r\nq".to_owned()))
        .shows("a b q");
}

#[test]
fn escape_steps_back_and_enter_takes_typing_up_again() {
    let mut session = Session::start();
    session.keys("to-pattern").shows("typing");
    assert!(session.cursor().is_some());
    session.keys("Esc").hides(" typing ");
    assert!(session.cursor().is_none());
    assert_eq!(session.model.bench.focus, Focus::Text(Input::Pattern));
    session.keys("Enter").types("Z").shows("3/3Z");
    session.keys("Enter").hides(" typing ").keys("Esc");
    assert_eq!(session.model.bench.focus, Focus::Tools);
    session.keys("Esc Esc Esc").shows("1 Bench");
    assert!(!session.asked.contains(&Effect::Quit));
}

#[test]
fn u7_u8_u10_what_a_server_says_keeps_the_borders_straight() {
    let mut session = Session::start();
    let mut tools = demo_tools();
    tools.push(tool(
        "evil\u{1b}]0;owned\u{7}\u{202e}\ttool",
        "状态\r\n✅\u{301} e\u{301}",
    ));
    session.connects = Some(Ok(tools));
    session.keys("Enter Shift-Tab R Tab G Enter");
    let text = "a\tb\u{1b}]0;owned\u{7}\r\n状态完成状态完成\u{200b}\n✅\u{301}\u{301}";
    session.keys("t").tried(text, false);
    let buffer = session.buffer();
    for y in 0..24 {
        for x in 0..80 {
            let symbol = buffer[(x, y)].symbol();
            assert!(!symbol.chars().any(char::is_control), "{symbol:?}");
            assert!(!symbol.contains(['\u{202e}', '\u{200b}']), "{symbol:?}");
        }
    }
    for row in session.screen().lines().filter(|row| row.starts_with('│')) {
        assert!(row.ends_with('│'), "{row}");
    }
}

#[test]
fn a_huge_line_scrolls_at_once() {
    let mut session = Session::start();
    let line: Arc<str> = Arc::from("0123456789abcdef".repeat(16 * 1024));
    session.keys("t").tried(&line, false);
    session
        .keys("Shift-Tab")
        .shows("1-")
        .keys("G")
        .shows("of 3450");
    session.keys("w").shows("›").hides("of 3450");
}

#[test]
fn c3_what_is_wrong_with_a_configuration_hides_no_server() {
    let problems = [
        "mcp.json:3: server \"x\" has no command".to_owned(),
        "second".to_owned(),
    ];
    let mut session = Session::with_problems((120, 36), &problems);
    session
        .shows("? tells 2 problems: mcp.json:3: server \"x\" has no command")
        .shows("second")
        .shows("cluster");
    session.keys("r").shows("until matches");
}

#[test]
fn whoever_moves_by_letters_types_nothing_on_the_way() {
    let mut session = Session::start();
    session.keys("to-kind j");
    assert_eq!(session.model.bench.focus, Focus::Text(Input::Pattern));
    let before = session.model.bench.draft.field(Input::Pattern).text();
    session.keys("j k");
    let after = session.model.bench.draft.field(Input::Pattern).text();
    assert_eq!(before, after);
    // By Tab and arrows one types at once.
    session.keys("Shift-Tab Tab").types("x");
    let typed = session.model.bench.draft.field(Input::Pattern).text();
    assert_eq!(typed, format!("{before}x"));
}

#[test]
fn a_run_that_is_refused_leads_to_the_field_that_is_wrong() {
    let mut session = Session::start();
    session.keys("to-poll Ctrl-U").types(r"5\d");
    session.keys("Esc to-kind r");
    session.shows(r#"can't run: "5\d" is no duration"#);
    assert_eq!(session.model.bench.focus, Focus::Text(Input::Poll));
    session.keys("Ctrl-U Esc m to-fail-when").types("[");
    // Folded away, it is shown again.
    session
        .keys("Esc to-kind m")
        .hides("fail when  [")
        .keys("r");
    assert_eq!(session.model.bench.focus, Focus::Text(Input::FailWhen));
    session.shows("fail when  [").keys("Ctrl-U to-form Tab");
    session.types(".").keys("PgDn Ctrl-R");
    assert_eq!(session.model.bench.focus, Focus::Argument(1));
}
