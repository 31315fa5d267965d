//! The table holds together: no key has two meanings, and every action has a key.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::*;
use crate::tui::keys::table::table;

#[test]
fn u2_no_two_actions_share_a_key_in_one_context() {
    let keymap = Keymap::default();
    for context in Context::ALL {
        let mut taken: HashMap<Key, Action> = HashMap::new();
        for binding in keymap.bindings(context) {
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
    for binding in table() {
        for key in binding.keys {
            if let (true, KeyCode::Char(letter)) = (key.ctrl, key.code) {
                assert!(!"ijmh[z".contains(letter), "{key}");
            }
        }
    }
}

#[test]
fn every_chord_has_a_twin_without_ctrl() {
    for binding in table() {
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

#[test]
fn every_key_of_the_table_can_be_written_in_the_configuration() {
    let arrows = [("←", "left"), ("→", "right"), ("↑", "up"), ("↓", "down")];
    for key in table().flat_map(|row| row.keys) {
        let named = key.to_string();
        let spelled = (arrows.iter()).fold(named, |name, (arrow, word)| name.replace(arrow, word));
        assert_eq!(Key::parse(&spelled), Ok(*key), "{spelled}");
        if spelled.len() > 1 {
            assert_eq!(Key::parse(&spelled.to_lowercase()), Ok(*key), "{spelled}");
        }
    }
    assert_eq!(Key::parse("-"), Ok(Key::plain('-')));
    assert_eq!(Key::parse("ctrl-_"), Ok(Key::ctrl('_')));
    assert_eq!(Key::parse("ctrl-space"), Ok(Key::ctrl(' ')));
    assert_eq!(Key::parse("PageUp"), Ok(Key::code(KeyCode::PageUp)));
}

#[test]
fn what_terminals_cannot_tell_apart_is_refused_with_the_reason() {
    let refused = [
        ("ctrl-i", "write tab"),
        ("Ctrl-J", "write enter"),
        ("ctrl-m", "write enter"),
        ("ctrl-h", "write backspace"),
        ("ctrl-[", "write esc"),
        ("ctrl-z", "suspends"),
        ("ctrl-enter", "write enter"),
        ("ctrl-1", "no terminal sends"),
        ("alt-x", "without Alt"),
        ("meta-x", "without Alt"),
        ("ctrl-alt-x", "without Alt"),
        ("ctrl-shift-x", "one modifier"),
        ("shift-r", "write the one that it types"),
        ("shift-enter", "without Shift"),
        ("f13", "is no key"),
        ("hyper-x", "is no key"),
        ("rr", "is no key"),
        ("", "is no key"),
        ("ctrl-", "is no key"),
        ("\t", "is no key"),
    ];
    for (text, reason) in refused {
        let said = Key::parse(text).unwrap_err();
        assert!(said.contains(reason), "{text}: {said}");
    }
}

#[test]
fn an_action_has_a_name_of_its_own() {
    for action in Action::ALL {
        assert_eq!(Action::named(&action.name()), Some(*action));
    }
    assert_eq!(Action::StepBack.name(), "step-back");
    assert_eq!(Action::named("StepBack"), None);
}

#[test]
fn own_keys_take_the_place_of_the_tables_wherever_the_action_holds() {
    let (o, f9) = (Key::plain('o'), Key::code(KeyCode::F(9)));
    let keymap = Keymap::with(&[(Action::Run, vec![o, f9]), (Action::ToggleMore, vec![])]).unwrap();
    let run = |context| keymap.keys(context, Action::Run).collect::<Vec<_>>();
    assert_eq!(run(Context::Resting), [o, f9]);
    assert_eq!(run(Context::Line), [f9]);
    assert_eq!(keymap.action(Context::Resting, Key::plain('r')), None);
    assert_eq!(
        keymap.action(Context::Watch, Key::plain('r')),
        Some(Action::RunAgain)
    );
    assert_eq!(keymap.key(Context::Fold, Action::ToggleMore), None);
}

#[test]
fn two_lines_of_one_action_are_one_with_own_keys() {
    let tab = Key::code(KeyCode::Tab);
    let keymap = Keymap::with(&[(Action::NextField, vec![tab])]).unwrap();
    let keys: Vec<Key> = keymap.keys(Context::Resting, Action::NextField).collect();
    assert_eq!(keys, [tab]);
    let enter = vec![Key::code(KeyCode::Esc), Key::code(KeyCode::Enter)];
    let keymap = Keymap::with(&[(Action::StopTyping, enter)]).unwrap();
    assert_eq!(
        keymap.action(Context::Editor, Key::code(KeyCode::Enter)),
        None
    );
}

#[test]
fn keys_that_would_lock_someone_out_are_refused() {
    let letter = |letter| vec![Key::plain(letter)];
    let refused: [(Action, Vec<Key>, &str); 7] = [
        (Action::Quit, vec![], "quit needs a key"),
        (
            Action::Help,
            letter('H'),
            "help needs a key that works everywhere",
        ),
        (Action::Interrupt, letter('x'), "interrupt needs a key"),
        (Action::Yes, vec![], "yes needs a key"),
        (
            Action::LineStart,
            letter('a'),
            "line-start holds only where one types",
        ),
        (
            Action::Hold,
            letter('d'),
            "hold and diff are both on d in: Watch",
        ),
        (
            Action::Run,
            vec![Key::code(KeyCode::Enter)],
            "are both on Enter in",
        ),
    ];
    for (action, keys, reason) in refused {
        let said = Keymap::with(&[(action, keys)]).unwrap_err();
        assert!(said.iter().any(|one| one.why.contains(reason)), "{said:?}");
        assert!(said.iter().all(|one| one.action == action));
    }
    let swapped = [(Action::Hold, letter('d')), (Action::Diff, letter(' '))];
    assert!(Keymap::with(&swapped).is_ok());
    let same = [(Action::Hold, letter('o')), (Action::Diff, letter('o'))];
    assert_eq!(Keymap::with(&same).unwrap_err().len(), 1);
}
