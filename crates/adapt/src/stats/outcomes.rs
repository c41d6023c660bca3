//! Counts results: the winner and the kind of win, together and by handicap.

use sgfstream_game::named_enum;
use sgfstream_game::value::{Color, GameResult, Margin};

named_enum! {
    /// Winner of a game and kind of win, without the margin. The name is the spelling of RE, with
    /// `score` for points. The wins of Black come first, then those of White in the same order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    ResultKind ALL;
    /// Black won by points.
    BlackScore "B+score"
    /// White resigned.
    BlackResign "B+R"
    /// White ran out of time.
    BlackTime "B+T"
    /// White forfeited.
    BlackForfeit "B+F"
    /// Black won in an unknown way.
    Black "B+"
    /// White won by points.
    WhiteScore "W+score"
    /// Black resigned.
    WhiteResign "W+R"
    /// Black ran out of time.
    WhiteTime "W+T"
    /// Black forfeited.
    WhiteForfeit "W+F"
    /// White won in an unknown way.
    White "W+"
    /// A player of a game of three or four won.
    Player "player+"
    /// No player won.
    Draw "draw"
    /// No result, or suspended.
    Void "void"
    /// `?`.
    Unknown "?"
    /// RE has a value that cannot be read.
    Unreadable "unreadable"
    /// The game has no RE.
    Absent "none"
}

impl ResultKind {
    /// Returns the winner.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        if self <= Self::Black {
            Some(Color::Black)
        } else if self <= Self::White {
            Some(Color::White)
        } else {
            None
        }
    }
}

impl From<GameResult> for ResultKind {
    fn from(result: GameResult) -> Self {
        let (winner, margin) = match result {
            GameResult::Draw => return Self::Draw,
            GameResult::Void => return Self::Void,
            GameResult::Win { winner, margin } => (winner, margin),
            GameResult::PlayerWin { .. } => return Self::Player,
            _ => return Self::Unknown,
        };
        let kind = match margin {
            Margin::Score(_) => Self::BlackScore,
            Margin::Resign | Margin::ResignPoints(_) => Self::BlackResign,
            Margin::Time => Self::BlackTime,
            Margin::Forfeit => Self::BlackForfeit,
            _ => Self::Black,
        };
        match winner {
            Color::Black => kind,
            Color::White => Self::ALL[kind as usize + Self::WhiteScore as usize],
        }
    }
}

/// Number of handicap classes: 0 to 9 stones, and more.
const HANDICAPS: usize = 11;

/// Counts of results, by handicap.
///
/// ```
/// use sgfstream_adapt::stats::{Outcomes, ResultKind};
/// use sgfstream_game::value::Color;
///
/// let mut outcomes = Outcomes::default();
/// outcomes.add(ResultKind::BlackResign, 0);
/// outcomes.add(ResultKind::WhiteScore, 2);
/// outcomes.add(ResultKind::WhiteTime, 2);
/// assert_eq!(outcomes.get(ResultKind::WhiteTime), 1);
/// let with_two = &outcomes.by_handicap()[1];
/// assert_eq!((with_two.handicap.as_str(), with_two.black, with_two.white), ("2", 0, 2));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    counts: [[u64; ResultKind::ALL.len()]; HANDICAPS],
}

/// Counts of results with one handicap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandicapRow {
    /// `0` to `9`, or `10+`.
    pub handicap: String,
    /// Games that Black won.
    pub black: u64,
    /// Games that White won.
    pub white: u64,
    /// Draws.
    pub draw: u64,
    /// Games with any other result: void, unknown, unreadable or absent.
    pub unknown: u64,
}

impl Outcomes {
    /// Counts a game. An even game has handicap 0; negative numbers count as 0.
    pub fn add(&mut self, outcome: ResultKind, handicap: i64) {
        let handicap = usize::try_from(handicap).unwrap_or(0).min(HANDICAPS - 1);
        self.counts[handicap][outcome as usize] += 1;
    }

    /// Returns how often a result occurred.
    #[must_use]
    pub fn get(&self, outcome: ResultKind) -> u64 {
        self.counts
            .iter()
            .map(|counts| counts[outcome as usize])
            .sum()
    }

    /// Returns a row for each handicap that occurred.
    #[must_use]
    pub fn by_handicap(&self) -> Vec<HandicapRow> {
        let mut rows = Vec::new();
        for (handicap, counts) in self.counts.iter().enumerate() {
            if counts.iter().all(|&count| count == 0) {
                continue;
            }
            let more = if handicap < HANDICAPS - 1 { "" } else { "+" };
            let mut row = HandicapRow {
                handicap: format!("{handicap}{more}"),
                black: 0,
                white: 0,
                draw: 0,
                unknown: 0,
            };
            for (outcome, count) in ResultKind::ALL.iter().zip(counts) {
                let sum = match outcome.winner() {
                    Some(Color::Black) => &mut row.black,
                    Some(Color::White) => &mut row.white,
                    None if *outcome == ResultKind::Draw => &mut row.draw,
                    None => &mut row.unknown,
                };
                *sum += count;
            }
            rows.push(row);
        }
        rows
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self
            .counts
            .iter_mut()
            .flatten()
            .zip(other.counts.iter().flatten())
        {
            *mine += theirs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_results() {
        for (raw, name) in [
            ("B+3.5", "B+score"),
            ("B+R", "B+R"),
            ("B+T", "B+T"),
            ("W+F", "W+F"),
            ("W+", "W+"),
            ("0", "draw"),
            ("Void", "void"),
            ("?", "?"),
            ("B+2R", "B+R"),
        ] {
            let result = GameResult::parse_lenient(raw.as_bytes()).expect(raw).value;
            assert_eq!(ResultKind::from(result).as_str(), name);
        }
        for (at, outcome) in ResultKind::ALL.iter().enumerate() {
            assert_eq!(*outcome as usize, at);
        }
    }
}
