//! End of a part, and the counts of its reader.

use crate::base::Position;
use crate::read::Detections;

/// Reason why a part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The part that begins in this block follows; after a [range](super::PartReader::range), the
    /// part at this byte.
    Part(u64),
    /// The input ended.
    Input,
}

/// End of a part, with the counts of its reader.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartEnd {
    /// How the part ended.
    pub end: End,
    /// Number of bytes read.
    pub bytes: u64,
    /// Number of games that begin in the part.
    pub games: u64,
    /// Position of the end if another part follows. Lines and columns count from the start of the
    /// part.
    pub position: Position,
    /// Number of problems found.
    pub problems: u64,
    /// Counts of games whose charset was detected.
    pub detected: Detections,
    /// Errors and warnings after the last game; they belong to the first game of the next part.
    pub trailing: [u64; 2],
    /// The number of games in the input, if one game was selected and the input has fewer.
    pub too_few_games: Option<u64>,
    /// The numbers of games that were too long for the caller; see
    /// [`EventReader::hold_games`](crate::EventReader::hold_games). The caller adds them by
    /// [`with_long_games`](Self::with_long_games).
    pub long_games: Vec<u64>,
    /// The games that were not closed, and go on for more than 64 KiB.
    pub unclosed_games: Vec<UnclosedGame>,
    /// Number of places in games that a search of the caller left out. The caller adds it by
    /// [`with_unsearched`](Self::with_unsearched).
    pub unsearched: u64,
}

/// A long game without its `)`. It may hide the games after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnclosedGame {
    /// Number of the game.
    pub number: u64,
    /// Number of bytes from its `(` to where it was closed: another game, or the end of the input.
    pub bytes: u64,
}

impl Default for PartEnd {
    /// Returns the end of an input of which nothing was read.
    fn default() -> Self {
        Self {
            end: End::Input,
            bytes: 0,
            games: 0,
            position: Position::default(),
            problems: 0,
            detected: Detections::default(),
            trailing: [0, 0],
            too_few_games: None,
            long_games: Vec::new(),
            unclosed_games: Vec::new(),
            unsearched: 0,
        }
    }
}

impl PartEnd {
    /// Sets the games of the part that were too long for the caller.
    #[must_use]
    pub fn with_long_games(self, long_games: Vec<u64>) -> Self {
        Self { long_games, ..self }
    }

    /// Sets the number of places that a search of the caller left out.
    #[must_use]
    pub fn with_unsearched(self, unsearched: u64) -> Self {
        Self { unsearched, ..self }
    }
}
