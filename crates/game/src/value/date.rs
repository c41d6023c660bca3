//! A day, month or year of the Gregorian calendar, as in DT (FF\[4\] properties, spec GI-01).
//! [`Dates`](super::Dates) is a list of dates with DT's shortcuts.

use std::fmt;

/// Date that may lack its day, or its month and day: `1996`, `1996-05` or `1996-05-06`.
///
/// ```
/// use sgfstream_game::value::Date;
///
/// let month = Date::new(1996, Some(2), None).expect("February");
/// assert_eq!(month.to_string(), "1996-02");
/// assert_eq!(month.last_day().to_string(), "1996-02-29");
/// assert!(Date::new(1900, Some(2), Some(29)).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    /// 1 to 12, or 0 if the date has no month.
    month: u8,
    /// 1 to 31, or 0 if the date has no day.
    day: u8,
}

impl Date {
    /// Returns the date if it exists: a year from 1 to 9999, and a day only with its month.
    #[must_use]
    pub const fn new(year: u16, month: Option<u8>, day: Option<u8>) -> Option<Self> {
        if year == 0 || year > 9999 {
            return None;
        }
        match (month, day) {
            (None, None) => Some(Self {
                year,
                month: 0,
                day: 0,
            }),
            (Some(month @ 1..=12), None) => Some(Self {
                year,
                month,
                day: 0,
            }),
            (Some(month @ 1..=12), Some(day)) if day >= 1 && day <= days_in(year, month) => {
                Some(Self { year, month, day })
            }
            _ => None,
        }
    }

    /// Returns the year, 1 to 9999.
    #[must_use]
    pub const fn year(self) -> u16 {
        self.year
    }

    /// Returns the month, 1 to 12, if the date has one.
    #[must_use]
    pub const fn month(self) -> Option<u8> {
        if self.month == 0 {
            None
        } else {
            Some(self.month)
        }
    }

    /// Returns the day of the month, if the date has one.
    #[must_use]
    pub const fn day(self) -> Option<u8> {
        if self.day == 0 { None } else { Some(self.day) }
    }

    /// Returns the first day that the date covers.
    #[must_use]
    pub const fn first_day(self) -> Self {
        Self {
            year: self.year,
            month: if self.month == 0 { 1 } else { self.month },
            day: if self.day == 0 { 1 } else { self.day },
        }
    }

    /// Returns the last day that the date covers.
    #[must_use]
    pub const fn last_day(self) -> Self {
        let month = if self.month == 0 { 12 } else { self.month };
        let day = if self.day == 0 {
            days_in(self.year, month)
        } else {
            self.day
        };
        Self {
            year: self.year,
            month,
            day,
        }
    }

    /// Returns the day after a day, the month after a month, or the year after a year. Returns
    /// `None` after 9999.
    ///
    /// ```
    /// use sgfstream_game::value::Date;
    ///
    /// let day = Date::new(1996, Some(12), Some(31)).expect("a day");
    /// assert_eq!(day.next().expect("another").to_string(), "1997-01-01");
    /// ```
    #[must_use]
    pub const fn next(self) -> Option<Self> {
        if self.day > 0 && self.day < days_in(self.year, self.month) {
            return Some(Self {
                day: self.day + 1,
                ..self
            });
        }
        let day = if self.day > 0 { 1 } else { 0 };
        if self.month > 0 && self.month < 12 {
            return Some(Self {
                month: self.month + 1,
                day,
                ..self
            });
        }
        let month = if self.month > 0 { 1 } else { 0 };
        if self.year < 9999 {
            Some(Self {
                year: self.year + 1,
                month,
                day,
            })
        } else {
            None
        }
    }

