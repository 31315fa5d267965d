//! Reading a long text: searching, stepping through matches, line numbers.

use std::fmt::Write;
use std::sync::Arc;

use ratatui::style::{Color, Modifier, Style};
use stakeout::tui::json_tokens::JsonTokens;
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Msg};
use stakeout::tui::search::Found;

use crate::harness::{Session, rollout, servers};

/// A log of that many lines, an error in every tenth.
fn log(lines: usize) -> Arc<str> {
    let mut log = String::new();
    for line in 1..=lines {
        let level = if line % 10 == 0 { "Error" } else { "info" };
        writeln!(log, "{level} step {line}").unwrap();
    }
    log.into()
}

fn watching(text: &Arc<str>) -> Session {
    let mut session = Session::start();
    session.keys("r").round(1).sample(1, 0, text);
    session
}

/// The Preview of a try that brought `text`, with the focus on it.
fn previewing(text: &str) -> Session {
    let mut session = Session::start();
    session.keys("t").tried(text, false).keys("Shift-Tab");
    session
}

/// The style of the first cell of `words` on the screen.
fn style_of(session: &mut Session, words: &str) -> Style {
    let buffer = session.buffer();
    let width = usize::from(buffer.area.width);
    let symbols: Vec<&str> = buffer.content.iter().map(|cell| cell.symbol()).collect();
    let line = symbols.chunks(width).enumerate().find_map(|(y, row)| {
        let wanted: Vec<String> = words.chars().map(String::from).collect();
        let at = row
            .windows(wanted.len())
            .position(|cells| cells == wanted)?;
        Some(y * width + at)
    });
    buffer.content[line.expect("the words are on the screen")].style()
}

#[test]
fn what_is_typed_is_found_at_once() {
    let mut session = watching(&log(100));
    session.keys("/").types("error").shows(" /error");
    session.shows("1 of 10").shows("Error step 10");
    session
        .types(" step 5")
        .shows("1 of 1")
        .shows("Error step 50");
    session.keys("Ctrl-U").shows("info step 1 ");
    session
        .types("nowhere")
        .shows("no match")
        .shows("info step 1 ");
}

#[test]
fn enter_keeps_a_search_and_n_steps_through_it() {
    let mut session = watching(&log(100));
    session.keys("/").types("error").keys("Enter");
    session
        .shows("/error 1 of 10 · 1-14 of 100")
        .shows("n N match");
    session.keys("n").shows("2 of 10").keys("N N");
    session
        .shows("from the bottom again")
        .shows("10 of 10")
        .shows("Error step 100");
    session
        .keys("n")
        .shows("from the top again")
        .shows("1 of 10");
    session
        .keys("/")
        .shows(" /error")
        .types(" step 7")
        .keys("Enter");
    session.shows("/error step 7 1 of 1").shows("Error step 70");
}

#[test]
fn a_match_that_was_scrolled_away_from_is_not_stepped_from() {
    let mut session = watching(&log(100));
    session.keys("/").types("error").keys("Enter G n");
    session.shows("9 of 10");
    session.keys("g N").shows("10 of 10");
}

#[test]
fn escape_clears_the_search_and_goes_back() {
    let mut session = watching(&log(100));
    session.keys("PgDn").shows("14-27 of 100");
    session.keys("/").types("step 9").shows("Error step 90");
    session.keys("Esc").shows("14-27 of 100").hides("/step");
    session
        .keys("/")
        .types("step 9")
        .keys("Enter Esc")
        .hides("/step 9");
    session.shows("step 90").keys("Esc").shows("Arguments");
}

#[test]
fn arrows_step_while_the_words_are_typed() {
    let mut session = watching(&log(100));
    session
        .keys("/")
        .types("error")
        .keys("↓ ↓")
        .shows("3 of 10");
    session.keys("↑").shows("2 of 10").shows(" /error");
}

#[test]
fn letters_are_words_while_one_types_and_actions_afterwards() {
    let mut session = watching(&log(30));
    session.keys("/").types("q1?x n").shows(" /q1?x n");
    assert_eq!(session.cursor(), Some((8, 23)));
    session.keys("Ctrl-U Enter");
    assert_eq!(session.cursor(), None);
    session.keys("#").shows(" 1  info step 1");
    session.keys("/").tell(Msg::Paste("step 12\n".to_owned()));
    session.shows(" /step 12").shows("1 of 1");
}

#[test]
fn a_search_stays_as_samples_come() {
    let mut session = watching(&log(100));
    session
        .keys("/")
        .types("error")
        .keys("Enter n")
        .shows("2 of 10");
    session.sample(2, 1000, &log(130));
    session
        .keys("d")
        .shows("/error 2 of 13")
        .shows("Error step 20");
    session
        .keys("[")
        .shows("2 of 10")
        .keys("]")
        .shows("2 of 13");
    let other: Arc<str> = "nothing of it".into();
    session
        .sample(3, 2000, &other)
        .keys("End")
        .shows("/error no match");
}

