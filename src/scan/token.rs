//! Tokens that the machine returns. The machine knows the place of the last token.

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
        /// Whether it has one closed value, directly after the identifier.
        simple: bool,
    },
    /// A piece of a long property, described by `Machine::piece`.
    Part,
    /// A problem, stored in `Machine::problem`.
    Problem,
    Gap,
}

/// Place of a piece of one value of a long property.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ValuePiece {
    /// Offset of the content from the start of the piece.
    pub(crate) content: u32,
    pub(crate) value: u64,
    pub(crate) first: bool,
    pub(crate) last: bool,
    /// Whether a `]` ends it.
    pub(crate) closed: bool,
}
