//! None: no text between the brackets (FF\[4\] basics, spec V-01).

use std::fmt;

use super::lenient::{is_blank, reads};
use super::{Reading, Repair, ValueError};

/// Value of a property without text, such as `KO` or `DO`.
///
/// ```
/// use sgfstream_game::value::{NoValue, Repair};
///
/// assert!(NoValue::parse(b"").is_ok());
/// assert!(NoValue::parse(b"1").is_err());
/// assert_eq!(NoValue::parse_lenient(b"1")?.repair, Some(Repair::Dropped));
/// # Ok::<(), sgfstream_game::value::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NoValue;

impl NoValue {
    /// Parses the value strictly.
    ///
    /// # Errors
    ///
    /// The value is not empty.
    // None = ""      (FF[4], EBNF)
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        if raw.is_empty() {
            Ok(Self)
        } else {
            Err(ValueError::syntax("no text between the brackets", raw))
        }
    }

    /// Reads the value leniently: drops any text.
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if raw.is_empty() {
            Reading::as_written(Self)
        } else if raw.iter().all(|&byte| is_blank(byte)) {
            Reading::repaired(Self, Repair::Blanks)
        } else {
            Reading::repaired(Self, Repair::Dropped)
        }
    }
}

reads!(NoValue);

impl fmt::Display for NoValue {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_nothing_is_none() {
        assert_eq!(NoValue::parse(NoValue.to_string().as_bytes()), Ok(NoValue));
        for (raw, repair) in [
            (" ", Repair::Blanks),
            ("\n", Repair::Blanks),
            ("x", Repair::Dropped),
        ] {
            assert!(NoValue::parse(raw.as_bytes()).is_err());
            assert_eq!(
                NoValue::parse_lenient(raw.as_bytes()).expect(raw).repair,
                Some(repair)
            );
        }
    }
}
