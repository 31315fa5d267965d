//! What is written on the Bench: texts that stay texts until they are used.
//!
//! Owns the fields and where a call's values go in them. Must not judge them: that is
//! [`super::assess`].

mod written;

use serde_json::{Map, Value};

use super::arguments::Arguments;
use super::assess::DraftText;
use super::field::Field;
use crate::wait::ToolErrors;

/// The three conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `matches`
    Matches,
    /// `not_matches`
    NotMatches,
    /// `quiet_for_sec`
    QuietFor,
}

impl Kind {
    /// Every kind, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Matches, Self::NotMatches, Self::QuietFor];

    /// What the screen calls it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Matches => "matches",
            Self::NotMatches => "not matches",
            Self::QuietFor => "quiet for",
        }
    }
}

/// The text fields of the Bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Input {
    /// `probe.args`, as JSON.
    Arguments,
    /// The pattern of the condition.
    Pattern,
    /// `until.quiet_for_sec`
    Quiet,
    /// `poll_sec`
    Poll,
    /// `max_wait_sec`
    MaxWait,
    /// `fail_when`
    FailWhen,
    /// `ignore`
    Ignore,
    /// `retry_errors`
    RetryErrors,
    /// `probe_timeout_sec`
    ProbeTimeout,
    /// Budgets that may follow one another.
    Rounds,
}

/// A call that is being written.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Which condition.
    pub kind: Kind,
    /// What a tool error may do.
    pub tool_errors: ToolErrors,
    args: Arguments,
    pattern: Field,
    quiet: Field,
    poll: Field,
    max_wait: Field,
    fail_when: Field,
    ignore: Field,
    retry_errors: Field,
    probe_timeout: Field,
    rounds: Field,
}

impl Draft {
    /// A draft with arguments to start from, and nothing else.
    #[must_use]
    pub fn new(args: &Map<String, Value>) -> Self {
        let empty = || Field::line("");
        Self {
            kind: Kind::Matches,
            tool_errors: ToolErrors::Guard,
            args: Arguments::new(args),
            pattern: empty(),
            quiet: empty(),
            poll: empty(),
            max_wait: empty(),
            fail_when: empty(),
            ignore: empty(),
            retry_errors: empty(),
            probe_timeout: empty(),
            rounds: empty(),
        }
    }

    /// The draft that says what `call` says, a call in the form of the contract.
    #[must_use]
    pub fn of_call(call: &Value, rounds: u32) -> Self {
        let no_args = Map::new();
        let args = call
            .pointer("/probe/args")
            .and_then(Value::as_object)
            .unwrap_or(&no_args);
        let mut draft = Self::new(args);
        let text = |pointer: &str| call.pointer(pointer).and_then(Value::as_str);
        let seconds = |pointer: &str| call.pointer(pointer).and_then(Value::as_u64);
        if let Some(pattern) = text("/until/matches") {
            draft.pattern = Field::line(pattern);
        } else if let Some(pattern) = text("/until/not_matches") {
            draft.kind = Kind::NotMatches;
            draft.pattern = Field::line(pattern);
        } else if let Some(quiet) = seconds("/until/quiet_for_sec") {
            draft.kind = Kind::QuietFor;
            draft.quiet = Field::line(&in_units(quiet));
        }
        let durations = [
            ("/poll_sec", &mut draft.poll),
            ("/max_wait_sec", &mut draft.max_wait),
            ("/probe_timeout_sec", &mut draft.probe_timeout),
        ];
        for (pointer, field) in durations {
            if let Some(value) = seconds(pointer) {
                *field = Field::line(&in_units(value));
            }
        }
        draft.fail_when = Field::line(text("/fail_when").unwrap_or_default());
        draft.ignore = Field::line(text("/ignore").unwrap_or_default());
        if let Some(retries) = seconds("/retry_errors") {
            draft.retry_errors = Field::line(&retries.to_string());
        }
        if let Some(known) = ToolErrors::ALL
            .into_iter()
            .find(|known| text("/tool_errors") == Some(known.as_str()))
        {
            draft.tool_errors = known;
        }
        if rounds > 1 {
            draft.rounds = Field::line(&rounds.to_string());
        }
        draft
    }

    /// Whether it uses one of the fields that few waits need.
    #[must_use]
    pub fn uses_more(&self) -> bool {
        !self.more_in_use().is_empty()
    }

    /// Which of the fields that few waits need are set, a few words each: a pattern is only named.
    #[must_use]
    pub fn more_in_use(&self) -> Vec<String> {
        let mut words = Vec::new();
        for (name, field) in [("fail when", &self.fail_when), ("ignore", &self.ignore)] {
            if !field.is_empty() {
                words.push(name.to_owned());
            }
        }
        if self.tool_errors != ToolErrors::Guard {
            words.push(format!("tool errors {}", self.tool_errors.as_str()));
        }
        let values = [
            ("retries", &self.retry_errors),
            ("probe timeout", &self.probe_timeout),
            ("rounds", &self.rounds),
        ];
        for (name, field) in values {
            if !field.is_empty() {
                words.push(format!("{name} {}", field.text()));
            }
        }
        words
    }