#[test]
fn capitals_count_where_one_is_written() {
    let mut session = watching(&Arc::from("Ready\nready\nREADY\n"));
    session.keys("/").types("ready").shows("1 of 3");
    session.keys("Ctrl-U").types("READY").shows("1 of 1");
    session.keys("Ctrl-U").types("r.ady").shows("no match");
}

#[test]
fn what_is_sought_looks_unlike_what_the_condition_matches() {
    let text = "web  3/3 one\nweb  3/3 two one\n";
    let mut session = previewing(text);
    assert_eq!(
        style_of(&mut session, "web  3/3 two").bg,
        Some(Color::Green)
    );
    session.keys("/").types("one").keys("Enter");
    assert_eq!(style_of(&mut session, "one ").bg, Some(Color::Cyan));
    session.keys("n");
    assert_eq!(style_of(&mut session, "one ").bg, Some(Color::Yellow));
    let plain = Look {
        theme: Theme::Mono,
        unicode: true,
    };
    let mut session = Session::with(plain, (80, 24), servers());
    session
        .keys("t")
        .tried(text, false)
        .keys("Shift-Tab /")
        .types("one");
    let condition = style_of(&mut session, "web  3/3 two").add_modifier;
    let here = style_of(&mut session, "one ").add_modifier;
    session.keys("↓");
    let found = style_of(&mut session, "one ").add_modifier;
    assert_eq!(condition, Modifier::REVERSED);
    assert_eq!(here, Modifier::REVERSED | Modifier::BOLD);
    assert_eq!(found, Modifier::UNDERLINED);
}

#[test]
fn n_steps_through_what_the_condition_matches() {
    let mut lines = String::new();
    for line in 1..=60 {
        let ready = if line % 20 == 0 { "3/3" } else { "1/3" };
        writeln!(lines, "web  {ready}  {line}").unwrap();
    }
    let mut session = previewing(&lines);
    session
        .shows("n N match")
        .keys("n")
        .shows("match 1 of 3")
        .shows("3/3  20");
    session.keys("n").shows("match 2 of 3").shows("3/3  40");
    session
        .keys("N N")
        .shows("match 3 of 3")
        .shows("from the bottom again");
    let mut session = watching(&Arc::from(lines.as_str()));
    session.keys("n n").shows("match 2 of 3").shows("3/3  40");
    session
        .sample(2, 1000, &rollout(0))
        .keys("n")
        .shows("no match in this text");
}

#[test]
fn a_match_beyond_the_edge_is_told_to_be_there() {
    let text = format!("one {}two\n", "x".repeat(100));
    let mut session = watching(&Arc::from(text));
    session.keys("w /").types("one").shows("1 of 1  Enter");
    session.keys("Ctrl-U").types("two").keys("Enter");
    session.shows("/two 1 of 1, beyond the edge: w wraps");
    session.keys("w").shows("/two 1 of 1 ┘");
}

#[test]
fn in_a_diff_the_lines_of_both_are_searched() {
    let mut session = watching(&rollout(1));
    session.sample(2, 1000, &rollout(3));
    session.keys("/").types("web").shows("1 of 2");
    session.keys("Ctrl-U").types("1/3").shows("1 of 1");
    session.keys("Esc n").shows("match 1 of 1");
    assert_eq!(
        style_of(&mut session, "web         3/3").bg,
        Some(Color::Cyan)
    );
}

#[test]
fn lines_are_numbered_at_their_first_row() {
    let long = format!("one\n{}\nthree\n", "x".repeat(100));
    let mut session = watching(&Arc::from(long.as_str()));
    session
        .keys("#")
        .shows("│ 1  one")
        .shows(&format!("│ 2  {} │", "x".repeat(73)));
    session
        .shows(&format!("│    {} ", "x".repeat(27)))
        .shows("│ 3  three");
    session
        .keys("w")
        .shows(&format!("│ 2  {}› │", "x".repeat(72)));
    session.keys("#").shows("│ three");
    let mut session = watching(&log(100));
    session.keys("#").shows("│   1  info step 1 ").keys("G");
    session.shows("│ 100  Error step 100");
}

#[test]
fn in_a_diff_the_new_lines_have_the_numbers() {
    let (old, new): (Arc<str>, Arc<str>) = ("a\nb\nc\n".into(), "a\nB\nx\nc\n".into());
    let mut session = watching(&old);
    session.sample(2, 1000, &new).keys("#");
    for line in ["│ 1    a", "│    - b", "│ 2  + B", "│ 3  + x", "│ 4    c"] {
        session.shows(line);
    }
}