    /// Adds `months`, then `days`; negative numbers go back. A day that the month lacks becomes the
    /// last day of the month. An incomplete date counts from its first day. Returns `None` outside
    /// the years 1 to 9999.
    ///
    /// ```
    /// use sgfstream_game::value::Date;
    ///
    /// let day = Date::new(2024, Some(1), Some(31)).expect("a day");
    /// assert_eq!(day.plus(1, 0).expect("a day").to_string(), "2024-02-29");
    /// assert_eq!(day.plus(0, -31).expect("a day").to_string(), "2023-12-31");
    /// ```
    #[must_use]
    pub fn plus(self, months: i64, days: i64) -> Option<Self> {
        let day = self.first_day();
        let month = (i64::from(day.year) * 12 + i64::from(day.month) - 1).checked_add(months)?;
        let year = u16::try_from(month.div_euclid(12)).ok()?;
        let month = month.rem_euclid(12) as u8 + 1;
        let of_month = Self::new(year, Some(month), Some(day.day.min(days_in(year, month))))?;
        Self::of_day_number(i64::from(day_number(of_month)).checked_add(days)?)
    }

    /// Returns the day that is `number` days after 0001-01-01.
    fn of_day_number(number: i64) -> Option<Self> {
        // The estimate is at most a few years too late.
        let mut year = u16::try_from(number / 365 + 1)
            .ok()
            .filter(|&year| number >= 0 && year < 10_100)?;
        let first_of = |year: u16| {
            i64::from(day_number(Self {
                year,
                month: 1,
                day: 1,
            }))
        };
        while first_of(year) > number {
            year -= 1;
        }
        let mut day = number - first_of(year);
        let mut month = 1;
        while day >= i64::from(days_in(year, month)) && month < 12 {
            day -= i64::from(days_in(year, month));
            month += 1;
        }
        Self::new(year, Some(month), u8::try_from(day + 1).ok())
    }
}

/// Returns the number of days in a month, by the Gregorian rule.
const fn days_in(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the days from 0001-01-01 to `date`, which must be complete.
const fn day_number(date: Date) -> u32 {
    let years = date.year as u32 - 1;
    let mut days = years * 365 + years / 4 - years / 100 + years / 400;
    let mut month = 1;
    while month < date.month {
        days += days_in(date.year, month) as u32;
        month += 1;
    }
    days + date.day as u32 - 1
}

/// Prints ISO 8601, with the parts that the date has.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some(month) = self.month() {
            write!(f, "-{month:02}")?;
        }
        if let Some(day) = self.day() {
            write!(f, "-{day:02}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leap_years() {
        for (year, days) in [
            (1996, 29),
            (1900, 28),
            (2000, 29),
            (2023, 28),
            (4, 29),
            (9999, 28),
        ] {
            assert!(Date::new(year, Some(2), Some(days)).is_some(), "{year}");
            assert!(Date::new(year, Some(2), Some(days + 1)).is_none(), "{year}");
        }
    }

    #[test]
    fn no_such_date() {
        for (year, month, day) in [
            (0, None, None),
            (10000, None, None),
            (1996, Some(0), None),
            (1996, Some(13), None),
            (1996, Some(4), Some(31)),
            (1996, Some(4), Some(0)),
            (1996, None, Some(1)),
        ] {
            assert_eq!(Date::new(year, month, day), None);
        }
    }

    #[test]
    fn day_after_day() {
        let mut day = Date::new(1, Some(1), Some(1)).expect("a day");
        let mut number = 0;
        for year in 1..=2001 {
            for month in 1..=12 {
                for of_month in 1..=days_in(year, month) {
                    let next = Date::new(year, Some(month), Some(of_month)).expect("a day");
                    assert_eq!(day_number(next), number);
                    assert_eq!(Date::of_day_number(number.into()), Some(next));
                    assert_eq!(day.next() == Some(next), number > 0);
                    day = next;
                    number += 1;
                }
            }
        }
        let [april, may] = [4, 5].map(|month| Date::new(1996, Some(month), None).expect("a month"));
        assert_eq!(april.next(), Some(may));
    }
}
