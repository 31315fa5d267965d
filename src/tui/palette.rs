//! The command palette: every action by its name and its sentence.
//!
//! Owns which actions hold where it was opened, and the picker over them. Must not know what an
//! action does.

use super::keys::{Action, Context, Keymap};
use super::picker::Picker;

/// The palette, open.
#[derive(Debug, Clone)]
pub struct Palette {
    /// Every action that lies elsewhere than in a layer; those that hold here first.
    items: Vec<Action>,
    /// How many hold here.
    here: usize,
    /// Over their names and sentences.
    pub picker: Picker,
}

impl Palette {
    /// The palette over `context`, the actions in the table's order.
    #[must_use]
    pub fn new(context: Context, keymap: &Keymap) -> Self {
        let holds = |action: &Action| keymap.contexts(*action).any(|own| own == context);
        let all = || Action::ALL.iter().copied();
        let mut items: Vec<Action> = all()
            .filter(|action| holds(action) && *action != Action::Commands)
            .collect();
        let here = items.len();
        items.extend(all().filter(|action| !holds(action)));
        let texts = items.iter().map(|action| text(*action)).collect();
        Self {
            picker: Picker::of_two(texts, here),
            items,
            here,
        }
    }

    /// The action at `index`, and whether it holds here.
    #[must_use]
    pub fn item(&self, index: usize) -> Option<(Action, bool)> {
        let action = self.items.get(index).copied();
        action.map(|action| (action, index < self.here))
    }

    /// The selected one.
    #[must_use]
    pub fn selected(&self) -> Option<(Action, bool)> {
        self.picker.selected().and_then(|index| self.item(index))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// What is searched: the name, then the sentence.
#[must_use]
pub fn text(action: Action) -> String {
    format!("{}  {}", action.name(), action.help())
}
