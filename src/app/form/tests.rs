//! Every case of `tests/fixtures/argument_forms.json`, and what holds for all.

#![allow(clippy::unwrap_used, clippy::panic)]

use proptest::prelude::*;
use serde_json::json;

use super::*;

const CASES: &str = include_str!("../../../tests/fixtures/argument_forms.json");

fn cases() -> Vec<Value> {
    serde_json::from_str(CASES).unwrap()
}

fn opened(case: &Value) -> Result<Form, NoForm> {
    let schema = Arc::new(case["schema"].clone());
    match case["start"].as_object() {
        Some(args) => Form::read(schema, args),
        None => Form::new(schema),
    }
}

/// Takes a step: what, the path of the field, and a text.
fn step(form: &mut Form, step: &Value) {
    let part = |index: usize| step[index].as_str().unwrap_or_default().to_owned();
    let (what, path, text) = (part(0), part(1), part(2));
    let typed = what == "write";
    let place = |row: &Row| row.path == path && (row.is_text() || !typed);
    let row = form.rows().iter().position(place);
    let row = row.unwrap_or_else(|| panic!("{path} is no field: {:#?}", shown(form)));
    match what.as_str() {
        "write" => form.write(row, &text),
        "unset" => form.unset(row),
        "null" => form.set_null(row),
        "turn" => form.turn(row, true),
        "begin" => form.begin(row),
        "choose" => {
            let place = match &form.rows()[row].kind {
                Kind::Options(choices) => choices.iter().position(|choice| choice.label == text),
                Kind::Variants(labels) => labels.iter().position(|label| *label == text),
                _ => None,
            };
            form.choose(row, place.unwrap());
        }
        _ => panic!("{what} is no step"),
    }
}

/// The rows in words: where they lie, what they are called, and what they take.
fn shown(form: &Form) -> Vec<String> {
    let row = |row: &Row| {
        let mark = if row.required { "*" } else { "" };
        format!(
            "{}{}{mark}: {}",
            "  ".repeat(row.depth),
            row.label,
            row.hint
        )
    };
    form.rows().iter().map(row).collect()
}

#[test]
fn every_case_of_the_fixture() {
    assert!(cases().len() >= 40);
    for case in cases() {
        let name = case["name"].as_str().unwrap();
        let form = opened(&case);
        if case["none"] == true {
            assert_eq!(form.err(), Some(NoForm::NoFields), "{name}");
            continue;
        }
        let mut form = form.unwrap_or_else(|why| panic!("{name}: {why}"));
        for each in case["steps"].as_array().unwrap() {
            step(&mut form, each);
        }
        if let Some(rows) = case["rows"].as_array() {
            let rows: Vec<&str> = rows.iter().filter_map(Value::as_str).collect();
            assert_eq!(shown(&form), rows, "{name}");
        }
        if let Some(text) = case["text"].as_str() {
            assert_eq!(form.text(), text, "{name}");
        }
        let faults: Map<String, Value> = form
            .rows()
            .iter()
            .filter_map(|row| Some((row.path.clone(), json!(row.fault.as_ref()?))))
            .collect();
        if case.get("faults").is_some() {
            assert_eq!(json!(faults), case["faults"], "{name}");
            assert_eq!(form.arguments(), None, "{name}");
        } else {
            assert_eq!(faults, Map::new(), "{name}");
            assert_eq!(json!(form.arguments()), case["args"], "{name}");
            let text = form.text();
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), case["args"]);
        }
    }
}

#[test]
fn f21_a_form_has_the_same_order_at_every_opening() {
    for case in cases() {
        let rows = opened(&case).map(|form| shown(&form));
        for _ in 0..3 {
            assert_eq!(opened(&case).map(|form| shown(&form)), rows);
        }
    }
}

#[test]
fn f13_a_draft_that_cannot_be_used_is_never_usable_as_json_with_another_meaning() {
    let schema = Arc::new(json!({ "properties": { "n": { "type": "integer" } } }));
    for draft in [
        "1.",
        "1, \"b\": 2",
        "}",
        "1}",
        "",
        " ",
        "\"",
        "[",
        "nul",
        "1 2",
    ] {
        let mut form = Form::new(Arc::clone(&schema)).unwrap();
        form.write(0, draft);
        match serde_json::from_str::<Value>(&form.text()) {
            Ok(value) if draft.is_empty() => assert_eq!(value, json!({})),
            Ok(value) => assert_eq!(value, json!({ "n": draft })),
            Err(_) => assert!(form.text().contains(draft), "{}", form.text()),
        }
    }
}

#[test]
fn a_schema_of_too_many_fields_gives_no_form() {
    let properties: Map<String, Value> = (0..=MOST_ROWS)
        .map(|number| (format!("p{number}"), json!({})))
        .collect();
    let schema = Arc::new(json!({ "properties": properties }));
    assert_eq!(Form::new(schema).err(), Some(NoForm::TooManyFields));
}

#[test]
fn f11_a_schema_that_refers_to_itself_many_times_is_opened_or_refused_at_once() {
    let names: Vec<String> = (0..30).map(|number| format!("p{number}")).collect();
    let variants: Vec<Value> = names
        .iter()
        .map(|name| json!({ "properties": { name: { "$ref": "#" } }, "required": [name] }))
        .collect();
    let schema = Arc::new(json!({ "oneOf": variants }));
    let mut args = json!({});
    for name in names.iter().take(8) {
        args = json!({ name: args });
    }
    let form = Form::read(schema, args.as_object().unwrap()).unwrap();
    assert_eq!(json!(form.arguments()), args);
}

