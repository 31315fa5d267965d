//! The content blocks of a result, each with what the server says about it.
//!
//! Owns the words. What a condition sees is not this, but what [`super::render`] makes of them.

use serde_json::{Map, Value};

use super::blocks::{UNKNOWN, block_text, text_of};
use super::pretty;

/// The blocks of a `CallToolResult`, given as raw JSON: type, MIME type, size and annotations, then
/// the text; and below them the structured content, where there is any.
#[must_use]
pub fn blocks_in_full(result: &Value) -> String {
    let blocks = result.get("content").and_then(Value::as_array);
    let blocks = blocks.map(Vec::as_slice).unwrap_or_default();
    let mut parts = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let head = format!("block {} of {}: {}", index + 1, blocks.len(), about(block));
        parts.push(format!("{head}\n{}", block_text(block)));
    }
    match result.get("structuredContent") {
        Some(structured) if !structured.is_null() => {
            let text = pretty(structured);
            let head = format!("structured content: {} bytes", text.len());
            parts.push(format!("{head}\n{text}"));
        }
        _ if parts.is_empty() => parts.push("the result has no content blocks".to_owned()),
        _ => {}
    }
    parts.join("\n\n")
}

/// What is known of a block, beside its text.
fn about(block: &Value) -> String {
    let kind = text_of(block, "type").unwrap_or(UNKNOWN);
    // What an embedded resource says of itself stands inside it.
    let own = block.get("resource").unwrap_or(block);
    let mut parts = vec![kind.to_owned()];
    for key in ["mimeType", "uri", "name", "title"] {
        parts.extend(text_of(own, key).map(str::to_owned));
    }
    parts.extend(size(own).map(|size| format!("{size} bytes")));
    for annotations in [block.get("annotations"), own.get("annotations")] {
        if let Some(annotations) = annotations.and_then(Value::as_object) {
            parts.extend(annotations_in_words(annotations));
            break;
        }
    }
    parts.join(", ")
}

/// Bytes of the text, or of what is sent as base64, or as the server says.
fn size(block: &Value) -> Option<u64> {
    let said = || block.get("size").and_then(Value::as_u64);
    let text = text_of(block, "text").map(str::len);
    let encoded = text_of(block, "data").or_else(|| text_of(block, "blob"));
    let decoded = || {
        encoded.map(|encoded| {
            let signs = encoded.trim_end_matches('=').len();
            signs * 3 / 4
        })
    };
    let known = text
        .or_else(decoded)
        .and_then(|size| u64::try_from(size).ok());
    known.or_else(said)
}

fn annotations_in_words(annotations: &Map<String, Value>) -> Vec<String> {
    let word = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let told = annotations.iter().map(|(key, value)| {
        let values: Vec<String> = match value {
            Value::Array(values) => values.iter().map(word).collect(),
            one => vec![word(one)],
        };
        format!("{key} {}", values.join(" and "))
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_block_is_told_with_what_is_known_of_it() {
        let result = json!({ "content": [
            { "type": "text", "text": "done\n", "annotations": { "audience": ["user"], "priority": 0.5 } },
            { "type": "image", "mimeType": "image/png", "data": "aGVsbG8=" },
            { "type": "resource", "resource": { "uri": "file:///a", "mimeType": "text/plain", "text": "ab" } },
            { "type": "resource_link", "uri": "file:///b", "name": "b", "size": 9 },
            { "odd": true },
        ] });
        let expected = "\
block 1 of 5: text, 5 bytes, audience user, priority 0.5
done


block 2 of 5: image, image/png, 5 bytes
[Image: image/png (8)]

block 3 of 5: resource, text/plain, file:///a, 2 bytes
ab

block 4 of 5: resource_link, file:///b, b, 9 bytes
[Resource link: b (file:///b)]

block 5 of 5: unknown
[unknown]";
        assert_eq!(blocks_in_full(&result), expected);
    }

    #[test]
    fn r1_structured_content_is_not_left_out() {
        let result = json!({ "content": [], "structuredContent": { "depth": 3 } });
        let expected = "structured content: 16 bytes\n{\n  \"depth\": 3\n}";
        assert_eq!(blocks_in_full(&result), expected);
        assert_eq!(
            blocks_in_full(&json!({})),
            "the result has no content blocks"
        );
    }
}
