//! The lines of the Bench's condition: which fields share a line, and what is wrong with them.
//!
//! Owns their order and the notes below them. Must not know where they are drawn.

use unicode_width::UnicodeWidthStr;

use super::assess::Assessment;
use super::bench::{Bench, Focus};
use super::draft::{Draft, Input};
use super::look::Tone;
use crate::text;

/// Bytes of a sentence below a field, where it has more.
const LONGEST_NOTE: usize = 1_000;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormLine {
    /// Fields beside one another.
    Fields(Vec<Focus>),
    /// Something about the fields above.
    Note(Note),
}

/// A sentence about a field, or a line of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Whether it keeps the wait from being run.
    pub tone: Tone,
    /// The words, safe to draw.
    pub text: String,
}

/// Fields of a call: the Bench's, or those of what if.
#[derive(Debug, Clone, Copy)]
pub struct Form<'m> {
    /// The call.
    pub draft: &'m Draft,
    /// What is wrong with it.
    pub assessment: &'m Assessment,
    /// What has the focus.
    pub focus: Focus,
    /// Whether the focused text field is typed in.
    pub typing: bool,
    /// Whether the fields that few waits need are shown.
    pub more: bool,
}

/// The lines of the condition and the budget, for a pane of `width` cells.
#[must_use]
pub fn lines(form: &Form<'_>, width: usize) -> Vec<FormLine> {
    let mut rows = vec![
        vec![Focus::Kind],
        vec![Focus::Text(form.draft.condition())],
        vec![
            Focus::Text(Input::Poll),
            Focus::Text(Input::MaxWait),
            Focus::More,
        ],
    ];
    if form.more {
        rows.extend([
            vec![Focus::Text(Input::FailWhen)],
            vec![Focus::Text(Input::Ignore)],
            vec![Focus::ToolErrors],
            vec![
                Focus::Text(Input::RetryErrors),
                Focus::Text(Input::ProbeTimeout),
                Focus::Text(Input::Rounds),
            ],
        ]);
    }
    let mut lines = with_notes(form, rows, width);
    if !form.more {
        let hidden = [
            Input::FailWhen,
            Input::Ignore,
            Input::RetryErrors,
            Input::ProbeTimeout,
            Input::Rounds,
        ];
        for input in hidden {
            let notes = notes(form.assessment, Some(input), width);
            lines.extend(notes.into_iter().map(FormLine::Note));
        }
    }
    lines
}

/// The lines of the condition alone, for a pane of `width` cells.
#[must_use]
pub fn condition_lines(form: &Form<'_>, width: usize) -> Vec<FormLine> {
    let fields = [
        Focus::Kind,
        Focus::Text(form.draft.condition()),
        Focus::Text(Input::FailWhen),
        Focus::Text(Input::Ignore),
        Focus::ToolErrors,
    ];
    let rows = fields.map(|field| vec![field]).to_vec();
    with_notes(form, rows, width)
}

/// Rows of fields, each with what is wrong with them below it.
fn with_notes(form: &Form<'_>, rows: Vec<Vec<Focus>>, width: usize) -> Vec<FormLine> {
    let mut lines = Vec::new();
    for row in rows {
        let inputs: Vec<Input> = row.iter().filter_map(|focus| input_of(*focus)).collect();
        lines.push(FormLine::Fields(row));
        for input in inputs {
            let notes = notes(form.assessment, Some(input), width);
            lines.extend(notes.into_iter().map(FormLine::Note));
        }
    }
    lines
}

/// What is wrong with the arguments as JSON, for a pane of `width` cells.
#[must_use]
pub fn argument_notes(bench: &Bench, width: usize) -> Vec<Note> {
    let mut notes = notes(&bench.assessment, Some(Input::Arguments), width);
    for complaint in &bench.assessment.complaints {
        let lines = note(&complaint.to_string(), width).into_iter();
        let tone = Tone::Warn;
        notes.extend(lines.map(|text| Note { tone, text }));
    }
    notes
}

/// What is wrong with the tool itself, or anything that is no field's.
#[must_use]
pub fn tool_notes(bench: &Bench, width: usize) -> Vec<Note> {
    notes(&bench.assessment, None, width)
}

fn notes(assessment: &Assessment, input: Option<Input>, width: usize) -> Vec<Note> {
    let faults = assessment
        .faults_of(input)
        .map(|fault| (Tone::Error, fault));
    let warnings = assessment
        .warnings_of(input)
        .map(|fault| (Tone::Warn, fault));
    faults
        .chain(warnings)
        .flat_map(|(tone, fault)| {
            note(&fault.message, width)
                .into_iter()
                .map(move |text| Note { tone, text })
        })
        .collect()
}

fn input_of(focus: Focus) -> Option<Input> {
    match focus {
        Focus::Text(input) => Some(input),
        _ => None,
    }
}

/// A sentence that stands below a field, as lines of at most `width` cells. Of one that quotes a
/// long text, the middle is left out.
#[must_use]
pub fn note(sentence: &str, width: usize) -> Vec<String> {
    paragraph(&text::head_and_tail(sentence, LONGEST_NOTE), width)
}

/// `text` as lines of at most `width` cells, broken between words where that is possible, safe to
/// draw. Never without a line.
#[must_use]
pub fn paragraph(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for source in text.split('\n') {
        let mut line = String::new();
        let mut used = 0;
        for word in source.split(' ') {
            let word = text::line(word);
            let cells = word.width();
            if !line.is_empty() && used + 1 + cells > width {
                lines.push(std::mem::take(&mut line));
                used = 0;
            } else if !line.is_empty() {
                line.push(' ');
                used += 1;
            }
            if used + cells <= width {
                line.push_str(&word);
                used += cells;
                continue;
            }
            for piece in text::shown(&word) {
                if used > 0 && used + piece.width > width {
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                line.push_str(&piece.text);
                used += piece.width;
            }
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u4_a_sentence_is_broken_between_words() {
        assert_eq!(paragraph("one two three", 8), ["one two", "three"]);
        assert_eq!(paragraph("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
        assert_eq!(paragraph("", 4), [""]);
        assert_eq!(paragraph("a\nb", 4), ["a", "b"]);
        assert_eq!(paragraph("状态完成", 3), ["状", "态", "完", "成"]);
    }

    #[test]
    fn u10_a_sentence_of_a_servers_is_made_safe() {
        assert_eq!(paragraph("a\u{1b}[0m", 20), ["a␛[0m"]);
    }

    #[test]
    fn u6_a_long_word_is_broken_in_one_walk() {
        let word = "状\u{1b}ab".repeat(100_000);
        let lines = paragraph(&word, 10);
        assert_eq!(lines.len(), 50_000);
        assert_eq!(lines[0], "状␛ab状␛ab");
    }

    #[test]
    fn a_note_that_quotes_a_long_text_keeps_what_it_says() {
        let lines = note(&format!("{} is no number", "1".repeat(200_000)), 40);
        assert!(lines.len() < 40, "{}", lines.len());
        assert!(lines[0].starts_with("111"));
        assert!(lines.join(" ").ends_with("is no number"), "{lines:?}");
    }
}
