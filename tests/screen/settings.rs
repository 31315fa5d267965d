//! What the operator set: keys, colours, and what is said where it can't be used.

use std::path::Path;

use stakeout::store;
use stakeout::tui::keys::Action;
use stakeout::tui::look::{Look, Theme};
use stakeout::tui::message::Effect;
use stakeout::tui::settings::Settings;

use crate::harness::{COLOUR, Session, servers};

fn with(text: &str) -> Session {
    let mut session = Session::start();
    let file = store::Settings::parse(text, Path::new("config.toml"));
    let (settings, problems) = Settings::read(&file);
    session.model.set(settings, problems);
    session
}

#[test]
fn own_keys_act_and_are_shown_everywhere() {
    let mut session = with("[keys]\nrun = [\"o\", \"f5\"]\nquit = \"Q\"\nhelp = [\"H\", \"f3\"]\n");
    session.shows(" o run").shows("H help").hides("r run");
    session
        .keys("H")
        .shows("o F5")
        .keys("/")
        .types("what the keys do");
    session.shows("H F3").keys("F1 Esc");
    session.keys(":").types("run").shows("o").keys("Esc");
    session.keys("r q");
    assert!(
        session
            .asked
            .iter()
            .all(|effect| matches!(effect, Effect::Connect { .. }))
    );
    session.keys("o");
    assert!(matches!(session.last(), Effect::StartWait { .. }));
}

#[test]
fn a_mistake_is_told_at_once_and_in_the_help_and_the_keys_are_the_usual_ones() {
    let mut session = with("[keys]\nrun = \"o\"\nhold = \"ctrl-i\"\n[screen]\nmouse = true\n");
    session.shows("? tells 2 problems: config.toml:3: ");
    session
        .keys("?")
        .shows("config.toml:3: ")
        .shows("config.toml:5: [screen] has no setting");
    session.keys("Esc r");
    assert!(matches!(session.last(), Effect::StartWait { .. }));
}

#[test]
fn an_action_without_a_key_is_still_a_command() {
    let mut session = with("[keys]\nzoom = []\n");
    session.hides("zoom").keys("z");
    assert!(!session.model.zoomed);
    session.keys(":").types("zoom").keys("Enter");
    assert!(session.model.zoomed);
}

/// What tells states apart without colours: the symbols, and the modifiers of their cells.
fn told(look: Look, keys: &str) -> Vec<String> {
    let mut session = Session::with(look, (80, 24), servers());
    session.keys(keys);
    let buffer = session.buffer();
    let cells = buffer.content.iter();
    cells
        .map(|cell| format!("{}{:?}", cell.symbol(), cell.modifier))
        .collect()
}

#[test]
fn without_colours_focus_and_selection_are_told_by_modifiers() {
    let look = Look {
        theme: Theme::Mono,
        unicode: true,
    };
    for (one, other) in [
        ("to-form Esc", "to-form Tab Esc"),
        ("Enter", "Enter j"),
        ("to-kind", "to-kind l"),
    ] {
        assert_ne!(
            told(look, one),
            told(look, other),
            "{one} and {other} look the same"
        );
    }
}

#[test]
fn no_theme_draws_with_other_colours_than_the_sixteen() {
    use ratatui::style::Color;
    for theme in Theme::ALL {
        let look = Look { theme, ..COLOUR };
        let mut session = Session::with(look, (120, 36), servers());
        for keys in ["t", "?", "Esc :", "Esc to-form Tab", "Esc r"] {
            session.keys(keys);
            for cell in &session.buffer().content {
                for colour in [cell.fg, cell.bg] {
                    assert!(!matches!(colour, Color::Rgb(..) | Color::Indexed(_)));
                    let none = theme == Theme::Mono;
                    assert!(!none || colour == Color::Reset, "{colour} in {keys}");
                }
            }
        }
    }
}

#[test]
fn what_is_said_names_the_keys_in_force() {
    let mut session =
        with("[keys]\nrun = \"o\"\ngo-watch = \"f8\"\ninterrupt = \"ctrl-x\"\nzoom = []\n");
    session
        .shows(" F8 Watch ")
        .keys("F8")
        .shows("o runs the wait");
    session
        .keys("Ctrl-X")
        .shows("Ctrl-X again within two seconds quits");
    assert_eq!(session.model.key_of(Action::Zoom), ":zoom");
}
