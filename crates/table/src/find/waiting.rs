//! Hits that wait for the move after them.

use sgfstream_game::{BoardCell, Side};

use super::Transform;

/// Displacement of a sequence: columns and rows.
pub(super) type Shift = (i32, i32);

/// A hit that waits for the move after it.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) ply: u64,
    /// Path of its node; empty until the finder sets it.
    pub(super) node: String,
    pub(super) transform: Transform,
    /// Corner of the pattern, or displacement of the sequence.
    pub(super) corner: Shift,
    /// The place of the pattern. Only moves within it count.
    pub(super) placement: Option<u32>,
    /// Number of the pattern's labeled moves so far, and the side that played the last of them.
    pub(super) made: usize,
    pub(super) last: Option<Side>,
}

impl Waiting {
    pub(super) fn new(ply: u64, transform: Transform, corner: Shift) -> Self {
        Self {
            ply,
            node: String::new(),
            transform,
            corner,
            placement: None,
            made: 0,
            last: None,
        }
    }

    pub(super) fn corner_of_pattern(&self) -> BoardCell {
        match self.placement {
            Some(_) => BoardCell::new(self.corner.0 as u16, self.corner.1 as u16),
            None => BoardCell::new(0, 0),
        }
    }
}
