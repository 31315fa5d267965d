//! Patterns that fail for a known slip, and how far others get.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;

use super::SlipKind::*;
use super::*;

const TABLE: &str = "DEPLOYMENT  READY  UP-TO-DATE  AVAILABLE\nweb         1/3    3           1\n";

fn ask(pattern: &str, text: &str) -> WhyNot {
    why_not(&Pattern::new(pattern).unwrap(), text, &|| true)
}

fn reached(pattern: &str, text: &str) -> Option<(String, usize, usize, String)> {
    let reached = ask(pattern, text).reached?;
    Some((reached.part, reached.line, reached.column, reached.instead))
}

fn matches(pattern: &str, text: &str) -> bool {
    Pattern::new(pattern).is_ok_and(|pattern| pattern.is_match(text))
}

/// Pattern, text, the slip, and what is offered.
const SLIPS: [(&str, &str, SlipKind, &str); 30] = [
    (r"^web\s+1/3", TABLE, MultiLine, r"(?m)^web\s+1/3"),
    (r"AVAILABLE$", TABLE, MultiLine, r"(?m)AVAILABLE$"),
    (r"(?i)^WEB", TABLE, MultiLine, r"(?im)^WEB"),
    ("ready$", "all ready\n", MultiLine, "(?m)ready$"),
    ("^done$", "step 1\ndone\n", MultiLine, "(?m)^done$"),
    ("^a|^b", "x\nb", MultiLine, "(?m)^a|^b"),
    ("available", TABLE, IgnoreCase, "(?i)available"),
    ("SUCCESS", "status: success", IgnoreCase, "(?i)SUCCESS"),
    ("(?m)^Web", TABLE, IgnoreCase, "(?mi)^Web"),
    ("(Done|Failed)", "done", IgnoreCase, "(?i)(Done|Failed)"),
    ("Ünder", "ünder way", IgnoreCase, "(?i)Ünder"),
    ("READY.*web", TABLE, DotAll, "(?s)READY.*web"),
    (r"\{.+\}", "{\n  \"a\": 1\n}", DotAll, r"(?s)\{.+\}"),
    ("(?i)begin.*end", "BEGIN\nEND", DotAll, "(?is)begin.*end"),
    ("(?m)ready$", "ready\r\nweb\r\n", CrLf, "(?mR)ready$"),
    ("ready$", "web\r\nready\r\n", CrLf, "(?mR)ready$"),
    (r"a\nb", "a\r\nb", CrLf, r"a(?:\r?\n)b"),
    (r"^a\nb$", "a\r\nb\r\n", CrLf, r"(?mR)^a(?:\r?\n)b$"),
    ("one\ntwo", "one\r\ntwo", CrLf, r"one(?:\r?\n)two"),
    (
        "status: ok",
        "status: \u{1b}[32mok\u{1b}[0m",
        Escapes,
        r"status: (?:\x1b\[[0-9;?]*[A-Za-z])*ok",
    ),
    (
        r"(?m)^web\s+3/3",
        "name\n\u{1b}[1mweb\u{1b}[0m  \u{1b}[32m3/3\u{1b}[0m",
        Escapes,
        r"(?m)^(?:\x1b\[[0-9;?]*[A-Za-z])*web(?:\x1b\[[0-9;?]*[A-Za-z])*\s+(?:\x1b\[[0-9;?]*[A-Za-z])*3/3",
    ),
    (
        "ok$",
        "ok\u{1b}[0m",
        Escapes,
        r"ok(?:\x1b\[[0-9;?]*[A-Za-z])*$",
    ),
    (
        "done",
        "\u{1b}[4md\u{1b}[0mone",
        Escapes,
        r"d(?:\x1b\[[0-9;?]*[A-Za-z])*one",
    ),
    (r"\\d+ ready", "3 ready", SingleBackslash, r"\d+ ready"),
    (r"web\\s+\\d/3", TABLE, SingleBackslash, r"web\s+\d/3"),
    (r"^web", "the web", WithoutStart, "web"),
    (r"\Aready", "not ready", WithoutStart, "ready"),
    ("ready$", "ready soon", WithoutEnd, "ready"),
    (r"(?m)\d/3\z", TABLE, WithoutEnd, r"(?m)\d/3"),
    ("^ready$", "is ready now", WithoutBoth, "ready"),
];

#[test]
fn each_usual_slip_is_named_and_its_offer_matches() {
    for (pattern, text, kind, offer) in SLIPS {
        let found = ask(pattern, text);
        let named = found.slips.iter().find(|slip| slip.kind == kind);
        let offered = named.map(|slip| slip.offer.as_str());
        assert_eq!(offered, Some(offer), "{pattern:?}: {:?}", found.slips);
        for slip in &found.slips {
            assert!(matches(&slip.offer, text), "{pattern:?}: {slip:?}");
        }
    }
}

