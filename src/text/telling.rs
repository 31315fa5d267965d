//! The line of a text that tells the most.

use std::collections::HashSet;

/// The line of an output that tells the most: the last that is new, else the last with a word in it.
#[must_use]
pub fn telling_line<'t>(text: &'t str, before: Option<&str>) -> &'t str {
    let telling = |line: &&str| line.chars().any(char::is_alphanumeric);
    let known: HashSet<&str> = before.unwrap_or_default().lines().collect();
    text.lines()
        .rfind(|line| telling(line) && !known.contains(line))
        .or_else(|| text.lines().rfind(telling))
        .or_else(|| text.lines().rfind(|line| !line.trim().is_empty()))
        .map_or("(empty output)", str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_telling_line_is_the_last_new_one_with_a_word_in_it() {
        let json = "{\n  \"depth\": 3,\n  \"drained\": false\n}";
        let before = "{\n  \"depth\": 4,\n  \"drained\": false\n}";
        assert_eq!(telling_line(json, Some(before)), "\"depth\": 3,");
        assert_eq!(telling_line(json, None), "\"drained\": false");
        assert_eq!(telling_line("a\nb", Some("b\na\nc")), "b");
        assert_eq!(telling_line("---\n\n", None), "---");
        assert_eq!(telling_line(" \n", None), "(empty output)");
        assert_eq!(telling_line("", Some("a")), "(empty output)");
    }
}
