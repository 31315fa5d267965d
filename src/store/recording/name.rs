//! The names that recordings are given: they sort by time, and can be read.
//!
//! A recording of any other name was named by the operator.

use crate::wait::Header;

/// How the name of a recording ends.
pub const SUFFIX: &str = ".wait.jsonl";
/// How the name of a file begins that will be a recording once its header is in it.
pub(super) const UNNAMED: &str = ".begun-";
/// Characters of a server's or a tool's name that are kept.
const LONGEST: usize = 40;
/// `2026-11-30T20-15-01.123Z-`
const STAMP: &str = "0000-00-00T00-00-00.000Z-";

/// `2026-11-30T20-15-01.123Z-demo-rollout_status.wait.jsonl`, and with a number behind it from the
/// second of the same name on.
pub(super) fn of_wait(header: &Header, number: u32) -> String {
    let started: Result<jiff::Timestamp, _> = header.started_at.parse();
    let started = started.unwrap_or_else(|_| jiff::Timestamp::now());
    let stamp = started.strftime("%Y-%m-%dT%H-%M-%S%.3fZ");
    let tool = header.wait["probe"]["tool"].as_str().unwrap_or_default();
    let (server, tool) = (safe(&header.server), safe(tool));
    let again = match number {
        1 => String::new(),
        number => format!("-{number}"),
    };
    format!("{stamp}-{server}-{tool}{again}{SUFFIX}")
}

/// Whether a recording of that name was named by stakeout itself.
pub(super) fn is_automatic(name: &str) -> bool {
    let stamp = name.as_bytes().get(..STAMP.len());
    let fits = |(byte, like): (&u8, u8)| match like {
        b'0' => byte.is_ascii_digit(),
        like => *byte == like,
    };
    name.ends_with(SUFFIX) && stamp.is_some_and(|stamp| stamp.iter().zip(STAMP.bytes()).all(fits))
}

/// A name without what a file system or a shell takes for something else.
fn safe(name: &str) -> String {
    let letter = |letter: char| match letter {
        '.' | '_' | '-' => letter,
        letter if letter.is_ascii_alphanumeric() => letter,
        _ => '_',
    };
    name.chars().take(LONGEST).map(letter).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn header(started_at: &str, server: &str, tool: &str) -> Header {
        Header {
            version: 1,
            started_at: started_at.to_owned(),
            server: server.to_owned(),
            name: None,
            wait: json!({ "probe": { "tool": tool } }),
            rounds: 1,
        }
    }

    #[test]
    fn names_sort_by_time_and_can_be_read() {
        let first = header("2026-11-30T20:15:01Z", "demo", "rollout_status");
        let first = of_wait(&first, 1);
        assert_eq!(
            first,
            "2026-11-30T20-15-01.000Z-demo-rollout_status.wait.jsonl"
        );
        let second = of_wait(&header("2026-11-30T20:15:01.02Z", "a", "b"), 2);
        assert_eq!(second, "2026-11-30T20-15-01.020Z-a-b-2.wait.jsonl");
        assert!(first < second);
        assert!(is_automatic(&first) && is_automatic(&second));
    }

    #[test]
    fn a_servers_words_are_made_safe() {
        let name = of_wait(
            &header("2026-11-30T20:15:01Z", "../../etc", "a b\n/\u{202e}"),
            1,
        );
        assert_eq!(name, "2026-11-30T20-15-01.000Z-.._.._etc-a_b___.wait.jsonl");
        let name = of_wait(&header("soon", &"s".repeat(500), &"t".repeat(500)), 1);
        assert!(name.len() < 130 && is_automatic(&name), "{name}");
    }

    #[test]
    fn what_the_operator_named_is_told_apart() {
        for named in [
            "release.wait.jsonl",
            "2026-11-30 release.wait.jsonl",
            "2026-11-30T20-15-01.000Z-demo-a.wait.json",
            "",
        ] {
            assert!(!is_automatic(named), "{named}");
        }
    }
}
