//! Judging the Bench: what is wrong, beside which field, and what the newest try would mean.
//!
//! Owns a pure function that may take its time: it runs beside the loop. Must not know the screen.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::document::{Highlights, Patterns};
use super::draft::{Input, Kind};
use super::look::Tone;
use super::why::{Why, why};
use crate::app::arguments::{self, ArgumentCheck, Complaint};
use crate::text::parse_seconds;
use crate::wait::{
    Call, Evaluator, Event, MAX_WAIT_CAP_SEC, Millis, Pattern, Reason, Refusal, Sample, ToolErrors,
    Until, Verdict, WaitError,
};

/// Rounds that one wait may have.
const MOST_ROUNDS: u32 = 1000;

/// What is written on the Bench.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct DraftText {
    pub server: String,
    pub tool: String,
    pub args: String,
    pub argument_faults: Vec<String>,
    pub kind: Kind,
    pub pattern: String,
    pub quiet: String,
    pub poll: String,
    pub max_wait: String,
    pub fail_when: String,
    pub tool_errors: ToolErrors,
    pub retry_errors: String,
    pub probe_timeout: String,
    pub ignore: String,
    pub rounds: String,
}

/// What the newest try brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// The observation.
    pub text: Arc<str>,
    /// Whether the tool reported an error.
    pub tool_error: bool,
}

/// What is wrong with a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The field it stands beside; the tool's line without one.
    pub input: Option<Input>,
    /// One sentence.
    pub message: String,
}

/// What the newest try would mean for the wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    /// How good that is.
    pub tone: Tone,
    /// A few words.
    pub text: String,
}

/// What the Bench amounts to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assessment {
    /// The call; `None` where something is wrong.
    pub call: Option<Call>,
    /// Budgets that may follow one another.
    pub rounds: u32,
    /// The arguments, where they are an object.
    pub args: Option<Map<String, Value>>,
    /// Why it can't be run; empty where it can.
    pub faults: Vec<Fault>,
    /// What may be wrong, and doesn't keep it from being run.
    pub warnings: Vec<Fault>,
    /// What the tool's schema has against the arguments; the server is the judge.
    pub complaints: Vec<Complaint>,
    /// What the newest try would mean, where there is one.
    pub meaning: Option<Meaning>,
    /// Why the condition doesn't hold for it.
    pub why: Option<Why>,
    /// What the condition matches in the newest try.
    pub highlights: Highlights,
}

/// Judges `draft`. Looks for matches in what was `observed` as long as `go_on` says so.
#[must_use]
pub fn assess(
    draft: &DraftText,
    schema: Option<&Value>,
    observed: Option<&Observed>,
    go_on: &dyn Fn() -> bool,
) -> Assessment {
    let mut assessment = Assessment {
        rounds: 1,
        ..Assessment::default()
    };
    if draft.tool.is_empty() {
        assessment.fault(None, "no tool is chosen yet");
    } else if draft.server.is_empty() {
        let problem = "no server is chosen yet; choose one that has the tool";
        assessment.fault(None, problem);
    }
    assessment.judge_args(draft, schema);
    let call = assessment.call(draft);
    assessment.check(&call);
    if let Some(observed) = observed {
        assessment.judge_try(&call, observed, go_on);
    }
    assessment
}

impl Assessment {
    /// Whether `input` has a fault, and which.
    pub fn faults_of(&self, input: Option<Input>) -> impl Iterator<Item = &Fault> {
        self.faults.iter().filter(move |fault| fault.input == input)
    }

    /// What may be wrong with `input`.
    pub fn warnings_of(&self, input: Option<Input>) -> impl Iterator<Item = &Fault> {
        self.warnings
            .iter()
            .filter(move |fault| fault.input == input)
    }

    fn fault(&mut self, input: Option<Input>, message: impl Into<String>) {
        self.faults.push(Fault {
            input,
            message: message.into(),
        });
    }

    fn judge_args(&mut self, draft: &DraftText, schema: Option<&Value>) {
        for fault in &draft.argument_faults {
            self.fault(Some(Input::Arguments), fault);
        }
        if !draft.argument_faults.is_empty() {
            return;
        }
        match arguments::parse(&draft.args) {
            Ok(args) => {
                if let Some(schema) = schema {
                    self.complaints = ArgumentCheck::new(schema).complaints(&args);
                }
                self.args = Some(args);
            }
            Err(fault) => self.fault(Some(Input::Arguments), fault.to_string()),
        }
    }

