//! Copying: what each key means, and what is said of it.

use std::sync::Arc;

use stakeout::app::CopyOf;
use stakeout::tui::message::{Copied, Effect, Msg};
use stakeout::wait::Reason;

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
        session.tell(Msg::Copied { name, result });
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
fn pictures_of_copying() {
    for (columns, rows) in SIZES {
        let mut session = watching();
        session.resize(columns, rows).keys("y");
        picture!(format!("copying_{columns}x{rows}"), session);
    }
}
