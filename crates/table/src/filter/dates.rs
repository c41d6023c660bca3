//! Date arithmetic: `CURRENT_DATE - INTERVAL '7 days'`.

use sgfstream_game::value::Date;

use crate::row::nearest;

/// Units of time, with the months and days of each.
const UNITS: [(&str, i64, i64); 8] = [
    ("day", 0, 1),
    ("days", 0, 1),
    ("week", 0, 7),
    ("weeks", 0, 7),
    ("month", 1, 0),
    ("months", 1, 0),
    ("year", 12, 0),
    ("years", 12, 0),
];

/// Span of time between two dates: months, then days, as in PostgreSQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Interval {
    months: i64,
    days: i64,
}

impl Interval {
    /// Parses pairs of a number and a unit: `7 days`, `1 year 6 months`.
    ///
    /// # Errors
    ///
    /// Returns a message if the text is not an interval.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let expected = || {
            format!("expected an interval such as '7 days', '6 months' or '1 year', found '{text}'")
        };
        let mut interval = Self::default();
        let mut words = text.split_whitespace().peekable();
        if words.peek().is_none() {
            return Err(expected());
        }
        while let Some(number) = words.next() {
            let number: i64 = number.parse().map_err(|_| expected())?;
            let unit = words.next().ok_or_else(expected)?.to_lowercase();
            let Some(&(_, months, days)) = UNITS.iter().find(|(name, ..)| *name == unit) else {
                let near = nearest(&unit, UNITS.map(|(name, ..)| name));
                let hint = near.map_or(
                    "the units are days, weeks, months and years".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                return Err(format!(
                    "expected a unit of whole days, found `{unit}`; {hint}"
                ));
            };
            interval.months = interval
                .months
                .saturating_add(months.saturating_mul(number));
            interval.days = interval.days.saturating_add(days.saturating_mul(number));
        }
        Ok(interval)
    }

    /// Returns the same span backwards.
    pub(super) fn negated(self) -> Self {
        Self {
            months: self.months.saturating_neg(),
            days: self.days.saturating_neg(),
        }
    }

    /// Returns the date that is this span after `date`, or `None` outside the years 1 to 9999.
    pub(super) fn after(self, date: Date) -> Option<Date> {
        date.plus(self.months, self.days)
    }
}

/// Returns the current date in UTC, or `None` if the platform has no clock.
pub(super) fn today() -> Option<Date> {
    // The standard library's clock panics in a browser.
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return None;
    }
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .ok()?;
    Date::new(1970, Some(1), Some(1))?.plus(0, i64::try_from(since.as_secs() / 86_400).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_move_dates() {
        let date = |text: &str| {
            let mut parts = text
                .split('-')
                .map(|part| part.parse::<u16>().expect("a number"));
            let mut part = || parts.next().expect("a part");
            let (year, month, day) = (part(), part() as u8, part() as u8);
            Date::new(year, Some(month), Some(day)).expect("a date")
        };
        for (from, interval, to) in [
            ("2024-03-01", "-1 day", Some("2024-02-29")),
            ("2024-01-31", "1 month", Some("2024-02-29")),
            ("2024-02-29", "1 year", Some("2025-02-28")),
            ("2024-02-29", "-12 MONTHS", Some("2023-02-28")),
            ("1999-12-31", "1 year 2 months 2 weeks", Some("2001-03-14")),
            ("0001-01-01", "-1 day", None),
            ("9999-12-31", "1 day", None),
            ("2000-01-01", "9223372036854775807 years", None),
        ] {
            let found = Interval::parse(interval).expect(interval);
            assert_eq!(found.after(date(from)), to.map(date), "{from} + {interval}");
        }
        for text in ["", "days", "7", "7 days ago", "1.5 days", "7 hours"] {
            assert!(Interval::parse(text).is_err(), "{text}");
        }
        assert!(
            Interval::parse("7 dyas")
                .expect_err("a typo")
                .ends_with("did you mean `days`?")
        );
    }
}