    /// The draft as a call. What is no value is told as a fault, and left out.
    fn call(&mut self, draft: &DraftText) -> Value {
        let mut call = Map::new();
        let args = self.args.clone().unwrap_or_default();
        let mut probe = json!({ "tool": draft.tool, "args": args });
        if !draft.server.is_empty() {
            probe["server"] = json!(draft.server);
        }
        call.insert("probe".to_owned(), probe);
        call.insert("until".to_owned(), self.until(draft));
        let durations = [
            (Input::Poll, "poll_sec", &draft.poll),
            (Input::MaxWait, "max_wait_sec", &draft.max_wait),
            (
                Input::ProbeTimeout,
                "probe_timeout_sec",
                &draft.probe_timeout,
            ),
        ];
        for (input, key, text) in durations {
            match parse_seconds(text) {
                _ if text.is_empty() => {}
                Ok(seconds) => drop(call.insert(key.to_owned(), json!(seconds))),
                Err(problem) => self.fault(Some(input), problem),
            }
        }
        for (key, text) in [("fail_when", &draft.fail_when), ("ignore", &draft.ignore)] {
            if !text.is_empty() {
                call.insert(key.to_owned(), json!(text));
            }
        }
        call.insert("tool_errors".to_owned(), json!(draft.tool_errors.as_str()));
        if !draft.retry_errors.is_empty() {
            call.insert(
                "retry_errors".to_owned(),
                number_or_text(&draft.retry_errors),
            );
        }
        self.judge_rounds(&draft.rounds);
        Value::Object(call)
    }

    fn until(&mut self, draft: &DraftText) -> Value {
        let placeholder = json!({ "matches": "" });
        match draft.kind {
            Kind::QuietFor => match parse_seconds(&draft.quiet) {
                Ok(seconds) => json!({ "quiet_for_sec": seconds }),
                Err(problem) => {
                    let none = "no condition yet: say for how long, such as 10s".to_owned();
                    let problem = if draft.quiet.is_empty() {
                        none
                    } else {
                        problem
                    };
                    self.fault(Some(Input::Quiet), problem);
                    // One that is valid, so that nothing else is said about it.
                    json!({ "quiet_for_sec": 1 })
                }
            },
            _ if draft.pattern.is_empty() => {
                self.fault(Some(Input::Pattern), "no condition yet: write a pattern");
                placeholder
            }
            Kind::Matches => json!({ "matches": draft.pattern }),
            Kind::NotMatches => json!({ "not_matches": draft.pattern }),
        }
    }

    fn judge_rounds(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match text.parse() {
            Ok(rounds) if (1..=MOST_ROUNDS).contains(&rounds) => self.rounds = rounds,
            _ => {
                let text = crate::text::line(text);
                let problem = format!(
                    "rounds is \"{text}\"; it must be a whole number from 1 to {MOST_ROUNDS}"
                );
                self.fault(Some(Input::Rounds), problem);
            }
        }
    }

    fn check(&mut self, call: &Value) {
        match Call::check(call) {
            Ok(call) => {
                // With a fault, what was checked is not yet what the operator means.
                if !self.faults.is_empty() {
                    return;
                }
                let odd = self.oddities(&call).into_iter();
                let input = Some(Input::MaxWait);
                self.warnings
                    .extend(odd.map(|message| Fault { input, message }));
                self.call = Some(call);
            }
            Err(refusals) => {
                for refusal in &refusals {
                    self.refuse(refusal);
                }
            }
        }
    }

    /// What is valid but will surprise, in the words of the screen.
    fn oddities(&self, call: &Call) -> Vec<String> {
        let mut odd = call.oddities();
        let asked = call.requested_max_wait_sec();
        if asked > MAX_WAIT_CAP_SEC
            && let Some(clamp) = odd.first_mut()
        {
            let (needed, rounds) = (asked.div_ceil(MAX_WAIT_CAP_SEC), self.rounds);
            let advice = if u64::from(rounds) >= needed {
                format!(" in each of {rounds} rounds")
            } else {
                format!("; set rounds to {needed}, under more")
            };
            *clamp = format!("{asked} s clamped to {MAX_WAIT_CAP_SEC} s{advice}");
        }
        odd
    }

    /// One fault a field: what is left out because it is no value must not be refused once more.
    fn refuse(&mut self, refusal: &Refusal) {
        let no_duration = self.faults.iter().any(|fault| {
            matches!(
                fault.input,
                Some(Input::Poll | Input::MaxWait | Input::Quiet)
            )
        });
        let compared = matches!(
            refusal,
            Refusal::PollExceedsBound { .. } | Refusal::QuietExceedsBound { .. }
        );
        let input = input_of(refusal.field());
        if (compared && no_duration) || self.faults_of(input).next().is_some() {
            return;
        }
        self.fault(input, refusal.to_string());
    }

    fn judge_try(&mut self, call: &Value, observed: &Observed, go_on: &dyn Fn() -> bool) {
        let pattern = |pointer: &str| {
            let source = call.pointer(pointer).and_then(Value::as_str);
            source
                .filter(|source| !source.is_empty())
                .and_then(|source| Pattern::new(source).ok())
        };
        let until = pattern("/until/matches").map(Until::Matches);
        let until = until.or_else(|| pattern("/until/not_matches").map(Until::NotMatches));
        // Without a pattern to meet, what counts is what is compared.
        let quiet = call.pointer("/until/quiet_for_sec").is_some();
        let patterns = Patterns {
            until: until.as_ref().and_then(Until::pattern).cloned(),
            fail_when: pattern("/fail_when"),
            ignore: pattern("/ignore").filter(|_| quiet),
        };
        self.highlights = Highlights::find(&observed.text, &patterns, go_on);
        let mut meaning = self.meaning(call, observed);
        if meaning.text == ONE_SAMPLE && patterns.ignore.is_some() {
            meaning = compared(&observed.text, self.highlights.left_out());
        }
        self.meaning = Some(meaning);
        let looked_at = !(observed.tool_error && call["tool_errors"] == "fail");
        self.why = until
            .filter(|_| looked_at)
            .and_then(|until| why(&until, &observed.text, go_on));
    }