    /// A field.
    #[must_use]
    pub fn field(&self, input: Input) -> &Field {
        match input {
            Input::Arguments => self.args.json(),
            Input::Pattern => &self.pattern,
            Input::Quiet => &self.quiet,
            Input::Poll => &self.poll,
            Input::MaxWait => &self.max_wait,
            Input::FailWhen => &self.fail_when,
            Input::Ignore => &self.ignore,
            Input::RetryErrors => &self.retry_errors,
            Input::ProbeTimeout => &self.probe_timeout,
            Input::Rounds => &self.rounds,
        }
    }

    /// A field, to change it.
    pub fn field_mut(&mut self, input: Input) -> &mut Field {
        match input {
            Input::Arguments => self.args.json_mut(),
            Input::Pattern => &mut self.pattern,
            Input::Quiet => &mut self.quiet,
            Input::Poll => &mut self.poll,
            Input::MaxWait => &mut self.max_wait,
            Input::FailWhen => &mut self.fail_when,
            Input::Ignore => &mut self.ignore,
            Input::RetryErrors => &mut self.retry_errors,
            Input::ProbeTimeout => &mut self.probe_timeout,
            Input::Rounds => &mut self.rounds,
        }
    }

    /// The arguments.
    #[must_use]
    pub fn arguments(&self) -> &Arguments {
        &self.args
    }

    /// The arguments, to change them.
    pub fn arguments_mut(&mut self) -> &mut Arguments {
        &mut self.args
    }

    /// The field of the condition's own value.
    #[must_use]
    pub fn condition(&self) -> Input {
        if self.kind == Kind::QuietFor {
            Input::Quiet
        } else {
            Input::Pattern
        }
    }

    /// Everything that is written, for [`super::assess`].
    #[must_use]
    pub fn text(&self, server: &str, tool: &str) -> DraftText {
        DraftText {
            server: server.to_owned(),
            tool: tool.to_owned(),
            args: self.args.json().text(),
            argument_faults: self.args.faults(),
            kind: self.kind,
            pattern: self.pattern.text(),
            quiet: self.quiet.text(),
            poll: self.poll.text(),
            max_wait: self.max_wait.text(),
            fail_when: self.fail_when.text(),
            tool_errors: self.tool_errors,
            retry_errors: self.retry_errors.text(),
            probe_timeout: self.probe_timeout.text(),
            ignore: self.ignore.text(),
            rounds: self.rounds.text(),
        }
    }
}

/// `90` as `1m30s`: what the fields take.
fn in_units(seconds: u64) -> String {
    let parts = [
        (seconds / 3600, 'h'),
        (seconds / 60 % 60, 'm'),
        (seconds % 60, 's'),
    ];
    let text: String = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| format!("{count}{unit}"))
        .collect();
    if text.is_empty() {
        "0s".to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_seconds;
    use serde_json::json;

    #[test]
    fn seconds_in_units_are_read_back() {
        for seconds in [0, 1, 59, 60, 90, 3600, 3661, u64::MAX] {
            assert_eq!(parse_seconds(&in_units(seconds)), Ok(seconds));
        }
        assert_eq!(in_units(90), "1m30s");
    }

    #[test]
    fn a_call_fills_every_field() {
        let call = json!({
            "probe": { "server": "ci", "tool": "get", "args": { "id": 18446744073709551615_u64 } },
            "until": { "not_matches": "running" }, "poll_sec": 5, "max_wait_sec": 180,
            "fail_when": "lost", "tool_errors": "observe", "retry_errors": 3,
            "probe_timeout_sec": 10, "ignore": "\\d+",
        });
        let text = Draft::of_call(&call, 4).text("ci", "get");
        assert_eq!(text.args, "{\n  \"id\": 18446744073709551615\n}");
        assert_eq!(
            (text.kind, text.pattern.as_str()),
            (Kind::NotMatches, "running")
        );
        assert_eq!((text.poll.as_str(), text.max_wait.as_str()), ("5s", "3m"));
        assert_eq!(
            (text.fail_when.as_str(), text.ignore.as_str()),
            ("lost", "\\d+")
        );
        assert_eq!(text.tool_errors, ToolErrors::Observe);
        assert_eq!(
            (text.retry_errors.as_str(), text.probe_timeout.as_str()),
            ("3", "10s")
        );
        assert_eq!(text.rounds, "4");
    }
}
