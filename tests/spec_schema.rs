//! The JSON Schema of specs: it is the one in `assets/`, and agrees with what is read.
//! `UPDATE_SCHEMA=1` writes it again.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::{Value, json};
use stakeout::store::{SCHEMA_FILE, Spec, spec_schema};
use stakeout::wait::{Call, Refusal, schema};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn vectors() -> Vec<Value> {
    let folder = root().join("tests/vectors");
    let files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    let cases = |path: PathBuf| -> Vec<Value> {
        let text = std::fs::read_to_string(path).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        let cases = file.get("cases").unwrap_or(&file).clone();
        cases.as_array().unwrap().clone()
    };
    files.into_iter().flat_map(cases).collect()
}

/// What a schema can't say: how fields fit together, whether a pattern compiles, and that `5.0` is
/// no integer.
fn is_beyond_shape(fault: &Refusal, call: &Value) -> bool {
    match fault {
        Refusal::PollExceedsBound { .. }
        | Refusal::QuietExceedsBound { .. }
        | Refusal::InvalidPattern { .. } => true,
        Refusal::Malformed { field, .. } => {
            let value = field.split('.').fold(call, |value, key| &value[key]);
            value
                .as_f64()
                .is_some_and(|number| !value.is_u64() && number >= 0.0 && number.fract() == 0.0)
        }
        _ => false,
    }
}

#[test]
fn the_schema_file_is_the_one_in_the_code() {
    let file = root().join("assets").join(SCHEMA_FILE);
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&file, spec_schema()).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(written, spec_schema(), "UPDATE_SCHEMA=1 writes it again");
}

#[test]
fn the_schema_takes_the_calls_that_are_taken_and_refuses_what_it_can() {
    let call_schema = jsonschema::validator_for(&schema::call()).unwrap();
    let file_schema: Value = serde_json::from_str(&spec_schema()).unwrap();
    let file_schema = jsonschema::validator_for(&file_schema).unwrap();
    let (mut taken, mut refused) = (0, 0);
    for vector in vectors() {
        let call = &vector["call"];
        let agrees = |schema: &Validator, value: &Value| match Call::check(call) {
            Ok(_) => schema.is_valid(value),
            Err(faults) if faults.iter().all(|fault| is_beyond_shape(fault, call)) => true,
            Err(_) => !schema.is_valid(value),
        };
        assert!(agrees(&call_schema, call), "{call:#}");
        assert!(agrees(&file_schema, call), "{call:#}");
        assert!(agrees(&file_schema, &json!({ "wait": call })), "{call:#}");
        match Call::check(call) {
            Ok(_) => taken += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(
        taken > 300 && refused > 40,
        "{taken} taken, {refused} refused"
    );
}

#[test]
fn the_schema_agrees_about_the_fields_around_a_call() {
    let schema: Value = serde_json::from_str(&spec_schema()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let call = json!({ "probe": { "tool": "t", "args": {} }, "until": { "matches": "x" } });
    for (field, value) in [
        ("name", json!("n")),
        ("name", json!(3)),
        ("name", Value::Null),
        ("description", json!(["d"])),
        ("$schema", json!("s")),
        ("$schema", json!({})),
        ("server", json!({ "command": "c" })),
        ("rounds", json!(0)),
        ("rounds", json!(1)),
        ("rounds", json!(1000)),
        ("rounds", json!(1001)),
        ("rounds", json!("2")),
        ("round", json!(1)),
    ] {
        let mut spec = json!({ "wait": call });
        spec[field] = value;
        let read = Spec::parse(&spec.to_string(), Path::new("x"));
        assert_eq!(schema.is_valid(&spec), read.is_ok(), "{spec}");
    }
    assert!(!schema.is_valid(&json!({ "name": "n" })));
}