#[test]
fn what_no_slip_explains_has_no_offer() {
    for (pattern, text) in [
        (r"(?m)^web\s+3/3", TABLE),
        ("absent", TABLE),
        (r"^\s*$", "x"),
        ("^$", "x"),
        (r"\\d", "digits"),
    ] {
        assert_eq!(ask(pattern, text).slips, [], "{pattern:?}");
    }
}

#[test]
fn a_pattern_that_matches_has_nothing_to_explain() {
    assert_eq!(ask("web", TABLE), WhyNot::default());
}

#[test]
fn the_longest_part_is_told_with_its_place_and_what_stood_instead() {
    for (pattern, text, part, line, column, instead) in [
        (r"(?m)^web\s+3/3", TABLE, r"(?m)^web\s+", 2, 13, "1/3"),
        ("web 3/3", TABLE, "web ", 2, 5, "        1/3"),
        (
            "status: done",
            "a\nstatus: deferred",
            "status: d",
            2,
            10,
            "eferred",
        ),
        ("^web", TABLE, "^", 1, 1, "DEPLOYMENT"),
        ("ready now", "ready", "ready", 1, 6, ""),
        ("AVAILABLE  ", TABLE, "AVAILABLE", 1, 41, "\n"),
        (r"état: \d{4}", "état: 12x", r"état: \d{2}", 1, 9, "x"),
        (
            "(?i)STEP (one|two) done",
            "step two failed",
            "(?i)STEP (one|two) ",
            1,
            10,
            "failed",
        ),
        (
            "phase (ready|running)",
            "phase runner",
            "phase (runn)",
            1,
            11,
            "er",
        ),
        ("alpha|beta", "bet", "bet", 1, 4, ""),
        ("(?:(?i)x|ready now)", "READY", "(?:(?i)ready)", 1, 6, ""),
        (
            "(?x) web \\s+ 3 # all\n /3",
            TABLE,
            r"(?x) web \s+",
            2,
            13,
            "1/3",
        ),
        (
            "(?P<name>web) +(?P<of>3)/3",
            TABLE,
            "(?P<name>web) +",
            2,
            13,
            "1/3",
        ),
        ("ok\\n\\nend", "ok\r\n", "ok", 1, 3, "\r"),
        ("a: 2", "a: 1\na: 3 x\n", "a: ", 2, 4, "3"),
    ] {
        let told = Some((part.to_owned(), line, column, instead.to_owned()));
        assert_eq!(reached(pattern, text), told, "{pattern:?}");
    }
}

#[test]
fn no_part_is_told_where_not_even_the_first_piece_matches() {
    for pattern in ["x", "(?i)x", "(x|y)z", r"\d{3}", "[xyz]+ab", r"\bx"] {
        assert_eq!(reached(pattern, "web"), None, "{pattern:?}");
    }
}

#[test]
fn what_stood_instead_is_cut() {
    let text = format!("web {}", "ä".repeat(9_000));
    let instead = ask("web x", &text).reached.unwrap().instead;
    assert_eq!(instead, "ä".repeat(40));
}

#[test]
fn the_search_ends_when_it_is_told_to() {
    let pattern = Pattern::new("^WEB").unwrap();
    assert_eq!(why_not(&pattern, TABLE, &|| false), WhyNot::default());
}

#[test]
fn the_search_is_bounded_by_patterns_and_bytes() {
    let tried = std::cell::Cell::new(0);
    let count = || {
        tried.set(tried.get() + 1);
        true
    };
    let many = (0..500).map(|n| format!("x{n}y")).collect::<Vec<_>>();
    let pattern = Pattern::new(&many.join("|")).unwrap();
    let text = "x".repeat(256 * 1024);
    assert!(why_not(&pattern, &text, &count).reached.is_some());
    let most = 2 * MOST_BYTES / text.len();
    assert!((10..=most).contains(&tried.get()), "{}", tried.get());
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "Z", "é", " ", ".", "^", "$", r"\s+", r"\d{2}", r"\\", r"\n", "(?i)", "(?s:",
        "(?m)", "(?x)", "(", ")", "|", "*", "{3}", "[ab]", r"\b", r"\z", "#",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "z",
        "É",
        " ",
        "1",
        "22",
        "\n",
        "\r\n",
        "\u{1b}[1m",
        "\\",
        "ab",
        "#",
    ]);
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

fn holds(pattern: &str, text: &str) {
    let Ok(compiled) = Pattern::new(pattern) else {
        return;
    };
    let found = why_not(&compiled, text, &|| true);
    for slip in &found.slips {
        assert!(matches(&slip.offer, text), "{pattern:?} {slip:?}");
    }
    if let Some(reached) = found.reached {
        assert!(matches(&reached.part, text), "{pattern:?} {reached:?}");
        assert!(reached.line >= 1 && reached.column >= 1);
        assert!(text.contains(&reached.instead));
    }
}

proptest! {
    #[test]
    fn whatever_is_told_has_matched(pattern in pieces(), text in texts()) {
        holds(&pattern, &text);
    }

    #[test]
    fn any_pattern_and_any_text_are_borne(pattern in r"\PC{0,24}", text in r"(?s).{0,40}") {
        holds(&pattern, &text);
    }
}
