//! DT: one date or several, with shortcuts after a comma (FF\[4\] properties, spec GI-01). Whether
//! a two-digit entry is a month or a day depends on the entry to its left.

use std::fmt::{self, Write as _};

use super::date_forms::read_form;
use super::lenient::{narrowed, parses, reads};
use super::{Date, Reading, ValueError, ValueErrorKind};

/// Completes "expected …" in errors.
const EXPECTED: &str = "dates as YYYY-MM-DD, YYYY-MM or YYYY, or shortcuts after a comma";

/// The dates of a game, in order, with every shortcut expanded.
///
/// ```
/// use sgfstream_game::value::Dates;
///
/// let dates = Dates::parse(b"1996-12-27,28,1997-01-03,04").expect("four days");
/// let days: Vec<String> = dates.as_slice().iter().map(ToString::to_string).collect();
/// assert_eq!(days, ["1996-12-27", "1996-12-28", "1997-01-03", "1997-01-04"]);
/// assert_eq!(dates.to_string(), "1996-12-27,28,1997-01-03,04");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dates(Vec<Date>);

/// Parts that an entry was written with. They decide which shortcuts may follow:
///
/// ```text
///   after →    MM-DD  MM   DD
///   YYYY        -      -    -
///   YYYY-MM     yes    yes  -
///   YYYY-MM-DD  yes    -    yes
///   MM          yes    yes  -
///   MM-DD       yes    -    yes
///   DD          yes    -    yes
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Year,
    /// Ends with a month: two digits after it are a month.
    Month,
    /// Ends with a day: two digits after it are a day.
    Day,
}

impl Shape {
    const fn of(date: Date) -> Self {
        match (date.month(), date.day()) {
            (_, Some(_)) => Self::Day,
            (Some(_), None) => Self::Month,
            (None, None) => Self::Year,
        }
    }
}

impl Dates {
    /// Returns the list, or `None` if `dates` is empty.
    #[must_use]
    pub fn new(dates: Vec<Date>) -> Option<Self> {
        (!dates.is_empty()).then_some(Self(dates))
    }

    /// Returns the dates, at least one.
    #[must_use]
    pub fn as_slice(&self) -> &[Date] {
        &self.0
    }

    /// Parses the value strictly: no blanks, no other separators, and only dates that exist.
    ///
    /// # Errors
    ///
    /// [`Syntax`](ValueErrorKind::Syntax) for another form, and for a shortcut that cannot follow
    /// its neighbor; [`OutOfRange`](ValueErrorKind::OutOfRange) for a date that does not exist.
    // DT = Date {"," (Date | Shortcut)}      (FF[4] properties)
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        let mut dates: Vec<Date> = Vec::new();
        for entry in raw.split(|&byte| byte == b',') {
            let left = dates.last().copied();
            let (year, month, day) = match (entry.len(), left.map(Shape::of)) {
                (4, _) => (digits(entry, 0, 4), Some(None), Some(None)),
                (7, _) if entry[4] == b'-' => (digits(entry, 0, 4), two(entry, 5), Some(None)),
                (10, _) if entry[4] == b'-' && entry[7] == b'-' => {
                    (digits(entry, 0, 4), two(entry, 5), two(entry, 8))
                }
                (5, Some(Shape::Month | Shape::Day)) if entry[2] == b'-' => {
                    (left.map(Date::year), two(entry, 0), two(entry, 3))
                }
                (2, Some(Shape::Month)) => (left.map(Date::year), two(entry, 0), Some(None)),
                (2, Some(Shape::Day)) => (
                    left.map(Date::year),
                    Some(left.and_then(Date::month)),
                    two(entry, 0),
                ),
                _ => (None, None, None),
            };
            let (Some(year), Some(month), Some(day)) = (year, month, day) else {
                return Err(ValueError::syntax(EXPECTED, raw));
            };
            let no_such =
                || ValueError::new(ValueErrorKind::OutOfRange, "a date of the calendar", raw);
            dates.push(Date::new(year, month, day).ok_or_else(no_such)?);
        }
        Ok(Self(dates))
    }

    /// Reads the value leniently (spec Q-11, Q-27, Q-55). Accepts blanks, one-digit months and
    /// days, `/` and `.` for `-`, ranges, a time of day, names of months, numbers in any order if
    /// only one order makes a date, and years of an era (昭和50年, Heisei 5, 民國85年). A year of two
    /// digits, a decade, and a date beside other words are guesses.
    ///
    /// ```
    /// use sgfstream_game::value::{Dates, Repair};
    ///
    /// for (raw, date, repair) in [
    ///     ("2006-12-07 23:34:21", "2006-12-07", Repair::TimeOfDay),
    ///     ("April 14-15, 1957", "1957-04-14,15", Repair::DateForm),
    ///     ("2012/3/4", "2012-03-04", Repair::DateForm),
    ///     ("昭和50年", "1975", Repair::DateForm),
    /// ] {
    ///     let read = Dates::parse_lenient(raw.as_bytes()).expect("dates");
    ///     assert_eq!((read.value.to_string().as_str(), read.repair), (date, Some(repair)));
    /// }
    /// assert!(Dates::read(b"1960s").is_guess());
    /// assert!(Dates::parse_lenient(b"3/4/2012").is_err()); // March or April
    /// ```
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(dates) = Self::parse(raw) {
            return Reading::as_written(dates);
        }
        let narrow = narrowed(raw);
        read_form(&String::from_utf8_lossy(&narrow))
    }
}

