//! Operations that boards of all games share. A [`GameBoard`](super::GameBoard) contains one board
//! of any game.

use std::any::Any;
use std::fmt;

use crate::game::octi::OctiReserve;
use crate::game::{BoardCell, Effects, Game, Illegal, Move, Side, Stone};
use crate::value::BoardSize;

/// Board of a game. It executes moves and setup even against the rules, as far as possible (spec
/// M-04), and reports the broken rule.
///
/// `Display` prints the rows, the top row first: `.` is an empty cell, `X` is Black, `O` is White,
/// `3` and `4` are the third and the fourth color. A blank is not a cell of the board. Amazons
/// prints arrows as `*`, and Kropki prints enclosed empty points as `x` and `o`.
///
/// ```
/// use sgfstream_game::hex::HexBoard;
/// use sgfstream_game::value::BoardSize;
/// use sgfstream_game::{BoardCell, Move, Side, board::Board};
///
/// let mut board = HexBoard::new(BoardSize::new(4, 2)).expect("not too large");
/// board.play(Side::Black, &Move::Place(BoardCell::new(1, 0)))?;
/// board.play(Side::White, &Move::Place(BoardCell::new(3, 1)))?;
/// let shown: &dyn Board = &board;
/// assert_eq!(shown.to_string(), ".X..\n...O\n");
/// # Ok::<(), sgfstream_game::board::Illegal>(())
/// ```
pub trait Board: Any + Send + Sync + CloneBoard {
    /// Returns columns and rows of the smallest rectangle around the board.
    fn size(&self) -> BoardSize;

    /// Returns the owner of the stone, dot, pod, amazon or piece on a cell. Returns `None` for an
    /// empty cell, and off the board.
    fn stone(&self, field: BoardCell) -> Option<Side>;

    /// Makes a move.
    ///
    /// # Errors
    /// Returns the first rule that the move breaks, with the move's effect: the move is made
    /// nevertheless. A move off the board, or of another game, has no effect.
    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal>;

    /// Applies one value of a setup property. Setup captures no prisoners (spec M-05).
    ///
    /// # Errors
    /// Returns the problem with the value. Setup off the board has no effect.
    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal>;

    /// Returns the winner, if the board knows the rules: Hex, Havannah, Lines of Action, and Gomoku
    /// with five or more in a line.
    fn winner(&self) -> Option<Side> {
        None
    }

    /// Returns a number for the content of a cell, for the [hash](super::BoardHash) of the board: 0
    /// if it is empty, 1 to 4 for a stone of that color, more for other contents that a game has.
    fn content(&self, field: BoardCell) -> u64 {
        self.stone(field).map_or(0, |side| side.index() as u64 + 1)
    }

    /// Returns the character that `Display` prints for a cell.
    fn character(&self, field: BoardCell) -> char {
        character_of(self.stone(field))
    }
}

/// Clones boards in their boxes.
pub trait CloneBoard {
    /// Returns a copy.
    fn boxed(&self) -> Box<dyn Board>;
}

impl<B: Board + Clone> CloneBoard for B {
    fn boxed(&self) -> Box<dyn Board> {
        Box::new(self.clone())
    }
}

/// Action of a setup property on its stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Setup {
    /// Places stones of a side, or empties cells: `AB`, `AW`, `AE`, Pentobi's `A1` to `A4`.
    Stone(Option<Side>),
    /// Places a pod on an octi square of a side, in place of the usual ones: `BO` and `WO` of Octi.
    OctiSquare(Side),
    /// Places arrows: `AA` of Amazons.
    Arrow,
    /// Removes single pods: `RP` of Octi.
    RemovePod,
    /// Marks enclosed territory: `TB` and `TW` of Kropki.
    Territory(Side),
    /// Sets each player's reserve: `NP`, `NR` and `NS` of Octi.
    Reserve(OctiReserve),
}

impl Setup {
    /// Returns whether the canonical identifier `ident` places stones or empties cells in some
    /// game: `AB`, `AW`, `AE`, `A1` to `A4`.
    #[must_use]
    pub const fn puts_stones(ident: &[u8]) -> bool {
        matches!(ident, b"AB" | b"AW" | b"AE" | [b'A', b'1'..=b'4'])
    }

    /// Returns the action of the canonical identifier `ident` in `game`; `None` if it does not set
    /// up a position.
    ///
    /// ```
    /// use sgfstream_game::{Game, Side, board::Setup};
    ///
    /// assert_eq!(Setup::of(Game::Go, b"AW"), Some(Setup::Stone(Some(Side::White))));
    /// assert_eq!(Setup::of(Game::Go, b"AE"), Some(Setup::Stone(None)));
    /// assert_eq!(Setup::of(Game::Go, b"A1"), None); // Pentobi's
    /// ```
    #[must_use]
    pub const fn of(game: Game, ident: &[u8]) -> Option<Self> {
        Some(match (ident, game) {
            (b"AB", _) | (b"A1", Game::Pentobi(_)) => Self::Stone(Some(Side::Black)),
            (b"AW", _) | (b"A2", Game::Pentobi(_)) => Self::Stone(Some(Side::White)),
            (b"A3", Game::Pentobi(_)) => Self::Stone(Some(Side::Third)),
            (b"A4", Game::Pentobi(_)) => Self::Stone(Some(Side::Fourth)),
            (b"AE", _) => Self::Stone(None),
            (b"AA", Game::Amazons) => Self::Arrow,
            (b"BO", Game::Octi) => Self::OctiSquare(Side::Black),
            (b"WO", Game::Octi) => Self::OctiSquare(Side::White),
            (b"RP", Game::Octi) => Self::RemovePod,
            (b"NP", Game::Octi) => Self::Reserve(OctiReserve::Prongs),
            (b"NR", Game::Octi) => Self::Reserve(OctiReserve::Pods),
            (b"NS", Game::Octi) => Self::Reserve(OctiReserve::Superprongs),
            (b"TB", Game::Kropki) => Self::Territory(Side::Black),
            (b"TW", Game::Kropki) => Self::Territory(Side::White),
            _ => return None,
        })
    }
}

impl Setup {
    /// Returns the side whose stones are placed, `None` for emptying; an error for other setup.
    pub(super) fn stone(self) -> Result<Option<Side>, Illegal> {
        match self {
            Self::Stone(side) => Ok(side),
            _ => Err(Illegal::NOT_A_MOVE),
        }
    }
}

/// Returns `.`, `X`, `O`, `3` or `4`.
pub(super) fn character_of(stone: Option<Side>) -> char {
    match stone {
        None => '.',
        Some(Side::Black) => 'X',
        Some(Side::White) => 'O',
        Some(Side::Third) => '3',
        Some(Side::Fourth) => '4',
    }
}

/// Prints the rows of the board, each with a newline.
impl fmt::Display for dyn Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size();
        for row in 0..size.rows() as u16 {
            let line: String = (0..size.columns() as u16)
                .map(|at| self.character(BoardCell::new(at, row)))
                .collect();
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
