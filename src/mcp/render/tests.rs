//! What an observation is, case by case.

use serde_json::json;

use super::*;

fn text(result: Value) -> String {
    render(result).text
}

#[test]
fn r1_structured_content_comes_first_in_the_servers_order() {
    let result = json!({
        "content": [{"type": "text", "text": "ignored"}],
        "structuredContent": {"z": 1, "a": [true, null], "m": {}},
    });
    assert_eq!(
        text(result),
        "{\n  \"z\": 1,\n  \"a\": [\n    true,\n    null\n  ],\n  \"m\": {}\n}"
    );
}

#[test]
fn structured_null_is_absent_and_scalars_are_structured() {
    let blocks = json!([{"type": "text", "text": "t"}]);
    assert_eq!(
        text(json!({"structuredContent": null, "content": blocks})),
        "t"
    );
    assert_eq!(text(json!({"structuredContent": 7})), "7");
    assert_eq!(text(json!({"structuredContent": false})), "false");
    assert_eq!(text(json!({"structuredContent": []})), "[]");
}

#[test]
fn blocks_are_joined_by_a_newline() {
    let result = json!({"content": [
        {"type": "text", "text": "one\n"},
        {"type": "text", "text": ""},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        {"type": "audio", "data": "AAAAAAAA", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "f:///a", "text": "inside"}},
        {"type": "resource_link", "name": "readme", "uri": "f:///r"},
        {"type": "hologram", "text": "no"},
    ]});
    assert_eq!(
        text(result),
        "one\n\n\n[Image: image/png (4)]\n[Audio: audio/wav (8)]\ninside\n\
         [Resource link: readme (f:///r)]\n[hologram]"
    );
}

#[test]
fn a_blob_of_text_is_its_text() {
    let blob = |mime: Value, data: &str| {
        let resource = json!({"uri": "f:///b", "mimeType": mime, "blob": data});
        text(json!({"content": [{"type": "resource", "resource": resource}]}))
    };
    assert_eq!(blob(json!("text/plain"), "aMOkbGxv"), "hällo");
    assert_eq!(blob(json!("application/json; charset=utf-8"), "e30="), "{}");
    assert_eq!(blob(json!("application/problem+json"), "e30="), "{}");
    let binary = |mime: &str| format!("[Binary resource: f:///b (mime: {mime})]");
    assert_eq!(blob(json!("text/plain"), "//79"), binary("text/plain"));
    assert_eq!(
        blob(json!("text/plain"), "not base64!"),
        binary("text/plain")
    );
    assert_eq!(blob(json!("image/png"), "aMOkbGxv"), binary("image/png"));
    assert_eq!(blob(json!(null), "aMOkbGxv"), binary("unknown"));
}

#[test]
fn no_content_is_the_empty_text() {
    for result in [
        json!({}),
        json!({"content": []}),
        json!(null),
        json!({"content": null}),
    ] {
        assert_eq!(text(result.clone()), "", "{result}");
    }
}

#[test]
fn r2_an_error_has_its_prefix() {
    let observation = render(json!({
        "isError": true,
        "content": [{"type": "text", "text": "no such run"}],
    }));
    assert!(observation.tool_error);
    assert_eq!(observation.text, "Tool returned an error: no such run");
    assert!(!render(json!({"isError": false, "content": []})).tool_error);
}

#[test]
fn a_malformed_block_stands_as_its_type() {
    let blocks = json!([{"type": "text"}, {"type": "image"}, "loose", {"type": "resource"}]);
    assert_eq!(
        text(json!({"content": blocks})),
        "[text]\n[image]\n[unknown]\n[resource]"
    );
}

#[test]
fn the_raw_result_is_kept() {
    let result = json!({"content": [], "x-unknown": {"b": 1, "a": 2}});
    assert_eq!(render(result.clone()).raw, result);
}
