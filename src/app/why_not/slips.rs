//! The usual slips: each is put right, tried, and told only if the new pattern matches.
//!
//! Owns what the slips are and how each is put right. Must not know how far a pattern gets.

use std::ops::Range;

use regex_syntax::ast::{self, AssertionKind, Ast, Visitor};

use super::Trial;
use crate::wait::Pattern;

/// A colour or another control sequence of a terminal's.
const ESCAPE: &str = r"\x1b\[[0-9;?]*[A-Za-z]";
/// Places for escapes beyond which it isn't asked which of them are needed.
const MOST_PLACES: usize = 24;

/// What may have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slip {
    /// Which slip it was.
    pub kind: SlipKind,
    /// The whole pattern, put right: it matches.
    pub offer: String,
}

/// A usual slip, named by what puts it right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlipKind {
    /// Backslashes were doubled, as JSON doubles them.
    SingleBackslash,
    /// `^` and `$` were meant for every line.
    MultiLine,
    /// Lines end with CR LF.
    CrLf,
    /// Letters were meant in either case.
    IgnoreCase,
    /// `.` was meant for line feeds too.
    DotAll,
    /// The terminal's escapes stand in the way.
    Escapes,
    /// Something stands before the match.
    WithoutStart,
    /// Something stands behind the match.
    WithoutEnd,
    /// Something stands on both sides.
    WithoutBoth,
}

impl SlipKind {
    /// What puts it right, in a few words.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::SingleBackslash => "with single backslashes, as JSON doubled them",
            Self::MultiLine => "with (?m): ^ and $ at every line",
            Self::CrLf => "with lines that end in CR LF",
            Self::IgnoreCase => "with (?i): either case",
            Self::DotAll => "with (?s): . crosses lines",
            Self::Escapes => "past the ANSI escapes",
            Self::WithoutStart => "without ^",
            Self::WithoutEnd => "without $",
            Self::WithoutBoth => "without ^ and $",
        }
    }
}

/// The slips of `pattern`, which doesn't match.
pub(super) fn slips(pattern: &Pattern, ast: &Ast, trial: &mut Trial<'_>) -> Vec<Slip> {
    let source = pattern.source();
    let pieces = Pieces::of(ast);
    let mut slips: Vec<Slip> = Vec::new();
    for (kind, offer) in offers(source, &pieces, trial.text) {
        let new = offer != source && slips.iter().all(|slip| slip.offer != offer);
        if new && trial.matches(&offer) {
            slips.push(Slip { kind, offer });
        }
    }
    if let Some(offer) = past_escapes(pattern, &pieces, trial) {
        let kind = SlipKind::Escapes;
        slips.push(Slip { kind, offer });
    }
    slips.extend(without_anchors(source, &pieces, trial));
    slips
}

