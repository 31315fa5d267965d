//! What the help says: what is wrong with the configuration, what is highlighted, the keys here, and
//! those elsewhere.
//!
//! Owns the words and their order; keys and sentences come from the keymap in force. Must not know
//! where they are drawn.

use crossterm::event::KeyCode;

use super::field::Field;
use super::form::paragraph;
use super::keys::{Action, Context, Key};
use super::model::Model;
use crate::text;

/// Cells of the keys.
pub const KEYS: usize = 22;
/// Bytes of a text that is told, where it has more.
const LONGEST: usize = 16_384;

/// The help, open.
#[derive(Debug, Clone)]
pub struct Help {
    /// Where it was asked for.
    pub context: Context,
    /// What is highlighted there, a paragraph each; often nothing.
    pub about: Vec<String>,
    /// The first visible line.
    pub top: usize,
    /// What lines must hold to be shown.
    pub filter: Field,
    /// Whether that is being typed.
    pub filtering: bool,
}

/// One line of the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Something that is wrong.
    Problem(String),
    /// Something that is told.
    Text(String),
    /// What the lines below are about.
    Heading(String),
    /// Keys and what they do; a long sentence goes on without keys.
    Keys(String, String),
}

impl Help {
    /// The help for `context`, from its beginning.
    #[must_use]
    pub fn new(context: Context, about: Vec<String>) -> Self {
        Self {
            context,
            about,
            top: 0,
            filter: Field::line(""),
            filtering: false,
        }
    }

    /// Its lines, for `width` cells: those that hold every word of the filter.
    #[must_use]
    pub fn lines(&self, model: &Model, width: usize) -> Vec<Line> {
        let filter = self.filter.text().to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let mut lines = Vec::new();
        let mut heading = None;
        for entry in self.entries(model) {
            match &entry {
                Line::Heading(_) => heading = Some(entry),
                entry if holds(entry, &words) => {
                    if let Some(heading) = heading.take() {
                        if !lines.is_empty() {
                            lines.push(Line::Text(String::new()));
                        }
                        lines.push(heading);
                    }
                    wrap(entry, width, &mut lines);
                }
                _ => {}
            }
        }
        lines
    }

    fn entries(&self, model: &Model) -> Vec<Line> {
        let mut entries: Vec<Line> = model.problems.iter().cloned().map(Line::Problem).collect();
        entries.extend(self.about.iter().cloned().map(Line::Text));
        let mut said = Vec::new();
        entries.extend(keys(model, self.context, &mut said));
        if self.context.is_typing() {
            let arrows =
                [KeyCode::Left, KeyCode::Right].map(|code| model.look.key(Key::code(code)));
            let arrows = format!("{} Home End", arrows.join(" "));
            entries.push(Line::Keys(arrows, "move the cursor".to_owned()));
        }
        let suspend = "suspend stakeout, until the shell's fg";
        entries.push(Line::Keys("Ctrl-Z".to_owned(), suspend.to_owned()));
        entries.extend(legend(model, self.context));
        for context in Context::ALL {
            let own = keys(model, context, &mut said);
            if !own.is_empty() {
                entries.push(Line::Heading(context.title().to_owned()));
                entries.extend(own);
            }
        }
        entries
    }
}

/// Keys and sentences of `context` in the table's order, without what is `said` already.
fn keys(model: &Model, context: Context, said: &mut Vec<Action>) -> Vec<Line> {
    let mut lines = Vec::new();
    for binding in model.keymap.bindings(context) {
        if said.contains(&binding.action) {
            continue;
        }
        said.push(binding.action);
        let keys = model.keymap.keys(context, binding.action);
        let keys: Vec<String> = keys.map(|key| model.look.key(key)).collect();
        lines.push(Line::Keys(keys.join(" "), binding.action.help().to_owned()));
    }
    lines
}

/// What the symbols of this place mean.
fn legend(model: &Model, context: Context) -> Vec<Line> {
    let symbols = model.look.symbols();
    let mut lines = Vec::new();
    if context == Context::Watch {
        let marks = [
            symbols.same,
            symbols.changed,
            symbols.tool_error,
            symbols.failed,
            symbols.matched,
            symbols.unmet,
        ];
        let meaning =
            "a sample: same, changed, tool error, failed, met the condition, met fail when";
        lines.push(Line::Keys(marks.join(" "), meaning.to_owned()));
    }
    let counts = [symbols.running, symbols.met, symbols.unmet].join(" ");
    let meaning = "waits: running, met, not met";
    lines.push(Line::Keys(counts, meaning.to_owned()));
    lines
}

fn holds(line: &Line, words: &[&str]) -> bool {
    let text = match line {
        Line::Problem(text) | Line::Text(text) | Line::Heading(text) => text.clone(),
        Line::Keys(keys, sentence) => format!("{keys} {sentence}"),
    };
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word))
}

fn wrap(entry: &Line, width: usize, lines: &mut Vec<Line>) {
    match entry {
        Line::Keys(keys, sentence) => {
            let keys = paragraph(keys, KEYS - 2);
            let sentence = paragraph(sentence, width.saturating_sub(KEYS).max(1));
            for place in 0..keys.len().max(sentence.len()) {
                let of = |part: &[String]| part.get(place).cloned().unwrap_or_default();
                lines.push(Line::Keys(of(&keys), of(&sentence)));
            }
        }
        Line::Heading(text) => lines.push(Line::Heading(text.clone())),
        Line::Problem(text) => {
            lines.extend(paragraph(text, width).into_iter().map(Line::Problem));
            lines.push(Line::Text(String::new()));
        }
        Line::Text(text) => {
            let told = text::head_and_tail(text.trim(), LONGEST);
            lines.extend(paragraph(&told, width).into_iter().map(Line::Text));
            lines.push(Line::Text(String::new()));
        }
    }
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::super::look::{Look, Theme};
    use super::*;

    fn model() -> Model {
        let look = Look {
            theme: Theme::Dark,
            unicode: true,
        };
        Model::new(look, (80, 24), Vec::new(), &[])
    }

    #[test]
    fn u1_the_help_names_every_key_of_its_context_and_every_action() {
        let model = model();
        for context in Context::ALL {
            let lines = Help::new(context, Vec::new()).lines(&model, 72);
            let parts = lines.iter().filter_map(|line| match line {
                Line::Keys(keys, sentence) => Some((keys.as_str(), sentence.as_str())),
                _ => None,
            });
            let (keys, sentences): (Vec<&str>, Vec<&str>) = parts.unzip();
            assert!(keys.iter().all(|keys| keys.width() <= KEYS - 2));
            let (keys, sentences) = (keys.join(" "), sentences.join(" "));
            for binding in model.keymap.bindings(context) {
                for key in binding.keys_in(context) {
                    let key = key.to_string();
                    assert!(
                        keys.split(' ').any(|word| word == key),
                        "{key} in {context:?}"
                    );
                }
            }
            for action in Action::ALL {
                assert!(
                    sentences.contains(action.help()),
                    "{action:?} in {context:?}"
                );
            }
        }
    }

    #[test]
    fn a_filter_keeps_the_lines_that_hold_its_words_under_their_headings() {
        let model = model();
        let mut help = Help::new(Context::Watch, Vec::new());
        help.filter = Field::line("RECONN ection");
        assert_eq!(help.lines(&model, 72), []);
        help.filter = Field::line("connection AGAIN");
        let expected = [
            Line::Heading("Bench, list of servers".to_owned()),
            Line::Keys("R".to_owned(), Action::Reconnect.help().to_owned()),
        ];
        assert_eq!(help.lines(&model, 90), expected);
    }
}
