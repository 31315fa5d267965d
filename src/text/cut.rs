//! Cutting a long text, and saying that it was cut.

/// `text` whole, or its head and tail around a note of how many bytes are left out; at most about
/// `limit` bytes, never inside a character.
#[must_use]
pub fn head_and_tail(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let head = &text[..floor_boundary(text, limit / 2)];
    let tail = &text[ceil_boundary(text, text.len() - limit / 2)..];
    let left_out = text.len() - head.len() - tail.len();
    format!("{head} … {left_out} bytes left out … {tail}")
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_stays_whole() {
        assert_eq!(head_and_tail("short", 5), "short");
    }

    #[test]
    fn a_long_text_keeps_head_and_tail_on_character_boundaries() {
        let text = "é".repeat(100);
        let cut = head_and_tail(&text, 25);
        assert_eq!(cut, "éééééé … 176 bytes left out … éééééé");
    }
}
