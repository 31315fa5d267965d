//! Reading specs, and writing them.

#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;
use serde_json::json;

fn parse(value: &Value) -> Result<Spec, String> {
    Spec::parse(&value.to_string(), Path::new("x.wait.json")).map_err(|error| error.to_string())
}

fn call() -> Value {
    json!({ "probe": { "tool": "t", "args": {} }, "until": { "matches": "x" } })
}

#[test]
fn a_bare_call_is_a_spec() {
    let spec = parse(&call()).unwrap();
    assert_eq!(Value::Object(spec.wait), call());
    assert_eq!(spec.rounds, 1);
}

#[test]
fn a_spec_has_a_name_a_server_and_rounds() {
    let spec = parse(&json!({
        "$schema": "s", "name": "n", "description": "d", "wait": call(),
        "server": { "command": "c" }, "rounds": 4,
    }))
    .unwrap();
    assert_eq!(spec.name.as_deref(), Some("n"));
    assert_eq!(spec.server, Some(json!({ "command": "c" })));
    assert_eq!((spec.rounds, spec.schema.as_deref()), (4, Some("s")));
}

#[test]
fn a_typo_never_runs() {
    let error = parse(&json!({ "wait": call(), "round": 4 })).unwrap_err();
    assert!(error.contains("round is no field of a spec"), "{error}");
    for rounds in [json!(0), json!(1001), json!(1.5), json!("2")] {
        let error = parse(&json!({ "wait": call(), "rounds": rounds })).unwrap_err();
        assert!(error.contains("from 1 to 1000"), "{error}");
    }
}

#[test]
fn a_call_inside_a_larger_json_is_found_and_named() {
    let spec = parse(&json!({ "name": "wait_for", "arguments": call().to_string() })).unwrap();
    assert_eq!(Value::Object(spec.wait), call());
    assert_eq!(spec.found_at.as_deref(), Some("arguments"));
    assert_eq!(spec.name, None);
    let mut other = call();
    other["probe"]["tool"] = json!("u");
    let error = parse(&json!([call(), other])).unwrap_err();
    assert!(
        error.contains("2 calls in it, at [0], [1]; keep one"),
        "{error}"
    );
    let error = parse(&json!({ "mcpServers": {} })).unwrap_err();
    assert!(error.contains("there is no call in it"), "{error}");
    let error = parse(&json!({ "wiat": call(), "rounds": 2 })).unwrap_err();
    assert!(error.contains("wiat is no field of a spec"), "{error}");
}

#[test]
fn a_fault_of_json_is_named_by_line_and_column() {
    let error = Spec::parse("{\n  \"wait\": }", Path::new("x"))
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "x: line 2, column 11: the JSON doesn't parse: expected value"
    );
}

#[test]
fn the_column_is_counted_in_characters_and_a_mark_at_the_beginning_is_none() {
    let error = Spec::parse("\u{feff}{ \"näme\": x }", Path::new("x")).unwrap_err();
    assert!(error.problem.starts_with("line 1, column 11: "), "{error}");
}

#[test]
fn a_field_is_named_as_the_file_has_it() {
    assert_eq!(parse(&call()).unwrap().call_path(), "");
    assert_eq!(
        parse(&json!({ "wait": call() })).unwrap().call_path(),
        "wait"
    );
}

#[test]
fn a_spec_is_written_in_the_order_of_its_fields() {
    let spec = parse(&json!({
        "rounds": 4, "server": { "url": "http://x" }, "wait": call(), "description": "d", "name": "n",
        "$schema": "s",
    }));
    let text = spec.unwrap().to_text();
    let fields: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("  \""))
        .collect();
    let names: Vec<&str> = fields
        .iter()
        .filter_map(|line| line.split('"').nth(1))
        .collect();
    let expected = ["$schema", "name", "description", "wait", "server", "rounds"];
    assert_eq!(names, expected);
    assert!(text.ends_with("}\n"));
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has no such number", |number| number.is_finite())
            .prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            object_of(inner).prop_map(Value::Object),
        ]
    })
}

fn object_of(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    proptest::collection::vec((any::<String>(), value), 0..6)
        .prop_map(|members| members.into_iter().collect())
}

fn bare_call() -> impl Strategy<Value = Spec> {
    (object_of(json_value()), json_value()).prop_map(|(mut call, probe)| {
        call.shift_remove("wait");
        call.insert("probe".to_owned(), probe);
        Spec {
            bare: true,
            ..Spec::new(call)
        }
    })
}

fn spec() -> impl Strategy<Value = Spec> {
    let text = || proptest::option::of(any::<String>());
    let server = proptest::option::of(json_value().prop_filter("absent", |value| !value.is_null()));
    let wait = object_of(json_value());
    (text(), text(), text(), wait, server, 1..=1_000_u32).prop_map(
        |(schema, name, description, wait, server, rounds)| Spec {
            schema,
            name,
            description,
            server,
            rounds,
            ..Spec::new(wait)
        },
    )
}

proptest! {
    #[test]
    fn a_spec_that_was_written_is_read_as_it_was(spec in prop_oneof![3 => spec(), 1 => bare_call()]) {
        let text = spec.to_text();
        prop_assert_eq!(Spec::parse(&text, Path::new("x")).unwrap(), spec);
    }
}

#[test]
fn f12_a_spec_never_rounds_an_integer() {
    let call =
        r#"{"probe":{"tool":"t","args":{"id":123456789012345678901234}},"until":{"matches":"x"}}"#;
    let error = Spec::parse(call, Path::new("x")).unwrap_err().problem;
    assert!(
        error.starts_with("line 1, column 35: 123456789012345678901234 is beyond"),
        "{error}"
    );
    for around in [
        json!({ "arguments": call }).to_string(),
        format!("so: {call}"),
    ] {
        let error = Spec::parse(&around, Path::new("x")).unwrap_err().problem;
        assert!(
            error.contains("beyond 64 bits and may be rounded"),
            "{error}"
        );
    }
}
