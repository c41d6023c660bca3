//! Boards before the first move.

use sgfstream_game::{BoardCell, GameBoard, Side};

/// Board before the first move of a game that begins with setup.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_game::Facts;
/// use sgfstream_table::find::{Finder, Query};
///
/// let mut finder = Finder::new(Query::boards());
/// let mut games = GameReader::new(SliceReader::new(b"(;SZ[19];AB[dp][pd];W[dd])(;SZ[19]AB[dd][pp])(;B[dd]AB[pp])"));
/// let mut starts = Vec::new();
/// while let Some(game) = games.next_game()? {
///     finder.search(&Facts::of(game.expect("a short game"), 0));
///     starts.push(finder.start());
/// }
/// let [Some(one), Some(other), None] = starts[..] else { panic!("two games begin with setup") };
/// assert_eq!((one.black, one.white, one.canonical), (2, 0, other.canonical));
/// assert_ne!(one.plain, other.plain);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartBoard {
    /// Hash of the board, equal in all its orientations.
    pub canonical: u64,
    /// Hash of the board in its own orientation.
    pub plain: u64,
    /// Number of black stones.
    pub black: u16,
    /// Number of white stones.
    pub white: u16,
}

impl StartBoard {
    /// Returns the start of a board with hashes.
    pub(super) fn of(board: &GameBoard) -> Option<Self> {
        let hash = board.hash()?;
        let (canonical, plain) = (hash.canonical().0, hash.plain());
        let (mut black, mut white) = (0, 0);
        for row in 0..board.size().rows() as u16 {
            for column in 0..board.size().columns() as u16 {
                match board.stone(BoardCell::new(column, row)) {
                    Some(Side::Black) => black += 1,
                    Some(Side::White) => white += 1,
                    _ => {}
                }
            }
        }
        Some(Self { canonical, plain, black, white })
    }
}
