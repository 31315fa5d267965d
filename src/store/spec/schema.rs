//! The JSON Schema of a spec, for editors.

use std::io;
use std::path::Path;

use serde_json::json;

use super::super::files::write_shared;
use super::MAX_ROUNDS;
use crate::wait::schema;

/// The name of the file that holds the schema.
pub const SCHEMA_FILE: &str = "wait-spec.schema.json";

/// The schema as its file holds it.
#[must_use]
pub fn spec_schema() -> String {
    let schema = json!({
        "$schema": schema::DIALECT,
        "title": "A saved wait of stakeout's",
        "anyOf": [{ "$ref": "#/$defs/spec" }, { "$ref": "#/$defs/call" }],
        "$defs": {
            "spec": {
                "type": "object",
                "required": ["wait"],
                "additionalProperties": false,
                "properties": {
                    "$schema": { "type": ["string", "null"], "description": "Where this schema is, for editors." },
                    "name": { "type": ["string", "null"], "description": "What it is called." },
                    "description": { "type": ["string", "null"], "description": "What it is for." },
                    "wait": { "$ref": "#/$defs/call" },
                    "server": {
                        "type": ["object", "null"],
                        "description": "How to reach the server, if it isn't configured by name: an entry as in mcpServers. ${VAR} stays as it is here, and is expanded when the server is used, so that no secret stands in the file.",
                    },
                    "rounds": {
                        "type": ["integer", "null"],
                        "minimum": 1,
                        "maximum": MAX_ROUNDS,
                        "default": 1,
                        "description": "How many budgets may follow one another; only a timeout starts the next.",
                    },
                },
            },
            "call": schema::call(),
        },
    });
    format!("{schema:#}\n")
}

/// Writes the schema to `path`, where it is not there already.
///
/// # Errors
/// What the file system says.
pub fn write_schema(path: &Path) -> io::Result<()> {
    let schema = spec_schema();
    if std::fs::read_to_string(path).is_ok_and(|written| written == schema) {
        return Ok(());
    }
    write_shared(path, &schema)
}
