//! Compose: two values with `:` between them (FF\[4\] basics, spec V-09, K-01 to K-07). The
//! property decides that a value is composed, never its text. The caller's closures parse the
//! halves.

use sgfstream::{Framing, RawValue};

use super::{LenientValue, Repair, ValueError};

/// Expectation that errors name.
const EXPECTED: &str = "two values separated by one `:`";

/// The two halves of a composed value.
///
/// ```
/// use sgfstream_game::value::{Compose, Number, Point, SimpleText};
///
/// let label = Compose::parse(b"pd:a\\:b", Point::parse, |raw| Ok(SimpleText::parse(raw)))
///     .expect("a label");
/// assert_eq!((label.first.to_string(), label.second.as_str()), ("pd".to_owned(), "a:b"));
/// assert!(Compose::parse(b"1:2:3", Number::parse, Number::parse).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Compose<A, B> {
    /// Half before the `:`.
    pub first: A,
    /// Half after the `:`.
    pub second: B,
}

impl<A, B> Compose<A, B> {
    /// Parses the value strictly: exactly one unescaped `:`, and each half by its closure (spec
    /// RD-18).
    ///
    /// # Errors
    ///
    /// There is no unescaped `:`, or there are two; or a closure returns an error.
    // Compose = ValueType ":" ValueType      (FF[4], EBNF)
    pub fn parse<'a>(
        raw: &'a [u8],
        first: impl FnOnce(&'a [u8]) -> Result<A, ValueError>,
        second: impl FnOnce(&'a [u8]) -> Result<B, ValueError>,
    ) -> Result<Self, ValueError> {
        match split(raw) {
            Some((before, after)) if split(after).is_none() => Ok(Self {
                first: first(before)?,
                second: second(after)?,
            }),
            _ => Err(ValueError::syntax(EXPECTED, raw)),
        }
    }

    /// Reads the value leniently: a second `:` belongs to the second half, and without any `:` the
    /// second half is empty (spec K-03, K-04, Q-65). If a half needed a repair, the result has that
    /// repair.
    ///
    /// # Errors
    ///
    /// A closure returns an error. The closure of the second half decides whether that half can be
    /// empty.
    pub fn parse_lenient<'a>(
        raw: &'a [u8],
        first: impl FnOnce(&'a [u8]) -> Result<LenientValue<A>, ValueError>,
        second: impl FnOnce(&'a [u8]) -> Result<LenientValue<B>, ValueError>,
    ) -> Result<LenientValue<Self>, ValueError> {
        let (before, after, repair) = match split(raw) {
            None => (raw, &raw[raw.len()..], Some(Repair::MissingHalf)),
            Some((before, after)) => (before, after, split(after).map(|_| Repair::ExtraColon)),
        };
        let (first, second) = (first(before)?, second(after)?);
        let repair = repair.or(first.repair).or(second.repair);
        Ok(LenientValue {
            value: Self {
                first: first.value,
                second: second.value,
            },
            repair,
        })
    }
}

/// Splits the value at its first unescaped `:`.
fn split(raw: &[u8]) -> Option<(&[u8], &[u8])> {
    let (before, after) = RawValue::new(raw, Framing::Value).compose()?;
    Some((before.as_bytes(), after.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Number, SimpleText};

    fn text(raw: &[u8]) -> Result<SimpleText, ValueError> {
        Ok(SimpleText::parse(raw))
    }

    #[test]
    fn strict() {
        for (raw, first, second) in [
            (":", "", ""),
            ("a:b", "a", "b"),
            ("a\\:b:c", "a:b", "c"),
            ("a\\\\:b", "a\\", "b"),
            ("a:b\\:c", "a", "b:c"),
        ] {
            let read = Compose::parse(raw.as_bytes(), text, text).expect(raw);
            assert_eq!(
                (read.first.as_str(), read.second.as_str()),
                (first, second),
                "{raw}"
            );
        }
        for raw in ["", "a", "a\\:b", "a:b:c", "::", "a:\\::"] {
            assert!(
                Compose::parse(raw.as_bytes(), text, text).is_err(),
                "{raw:?}"
            );
        }
        assert!(Compose::parse(b"1:x", Number::parse, Number::parse).is_err());
    }

    #[test]
    fn k_03_k_04_lenient() {
        let text = |raw| Ok(LenientValue::as_written(SimpleText::parse(raw)));
        for (raw, first, second, repair) in [
            ("a:b", "a", "b", None),
            ("a", "a", "", Some(Repair::MissingHalf)),
            ("a:b:c", "a", "b:c", Some(Repair::ExtraColon)),
        ] {
            let read = Compose::parse_lenient(raw.as_bytes(), text, text).expect(raw);
            assert_eq!(
                (read.value.first.as_str(), read.value.second.as_str()),
                (first, second),
                "{raw}"
            );
            assert_eq!(read.repair, repair, "{raw}");
        }
        let halves =
            Compose::parse_lenient(b" 19:13", Number::parse_lenient, Number::parse_lenient)
                .expect("numbers");
        assert_eq!(
            (halves.value.first.get(), halves.repair),
            (19, Some(Repair::Blanks))
        );
        assert!(
            Compose::parse_lenient(b"19", Number::parse_lenient, Number::parse_lenient).is_err()
        );
    }
}
