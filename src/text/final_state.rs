//! What is left of a text whose lines were written over, as a terminal would show it.
//!
//! Owns carriage returns, backspaces and erased lines. Moving to another line is not followed.

use std::iter::Peekable;
use std::str::Chars;

/// Whether a line is written over: a carriage return stands before something else than a line feed.
#[must_use]
pub fn is_overwritten(text: &str) -> bool {
    let mut returns = text.match_indices('\r');
    returns.any(|(at, _)| {
        let next = text.as_bytes().get(at + 1);
        next.is_some_and(|next| *next != b'\n')
    })
}

/// The text as it is in the end: what comes after a carriage return stands where the line began, and
/// what a control sequence erases is gone. Character by character, whatever their width.
#[must_use]
pub fn final_state(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(final_line).collect();
    lines.join("\n")
}

fn final_line(line: &str) -> String {
    let (mut cells, mut at): (Vec<char>, usize) = (Vec::new(), 0);
    let mut erased = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => at = 0,
            '\u{8}' => at = at.saturating_sub(1),
            '\u{1b}' if characters.next_if_eq(&'[').is_some() => {
                if let (parameters, Some('K')) = sequence(&mut characters) {
                    erase(&mut cells, at, &parameters);
                    erased = true;
                }
            }
            _ => {
                if let Some(cell) = cells.get_mut(at) {
                    *cell = character;
                } else {
                    cells.push(character);
                }
                at += 1;
            }
        }
    }
    let written: String = cells.into_iter().collect();
    if erased {
        written.trim_end().to_owned()
    } else {
        written
    }
}

/// The rest of a control sequence: its parameters, and what it does.
fn sequence(characters: &mut Peekable<Chars<'_>>) -> (String, Option<char>) {
    let mut parameters = String::new();
    while let Some(parameter) = characters.next_if(|next| (' '..='?').contains(next)) {
        parameters.push(parameter);
    }
    (
        parameters,
        characters.next_if(|next| ('@'..='~').contains(next)),
    )
}

fn erase(cells: &mut [char], at: usize, parameters: &str) {
    let (before, after) = cells.split_at_mut(at.min(cells.len()));
    if parameters != "1" {
        after.fill(' ');
    }
    if parameters == "1" || parameters == "2" {
        before.fill(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u9_the_final_state_of_progress_is_its_last() {
        assert_eq!(final_state("a\n10%\r20%\r\nb"), "a\n20%\nb");
        assert_eq!(final_state("100 of 100\r5"), "500 of 100");
        assert_eq!(final_state("abc\u{8}\u{8}X"), "aXc");
    }

    #[test]
    fn control_sequences_erase_or_are_left_out() {
        assert_eq!(final_state("loading\r\u{1b}[Kdone"), "done");
        assert_eq!(final_state("loading\u{1b}[2K\rdone"), "done");
        assert_eq!(final_state("\u{1b}[1;31mred\u{1b}[0m"), "red");
        assert_eq!(final_state("\u{1b}[12"), "");
    }

    #[test]
    fn windows_lines_are_not_written_over() {
        assert!(!is_overwritten("a\r\nb\r\n") && !is_overwritten("a\r"));
        assert!(is_overwritten("10%\r20%\r\n") && is_overwritten("a\r\r\n"));
    }
}
