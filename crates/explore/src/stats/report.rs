//! Statistics as rows of plain data for the text, the JSON and the page.

use std::cmp::Reverse;
use std::hash::Hash;

use sgfstream::Code;
use sgfstream_adapt::stats::{
    BoardId, BoardRows, OpeningPosition, PlayedMove, PositionKey, ResultKind, Stats, Tally,
};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Coordinates, Side};

/// Number of games with a value, and the wins of each color if they are counted.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) wins: [u64; 2],
}

/// Counts of values, in the order of the values.
#[derive(Debug)]
pub(super) struct Counts {
    pub(super) rows: Vec<Row>,
    /// Games without the property, and games whose value is unreadable.
    pub(super) none: u64,
    pub(super) unreadable: u64,
    /// Games whose value exceeded the maximum number of counted values.
    pub(super) other: u64,
}

impl Counts {
    fn of<K: Eq + Hash + Ord + Clone>(tally: &Tally<K>, name: impl Fn(&K) -> String) -> Self {
        let row = |(key, count)| Row {
            name: name(key),
            count,
            wins: tally.wins(key),
        };
        let rows = tally.in_order().into_iter().map(row).collect();
        Self {
            rows,
            none: tally.absent,
            unreadable: tally.unreadable,
            other: tally.other,
        }
    }

    fn exact(rows: impl IntoIterator<Item = (String, u64)>) -> Self {
        let rows = rows.into_iter().map(|(name, count)| Row {
            name,
            count,
            wins: [0; 2],
        });
        Self {
            rows: rows.filter(|row| row.count > 0).collect(),
            none: 0,
            unreadable: 0,
            other: 0,
        }
    }

    /// Returns the sum of all counts.
    pub(super) fn total(&self) -> u64 {
        self.rows.iter().map(|row| row.count).sum::<u64>()
            + self.none
            + self.unreadable
            + self.other
    }

    /// Returns all values, the most frequent first, with the games without a value among them.
    pub(super) fn most(&self, name: impl Fn(&str) -> String) -> Vec<(String, u64)> {
        let known = self.rows.iter().map(|row| (name(&row.name), row.count));
        let mut rows: Vec<_> = known.chain(self.without_value()).collect();
        rows.sort_by_key(|row| Reverse(row.1));
        rows
    }

    /// Returns the games without a readable value, if there are any.
    pub(super) fn without_value(&self) -> impl Iterator<Item = (String, u64)> {
        let rows = [("(none)", self.none), ("(unreadable)", self.unreadable)];
        rows.into_iter()
            .filter(|row| row.1 > 0)
            .map(|(name, count)| (name.to_owned(), count))
    }
}

/// Openings of one board.
pub(super) type Start = BoardRows<PositionKey, OpeningPosition>;

/// Statistics of games, prepared for output. Lists of values are computed here; the rest is read
/// from `stats`.
#[derive(Debug)]
pub struct StatsReport<'s> {
    pub(super) stats: &'s Stats,
    /// Maximum number of rows in a list.
    pub(super) top: usize,
    /// Coordinates in which moves are written.
    pub(super) coordinates: Coordinates,
    pub(super) totals: [(&'static str, u64); 8],
    pub(super) problems: Vec<(Code, u64)>,
    /// Kinds of boards. A missing property counts as its default.
    pub(super) board: Counts,
    pub(super) gm: Counts,
    pub(super) ff: Counts,
    pub(super) sz: Counts,
    pub(super) ca: Counts,
    pub(super) ap: Counts,
    pub(super) property: Counts,
    pub(super) year: Counts,
    pub(super) result: Counts,
    pub(super) handicap: Counts,
    pub(super) komi: Counts,
    pub(super) rank: Counts,
    pub(super) rules: Counts,
    pub(super) time: Counts,
    pub(super) overtime: Counts,
}

impl<'s> StatsReport<'s> {
    /// Creates a report with at most `top` rows per list.
    #[must_use]
    pub fn new(stats: &'s Stats, top: usize, coordinates: Coordinates) -> Self {
        let facts = &stats.facts;
        let results = ResultKind::ALL.iter();
        let results = results.map(|&kind| (kind.to_string(), facts.outcomes.get(kind)));
        Self {
            stats,
            top,
            coordinates,
            totals: [
                ("files", stats.files),
                ("games", stats.games),
                ("nodes", stats.nodes),
                ("moves", stats.moves),
                ("variations", stats.variations),
                ("properties", stats.properties),
                ("values", stats.values),
                ("bytes", stats.bytes),
            ],
            problems: stats.problems.most(),
            board: Counts::of(&facts.boards, String::clone),
            gm: Counts::of(&facts.gm, String::clone),
            ff: Counts::of(&facts.ff, i64::to_string),
            sz: Counts::of(&facts.sz, |&(columns, rows)| {
                BoardSize::new(columns, rows).to_string()
            }),
            ca: Counts::of(&facts.ca, String::clone),
            ap: Counts::of(&facts.ap, String::clone),
            property: Counts {
                other: stats.idents.other(),
                ..Counts::exact(stats.idents.most())
            },
            year: Counts::of(&facts.year, u16::to_string),
            result: Counts::exact(results),
            handicap: Counts::of(&facts.handicap, i64::to_string),
            komi: Counts::of(&facts.komi, |&hundredths| {
                (hundredths as f64 / 100.0).to_string()
            }),
            rank: Counts::of(&facts.ranks, ToString::to_string),
            rules: Counts::of(&facts.rules, String::clone),
            time: Counts::of(&facts.time, i64::to_string),
            overtime: Counts::of(&facts.overtime, String::clone),
        }
    }

    /// Returns the moves of an opening.
    pub(super) fn moves(&self, start: &Start, after: &OpeningPosition) -> Vec<String> {
        let dialect = start.dialect();
        after
            .line
            .iter()
            .map(|played| played.text(&dialect, self.coordinates))
            .collect()
    }

    /// Returns a move with the name of its side: `B Q16`, `W pass` or `3 a1,a2`.
    pub(super) fn played(&self, board: BoardId, played: &PlayedMove) -> String {
        let dialect = board.dialect();
        let text = match dialect.parse_move(played.as_bytes()) {
            _ if played.is_pass() => "pass".to_owned(),
            Ok(mv) if self.coordinates != Coordinates::Sgf => {
                dialect.show_move_in(&mv, self.coordinates).to_string()
            }
            _ => String::from_utf8_lossy(played.as_bytes()).into_owned(),
        };
        format!(
            "{} {text}",
            Side::of_color(played.color()).name_in(board.game)
        )
    }
}
