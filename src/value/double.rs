//! Double: `1` or `2`, normal or emphasised (FF\[4\] basics, spec V-04; FF\[1\]
//! and FF\[3\] called it Triple).

use std::fmt;

use super::lenient::{narrowed, without_blanks};
use super::{Lenient, Repair, ValueError};

/// How much something holds, as `GB` or `TE` say it.
///
/// ```
/// use sgfstream::value::Double;
///
/// assert_eq!(Double::parse(b"2"), Ok(Double::Emphasized));
/// assert!(Double::parse(b"3").is_err());
/// assert_eq!(Double::Normal.to_string(), "1");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Double {
    /// `1`.
    #[default]
    Normal,
    /// `2`.
    Emphasized,
}

impl Double {
    /// The strict reading.
    ///
    /// # Errors
    ///
    /// Anything but `1` and `2`.
    // Double = ("1" | "2")      (FF[4], EBNF)
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        match raw {
            b"1" => Ok(Self::Normal),
            b"2" => Ok(Self::Emphasized),
            _ => Err(ValueError::syntax("`1` or `2`", raw)),
        }
    }

    /// The lenient reading, which always finds one: what is no `1` and no `2`
    /// is removed; nothing left is `1`, more is the first (spec Q-08, SGFC's
    /// `DM[1 kk]`).
    #[must_use]
    pub fn parse_lenient(raw: &[u8]) -> Lenient<Self> {
        if let Ok(value) = Self::parse(raw) {
            return Lenient::as_written(value);
        }
        let narrow = narrowed(raw);
        if let Ok(value) = Self::parse(&without_blanks(&narrow)) {
            let repair = if narrow.len() == raw.len() { Repair::Blanks } else { Repair::FullWidth };
            return Lenient::repaired(value, repair);
        }
        match narrow.iter().find(|byte| matches!(byte, b'1' | b'2')) {
            Some(b'2') => Lenient::repaired(Self::Emphasized, Repair::Junk),
            Some(_) => Lenient::repaired(Self::Normal, Repair::Junk),
            None => Lenient::repaired(Self::Normal, Repair::Defaulted),
        }
    }
}

impl fmt::Display for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "1",
            Self::Emphasized => "2",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict() {
        for value in [Double::Normal, Double::Emphasized] {
            assert_eq!(Double::parse(value.to_string().as_bytes()), Ok(value));
        }
        for raw in ["", "0", "3", "01", "+1", "1 ", "12", "1.0"] {
            assert!(Double::parse(raw.as_bytes()).is_err(), "{raw:?}");
        }
    }

    /// Spec Q-08.
    #[test]
    fn lenient() {
        for (raw, value, repair) in [
            ("1", Double::Normal, None),
            ("2", Double::Emphasized, None),
            (" 2", Double::Emphasized, Some(Repair::Blanks)),
            ("２", Double::Emphasized, Some(Repair::FullWidth)),
            ("1 kk", Double::Normal, Some(Repair::Junk)),
            ("kk 21", Double::Emphasized, Some(Repair::Junk)),
            ("", Double::Normal, Some(Repair::Defaulted)),
            ("yes", Double::Normal, Some(Repair::Defaulted)),
        ] {
            assert_eq!(Double::parse_lenient(raw.as_bytes()), Lenient { value, repair }, "{raw:?}");
        }
    }
}
