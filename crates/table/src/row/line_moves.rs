//! A main line as numbers, one for each move, for comparing two lines move by
//! move.

use sgfstream_game::Symmetry;
use xxhash_rust::xxh3::xxh3_64;

use super::line_hash::LineHasher;

/// A main line: what game and setup it begins with, and its moves.
///
/// A move on a point is its colour, column and row; any other is a hash of
/// what its dialect spells, and so is setup between moves. Two moves are equal
/// if their numbers are, as [`LineHash`](super::LineHash) has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineMoves {
    /// Hash of game, board and setup before the first move.
    pub head: u64,
    /// True if there is setup before the first move.
    pub has_setup: bool,
    /// The moves.
    pub moves: Vec<LineMove>,
}

/// A move of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineMove(pub u64);

/// Set for a point; below it the color, the column and the row, each in 16 bits.
const POINT: u64 = 1 << 63;

impl LineMove {
    pub(super) const fn of_point(color: u16, column: u16, row: u16) -> Self {
        Self(POINT | (color as u64) << 32 | (column as u64) << 16 | row as u64)
    }

    /// Column and row of a point.
    #[must_use]
    pub fn point(self) -> Option<(u32, u32)> {
        (self.0 & POINT != 0).then_some(((self.0 >> 16 & 0xFFFF) as u32, (self.0 & 0xFFFF) as u32))
    }

    /// This move on a turned board; `size` is the board's columns and rows before.
    #[must_use]
    pub fn turned(self, symmetry: Symmetry, size: (u32, u32)) -> Self {
        match self.point() {
            None => self,
            Some(point) => {
                let (column, row) = symmetry.apply(point, size);
                Self(self.0 & !0xFFFF_FFFF | u64::from(column & 0xFFFF) << 16 | u64::from(row & 0xFFFF))
            }
        }
    }
}

impl LineMoves {
    /// The line that was hashed.
    pub(super) fn of(hasher: &LineHasher) -> Self {
        let mut line = Self { head: hasher.header_hash(), ..Self::default() };
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
