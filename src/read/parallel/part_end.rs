//! Where a part ended, and what its reader counted.

use crate::read::Detections;

/// How a part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The part that begins in this block follows; after a [range](super::PartReader::range), the one at this byte.
    Unit(u64),
    /// At the end of the input.
    Input,
}

/// Extent of a part that was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PartEnd {
    /// How the part ended.
    pub end: End,
    /// Bytes that were read.
    pub bytes: u64,
    /// Games that begin here.
    pub games: u64,
    /// Problems that reading met.
    pub problems: u64,
    /// Games whose charset was detected.
    pub detected: Detections,
    /// Errors and warnings after the last game: they belong to the first game of the next part.
    pub trailing: [u64; 2],
    /// False if one game was selected and the input has fewer.
    pub is_found: bool,
    /// The numbers of games that were too long for the caller, who adds them by [`with_long_games`](Self::with_long_games); see [`EventReader::hold_games`](crate::EventReader::hold_games).
    pub long_games: Vec<u64>,
}

impl Default for PartEnd {
    /// The end of an input of which nothing was read.
    fn default() -> Self {
        Self {
            end: End::Input,
            bytes: 0,
            games: 0,
            problems: 0,
            detected: Detections::default(),
            trailing: [0, 0],
            is_found: true,
            long_games: Vec::new(),
        }
    }
}

impl PartEnd {
    /// This end, of a part in which these games were too long for the caller.
    #[must_use]
    pub fn with_long_games(self, long_games: Vec<u64>) -> Self {
        Self { long_games, ..self }
    }
}