    fn meaning(&self, call: &Value, observed: &Observed) -> Meaning {
        let condition = [Input::Pattern, Input::Quiet, Input::FailWhen];
        if let Some(fault) = self
            .faults
            .iter()
            .find(|fault| fault.input.is_some_and(|input| condition.contains(&input)))
        {
            let none_yet = fault.message.starts_with("no condition yet");
            return if none_yet {
                Meaning {
                    tone: Tone::Plain,
                    text: "no condition yet".to_owned(),
                }
            } else {
                Meaning {
                    tone: Tone::Warn,
                    text: "the condition can't be used".to_owned(),
                }
            };
        }
        // Only what judges one sample: faults elsewhere don't keep the condition from being tried.
        let alone = json!({
            "probe": { "tool": "tool", "args": {} },
            "until": call["until"],
            "max_wait_sec": MAX_WAIT_CAP_SEC,
            "fail_when": call["fail_when"],
            "tool_errors": call["tool_errors"],
        });
        match Call::parse(&alone) {
            Ok(call) => meaning_for(&call, observed),
            Err(refusal) => Meaning {
                tone: Tone::Warn,
                text: refusal.to_string(),
            },
        }
    }
}

fn meaning_for(call: &Call, observed: &Observed) -> Meaning {
    let tool_error = observed.tool_error;
    let sample = Event::Sample(Sample {
        sample: 1,
        at_ms: Millis::default(),
        latency_ms: Millis::default(),
        bytes: observed.text.len(),
        tool_error,
        same_as: None,
        text_left_out: false,
        text: Some(Arc::clone(&observed.text)),
    });
    let (tone, text) = match Evaluator::new(call.clone()).hear(&sample) {
        Verdict::Stop(Reason::Failed) => (Tone::Error, "would stop now: fail when matches"),
        Verdict::Stop(_) => (Tone::Ok, "would stop now: matched"),
        Verdict::GiveUp(WaitError::ProbeFailed { .. }) => {
            (Tone::Warn, "a failed sample: tool errors are set to fail")
        }
        Verdict::GiveUp(error) => {
            return Meaning {
                tone: Tone::Error,
                text: error.to_string(),
            };
        }
        Verdict::GoOn => (Tone::Plain, why_it_goes_on(call, tool_error)),
    };
    Meaning {
        tone,
        text: text.to_owned(),
    }
}

const ONE_SAMPLE: &str = "would go on: one sample can't be quiet";

/// How much of an output is compared, once `left_out` bytes of it are not.
fn compared(text: &str, left_out: usize) -> Meaning {
    let (all, rest) = (text.len(), text.len() - left_out);
    let (tone, text) = match (left_out, rest) {
        (0, _) => (
            Tone::Plain,
            "would go on: ignore matches nothing".to_owned(),
        ),
        (_, 0) => (Tone::Warn, "ignore leaves nothing to compare".to_owned()),
        _ => (
            Tone::Plain,
            format!("would go on: {rest} of {all} B are compared"),
        ),
    };
    Meaning { tone, text }
}

fn why_it_goes_on(call: &Call, tool_error: bool) -> &'static str {
    let guarded = tool_error && call.tool_errors() == ToolErrors::Guard;
    match call.until() {
        Until::Matches(_) => "would go on: no match",
        Until::NotMatches(_) if guarded => "would go on: an error is no proof",
        Until::NotMatches(_) => "would go on: still matches",
        Until::QuietForSec(_) => ONE_SAMPLE,
    }
}

/// Digits are a number, whatever their count; anything else stays the text that it is, and the
/// refusal quotes it.
fn number_or_text(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(Value::Number(number)) => Value::Number(number),
        _ => json!(text),
    }
}

/// The field beside which a refusal stands.
fn input_of(field: &str) -> Option<Input> {
    Some(match field {
        "probe.args" => Input::Arguments,
        "until.quiet_for_sec" => Input::Quiet,
        "poll_sec" => Input::Poll,
        "max_wait_sec" => Input::MaxWait,
        "fail_when" => Input::FailWhen,
        "retry_errors" => Input::RetryErrors,
        "probe_timeout_sec" => Input::ProbeTimeout,
        "ignore" => Input::Ignore,
        _ if field.starts_with("until") => Input::Pattern,
        _ => return None,
    })
}

#[cfg(test)]
#[path = "assess/tests.rs"]
mod tests;
