//! TM: each player's main time in seconds (FF\[4\] properties, spec GI-04). In FF\[1\] it is in
//! minutes (spec Ver-03), so a caller must know the version.

use super::lenient::{narrowed, reads, shows_inner};
use super::words::token_len;
use super::{LenientValue, Reading, Real, Repair, ValueError};

/// Time in seconds.
///
/// ```
/// use sgfstream_game::value::{Repair, Time};
///
/// assert_eq!(Time::parse(b"1800").expect("a Real").seconds(), 1800.0);
/// let read = Time::parse_lenient(b"10 hours each").expect("a unit");
/// assert_eq!((read.value.seconds(), read.repair), (36000.0, Some(Repair::Unit)));
/// assert_eq!(Time::parse_lenient(b"1:00:00").expect("three parts").value.seconds(), 3600.0);
/// assert!(Time::parse_lenient(b"30:00").is_err()); // hours or minutes
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Time(Real);

impl Time {
    /// Returns a time of `seconds`.
    #[must_use]
    pub const fn new(seconds: Real) -> Self {
        Self(seconds)
    }

    /// Returns the time in seconds.
    #[must_use]
    pub const fn seconds(self) -> f64 {
        self.0.get()
    }

    /// Parses the value strictly, as a Real.
    ///
    /// # Errors
    ///
    /// The same as for [`Real::parse`].
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        Real::parse(raw).map(Self)
    }

    /// Reads the value leniently: adds up hours, minutes and seconds, as in `1:00:00`, `2m30s` and
    /// `1 hour 30 min` (spec Q-12). The time is a guess if other words may change its meaning, or
    /// if overtime follows it. Two parts without units (`30:00`, `30/5`) are unknown.
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(time) = Self::parse(raw) {
            return Reading::as_written(time);
        }
        if let Some(seconds) = clock_time(raw) {
            return Reading::repaired(Self(seconds), Repair::Unit);
        }
        let narrow = narrowed(raw);
        let text = String::from_utf8_lossy(&narrow[..narrow.len().min(256)]).to_lowercase();
        let mut rest = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        // `各3時間` gives each player three hours. A main time is always for each player, so the
        // prefix adds nothing.
        rest = ["各", "각"]
            .iter()
            .find_map(|each| rest.strip_prefix(each))
            .unwrap_or(rest)
            .trim_start();
        let mut is_sure = true;
        let (mut seconds, mut smallest, mut repair) = (0.0, f64::INFINITY, None);
        while let Some(first) = rest.chars().next() {
            let len = token_len(rest, first, char::is_alphabetic);
            let (token, after) = rest.split_at(len);
            rest = after.trim_start_matches(char::is_whitespace);
            if first.is_ascii_digit() {
                let Some(number) = Real::read(token.as_bytes()).sure() else {
                    return Reading::Unknown;
                };
                let word = rest.chars().next().map_or("", |next| {
                    &rest[..token_len(rest, next, char::is_alphabetic)]
                });
                let unit = seconds_of(word);
                // A number alone is in seconds. A part after another part needs a smaller unit.
                let factor = unit.unwrap_or(1.0);
                if factor >= smallest || (unit.is_none() && smallest.is_finite()) {
                    return Reading::Unknown;
                }
                smallest = factor;
                seconds += number.value.get() * factor;
                rest = if unit.is_some() {
                    rest[word.len()..].trim_start()
                } else {
                    rest
                };
                repair = Some(match (factor > 1.0, unit.is_some()) {
                    (true, _) => Repair::Unit,
                    (false, true) => repair.unwrap_or(Repair::Unit),
                    (false, false) => number.repair.unwrap_or(Repair::Blanks),
                });
            } else if first == ',' && smallest.is_finite() {
                // Overtime follows the main time.
                is_sure = false;
                break;
            } else if !first.is_alphabetic() || !token.is_ascii() {
                return Reading::Unknown;
            } else {
                is_sure &= matches!(
                    token,
                    "each" | "per" | "player" | "side" | "main" | "time" | "for" | "a"
                );
                repair = repair.or(Some(Repair::Junk));
            }
        }
        let rounded = Real::new((seconds * 10.0).round() / 10.0);
        match (rounded, repair) {
            (Some(value), Some(repair)) if smallest.is_finite() => {
                let repair = if is_sure { repair } else { Repair::Junk };
                Reading::sure_if(is_sure, LenientValue::repaired(Self(value), repair))
            }
            _ => Reading::Unknown,
        }
    }
}

reads!(Time);

/// Parses `1:00:00` as hours, minutes and seconds. Two parts are ambiguous: hours and minutes, or
/// minutes and seconds.
fn clock_time(raw: &[u8]) -> Option<Real> {
    let mut parts = std::str::from_utf8(raw)
        .ok()?
        .trim()
        .split(':')
        .map(|part| {
            let is_part =
                (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse::<u32>().ok().filter(|_| is_part)
        });
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    let is_time = parts.next().is_none() && minutes < 60 && seconds < 60;
    Real::new(f64::from(hours * 3600 + minutes * 60 + seconds)).filter(|_| is_time)
}

/// Returns the seconds of a unit of time.
pub(super) fn seconds_of(unit: &str) -> Option<f64> {
    match unit {
        "s" | "sec" | "secs" | "second" | "seconds" | "秒" | "초" => Some(1.0),
        "m" | "min" | "mins" | "minute" | "minutes" | "分" | "分钟" | "分鐘" | "分間" | "분" => {
            Some(60.0)
        }
        "h" | "hr" | "hrs" | "hour" | "hours" | "小时" | "小時" | "時間" | "시간" => {
            Some(3600.0)
        }
        _ => None,
    }
}

shows_inner!(Time);

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec Q-12, Q-38, Q-66.
    #[test]
    fn parse_common_variant() {
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
            ("1800 sec", 1800.0, Some(Repair::Unit)),
            (" 1800", 1800.0, Some(Repair::Blanks)),
            ("2m30s", 150.0, Some(Repair::Unit)),
            ("10 min 30 sec", 630.0, Some(Repair::Unit)),
            ("1h30m", 5400.0, Some(Repair::Unit)),
            ("1 hour 30 min", 5400.0, Some(Repair::Unit)),
            ("1:30:05", 5405.0, Some(Repair::Unit)),
            ("3시간", 10800.0, Some(Repair::Unit)),
            ("3時間", 10800.0, Some(Repair::Unit)),
            ("1시간30분", 5400.0, Some(Repair::Unit)),
        ] {
            let read = Time::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!(
                (read.value.seconds(), read.repair),
                (seconds, repair),
                "{raw:?}"
            );
        }
        for (raw, seconds) in [
            ("30sec,10x1min", 30.0),
            ("30s,5x1min", 30.0),
            ("about 2 hours", 7200.0),
        ] {
            let read = Time::read(raw.as_bytes());
            assert!(
                read.is_guess() && read.likely().map(|read| read.value.seconds()) == Some(seconds),
                "{raw:?}"
            );
        }
        for raw in [
            "",
            "none",
            "30:00",
            "1:60:00",
            "1:0:0:0",
            "30/5",
            "30+5",
            "600-30-3",
            "1800,0,30,5",
            "5 Stunden à 60",
            "各6小ʱ",
            "30s 5m",
            "2 hours 3 hours",
            "5x30",
        ] {
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
