//! From JSON to a [`Call`], with every fault named.
//!
//! Owns the order in which faults are reported. Must not know where the JSON came from.

use serde_json::{Map, Value};

use super::call::{Bounds, Call, DEFAULT_POLL_SEC, ToolErrors, Until};
use super::{Pattern, Refusal};

const CALL_FIELDS: &[&str] = &[
    "probe",
    "until",
    "poll_sec",
    "max_wait_sec",
    "fail_when",
    "tool_errors",
    "retry_errors",
    "probe_timeout_sec",
    "ignore",
];
const PROBE_FIELDS: &[&str] = &["server", "tool", "args"];
const UNTIL_FIELDS: &[&str] = &["matches", "not_matches", "quiet_for_sec"];

impl Call {
    /// The call in `value`.
    ///
    /// # Errors
    /// The first fault, in the order of the contract.
    pub fn parse(value: &Value) -> Result<Self, Refusal> {
        Self::parse_within(value, Bounds::default())
    }

    /// The call in `value`, with bounds other than the contract's.
    ///
    /// # Errors
    /// The first fault, in the order of the contract.
    pub fn parse_within(value: &Value, bounds: Bounds) -> Result<Self, Refusal> {
        Self::check_within(value, bounds).map_err(|mut faults| faults.swap_remove(0))
    }

    /// The call in `value`.
    ///
    /// # Errors
    /// Every fault, in the order of the contract; never an empty list.
    pub fn check(value: &Value) -> Result<Self, Vec<Refusal>> {
        Self::check_within(value, Bounds::default())
    }

    fn check_within(value: &Value, bounds: Bounds) -> Result<Self, Vec<Refusal>> {
        let mut parser = Parser {
            bounds,
            faults: Vec::new(),
        };
        match parser.call(value) {
            Some(call) if parser.faults.is_empty() => Ok(call),
            _ => Err(parser.faults),
        }
    }
}

/// Reads field after field and collects what is wrong. A method answers `None` where its field
/// can't be used, and then has told why.
struct Parser {
    bounds: Bounds,
    faults: Vec<Refusal>,
}

impl Parser {
    fn call(&mut self, value: &Value) -> Option<Call> {
        let top = self.object(value, "")?;
        self.unknown_fields(top, "", CALL_FIELDS);
        let probe = self.required_object(top, "probe");
        let target = probe.map(|probe| self.probe(probe));
        let until = self
            .required_object(top, "until")
            .and_then(|until| self.until(until));
        let poll_sec = self.seconds(top, "", "poll_sec", DEFAULT_POLL_SEC, Refusal::ZeroPoll);
        let max_wait_sec = self.seconds(
            top,
            "",
            "max_wait_sec",
            self.bounds.default_max_wait_sec,
            Refusal::ZeroMaxWait {
                cap_sec: self.bounds.max_wait_cap_sec,
            },
        );
        self.fits(poll_sec, until.as_ref(), max_wait_sec);
        let server = probe.and_then(|probe| self.server(probe));
        let fail_when = self.pattern(top, "", "fail_when");
        let tool_errors = self.tool_errors(top);
        let retry_errors = self.integer(top, "", "retry_errors");
        let probe_timeout_sec = self.integer(top, "", "probe_timeout_sec");
        if probe_timeout_sec == Some(0) {
            self.faults.push(Refusal::ZeroProbeTimeout);
        }
        let ignore = self.pattern(top, "", "ignore");
        let (tool, args) = target?;
        Some(Call {
            server,
            tool: tool?,
            args: args?,
            until: until?,
            poll_sec: poll_sec?,
            requested_max_wait_sec: max_wait_sec?,
            max_wait_cap_sec: self.bounds.max_wait_cap_sec,
            fail_when,
            tool_errors: tool_errors?,
            retry_errors: retry_errors.unwrap_or(0),
            probe_timeout_sec,
            ignore,
        })
    }

    fn probe(
        &mut self,
        probe: &Map<String, Value>,
    ) -> (Option<String>, Option<Map<String, Value>>) {
        self.unknown_fields(probe, "probe", PROBE_FIELDS);
        let tool = match probe.get("tool") {
            Some(Value::String(tool)) if tool.is_empty() => {
                self.faults.push(Refusal::EmptyProbeTool);
                None
            }
            Some(Value::String(tool)) => Some(tool.clone()),
            other => self.wrong("probe.tool", other, "it must be the name of an MCP tool"),
        };
        let args = match probe.get("args") {
            Some(Value::Object(args)) => Some(args.clone()),
            other => {
                let found = other.map_or("missing", kind);
                self.faults.push(Refusal::ArgsNotObject { found });
                None
            }
        };
        (tool, args)
    }

    fn server(&mut self, probe: &Map<String, Value>) -> Option<String> {
        match probe.get("server") {
            None | Some(Value::Null) => None,
            Some(Value::String(server)) if !server.is_empty() => Some(server.clone()),
            Some(Value::String(_)) => self.malformed(
                "probe.server",
                "is empty; name a server or leave it out".to_owned(),
            ),
            other => self.wrong("probe.server", other, "it must be the name of a server"),
        }
    }

