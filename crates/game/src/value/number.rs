//! Number: `["+" | "-"] Digit {Digit}` (FF\[4\] basics, spec V-02). The format sets no range (spec
//! C-15). A number that does not fit 64 bits is an error and never wraps.

use super::lenient::{
    blanks_or_wide, digits, is_grouped, narrowed, reads, shows_inner, without_blanks,
};
use super::words::asian_stones;
use super::{LenientValue, Reading, Repair, ValueError, ValueErrorKind};

/// Expectation that errors name.
const EXPECTED: &str = "a number such as `12` or `-3`";

/// Whole number.
///
/// ```
/// use sgfstream_game::value::{Number, ValueErrorKind};
///
/// assert_eq!(Number::parse(b"+007").expect("a number").get(), 7);
/// let err = Number::parse(b"100000000000000000000").expect_err("over 64 bits");
/// assert_eq!(err.kind, ValueErrorKind::OutOfRange);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Number(i64);

impl Number {
    /// Returns the number `value`.
    #[must_use]
    pub const fn new(value: i64) -> Self {
        Self(value)
    }

    /// Returns the number as an integer.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Parses the value strictly.
    ///
    /// # Errors
    ///
    /// [`Syntax`](ValueErrorKind::Syntax) if the value is not digits after an optional sign;
    /// [`OutOfRange`](ValueErrorKind::OutOfRange) if it is beyond `i64`.
    // Number = ["+" | "-"] Digit {Digit}      (FF[4], EBNF)
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        if !is_number(raw) {
            return Err(ValueError::syntax(EXPECTED, raw));
        }
        let (negative, digits) = match raw {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        // Negative, because `i64` has one more value below zero than above.
        let mut value: i64 = 0;
        for &digit in digits {
            let next = value
                .checked_mul(10)
                .and_then(|tens| tens.checked_sub(i64::from(digit - b'0')));
            value = next.ok_or_else(|| out_of_range(raw))?;
        }
        if negative {
            Ok(Self(value))
        } else {
            value
                .checked_neg()
                .map(Self)
                .ok_or_else(|| out_of_range(raw))
        }
    }

    /// Reads the value leniently: finds the number in the text, and ignores blanks between
    /// thousands and zeros after a decimal point (spec Q-07, Q-23, Q-66). A number beyond `i64`
    /// becomes the nearest `i64`, as a guess. Several numbers (`2-5`) are unknown. SGFC joins all
    /// digits and reads `7.5` as 75; here `7.5` is unknown.
    ///
    /// ```
    /// use sgfstream_game::value::{Number, Reading, Repair};
    ///
    /// let read = Number::parse_lenient(b"2 stones").expect("a number is in it");
    /// assert_eq!((read.value.get(), read.repair), (2, Some(Repair::Words)));
    /// assert_eq!(Number::read(b"2-5"), Reading::Unknown);
    /// ```
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        let narrow = narrowed(raw);
        let bytes = without_blanks(&narrow);
        let Some(first) = bytes.iter().position(u8::is_ascii_digit) else {
            let stones = asian_stones(&String::from_utf8_lossy(&narrow[..narrow.len().min(64)]));
            return stones.map_or(Reading::Unknown, |stones| {
                Reading::repaired(Self(stones), Repair::Words)
            });
        };
        let start = first - usize::from(first > 0 && matches!(bytes[first - 1], b'+' | b'-'));
        let end = first + digits(&bytes[first..]);
        let text = &bytes[start..end];
        let mut rest = &bytes[end..];
        if let [b'.' | b',', fraction @ ..] = rest {
            let (fraction, after) = fraction.split_at(digits(fraction));
            if fraction.iter().any(|&digit| digit != b'0') {
                return Reading::Unknown;
            }
            rest = after;
        }
        let value = match Self::parse(text) {
            Ok(value) => value,
            Err(err) if err.kind == ValueErrorKind::OutOfRange => {
                let nearest = if text[0] == b'-' { i64::MIN } else { i64::MAX };
                return Reading::Guess(LenientValue::repaired(Self(nearest), Repair::Clipped));
            }
            Err(_) => return Reading::Unknown,
        };
        if text == raw {
            return Reading::as_written(value);
        }
        let beside = [&bytes[..start], rest].concat().to_ascii_lowercase();
        if matches!(beside.as_slice(), b"d" | b"dan" | b"k" | b"kyu") {
            // A rank is not a count.
            return Reading::Unknown;
        }
        // These words name the unit of a handicap and add nothing.
        let is_unit = matches!(beside.as_slice(), b"stone" | b"stones" | b"handicap");
        let repair = if is_unit {
            Repair::Words
        } else if !beside.is_empty() {
            Repair::Junk
        } else if end < bytes.len() {
            Repair::DecimalPoint
        } else {
            blanks_or_wide(&narrow, raw)
        };
        // A sign after other text may be a dash.
        let is_one = !rest.iter().any(u8::is_ascii_digit)
            && (start == 0 || start == first)
            && is_grouped(&narrow);
        if is_one {
            Reading::repaired(value, repair)
        } else {
            Reading::Unknown
        }
    }
}

