//! A server asks the operator something while it works on a call.

use serde_json::{Value, json};
use stakeout::mcp::{Elicitation, Wanted};
use stakeout::tui::asking::Said;
use stakeout::tui::message::{Effect, Msg};

use crate::harness::{Session, picture, pictures, rollout};

fn asks(session: &mut Session, number: u64, wanted: Wanted) {
    let elicitation = Elicitation {
        server: "demo".to_owned(),
        message: "Which rollout shall be watched, and how many replicas are enough?\u{1b}[2J"
            .to_owned(),
        wanted,
    };
    let elicitation = Box::new(elicitation);
    session.tell(Msg::Asked {
        number,
        elicitation,
    });
}

fn form() -> Wanted {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "Its name" },
            "replicas": { "type": "integer", "minimum": 1, "default": 3 },
        },
        "required": ["name"],
    });
    Wanted::Form { schema }
}

fn schema() -> Option<Value> {
    match form() {
        Wanted::Form { schema } => Some(schema),
        Wanted::Visit { .. } => None,
    }
}

fn sampling(columns: u16, rows: u16) -> Session {
    let mut session = Session::at(columns, rows);
    session.keys("r").round(1).sample(1, 0, &rollout(0));
    session
}

#[test]
fn e1_a_question_with_fields_at_every_size() {
    for (columns, rows) in [(60, 16), (80, 24), (120, 36), (200, 60)] {
        let mut session = sampling(columns, rows);
        asks(&mut session, 1, form());
        picture!(format!("asked_{columns}x{rows}"), session);
    }
}

#[test]
fn e1_an_answer_is_typed_checked_and_sent_while_the_budget_runs_on() {
    let mut session = sampling(80, 24);
    asks(&mut session, 1, form());
    assert_eq!(*session.last(), Effect::Ring);
    session.at_second(2.0).keys("Enter").shows("Ctrl-S accept");
    session.keys("↓ End").types(" ").keys("Ctrl-S");
    let Effect::Answer {
        number: 1,
        said: Said::Accept,
        text,
        schema: asked,
    } = session.last().clone()
    else {
        panic!("{:?}", session.last())
    };
    assert!(text.contains("\"replicas\": 3"), "{text}");
    assert_eq!(*asked, schema());
    session.shows("sending …").keys("Ctrl-S");
    let problem = "line 2, column 12: control character".to_owned();
    session.tell(Msg::Answered {
        number: 1,
        result: Err(problem),
    });
    session.shows("line 2, column 12").shows("demo asks");
    session.keys("Esc A");
    session.tell(Msg::Answered {
        number: 1,
        result: Ok(()),
    });
    session.hides("demo asks").shows("the answer was sent");
    session.at_second(3.0).shows("1:57 left");
}

#[test]
fn e1_a_question_is_declined_or_put_away_but_not_by_a_key_meant_for_something_else() {
    for (key, said, words) in [
        ("D", Said::Decline, "was declined"),
        ("Esc", Said::Cancel, "was put away"),
        ("Ctrl-C", Said::Cancel, "was put away"),
    ] {
        let mut session = sampling(80, 24);
        asks(&mut session, 1, form());
        session
            .keys(key)
            .shows("demo asks")
            .at_second(1.0)
            .keys(key);
        session.hides("demo asks").shows(words);
        let Effect::Answer { said: answered, .. } = session.last() else {
            panic!("{:?}", session.last())
        };
        assert_eq!(*answered, said);
    }
}

#[test]
fn e1_a_question_goes_away_with_the_sample_that_asked() {
    let mut session = sampling(80, 24);
    asks(&mut session, 1, form());
    asks(&mut session, 2, form());
    session.tell(Msg::Withdrawn { number: 1 });
    session.shows("demo asks").shows("its question is gone");
    session.tell(Msg::Withdrawn { number: 2 });
    session.hides("demo asks").shows("next in 1 s");
    let asked = session.asked.len();
    session.tell(Msg::Answered {
        number: 2,
        result: Ok(()),
    });
    session.hides("the answer was sent");
    assert_eq!(session.asked.len(), asked);
}

#[test]
fn an_address_is_shown_and_never_opened() {
    let mut session = sampling(80, 24);
    let url = "https://accounts.example/authorize?state=a\u{202e}b".to_owned();
    asks(&mut session, 1, Wanted::Visit { url });
    session.shows("https://accounts.example/authorize?state=a‹202E›b");
    session
        .hides("types the answer")
        .keys("Enter")
        .at_second(1.0);
    pictures!("asked_to_visit", session);
    session.keys("A");
    assert!(matches!(
        session.last(),
        Effect::Answer { said: Said::Accept, schema, .. } if schema.is_none()
    ));
}
