//! A main line as one number for each move, to compare two lines move by move.

use sgfstream_game::board::Symmetry;
use xxhash_rust::xxh3::xxh3_64;

use super::line_hash::LineHasher;

/// A main line: its game and initial setup, and its moves as numbers.
///
/// A move to a point has its color, column and row. Any other move, and setup between moves, is a
/// hash of its spelling in the dialect. As for [`LineHash`](super::LineHash), moves are equal if
/// and only if their numbers are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineMoves {
    /// Hash of game, board and initial setup.
    pub head: u64,
    /// Whether there is setup before the first move.
    pub has_setup: bool,
    /// The moves.
    pub moves: Vec<LineMove>,
}

/// A move of a [`LineMoves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineMove(pub u64);

/// Set for a point. Color, column and row follow, in 16 bits each.
const POINT: u64 = 1 << 63;

impl LineMove {
    pub(super) const fn of_point(color: u16, column: u16, row: u16) -> Self {
        Self(POINT | (color as u64) << 32 | (column as u64) << 16 | row as u64)
    }

    /// Returns column and row if this is a point.
    #[must_use]
    pub fn point(self) -> Option<(u32, u32)> {
        (self.0 & POINT != 0).then_some(((self.0 >> 16 & 0xFFFF) as u32, (self.0 & 0xFFFF) as u32))
    }

    /// Returns this move after a symmetry; `size` is the columns and rows of the board before it.
    #[must_use]
    #[inline(always)]
    pub fn turned(self, symmetry: Symmetry, size: (u32, u32)) -> Self {
        match self.point() {
            Some(point) if symmetry != Symmetry::Identity => {
                let (column, row) = symmetry.apply(point, size);
                Self(
                    self.0 & !0xFFFF_FFFF
                        | u64::from(column & 0xFFFF) << 16
                        | u64::from(row & 0xFFFF),
                )
            }
            _ => self,
        }
    }
}

impl LineMoves {
    /// Returns the line that was hashed.
    pub(super) fn of(hasher: &LineHasher) -> Self {
        let mut line = Self {
            head: hasher.header_hash(),
            ..Self::default()
        };
        for (number, is_setup) in hasher.moves() {
            if is_setup && line.moves.is_empty() {
                line.head = xxh3_64(&[line.head.to_le_bytes(), number.to_le_bytes()].concat());
                line.has_setup = true;
            } else {
                line.moves.push(LineMove(number));
            }
        }
        line
    }
}
