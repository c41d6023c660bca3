//! Real: `Number ["." Digit {Digit}]` (FF\[4\] basics, spec V-03), without an exponent or a comma,
//! and with digits on both sides of the point.

use super::lenient::{
    blanks_or_wide, digits, is_grouped, narrowed, reads, shows_inner, without_blanks,
};
use super::number::is_number;
use super::{LenientValue, Reading, Repair, ValueError, ValueErrorKind};

/// Expectation that errors name.
const EXPECTED: &str = "a real number such as `6.5` or `-3`";

/// Real number, stored as the nearest `f64`. It is always finite and never `-0`.
///
/// ```
/// use sgfstream_game::value::Real;
///
/// assert_eq!(Real::parse(b"-6.50").expect("a Real").get(), -6.5);
/// assert_eq!(Real::parse(b"+007").expect("a Number is one").to_string(), "7");
/// for wrong in [&b"5."[..], b".5", b"1e3", b"6,5", b" 6"] {
///     assert!(Real::parse(wrong).is_err());
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Real(f64);

impl Real {
    /// Returns the real number `value`, if it is finite.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        // Adding zero turns `-0` into `0`, because the format has no `-0`.
        value.is_finite().then_some(Self(value + 0.0))
    }

    /// Returns the number as a float.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Parses the value strictly.
    ///
    /// # Errors
    ///
    /// [`Syntax`](ValueErrorKind::Syntax) if the value is not a Real;
    /// [`OutOfRange`](ValueErrorKind::OutOfRange) if it is beyond `f64`.
    // Real = Number ["." Digit {Digit}]      (FF[4], EBNF)
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        let is_real = match raw.iter().position(|&byte| byte == b'.') {
            None => is_number(raw),
            Some(point) => {
                let after = &raw[point + 1..];
                is_number(&raw[..point])
                    && !after.is_empty()
                    && after.iter().all(u8::is_ascii_digit)
            }
        };
        if !is_real {
            return Err(ValueError::syntax(EXPECTED, raw));
        }
        from_ascii(raw)
    }

    /// The lenient reading: blanks and letters removed, missing digits before
    /// or after the point supplied, a decimal comma read as a point, commas
    /// between thousands removed, an exponent calculated (spec Q-07, Q-66,
    /// V-03). A number beyond `f64` is the nearest one as a guess. Several
    /// numbers are not understood, nor is `1,234`, which may be decimal.
    ///
    /// ```
    /// use sgfstream_game::value::{Reading, Real, Repair};
    ///
    /// let read = Real::parse_lenient(b"6,5").expect("a number");
    /// assert_eq!((read.value.get(), read.repair), (6.5, Some(Repair::DecimalComma)));
    /// assert_eq!(Real::read(b"30:00"), Reading::Unknown);
    /// ```
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(value) = Self::parse(raw) {
            return Reading::as_written(value);
        }
        let narrow = narrowed(raw);
        let bytes = without_blanks(&narrow);
        if let Ok(value) = Self::parse(&bytes) {
            return if is_grouped(&narrow) {
                Reading::repaired(value, blanks_or_wide(&narrow, raw))
            } else {
                Reading::Unknown
            };
        }
        if let Some(value) = with_exponent(&bytes) {
            return Reading::repaired(value, Repair::Exponent);
        }
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
        let mut numbers = narrow
            .split(|byte| !is_part(byte))
            .filter(|part| part.iter().any(u8::is_ascii_digit));
        if numbers.nth(1).is_some() && !is_grouped_number(&narrow) {
            return Reading::Unknown;
        }
        // Only digits, signs, points and commas.
        let kept: Vec<u8> = bytes
            .iter()
            .copied()
            .filter(|byte| is_part(byte) || matches!(byte, b'+' | b'-'))
            .collect();
        let has_one_meaning = |repair| match repair {
            // `1,234` may be decimal.
            Some(Repair::ThousandsComma) => kept.iter().filter(|&&byte| byte == b',').count() > 1,
            // `Junk` means digits after the number, as in `6.5.1`.
            repair => repair != Some(Repair::Junk),
        };
        match Self::read_one(&kept).filter(|read| has_one_meaning(read.repair)) {
            None => Reading::Unknown,
            Some(read) => {
                let is_sure = read.repair != Some(Repair::Clipped);
                let has_junk =
                    kept != *bytes && matches!(read.repair, None | Some(Repair::DecimalPoint));
                let repair = if has_junk {
                    Repair::Junk
                } else {
                    read.repair.unwrap_or(Repair::DecimalPoint)
                };
                Reading::sure_if(is_sure, LenientValue::repaired(read.value, repair))
            }
        }
    }

    /// Parses the number at the start of `kept`, which consists of digits, signs, points and
    /// commas.
    fn read_one(kept: &[u8]) -> Option<LenientValue<Self>> {
        let (kept, mut repair) = settle_commas(kept.to_vec())?;
        let sign = usize::from(matches!(kept.first(), Some(b'+' | b'-')));
        let whole = sign + digits(&kept[sign..]);
        let mut end = whole;
        if kept.get(whole) == Some(&b'.') {
            end = whole + 1 + digits(&kept[whole + 1..]);
        }
        let text = &kept[..end];
        if !text.iter().any(u8::is_ascii_digit) {
            return None;
        }
        if end < kept.len() {
            repair = Some(Repair::Junk);
        }
        // `f64` also parses `.5` and `5.`.
        Some(match from_ascii(text) {
            Ok(value) => LenientValue { value, repair },
            Err(_) => {
                let nearest = if text[0] == b'-' { f64::MIN } else { f64::MAX };
                LenientValue::repaired(Self(nearest), Repair::Clipped)
            }
        })
    }
}

