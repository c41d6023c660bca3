//! Converts property values to cells: results and dates.

use sgfstream_game::value::{Date, GameResult, Margin};
use sgfstream_game::{Game, facts::Info, property::TypedValue};

use super::Column;

/// Parts of RE: winner, kind of win, margin.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) winner: Option<&'static str>,
    pub(super) win_by: Option<&'static str>,
    pub(super) margin: Option<f64>,
}

impl Outcome {
    /// Reads a result leniently.
    pub(super) fn parse(game: Game, text: &str) -> Self {
        let winner = |winner| Self {
            winner: Some(winner),
            ..Self::default()
        };
        let Some(TypedValue::Result(result)) =
            Info::RE.read(game, text).sure().map(|read| read.value)
        else {
            return Self::default();
        };
        match result {
            GameResult::Draw => winner("draw"),
            GameResult::Void => winner("void"),
            GameResult::Unknown => winner("unknown"),
            GameResult::Win { margin, .. } | GameResult::PlayerWin { margin, .. } => {
                let (win_by, margin) = match margin {
                    Margin::Score(points) => (Some("score"), Some(points.get())),
                    Margin::Resign => (Some("resign"), None),
                    Margin::ResignPoints(points) => (Some("resign"), Some(points.get() as f64)),
                    Margin::Time => (Some("time"), None),
                    Margin::Forfeit => (Some("forfeit"), None),
                    _ => (None, None),
                };
                Self {
                    winner: result.winner(),
                    win_by,
                    margin,
                }
            }
            _ => Self::default(),
        }
    }
}

impl Column {
    /// If the column can never equal `text`, returns the end of the error message: what to write
    /// instead.
    pub(crate) fn refusal_of(&self, text: &str) -> Option<String> {
        let is_named = |name: &&str| *name != text && !name.starts_with('(');
        let name =
            (self.name == "variant").then(|| Game::parse_lenient(text.as_bytes()).value.name());
        let values = self.known_values().unwrap_or_default();
        let begins = |value: &&&str| text.to_lowercase().starts_with(&value.to_lowercase());
        match name
            .filter(is_named)
            .or_else(|| values.iter().find(begins).copied())
        {
            _ if values.contains(&text) => None,
            Some(near) => Some(format!("did you mean '{near}'?")),
            None => (!values.is_empty()).then(|| format!("it is one of {}", values.join(", "))),
        }
    }

    /// Returns all values of the column, if there are only a few.
    fn known_values(&self) -> Option<&'static [&'static str]> {
        Some(match self.name {
            "winner" => &["B", "W", "draw", "void", "unknown", "1", "2", "3", "4"],
            "win_by" => &["score", "resign", "time", "forfeit"],
            "to_play" => &["B", "W", "1", "2", "3", "4"],
            "handicap_form" => &["stones", "moves", "none"],
            "ot_system" => &["byo-yomi", "canadian", "fischer"],
            "charset_source" => &[
                "default",
                "overruled",
                "guessed",
                "detected",
                "bom",
                "declared",
                "forced",
            ],
            _ => return None,
        })
    }
}

/// Returns the first and last day that DT covers.
pub(super) fn days(dates: &TypedValue) -> Option<(Date, Date)> {
    let TypedValue::Dates(dates) = dates else {
        return None;
    };
    let dates = dates.as_slice();
    let first = dates.iter().map(|date| date.first_day()).min()?;
    let last = dates.iter().map(|date| date.last_day()).max()?;
    Some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sgfstream_game::dialect::Variant;

    #[test]
    fn outcomes() {
        for (text, winner, win_by, margin) in [
            ("B+R", Some("B"), Some("resign"), None),
            ("W+3.5", Some("W"), Some("score"), Some(3.5)),
            ("W+2Resign", Some("W"), Some("resign"), Some(2.0)),
            ("B+", Some("B"), None, None),
            ("0", Some("draw"), None, None),
            ("Void", Some("void"), None, None),
            ("?", Some("unknown"), None, None),
            ("", None, None, None),
            ("see comment", None, None, None),
        ] {
            let outcome = Outcome::parse(Game::Go, text);
            assert_eq!(
                (outcome.winner, outcome.win_by, outcome.margin),
                (winner, win_by, margin),
                "{text}"
            );
            for (name, value) in [("winner", winner), ("win_by", win_by)] {
                let known = Column::find(name)
                    .and_then(|column| column.known_values())
                    .unwrap_or_default();
                assert!(value.is_none_or(|value| known.contains(&value)), "{text}");
            }
        }
        for (variant, text, winner) in [
            (Variant::Blokus, "3+12", Some("3")),
            (Variant::Blokus, "4+", Some("4")),
            (Variant::Blokus, "B+", None),
            (Variant::BlokusThreePlayer, "3+R", Some("3")),
            (Variant::BlokusThreePlayer, "4+", None),
            (Variant::BlokusTwoPlayer, "W+", Some("W")),
            (Variant::BlokusTwoPlayer, "2+", None),
            (Variant::BlokusDuo, "3+", None),
        ] {
            assert_eq!(
                Outcome::parse(Game::Pentobi(variant), text).winner,
                winner,
                "{variant} {text}"
            );
        }
    }
}
