//! The arguments in the operator's own editor, and what typing undoes.

use stakeout::tui::message::{Effect, Msg};

use crate::harness::Session;

fn opened(session: &Session) -> String {
    match session.last() {
        Effect::OpenEditor { text } => text.clone(),
        other => panic!("{other:?} opens no editor"),
    }
}

#[test]
fn f13_what_is_edited_comes_back_as_it_is() {
    let mut session = Session::start();
    session.keys("E");
    assert!(opened(&session).contains("\"deployment\": \"web\""));
    let text = r#"{"deployment": "1.", "pattern": "\\d", "not yet": }"#.to_owned();
    session.tell(Msg::Edited {
        result: Ok(text.clone()),
    });
    session.shows(&text).keys("Tab Ctrl-O");
    assert_eq!(opened(&session), text);
}

#[test]
fn an_editor_that_failed_says_so_and_changes_nothing() {
    let mut session = Session::start();
    session.keys("Tab Ctrl-O");
    let before = opened(&session);
    let why = "vi ended with exit code 1; the arguments are as they were".to_owned();
    session
        .tell(Msg::Edited {
            result: Err(why.clone()),
        })
        .shows(&why);
    session.keys("Ctrl-O");
    assert_eq!(opened(&session), before);
    session.tell(Msg::Edited { result: Ok(before) });
    session.shows("the arguments are as they were");
}
