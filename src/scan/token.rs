//! What the machine answers: what happened, and which bytes. Indices count
//! from the start of the caller's window.

use crate::base::Problem;

/// One answer of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    VariationStart(Mark),
    NodeStart(Mark),
    VariationEnd(Mark),
    Property(Found),
    Part(Piece),
    Problem(Problem),
    Gap { start: usize, end: usize },
}

/// A place of one byte, or of none where the machine supplied it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) start: usize,
    pub(crate) supplied: bool,
}

impl Mark {
    pub(crate) fn end(self) -> usize {
        self.start + usize::from(!self.supplied)
    }
}

/// A whole property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) ident_len: u32,
    /// One value, nothing between it and the identifier, and it is closed.
    pub(crate) simple: bool,
}

/// A piece of one value of a long property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where the content begins, from `start`.
    pub(crate) content: u32,
    pub(crate) value: u64,
    pub(crate) first: bool,
    pub(crate) last: bool,
    /// A `]` stands at the end.
    pub(crate) closed: bool,
}
