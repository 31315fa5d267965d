//! Halves of surrogate pairs that stand alone in JSON, such as `\ud83d`.
//!
//! Owns their replacement. Servers that cut a text in the middle of an emoji send them; no text of
//! ours can hold one.

/// The JSON with U+FFFD in the place of each half that stands alone; `None` where there is none.
pub(super) fn mended(json: &[u8]) -> Option<Vec<u8>> {
    let mut mended = Vec::new();
    let mut kept = 0;
    let mut at = 0;
    while let Some(found) = json[at..].iter().position(|byte| *byte == b'\\') {
        at += found;
        let Some(unit) = unit(&json[at..]) else {
            // An escape of another kind: what is escaped is no escape itself.
            at = (at + 2).min(json.len());
            continue;
        };
        let low = |unit: u16| (0xdc00..0xe000).contains(&unit);
        let paired =
            (0xd800..0xdc00).contains(&unit) && self::unit(&json[at + ESCAPE..]).is_some_and(low);
        if paired {
            at += 2 * ESCAPE;
            continue;
        }
        if (0xd800..0xe000).contains(&unit) {
            mended.extend_from_slice(&json[kept..at]);
            mended.extend_from_slice(br"\ufffd");
            kept = at + ESCAPE;
        }
        at += ESCAPE;
    }
    (kept > 0).then(|| {
        mended.extend_from_slice(&json[kept..]);
        mended
    })
}

/// Bytes of `\uXXXX`.
const ESCAPE: usize = 6;

/// The number of the escape that `json` starts with.
fn unit(json: &[u8]) -> Option<u16> {
    let digits = json.get(..ESCAPE)?.strip_prefix(br"\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> Option<String> {
        mended(json.as_bytes()).map(|json| String::from_utf8_lossy(&json).into_owned())
    }

    #[test]
    fn halves_that_stand_alone_are_replaced() {
        for (json, expected) in [
            (r#""a\ud83d""#, r#""a\ufffd""#),
            (r#""\uDE00b""#, r#""\ufffdb""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\\\ud800""#, r#""\\\ufffd""#),
        ] {
            assert_eq!(text(json).as_deref(), Some(expected), "{json}");
        }
    }

    #[test]
    fn everything_else_is_left_alone() {
        for json in [
            r#""\ud83d\ude00 \u001b \\ud800""#,
            r#""\u12"#,
            r#""\"#,
            "状",
            "",
        ] {
            assert_eq!(text(json), None, "{json}");
        }
    }
}
