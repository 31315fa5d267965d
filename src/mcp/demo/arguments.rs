//! The parameters of the demo's tools: one table each makes the schema and checks what arrives.
//!
//! Owns types, defaults, bounds and the words for a bad argument. Must not know any tool.

use serde_json::{Map, Value, json};

/// A parameter of a tool. All are optional, since each has a default.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) kind: Kind,
}

/// What a parameter takes.
pub(super) enum Kind {
    /// A name: up to 63 letters, digits, `.`, `_` and `-`.
    Name { default: &'static str },
    /// One of these.
    Choice {
        default: &'static str,
        values: &'static [&'static str],
    },
    /// A whole number.
    Integer { default: u64, min: u64, max: u64 },
    /// Yes or no.
    Flag { default: bool },
}

/// The longest name, as in DNS.
const NAME_LENGTH: usize = 63;

/// How long a simulation takes, in the tools that have a duration.
pub(super) const fn duration(default: u64) -> Parameter {
    Parameter {
        name: "duration_sec",
        description: "How long it all takes, in seconds",
        kind: Kind::Integer {
            default,
            min: 1,
            max: 300,
        },
    }
}

/// What makes two runs of a simulation differ.
pub(super) const SEED: Parameter = Parameter {
    name: "seed",
    description: "The same seed plays the same story",
    kind: Kind::Integer {
        default: 1,
        min: 0,
        max: u32::MAX as u64,
    },
};

/// The input schema of a tool with these parameters.
pub(super) fn input_schema(parameters: &[Parameter]) -> Map<String, Value> {
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|parameter| (parameter.name.to_owned(), parameter.schema()))
        .collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

impl Parameter {
    fn schema(&self) -> Value {
        let description = self.description;
        match &self.kind {
            Kind::Name { default } => json!({
                "type": "string", "description": description, "default": default,
                "pattern": "^[A-Za-z0-9._-]+$", "minLength": 1, "maxLength": NAME_LENGTH,
            }),
            Kind::Choice { default, values } => json!({
                "type": "string", "description": description, "default": default, "enum": values,
            }),
            Kind::Integer { default, min, max } => json!({
                "type": "integer", "description": description, "default": default,
                "minimum": min, "maximum": max,
            }),
            Kind::Flag { default } => json!({
                "type": "boolean", "description": description, "default": default,
            }),
        }
    }

    fn default(&self) -> Value {
        match self.kind {
            Kind::Name { default } | Kind::Choice { default, .. } => json!(default),
            Kind::Integer { default, .. } => json!(default),
            Kind::Flag { default } => json!(default),
        }
    }

    fn accepts(&self, value: &Value) -> bool {
        match &self.kind {
            Kind::Name { .. } => value.as_str().is_some_and(is_name),
            Kind::Choice { values, .. } => {
                value.as_str().is_some_and(|text| values.contains(&text))
            }
            Kind::Integer { min, max, .. } => value
                .as_u64()
                .is_some_and(|number| (*min..=*max).contains(&number)),
            Kind::Flag { .. } => value.is_boolean(),
        }
    }

    fn accepted(&self) -> String {
        match &self.kind {
            Kind::Name { .. } => {
                format!("a name of up to {NAME_LENGTH} letters, digits, `.`, `_` and `-`")
            }
            Kind::Choice { values, .. } => format!("one of {}", values.join(", ")),
            Kind::Integer { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Flag { .. } => "true or false".to_owned(),
        }
    }
}

fn is_name(text: &str) -> bool {
    (1..=NAME_LENGTH).contains(&text.len())
        && text
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter))
}

/// Checked arguments, each parameter with its value, in the order of the table.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arguments(Map<String, Value>);

impl Arguments {
    /// Checks what was sent and fills in the defaults.
    ///
    /// # Errors
    /// A sentence that names the first bad argument and what it accepts.
    pub(super) fn check(
        parameters: &[Parameter],
        sent: &Map<String, Value>,
    ) -> Result<Self, String> {
        let known = |name: &String| parameters.iter().any(|parameter| parameter.name == name);
        if let Some(unknown) = sent.keys().find(|name| !known(name)) {
            let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
            return Err(format!(
                "there is no argument {unknown:?}; the arguments are {}",
                names.join(", ")
            ));
        }
        parameters
            .iter()
            .map(|parameter| match sent.get(parameter.name) {
                None => Ok((parameter.name.to_owned(), parameter.default())),
                Some(value) if parameter.accepts(value) => {
                    Ok((parameter.name.to_owned(), value.clone()))
                }
                Some(value) => Err(format!(
                    "the argument `{}` is {value}, but it must be {}",
                    parameter.name,
                    parameter.accepted()
                )),
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// A name or a choice; empty if the tool has no such parameter.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// A whole number; 0 if the tool has no such parameter.
    pub(super) fn integer(&self, name: &str) -> u64 {
        self.0.get(name).and_then(Value::as_u64).unwrap_or_default()
    }

    /// Yes or no; no if the tool has no such parameter.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.0
            .get(name)
            .and_then(Value::as_bool)
            .unwrap_or_default()
    }

    /// Text that is equal for equal arguments.
    pub(super) fn canonical(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}
