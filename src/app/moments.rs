//! Moments in time, in local time and in few words.

use std::time::SystemTime;

use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};

/// `Nov 30 20:15`, or `2025-11-30` in another year than `now`.
pub(super) fn in_short(moment: &ZonedDateTime, now: &ZonedDateTime) -> String {
    let form = if moment.year() == now.year() {
        "%b %e %H:%M"
    } else {
        "%Y-%m-%d"
    };
    moment.strftime(form).to_string()
}

/// `2026-11-30 20:15:01`; what is no moment in RFC 3339 as it is.
pub(super) fn to_the_second(moment: &str) -> String {
    match local(moment) {
        Some(moment) => moment.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        None => moment.to_owned(),
    }
}

/// A moment in RFC 3339.
pub(super) fn local(moment: &str) -> Option<ZonedDateTime> {
    let moment: Timestamp = moment.parse().ok()?;
    Some(moment.to_zoned_datetime(TimeZone::system()))
}

/// A moment as the file system tells it.
pub(super) fn of_file(moment: SystemTime) -> Option<ZonedDateTime> {
    let moment = Timestamp::try_from(moment).ok()?;
    Some(moment.to_zoned_datetime(TimeZone::system()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_moment_of_this_year_has_its_time_and_another_its_year() {
        let now: ZonedDateTime = "2026-11-30T21:00[UTC]".parse().unwrap();
        let moment: ZonedDateTime = "2026-03-05T08:09:10[UTC]".parse().unwrap();
        assert_eq!(in_short(&moment, &now), "Mar  5 08:09");
        let moment: ZonedDateTime = "2025-12-31T23:59[UTC]".parse().unwrap();
        assert_eq!(in_short(&moment, &now), "2025-12-31");
        assert_eq!(to_the_second("soon"), "soon");
    }
}
