//! JSON as it is written: on several lines, or a part of it.
//!
//! Owns the line breaks and the finding of parts alone: every other character stays as it was
//! written, so that no number is rounded and nothing is lost of what is no JSON at all.

/// Spaces of one step to the right.
const STEP: usize = 2;

/// `json` with a line for each member and element. A text that is cut off, or no JSON, comes out as
/// far as it can be read.
#[must_use]
pub fn indented(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut characters = json.chars().peekable();
    while let Some(character) = characters.next() {
        if in_string {
            text.push(character);
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            '"' => {
                in_string = true;
                text.push(character);
            }
            '{' | '[' => {
                text.push(character);
                while characters.next_if(char::is_ascii_whitespace).is_some() {}
                // An empty one stays on its line.
                match characters.next_if(|next| matches!(next, '}' | ']')) {
                    Some(end) => text.push(end),
                    None => {
                        depth += 1;
                        break_line(&mut text, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                break_line(&mut text, depth);
                text.push(character);
            }
            ',' => {
                text.push(character);
                break_line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            space if space.is_ascii_whitespace() => {}
            other => text.push(other),
        }
    }
    text
}

fn break_line(text: &mut String, depth: usize) {
    // So that a text of brackets alone can't grow with the square of its length.
    let depth = depth.min(40);
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', depth * STEP));
}

/// The value of `name` in the object that `json` begins with, as it is written; a string without its
/// quotes. Of a text that is cut off, as much as there is.
#[must_use]
pub fn member<'j>(json: &'j str, name: &str) -> Option<&'j str> {
    let mut rest = json.trim_start().strip_prefix('{')?;
    loop {
        let separates = |character: char| character == ',' || character.is_ascii_whitespace();
        rest = rest.trim_start_matches(separates);
        if !rest.starts_with('"') {
            return None;
        }
        let key = value(rest);
        let after = rest.get(key.len()..)?.trim_start();
        rest = after.strip_prefix(':')?.trim_start();
        let found = value(rest);
        if without_quotes(key) == name {
            return Some(without_quotes(found));
        }
        rest = rest.get(found.len()..)?;
    }
}

fn without_quotes(json: &str) -> &str {
    let Some(inner) = json.strip_prefix('"') else {
        return json.trim_end();
    };
    inner.strip_suffix('"').unwrap_or(inner)
}

/// The value that `json` begins with; all of a text that is cut off.
fn value(json: &str) -> &str {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut end = json.len();
    for (at, byte) in json.bytes().enumerate() {
        if in_string {
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
        } else {
            match byte {
                b'"' => in_string = true,
                b'{' | b'[' => depth += 1,
                b'}' | b']' | b',' if depth == 0 => {
                    end = at;
                    break;
                }
                b'}' | b']' => depth -= 1,
                _ => continue,
            }
        }
        if depth == 0 && !in_string && matches!(byte, b'"' | b'}' | b']') {
            end = at + 1;
            break;
        }
    }
    json.get(..end).unwrap_or(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_a_line_each_and_nothing_else_changes() {
        let json = r#"{"a": 1.50e1,"b":[1,{"c":"x, {\"y\": 1}\\"}],"d":{},"e":[ ]}"#;
        let expected = r#"{
  "a": 1.50e1,
  "b": [
    1,
    {
      "c": "x, {\"y\": 1}\\"
    }
  ],
  "d": {},
  "e": []
}"#;
        assert_eq!(indented(json), expected);
    }

    #[test]
    fn what_is_no_json_is_kept() {
        assert_eq!(indented("plain"), "plain");
        assert_eq!(indented("{\"a\":\"cut of"), "{\n  \"a\": \"cut of");
        assert_eq!(indented("]]]"), "\n]\n]\n]");
        let brackets = "[".repeat(60_000);
        assert!(indented(&brackets).len() < 6_000_000);
    }

    #[test]
    fn a_member_is_found_without_reading_what_comes_after_it() {
        let json = r#"{"a" : {"b": "x, \"}"}, "b":[1, {"c":"}"}],"c":1.50 , "d":"\\","e":"cut o"#;
        assert_eq!(member(json, "a"), Some(r#"{"b": "x, \"}"}"#));
        assert_eq!(member(json, "b"), Some(r#"[1, {"c":"}"}]"#));
        assert_eq!(member(json, "c"), Some("1.50"));
        assert_eq!(member(json, "d"), Some(r"\\"));
        assert_eq!(member(json, "e"), Some("cut o"));
        assert_eq!(member(json, "x"), None);
        assert_eq!(member(r#"{"a":{"b":"ünd"#, "a"), Some(r#"{"b":"ünd"#));
        for odd in [
            "",
            "{",
            "{}",
            "{\"a\"",
            "{\"a\":",
            "[1]",
            "{,}",
            "{\"a\":}",
            "{\"b\":1 2}",
        ] {
            assert!(member(odd, "a").unwrap_or_default().is_empty(), "{odd}");
        }
    }
}
