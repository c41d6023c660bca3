//! TM: each player's main time in seconds (FF\[4\] properties, spec GI-04; in
//! FF\[1\] minutes, spec Ver-03, which the caller knows).

use std::fmt;

use super::lenient::{narrowed, without_blanks};
use super::{Lenient, Real, Repair, ValueError};

/// What the errors here ask for.
const EXPECTED: &str = "a time in seconds";

/// A time in seconds.
///
/// ```
/// use sgfstream::value::{Repair, Time};
///
/// assert_eq!(Time::parse(b"1800").expect("a Real").seconds(), 1800.0);
/// let read = Time::parse_lenient(b"10 hours each").expect("a unit");
/// assert_eq!((read.value.seconds(), read.repair), (36000.0, Some(Repair::Unit)));
/// assert!(Time::parse_lenient(b"1:00:00").is_err()); // spec Q-12
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Time(Real);

impl Time {
    /// A time of this many seconds.
    #[must_use]
    pub const fn new(seconds: Real) -> Self {
        Self(seconds)
    }

    /// Its seconds.
    #[must_use]
    pub const fn seconds(self) -> f64 {
        self.0.get()
    }

    /// The strict reading: a Real.
    ///
    /// # Errors
    ///
    /// Those of [`Real::parse`].
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        Real::parse(raw).map(Self)
    }

    /// The lenient reading: hours and minutes are worked out, to a tenth of a
    /// second; what looks like several parts (`:`, `/`, `;`, `+`, hours and
    /// minutes) is not guessed at (spec Q-12), nor are words in other scripts.
    ///
    /// # Errors
    ///
    /// No number, several parts, or words that may be a unit.
    pub fn parse_lenient(raw: &[u8]) -> Result<Lenient<Self>, ValueError> {
        if let Ok(time) = Self::parse(raw) {
            return Ok(Lenient::as_written(time));
        }
        let err = || ValueError::syntax(EXPECTED, raw);
        let narrow = narrowed(raw);
        let compact = without_blanks(&narrow);
        if compact.iter().skip(1).any(|byte| matches!(byte, b':' | b'/' | b';' | b'+')) {
            return Err(err());
        }
        let text = String::from_utf8_lossy(&narrow[..narrow.len().min(256)]).to_lowercase();
        let mut units = text.split(|c: char| !c.is_alphabetic());
        let says = |any: &[&str]| any.iter().any(|part| text.contains(part));
        let hours = says(&["hr", "hour", "小时", "小時", "時間"]) || units.clone().any(|unit| unit == "h");
        let minutes = says(&["min", "分"]) || units.any(|unit| unit == "m");
        let factor = match (hours, minutes) {
            (true, true) => return Err(err()),
            (true, false) => 3600.0,
            (false, true) => 60.0,
            (false, false) => 1.0,
        };
        // Words in another script may be units, and change the value.
        if factor == 1.0 && !text.is_ascii() {
            return Err(err());
        }
        let read = Real::parse_lenient(&compact).map_err(|_| err())?;
        let seconds = (read.value.get() * factor * 10.0).round() / 10.0;
        let repair = if factor > 1.0 { Repair::Unit } else { read.repair.unwrap_or(Repair::Blanks) };
        let value = if factor > 1.0 { Real::new(seconds).ok_or_else(err)? } else { read.value };
        Ok(Lenient::repaired(Self(value), repair))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec Q-12, Q-38, Q-66.
    #[test]
    fn of_the_field() {
        for (raw, seconds, repair) in [
            ("1800", 1800.0, None),
            ("0", 0.0, None),
            ("1800.5", 1800.5, None),
            ("30 min", 1800.0, Some(Repair::Unit)),
            ("30m", 1800.0, Some(Repair::Unit)),
            ("1.5 hours", 5400.0, Some(Repair::Unit)),
            ("2h", 7200.0, Some(Repair::Unit)),
            ("10 hours each", 36000.0, Some(Repair::Unit)),
            ("8h each", 28800.0, Some(Repair::Unit)),
            ("2小时", 7200.0, Some(Repair::Unit)),
            ("30.", 30.0, Some(Repair::DecimalPoint)),
            ("1800 sec", 1800.0, Some(Repair::Junk)),
            (" 1800", 1800.0, Some(Repair::Blanks)),
        ] {
            let read = Time::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!((read.value.seconds(), read.repair), (seconds, repair), "{raw:?}");
        }
        for raw in
            ["", "none", "1:00:00", "30/5", "1h30m", "1 hour 30 min", "30+5", "1800,0,30,5", "各6小ʱ", "5 Stunden à 60"]
        {
            assert!(Time::parse_lenient(raw.as_bytes()).is_err(), "{raw:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text(raw in "[0-9.hms ]{0,12}|.{0,12}") {
            if let (Err(_), Ok(read)) = (Time::parse(raw.as_bytes()), Time::parse_lenient(raw.as_bytes())) {
                proptest::prop_assert!(read.repair.is_some() && read.value.seconds().is_finite());
            }
        }
    }
}
