//! What a draft amounts to, fault by fault.

#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

use std::time::Duration;

use super::*;

fn draft() -> DraftText {
    DraftText {
        server: "demo".to_owned(),
        tool: "rollout_status".to_owned(),
        argument_faults: Vec::new(),
        args: "{}".to_owned(),
        kind: Kind::Matches,
        pattern: "3/3".to_owned(),
        quiet: String::new(),
        poll: "1s".to_owned(),
        max_wait: "1m".to_owned(),
        fail_when: String::new(),
        tool_errors: ToolErrors::Guard,
        retry_errors: String::new(),
        probe_timeout: String::new(),
        ignore: String::new(),
        rounds: String::new(),
    }
}

fn judged(change: impl FnOnce(&mut DraftText)) -> Assessment {
    let mut draft = draft();
    change(&mut draft);
    assess(&draft, None, None, &|| true)
}

fn only_fault(change: impl FnOnce(&mut DraftText)) -> (Option<Input>, String) {
    let assessment = judged(change);
    assert_eq!(assessment.faults.len(), 1, "{:?}", assessment.faults);
    assert!(assessment.call.is_none());
    let fault = assessment.faults[0].clone();
    (fault.input, fault.message)
}

#[test]
fn a_good_draft_is_a_call() {
    let assessment = judged(|_| {});
    assert_eq!(assessment.faults, []);
    let call = assessment.call.unwrap();
    assert_eq!(
        (call.server(), call.tool()),
        (Some("demo"), "rollout_status")
    );
    assert_eq!(call.poll(), Duration::from_secs(1));
}

#[test]
fn an_empty_pattern_is_no_condition_yet() {
    let (input, message) = only_fault(|draft| draft.pattern.clear());
    assert_eq!(input, Some(Input::Pattern));
    assert!(message.contains("no condition yet"));
    assert_eq!(judged(|draft| draft.pattern.clear()).warnings, []);
    let (input, message) = only_fault(|draft| draft.kind = Kind::QuietFor);
    assert_eq!(input, Some(Input::Quiet));
    assert!(message.contains("no condition yet"));
}

#[test]
fn every_fault_stands_beside_its_field_in_the_words_of_the_contract() {
    let assessment = judged(|draft| {
        draft.args = "[".to_owned();
        draft.pattern = "(".to_owned();
        draft.poll = "0".to_owned();
        draft.max_wait = "soon".to_owned();
        draft.fail_when = "[".to_owned();
        draft.retry_errors = "1.".to_owned();
        draft.probe_timeout = "0".to_owned();
        draft.ignore = "*".to_owned();
        draft.rounds = "1001".to_owned();
    });
    let message = |input| {
        let mut faults = assessment.faults_of(Some(input));
        let message = faults.next().unwrap().message.clone();
        assert!(faults.next().is_none(), "{input:?} has two faults");
        message
    };
    message(Input::Arguments);
    assert!(message(Input::Pattern).contains("is no valid regex"));
    assert!(message(Input::Poll).contains("poll_sec is 0"));
    assert!(message(Input::MaxWait).contains("\"soon\" is no duration"));
    assert!(message(Input::FailWhen).contains("fail_when"));
    assert!(message(Input::RetryErrors).contains("\"1.\""));
    assert!(message(Input::ProbeTimeout).contains("probe_timeout_sec is 0"));
    assert!(message(Input::Ignore).contains("ignore"));
    assert!(message(Input::Rounds).contains("1 to 1000"));
    assert_eq!(assessment.faults.len(), 9);
}

#[test]
fn a_poll_over_the_bound_is_told_once_the_bound_is_a_number() {
    let (input, message) = only_fault(|draft| draft.poll = "2m".to_owned());
    assert_eq!(input, Some(Input::Poll));
    assert!(message.contains("poll_sec 120 is not below the bound"));
    let (input, _) = only_fault(|draft| {
        draft.poll = "2m".to_owned();
        draft.max_wait = "x".to_owned();
    });
    assert_eq!(input, Some(Input::MaxWait));
}

#[test]
fn f12_big_integers_keep_their_digits() {
    let assessment = judged(|draft| draft.args = r#"{"id": 18446744073709551615}"#.to_owned());
    let call = assessment.call.unwrap();
    assert_eq!(
        serde_json::to_string(call.args()).unwrap(),
        r#"{"id":18446744073709551615}"#
    );
}

#[test]
fn a_bound_over_the_cap_is_a_warning() {
    let assessment = judged(|draft| draft.max_wait = "10m".to_owned());
    assert!(assessment.call.is_some());
    let warning = assessment.warnings_of(Some(Input::MaxWait)).next().unwrap();
    assert!(warning.message.contains("clamped to 300 s"));
}

fn meaning(change: impl FnOnce(&mut DraftText), text: &str, tool_error: bool) -> String {
    let mut draft = draft();
    change(&mut draft);
    let observed = Observed {
        text: Arc::from(text),
        tool_error,
    };
    assess(&draft, None, Some(&observed), &|| true)
        .meaning
        .unwrap()
        .text
}

#[test]
fn the_newest_try_is_judged_by_the_engines_own_rules() {
    assert_eq!(meaning(|_| {}, "web 3/3", false), "would stop now: matched");
    assert_eq!(meaning(|_| {}, "web 1/3", false), "would go on: no match");
    let not = |draft: &mut DraftText| draft.kind = Kind::NotMatches;
    assert_eq!(meaning(not, "web 3/3", false), "would go on: still matches");
    assert_eq!(
        meaning(not, "gone", true),
        "would go on: an error is no proof"
    );
    let fail = |draft: &mut DraftText| draft.fail_when = "1/3".to_owned();
    assert_eq!(
        meaning(fail, "web 1/3", false),
        "would stop now: fail when matches"
    );
    let tool_errors = |draft: &mut DraftText| draft.tool_errors = ToolErrors::Fail;
    assert!(meaning(tool_errors, "boom", true).contains("failed sample"));
}

#[test]
fn a_fault_elsewhere_does_not_keep_the_condition_from_being_tried() {
    let elsewhere = |draft: &mut DraftText| draft.poll = "0".to_owned();
    assert_eq!(
        meaning(elsewhere, "web 3/3", false),
        "would stop now: matched"
    );
    let broken = |draft: &mut DraftText| draft.pattern = "(".to_owned();
    assert_eq!(
        meaning(broken, "web 3/3", false),
        "the condition can't be used"
    );
    assert_eq!(
        meaning(|draft| draft.pattern.clear(), "x", false),
        "no condition yet"
    );
}

#[test]
fn matches_of_the_newest_try_are_found() {
    let observed = Observed {
        text: Arc::from("1/3\n3/3"),
        tool_error: false,
    };
    let mut draft = draft();
    draft.fail_when = "1".to_owned();
    let found = assess(&draft, None, Some(&observed), &|| true).highlights;
    assert_eq!((found.until, found.fail_when), (vec![4..7], vec![0..1]));
}
