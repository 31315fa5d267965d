//! A changed sample beside the one before, on the Watch.

use std::sync::Arc;

use ratatui::style::{Color, Modifier};
use stakeout::text::Difference;
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::{Effect, Msg};

use crate::harness::{Session, rollout, servers};

const OLD: &str = "- web         1/3    3           1";
const NEW: &str = "+ web         2/3    3           2";

/// A wait whose third sample changed from 1/3 to 2/3.
fn changed() -> Session {
    running(Session::start())
}

fn running(mut session: Session) -> Session {
    session.keys("r").round(1);
    let (one, two) = (rollout(1), rollout(2));
    session.sample(1, 0, &one).sample(2, 1000, &one);
    session.sample(3, 2000, &two);
    session
}

/// The style of the first cell that shows `symbol` in the row that begins with `sign`.
fn style_of(session: &mut Session, sign: &str, symbol: &str) -> ratatui::style::Style {
    let buffer = session.buffer();
    let row = (0..24).find(|y| buffer[(2, *y)].symbol() == sign).unwrap();
    let x = (4..78).find(|x| buffer[(*x, row)].symbol() == symbol);
    buffer[(x.unwrap(), row)].style()
}

#[test]
fn a_changed_sample_stands_beside_the_one_before() {
    let mut session = changed();
    session.shows("  DEPLOYMENT  READY").shows(OLD).shows(NEW);
    session.keys("d").hides(OLD).hides(NEW);
    session
        .shows("│ web         2/3")
        .shows("each sample is shown by itself");
    session.keys("d").shows(OLD);
}

#[test]
fn u12_the_first_sample_and_one_that_is_the_same_show_no_diff() {
    let mut session = changed();
    session.keys("[").shows("same").shows("│ web         1/3");
    session
        .keys("Home")
        .shows("first")
        .shows("│ web         1/3");
    session.hides("- web").hides("│ + ");
}

#[test]
fn failed_samples_in_between_are_passed_over() {
    let mut session = changed();
    session.failed(4, 3000, "reset").hides(NEW);
    session
        .sample(5, 4000, &rollout(3))
        .shows("- web         2/3");
    session.shows("+ web         3/3");
}

#[test]
fn changed_words_and_matches_stand_out_with_and_without_colours() {
    let mut session = changed();
    let old = style_of(&mut session, "-", "1");
    let new = style_of(&mut session, "+", "2");
    assert_eq!((old.fg, new.fg), (Some(Color::Red), Some(Color::Green)));
    let same = style_of(&mut session, "+", "w");
    assert!(new.add_modifier.contains(Modifier::UNDERLINED));
    assert!(!same.add_modifier.contains(Modifier::UNDERLINED));
    session.sample(4, 3000, &rollout(3));
    assert_eq!(style_of(&mut session, "+", "3").bg, Some(Color::Green));
    assert_eq!(style_of(&mut session, "-", "2").bg, Some(Color::Reset));

    let plain = Look {
        theme: Theme::Mono,
        unicode: false,
    };
    let mut session = running(Session::with(plain, (80, 24), servers()));
    session.shows(OLD).shows(NEW);
    let new = style_of(&mut session, "+", "2");
    assert!(new.add_modifier.contains(Modifier::UNDERLINED));
}

#[test]
fn what_is_too_different_gives_way_to_the_sample_itself() {
    let mut session = Session::start();
    session.too_different = true;
    let mut session = running(session);
    session.shows("changed, too different to diff");
    session.shows("│ web         2/3").hides("- web");
    session.keys("d").hides("too different");
}

#[test]
fn u16_it_is_compared_beside_the_loop_and_never_twice() {
    let mut session = Session::start();
    session.judges = false;
    let mut session = running(session);
    session.sample(4, 3000, &rollout(3));
    let compares = |session: &Session| {
        let asked = session.asked.iter();
        let ids = asked.filter_map(|effect| match effect {
            Effect::Compare { id, .. } => Some(*id),
            _ => None,
        });
        ids.collect::<Vec<_>>()
    };
    session.shows("│ web         3/3");
    let asked = compares(&session);
    assert_eq!(asked.len(), 1, "one at a time");
    let difference = Difference::TooDifferent;
    session.tell(Msg::Compared {
        id: asked[0],
        difference: difference.clone(),
    });
    let asked = compares(&session);
    assert_eq!(asked.len(), 2);
    session.hides("too different").tell(Msg::Compared {
        id: asked[1],
        difference,
    });
    session.shows("too different");
    session.keys("[ ] { }").shows("too different");
    assert_eq!(compares(&session).len(), 2);
}

#[test]
fn long_lines_are_wrapped_beside_their_sign() {
    let mut session = Session::start();
    session.keys("r").round(1);
    let text = |word: &str| -> Arc<str> { format!("{} {word}", "x".repeat(100)).into() };
    session
        .sample(1, 0, &text("one"))
        .sample(2, 1000, &text("two"));
    session.shows(&format!("│ + {} │", "x".repeat(74)));
    session.shows(&format!("│ + {} two", "x".repeat(26)));
    session
        .keys("w")
        .shows(&format!("│ + {}› │", "x".repeat(73)));
}

#[test]
fn u10_control_bytes_of_both_samples_are_symbols() {
    let mut session = Session::start();
    session.keys("r").round(1);
    let (old, new): (Arc<str>, Arc<str>) = ("a\u{1b}[1m\r\n".into(), "a\u{202e}\r\n".into());
    session.sample(1, 0, &old).sample(2, 1000, &new);
    session.shows("- a␛[1m␍").shows("+ a‹202E›␍");
}
