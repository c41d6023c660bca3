//! KM: points for White (FF\[4\] Go, spec GI-03). The strict reading accepts a Real; files also
//! have words, fractions, and a scale that some servers use.

use super::lenient::{narrowed, reads, shows_inner};
use super::words::{amount, asian_points, has_fraction, has_numeral, is_of_points};
use super::{LenientValue, Reading, Real, Repair, ValueError};

/// Komi in points. Negative points are for Black.
///
/// ```
/// use sgfstream_game::value::{Komi, Repair};
///
/// assert_eq!(Komi::parse(b"6.50").expect("a Real").to_string(), "6.5");
/// let read = Komi::parse_lenient(b"5 1/2").expect("a fraction");
/// assert_eq!((read.value.get(), read.repair), (5.5, Some(Repair::Fraction)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Komi(Real);

impl Komi {
    /// Returns a komi of `points`.
    #[must_use]
    pub const fn new(points: Real) -> Self {
        Self(points)
    }

    /// Returns the komi in points.
    #[must_use]
    pub const fn get(self) -> f64 {
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

    /// Reads the value leniently: `none`, words, fractions (spec Q-12), all that [`Real::read`]
    /// accepts, and Fox's and Tygem's hundredths of points or of stones: `375` and `750` are 7.5
    /// (spec Q-30, Q-40). Hundredths are Reals too, so this is the only lenient reading that can
    /// differ from a strict one. A number beside words is a guess.
    ///
    /// These values are unknown, because each may mean another number: `reverse`, `for Black`,
    /// stones of two points each, a range, `50` and `250` (points, hundredths of points, or
    /// hundredths of stones), and more points than a board of 19x19 has.
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        let komi = |value: f64| Self(Real::new(value).unwrap_or_default());
        let number = narrowed(raw);
        let number = number.trim_ascii();
        if let Ok(read) = Real::parse(number) {
            match in_hundredths(number) {
                Some(Some(points)) => return Reading::repaired(komi(points), Repair::Scale),
                None if read.get().abs() > POINTS_MAX => return Reading::Unknown,
                None if number == raw => return Reading::as_written(Self(read)),
                None => {}
                Some(None) => return Reading::Unknown,
            }
        }
        let text = String::from_utf8_lossy(&raw[..raw.len().min(256)])
            .trim()
            .to_lowercase();
        if text == "none" || text == "no komi" {
            return Reading::repaired(komi(0.0), Repair::Words);
        }
        let in_points = narrowed(text.as_bytes());
        let in_points = String::from_utf8_lossy(&in_points);
        let in_points = ["黑贴", "黒貼", "贴", "貼", "コミ", "덤"]
            .iter()
            .find_map(|word| in_points.strip_prefix(word))
            .unwrap_or(&in_points);
        if let Some(points) = asian_points(in_points) {
            return Reading::repaired(komi(points), Repair::Words);
        }
        // `3又3/4子` counts stones, of two points each.
        if text.contains(['半', '반', '子', '又']) || has_numeral(&text) {
            return Reading::Unknown;
        }
        if ["rev", "for", "black", "white", "stone", " or ", " to "]
            .iter()
            .any(|word| text.contains(word))
            || text.trim_start_matches('-').contains(['-', '~'])
        {
            return Reading::Unknown;
        }
        let has_fraction = has_fraction(&text);
        let read = match (Real::read(raw), amount(&text)) {
            // `points` adds nothing.
            (
                Reading::Sure(LenientValue {
                    value,
                    repair: Some(Repair::Junk),
                }),
                _,
            ) if !has_fraction => Reading::repaired(Self(value), Repair::Words),
            (Reading::Sure(read), _) if !has_fraction => Reading::Sure(read.map(Self)),
            (_, Some(points)) => Reading::repaired(
                komi(points),
                if has_fraction {
                    Repair::Fraction
                } else {
                    Repair::Words
                },
            ),
            (_, None) if has_fraction => Reading::Unknown,
            (read, None) => read.map(Self).doubted(),
        };
        if is_of_points(&text) && !text.contains('?') {
            read
        } else {
            read.repaired_by(Repair::Junk).doubted()
        }
    }
}

