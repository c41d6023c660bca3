//! Counts of games by board, as JSON.

use serde::Serialize;

use sgfstream_adapt::stats::GameTally;
use sgfstream_table::row::GameRow;

/// Columns that [`GameFacts::of`](crate::GameFacts::of) and [`place_of`] need.
pub const COLUMNS: [&str; 6] = ["source", "member", "game", "date_min", "date_max", "winner"];

/// Returns the file of a row's game, and the number of the game there.
#[must_use]
pub fn place_of(row: &GameRow) -> Option<(String, u64)> {
    let source = row.source.as_deref().unwrap_or_default();
    let name = row
        .member
        .as_deref()
        .map_or_else(|| source.to_owned(), |member| format!("{source}!{member}"));
    Some((name, row.game.unwrap_or(1).unsigned_abs()))
}

/// Row of a table or an object of a list: games that have something in common, as a part of all
/// games.
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

    /// Returns the row as an object for JSON. The fields of the name come first.
    #[must_use]
    pub fn fields(self) -> RowFields<C> {
        RowFields {
            count: self.games.count,
            share: self.share(),
            tally: TallyFields::of(self.games),
            name: self.name,
        }
    }
}

/// Object of a list: the fields of its name, and the counts of its games.
#[derive(Clone, Debug, Serialize)]
pub struct RowFields<C> {
    #[serde(flatten)]
    name: C,
    count: u64,
    share: f64,
    #[serde(flatten)]
    tally: TallyFields,
}

/// Results, years and an example of games, as fields of an object.
#[derive(Clone, Debug, Serialize)]
pub struct TallyFields {
    black_wins: u64,
    white_wins: u64,
    black_share: Option<f64>,
    black_low: Option<f64>,
    black_high: Option<f64>,
    first_year: Option<i32>,
    last_year: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    example: Option<String>,
}

impl TallyFields {
    /// Returns the fields of these games.
    #[must_use]
    pub fn of(tally: &GameTally) -> Self {
        let share = tally.black_share();
        Self {
            black_wins: tally.black,
            white_wins: tally.white,
            black_share: share.map(|share| share.share),
            black_low: share.map(|share| share.low),
            black_high: share.map(|share| share.high),
            first_year: tally.years.map(|(first, _)| first),
            last_year: tally.years.map(|(_, last)| last),
            example: tally.example.is_some().then(|| example(tally)),
        }
    }
}

/// Returns the name of an example game: `archive!member#17`.
#[must_use]
pub fn example(tally: &GameTally) -> String {
    tally
        .example
        .as_deref()
        .map_or_else(String::new, |(name, game)| format!("{name}#{game}"))
}
