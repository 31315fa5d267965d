//! Copying: what each key means, and what is said of it.

use std::sync::Arc;

use serde_json::{Value, json};
use stakeout::app::CopyOf;
use stakeout::tui::message::{Copied, Effect, Msg};
use stakeout::wait::{Reason, WaitError, WaitFailure};

use crate::harness::{Session, picture, rollout};
use crate::pictures::SIZES;

fn watching() -> Session {
    let mut session = Session::start();
    session.keys("r").round(1);
    session
        .sample(1, 0, &rollout(0))
        .sample(2, 1000, &rollout(1));
    session
}

fn copy(session: &Session) -> &CopyOf {
    match session.last() {
        Effect::Copy(what) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_output_in_view_is_copied_whole() {
    let mut session = watching();
    session.keys("y").shows(" copy  o output  r result");
    session.keys("o").hides(" copy  o output");
    assert_eq!(*copy(&session), CopyOf::Output(rollout(1)));
    session.keys("[ y o");
    assert_eq!(*copy(&session), CopyOf::Output(rollout(0)));
}

#[test]
fn u4_the_text_in_view_is_copied_whatever_it_is() {
    let mut session = watching();
    let raw = json!({ "content": [{ "type": "text", "text": "web 1/3" }] });
    session.results.insert(2, raw.clone());
    session.keys("v v");
    session.shows("raw").keys("y o");
    let CopyOf::Output(text) = copy(&session) else {
        panic!("{:?}", session.last())
    };
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), raw);
    session.failed(3, 2000, "connection reset by peer");
    session.keys("y o");
    let expected = CopyOf::Output(Arc::from("connection reset by peer"));
    assert_eq!(*copy(&session), expected);
}

#[test]
fn u4_why_a_wait_or_a_try_brought_nothing_is_copied() {
    let error = || WaitError::ServerUnavailable {
        server: "demo".to_owned(),
        step: "starting".to_owned(),
        cause: "no such program".to_owned(),
    };
    let says_why = |session: &Session| matches!(copy(session), CopyOf::Output(text) if text.contains("no such program"));
    let mut session = Session::start();
    session.keys("t");
    let Effect::Try { id, .. } = *session.last() else {
        panic!("{:?}", session.last())
    };
    let result = Err(error());
    session.tell(Msg::Tried { id, result }).keys("y o");
    assert!(says_why(&session));
    session.keys("r");
    session.ends(Err(WaitFailure::before_the_first_sample(error())));
    session.keys("y o");
    assert!(says_why(&session));
}

#[test]
fn the_result_is_copied_once_there_is_one() {
    let mut session = watching();
    session.keys("y r").shows("the wait has no result yet");
    session.ends_with(Reason::Matched, 5, 2, &rollout(3));
    session.keys("y r");
    let CopyOf::Answer(ending) = copy(&session) else {
        panic!("{:?}", session.last())
    };
    assert_eq!(ending.as_ref().as_ref().unwrap().samples, 2);
}

#[test]
fn the_command_line_and_the_call_are_those_of_the_wait() {
    let mut session = watching();
    session.keys("y c");
    let CopyOf::CommandLine { server, call, .. } = copy(&session) else {
        panic!("{:?}", session.last())
    };
    assert_eq!((server.as_str(), call.tool()), ("demo", "rollout_status"));
    session.keys("y a");
    assert!(matches!(copy(&session), CopyOf::AgentsCall(_)));
}

#[test]
fn any_other_key_copies_nothing_and_escape_goes_back() {
    let mut session = watching();
    let asked = session.asked.len();
    session.keys("y x z Esc").hides(" copy  o output");
    assert_eq!(session.asked.len(), asked);
    session.shows("following").keys("x").shows("stopping");
}

#[test]
fn in_the_list_the_wait_under_the_cursor_is_meant() {
    let mut session = watching();
    session.ends_with(Reason::Matched, 5, 2, &rollout(3));
    session
        .keys("r W k y")
        .shows("Waits")
        .keys("r")
        .shows("Waits");
    assert!(matches!(copy(&session), CopyOf::Answer(_)));
    session.keys("y ?").shows("copy the result of the wait");
}

#[test]
fn on_the_bench_the_preview_and_the_call_are_copied() {
    let mut session = Session::start();
    session.keys("y o").shows("t calls the tool once");
    session.keys("y r").shows("r runs it");
    session.keys("t").tried("hello", false).keys("y o");
    assert_eq!(*copy(&session), CopyOf::Output(Arc::from("hello")));
    session.keys("y c");
    assert!(matches!(copy(&session), CopyOf::CommandLine { .. }));
    session.keys("to-pattern Ctrl-U Esc y a");
    session.shows("can't copy: no condition yet");
}

#[test]
fn it_is_said_where_the_text_went() {
    let mut session = watching();
    let told = |session: &mut Session, result| {
        let name = "output";
        let variables = Vec::new();
        session.tell(Msg::Copied {
            name,
            variables,
            result,
        });
    };
    let encoded = "aGVsbG8=".to_owned();
    let bytes = 5;
    told(
        &mut session,
        Ok(Copied::Terminal {
            bytes,
            encoded: encoded.clone(),
        }),
    );
    assert_eq!(*session.last(), Effect::SetClipboard { encoded });
    session.shows("the output (5 bytes) was sent to the terminal's clipboard");
    told(&mut session, Ok(Copied::Tmux { bytes }));
    session.shows("the output (5 bytes) is in tmux's buffer");
    told(&mut session, Err("it is too long".to_owned()));
    session.shows("the output was not copied: it is too long");
}

#[test]
fn a1_it_is_said_which_secrets_were_left_out() {
    let mut session = watching();
    session.tell(Msg::Copied {
        name: "command line",
        variables: vec!["TOKEN".to_owned(), "X_KEY".to_owned()],
        result: Ok(Copied::Tmux { bytes: 5 }),
    });
    session.shows("set TOKEN, X_KEY before it runs; the command line");
}

#[test]
fn pictures_of_copying() {
    for (columns, rows) in SIZES {
        let mut session = watching();
        session.resize(columns, rows).keys("y");
        picture!(format!("copying_{columns}x{rows}"), session);
    }
}