reads!(Real);

/// Returns whether `text` is one number with blanks between its thousands.
fn is_grouped_number(text: &[u8]) -> bool {
    let digits = |byte: &u8| byte.is_ascii_digit();
    let first = text.iter().position(digits).unwrap_or(0);
    let last = text.iter().rposition(digits).unwrap_or(0);
    let inside = &text[first..=last];
    inside
        .iter()
        .all(|&byte| byte.is_ascii_digit() || matches!(byte, b'.' | b' '))
        && is_grouped(inside)
}

/// Parses a number with an exponent, `1.234e+02`, and nothing else.
fn with_exponent(bytes: &[u8]) -> Option<Real> {
    let exponent = bytes.iter().position(|byte| matches!(byte, b'e' | b'E'))?;
    let mantissa = &bytes[..exponent];
    let is_mantissa = mantissa
        .iter()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.'));
    if !is_mantissa || !is_number(&bytes[exponent + 1..]) {
        return None;
    }
    Real::new(std::str::from_utf8(bytes).ok()?.parse().ok()?)
}

/// Replaces a decimal comma by a point: a comma alone, without a point, that is not followed by
/// exactly three digits. Removes commas between thousands, which have three digits after each.
/// Returns `None` for other commas, because they separate several numbers.
fn settle_commas(kept: Vec<u8>) -> Option<(Vec<u8>, Option<Repair>)> {
    let commas = kept.iter().filter(|&&byte| byte == b',').count();
    if commas == 0 {
        return Some((kept, None));
    }
    let comma = kept.iter().position(|&byte| byte == b',').unwrap_or(0);
    if commas == 1 && !kept.contains(&b'.') && digits(&kept[comma + 1..]) != 3 {
        let with_point = kept
            .into_iter()
            .map(|byte| if byte == b',' { b'.' } else { byte })
            .collect();
        return Some((with_point, Some(Repair::DecimalComma)));
    }
    let whole = kept.split(|&byte| byte == b'.').next().unwrap_or_default();
    let is_grouped = whole
        .split(|&byte| byte == b',')
        .skip(1)
        .all(|group| group.len() == 3 && digits(group) == 3);
    let in_whole = whole.iter().filter(|&&byte| byte == b',').count();
    (is_grouped && in_whole == commas).then(|| {
        (
            kept.into_iter().filter(|&byte| byte != b',').collect(),
            Some(Repair::ThousandsComma),
        )
    })
}

