//! The table holds together: no key has two meanings, and every action has a key.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::*;
use crate::tui::keys::table::TABLE;

#[test]
fn u2_no_two_actions_share_a_key_in_one_context() {
    for context in Context::ALL {
        let mut taken: HashMap<Key, Action> = HashMap::new();
        for binding in TABLE {
            for key in binding.keys_in(context) {
                let before = taken.insert(key, binding.action);
                assert_eq!(
                    before, None,
                    "{key} in {context:?} is also {:?}",
                    binding.action
                );
            }
        }
    }
}

#[test]
fn every_action_can_be_reached() {
    for action in Action::ALL {
        let reachable = Context::ALL
            .iter()
            .any(|context| Keymap::default().key(*context, *action).is_some());
        assert!(reachable, "{action:?}");
        assert!(!action.help().is_empty());
    }
}

#[test]
fn nothing_is_bound_to_what_terminals_cannot_tell_apart() {
    for binding in TABLE {
        for key in binding.keys {
            if let (true, KeyCode::Char(letter)) = (key.ctrl, key.code) {
                assert!(!"ijmh[z".contains(letter), "{key}");
            }
        }
    }
}

#[test]
fn every_chord_has_a_twin_without_ctrl() {
    for binding in TABLE {
        let only_chords = binding.keys.iter().all(|key| key.ctrl);
        let edits_text = binding.contexts.iter().all(|context| context.is_typing());
        if only_chords && !edits_text {
            // It has `x`, Esc and `q`, which do its parts one by one.
            assert_eq!(binding.action, Action::Interrupt);
        }
    }
}

#[test]
fn letters_are_text_where_one_types() {
    for context in Context::ALL
        .into_iter()
        .filter(|context| context.is_typing())
    {
        for letter in ' '..='~' {
            assert_eq!(
                Keymap::default().action(context, Key::plain(letter)),
                None,
                "{letter} in {context:?}"
            );
        }
    }
    assert_eq!(
        Keymap::default().action(Context::Line, Key::ctrl('r')),
        Some(Action::Run)
    );
    assert_eq!(
        Keymap::default().action(Context::Resting, Key::plain('r')),
        Some(Action::Run)
    );
}

#[test]
fn u3_escape_never_quits() {
    for context in Context::ALL {
        let meaning = Keymap::default()
            .action(context, Key::code(KeyCode::Esc))
            .unwrap();
        assert_ne!(meaning, Action::Quit, "{context:?}");
    }
}

#[test]
fn u1_help_is_a_key_in_every_context() {
    for context in Context::ALL
        .into_iter()
        .filter(|context| !matches!(context, Context::Question | Context::Offer))
    {
        let key = Key::code(KeyCode::F(1));
        assert!(
            matches!(
                Keymap::default().action(context, key),
                Some(Action::Help | Action::CloseLayer)
            ),
            "{context:?}"
        );
    }
}

#[test]
fn a_release_means_nothing_and_a_repeat_what_a_press_means() {
    let event = |kind| KeyEvent::new_with_kind(KeyCode::Char('r'), KeyModifiers::NONE, kind);
    assert_eq!(Key::read(event(KeyEventKind::Release)), []);
    assert_eq!(
        Key::read(event(KeyEventKind::Repeat)),
        Key::read(event(KeyEventKind::Press))
    );
}

#[test]
fn a_key_right_after_escape_counts_as_both() {
    let event = KeyEvent::new(KeyCode::Char('r'), KeyModifiers::ALT);
    assert_eq!(Key::read(event), [Key::code(KeyCode::Esc), Key::plain('r')]);
}

#[test]
fn shift_is_part_of_a_letter_and_kept_on_arrows() {
    let event = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
    assert_eq!(Key::read(event), [Key::plain('G')]);
    let event = KeyEvent::new(KeyCode::Left, KeyModifiers::SHIFT);
    assert_eq!(Key::read(event), [Key::shift(KeyCode::Left)]);
    assert_eq!(Key::shift(KeyCode::Left).to_string(), "Shift-←");
    assert_eq!(Key::ctrl('r').to_string(), "Ctrl-R");
}
