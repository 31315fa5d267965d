//! The operator's answers to what servers ask.

use serde_json::{Map, Value};

use super::arguments::{self, ArgumentCheck};

/// The fields in `text`, a JSON object, if they fit the schema that the server gave.
///
/// # Errors
/// The first fault, in one sentence.
pub fn answer(text: &str, schema: &Value) -> Result<Map<String, Value>, String> {
    let fields = arguments::parse(text).map_err(|fault| fault.to_string())?;
    let complaints = ArgumentCheck::new(schema).complaints(&fields);
    match complaints.into_iter().next() {
        None => Ok(fields),
        Some(complaint) if complaint.path.is_empty() => Err(complaint.message),
        Some(complaint) => Err(format!("{}: {}", complaint.path, complaint.message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_fits_the_schema_or_says_why_not() {
        let schema = json!({
            "type": "object",
            "properties": { "size": { "type": "integer", "minimum": 1 } },
            "required": ["size"],
        });
        assert!(answer("{\"size\": 3}", &schema).is_ok());
        for wrong in ["{\"size\": 0}", "{}", "[]", "{\"size\":"] {
            assert!(answer(wrong, &schema).is_err(), "{wrong}");
        }
        assert!(answer("{}", &json!({"type": "object"})).is_ok());
    }
}
