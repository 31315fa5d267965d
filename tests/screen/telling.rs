//! What the Bench tells, and in which words.

use std::sync::Arc;

use serde_json::json;

use crate::harness::{Session, rollout, tool};

#[test]
fn an_empty_condition_is_one_hint_and_says_what_to_write() {
    let mut session = Session::start();
    session.keys("t").tried(&rollout(1), false);
    session
        .keys("to-kind → → Tab")
        .shows("say for how long, such as 10s");
    let faults = |session: &Session| session.model.bench.assessment.faults.len();
    assert_eq!(faults(&session), 1);
    session
        .keys("Ctrl-R")
        .shows("can't run: no condition yet: say for how long");
    session
        .hides("no valid")
        .hides("empty")
        .hides("can't be used");
    session
        .keys("Shift-Tab ← ← Tab Ctrl-U")
        .shows("no condition yet: write a pattern");
    assert_eq!(faults(&session), 1);
    session.hides("no valid").hides("can't be used");
}

#[test]
fn a_long_budget_is_advised_in_the_words_of_the_screen() {
    let mut session = Session::start();
    session.keys("to-max-wait Ctrl-U").types("10m");
    session
        .shows("600 s clamped to 300 s; set rounds to 2, under more")
        .hides("--rounds");
    session.keys("Esc m Enter to-rounds").types("2");
    session
        .shows("rounds 2")
        .shows("600 s clamped to 300 s in each of 2 rounds");
}

#[test]
fn a_preview_of_other_arguments_says_so() {
    let mut session = Session::start();
    session
        .keys("t")
        .tried(&rollout(1), false)
        .hides("changed since");
    session
        .keys("to-json")
        .types(" ")
        .hides("changed since")
        .types("x");
    session
        .shows("try 1 · arguments changed since")
        .keys("Backspace");
    session.hides("changed since");
    session
        .keys("↓ Ctrl-K Ctrl-T")
        .tried(&rollout(1), false)
        .hides("changed since");
}

#[test]
fn what_is_folded_away_is_named_where_it_is_set() {
    let mut session = Session::start();
    session
        .shows("more: fail when")
        .keys("/")
        .types("flaky")
        .keys("Enter m");
    session.shows("▸ more: retries ").hides("probe timeout");
}

#[test]
fn arguments_have_room_while_they_are_typed() {
    let mut session = Session::start();
    session.keys("to-json");
    for line in 1..=7 {
        session.types(&format!("\"line{line}\"")).keys("Enter");
    }
    session.keys("↑ ↑ ↑ ↑ ↑ ↑ ↑");
    session
        .shows("\"line1\"")
        .shows("\"line7\"")
        .shows("\"replicas\"");
}

#[test]
fn the_help_on_a_list_tells_of_the_tool_in_full() {
    let mut session = Session::start();
    let mut long = tool("long", &"word ".repeat(60));
    long.description.as_mut().unwrap().push_str("the end");
    long.input_schema = json!({
        "properties": { "id": { "type": "string", "description": "Which one" } },
        "required": ["id"],
    });
    session.connects = Some(Ok(vec![long]));
    session.keys("Enter Shift-Tab j j Enter ?");
    session
        .shows("the end")
        .shows("id: string, required. Which one");
    session
        .keys("G")
        .shows("load the whole call that was pasted");
    session.keys("Esc Esc Tab F1").hides("word word");
}

#[test]
fn the_help_is_searched() {
    let mut session = Session::start();
    session
        .keys("? /")
        .types("sample before")
        .shows("/sample before");
    session.shows("← [").shows("Watch").hides("run the wait");
    session.keys("Enter j").hides("run the wait");
    session.keys("/ Esc").shows("run the wait").hides("/sample");
    session
        .keys("/")
        .types("zzz")
        .shows("no line holds that")
        .keys("F1")
        .hides("Keys");
}

#[test]
fn a_budget_of_twelve_characters_is_seen_whole() {
    let mut session = Session::start();
    session.keys("to-poll Ctrl-U").types("123456789012");
    session
        .shows("poll 123456789012")
        .keys("Tab Ctrl-U")
        .types("210987654321");
    session.shows("max wait 210987654321");
}

#[test]
fn u23_output_is_never_taken_for_markup() {
    let text = "[red]ready[/red] <b>bold</b> **web** `3/3` [link](http://x) &amp; {{ tab }} %s";
    let mut session = Session::at(120, 36);
    session.keys("t").tried(text, false).shows(text);
    session.keys("r").round(1).sample(1, 0, &Arc::from(text));
    session.shows(text);
}
