//! The command palette: every action by its name and its sentence.
//!
//! Owns which actions hold where it was opened, which of them pass the filter, and the selected one.
//! Must not know what an action does.

use std::cmp::Reverse;
use std::ops::Range;

use super::field::Field;
use super::keys::{Action, Context, Keymap};
use super::picker::fuzzy;

/// An action that passes the filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The action.
    pub action: Action,
    /// Whether it holds where the palette was opened.
    pub here: bool,
    /// The bytes of its name that the filter matched; none where its sentence did.
    pub marks: Vec<Range<usize>>,
}

/// The palette, open.
#[derive(Debug, Clone)]
pub struct Palette {
    context: Context,
    holding: Vec<Action>,
    filter: Field,
    commands: Vec<Command>,
    cursor: usize,
}

impl Palette {
    /// The palette over `context`.
    #[must_use]
    pub fn new(context: Context, keymap: &Keymap) -> Self {
        let holds = |action: &Action| keymap.contexts(*action).any(|own| own == context);
        let actions = Action::ALL.iter().copied();
        let mut palette = Self {
            context,
            holding: actions.filter(holds).collect(),
            filter: Field::line(""),
            commands: Vec::new(),
            cursor: 0,
        };
        palette.refilter();
        palette
    }

    /// Where it was opened.
    #[must_use]
    pub fn context(&self) -> Context {
        self.context
    }

    /// The filter.
    #[must_use]
    pub fn filter(&self) -> &Field {
        &self.filter
    }

    /// The actions that pass: those that hold here before the others, names that match before
    /// sentences, those before names that have no more than the letters, and the best name first.
    #[must_use]
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// The place of the selected one.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The selected one; `None` where nothing passes.
    #[must_use]
    pub fn selected(&self) -> Option<&Command> {
        self.commands.get(self.cursor)
    }

    /// Changes the filter. The best action is selected.
    pub fn filter_with(&mut self, change: impl FnOnce(&mut Field)) {
        let before = self.filter.text();
        change(&mut self.filter);
        if self.filter.text() != before {
            self.cursor = 0;
            self.refilter();
        }
    }

    /// Moves the selection, stopping at both ends.
    pub fn move_by(&mut self, by: isize) {
        let last = self.commands.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
    }

    fn refilter(&mut self) {
        let wanted = self.filter.text().to_lowercase();
        let wanted: Vec<&str> = wanted.split_whitespace().collect();
        let names: Vec<String> = Action::ALL.iter().map(|action| action.name()).collect();
        let mut named = vec![None; names.len()];
        for (index, found) in fuzzy(&names, &wanted.join(" ")) {
            named[index] = Some(found);
        }
        let mut ranked = Vec::new();
        for ((action, name), named) in Action::ALL.iter().copied().zip(&names).zip(named) {
            // It is open already.
            if action == Action::Commands {
                continue;
            }
            let here = self.holding.contains(&action);
            let Some((hit, score, marks)) = hit(name, action.help(), named, &wanted) else {
                continue;
            };
            let command = Command {
                action,
                here,
                marks,
            };
            ranked.push(((!here, hit, Reverse(score)), command));
        }
        // A stable sort: among equals, the order of the table's actions.
        ranked.sort_by_key(|(rank, _)| *rank);
        self.commands = ranked.into_iter().map(|(_, command)| command).collect();
    }
}

/// How an action passes, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Hit {
    /// Its name holds every word.
    Name,
    /// Words of its sentence begin with them.
    Words,
    /// Its sentence holds them somewhere.
    Sentence,
    /// Its name has their letters, with others between. Sentences have any few letters.
    Letters,
}

/// How an action passes, how well, and the bytes of its name that do. `named` is what the name's
/// letters say.
fn hit(
    name: &str,
    sentence: &str,
    named: Option<(u32, Vec<Range<usize>>)>,
    wanted: &[&str],
) -> Option<(Hit, u32, Vec<Range<usize>>)> {
    let sentence = sentence.to_lowercase();
    let begins = |wanted: &&str| {
        let mut words = sentence.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| word.starts_with(*wanted))
    };
    match named {
        Some((score, marks)) if wanted.iter().all(|word| name.contains(word)) => {
            Some((Hit::Name, score, marks))
        }
        _ if wanted.iter().all(begins) => Some((Hit::Words, 0, Vec::new())),
        _ if wanted.iter().all(|word| sentence.contains(word)) => {
            Some((Hit::Sentence, 0, Vec::new()))
        }
        Some((score, marks)) => Some((Hit::Letters, score, marks)),
        None => None,
    }
}
