//! Keys, numbers, literals and punctuation of a text that is JSON, to be told apart by colour.
//!
//! Owns finding them: once a text, so that drawing looks up the visible ones alone. Must not know
//! how they look.

use std::ops::Range;

use serde::de::IgnoredAny;

/// What a part of a JSON text is. Strings that are values are what is left, and look like text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token {
    /// The name of a member, with its quotes.
    Key,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Literal,
    /// Brackets, colons and commas.
    Punctuation,
}

/// The tokens of one text, in order and apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JsonTokens {
    tokens: Vec<(Range<u32>, Token)>,
}

/// How many tokens are found before it is asked whether to go on.
const PATIENCE: usize = 1024;

impl JsonTokens {
    /// The tokens of `text`, where all of it is a JSON object or array, or every line of it is.
    /// Gives up once `go_on` says no.
    #[must_use]
    pub fn of(text: &str, go_on: &dyn Fn() -> bool) -> Option<Self> {
        if !may_be_json(text) || u32::try_from(text.len()).is_err() {
            return None;
        }
        if !is_json(text)
            && !text
                .lines()
                .all(|line| line.trim().is_empty() || is_line(line))
        {
            return None;
        }
        let mut found = Self::default();
        let mut at = 0;
        while let Some(byte) = text.as_bytes().get(at) {
            if found.tokens.len() % PATIENCE == PATIENCE - 1 && !go_on() {
                return None;
            }
            at = found.take(text.as_bytes(), *byte, at);
        }
        Some(found)
    }

    /// The tokens that touch the bytes of `row`.
    #[must_use]
    pub fn touching(&self, row: &Range<usize>) -> &[(Range<u32>, Token)] {
        let first = self
            .tokens
            .partition_point(|(token, _)| token.end as usize <= row.start);
        let after = self
            .tokens
            .partition_point(|(token, _)| (token.start as usize) < row.end);
        self.tokens.get(first..after).unwrap_or_default()
    }

    /// Takes the token that begins with `byte`, at `at`; answers where it ends.
    fn take(&mut self, text: &[u8], byte: u8, at: usize) -> usize {
        let rest = text.get(at..).unwrap_or_default();
        let until =
            |ends: &dyn Fn(&u8) -> bool| at + rest.iter().position(ends).unwrap_or(rest.len());
        match byte {
            b'"' => {
                let end = at + string(rest);
                if is_key(text.get(end..).unwrap_or_default()) {
                    self.push(at..end, Token::Key);
                }
                end
            }
            b'-' | b'0'..=b'9' => {
                let end =
                    until(&|byte| !matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'));
                self.push(at..end, Token::Number);
                end
            }
            b'a'..=b'z' => {
                let end = until(&|byte| !byte.is_ascii_lowercase());
                self.push(at..end, Token::Literal);
                end
            }
            b'{' | b'}' | b'[' | b']' | b':' | b',' => {
                let end = until(&|byte| !matches!(byte, b'{' | b'}' | b'[' | b']' | b':' | b','));
                self.push(at..end, Token::Punctuation);
                end
            }
            _ => at + 1,
        }
    }

    fn push(&mut self, bytes: Range<usize>, token: Token) {
        // The text is shorter than that.
        let short = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.tokens
            .push((short(bytes.start)..short(bytes.end), token));
    }
}

/// Whether it begins and ends as JSON does: most texts don't, and cost no more than that.
fn may_be_json(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['{', '[']) && text.ends_with(['}', ']'])
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn is_line(line: &str) -> bool {
    may_be_json(line) && is_json(line)
}

/// The bytes of the string that `rest` begins with, its quotes counted.
fn string(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    rest.len()
}

/// Whether a colon follows.
fn is_key(rest: &[u8]) -> bool {
    let next = rest.iter().find(|byte| !byte.is_ascii_whitespace());
    next == Some(&b':')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn tokens(text: &str) -> Vec<(&str, Token)> {
        let found = JsonTokens::of(text, &|| true).unwrap();
        let all = found.touching(&(0..text.len()));
        let slice = |range: &Range<u32>| &text[range.start as usize..range.end as usize];
        all.iter()
            .map(|(range, token)| (slice(range), *token))
            .collect()
    }

    #[test]
    fn keys_numbers_literals_and_punctuation_are_found() {
        use Token::{Key, Literal, Number, Punctuation};
        let text = "{\n  \"a\\\"b\" : \"c: 1\",\n  \"n\": [-1.5e+3, true]\n}";
        let expected = [
            ("{", Punctuation),
            ("\"a\\\"b\"", Key),
            (":", Punctuation),
            (",", Punctuation),
            ("\"n\"", Key),
            (":", Punctuation),
            ("[", Punctuation),
            ("-1.5e+3", Number),
            (",", Punctuation),
            ("true", Literal),
            ("]", Punctuation),
            ("}", Punctuation),
        ];
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn lines_of_json_are_json() {
        assert_eq!(tokens("{\"a\": 1}\n\n[null]\n").len(), 8);
    }

    #[test]
    fn what_only_begins_like_json_is_text() {
        for text in [
            "[info] started [ok]",
            "{not json}",
            "42",
            "\"text\"",
            "",
            "{\"a\": 1} and more",
        ] {
            assert_eq!(JsonTokens::of(text, &|| true), None, "{text}");
        }
    }

    #[test]
    fn only_visible_tokens_are_looked_at_and_a_huge_text_is_given_up() {
        let text = format!("[{}0]", "1, ".repeat(10_000));
        let found = JsonTokens::of(&text, &|| true).unwrap();
        let visible = found.touching(&(3000..3006));
        assert_eq!(visible.len(), 4);
        assert_eq!(JsonTokens::of(&text, &|| false), None);
    }
}
