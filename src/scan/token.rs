//! The answers of the machine: what was read. Which bytes it has is asked of the machine.

/// Result of a step of the machine, or of a fast path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    VariationStart {
        supplied: bool,
    },
    NodeStart {
        supplied: bool,
    },
    VariationEnd {
        supplied: bool,
    },
    Property {
        ident_len: u32,
        /// It has one value, nothing between that and the identifier, and it is closed.
        simple: bool,
    },
    /// A piece of a long property: the machine has the rest of it.
    Part,
    /// The machine has it.
    Problem,
    Gap,
}

/// Place of a piece of one value of a long property.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Piece {
    /// Where the content begins, from the start of the piece.
    pub(crate) content: u32,
    pub(crate) value: u64,
    pub(crate) first: bool,
    pub(crate) last: bool,
    /// There is a `]` at its end.
    pub(crate) closed: bool,
}
