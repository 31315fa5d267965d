//! Rows of small and large texts.

#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

use proptest::prelude::*;

use super::*;

fn rows(text: &str, width: Option<usize>) -> Vec<Range<usize>> {
    Rows::of(text, width, usize::MAX).rows
}

fn wrapped(text: &str, width: usize) -> Vec<&str> {
    rows(text, Some(width))
        .into_iter()
        .map(|row| &text[row])
        .collect()
}

#[test]
fn lines_are_rows_and_a_last_line_feed_adds_none() {
    assert_eq!(rows("a\n\nbc\n", None), [0..1, 2..2, 3..5]);
    assert_eq!(rows("", None), [0..0]);
    assert_eq!(rows("\n", None), [0..0]);
}

#[test]
fn long_lines_are_wrapped_by_cells() {
    assert_eq!(wrapped("abcdef\ngh", 4), ["abcd", "ef", "gh"]);
    assert_eq!(wrapped("abcd", 4), ["abcd"]);
    assert_eq!(wrapped("状态完成", 5), ["状态", "完成"]);
    assert_eq!(wrapped("状", 1), ["状"]);
    assert_eq!(wrapped("abce\u{301}", 4), ["abce\u{301}"]);
    assert_eq!(wrapped("abcde\u{301}f", 4), ["abcd", "e\u{301}f"]);
    assert_eq!(wrapped("a\tb", 8), ["a\t", "b"]);
    assert_eq!(wrapped("\u{1b}[0m", 2), ["\u{1b}[", "0m"]);
}

#[test]
fn lines_are_broken_between_words_where_they_have_spaces() {
    assert_eq!(wrapped("one two three", 9), ["one two ", "three"]);
    assert_eq!(wrapped("one two three", 7), ["one two ", "three"]);
    assert_eq!(wrapped("one twothreefour", 8), ["one ", "twothree", "four"]);
    assert_eq!(wrapped("  abcdefgh", 6), ["  abcd", "efgh"]);
    assert_eq!(wrapped("状态 完成", 6), ["状态 ", "完成"]);
}

#[test]
fn a_line_is_counted_at_its_first_row() {
    let rows = Rows::of("abcdef\n\ngh", Some(4), usize::MAX);
    let numbers: Vec<_> = (0..rows.len())
        .map(|row| rows.line_beginning_at(row))
        .collect();
    assert_eq!(numbers, [Some(1), None, Some(2), Some(3)]);
}

#[test]
fn r4_a_long_text_is_laid_out_up_to_a_bound() {
    let line = "x".repeat(1_000_000);
    let rows = Rows::of(&line, Some(10), 5);
    assert_eq!((rows.len(), rows.is_cut()), (5, true));
    let lines = "x\n".repeat(100);
    let rows = Rows::of(&lines, None, 7);
    assert_eq!((rows.len(), rows.is_cut()), (7, true));
    assert!(!Rows::of(&lines, None, 100).is_cut());
    let slow = "\u{915}\u{94d}\u{937}".repeat(1000);
    let rows = Rows::of(&slow, Some(50), 800);
    assert!(rows.is_cut() && rows.len() < 5);
}

proptest! {
    /// What is measured quickly fits as what is measured piece by piece.
    #[test]
    fn rows_are_measured_as_they_are_drawn(
        text in r"[ -~\t\x00-\x08\r\x1b\x7féßΩЖ─状かカ한\u{301}\u{200d}\u{1f468}\u{fe0f}\u{ad}\u{5d0}]{0,40}",
        width in 1_usize..20,
    ) {
        let quick = plain(&text, width).or_else(|| simple(&text, width));
        if let Some(quick) = quick {
            prop_assert_eq!(quick, measured(&text, width).bytes);
        }
    }
}
