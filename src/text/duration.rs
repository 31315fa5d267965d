//! Durations as people write and read them.

use std::time::Duration;

/// Whole seconds from `90`, `90s`, `1m30s`, `2h`: units at most once each, from large to small.
///
/// # Errors
/// One sentence that says what is accepted.
pub fn parse_seconds(text: &str) -> Result<u64, String> {
    let refused = || {
        let text = super::line(text);
        format!("\"{text}\" is no duration; write whole seconds or units, such as 90, 90s or 1m30s")
    };
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().map_err(|_| refused());
    }
    let mut rest = text;
    let mut total: u64 = 0;
    for (unit, seconds) in [('h', 3600), ('m', 60), ('s', 1)] {
        let Some((number, after)) = rest.split_once(unit) else {
            continue;
        };
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(refused());
        }
        let number: u64 = number.parse().map_err(|_| refused())?;
        total = number
            .checked_mul(seconds)
            .and_then(|part| total.checked_add(part))
            .ok_or_else(refused)?;
        rest = after;
    }
    if text.is_empty() || !rest.is_empty() {
        Err(refused())
    } else {
        Ok(total)
    }
}

/// `0:47`, `12:05`, `1:02:03`: whole seconds, rounded down.
#[must_use]
pub fn clock(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// `0.4 ms`, `12 ms`, `1.52 s`, `47.1 s`, `2m05s`: three digits or so.
#[must_use]
pub fn spoken(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    let millis = seconds * 1000.0;
    if millis < 9.95 {
        format!("{millis:.1} ms")
    } else if millis < 999.5 {
        format!("{millis:.0} ms")
    } else if seconds < 9.995 {
        format!("{seconds:.2} s")
    } else if seconds < 119.95 {
        format!("{seconds:.1} s")
    } else {
        let whole = seconds.round() as u64;
        format!("{}m{:02}s", whole / 60, whole % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c11_durations_parse_or_are_refused() {
        for (text, seconds) in [
            ("90", 90),
            ("90s", 90),
            ("1m30s", 90),
            ("2m", 120),
            ("1h", 3600),
            ("1h1s", 3601),
            ("0", 0),
        ] {
            assert_eq!(parse_seconds(text), Ok(seconds), "{text}");
        }
        for text in [
            "",
            "s",
            "1.5",
            "1.5s",
            "-1",
            "90 s",
            "1s1m",
            "1m1m",
            "5x",
            "m5",
            "99999999999999999999",
            "9999999999999999999h",
        ] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_clock_rounds_down() {
        assert_eq!(clock(Duration::from_millis(47_999)), "0:47");
        assert_eq!(clock(Duration::from_secs(725)), "12:05");
        assert_eq!(clock(Duration::from_secs(3723)), "1:02:03");
    }

    #[test]
    fn spoken_durations_keep_about_three_digits() {
        for (micros, text) in [
            (400, "0.4 ms"),
            (12_000, "12 ms"),
            (999_600, "1.00 s"),
            (1_520_000, "1.52 s"),
            (47_100_000, "47.1 s"),
            (125_000_000, "2m05s"),
        ] {
            assert_eq!(spoken(Duration::from_micros(micros)), text);
        }
    }
}
