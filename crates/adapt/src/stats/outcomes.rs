//! Counts results: the winner and the kind of win, together and by handicap.

use sgfstream_game::value::{Color, GameResult, Margin};

/// Winner of a game and kind of win, without the margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResultKind {
    /// Black won by points.
    BlackScore,
    /// White resigned.
    BlackResign,
    /// White ran out of time.
    BlackTime,
    /// White forfeited.
    BlackForfeit,
    /// Black won in an unknown way.
    Black,
    /// White won by points.
    WhiteScore,
    /// Black resigned.
    WhiteResign,
    /// Black ran out of time.
    WhiteTime,
    /// Black forfeited.
    WhiteForfeit,
    /// White won in an unknown way.
    White,
    /// A player of a game of three or four won.
    Player,
    /// No player won.
    Draw,
    /// No result, or suspended.
    Void,
    /// `?`.
    Unknown,
    /// RE has a value that cannot be read.
    Unreadable,
    /// The game has no RE.
    Absent,
}

impl ResultKind {
    /// All kinds, in order.
    pub const ALL: [Self; 16] = [
        Self::BlackScore,
        Self::BlackResign,
        Self::BlackTime,
        Self::BlackForfeit,
        Self::Black,
        Self::WhiteScore,
        Self::WhiteResign,
        Self::WhiteTime,
        Self::WhiteForfeit,
        Self::White,
        Self::Player,
        Self::Draw,
        Self::Void,
        Self::Unknown,
        Self::Unreadable,
        Self::Absent,
    ];

    /// Returns the stable name: the spelling of RE, with `score` for points.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BlackScore => "B+score",
            Self::BlackResign => "B+R",
            Self::BlackTime => "B+T",
            Self::BlackForfeit => "B+F",
            Self::Black => "B+",
            Self::WhiteScore => "W+score",
            Self::WhiteResign => "W+R",
            Self::WhiteTime => "W+T",
            Self::WhiteForfeit => "W+F",
            Self::White => "W+",
            Self::Player => "player+",
            Self::Draw => "draw",
            Self::Void => "void",
            Self::Unknown => "?",
            Self::Unreadable => "unreadable",
            Self::Absent => "none",
        }
    }

    /// Returns the winner.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::BlackScore
            | Self::BlackResign
            | Self::BlackTime
            | Self::BlackForfeit
            | Self::Black => Some(Color::Black),
            Self::WhiteScore
            | Self::WhiteResign
            | Self::WhiteTime
            | Self::WhiteForfeit
            | Self::White => Some(Color::White),
            _ => None,
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
        match (winner, margin) {
            (Color::Black, Margin::Score(_)) => Self::BlackScore,
            (Color::Black, Margin::Resign | Margin::ResignPoints(_)) => Self::BlackResign,
            (Color::Black, Margin::Time) => Self::BlackTime,
            (Color::Black, Margin::Forfeit) => Self::BlackForfeit,
            (Color::Black, _) => Self::Black,
            (Color::White, Margin::Score(_)) => Self::WhiteScore,
            (Color::White, Margin::Resign | Margin::ResignPoints(_)) => Self::WhiteResign,
            (Color::White, Margin::Time) => Self::WhiteTime,
            (Color::White, Margin::Forfeit) => Self::WhiteForfeit,
            (Color::White, _) => Self::White,
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
            for (outcome, count) in ResultKind::ALL.into_iter().zip(counts) {
                let sum = match outcome.winner() {
                    Some(Color::Black) => &mut row.black,
                    Some(Color::White) => &mut row.white,
                    None if outcome == ResultKind::Draw => &mut row.draw,
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
        for (at, outcome) in ResultKind::ALL.into_iter().enumerate() {
            assert_eq!(outcome as usize, at);
        }
    }
}
