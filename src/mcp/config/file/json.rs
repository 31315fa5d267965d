//! JSON with comments and trailing commas, and nothing else of JSON5.

use jsonc_parser::ast::{Object, ObjectProp, Value as Syntax};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast, parse_to_serde_value};

use super::{FileFault, RawEntry, Section, line_at, no_table};

pub(in crate::mcp::config) struct JsonFile<'a> {
    /// Syntax ranges are offsets into it.
    text: &'a str,
    /// An empty file holds nothing, and that is no fault.
    root: Option<Syntax<'a>>,
}

impl<'a> JsonFile<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, FileFault> {
        match parse_to_ast(text, &CollectOptions::default(), &syntax()) {
            Ok(parsed) => Ok(Self {
                text,
                root: parsed.value,
            }),
            Err(error) => Err(FileFault {
                line: Some(error.line_display()),
                message: format!(
                    "this is not valid JSON: {} (column {})",
                    lower_first(&error.kind().to_string()),
                    error.column_display()
                ),
            }),
        }
    }

    pub(super) fn section(&self, path: &[&str]) -> Result<Section, FileFault> {
        let Some(mut here) = self.root.as_ref() else {
            return Ok(Section::Nothing);
        };
        for (depth, key) in path.iter().enumerate() {
            let Some(object) = here.as_object() else {
                let message = if depth == 0 {
                    format!("this must be a JSON object with `{}` in it", path.join("."))
                } else {
                    no_table(&path[..depth])
                };
                return Err(self.fault(here, message));
            };
            here = match object.get(key).map(|property| &property.value) {
                Some(Syntax::NullKeyword(_)) => return Ok(Section::Nothing),
                Some(value) => value,
                None if depth == 0 && object.properties.is_empty() => return Ok(Section::Nothing),
                None => return Ok(Section::Absent),
            };
        }
        match here.as_object() {
            Some(table) => Ok(Section::Entries(self.entries(table))),
            None => Err(self.fault(here, no_table(path))),
        }
    }

    fn entries(&self, table: &Object<'_>) -> Vec<RawEntry> {
        let entry = |property: &ObjectProp<'_>| {
            let range = property.value.range();
            let fields = property.value.as_object().map(|object| {
                let field =
                    |field: &ObjectProp<'_>| (field.name.as_str().to_owned(), self.line(field));
                object.properties.iter().map(field).collect()
            });
            let value = parse_to_serde_value(&self.text[range.start..range.end], &syntax());
            RawEntry {
                name: property.name.as_str().to_owned(),
                line: self.line(property),
                fields: fields.unwrap_or_default(),
                value: value.map_err(|error| error.kind().to_string()),
            }
        };
        table.properties.iter().map(entry).collect()
    }

    fn line(&self, node: &impl Ranged) -> usize {
        line_at(self.text, node.range().start)
    }

    fn fault(&self, node: &impl Ranged, message: String) -> FileFault {
        FileFault {
            line: Some(self.line(node)),
            message,
        }
    }
}

fn syntax() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn lower_first(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}
