//! Name of a game over the budget.

use std::fmt;

use super::Span;

/// Name of a game that is longer than [`Limits::game`](crate::Limits::game), so that it has no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LongGame {
    /// Number of the game in the input, from 1.
    pub number: u64,
    /// Bytes of the game in the input.
    pub span: Span,
}

impl std::error::Error for LongGame {}

impl fmt::Display for LongGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} (byte {}): longer than the limit of a game", self.number, self.span.start)
    }
}
