//! What is written for a tool is there again, at the next start as well.

use serde_json::Value;
use stakeout::tui::draft::{Draft, Input};
use stakeout::tui::message::Effect;
use stakeout::tui::model::Model;
use stakeout::tui::update::farewell;

use crate::harness::{COLOUR, Session, rollout, servers};

/// The screen as it opens after another one that kept these drafts.
fn reopened(drafts: &[(String, Option<Value>)]) -> Session {
    let mut model = Model::new(COLOUR, (80, 24), servers(), &[]);
    let key = |tool: &String| ("demo".to_owned(), tool.clone());
    let drafts = drafts.iter().filter_map(|(tool, draft)| {
        let draft = draft.as_ref()?;
        Some((key(tool), Draft::of_written(draft)))
    });
    model.bench.remember(drafts);
    Session::of(model)
}

fn pattern(session: &Session) -> String {
    session.model.bench.draft.field(Input::Pattern).text()
}

#[test]
fn f18_what_was_written_is_there_at_the_next_start_unusable_texts_too() {
    let mut session = Session::start();
    session.keys("Tab Ctrl-U").types("x(");
    let written = pattern(&session);
    let effects = farewell(&mut session.model);
    session.perform(effects);
    let drafts = session.drafts.clone();
    assert_eq!(drafts.len(), 1);
    let mut again = reopened(&drafts);
    assert_eq!(pattern(&again), written);
    let args = |session: &Session| session.model.bench.draft.field(Input::Arguments).text();
    assert_eq!(args(&again), args(&session));
    // Nothing else was contacted for it.
    again.keys("?");
    let demo =
        |effect: &Effect| matches!(effect, Effect::Connect { server, .. } if server == "demo");
    assert!(again.asked.iter().all(demo));
}

#[test]
fn f18_a_draft_is_kept_when_it_is_run_tried_and_left() {
    let mut session = Session::start();
    session.keys("t").tried(&rollout(1), false);
    assert_eq!(session.drafts, [("rollout_status".to_owned(), None)]);
    session.keys("Tab Ctrl-E").types("x").keys("Esc Esc / ");
    session.types("job").keys("Enter");
    let left = &session.drafts;
    let (tool, draft) = left.last().unwrap();
    assert_eq!(tool, "rollout_status");
    assert!(draft.is_some(), "{left:?}");
    session.keys("r");
    assert_eq!(session.drafts.last().unwrap().0, "job_logs");
}

#[test]
fn a_draft_is_begun_afresh_and_brought_back() {
    let mut session = Session::start();
    let begun = pattern(&session);
    session.keys("A").shows("it is as it began");
    session
        .model
        .bench
        .draft
        .field_mut(Input::Pattern)
        .paste("more");
    session.keys("A").shows("A brings back what was written");
    assert_eq!(pattern(&session), begun);
    session.keys("A").shows("what was written is back");
    assert_eq!(pattern(&session), format!("{begun}more"));
    // What is as it began needs no memory.
    session.keys("A");
    let last = farewell(&mut session.model);
    assert!(matches!(&last[..], [Effect::KeepDraft { draft: None, .. }]));
}

#[test]
fn what_was_typed_is_undone() {
    let mut session = Session::start();
    session.keys("Esc /").types("queue");
    session.keys("Ctrl-7").shows("/queu");
    session.keys("Ctrl-_").shows("/que");
}