/// What is cheap to write down, whether it matches or not.
fn offers(source: &str, pieces: &Pieces, text: &str) -> Vec<(SlipKind, String)> {
    let mut offers = Vec::new();
    if source.contains(r"\\") {
        let single = source.replace(r"\\", r"\");
        offers.push((SlipKind::SingleBackslash, single));
    }
    let (starts, ends) = (!pieces.line_starts.is_empty(), !pieces.line_ends.is_empty());
    if starts || ends {
        offers.push((SlipKind::MultiLine, with_flags(source, "m")));
    }
    if text.contains("\r\n") {
        let either = |place: &Range<usize>| (place.clone(), r"(?:\r?\n)");
        let both = edited(source, pieces.line_feeds.iter().map(either));
        let flags = if ends { "mR" } else { "" };
        offers.push((SlipKind::CrLf, with_flags(&both, flags)));
    }
    offers.push((SlipKind::IgnoreCase, with_flags(source, "i")));
    if pieces.has_dot {
        offers.push((SlipKind::DotAll, with_flags(source, "s")));
    }
    offers
}

/// A pattern that only says less: one that matches anything is no offer.
fn without_anchors(source: &str, pieces: &Pieces, trial: &mut Trial<'_>) -> Vec<Slip> {
    let starts = pieces.line_starts.iter().chain(&pieces.text_starts);
    let ends = pieces.line_ends.iter().chain(&pieces.text_ends);
    let (starts, ends): (Vec<_>, Vec<_>) = (starts.cloned().collect(), ends.cloned().collect());
    let mut tried = |kind, places: Vec<Range<usize>>| {
        let mut places = places;
        places.sort_by_key(|place| place.start);
        let offer = edited(source, places.into_iter().map(|place| (place, "")));
        let says_anything = Pattern::new(&offer).is_ok_and(|pattern| !pattern.is_match(""));
        (offer != source && says_anything && trial.matches(&offer)).then_some(Slip { kind, offer })
    };
    let mut slips = Vec::new();
    slips.extend(tried(SlipKind::WithoutStart, starts.clone()));
    slips.extend(tried(SlipKind::WithoutEnd, ends.clone()));
    if slips.is_empty() && !starts.is_empty() && !ends.is_empty() {
        slips.extend(tried(SlipKind::WithoutBoth, [starts, ends].concat()));
    }
    slips
}

/// A pattern that lets escapes be where the text has them, and in no more places than it needs.
fn past_escapes(pattern: &Pattern, pieces: &Pieces, trial: &mut Trial<'_>) -> Option<String> {
    if !trial.text.contains("\u{1b}[") {
        return None;
    }
    let bare = Pattern::new(ESCAPE)
        .ok()?
        .regex()
        .replace_all(trial.text, "")
        .into_owned();
    if !pattern.is_match(&bare) {
        return None;
    }
    let offer = |places: &[usize]| {
        let escapes = format!("(?:{ESCAPE})*");
        let inserted = places.iter().map(|at| (*at..*at, escapes.as_str()));
        edited(pattern.source(), inserted)
    };
    let between_words = pieces.joints.iter().filter(|joint| !joint.inside_word);
    let mut places: Vec<usize> = between_words.map(|joint| joint.at).collect();
    if !trial.matches(&offer(&places)) {
        places = pieces.joints.iter().map(|joint| joint.at).collect();
        if !trial.matches(&offer(&places)) {
            return None;
        }
    }
    if places.len() <= MOST_PLACES {
        for at in places.clone() {
            let fewer: Vec<usize> = places
                .iter()
                .copied()
                .filter(|place| *place != at)
                .collect();
            if trial.matches(&offer(&fewer)) {
                places = fewer;
            }
        }
    }
    Some(offer(&places))
}

/// `source` with more flags: beside those that it begins with, or in front.
fn with_flags(source: &str, flags: &str) -> String {
    let begun = source
        .strip_prefix("(?")
        .and_then(|rest| rest.split_once(')'))
        .filter(|(own, _)| !own.is_empty() && own.chars().all(|flag| flag.is_ascii_alphabetic()));
    let (own, rest) = begun.unwrap_or(("", source));
    let more = flags.chars().filter(|flag| !own.contains(*flag));
    let all: String = own.chars().chain(more).collect();
    if all.is_empty() {
        rest.to_owned()
    } else {
        format!("(?{all}){rest}")
    }
}

/// `source` with `edits`, which are in order and apart.
fn edited<'e>(source: &str, edits: impl Iterator<Item = (Range<usize>, &'e str)>) -> String {
    let mut new = String::new();
    let mut at = 0;
    for (place, replacement) in edits {
        new.push_str(&source[at..place.start]);
        new.push_str(replacement);
        at = place.end;
    }
    new + &source[at..]
}

/// A place between two pieces of a pattern.
struct Joint {
    at: usize,
    /// Whether letters or digits stand on both sides.
    inside_word: bool,
}

/// What of a pattern the slips are about, in order.
#[derive(Default)]
struct Pieces {
    line_starts: Vec<Range<usize>>,
    text_starts: Vec<Range<usize>>,
    line_ends: Vec<Range<usize>>,
    text_ends: Vec<Range<usize>>,
    line_feeds: Vec<Range<usize>>,
    has_dot: bool,
    joints: Vec<Joint>,
}

impl Pieces {
    fn of(ast: &Ast) -> Self {
        let mut pieces = match ast::visit(ast, Self::default()) {
            Ok(pieces) => pieces,
            Err(never) => match never {},
        };
        pieces.joints.sort_by_key(|joint| joint.at);
        pieces
    }

    fn join(&mut self, before: &Ast, after: &Ast) {
        let in_word =
            |ast: &Ast| matches!(ast, Ast::Literal(literal) if literal.c.is_alphanumeric());
        if !matches!(before, Ast::Flags(_)) {
            self.joints.push(Joint {
                at: after.span().start.offset,
                inside_word: in_word(before) && in_word(after),
            });
        }
    }
}

impl Visitor for Pieces {
    type Output = Self;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<Self, Self::Err> {
        Ok(self)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        let place = ast.span().start.offset..ast.span().end.offset;
        match ast {
            Ast::Assertion(assertion) => match assertion.kind {
                AssertionKind::StartLine => self.line_starts.push(place),
                AssertionKind::StartText => self.text_starts.push(place),
                AssertionKind::EndLine => self.line_ends.push(place),
                AssertionKind::EndText => self.text_ends.push(place),
                _ => {}
            },
            Ast::Literal(literal) if literal.c == '\n' => self.line_feeds.push(place),
            Ast::Dot(_) => self.has_dot = true,
            Ast::Concat(concat) => {
                for pair in concat.asts.windows(2) {
                    if let [before, after] = pair {
                        self.join(before, after);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}
