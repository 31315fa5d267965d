//! Drawing text that somebody else wrote: no byte of it reaches the terminal as it is.
//!
//! Escapes, control characters, bidi overrides and carriage returns become visible symbols, tabs are
//! expanded, and every grapheme knows its width in cells and the bytes that it came from, so that a
//! highlight finds its place.

use std::borrow::Cow;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Cells between tab stops.
pub const TAB_STOP: usize = 8;

/// Bytes of the longest cluster that is drawn as one: more than any emoji needs. A cell that held a
/// longer one would hide what is in it, and cost as much as a screen.
const LONGEST_CLUSTER: usize = 64;

/// Joins characters into one picture.
const JOINER: char = '\u{200D}';
/// Keeps characters from being joined.
const NON_JOINER: char = '\u{200C}';
/// Asks for the coloured picture of the character before.
const EMOJI_PRESENTATION: char = '\u{FE0F}';

/// One grapheme as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown<'t> {
    /// The bytes of the source that it stands for.
    pub source: Range<usize>,
    /// What is drawn.
    pub text: Cow<'t, str>,
    /// Its width in cells.
    pub width: usize,
    /// Whether it stands for something that has no picture of its own.
    pub symbol: bool,
}

/// The graphemes of one line as they are drawn, from column 0. A line break inside becomes a symbol.
pub fn shown(line: &str) -> impl Iterator<Item = Shown<'_>> {
    let mut column = 0;
    line.grapheme_indices(true)
        .flat_map(move |(start, grapheme)| {
            let pieces = pieces(start, grapheme, column);
            column += pieces.iter().map(|piece| piece.width).sum::<usize>();
            pieces
        })
}

/// A line, safe to print.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(shown(text).map(|piece| piece.text).collect())
}

/// Several lines, safe to print: only line feeds stay what they are.
#[must_use]
pub fn lines(text: &str) -> String {
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Any text as one line, safe to print, at most `width` cells; an ellipsis says where it was cut.
#[must_use]
pub fn one_line(text: &str, width: usize) -> String {
    let mut drawn = String::new();
    let mut used = 0;
    for piece in shown(text.trim_end()) {
        if used + piece.width > width {
            while used >= width.max(1) {
                let Some((at, last)) = drawn.grapheme_indices(true).next_back() else {
                    break;
                };
                used -= last.width();
                drawn.truncate(at);
            }
            if width > 0 {
                drawn.push('…');
            }
            return drawn;
        }
        used += piece.width;
        drawn.push_str(&piece.text);
    }
    drawn
}

fn pieces(start: usize, grapheme: &str, column: usize) -> Vec<Shown<'_>> {
    if grapheme == "\t" {
        let width = TAB_STOP - column % TAB_STOP;
        let text = Cow::Owned(" ".repeat(width));
        return vec![Shown {
            source: start..start + 1,
            text,
            width,
            symbol: false,
        }];
    }
    if grapheme.len() > LONGEST_CLUSTER {
        return pieces_of_long(start, grapheme, column);
    }
    if !grapheme.chars().any(needs_symbol) && !is_joined_emoji(grapheme) {
        // Terminals disagree on the width that it asks for; without it they agree.
        let text = match grapheme.contains(EMOJI_PRESENTATION) {
            true => Cow::Owned(grapheme.replace(EMOJI_PRESENTATION, "")),
            false => Cow::Borrowed(grapheme),
        };
        if text.width() > 0 {
            return by_base(start, grapheme, text);
        }
    }
    // A cluster such as CR LF, a lone combining mark, or a character that draws nothing: each
    // character for itself, so that none hides.
    grapheme
        .char_indices()
        .map(|(offset, character)| {
            let text = symbol(character);
            let width = text.width();
            let from = start + offset;
            Shown {
                source: from..from + character.len_utf8(),
                text: text.into(),
                width,
                symbol: true,
            }
        })
        .collect()
}

/// A cluster in pieces of one character that has cells of its own and the marks on it: many terminals
/// give each its cells, and know nothing of the cluster.
fn by_base<'t>(start: usize, grapheme: &'t str, text: Cow<'t, str>) -> Vec<Shown<'t>> {
    let has_cells = |character: char| character.width().is_some_and(|width| width > 0);
    let bases = text.chars().filter(|character| has_cells(*character));
    if bases.count() < 2 {
        return vec![Shown {
            source: start..start + grapheme.len(),
            width: text.width(),
            text,
            symbol: false,
        }];
    }
    let mut starts: Vec<usize> = grapheme
        .char_indices()
        .filter(|(offset, character)| *offset == 0 || has_cells(*character))
        .map(|(offset, _)| offset)
        .collect();
    starts.push(grapheme.len());
    let parts = starts.windows(2);
    parts
        .map(|part| {
            let text = grapheme[part[0]..part[1]].replace(EMOJI_PRESENTATION, "");
            Shown {
                source: start + part[0]..start + part[1],
                width: text.width(),
                text: text.into(),
                symbol: false,
            }
        })
        .collect()
}

/// The first character of a very long cluster, and how many more there are.
fn pieces_of_long(start: usize, cluster: &str, column: usize) -> Vec<Shown<'_>> {
    let first = cluster.chars().next().map_or(0, char::len_utf8);
    let (base, rest) = cluster.split_at(first);
    let text = format!("‹+{}›", rest.chars().count());
    let mut all = pieces(start, base, column);
    all.push(Shown {
        source: start + first..start + cluster.len(),
        width: text.width(),
        text: text.into(),
        symbol: true,
    });
    all
}

