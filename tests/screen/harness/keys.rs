//! Keys by the names that the help gives them.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use stakeout::tui::bench::Focus;
use stakeout::tui::draft::Input;

/// The field that `to-pattern` and the like lead to.
pub fn destination(name: &str) -> Option<Focus> {
    Some(match name.strip_prefix("to-")? {
        "form" => Focus::Argument(0),
        "json" => Focus::Text(Input::Arguments),
        "kind" => Focus::Kind,
        "pattern" => Focus::Text(Input::Pattern),
        "poll" => Focus::Text(Input::Poll),
        "max-wait" => Focus::Text(Input::MaxWait),
        "more" => Focus::More,
        "fail-when" => Focus::Text(Input::FailWhen),
        "rounds" => Focus::Text(Input::Rounds),
        "preview" => Focus::Preview,
        name => panic!("{name} is no field"),
    })
}

/// A key by the name that the help gives it.
pub fn key(name: &str) -> KeyEvent {
    let plain = |code| KeyEvent::new(code, KeyModifiers::NONE);
    if let Some(letter) = name.strip_prefix("Ctrl-") {
        let letter = letter.chars().next().unwrap().to_ascii_lowercase();
        return KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
    }
    match name {
        "Enter" => plain(KeyCode::Enter),
        "Esc" => plain(KeyCode::Esc),
        "Tab" => plain(KeyCode::Tab),
        "Shift-Tab" => KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT),
        "Shift-←" => KeyEvent::new(KeyCode::Left, KeyModifiers::SHIFT),
        "Shift-→" => KeyEvent::new(KeyCode::Right, KeyModifiers::SHIFT),
        "←" => plain(KeyCode::Left),
        "→" => plain(KeyCode::Right),
        "↑" => plain(KeyCode::Up),
        "↓" => plain(KeyCode::Down),
        "Home" => plain(KeyCode::Home),
        "End" => plain(KeyCode::End),
        "PgUp" => plain(KeyCode::PageUp),
        "PgDn" => plain(KeyCode::PageDown),
        "Delete" => plain(KeyCode::Delete),
        "Backspace" => plain(KeyCode::Backspace),
        "F1" => plain(KeyCode::F(1)),
        "F2" => plain(KeyCode::F(2)),
        "F8" => plain(KeyCode::F(8)),
        "space" => plain(KeyCode::Char(' ')),
        _ => {
            let mut letters = name.chars();
            let letter = letters.next().unwrap();
            assert_eq!(letters.next(), None, "{name} is no key");
            plain(KeyCode::Char(letter))
        }
    }
}
