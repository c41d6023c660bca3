//! Double: `1` or `2`, normal or emphasized (FF\[4\] basics, spec V-04; FF\[1\] and FF\[3\] call it
//! Triple).

use super::lenient::{blanks_or_wide, narrowed, reads, without_blanks};
use super::{LenientValue, Reading, Repair, ValueError};

named_enum! {
    /// Strength of an annotation, such as `GB` or `TE`.
    ///
    /// ```
    /// use sgfstream_game::value::Double;
    ///
    /// assert_eq!(Double::parse(b"2"), Ok(Double::Emphasized));
    /// assert!(Double::parse(b"3").is_err());
    /// assert_eq!(Double::Normal.to_string(), "1");
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    Double ALL;
    /// `1`.
    #[default]
    Normal "1"
    /// `2`.
    Emphasized "2"
}

impl Double {
    /// Parses the value strictly.
    ///
    /// # Errors
    ///
    /// The value is neither `1` nor `2`.
    // Double = ("1" | "2")      (FF[4], EBNF)
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        match raw {
            b"1" => Ok(Self::Normal),
            b"2" => Ok(Self::Emphasized),
            _ => Err(ValueError::syntax("`1` or `2`", raw)),
        }
    }

    /// Reads the value leniently: ignores blanks and other characters around a `1` or a `2`. If it
    /// contains several of these digits, the first is a guess. If it contains neither, `1` is a
    /// guess (spec Q-08, SGFC's `DM[1 kk]`).
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(value) = Self::parse(raw) {
            return Reading::as_written(value);
        }
        let narrow = narrowed(raw);
        if let Ok(value) = Self::parse(&without_blanks(&narrow)) {
            return Reading::repaired(value, blanks_or_wide(&narrow, raw));
        }
        let mut digits = narrow.iter().filter(|byte| byte.is_ascii_digit());
        match (digits.next(), digits.next()) {
            (Some(first @ (b'1' | b'2')), next) => {
                let value = if *first == b'1' {
                    Self::Normal
                } else {
                    Self::Emphasized
                };
                Reading::sure_if(next.is_none(), LenientValue::repaired(value, Repair::Junk))
            }
            _ => Reading::Guess(LenientValue::repaired(Self::Normal, Repair::Defaulted)),
        }
    }
}

reads!(Double);

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
            assert_eq!(
                Double::read(raw.as_bytes()).likely(),
                Some(LenientValue { value, repair }),
                "{raw:?}"
            );
            let is_sure = !matches!(raw, "" | "yes" | "kk 21");
            assert_eq!(
                Double::parse_lenient(raw.as_bytes()).is_ok(),
                is_sure,
                "{raw:?}"
            );
        }
    }
}
