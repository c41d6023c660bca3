//! Name of a game over the budget.

use std::fmt;

use super::Span;

/// Name of a game that is longer than [`Limits::game`](crate::Limits::game), so that it has no
/// record.
///
/// ```
/// use sgfstream::record::GameReader;
/// use sgfstream::{Limits, Options, SliceReader};
///
/// let options = Options::default().with_limits(Limits::default().with_game(60));
/// let input = b"(;C[a comment that is much longer than the limit of the game])(;B[aa])";
/// let mut games = GameReader::new(SliceReader::with_options(input, options));
/// let long = games.next_game()?.expect("there is a game").expect_err("it is long");
/// assert_eq!((long.number, long.span.start, long.span.end), (1, 0, 62));
/// # Ok::<(), sgfstream::Error>(())
/// ```
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
        write!(
            f,
            "game {} (byte {}): longer than the limit of a game",
            self.number, self.span.start
        )
    }
}