#[test]
fn how_a_text_is_read_stays_for_the_next_wait() {
    let mut session = watching(&log(5));
    session
        .keys("# w x")
        .ends_with(stakeout::wait::Reason::Timeout, 120, 1, &log(5));
    session
        .keys("r")
        .round(1)
        .sample(1, 0, &log(3))
        .shows("│ 1  info");
    let reading = session.model.reading().unwrap();
    assert!(!reading.wrap && reading.search.is_none());
}

#[test]
fn r4_a_search_is_done_beside_the_loop_and_late_answers_are_dropped() {
    let mut session = Session::start();
    session.judges = false;
    session.keys("r").round(1).sample(1, 0, &log(100));
    session.keys("/").types("er");
    let asked: Vec<_> = session
        .asked
        .iter()
        .filter_map(|effect| match effect {
            Effect::Search { id, words, .. } => Some((*id, words.clone())),
            _ => None,
        })
        .collect();
    let words: Vec<&str> = asked.iter().map(|(_, words)| words.as_str()).collect();
    assert_eq!(words, ["e", "er"]);
    let found = |text: &str| Arc::new(Found::find(&log(100), text, &|| true));
    let answer = |id| Msg::Searched {
        id,
        found: found("e"),
    };
    session.tell(answer(asked[0].0)).hides("1 of 12");
    session.tell(answer(asked[1].0)).shows("1 of 110");
}

#[test]
fn r4_a_huge_text_is_laid_out_beside_the_loop() {
    let mut session = Session::start();
    session.judges = false;
    let text: Arc<str> = "x\n".repeat(200_000).into();
    session
        .keys("r")
        .round(1)
        .sample(1, 0, &text)
        .shows("1-16 of 131072");
    let unfinished = session.asked.iter().find_map(|effect| match effect {
        Effect::LayOut { id, unfinished } => Some((*id, unfinished.clone())),
        _ => None,
    });
    let (id, unfinished) = unfinished.expect("the rest is laid out");
    session.keys("G").shows("131057-131072 of 131072");
    let rows = Arc::new(unfinished.lay_out());
    session
        .tell(Msg::LaidOut { id, rows })
        .shows("199985-200000 of 200000");
}

#[test]
fn json_is_coloured_by_token_where_nothing_else_is() {
    let text = "{\n  \"ready\": 3,\n  \"name\": \"web\",\n  \"done\": false\n}";
    let mut session = watching(&Arc::from(text));
    let mut colour = |words| style_of(&mut session, words).fg;
    assert_eq!(colour("\"ready"), Some(Color::Cyan));
    assert_eq!(colour("3,"), Some(Color::Magenta));
    assert_eq!(colour("\"web"), Some(Color::Reset));
    assert_eq!(colour("false"), Some(Color::Magenta));
    assert_eq!(colour("}"), Some(Color::DarkGray));
    session.keys("/").types("false");
    assert_eq!(style_of(&mut session, "false").bg, Some(Color::Cyan));
    let later: Arc<str> = text.replace("false", "true").into();
    session.keys("Esc").sample(2, 1000, &later);
    let mut colour = |words| style_of(&mut session, words).fg;
    assert_eq!(colour("\"ready"), Some(Color::Cyan), "a line of both");
    assert_eq!(colour("\"done\": true"), Some(Color::Green), "a new line");
    let plain = Look {
        theme: Theme::Mono,
        unicode: true,
    };
    let mut session = Session::with(plain, (80, 24), servers());
    session.keys("t").tried(text, false);
    assert_eq!(
        style_of(&mut session, "\"ready").add_modifier,
        Modifier::empty()
    );
}

#[test]
fn r4_a_large_json_is_coloured_beside_the_loop() {
    let mut session = Session::start();
    session.judges = false;
    let text: Arc<str> = format!("[{}0]", "123, ".repeat(20_000)).into();
    session.keys("r").round(1).sample(1, 0, &text);
    assert_eq!(style_of(&mut session, "123").fg, Some(Color::Reset));
    let asked = session.asked.iter().find_map(|effect| match effect {
        Effect::Tokenise { id, text } => Some((*id, Arc::clone(text))),
        _ => None,
    });
    let (id, text) = asked.expect("it is looked through");
    let tokens = JsonTokens::of(&text, &|| true).map(Arc::new);
    session.tell(Msg::Tokenised { id, tokens });
    assert_eq!(style_of(&mut session, "123").fg, Some(Color::Magenta));
}

#[test]
fn a_key_that_searches_says_so_where_there_is_nothing_to_search() {
    let mut session = Session::start();
    session.keys("Shift-Tab / n").shows("no match in this text");
    session.keys("/").shows("there is no text to search yet");
}