/// Parses ASCII that is known to be a number in Rust's syntax.
fn from_ascii(raw: &[u8]) -> Result<Real, ValueError> {
    let text = std::str::from_utf8(raw).unwrap_or_default();
    let out_of_range = || {
        ValueError::new(
            ValueErrorKind::OutOfRange,
            "a real number below 1.8e308",
            raw,
        )
    };
    text.parse()
        .ok()
        .and_then(Real::new)
        .ok_or_else(out_of_range)
}

// Rust prints the shortest digits that parse to the same number, and no exponent.
shows_inner!(Real);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict() {
        for (raw, text) in [
            ("0", "0"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("6.5", "6.5"),
            ("+6.50", "6.5"),
            ("-0.5", "-0.5"),
            ("007.250", "7.25"),
            ("375", "375"),
            ("0.1", "0.1"),
            ("100000000000000000000000", "100000000000000000000000"),
        ] {
            assert_eq!(
                Real::parse(raw.as_bytes()).expect(raw).to_string(),
                text,
                "{raw}"
            );
        }
        for raw in [
            "", "+", "-", ".", "5.", ".5", "-.5", "1e3", "1E3", "1,5", "1.2.3", " 6", "6 ", "6. 5",
            "inf", "NaN", "6.+5", "6.-5", "+-5", "0x1", "1_000", "½",
        ] {
            assert!(Real::parse(raw.as_bytes()).is_err(), "{raw:?}");
        }
        let long = vec![b'9'; 400];
        assert_eq!(
            Real::parse(&long).expect_err("over f64").kind,
            ValueErrorKind::OutOfRange
        );
        assert_eq!(Real::new(f64::NAN), None);
    }

    /// Spec Q-07, Q-66, Q-67.
    #[test]
    fn lenient() {
        for (raw, value, repair) in [
            ("6.5", 6.5, None),
            ("6.5 ", 6.5, Some(Repair::Blanks)),
            ("30.", 30.0, Some(Repair::DecimalPoint)),
            (".5", 0.5, Some(Repair::DecimalPoint)),
            ("-.5", -0.5, Some(Repair::DecimalPoint)),
            ("6,5", 6.5, Some(Repair::DecimalComma)),
            ("1,234,567.5", 1_234_567.5, Some(Repair::ThousandsComma)),
            ("1.234e+02", 123.4, Some(Repair::Exponent)),
            ("5 points", 5.0, Some(Repair::Junk)),
            ("1 234.5", 1234.5, Some(Repair::Blanks)),
            ("６．５", 6.5, Some(Repair::FullWidth)),
        ] {
            let read = Real::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!((read.value.get(), read.repair), (value, repair), "{raw:?}");
        }
        for raw in [
            "",
            ".",
            "-",
            ",",
            "none",
            "e",
            "1800,0,30,5",
            "1.5,000",
            "1,2,3",
        ] {
            assert!(Real::parse_lenient(raw.as_bytes()).is_err(), "{raw:?}");
        }
        let read = Real::read(&[b'9'; 400]);
        assert!(
            read.is_guess()
                && read
                    .likely()
                    .is_some_and(|read| read.repair == Some(Repair::Clipped))
        );
        for raw in ["30:00", "2 or 3", "1,234", "6.5.1", "5-6", "1 9"] {
            assert_eq!(Real::read(raw.as_bytes()), Reading::Unknown, "{raw:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn reads_back(value in proptest::num::f64::NORMAL | proptest::num::f64::ZERO | proptest::num::f64::SUBNORMAL) {
            let real = Real::new(value).expect("finite");
            proptest::prop_assert_eq!(Real::parse(real.to_string().as_bytes()), Ok(real));
        }

        #[test]
        fn any_bytes(raw in "[0-9.,eE+ -]{0,8}|.{0,8}") {
            let lenient = Real::parse_lenient(raw.as_bytes());
            match Real::parse(raw.as_bytes()) {
                Ok(value) => proptest::prop_assert_eq!(lenient, Ok(LenientValue::as_written(value))),
                Err(_) => {
                    if let Ok(read) = lenient {
                        proptest::prop_assert!(read.repair.is_some() && read.value.get().is_finite());
                    }
                }
            }
        }
    }
}
