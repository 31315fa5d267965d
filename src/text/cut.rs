//! Cutting a long text, and saying that it was cut.

/// `text` whole, or its head and tail around a note of how long it was; at most `limit` bytes, the
/// note counted, never cut inside a character.
#[must_use]
pub fn head_and_tail(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let note = format!(" … ({} bytes in all) … ", text.len());
    let half = limit.saturating_sub(note.len()) / 2;
    let head = &text[..floor_boundary(text, half)];
    let tail = &text[ceil_boundary(text, text.len() - half)..];
    format!("{head}{note}{tail}")
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
        let text = format!("head{}tail", "ä".repeat(10_000));
        let cut = head_and_tail(&text, 8_192);
        assert!((8_176..=8_192).contains(&cut.len()), "{}", cut.len());
        assert!(cut.starts_with("headä") && cut.ends_with("ätail"));
        assert!(cut.contains("(20008 bytes in all)"));
    }

    #[test]
    fn a_limit_without_room_for_text_leaves_the_note() {
        assert_eq!(head_and_tail(&"é".repeat(9), 3), " … (18 bytes in all) … ");
    }
}
