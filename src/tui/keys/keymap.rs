//! Which keys are in force.
//!
//! Owns the lines of the table as they hold here, and what is read off them. Must not know where the
//! operator's own keys are written.

use super::{Action, Context, Key, table::TABLE};

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// A word or two for the hint line; empty where the hint line leaves it out.
    pub label: &'static str,
    /// Where it holds.
    pub contexts: &'static [Context],
    /// The keys, the one to show first. Where one types, those that are text don't hold.
    pub keys: &'static [Key],
}

impl Binding {
    /// The keys that hold in `context`.
    pub fn keys_in(&self, context: Context) -> impl Iterator<Item = Key> + '_ {
        let here = self.contexts.contains(&context);
        let usable = move |key: &Key| here && !(context.is_typing() && key.is_text());
        self.keys.iter().copied().filter(usable)
    }
}

/// The keys in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

impl Default for Keymap {
    /// The keys of the table.
    fn default() -> Self {
        Self {
            bindings: TABLE.to_vec(),
        }
    }
}

impl Keymap {
    /// What `key` means in `context`.
    #[must_use]
    pub fn action(&self, context: Context, key: Key) -> Option<Action> {
        self.bindings
            .iter()
            .find(|binding| binding.keys_in(context).any(|own| own == key))
            .map(|binding| binding.action)
    }

    /// The lines that hold in `context`, in the table's order.
    pub fn bindings(&self, context: Context) -> impl Iterator<Item = &Binding> {
        self.bindings
            .iter()
            .filter(move |binding| binding.keys_in(context).next().is_some())
    }

    /// The keys of `action` in `context`, the one to show first.
    pub fn keys(&self, context: Context, action: Action) -> impl Iterator<Item = Key> {
        self.bindings
            .iter()
            .filter(move |binding| binding.action == action)
            .flat_map(move |binding| binding.keys_in(context))
    }

    /// The key to show for `action` in `context`.
    #[must_use]
    pub fn key(&self, context: Context, action: Action) -> Option<Key> {
        self.keys(context, action).next()
    }
}
