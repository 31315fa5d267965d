//! The text of one content block.
//!
//! Owns the kinds of blocks. Must not know results as a whole.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// What stands where a server left out what it must say.
pub(super) const UNKNOWN: &str = "unknown";

/// The text of a content block, or what stands for a block that has none.
pub(super) fn block_text(block: &Value) -> String {
    let kind = text_of(block, "type").unwrap_or(UNKNOWN);
    let text = match kind {
        "text" => text_of(block, "text").map(str::to_owned),
        "image" => media("Image", block),
        "audio" => media("Audio", block),
        "resource" => block.get("resource").and_then(resource),
        "resource_link" => text_of(block, "uri").map(|uri| {
            let name = text_of(block, "name").unwrap_or(UNKNOWN);
            format!("[Resource link: {name} ({uri})]")
        }),
        _ => None,
    };
    text.unwrap_or_else(|| format!("[{kind}]"))
}

fn media(label: &str, block: &Value) -> Option<String> {
    let data = text_of(block, "data")?;
    let mime = text_of(block, "mimeType").unwrap_or(UNKNOWN);
    Some(format!("[{label}: {mime} ({})]", data.len()))
}

fn resource(resource: &Value) -> Option<String> {
    if let Some(text) = text_of(resource, "text") {
        return Some(text.to_owned());
    }
    let blob = text_of(resource, "blob")?;
    let mime = text_of(resource, "mimeType");
    if mime.is_some_and(is_text)
        && let Ok(bytes) = STANDARD.decode(blob)
        && let Ok(text) = String::from_utf8(bytes)
    {
        return Some(text);
    }
    let uri = text_of(resource, "uri").unwrap_or(UNKNOWN);
    let mime = mime.unwrap_or(UNKNOWN);
    Some(format!("[Binary resource: {uri} (mime: {mime})]"))
}

fn is_text(mime: &str) -> bool {
    let essence = mime.split(';').next().unwrap_or_default();
    let essence = essence.trim().to_ascii_lowercase();
    essence.starts_with("text/") || essence == "application/json" || essence.ends_with("+json")
}

pub(super) fn text_of<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}
