//! A draft as it is kept from one start to the next: its texts as they are, unusable ones too.

use serde_json::{Map, Value};

use super::{Arguments, Draft, Input, Kind};
use crate::app::arguments::parse;
use crate::wait::ToolErrors;

/// The fields, by their names on disk.
const FIELDS: [(&str, Input); 9] = [
    ("pattern", Input::Pattern),
    ("quiet_for", Input::Quiet),
    ("poll", Input::Poll),
    ("max_wait", Input::MaxWait),
    ("fail_when", Input::FailWhen),
    ("ignore", Input::Ignore),
    ("retry_errors", Input::RetryErrors),
    ("probe_timeout", Input::ProbeTimeout),
    ("rounds", Input::Rounds),
];
const ARGUMENTS: &str = "arguments";
const UNTIL: &str = "until";
const TOOL_ERRORS: &str = "tool_errors";

impl Draft {
    /// The draft as it is kept.
    #[must_use]
    pub fn written(&self) -> Value {
        let mut written = Map::new();
        let mut put = |name: &str, text: String| written.insert(name.to_owned(), text.into());
        put(ARGUMENTS, self.args.json().text());
        put(UNTIL, self.kind.label().to_owned());
        if self.tool_errors != ToolErrors::Guard {
            put(TOOL_ERRORS, self.tool_errors.as_str().to_owned());
        }
        for (name, input) in FIELDS {
            if !self.field(input).is_empty() {
                put(name, self.field(input).text());
            }
        }
        Value::Object(written)
    }

    /// The draft that was kept. What it doesn't say, or says in a way that isn't known, is as in a
    /// new one.
    #[must_use]
    pub fn of_written(written: &Value) -> Self {
        let text = |name: &str| written.get(name).and_then(Value::as_str);
        let mut draft = Self::new(&Map::new());
        if let Some(arguments) = text(ARGUMENTS) {
            draft.args = Arguments::of_text(arguments);
        }
        let kind = |kind: &Kind| text(UNTIL) == Some(kind.label());
        draft.kind = Kind::ALL.into_iter().find(kind).unwrap_or(draft.kind);
        let errors = |errors: &ToolErrors| text(TOOL_ERRORS) == Some(errors.as_str());
        let tool_errors = ToolErrors::ALL.into_iter().find(errors);
        draft.tool_errors = tool_errors.unwrap_or(draft.tool_errors);
        for (name, input) in FIELDS {
            draft.field_mut(input).paste(text(name).unwrap_or_default());
        }
        draft
    }

    /// Whether both say the same; how arguments are laid out doesn't matter.
    #[must_use]
    pub fn says_what(&self, other: &Self) -> bool {
        let mut written = [self.written(), other.written()];
        let [own, others] = written.each_mut().map(|written| {
            let text = written
                .as_object_mut()
                .and_then(|map| map.remove(ARGUMENTS));
            let text = text.as_ref().and_then(Value::as_str).unwrap_or_default();
            parse(text).map_err(|_| text.to_owned())
        });
        own == others && written[0] == written[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn f18_a_draft_is_read_back_as_it_was_written() {
        let call = json!({
            "probe": { "tool": "get", "args": { "id": 18446744073709551615_u64 } },
            "until": { "not_matches": "running" }, "poll_sec": 5, "max_wait_sec": 180,
            "fail_when": "lost", "tool_errors": "observe", "retry_errors": 3,
            "probe_timeout_sec": 10, "ignore": "\\d+",
        });
        let mut draft = Draft::of_call(&call, 4);
        draft.field_mut(Input::Quiet).paste("not a number");
        draft.args = Arguments::of_text("{\"id\": 1.");
        let again = Draft::of_written(&draft.written());
        assert_eq!(again.text("ci", "get"), draft.text("ci", "get"));
        let later = json!({ "until": "something newer", "pattern": 3, "rounds": "2" });
        assert_eq!(Draft::of_written(&later).written()["rounds"], "2");
    }

    #[test]
    fn the_layout_of_arguments_says_nothing() {
        let draft = |args: &str| Draft {
            args: Arguments::of_text(args),
            ..Draft::new(&Map::new())
        };
        assert!(draft("{\"a\": 1}").says_what(&draft("{\n  \"a\": 1\n}")));
        assert!(!draft("{\"a\": 1}").says_what(&draft("{\"a\": 1.}")));
        assert!(!draft("{\"a\": 1.}").says_what(&draft("{\"a\": 1. }")));
    }
}