reads!(Dates);

impl Date {
    /// Parses one date strictly: `1996`, `1996-05` or `1996-05-06`.
    ///
    /// # Errors
    ///
    /// The value has another form, contains several dates, or a date that does not exist.
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        match Dates::parse(raw)?.as_slice() {
            &[date] => Ok(date),
            _ => Err(ValueError::syntax("one date", raw)),
        }
    }
}

parses!(Date);
super::lenient::serde_as_text!(Date);

/// Parses `len` digits from `at` on; returns `None` if one of these bytes is not a digit.
fn digits(entry: &[u8], at: usize, len: usize) -> Option<u16> {
    let mut value = 0;
    for &digit in &entry[at..at + len] {
        value = value * 10 + u16::from(digit.is_ascii_digit().then(|| digit - b'0')?);
    }
    Some(value)
}

/// Parses two digits from `at` on. The inner `None` cannot occur: two digits fit a byte.
fn two(entry: &[u8], at: usize) -> Option<Option<u8>> {
    digits(entry, at, 2).map(|value| u8::try_from(value).ok())
}

/// Prints the shortest form: a shortcut wherever one is allowed.
impl fmt::Display for Dates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left: Option<Date> = None;
        for &date in &self.0 {
            if left.is_some() {
                f.write_char(',')?;
            }
            let same_year = left.filter(|left| left.year() == date.year());
            match (same_year.map(Shape::of), date.month(), date.day()) {
                (Some(Shape::Day), Some(month), Some(day))
                    if same_year.and_then(Date::month) == Some(month) =>
                {
                    write!(f, "{day:02}")?;
                }
                (Some(Shape::Day | Shape::Month), Some(month), Some(day)) => {
                    write!(f, "{month:02}-{day:02}")?
                }
                (Some(Shape::Month), Some(month), None) => write!(f, "{month:02}")?,
                _ => date.fmt(f)?,
            }
            left = Some(date);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::LenientValue;
    use super::*;

    fn days(dates: &Dates) -> String {
        dates
            .as_slice()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn g_01_strict() {
        for (raw, dates) in [
            ("1996", "1996"),
            ("1996-05", "1996-05"),
            ("1996-05-06", "1996-05-06"),
            ("1996-05,06", "1996-05 1996-06"),
            ("1996-05-06,07,08", "1996-05-06 1996-05-07 1996-05-08"),
            ("1996,1997", "1996 1997"),
            (
                "1996-12-27,28,1997-01-03,04",
                "1996-12-27 1996-12-28 1997-01-03 1997-01-04",
            ),
            (
                "1996-12,11,10-09,08",
                "1996-12 1996-11 1996-10-09 1996-10-08",
            ),
            ("1996-05-06,07-08,09", "1996-05-06 1996-07-08 1996-07-09"),
            ("1996-05-06,07,08-09", "1996-05-06 1996-05-07 1996-08-09"),
            ("1996-05,1997", "1996-05 1997"),
            ("1996,1996-02-29", "1996 1996-02-29"),
            ("0001-01-01", "0001-01-01"),
        ] {
            let read = Dates::parse(raw.as_bytes()).expect(raw);
            assert_eq!(days(&read), dates, "{raw}");
            assert_eq!(read.to_string(), raw, "{raw}");
        }
    }

    #[test]
    fn g_01_illegal() {
        for raw in [
            "",
            ",",
            "1996,",
            ",1996",
            "1996,05",
            "1996,05-06",
            "05",
            "05-06",
            "96",
            "1996-5",
            "1996-5-6",
            "1996-05-6",
            "1996/05/06",
            "1996-05-06, 07",
            "1996-05-06 ",
            " 1996",
            "1996-13",
            "1996-00",
            "1996-02-30",
            "1997-02-29",
            "1900-02-29",
            "1996-04-31",
            "1996-04-00",
            "0000",
            "1996-05,1997,06",
            "1996-05-06,7",
            "1996-05-06,32",
            "1996-05,13",
            "19960506",
            "1996-05-06T12:00",
            "1996-05-06,05-32",
            "1996-",
            "1996-05-",
            "+996",
            "1996-05-06..07",
            "１９９６",
        ] {
            assert!(Dates::parse(raw.as_bytes()).is_err(), "{raw:?}");
        }
    }

    /// Spec Q-11, Q-27, Q-55.
    #[test]
    fn lenient() {
        use super::super::Repair::{Blanks, DateForm, TimeOfDay};
        for (raw, dates, repair) in [
            ("1996-05", "1996-05", None),
            ("1996-05-06, 07", "1996-05-06,07", Some(Blanks)),
            (" 1996-05-06", "1996-05-06", Some(Blanks)),
            ("1996-5-6", "1996-05-06", Some(DateForm)),
            ("1996-05-06,7", "1996-05-06,07", Some(DateForm)),
            ("2006-12-07 23:34:21", "2006-12-07", Some(TimeOfDay)),
            ("2006-12-07T23:34:21Z", "2006-12-07", Some(TimeOfDay)),
            (
                "Fri Nov 02 09:01:07 EDT 2018",
                "2018-11-02",
                Some(TimeOfDay),
            ),
            ("2024-11-14 12 16 06", "2024-11-14", Some(TimeOfDay)),
            (
                "1912-12-30..1913-01-02",
                "1912-12-30,31,1913-01-01,02",
                Some(DateForm),
            ),
            (
                "1920-01-30..02-02",
                "1920-01-30,31,02-01,02",
                Some(DateForm),
            ),
            ("1914-04-07..09,12", "1914-04-07,08,09,12", Some(DateForm)),
            ("1996-11..1997-01", "1996-11,12,1997-01", Some(DateForm)),
            ("1667-1668", "1667,1668", Some(DateForm)),
            ("2012/03/04", "2012-03-04", Some(DateForm)),
            ("4.3.2012", "2012-03-04", Some(DateForm)),
            ("1985-03-04~05", "1985-03-04,05", Some(DateForm)),
            ("1985-03-04~07", "1985-03-04,05,06,07", Some(DateForm)),
            ("2008年5月14日", "2008-05-14", Some(DateForm)),
            ("1995년 3월 4일", "1995-03-04", Some(DateForm)),
            ("1995년3월", "1995-03", Some(DateForm)),
            ("April 14-15, 1957", "1957-04-14,15", Some(DateForm)),
            ("3 Okt 1990", "1990-10-03", Some(DateForm)),
            ("Sept. 1990", "1990-09", Some(DateForm)),
            ("24/12/1990", "1990-12-24", Some(DateForm)),
            ("12/24/1990", "1990-12-24", Some(DateForm)),
            (
                "Sat Dec 12 08:47:45 CST 2020",
                "2020-12-12",
                Some(TimeOfDay),
            ),
            (
                "Tue Mar 29 21:05:19 CEST 2016",
                "2016-03-29",
                Some(TimeOfDay),
            ),
            ("in 1846", "1846", Some(DateForm)),
            ("昭和50年", "1975", Some(DateForm)),
            ("Showa 50", "1975", Some(DateForm)),
            ("昭和50年3月4日", "1975-03-04", Some(DateForm)),
            ("平成5年", "1993", Some(DateForm)),
            ("Heisei 5", "1993", Some(DateForm)),
            ("平成元年5月", "1989-05", Some(DateForm)),
            ("令和2年5月1日", "2020-05-01", Some(DateForm)),
            ("Reiwa 2", "2020", Some(DateForm)),
            ("大正12年", "1923", Some(DateForm)),
            ("明治10年", "1877", Some(DateForm)),
            ("民國85年", "1996", Some(DateForm)),
            ("民国85年", "1996", Some(DateForm)),
            ("Minguo 85", "1996", Some(DateForm)),
            ("1934.10.10-11", "1934-10-10,11", Some(DateForm)),
            ("1958.05.08-09", "1958-05-08,09", Some(DateForm)),
            ("20130730", "2013-07-30", Some(DateForm)),
        ] {
            let read = Dates::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!(
                (read.value.to_string().as_str(), read.repair),
                (dates, repair),
                "{raw:?}"
            );
        }
        for (raw, dates) in [
            ("14 Apr 57", "1957-04-14"),
            ("2021-13-01", "2021-01-13"),
            ("196?", "1960,1961,1962,1963,1964,1965,1966,1967,1968,1969"),
            ("1960s", "1960,1961,1962,1963,1964,1965,1966,1967,1968,1969"),
            ("ca. 1846", "1846"),
            ("Honinbo, 3 May 1990", "1990-05-03"),
        ] {
            let read = Dates::read(raw.as_bytes());
            assert!(read.is_guess(), "{raw:?}");
            assert_eq!(
                read.likely().map(|read| read.value.to_string()).as_deref(),
                Some(dates),
                "{raw:?}"
            );
        }
        for raw in [
            "Game 3, 1990",
            "50",
            "196",
            "昭和65年",
            "昭和",
            "昭和五十年",
            "Showa",
            "",
            "yesterday",
            "3/4/2012",
            "April",
            "14 April",
            "March 31 - April 1, 1997",
            "1990 1991 x",
            "1990-02-30",
            "0000-00-00",
            "123456",
            "1990-06-14, 15, 16, x",
            "\u{FFFD}",
            "1985-03-05~04",
            "1985-03-04~99",
            "1900-01-01..1999-12-31",
            "1996..1996-05",
            "1996-05-06..",
        ] {
            assert!(Dates::parse_lenient(raw.as_bytes()).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn of_asian_sites_and_old_books() {
        let read = Dates::parse_lenient(b"C2006.02.10 18:40").expect("a day");
        assert_eq!(
            (read.value.to_string().as_str(), read.repair),
            ("2006-02-10", Some(crate::value::Repair::TimeOfDay))
        );
        let read = Dates::read(b"1832-40");
        let likely = read.clone().likely().expect("nine years").value;
        assert!(
            read.is_guess()
                && likely.to_string().starts_with("1832,1833,")
                && likely.as_slice().len() == 9
        );
        for raw in ["1959 or 1960", "1832-31", "1999-13x"] {
            assert_eq!(Dates::read(raw.as_bytes()), Reading::Unknown, "{raw}");
        }
    }

    proptest::proptest! {
        #[test]
        fn reads_back(parts in proptest::collection::vec((1995u16..1998, 0u8..14, 0u8..33), 1..8)) {
            let some = |part: u8| (part > 0).then_some(part);
            let dates = parts.into_iter().filter_map(|(year, month, day)| Date::new(year, some(month), some(day))).collect();
            if let Some(written) = Dates::new(dates) {
                proptest::prop_assert_eq!(Dates::parse(written.to_string().as_bytes()), Ok(written));
            }
        }

        #[test]
        fn any_text(raw in "[0-9,/.~ a-z年-]{0,24}|.{0,24}") {
            let lenient = Dates::parse_lenient(raw.as_bytes());
            match Dates::parse(raw.as_bytes()) {
                Ok(dates) => proptest::prop_assert_eq!(lenient, Ok(LenientValue::as_written(dates))),
                Err(_) => if let Ok(read) = lenient {
                    proptest::prop_assert!(read.repair.is_some() && !read.value.as_slice().is_empty());
                }
            }
        }
    }
}
