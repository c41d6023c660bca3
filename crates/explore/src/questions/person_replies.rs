//! The replies about players and persons, as JSON objects.

use serde::Serialize;

use crate::players::Record;

/// Reply to `players`: those with the most games.
#[derive(Serialize)]
pub(crate) struct PlayersReply {
    pub(crate) rows: Vec<PlayerReply>,
    /// Number of all players that the request finds.
    pub(crate) total: usize,
    pub(crate) command: String,
}

/// Games of a player.
#[derive(Serialize)]
pub(crate) struct RecordReply {
    pub(crate) games: u64,
    pub(crate) black: u64,
    pub(crate) white: u64,
    pub(crate) won: u64,
    pub(crate) lost: u64,
    /// Share of wins in the decided games, with the limits of its confidence interval.
    pub(crate) share: Option<f64>,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    pub(crate) years: Option<(u16, u16)>,
}

/// Row of the list of players.
#[derive(Serialize)]
pub(crate) struct PlayerReply {
    #[serde(flatten)]
    pub(crate) record: RecordReply,
    pub(crate) name: String,
    /// Number of opponents.
    pub(crate) opponents: u64,
    /// Most frequent opponents.
    pub(crate) most_frequent: String,
}

/// Reply to `person`: all games of a person, and the games of each part.
#[derive(Serialize)]
pub(crate) struct PersonReply {
    pub(crate) name: String,
    pub(crate) against: Option<String>,
    #[serde(flatten)]
    pub(crate) record: RecordReply,
    /// Games as `B` and as `W`.
    pub(crate) colors: Vec<PartReply>,
    pub(crate) spellings: Vec<PartReply>,
    pub(crate) by_year: Vec<PartReply>,
    /// The most frequent opponents, and the number of all.
    pub(crate) opponents: Vec<PartReply>,
    pub(crate) opponents_total: usize,
    /// The most frequent openings with each color.
    pub(crate) openings: Vec<OpeningReply>,
    pub(crate) command: String,
}

/// Part of a person's games, with its name.
#[derive(Serialize)]
pub(crate) struct PartReply {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) record: RecordReply,
}

/// Position after the first moves, with the games of a person who has this color.
#[derive(Serialize)]
pub(crate) struct OpeningReply {
    pub(crate) color: String,
    #[serde(flatten)]
    pub(crate) record: RecordReply,
    /// Picture of the position, if its board can be drawn.
    pub(crate) svg: Option<String>,
    pub(crate) board: String,
    /// The most frequent order of the moves.
    pub(crate) moves: String,
    /// The moves as players write them.
    pub(crate) spelled: String,
}

/// Reply to `names`: players to complete a text.
#[derive(Serialize)]
pub(crate) struct NamesReply {
    pub(crate) rows: Vec<NameReply>,
}

/// Name of a player.
#[derive(Serialize)]
pub(crate) struct NameReply {
    pub(crate) name: String,
    pub(crate) games: u64,
}

impl RecordReply {
    pub(super) fn of(record: &Record) -> Self {
        let share = record.share();
        Self {
            games: record.games,
            black: record.colors[0],
            white: record.colors[1],
            won: record.won,
            lost: record.lost,
            share: share.map(|share| share.share),
            low: share.map(|share| share.low),
            high: share.map(|share| share.high),
            years: record.years,
        }
    }
}
