//! Two texts in, lines and words out.

#![allow(clippy::panic)]

use super::*;

const LONG: Duration = Duration::from_secs(60);

fn lines_of(old: &str, new: &str) -> Diff {
    match diff(old, new, LONG, &|| true) {
        Difference::Lines(diff) => diff,
        Difference::TooDifferent => panic!("there was time"),
    }
}

/// The lines with a sign in front, changed words in brackets.
fn drawn(old: &str, new: &str) -> String {
    let diff = lines_of(old, new);
    let mut drawn = String::new();
    for (index, line) in diff.lines.iter().enumerate() {
        drawn.push(match line.side {
            Side::Both => ' ',
            Side::Old => '-',
            Side::New => '+',
        });
        let end = diff
            .lines
            .get(index + 1)
            .map_or(diff.text.len(), |next| next.start - 1);
        for (offset, character) in diff.text[line.start..end].char_indices() {
            let at = line.start + offset;
            if diff.changed.iter().any(|range| range.start == at) {
                drawn.push('[');
            }
            drawn.push(character);
            let after = at + character.len_utf8();
            if diff.changed.iter().any(|range| range.end == after) {
                drawn.push(']');
            }
        }
        drawn.push('\n');
    }
    drawn
}

#[test]
fn changed_words_stand_out_in_changed_lines() {
    let old = "NAME  READY\nweb   1/3    3\n";
    let new = "NAME  READY\nweb   2/3    3\n";
    assert_eq!(
        drawn(old, new),
        " NAME  READY\n-web   [1/3]    3\n+web   [2/3]    3\n"
    );
}

#[test]
fn lines_that_came_or_went_have_no_words_to_mark() {
    assert_eq!(drawn("a\nc\n", "a\nb\nc\n"), " a\n+b\n c\n");
    assert_eq!(drawn("a\nb\n", "b\n"), "-a\n b\n");
}

#[test]
fn a_line_feed_that_only_one_text_ends_with_is_told() {
    assert_eq!(drawn("a\n", "a"), " a\n-\n");
    assert_eq!(drawn("a", "a\n"), " a\n+\n");
    assert_eq!(drawn("a\n", "a\n"), " a\n");
    assert_eq!(drawn("a\r\n", "a\n"), "-a[\r]\n+a\n");
}

#[test]
fn an_empty_text_is_one_empty_line() {
    assert_eq!(drawn("", ""), " \n");
    assert_eq!(drawn("", "ä 状"), "-\n+[ä 状]\n");
}

#[test]
fn a_line_knows_where_it_comes_from() {
    let diff = lines_of("one\ntwo\nthree", "one\n2\nthree");
    let third = diff.line_at(9).copied();
    let expected = DiffLine {
        start: 8,
        origin: 4,
        side: Side::New,
    };
    assert_eq!((&*diff.text, third), ("one\ntwo\n2\nthree", Some(expected)));
}

#[test]
fn lines_of_the_new_text_have_its_numbers_and_places() {
    let diff = lines_of("one\ntwo\nthree", "one\n2\nthree");
    assert_eq!(
        [0, 4, 8, 10].map(|at| diff.number_at(at)),
        [Some(1), None, Some(2), Some(3)]
    );
    assert_eq!(
        [0, 2, 4, 6].map(|at| diff.place_of_new(at)),
        [Some(0), Some(2), Some(8), Some(10)]
    );
}

#[test]
fn what_takes_too_long_is_too_different() {
    assert_eq!(diff("a", "b", LONG, &|| false), Difference::TooDifferent);
}
