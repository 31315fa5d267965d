//! JSON on several lines.
//!
//! Owns the line breaks alone: every other character stays as it was written, so that no number is
//! rounded and nothing is lost of what is no JSON at all.

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
}