/// A schema, and a value that conforms to it.
fn conforming() -> impl Strategy<Value = (Value, Value)> {
    let leaf = prop_oneof![
        ".{0,8}".prop_map(|text| (json!({ "type": "string" }), json!(text))),
        any::<i64>().prop_map(|number| (json!({ "type": "integer" }), json!(number))),
        any::<u64>().prop_map(|number| (json!({ "type": "integer" }), json!(number))),
        (-1e9..1e9_f64).prop_map(|number| (json!({ "type": "number" }), json!(number))),
        any::<bool>().prop_map(|flag| (json!({ "type": "boolean" }), json!(flag))),
        Just((json!({ "type": ["string", "null"] }), Value::Null)),
        (0..3_usize).prop_map(|place| (
            json!({ "enum": ["a", 1, null] }),
            json!(["a", 1, null])[place].clone()
        )),
        (0..3_usize).prop_map(|place| {
            (
                json!({ "type": ["string", "integer", "boolean"] }),
                json!(["a", 1, true])[place].clone(),
            )
        }),
        prop::collection::vec(any::<i32>(), 0..4).prop_map(|list| (
            json!({ "type": "array", "items": { "type": "integer" } }),
            json!(list)
        )),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            (prop::collection::btree_map(
                "\\PC{0,6}",
                (inner.clone(), any::<bool>(), any::<bool>()),
                1..5
            ))
            .prop_map(object),
            inner.clone().prop_map(|(schema, value)| {
                (json!({ "anyOf": [schema, { "type": "null" }] }), value)
            }),
            (inner.clone(), inner)
                .prop_map(|((one, value), (two, _))| { (json!({ "oneOf": [two, one] }), value) }),
        ]
    })
}

type Members = std::collections::BTreeMap<String, ((Value, Value), bool, bool)>;

/// An object of members that are required or not, and set or not; the required ones are set.
fn object(members: Members) -> (Value, Value) {
    let (mut properties, mut required, mut value) = (Map::new(), Vec::new(), Map::new());
    for (name, ((schema, own), demanded, set)) in members {
        properties.insert(name.clone(), schema);
        if demanded {
            required.push(name.clone());
        }
        if demanded || set {
            value.insert(name, own);
        }
    }
    (
        json!({ "type": "object", "properties": properties, "required": required }),
        Value::Object(value),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn from_json_to_the_form_and_back_nothing_changes((schema, value) in conforming()) {
        let schema = Arc::new(json!({ "properties": { "it": schema, "other": { "type": "string" } } }));
        let args = json!({ "other": "o", "it": value });
        let form = Form::read(Arc::clone(&schema), args.as_object().unwrap()).unwrap();
        prop_assert_eq!(json!(form.arguments()), args.clone());
        let text = form.text();
        prop_assert_eq!(&text, &serde_json::to_string_pretty(&args).unwrap());
        let again = Form::read(schema, &crate::app::arguments::parse(&text).unwrap()).unwrap();
        prop_assert_eq!(again.text(), text);
        prop_assert_eq!(again.rows(), form.rows());
    }
}

/// Arrays of variants inside one another: each level refers to the next that many times.
fn nested_variants(count: usize) -> Value {
    let level = |next: usize| {
        let reference = json!({ "$ref": format!("#/$defs/l{next}") });
        json!({ "type": "array", "anyOf": vec![reference; count] })
    };
    json!({ "type": "object", "required": ["a"],
        "properties": { "a": { "$ref": "#/$defs/l0", "default": 5 }, "b": { "type": "string" } },
        "$defs": { "l0": level(1), "l1": level(2), "l2": level(3), "l3": level(4),
            "l4": { "type": "array" } } })
}

/// Many fields, each of them one of many variants of many variants.
fn shared_variants(fields: usize, count: usize) -> Value {
    let inner = json!({ "oneOf": vec![json!({ "type": "string" }); count] });
    let outer = json!({ "oneOf": vec![json!({ "$ref": "#/$defs/inner" }); count] });
    let properties: Map<String, Value> = (0..fields)
        .map(|field| (format!("f{field}"), json!({ "$ref": "#/$defs/outer" })))
        .collect();
    json!({ "type": "object", "properties": properties,
        "$defs": { "inner": inner, "outer": outer } })
}

#[test]
fn f11_a_schema_that_unfolds_without_end_costs_no_more_than_a_moment() {
    let long = "x".repeat(1_000_000);
    let described: Map<String, Value> = (0..1_000)
        .map(|field| (format!("f{field}"), json!({ "$ref": "#/$defs/d" })))
        .collect();
    let described = json!({ "properties": described,
        "$defs": { "d": { "type": "string", "description": long, "enum": [long] } } });
    let began = std::time::Instant::now();
    let form = Form::new(Arc::new(nested_variants(40))).unwrap();
    assert_eq!(form.arguments(), json!({ "a": 5 }).as_object().cloned());
    for schema in [nested_variants(400), shared_variants(900, 100), described] {
        let form = Form::new(Arc::new(schema));
        assert_eq!(form.err(), Some(NoForm::TooMuchWork));
    }
    let args = (0..20_000).map(|field| (format!("g{field}"), json!(1)));
    let form = Form::read(Arc::new(shared_variants(900, 2)), &args.collect());
    assert_eq!(form.err(), Some(NoForm::TooManyFields));
    let took = began.elapsed();
    assert!(took < std::time::Duration::from_secs(3), "{took:?}");
}

#[test]
fn f11_a_form_of_many_fields_is_still_a_form() {
    let form = Form::new(Arc::new(shared_variants(300, 12))).unwrap();
    assert_eq!(form.rows().len(), 300);
}
