//! The lines of the Bench's condition: which fields share a line, and what is wrong with them.
//!
//! Owns their order and the notes below them. Must not know where they are drawn.

use unicode_width::UnicodeWidthStr;

use super::bench::{Bench, Focus};
use super::draft::Input;
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
        let lines = note(&complaint.to_string(), width).into_iter();
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