/// Points of a board of 19x19: no komi is larger.
const POINTS_MAX: f64 = 361.0;

/// Converts a komi in hundredths, an integer of three digits and a multiple of 25, to points.
/// Quarters are stones, of two points each. Returns `Some(None)` if the number can mean both points
/// and stones, and `None` if it is not in hundredths.
fn in_hundredths(raw: &[u8]) -> Option<Option<f64>> {
    // Fox writes 0.5 points as 50, and names itself in a second AP that a value cannot see. Other
    // games have a komi of 50 points.
    if matches!(raw, b"25" | b"50" | b"75") {
        return Some(None);
    }
    let &[b'1'..=b'9', b'0'..=b'9', b'0' | b'5'] = raw else {
        return None;
    };
    let hundredths = raw
        .iter()
        .fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0'));
    match hundredths {
        // Fox writes 3.5 stones as 350.
        350 => Some(Some(7.0)),
        400.. if hundredths % 50 == 0 => Some(Some(f64::from(hundredths) / 100.0)),
        ..400 if hundredths % 50 == 25 => Some(Some(f64::from(hundredths) / 50.0)),
        _ if hundredths % 25 == 0 => Some(None),
        _ => None,
    }
}

reads!(Komi);

shows_inner!(Komi);

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec Q-12, Q-30, Q-51, Q-66.
    #[test]
    fn parse_common_variant() {
        for (raw, points, repair) in [
            ("6.5", 6.5, None),
            ("0.00", 0.0, None),
            ("-3.5", -3.5, None),
            ("375", 7.5, Some(Repair::Scale)),
            ("650", 6.5, Some(Repair::Scale)),
            ("450", 4.5, Some(Repair::Scale)),
            ("225", 4.5, Some(Repair::Scale)),
            // All integers of 8,619 games of Fox are 0, 325, 375, 450, 550, 650 and 750.
            ("0", 0.0, None),
            ("325", 6.5, Some(Repair::Scale)),
            ("550", 5.5, Some(Repair::Scale)),
            ("750", 7.5, Some(Repair::Scale)),
            ("375 ", 7.5, Some(Repair::Scale)),
            ("６５０", 6.5, Some(Repair::Scale)),
            ("101", 101.0, None),
            ("-100.00", -100.0, None),
            ("6,5", 6.5, Some(Repair::DecimalComma)),
            ("6.5 ", 6.5, Some(Repair::Blanks)),
            ("5 1/2", 5.5, Some(Repair::Fraction)),
            ("5 and a half", 5.5, Some(Repair::Fraction)),
            ("Half a point", 0.5, Some(Repair::Fraction)),
            ("five", 5.0, Some(Repair::Words)),
            ("none", 0.0, Some(Repair::Words)),
            ("4.5 points", 4.5, Some(Repair::Words)),
        ] {
            let read = Komi::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!((read.value.get(), read.repair), (points, repair), "{raw:?}");
        }
        for raw in ["6.5 (Japanese)", "5.5?"] {
            let read = Komi::read(raw.as_bytes());
            assert!(
                read.is_guess()
                    && read
                        .likely()
                        .is_some_and(|read| read.repair.is_some_and(Repair::loses_text)),
                "{raw:?}"
            );
        }
        for raw in [
            "六目半",
            "6目半",
            "６目半",
            "6집반",
            "육목반",
            "여섯집반",
            "6.5집",
            "덤 6집 반",
            "コミ6目半",
            "黑贴六目半",
        ] {
            let read = Komi::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!(
                (read.value.get(), read.repair),
                (6.5, Some(Repair::Words)),
                "{raw:?}"
            );
        }
        for raw in [
            "三又四分之三",
            "黑贴3又3/4子",
            "3.75子",
            "6目半か7目半",
            "",
            "?",
            "reverse",
            "reverse 5.5",
            "5-6",
            "5 or 6",
            "5.5 for black",
            "2 3/4 stones",
            "50",
            "50 ",
            "５０",
            "250",
            "999 ",
            "362.00",
            "-375",
            "800000",
            "7 2/3",
            "6⅓",
        ] {
            assert_eq!(Komi::read(raw.as_bytes()), Reading::Unknown, "{raw:?}");
        }
    }
}