/// Whether terminals disagree on where it ends: emoji that are joined into one, or coloured.
fn is_joined_emoji(grapheme: &str) -> bool {
    let mut joined = false;
    let mut emoji = false;
    for character in grapheme.chars() {
        joined |= matches!(character, JOINER | '\u{1F3FB}'..='\u{1F3FF}');
        emoji |= character >= '\u{1F000}' || character == EMOJI_PRESENTATION;
    }
    joined && emoji && grapheme.chars().nth(1).is_some()
}

/// Characters that move, hide or reorder others, and those whose width terminals don't agree on:
/// the halves of flags, and what stands for bytes that were no text.
fn needs_symbol(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{00AD}' | '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{1F1E6}'..='\u{1F1FF}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{FFFD}' | '\u{E0000}'..='\u{E007F}')
}

fn symbol(character: char) -> String {
    match character {
        '\u{00}'..='\u{1F}' => {
            char::from_u32(0x2400 + u32::from(character)).map_or_else(String::new, String::from)
        }
        '\u{7F}' => "␡".to_owned(),
        _ if needs_symbol(character)
            || matches!(character, JOINER | NON_JOINER | EMOJI_PRESENTATION) =>
        {
            format!("‹{:X}›", u32::from(character))
        }
        _ => {
            let own = character.to_string();
            // A combining mark alone needs something to stand on.
            if own.width() == 0 {
                format!("◌{own}")
            } else {
                own
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(line: &str) -> String {
        shown(line).map(|piece| piece.text).collect()
    }

    #[test]
    fn u10_escapes_become_symbols() {
        assert_eq!(text("\u{1b}]0;owned\u{7}x"), "␛]0;owned␇x");
        assert_eq!(text("\u{9b}31m"), "‹9B›31m");
        assert_eq!(text("a\0b\u{7f}"), "a␀b␡");
    }

    #[test]
    fn u9_carriage_returns_are_visible() {
        assert_eq!(text("10%\r20%\r\n"), "10%␍20%␍␊");
    }

    #[test]
    fn bidi_and_invisible_characters_are_named() {
        assert_eq!(text("a\u{202e}b\u{200b}c\u{feff}"), "a‹202E›b‹200B›c‹FEFF›");
        assert_eq!(text("a\u{fffd}"), "a‹FFFD›");
        // A soft hyphen is a cell wide on some terminals, and none on others.
        assert_eq!(text("a\u{ad}b\u{200b}\u{200c}"), "a‹AD›b‹200B›‹200C›");
    }

    #[test]
    fn u8_a_cluster_without_an_end_is_counted_instead_of_drawn() {
        let line = format!("a{}b", "\u{301}".repeat(100_000));
        assert_eq!(text(&line), "a‹+100000›b");
        let last = shown(&line).last().map(|piece| piece.source);
        assert_eq!(last, Some(200_001..200_002));
    }

    #[test]
    fn u8_what_terminals_measure_differently_is_taken_apart() {
        assert_eq!(
            text("\u{1f468}\u{200d}\u{1f466}"),
            "\u{1f468}‹200D›\u{1f466}"
        );
        assert_eq!(text("\u{1f1e9}\u{1f1ea}"), "‹1F1E9›‹1F1EA›");
        assert_eq!(text("\u{26a0}\u{fe0f} x"), "\u{26a0} x");
        let warning = shown("\u{26a0}\u{fe0f}").next();
        let cells = warning.map(|piece| (piece.source, piece.width));
        assert_eq!(cells, Some((0..6, 1)));
        let indic = "\u{915}\u{94d}\u{200d}";
        assert_eq!(text(indic), indic);
        let vowel = "\u{928}\u{93f}\u{94d}x";
        assert_eq!(text(vowel), vowel);
        let sources: Vec<_> = shown(vowel)
            .map(|piece| (piece.source, piece.width))
            .collect();
        assert_eq!(sources, [(0..3, 1), (3..9, 1), (9..10, 1)]);
    }

    #[test]
    fn u7_tabs_reach_their_stop() {
        assert_eq!(text("ab\tc"), "ab      c");
        assert_eq!(text("12345678\tc"), "12345678        c");
    }

    #[test]
    fn u8_wide_and_combining_characters_are_measured_in_cells() {
        let widths: Vec<usize> = shown("状e\u{301}✅").map(|piece| piece.width).collect();
        assert_eq!(widths, [2, 1, 2]);
        assert_eq!(text("\u{301}"), "◌\u{301}");
    }

    #[test]
    fn every_byte_of_the_source_is_accounted_for() {
        let line = "a\t\u{1b}[0m状\r\n\u{202e}é\u{301}\0";
        let mut at = 0;
        for piece in shown(line) {
            assert_eq!(piece.source.start, at);
            at = piece.source.end;
            assert_eq!(piece.width, piece.text.width());
        }
        assert_eq!(at, line.len());
    }

    #[test]
    fn one_line_is_cut_by_cells() {
        assert_eq!(one_line("状态完成", 5), "状态…");
        assert_eq!(one_line("abc", 3), "abc");
        assert_eq!(one_line("abcd", 3), "ab…");
        assert_eq!(one_line("a\nb\n", 9), "a␊b");
        assert_eq!(one_line("abcd", 0), "");
    }

    #[test]
    fn lines_keep_only_line_feeds() {
        assert_eq!(lines("a\nb\r\u{1b}"), "a\nb␍␛");
    }
}
