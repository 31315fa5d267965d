//! Differences of any two texts.

#![allow(clippy::panic)]

use std::time::{Duration, Instant};

use proptest::prelude::*;
use stakeout::text::{Diff, Difference, Side, diff};

fn lines_of(old: &str, new: &str) -> Diff {
    match diff(old, new, Duration::from_secs(60), &|| true) {
        Difference::Lines(diff) => diff,
        Difference::TooDifferent => panic!("there was time"),
    }
}

#[test]
fn u16_texts_without_a_line_in_common_end_in_time() {
    let numbered = |letter: char| (0..40_000).map(|n| format!("{letter}{n} x\n")).collect();
    let (old, new): (String, String) = (numbered('a'), numbered('b'));
    let began = Instant::now();
    let limit = Duration::from_millis(50);
    let found = diff(&old, &new, limit, &|| began.elapsed() < limit);
    assert_eq!(found, Difference::TooDifferent);
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
}

proptest! {
    #[test]
    fn both_texts_can_be_read_off_a_diff(old in "[ab \n]{0,30}", new in "[ab \n]{0,30}") {
        let diff = lines_of(&old, &new);
        let ends_alike = old.ends_with('\n') && new.ends_with('\n');
        let cut = |text: &str| text[..text.len() - usize::from(ends_alike)].to_owned();
        let side = |other: Side| {
            let lines = diff.text.split('\n').zip(&diff.lines);
            let own = lines.filter(|(_, line)| line.side != other);
            own.map(|(text, _)| text).collect::<Vec<_>>().join("\n")
        };
        prop_assert_eq!(side(Side::New), cut(&old));
        prop_assert_eq!(side(Side::Old), cut(&new));
        for line in &diff.lines {
            let text = if line.side == Side::Old { &old } else { &new };
            let length = diff.text[line.start..].split('\n').next().map_or(0, str::len);
            prop_assert_eq!(
                &diff.text[line.start..line.start + length],
                &text[line.origin..line.origin + length]
            );
        }
        prop_assert!(diff.changed.is_sorted_by_key(|range| range.start));
    }
}
