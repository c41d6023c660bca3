//! Counts of games by board: adding a game, and counts as JSON.

use serde_json::{Value, json};

use sgfstream_adapt::stats::GameTally;
use sgfstream_game::value::Color;
use sgfstream_table::row::GameRow;

use crate::GameFacts;

/// Columns that [`add`] and [`place_of`] need.
pub const COLUMNS: [&str; 6] = ["source", "member", "game", "date_min", "date_max", "winner"];

/// Counts a game. `place` returns its file and number.
pub fn add(tally: &mut GameTally, facts: GameFacts, is_exchanged: bool, place: impl FnOnce() -> Option<(String, u64)>) {
    let winner = match facts.winner {
        Some(Color::Black) if is_exchanged => Some(Color::White),
        Some(Color::White) if is_exchanged => Some(Color::Black),
        winner => winner,
    };
    tally.add(winner, facts.years(), place);
}

/// Returns the file of a row's game, and the number of the game there.
#[must_use]
pub fn place_of(row: &GameRow) -> Option<(String, u64)> {
    let source = row.source.as_deref().unwrap_or_default();
    let name = row.member.as_deref().map_or_else(|| source.to_owned(), |member| format!("{source}!{member}"));
    Some((name, row.game.unwrap_or(1).unsigned_abs()))
}

/// Row of a table or an object of a list: games that have something in common, as a part of all games.
pub struct Row<'r, C> {
    /// Name of the row: a move, or the cells that precede the counts.
    pub name: C,
    /// Games of the row.
    pub games: &'r GameTally,
    /// All games, including the games of the row.
    pub all: &'r GameTally,
}

impl<C> Row<'_, C> {
    /// Returns the share of the row's games in all games.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.games.count as f64 / self.all.count as f64
    }
}

impl Row<'_, Value> {
    /// Returns the row as an object.
    #[must_use]
    pub fn object(mut self) -> Value {
        self.name["count"] = self.games.count.into();
        self.name["share"] = self.share().into();
        add_json(self.games, &mut self.name);
        self.name
    }
}

/// Returns the name of an example game: `archive!member#17`.
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
