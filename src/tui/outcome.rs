//! How a wait ended, in words.
//!
//! Owns the sentences. Must not know how they are drawn.

use super::form::paragraph;
use super::look::Tone;
use super::watch::{Phase, Wait};
use crate::app::Extent;
use crate::mcp::ERROR_PREFIX;
use crate::text;
use crate::wait::{Call, Ending, Reason, Until, WaitError, WaitResult};

/// Cells of a value that a sentence quotes.
const QUOTED: usize = 300;
/// Cells of a cause where several are told.
const CAUSE: usize = 40;
/// Lines that the sentence may take.
const SENTENCE_LINES: usize = 3;

/// One line of the outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it is about to say.
    pub tone: Tone,
    /// A word in front of it, where it is not the sentence itself.
    pub label: &'static str,
    /// The words, safe to draw.
    pub text: String,
}

/// The outcome: a sentence, and below it the last value and the last error where the sentence
/// alone would hide them. For `columns` cells.
#[must_use]
pub fn lines(wait: &Wait, columns: u16) -> Vec<Line> {
    let (ending, (tone, mut sentence)) = match (&wait.phase, &wait.replay) {
        (Phase::Ended(ending), _) => (Some(ending), self::sentence(&wait.call, ending)),
        (_, Some(replay)) => match without_end(&replay.extent) {
            Some(sentence) => (None, (Tone::Warn, sentence)),
            None => return Vec::new(),
        },
        (_, None) => return Vec::new(),
    };
    let failures = wait.failures();
    let failed: usize = failures.iter().map(|(_, count)| count).sum();
    for (count, what) in [
        (failed, "failed sample"),
        (wait.tool_errors(), "tool error"),
    ] {
        match count {
            0 => {}
            1 => sentence.push_str(&format!("; 1 {what}")),
            _ => sentence.push_str(&format!("; {count} {what}s")),
        }
    }
    let width = usize::from(columns.saturating_sub(4)).max(1);
    let mut sentence_lines = paragraph(&sentence, width);
    if sentence_lines.len() > SENTENCE_LINES {
        // The whole of it is below, where it can be scrolled.
        sentence_lines.truncate(SENTENCE_LINES);
        if let Some(last) = sentence_lines.last_mut() {
            *last = text::one_line(&format!("{last} …"), width);
        }
    }
    let mut lines: Vec<Line> = sentence_lines
        .into_iter()
        .map(|text| Line {
            tone,
            label: "",
            text,
        })
        .collect();
    let met = matches!(ending, Some(Ok(result)) if result.reason != Reason::Timeout);
    if met {
        return lines;
    }
    let quote = |text: &str| text::one_line(text.trim(), QUOTED.min(width.saturating_sub(12)));
    if let Some(value) = wait.history.last_text() {
        lines.push(Line {
            tone: Tone::Plain,
            label: "last value",
            text: quote(&gist(value)),
        });
    }
    let told = |cause: &str| {
        sentence.contains(cause)
            || wait
                .history
                .last_text()
                .is_some_and(|last| **last == *cause)
    };
    if let Some((sample, cause)) = wait.last_error()
        && !told(cause)
    {
        let text = quote(&format!("sample {sample}: {cause}"));
        lines.push(Line {
            tone: Tone::Plain,
            label: "last error",
            text,
        });
    }
    if failures.len() > 1 {
        let causes = failures.iter().map(|(cause, count)| {
            let cause = text::one_line(gist(cause).trim(), CAUSE);
            format!("{cause} ({count})")
        });
        let text = quote(&causes.collect::<Vec<_>>().join(", "));
        lines.push(Line {
            tone: Tone::Plain,
            label: "failures  ",
            text,
        });
    }
    lines
}

/// Why a recording has no end; nothing while there is more of it to come.
fn without_end(extent: &Extent) -> Option<String> {
    match extent {
        Extent::Reading | Extent::Growing => None,
        Extent::Whole | Extent::CutOff => {
            Some("the recording was cut off here: how the wait ended is not known".to_owned())
        }
        Extent::Broken(problem) => Some(problem.clone()),
    }
}

