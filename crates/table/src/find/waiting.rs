//! Hits that wait for the move after them.

use sgfstream_game::{Field, Side};

use super::QueryTransform;

/// How far a sequence is moved: columns and rows.
pub(super) type Shift = (i32, i32);

/// A hit that waits for the move after it.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) ply: u64,
    /// The path of its node; empty until the finder has written it.
    pub(super) node: String,
    pub(super) way: QueryTransform,
    /// Where the pattern lies, or how far the sequence is moved.
    pub(super) corner: Shift,
    /// The pattern's place, whose moves alone count.
    pub(super) placement: Option<u32>,
    /// Moves that the pattern asks for and that were made, and who made the last of them.
    pub(super) made: usize,
    pub(super) last: Option<Side>,
}

impl Waiting {
    pub(super) fn new(ply: u64, way: QueryTransform, corner: Shift) -> Self {
        Self { ply, node: String::new(), way, corner, placement: None, made: 0, last: None }
    }

    pub(super) fn corner_of_pattern(&self) -> Field {
        match self.placement {
            Some(_) => Field::new(self.corner.0 as u16, self.corner.1 as u16),
            None => Field::new(0, 0),
        }
    }
}
