//! Which keys are in force: those of the table, with the operator's own in their places.
//!
//! Owns what is read off them, and what keys an action may not have. Must not know where the
//! operator's own keys are written.

use super::table::{Row, table};
use super::{Action, Context, Key};

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// A word or two for the hint line; empty where the hint line leaves it out.
    pub label: &'static str,
    contexts: Vec<Context>,
    keys: Vec<Key>,
}

impl From<&Row> for Binding {
    fn from(row: &Row) -> Self {
        Self {
            action: row.action,
            label: row.label,
            contexts: row.contexts.to_vec(),
            keys: row.keys.to_vec(),
        }
    }
}

impl Binding {
    /// The keys that hold in `context`, the one to show first: not those that are text there.
    pub fn keys_in(&self, context: Context) -> impl Iterator<Item = Key> {
        let here = self.contexts.contains(&context);
        let usable = move |key: &Key| here && !context.takes_as_text(*key);
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
            bindings: table().map(Binding::from).collect(),
        }
    }
}

/// Why some keys can't be an action's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The action.
    pub action: Action,
    /// A sentence.
    pub why: String,
}

impl Keymap {
    /// The table with other keys for some actions, wherever they hold.
    ///
    /// # Errors
    /// Every reason that speaks against it.
    pub fn with(own: &[(Action, Vec<Key>)]) -> Result<Self, Vec<Refused>> {
        let mut keymap = Self::default();
        for (action, keys) in own {
            // What an earlier line of the action covers has the keys already.
            let mut covered = Vec::new();
            for binding in keymap
                .bindings
                .iter_mut()
                .filter(|one| one.action == *action)
            {
                binding
                    .contexts
                    .retain(|context| !covered.contains(context));
                covered.extend_from_slice(&binding.contexts);
                binding.keys.clone_from(keys);
            }
        }
        let refused = keymap.refused(own);
        if refused.is_empty() {
            Ok(keymap)
        } else {
            Err(refused)
        }
    }

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

    /// Where `action` holds, with a key or without.
    pub fn contexts(&self, action: Action) -> impl Iterator<Item = Context> {
        let holds = move |context: &Context| {
            let mut own = self.bindings.iter().filter(|one| one.action == action);
            own.any(|binding| binding.contexts.contains(context))
        };
        Context::ALL.into_iter().filter(holds)
    }

    fn refused(&self, own: &[(Action, Vec<Key>)]) -> Vec<Refused> {
        let mut refused = Vec::new();
        for (action, keys) in own {
            let (action, name) = (*action, action.name());
            let mut refuse = |why: String| refused.push(Refused { action, why });
            let keyless = |context: &Context| self.key(*context, action).is_none();
            if action.is_needed()
                && let Some(context) = self.contexts(action).find(keyless)
            {
                let place = context.title();
                refuse(format!(
                    "{name} needs a key that works everywhere, and has none in: {place}"
                ));
            } else if !keys.is_empty() && self.contexts(action).all(|context| keyless(&context)) {
                refuse(format!(
                    "{name} holds only where one types, and there these keys are text"
                ));
            }
        }
        refused.extend(self.clashes(own));
        refused
    }

    /// Two actions on one key in one context, each pair once.
    fn clashes(&self, own: &[(Action, Vec<Key>)]) -> Vec<Refused> {
        let mut clashes: Vec<Refused> = Vec::new();
        let mut told: Vec<[Action; 2]> = Vec::new();
        for (action, keys) in own {
            for (context, key) in self
                .contexts(*action)
                .flat_map(|context| keys.iter().map(move |key| (context, *key)))
            {
                let meanings = self.bindings.iter().filter(|binding| {
                    binding.action != *action && binding.keys_in(context).any(|own| own == key)
                });
                for other in meanings.map(|binding| binding.action) {
                    if told.contains(&[other, *action]) || told.contains(&[*action, other]) {
                        continue;
                    }
                    told.push([*action, other]);
                    let why = format!(
                        "{} and {} are both on {key} in: {}; give one of them another key",
                        action.name(),
                        other.name(),
                        context.title(),
                    );
                    clashes.push(Refused {
                        action: *action,
                        why,
                    });
                }
            }
        }
        clashes
    }
}
