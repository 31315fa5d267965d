//! The command palette.

use stakeout::tui::keys::{Action, Context, Keymap};
use stakeout::tui::message::Effect;
use stakeout::tui::model::Place;
use stakeout::tui::palette::Palette;

use crate::harness::{Session, rollout};

#[test]
fn every_action_is_among_the_commands_and_holds_somewhere() {
    let keymap = Keymap::default();
    for action in Action::ALL.iter().copied() {
        let mut found = Vec::new();
        for context in Context::ALL {
            let palette = Palette::new(context, &keymap);
            let commands = palette.commands().iter();
            found.extend(commands.filter(|own| own.action == action).cloned());
        }
        let opens_it = action == Action::Commands && found.is_empty();
        assert!(opens_it || found.iter().any(|own| own.here), "{action:?}");
    }
}

#[test]
fn what_holds_here_comes_first_and_names_before_sentences() {
    let mut palette = Palette::new(Context::Watch, &Keymap::default());
    palette.filter_with(|field| field.paste("ch"));
    let order: Vec<Action> = palette.commands().iter().map(|own| own.action).collect();
    let place = |action| order.iter().position(|own| *own == action).unwrap();
    assert!(
        place(Action::ChangeBack) < place(Action::Diff),
        "a name before a sentence"
    );
    assert!(
        place(Action::Diff) < place(Action::ChooseTool),
        "here before elsewhere"
    );
    palette.filter_with(|field| field.paste(" zzz"));
    assert_eq!(palette.selected(), None);
}

#[test]
fn sentences_are_found_by_their_words_and_letters_alone_come_last() {
    let mut palette = Palette::new(Context::Watch, &Keymap::default());
    let mut found = |wanted: &str| -> Vec<Action> {
        palette.filter_with(|field| {
            *field = stakeout::tui::field::Field::line(wanted);
        });
        palette.commands().iter().map(|own| own.action).collect()
    };
    let sam = found("sam");
    assert!(!sam.contains(&Action::ToggleForm), "{sam:?}");
    assert!(sam.contains(&Action::RunAgain) && sam.contains(&Action::StepOn));
    let place = |order: &[Action], action| order.iter().position(|own| *own == action).unwrap();
    let order = found("back");
    assert!(place(&order, Action::StepBack) < place(&order, Action::EditOnBench));
    // Nothing has it in one piece.
    assert_eq!(found("rnagn"), [Action::RunAgain]);
}

#[test]
fn a_command_is_found_by_its_name_and_done() {
    let mut session = Session::start();
    session
        .keys(":")
        .shows("Commands")
        .types("run")
        .shows("▸ run");
    session.keys("Enter").hides("Commands");
    assert!(matches!(session.last(), Effect::StartWait { .. }));
    assert_eq!(session.model.place, Place::Watch);
}

#[test]
fn a_command_is_found_by_its_sentence() {
    let mut session = Session::start();
    session
        .keys(":")
        .types("whole screen")
        .shows("▸ zoom")
        .keys("Enter");
    assert!(session.model.zoomed);
}

#[test]
fn commands_are_there_while_one_types_and_leave_the_field_at_rest() {
    let mut session = Session::start();
    session
        .keys("Tab")
        .types("x")
        .keys("Ctrl-P")
        .shows("Commands");
    session.types("q").keys("Backspace Esc").hides("Commands");
    assert!(!session.model.bench.typing);
    session.keys("Ctrl-P").types("start-typing").keys("Enter");
    assert!(session.model.bench.typing);
}

#[test]
fn what_holds_elsewhere_says_where() {
    let mut session = Session::start();
    session.keys(":").types("change-back").keys("Enter");
    session
        .shows("change-back holds in: Watch")
        .shows("Commands");
    session
        .types("zzz")
        .shows("no command has such a name")
        .keys("Enter");
    session.shows("Commands").keys("Ctrl-C").hides("Commands");
}

#[test]
fn the_selection_moves_by_arrows_and_chords() {
    let mut session = Session::start();
    session.keys("r").round(1).sample(1, 0, &rollout(1));
    session.keys(": ↓ Ctrl-N ↑").types("wrap").keys("Enter");
    assert!(!session.model.reading().unwrap().wrap);
}