    fn until(&mut self, until: &Map<String, Value>) -> Option<Until> {
        self.unknown_fields(until, "until", UNTIL_FIELDS);
        let present = |key: &str| until.get(key).is_some_and(|value| !value.is_null());
        let found: Vec<&'static str> = UNTIL_FIELDS
            .iter()
            .copied()
            .filter(|key| present(key))
            .collect();
        let [key] = found[..] else {
            // An unknown key is the likelier slip, and it has been named already.
            if !(found.is_empty()
                && until
                    .keys()
                    .any(|key| !UNTIL_FIELDS.contains(&key.as_str())))
            {
                self.faults.push(Refusal::UntilNotExactlyOne { found });
            }
            return None;
        };
        match key {
            "matches" => self.pattern(until, "until", key).map(Until::Matches),
            "not_matches" => self.pattern(until, "until", key).map(Until::NotMatches),
            _ => self
                .seconds(until, "until", key, 0, Refusal::ZeroQuiet)
                .map(Until::QuietForSec),
        }
    }

    /// Poll and quiet window against the bound that will be enforced.
    fn fits(&mut self, poll_sec: Option<u64>, until: Option<&Until>, max_wait_sec: Option<u64>) {
        let Some(max_wait_sec) = max_wait_sec else {
            return;
        };
        let cap_sec = self.bounds.max_wait_cap_sec;
        let bound = max_wait_sec.min(cap_sec);
        if let Some(poll_sec) = poll_sec
            && poll_sec >= bound
        {
            self.faults.push(Refusal::PollExceedsBound {
                poll_sec,
                max_wait_sec,
                cap_sec,
            });
        }
        if let Some(Until::QuietForSec(quiet_for_sec)) = until
            && *quiet_for_sec > bound
        {
            self.faults.push(Refusal::QuietExceedsBound {
                quiet_for_sec: *quiet_for_sec,
                max_wait_sec,
                cap_sec,
            });
        }
    }

    fn tool_errors(&mut self, top: &Map<String, Value>) -> Option<ToolErrors> {
        let value = top.get("tool_errors").filter(|value| !value.is_null());
        let Some(value) = value else {
            return Some(ToolErrors::default());
        };
        let known = ToolErrors::ALL
            .into_iter()
            .find(|known| value.as_str() == Some(known.as_str()));
        if known.is_none() {
            self.faults.push(Refusal::Malformed {
                field: "tool_errors".to_owned(),
                problem: format!(
                    "is {}; it must be \"guard\", \"observe\" or \"fail\"",
                    shown(value)
                ),
            });
        }
        known
    }

    fn pattern(&mut self, object: &Map<String, Value>, parent: &str, key: &str) -> Option<Pattern> {
        let field = path(parent, key);
        match object.get(key) {
            None | Some(Value::Null) => None,
            Some(Value::String(source)) => match Pattern::new(source) {
                Ok(pattern) => Some(pattern),
                Err(cause) => {
                    let pattern = source.clone();
                    self.faults.push(Refusal::InvalidPattern {
                        field,
                        pattern,
                        cause,
                    });
                    None
                }
            },
            other => self.wrong(&field, other, "it must be a regex, written as a string"),
        }
    }

    fn seconds(
        &mut self,
        object: &Map<String, Value>,
        parent: &str,
        key: &str,
        default: u64,
        zero: Refusal,
    ) -> Option<u64> {
        let before = self.faults.len();
        match self.integer(object, parent, key) {
            Some(0) => {
                self.faults.push(zero);
                None
            }
            Some(seconds) => Some(seconds),
            None => (self.faults.len() == before).then_some(default),
        }
    }

    fn integer(&mut self, object: &Map<String, Value>, parent: &str, key: &str) -> Option<u64> {
        match object.get(key) {
            None | Some(Value::Null) => None,
            Some(value) => value.as_u64().or_else(|| {
                self.malformed(
                    &path(parent, key),
                    format!(
                        "is {}; it must be a whole number, without quotes, sign or fraction",
                        shown(value)
                    ),
                )
            }),
        }
    }

    fn required_object<'v>(
        &mut self,
        object: &'v Map<String, Value>,
        key: &str,
    ) -> Option<&'v Map<String, Value>> {
        match object.get(key) {
            Some(value) => self.object(value, key),
            None => self.malformed(key, "is missing; the call needs it".to_owned()),
        }
    }

    fn object<'v>(&mut self, value: &'v Value, field: &str) -> Option<&'v Map<String, Value>> {
        match value {
            Value::Object(object) => Some(object),
            other => self.wrong(field, Some(other), "it must be a JSON object"),
        }
    }

    fn unknown_fields(
        &mut self,
        object: &Map<String, Value>,
        parent: &str,
        known: &'static [&'static str],
    ) {
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            self.faults.push(Refusal::UnknownField {
                field: path(parent, key),
                known,
            });
        }
    }

    fn wrong<T>(&mut self, field: &str, found: Option<&Value>, must: &str) -> Option<T> {
        self.malformed(
            field,
            format!("is {}; {must}", found.map_or("missing", kind)),
        )
    }

    fn malformed<T>(&mut self, field: &str, problem: String) -> Option<T> {
        self.faults.push(Refusal::Malformed {
            field: field.to_owned(),
            problem,
        });
        None
    }
}

fn path(parent: &str, key: &str) -> String {
    if parent.is_empty() {
        key.to_owned()
    } else {
        format!("{parent}.{key}")
    }
}

/// A value in a message: small ones as written, others by their kind.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.len() <= 40 => format!("{text:?}"),
        other => kind(other).to_owned(),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
