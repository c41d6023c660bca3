//! OT: what happens when the main time is used up. FF\[4\] leaves the text free
//! (properties, spec GI-05); the systems that servers write can be told.

use std::fmt;

use super::{Real, SimpleText};

/// The text of OT, and the system it names where that is known.
///
/// ```
/// use sgfstream_game::value::{Overtime, OvertimeSystem};
///
/// let overtime = Overtime::parse(b"5x30 byo-yomi");
/// assert_eq!(overtime.text.as_str(), "5x30 byo-yomi");
/// assert_eq!(overtime.system, OvertimeSystem::ByoYomi { periods: 5, seconds: 30.0 });
/// assert_eq!(Overtime::parse(b"as agreed").system, OvertimeSystem::Other);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Overtime {
    /// The text.
    pub text: SimpleText,
    /// System of the overtime.
    pub system: OvertimeSystem,
}

/// A system of overtime.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum OvertimeSystem {
    /// A number of periods; one is lost when no move is made within it.
    ByoYomi {
        /// How many periods.
        periods: u32,
        /// How long each is.
        seconds: f64,
    },
    /// A number of moves within a time, again and again.
    Canadian {
        /// How many moves.
        moves: u32,
        /// Within how long.
        seconds: f64,
    },
    /// A time added with each move.
    Fischer {
        /// How much.
        seconds: f64,
    },
    /// Something else.
    #[default]
    Other,
}

impl Overtime {
    /// The reading, strict and lenient in one: any text is legal. Known are
    /// `5x30 byo-yomi`, `25/600 Canadian`, `20 fischer` (spec Q-42 to Q-44) and
    /// the page's `25 moves / 10 min` and `5 mins Japanese style, 1 move / min`,
    /// without regard to case and blanks.
    #[must_use]
    pub fn parse(raw: &[u8]) -> Self {
        let text = SimpleText::parse(raw);
        let system = OvertimeSystem::named(text.as_str()).unwrap_or_default();
        Self { text, system }
    }
}

impl OvertimeSystem {
    fn named(text: &str) -> Option<Self> {
        // No system takes more words than that.
        if text.len() > 100 {
            return None;
        }
        let text: String = text.to_lowercase().split_whitespace().collect();
        let (count, rest) = number(&text)?;
        if matches!(rest, "fischer" | "secondsfischer" | "sfischer") {
            return Some(Self::Fischer { seconds: count });
        }
        if let Some(after) = rest.strip_prefix('x') {
            let (seconds, rest) = number(after)?;
            let unit = ["seconds", "sec", "s"].into_iter().find_map(|unit| rest.strip_prefix(unit));
            let is_known = matches!(unit.unwrap_or(rest), "byo-yomi" | "byoyomi" | "byo_yomi" | "japanese" | "");
            return is_known.then_some(Self::ByoYomi { periods: whole(count)?, seconds });
        }
        if let Some(after) = rest.strip_prefix('/') {
            let (seconds, rest) = number(after)?;
            return (rest == "canadian").then_some(Self::Canadian { moves: whole(count)?, seconds });
        }
        if let Some(after) = rest.strip_prefix("moves/") {
            let (time, unit) = number(after)?;
            return Some(Self::Canadian { moves: whole(count)?, seconds: time * seconds_of(unit)? });
        }
        let after = rest.strip_prefix("minsjapanesestyle,1move/")?;
        Some(Self::ByoYomi { periods: whole(count)?, seconds: seconds_of(after)? })
    }
}

/// The number that `text` begins with, and the rest.
fn number(text: &str) -> Option<(f64, &str)> {
    let len = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let value = Real::parse(&text.as_bytes()[..len]).ok()?;
    Some((value.get(), &text[len..]))
}

/// A count of periods or moves.
fn whole(count: f64) -> Option<u32> {
    (count.fract() == 0.0 && (0.0..=1e9).contains(&count)).then_some(count as u32)
}

/// How many seconds a unit has.
fn seconds_of(unit: &str) -> Option<f64> {
    match unit.trim_end_matches('s') {
        "" | "sec" | "second" => Some(1.0),
        "m" | "min" | "minute" => Some(60.0),
        "h" | "hour" => Some(3600.0),
        _ => None,
    }
}

super::text::reads_any!(Overtime);

impl fmt::Display for Overtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems() {
        use OvertimeSystem::{ByoYomi, Canadian, Fischer, Other};
        for (raw, system) in [
            ("3x30 byo-yomi", ByoYomi { periods: 3, seconds: 30.0 }),
            ("5X10 Byo-Yomi", ByoYomi { periods: 5, seconds: 10.0 }),
            ("1 x 60 seconds Byo-yomi", ByoYomi { periods: 1, seconds: 60.0 }),
            ("3x 30 sec", ByoYomi { periods: 3, seconds: 30.0 }),
            ("25/600 Canadian", Canadian { moves: 25, seconds: 600.0 }),
            ("25 moves / 10 min", Canadian { moves: 25, seconds: 600.0 }),
            ("5 mins Japanese style, 1 move / min", ByoYomi { periods: 5, seconds: 60.0 }),
            ("20 fischer", Fischer { seconds: 20.0 }),
            ("", Other),
            ("none", Other),
            ("3x", Other),
            ("1.5x30 byo-yomi", Other),
            ("99999999999x30 byo-yomi", Other),
            ("25/600 German", Other),
        ] {
            let overtime = Overtime::parse(raw.as_bytes());
            assert_eq!((overtime.system, overtime.to_string().as_str()), (system, raw));
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text(raw in "[0-9]{0,3}[x/ ]{0,2}[0-9]{0,3}.{0,12}") {
            proptest::prop_assert_eq!(Overtime::parse(raw.as_bytes()).text, SimpleText::parse(raw.as_bytes()));
        }
    }
}
