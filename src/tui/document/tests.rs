//! Rows, scrolling and highlights of small and large texts.

#![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

use super::*;

#[test]
fn u11_lines_beyond_32767_can_be_reached() {
    let text: Arc<str> = (0..100_000)
        .map(|number| format!("{number}\n"))
        .collect::<String>()
        .into();
    let mut document = Document::new(text, None);
    document.scroll(isize::MAX, 10);
    let last = document.visible(10).last().unwrap().clone();
    assert_eq!(document.slice(&last), "99999");
    assert_eq!(document.visible(10).count(), 10);
}

#[test]
fn scrolling_stops_at_both_ends() {
    let mut document = Document::new(Arc::from("a\nb\nc"), None);
    document.scroll(-1, 2);
    assert_eq!(document.top(), 0);
    document.scroll(9, 2);
    assert_eq!(document.top(), 1);
    document.scroll(9, 9);
    assert_eq!(document.top(), 0);
}

#[test]
fn another_width_keeps_the_place() {
    let text: Arc<str> = Arc::from("0123456789\nabc\ndef\nghi");
    let mut document = Document::new(Arc::clone(&text), None);
    document.scroll(2, 1);
    let narrow = document.become_text(text, Some(2));
    let first = narrow.visible(1).next().unwrap().clone();
    assert_eq!(narrow.slice(&first), "de");
}

#[test]
fn highlights_are_bounded_and_leave_out_empty_matches() {
    let until = |source: &str| Patterns {
        until: Some(Pattern::new(source).unwrap()),
        ..Patterns::default()
    };
    let found = Highlights::find("baab", &until("a*"), &|| true);
    assert_eq!(
        found,
        Highlights {
            until: vec![1..3],
            ..Highlights::default()
        }
    );
    let many = "a ".repeat(MOST_MATCHES + 1);
    let found = Highlights::find(&many, &until("a"), &|| true);
    assert_eq!((found.until.len(), found.cut), (MOST_MATCHES, true));
    let found = Highlights::find("aa", &until("a"), &|| false);
    assert_eq!((found.until.len(), found.cut), (0, true));
}

#[test]
fn only_ranges_that_touch_a_row_are_looked_at() {
    let ranges = [0..2, 4..6, 8..20];
    assert!(touching(&ranges, &(2..4)).is_empty());
    assert_eq!(touching(&ranges, &(1..5)), [0..2, 4..6]);
    assert_eq!(touching(&ranges, &(10..12)), [8..20]);
}

fn lines(count: usize) -> Arc<str> {
    (0..count)
        .map(|line| format!("line {line}\n"))
        .collect::<String>()
        .into()
}

#[test]
fn a_view_at_the_bottom_stays_there() {
    let mut document = Document::new(lines(30), None);
    document.settle(10);
    document.scroll(99, 10);
    document.settle(8);
    assert_eq!(document.top(), 22);
    let mut grown = document.become_text(lines(40), None);
    grown.settle(8);
    assert_eq!(grown.top(), 32);
    grown.scroll(-5, 8);
    let mut grown = grown.become_text(lines(50), None);
    grown.settle(6);
    assert_eq!(grown.top(), 27, "who scrolled up stays there");
}

#[test]
fn the_first_difference_is_where_a_text_goes_on() {
    assert_eq!(first_difference("a\nb\n", "a\nb\nc\n"), 4);
    assert_eq!(first_difference("a\nb", "a\nb\nc"), 4);
    assert_eq!(first_difference("状", "犷"), 0);
    assert_eq!(first_difference("ab", "a"), 1);
}
