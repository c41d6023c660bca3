//! A main line as numbers, one for each move, for comparing two lines move by
//! move.

use sgfstream_game::{Game, Symmetry};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::move_record::records;

/// A main line: what game and setup it begins with, and its moves.
///
/// A move on a point is its colour, column and row; any other is a hash of
/// what its dialect spells, and so is setup between moves. Two moves are equal
/// if their numbers are, as [`LineHasher`](super::LineHasher) has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineMoves {
    /// The same for the same game, board and setup before the first move.
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
    /// Column and row of a point.
    #[must_use]
    pub fn point(self) -> Option<(u32, u32)> {
        (self.0 & POINT != 0).then_some(((self.0 >> 16 & 0xFFFF) as u32, (self.0 & 0xFFFF) as u32))
    }

    /// The same move on a board that was turned; `size` is its columns and rows before.
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
    /// The line of some records.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut line = Self::default();
        let mut setups = 0;
        for (kind, record) in records(bytes) {
            match (kind, record) {
                (1, &[_, color, a, b, c, d]) => {
                    let [column, row] = [[a, b], [c, d]].map(|at| u64::from(u16::from_le_bytes(at)));
                    line.moves.push(LineMove(POINT | u64::from(color) << 32 | column << 16 | row));
                }
                (3, hash) if line.moves.is_empty() => {
                    setups += 1;
                    line.head = xxh3_64(&[&line.head.to_le_bytes(), hash].concat());
                }
                (_, other) => line.moves.push(LineMove(xxh3_64(other) & !POINT)),
            }
        }
        // The game and its board come first.
        line.has_setup = setups > 2;
        line
    }
}

/// The bytes of a line: its moves as records, for each setup its hash.
#[derive(Clone, Debug, Default)]
pub(super) struct LineLog {
    bytes: Vec<u8>,
    /// They are wanted.
    is_kept: bool,
    /// There were more than [`LINE_MAX`].
    is_cut: bool,
}

/// Bytes of a line that are kept: the moves of 174,000 points.
const LINE_MAX: usize = 1 << 20;

impl LineLog {
    pub(super) fn kept() -> Self {
        Self { is_kept: true, ..Self::default() }
    }

    /// The bytes, where they are wanted; none if there were too many.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        (self.is_kept && !self.is_cut).then_some(&*self.bytes)
    }

    pub(super) fn start(&mut self, game: Game) {
        self.bytes.clear();
        self.is_cut = false;
        if self.is_kept {
            self.add_hash(format!("{game:?}").as_bytes());
        }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.is_cut |= self.bytes.len() + bytes.len() > LINE_MAX;
        if self.is_kept && !self.is_cut {
            self.bytes.extend_from_slice(bytes);
        }
    }

    pub(super) fn add_hash(&mut self, bytes: &[u8]) {
        if self.is_kept {
            self.add(&[3]);
            self.add(&xxh3_128(bytes).to_le_bytes());
        }
    }
}
