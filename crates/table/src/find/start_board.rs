//! Boards before the first move.

use sgfstream_game::GameBoard;

/// Board before the first move of a game that begins with setup.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_game::Facts;
/// use sgfstream_table::find::{Finder, Query};
///
/// let mut finder = Finder::new(Query::boards());
/// let mut games = GameReader::new(SliceReader::new(
///     b"(;SZ[19];AB[dp][pd];W[dd])(;SZ[19]AB[dd][pp])(;B[dd]AB[pp])",
/// ));
/// let mut starts = Vec::new();
/// while let Some(game) = games.next_game()? {
///     finder.search(&Facts::of(game.expect("a short game"), 0));
///     starts.push(finder.start());
/// }
/// let [Some(one), Some(other), None] = starts[..] else {
///     panic!("two games begin with setup")
/// };
/// assert_eq!(one.canonical, other.canonical);
/// assert_ne!(one.plain, other.plain);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartBoard {
    /// Hash of the board, equal in all its orientations.
    pub canonical: u64,
    /// Hash of the board in its own orientation.
    pub plain: u64,
}

impl StartBoard {
    /// Returns the start of a board with hashes.
    pub(super) fn of(board: &GameBoard) -> Option<Self> {
        let hash = board.hash()?;
        Some(Self {
            canonical: hash.canonical().0,
            plain: hash.plain(),
        })
    }
}
