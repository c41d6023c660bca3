//! KM: points for White (FF\[4\] Go, spec GI-03): a Real in the strict reading,
//! and in files also words, fractions and one server's own scale.

use std::fmt;

use super::words::amount;
use super::{Lenient, Real, Repair, ValueError};

/// Komi in points; negative for Black.
///
/// ```
/// use sgfstream::value::{Komi, Repair};
///
/// assert_eq!(Komi::parse(b"6.50").expect("a Real").to_string(), "6.5");
/// let read = Komi::parse_lenient(b"5 1/2").expect("a fraction");
/// assert_eq!((read.value.get(), read.repair), (5.5, Some(Repair::Fraction)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Komi(Real);

impl Komi {
    /// A komi of this many points.
    #[must_use]
    pub const fn new(points: Real) -> Self {
        Self(points)
    }

    /// Its points.
    #[must_use]
    pub const fn get(self) -> f64 {
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

    /// The lenient reading: `none`, words, fractions (spec Q-12), what
    /// [`Real::parse_lenient`] reads, and Fox's hundredths of points or of
    /// stones: `375` and `750` are 7.5 (spec Q-30, Q-40). Those are Reals as
    /// well, so this is the one lenient reading that differs from a strict
    /// one; no game has a komi of 375.
    ///
    /// # Errors
    ///
    /// No number in it.
    pub fn parse_lenient(raw: &[u8]) -> Result<Lenient<Self>, ValueError> {
        let komi = |value: f64| Self(Real::new(value).unwrap_or_default());
        if let Ok(read) = Real::parse(raw) {
            let scaled = match read.get() {
                375.0 | 750.0 => 7.5,
                350.0 | 700.0 => 7.0,
                325.0 | 650.0 => 6.5,
                275.0 | 550.0 => 5.5,
                _ => return Ok(Lenient::as_written(Self(read))),
            };
            return Ok(Lenient::repaired(komi(scaled), Repair::Scale));
        }
        let text = String::from_utf8_lossy(&raw[..raw.len().min(256)]).trim().to_lowercase();
        let words = text.contains(['/', '½', '¼', '¾']) || text.contains("half");
        match Real::parse_lenient(raw) {
            Ok(read) if !words => Ok(read.map(Self)),
            _ if text == "none" || text == "no komi" => Ok(Lenient::repaired(komi(0.0), Repair::Words)),
            result => match (amount(&text), result) {
                (Some(points), _) => {
                    Ok(Lenient::repaired(komi(points), if words { Repair::Fraction } else { Repair::Words }))
                }
                (None, result) => result.map(|read| read.map(Self)),
            },
        }
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec Q-12, Q-30, Q-51, Q-66.
    #[test]
    fn of_the_field() {
        for (raw, points, repair) in [
            ("6.5", 6.5, None),
            ("0.00", 0.0, None),
            ("-3.5", -3.5, None),
            ("375", 7.5, Some(Repair::Scale)),
            ("650", 6.5, Some(Repair::Scale)),
            ("6,5", 6.5, Some(Repair::DecimalComma)),
            ("6.5 ", 6.5, Some(Repair::Blanks)),
            ("5 1/2", 5.5, Some(Repair::Fraction)),
            ("5 and a half", 5.5, Some(Repair::Fraction)),
            ("Half a point", 0.5, Some(Repair::Fraction)),
            ("five", 5.0, Some(Repair::Words)),
            ("none", 0.0, Some(Repair::Words)),
            ("4.5 points", 4.5, Some(Repair::Junk)),
        ] {
            let read = Komi::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!((read.value.get(), read.repair), (points, repair), "{raw:?}");
        }
        for raw in ["", "?", "reverse"] {
            assert!(Komi::parse_lenient(raw.as_bytes()).is_err(), "{raw:?}");
        }
    }
}
