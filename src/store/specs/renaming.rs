//! Another name in the text of a spec, which stays as it was written otherwise.

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions};

/// The text of a spec with that name in it; `None` where it is no object.
pub(super) fn with_name(text: &str, name: &str) -> Option<String> {
    let parsed =
        jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default());
    let Value::Object(top) = parsed.ok()?.value? else {
        return None;
    };
    let literal = serde_json::Value::from(name).to_string();
    let own = top
        .properties
        .iter()
        .find(|property| property.name.as_str() == "name");
    let (start, end, new) = match own {
        Some(own) => (own.value.start(), own.value.end(), literal),
        None => {
            let inside = top.start() + 1;
            (inside, inside, format!("\n  \"name\": {literal},"))
        }
    };
    Some([&text[..start], &new, &text[end..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_the_name_changes() {
        let text = "{ \"wait\" : {\"name\": 1e2},\n\t\"name\": \"old\" }";
        let expected = "{ \"wait\" : {\"name\": 1e2},\n\t\"name\": \"n\\\"w\" }";
        assert_eq!(with_name(text, "n\"w").as_deref(), Some(expected));
        let expected = "{\n  \"name\": \"new\", \"wait\": {} }";
        assert_eq!(
            with_name("{ \"wait\": {} }", "new").as_deref(),
            Some(expected)
        );
        assert_eq!(with_name("[]", "new"), None);
    }
}
