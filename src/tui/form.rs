//! The lines of the Bench's condition: which fields share a line, and what is wrong with them.
//!
//! Owns their order and the notes below them. Must not know where they are drawn.

use unicode_width::UnicodeWidthStr;

use super::bench::{Bench, Focus};
use super::draft::Input;
use super::look::Tone;
use crate::text;

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

/// The lines of the condition and the budget, for a pane of `width` cells.
#[must_use]
pub fn lines(bench: &Bench, width: usize) -> Vec<FormLine> {
    let mut rows = vec![
        vec![Focus::Kind],
        vec![Focus::Text(bench.draft.condition())],
        vec![
            Focus::Text(Input::Poll),
            Focus::Text(Input::MaxWait),
            Focus::More,
        ],
    ];
    if bench.more {
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
    let mut lines = Vec::new();
    for row in rows {
        let inputs: Vec<Input> = row.iter().filter_map(|focus| input_of(*focus)).collect();
        lines.push(FormLine::Fields(row));
        for input in inputs {
            lines.extend(
                notes(bench, Some(input), width)
                    .into_iter()
                    .map(FormLine::Note),
            );
        }
    }
    if !bench.more {
        let hidden = [
            Input::FailWhen,
            Input::Ignore,
            Input::RetryErrors,
            Input::ProbeTimeout,
            Input::Rounds,
        ];
        for input in hidden {
            lines.extend(
                notes(bench, Some(input), width)
                    .into_iter()
                    .map(FormLine::Note),
            );
        }
    }
    lines
}

/// What is wrong with the arguments as JSON, for a pane of `width` cells.
#[must_use]
pub fn argument_notes(bench: &Bench, width: usize) -> Vec<Note> {
    let mut notes = notes(bench, Some(Input::Arguments), width);
    for complaint in &bench.assessment.complaints {
        let lines = paragraph(&complaint.to_string(), width).into_iter();
        let tone = Tone::Warn;
        notes.extend(lines.map(|text| Note { tone, text }));
    }
    notes
}

/// What is wrong with the tool itself, or anything that is no field's.
#[must_use]
pub fn tool_notes(bench: &Bench, width: usize) -> Vec<Note> {
    notes(bench, None, width)
}

fn notes(bench: &Bench, input: Option<Input>, width: usize) -> Vec<Note> {
    let faults = bench
        .assessment
        .faults_of(input)
        .map(|fault| (Tone::Error, fault));
    let warnings = bench
        .assessment
        .warnings_of(input)
        .map(|fault| (Tone::Warn, fault));
    faults
        .chain(warnings)
        .flat_map(|(tone, fault)| {
            paragraph(&fault.message, width)
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

/// `text` as lines of at most `width` cells, broken between words where that is possible, safe to
/// draw. Never without a line.
#[must_use]
pub fn paragraph(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for source in text.split('\n') {
        let mut line = String::new();
        for word in source.split(' ') {
            let mut word = text::line(word).into_owned();
            let with_space = if line.is_empty() { 0 } else { line.width() + 1 };
            if with_space > 0 && with_space + word.width() > width {
                lines.push(std::mem::take(&mut line));
            } else if with_space > 0 {
                line.push(' ');
            }
            while word.width() > width && !word.is_empty() {
                let rest = word.split_off(fitting(&word, width));
                lines.push(std::mem::replace(&mut word, rest));
            }
            line.push_str(&word);
        }
        lines.push(line);
    }
    lines
}

/// Bytes of `word` that fit into `width` cells; at least one grapheme.
fn fitting(word: &str, width: usize) -> usize {
    let mut used = 0;
    for piece in text::shown(word) {
        if used > 0 && used + piece.width > width {
            return piece.source.start;
        }
        used += piece.width;
    }
    word.len()
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
}
