//! Counts of games by board: how a game is counted, and counts as JSON.

use serde_json::{Value, json};

use sgfstream_adapt::stats::GameTally;
use sgfstream_game::value::Color;
use sgfstream_table::row::GameRow;

use crate::GameFacts;

/// The columns that a tally is counted from.
pub const COLUMNS: [&str; 6] = ["source", "member", "game", "date_min", "date_max", "winner"];

/// Counts a game, whose file and number `place` gives.
pub fn add(tally: &mut GameTally, facts: GameFacts, is_exchanged: bool, place: impl FnOnce() -> Option<(String, u64)>) {
    let winner = match facts.winner {
        Some(Color::Black) if is_exchanged => Some(Color::White),
        Some(Color::White) if is_exchanged => Some(Color::Black),
        winner => winner,
    };
    tally.add(winner, facts.years(), place);
}

/// The file of the game of a row, and its number.
#[must_use]
pub fn place_of(row: &GameRow) -> Option<(String, u64)> {
    let source = row.source.as_deref().unwrap_or_default();
    let name = row.member.as_deref().map_or_else(|| source.to_owned(), |member| format!("{source}!{member}"));
    Some((name, row.game.unwrap_or(1).unsigned_abs()))
}

/// A row as it is printed: what its games have in common, in cells of a table or in fields of an object; its games; and
/// all games, of which they are a part.
pub struct Row<'r, C> {
    /// The name of the row: a move, or cells before those of the games.
    pub name: C,
    /// Its games.
    pub games: &'r GameTally,
    /// All games.
    pub all: &'r GameTally,
}

impl<C> Row<'_, C> {
    /// Part that these games are of all.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.games.count as f64 / self.all.count as f64
    }
}

impl Row<'_, Value> {
    /// The row as an object.
    #[must_use]
    pub fn object(mut self) -> Value {
        self.name["count"] = self.games.count.into();
        self.name["share"] = self.share().into();
        add_json(self.games, &mut self.name);
        self.name
    }
}

/// `archive!member#17`.
#[must_use]
pub fn example(tally: &GameTally) -> String {
    tally.example.as_deref().map_or_else(String::new, |(name, game)| format!("{name}#{game}"))
}

/// Adds results, years and an example to an object.
pub fn add_json(tally: &GameTally, object: &mut Value) {
    let share = tally.black_share();
    let rest = json!({
        "black_wins": tally.black,
        "white_wins": tally.white,
        "black_share": share.map(|share| share.share),
        "black_low": share.map(|share| share.low),
        "black_high": share.map(|share| share.high),
        "first_year": tally.years.map(|years| years.0),
        "last_year": tally.years.map(|years| years.1),
    });
    if let (Some(object), Value::Object(rest)) = (object.as_object_mut(), rest) {
        object.extend(rest);
        object.extend(tally.example.is_some().then(|| ("example".to_owned(), example(tally).into())));
    }
}