/// The last line of a value that says something: what is newest in a log or a table. The whole of it
/// is below.
#[must_use]
pub fn gist(value: &str) -> String {
    let says = |line: &&str| line.chars().any(char::is_alphanumeric);
    match value.trim().rsplit('\n').find(says) {
        Some(line) if line.len() < value.trim().len() => format!("… {}", line.trim()),
        _ => value.to_owned(),
    }
}

/// The sentence alone.
#[must_use]
pub fn sentence(call: &Call, ending: &Ending) -> (Tone, String) {
    match ending {
        Ok(result) => of_result(call, result),
        Err(failure) => (Tone::Error, error_in_words(&failure.error)),
    }
}

/// How a wait ended, in a word.
#[must_use]
pub fn in_a_word(phase: &Phase) -> &'static str {
    match phase {
        Phase::Ended(Ok(result)) => result.reason.as_str(),
        Phase::Ended(Err(failure)) => match failure.error {
            WaitError::Cancelled { .. } => "cancelled",
            _ => "error",
        },
        _ => "running",
    }
}

/// An error as one sentence that advises what can be done on the screen.
#[must_use]
pub fn error_in_words(error: &WaitError) -> String {
    match error {
        WaitError::ServerAmbiguous { candidates } if candidates.is_empty() => {
            "no server has this tool; choose the one that should".to_owned()
        }
        WaitError::ServerAmbiguous { candidates } => {
            let all = candidates.join(", ");
            format!("nobody says whose tool it is; choose one of {all}")
        }
        WaitError::UntrustedServer {
            server, would_run, ..
        } => format!(
            "server {server:?} is not trusted yet; it would use {would_run}; Enter on it in the list of servers asks"
        ),
        WaitError::UnknownProbeTool {
            server,
            tool,
            near,
            elsewhere,
        } if near.is_empty() && elsewhere.is_empty() => {
            format!("server {server:?} has no tool {tool:?}; / on the Bench lists what it has")
        }
        error => error.to_string(),
    }
}

fn of_result(call: &Call, result: &WaitResult) -> (Tone, String) {
    let after = text::clock(std::time::Duration::from_secs(result.elapsed_sec));
    let samples = counted(result.samples);
    match result.reason {
        Reason::Matched => (Tone::Ok, format!("matched after {after}, {samples}")),
        Reason::Settled => {
            let quiet = match call.until() {
                Until::QuietForSec(seconds) => format!(": no change for {seconds} s"),
                _ => String::new(),
            };
            (Tone::Ok, format!("settled after {after}, {samples}{quiet}"))
        }
        Reason::Failed => (
            Tone::Error,
            format!("failed after {after}, {samples}: fail when matched"),
        ),
        Reason::Timeout => {
            let missing = match call.until() {
                Until::Matches(_) => "nothing matched",
                Until::NotMatches(_) => "it always matched",
                Until::QuietForSec(_) => "it was never quiet for long enough",
            };
            let bound = result.effective_max_wait_sec;
            (
                Tone::Warn,
                format!("timeout at the bound of {bound} s, {samples}: {missing}"),
            )
        }
    }
}

fn counted(samples: u64) -> String {
    if samples == 1 {
        "1 sample".to_owned()
    } else {
        format!("{samples} samples")
    }
}

/// What looks wrong, and may be overlooked: the same error again and again, or a condition that was
/// met by nothing.
#[must_use]
pub fn called_out(wait: &Wait) -> Option<String> {
    if !wait.is_running() {
        return wait.odd_match().map(str::to_owned);
    }
    let (count, error) = wait.repeated_error()?;
    let error = gist(error.strip_prefix(ERROR_PREFIX).unwrap_or(error));
    Some(format!(
        "the same error {count} times in a row: {}",
        error.trim()
    ))
}