reads!(Number);

/// Returns whether `raw` is digits after an optional sign, of any length.
pub(super) fn is_number(raw: &[u8]) -> bool {
    let digits = match raw {
        [b'+' | b'-', digits @ ..] => digits,
        digits => digits,
    };
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

#[cold]
fn out_of_range(raw: &[u8]) -> ValueError {
    ValueError::new(
        ValueErrorKind::OutOfRange,
        "a number of at most 64 bits",
        raw,
    )
}

shows_inner!(Number);

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict() {
        for (raw, value) in [
            ("0", 0),
            ("-0", 0),
            ("+0", 0),
            ("5", 5),
            ("+5", 5),
            ("-5", -5),
            ("007", 7),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("0000000000000000000000000000000000000000001", 1),
        ] {
            assert_eq!(Number::parse(raw.as_bytes()), Ok(Number(value)), "{raw}");
        }
        for raw in [
            "", "+", "-", " 5", "5 ", "+ 5", "5.", "5.0", "1e3", "0x10", "1,000", "++5", "--5",
            "５", "5\n",
        ] {
            let kind = Number::parse(raw.as_bytes()).expect_err(raw).kind;
            let expected = if raw.is_empty() {
                ValueErrorKind::Empty
            } else {
                ValueErrorKind::Syntax
            };
            assert_eq!(kind, expected, "{raw:?}");
        }
        for raw in [
            "9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999999999999999",
        ] {
            assert_eq!(
                Number::parse(raw.as_bytes()).expect_err(raw).kind,
                ValueErrorKind::OutOfRange,
                "{raw}"
            );
        }
        assert!(Number::parse(&vec![b'9'; 1 << 20]).is_err());
    }

    /// Spec Q-07, Q-23, Q-66, Q-67.
    #[test]
    fn lenient() {
        for (raw, value, repair) in [
            ("5", 5, None),
            (" 5 ", 5, Some(Repair::Blanks)),
            ("1 000", 1000, Some(Repair::Blanks)),
            ("+ 1", 1, Some(Repair::Blanks)),
            ("2 stones", 2, Some(Repair::Words)),
            ("2 stones (free)", 2, Some(Repair::Junk)),
            ("five 5", 5, Some(Repair::Junk)),
            ("-7x", -7, Some(Repair::Junk)),
            ("2.0", 2, Some(Repair::DecimalPoint)),
            ("2.", 2, Some(Repair::DecimalPoint)),
            ("１９", 19, Some(Repair::FullWidth)),
            ("三子", 3, Some(Repair::Words)),
            ("让二子", 2, Some(Repair::Words)),
            ("四子局", 4, Some(Repair::Words)),
            ("두 점", 2, Some(Repair::Words)),
        ] {
            let read = Number::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!((read.value.get(), read.repair), (value, repair), "{raw:?}");
        }
        for (raw, value) in [
            ("99999999999999999999", i64::MAX),
            ("-99999999999999999999", i64::MIN),
        ] {
            let read = Number::read(raw.as_bytes());
            assert!(
                read.is_guess() && read.likely().map(|read| read.value.get()) == Some(value),
                "{raw:?}"
            );
            assert!(Number::parse_lenient(raw.as_bytes()).is_err(), "{raw:?}");
        }
        for raw in [
            "", "four", "-", "7.5", "6,5", "2-5", "9-10", "3 4", "x-7", "-+1", "1d", "2 k", "3 dan",
        ] {
            assert_eq!(Number::read(raw.as_bytes()), Reading::Unknown, "{raw:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn reads_back(value: i64) {
            proptest::prop_assert_eq!(Number::parse(Number(value).to_string().as_bytes()), Ok(Number(value)));
        }

        #[test]
        fn any_bytes(raw: Vec<u8>) {
            let strict = Number::parse(&raw);
            let lenient = Number::parse_lenient(&raw);
            if let Ok(value) = strict {
                proptest::prop_assert_eq!(lenient, Ok(LenientValue::as_written(value)));
            } else if let Ok(read) = lenient {
                proptest::prop_assert!(read.repair.is_some());
            }
        }
    }
}
