//! What was said about a call in flight: how far it is, and the server's last words.
//!
//! Owns what is kept of the notes, and the words for it. Must not know where it is drawn. However
//! many come, there is one of each kind.

use super::look::Look;
use crate::wait::Note;

/// Cells of the gauge.
const GAUGE: usize = 10;

/// How far a call is, in its server's own unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// How far.
    pub done: f64,
    /// Of how much, where the server says.
    pub total: Option<f64>,
    /// The server's words.
    pub message: Option<String>,
}

impl Progress {
    /// The part that is done, from 0 to 1, where there is a total to measure it by.
    #[must_use]
    pub fn part(&self) -> Option<f64> {
        let total = self.total.filter(|total| *total > 0.0)?;
        let part = self.done / total;
        part.is_finite().then(|| part.clamp(0.0, 1.0))
    }

    fn in_words(&self, look: Look) -> String {
        let (done, message) = (self.done, self.message.as_deref());
        let how_far = match (self.part(), self.total) {
            (Some(part), Some(total)) => format!("{} {done} of {total}", gauge(part, look)),
            _ => format!("progress {done}"),
        };
        match message.map(str::trim).filter(|message| !message.is_empty()) {
            Some(message) => format!("{how_far}: {message}"),
            None => how_far,
        }
    }
}

/// A part from 0 to 1, as a gauge of half cells.
fn gauge(part: f64, look: Look) -> String {
    let symbols = look.symbols();
    // Between 0 and twice the cells.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let halves = (part * 2.0 * GAUGE as f64).round() as usize;
    let half = if halves % 2 == 1 {
        symbols.gauge_half
    } else {
        ""
    };
    let rest = GAUGE - halves.div_ceil(2);
    let full = symbols.gauge_full.repeat(halves / 2);
    format!("{full}{half}{}", symbols.gauge_rest.repeat(rest))
}

/// A note beside the progress, as one sentence.
fn note_in_words(note: &Note) -> Option<String> {
    Some(match note {
        Note::Progress { .. } => return None,
        Note::Log { level, text } => format!("{level}: {text}"),
        Note::Reconnecting => "the connection was lost; reconnecting".to_owned(),
        Note::Reconnected => "reconnected; the server may have started afresh".to_owned(),
    })
}

/// What was said about a call in flight.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InFlight {
    /// How far it is.
    pub progress: Option<Progress>,
    /// What was said last beside that.
    pub said: Option<Note>,
}

impl InFlight {
    /// Takes a note.
    pub fn take(&mut self, note: &Note) {
        match note {
            Note::Progress {
                progress,
                total,
                message,
            } => {
                self.progress = Some(Progress {
                    done: *progress,
                    total: *total,
                    message: message.clone(),
                });
            }
            other => self.said = Some(other.clone()),
        }
    }

    /// What was said, on one line, how far it is first; nothing where nothing was said.
    #[must_use]
    pub fn in_words(&self, look: Look) -> Option<String> {
        let progress = self
            .progress
            .as_ref()
            .map(|progress| progress.in_words(look));
        let said = self.said.as_ref().and_then(note_in_words);
        let all: Vec<String> = progress.into_iter().chain(said).collect();
        (!all.is_empty()).then(|| all.join(&format!(" {} ", look.symbols().dot)))
    }

    /// Whether nothing was said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.progress.is_none() && self.said.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(done: f64, total: Option<f64>) -> Option<f64> {
        let message = None;
        Progress {
            done,
            total,
            message,
        }
        .part()
    }

    #[test]
    fn a_part_is_between_nothing_and_all_whatever_a_server_says() {
        assert_eq!(part(1.0, Some(4.0)), Some(0.25));
        assert_eq!(part(9.0, Some(4.0)), Some(1.0));
        assert_eq!(part(-9.0, Some(4.0)), Some(0.0));
        for total in [None, Some(0.0), Some(-1.0), Some(f64::NAN)] {
            assert_eq!(part(1.0, total), None);
        }
        assert_eq!(part(f64::NAN, Some(4.0)), None);
        assert_eq!(part(f64::INFINITY, Some(4.0)), None);
    }
}
