//! The flags of `replay`, and those that it shares with `run`: a condition.

use std::path::PathBuf;

use clap::Args;

use super::OutputForm;
use crate::text::parse_seconds;

/// What `replay --help` ends with.
const EPILOGUE: &str = "\
With a condition, this is what if: the result is the one that the wait would have
had with it, and so is the exit code. What isn't given stays as it was recorded.

Exit codes:
  0      matched or settled
  1      --fail-when matched
  2      usage, a condition that was refused, a file that is no recording
  3      the probe failed, timed out or returned too much, or the recording
         ends undecided
  124    the budget ended
  128+n  ended by signal n

Examples:
  stakeout replay build.wait.jsonl --speed 4
  stakeout replay build.wait.jsonl --matches '(?i)succeeded' --fail-when failed";

/// The flags of `replay`.
#[derive(Debug, Args)]
#[command(after_help = EPILOGUE)]
pub struct ReplayFlags {
    /// A recording: a file, or the name of one that stakeout recorded by itself
    #[arg(value_name = "RECORDING")]
    pub recording: PathBuf,
    /// Another condition.
    #[command(flatten)]
    pub condition: ConditionFlags,
    /// How fast events are told: 1 is as they happened, 2 twice as fast [default: at once]
    #[arg(long, value_name = "FACTOR", value_parser = parse_speed, help_heading = "Output")]
    pub speed: Option<f64>,
    /// What stdout gets: jsonl (every event; the default), json (the result; the default with a
    /// condition), text (the last observation), aura (AURA's events) or none
    #[arg(long, value_enum, value_name = "FORM")]
    #[arg(hide_possible_values = true, help_heading = "Output")]
    pub output: Option<OutputForm>,
    /// Say nothing on stderr
    #[arg(long, short, help_heading = "Output")]
    pub quiet: bool,
    /// Tell errors with their causes
    #[arg(long, short, help_heading = "Output")]
    pub verbose: bool,
}

/// A condition as flags.
#[derive(Debug, Default, Args)]
pub struct ConditionFlags {
    /// Stop when the output matches this regex
    #[arg(
        long,
        value_name = "REGEX",
        allow_hyphen_values = true,
        help_heading = "Until"
    )]
    pub matches: Option<String>,
    /// Stop when the output no longer matches this regex
    #[arg(
        long,
        value_name = "REGEX",
        allow_hyphen_values = true,
        help_heading = "Until"
    )]
    pub not_matches: Option<String>,
    /// Stop when the output has not changed for this long
    #[arg(long, value_name = "DURATION", value_parser = parse_seconds, help_heading = "Until")]
    pub quiet_for: Option<u64>,
    /// Stop with exit code 1 when the output matches this regex
    #[arg(
        long,
        value_name = "REGEX",
        allow_hyphen_values = true,
        help_heading = "Until"
    )]
    pub fail_when: Option<String>,
    /// What this regex matches is left out when outputs are compared
    #[arg(
        long,
        value_name = "REGEX",
        allow_hyphen_values = true,
        help_heading = "Until"
    )]
    pub ignore: Option<String>,
    /// What a tool error may do: guard, observe or fail [default: guard]
    #[arg(long, value_name = "HOW", help_heading = "Until")]
    pub tool_errors: Option<String>,
}

impl ConditionFlags {
    /// Whether none is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self {
            matches,
            not_matches,
            quiet_for,
            fail_when,
            ignore,
            tool_errors,
        } = self;
        let texts = [matches, not_matches, fail_when, ignore, tool_errors];
        quiet_for.is_none() && texts.into_iter().all(Option::is_none)
    }
}

fn parse_speed(text: &str) -> Result<f64, String> {
    let factor = text.strip_suffix(['x', '×']).unwrap_or(text).parse();
    factor
        .ok()
        .filter(|factor: &f64| factor.is_finite() && *factor > 0.0)
        .ok_or_else(|| "give a factor over 0, such as 1, 0.5 or 10".to_owned())
}
