//! OT: the overtime rules. FF\[4\] allows any text (properties, spec GI-05); this module recognizes
//! the systems that servers write.

use super::Real;
use super::time::seconds_of;

/// Overtime system, with its periods and times.
///
/// ```
/// use sgfstream_game::value::OvertimeSystem;
///
/// let system = OvertimeSystem::parse("5x30 byo-yomi");
/// assert_eq!(system, OvertimeSystem::ByoYomi { periods: 5, seconds: 30.0 });
/// assert_eq!(OvertimeSystem::parse("as agreed"), OvertimeSystem::Other);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum OvertimeSystem {
    /// A number of periods. A player who makes no move within a period loses that period.
    ByoYomi {
        /// Number of periods.
        periods: u32,
        /// Seconds in each period.
        seconds: f64,
    },
    /// A number of moves to make within a time, repeated.
    Canadian {
        /// Number of moves.
        moves: u32,
        /// Seconds for these moves.
        seconds: f64,
    },
    /// Time added with each move.
    Fischer {
        /// Seconds added.
        seconds: f64,
    },
    /// Any other text.
    #[default]
    Other,
}

impl OvertimeSystem {
    /// Parses the text of OT. Strict and lenient readings are the same, because any text is legal.
    /// Recognizes `5x30 byo-yomi`, `25/600 Canadian`, `20 fischer`, `30 simple`, `30秒3次` (spec Q-42
    /// to Q-45) and the specification's `25 moves / 10 min` and
    /// `5 mins Japanese style, 1 move / min`; ignores case and blanks.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self::named(text).unwrap_or_default()
    }

    fn named(text: &str) -> Option<Self> {
        // No known system has a longer text.
        if text.len() > 100 {
            return None;
        }
        let text: String = text.to_lowercase().split_whitespace().collect();
        let (count, rest) = number(&text)?;
        if matches!(rest, "fischer" | "secondsfischer" | "sfischer") {
            return Some(Self::Fischer { seconds: count });
        }
        // OGS: a time for each move.
        if matches!(rest, "simple" | "secondssimple" | "ssimple") {
            return Some(Self::ByoYomi {
                periods: 1,
                seconds: count,
            });
        }
        if let Some(after) = ["秒", "초"]
            .into_iter()
            .find_map(|unit| rest.strip_prefix(unit))
        {
            let (periods, rest) = number(after)?;
            let is_known = matches!(rest, "次" | "回" | "회");
            return is_known.then_some(Self::ByoYomi {
                periods: whole(periods)?,
                seconds: count,
            });
        }
        if let Some(after) = rest.strip_prefix('x') {
            let (seconds, rest) = number(after)?;
            let unit = ["seconds", "sec", "s"]
                .into_iter()
                .find_map(|unit| rest.strip_prefix(unit))
                .unwrap_or(rest);
            let system = unit.strip_prefix("korean").unwrap_or(unit);
            let is_known = matches!(
                system,
                "byo-yomi" | "byoyomi" | "byo_yomi" | "japanese" | ""
            );
            return is_known.then_some(Self::ByoYomi {
                periods: whole(count)?,
                seconds,
            });
        }
        if let Some(after) = rest.strip_prefix('/') {
            let (seconds, rest) = number(after)?;
            return (rest == "canadian").then_some(Self::Canadian {
                moves: whole(count)?,
                seconds,
            });
        }
        if let Some(after) = rest.strip_prefix("moves/") {
            let (time, unit) = number(after)?;
            let factor = if unit.is_empty() {
                1.0
            } else {
                seconds_of(unit)?
            };
            return Some(Self::Canadian {
                moves: whole(count)?,
                seconds: time * factor,
            });
        }
        let after = rest.strip_prefix("minsjapanesestyle,1move/")?;
        Some(Self::ByoYomi {
            periods: whole(count)?,
            seconds: seconds_of(after)?,
        })
    }
}

/// Parses the number at the start of `text`; returns it with the rest.
fn number(text: &str) -> Option<(f64, &str)> {
    let len = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let value = Real::parse(&text.as_bytes()[..len]).ok()?;
    Some((value.get(), &text[len..]))
}

/// Converts a count of periods or moves, if it is a whole number.
fn whole(count: f64) -> Option<u32> {
    (count.fract() == 0.0 && (0.0..=1e9).contains(&count)).then_some(count as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems() {
        use OvertimeSystem::{ByoYomi, Canadian, Fischer, Other};
        for (raw, system) in [
            (
                "3x30 byo-yomi",
                ByoYomi {
                    periods: 3,
                    seconds: 30.0,
                },
            ),
            (
                "5X10 Byo-Yomi",
                ByoYomi {
                    periods: 5,
                    seconds: 10.0,
                },
            ),
            (
                "1 x 60 seconds Byo-yomi",
                ByoYomi {
                    periods: 1,
                    seconds: 60.0,
                },
            ),
            (
                "3x 30 sec",
                ByoYomi {
                    periods: 3,
                    seconds: 30.0,
                },
            ),
            (
                "25/600 Canadian",
                Canadian {
                    moves: 25,
                    seconds: 600.0,
                },
            ),
            (
                "25 moves / 10 min",
                Canadian {
                    moves: 25,
                    seconds: 600.0,
                },
            ),
            (
                "5 mins Japanese style, 1 move / min",
                ByoYomi {
                    periods: 5,
                    seconds: 60.0,
                },
            ),
            ("20 fischer", Fischer { seconds: 20.0 }),
            (
                "30 simple",
                ByoYomi {
                    periods: 1,
                    seconds: 30.0,
                },
            ),
            (
                "3x30 Korean byo-yomi",
                ByoYomi {
                    periods: 3,
                    seconds: 30.0,
                },
            ),
            (
                "30秒3次",
                ByoYomi {
                    periods: 3,
                    seconds: 30.0,
                },
            ),
            (
                "30초 3회",
                ByoYomi {
                    periods: 3,
                    seconds: 30.0,
                },
            ),
            ("30秒", Other),
            ("", Other),
            ("none", Other),
            ("3x", Other),
            ("1.5x30 byo-yomi", Other),
            ("99999999999x30 byo-yomi", Other),
            ("25/600 German", Other),
        ] {
            assert_eq!(OvertimeSystem::parse(raw), system, "{raw}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text(raw in "[0-9]{0,3}[x/ ]{0,2}[0-9]{0,3}.{0,12}") {
            let _ = OvertimeSystem::parse(&raw);
        }
    }
}
