//! Board of Hex: stones, both swaps, and the winner's chain.

use crate::game::{Board, BoardCell, Effects, Illegal, Move, Setup, Side, Stone, Violation, Word};
use crate::value::BoardSize;

use super::super::grid::{Grid, occupied, on_grid};

/// Steps to the six neighbors of a cell. Row 1 is on top, and each row is shifted half a cell to
/// the right of the row above:
///
/// ```text
///  a1  b1  c1
///    a2  b2  c2      b2 touches b1 c1, a2 c2, a3 b3
///      a3  b3  c3
/// ```
const STEPS: [(i32, i32); 6] = [(0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)];

/// Board of at most 2²⁰ cells. Black connects top and bottom, White left and right (spec H-05).
///
/// ```
/// use sgfstream_game::hex::HexBoard;
/// use sgfstream_game::value::BoardSize;
/// use sgfstream_game::{Dialect, Game, Side, board::Board};
///
/// let size = BoardSize::square(11);
/// let hex = Dialect::new(Game::Hex, Some(size));
/// let mut board = HexBoard::new(size).expect("not too large");
/// board.play(Side::Black, &hex.parse_move(b"c1")?)?;
/// board.play(Side::White, &hex.parse_move(b"swap-pieces")?)?;
/// assert_eq!(board.stone(hex.parse_point(b"a3")?), Some(Side::White)); // spec H-12
/// assert_eq!(board.stone(hex.parse_point(b"c1")?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct HexBoard {
    grid: Grid<Option<Side>>,
    stones: u32,
}

impl HexBoard {
    /// Returns an empty board; `None` above 2²⁰ cells.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        Some(Self {
            grid: Grid::new(size)?,
            stones: 0,
        })
    }
}

impl Board for HexBoard {
    // A swap of pieces changes the size if the board is not square.
    on_grid!();

    /// Makes a move. A stone on an occupied cell replaces it. A swap before any stone has no
    /// effect.
    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let mut played = Effects::default();
        let mut fault = None;
        match mv {
            Move::Place(field) => {
                let before = self.grid.put(*field, Some(side))?;
                self.stones += u32::from(before.is_none());
                fault = occupied(before);
            }
            Move::Pass | Move::Word(Word::Resign | Word::Forfeit) => {}
            Move::Word(Word::SwapPieces | Word::Swap) => {
                played.turned = self.grid.transpose_and_recolor();
                fault = (self.stones == 0).then_some(Violation::NothingToSwap);
            }
            Move::Word(Word::SwapSides) => {
                fault = (self.stones == 0).then_some(Violation::NothingToSwap)
            }
            _ => fault = Some(Violation::NotAMove),
        }
        Illegal::unless_fine(fault, played)
    }

    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        let (field, side) = (stone.point()?, setup.stone()?);
        let before = self.grid.put(field, side)?;
        self.stones += u32::from(side.is_some());
        self.stones -= u32::from(before.is_some());
        Ok(())
    }

    /// Returns the side whose chain connects its two sides.
    fn winner(&self) -> Option<Side> {
        let (columns, rows) = (self.size().columns() as u16, self.size().rows() as u16);
        let top = (0..columns).map(|column| BoardCell::new(column, 0));
        if self
            .grid
            .reach(Side::Black, top, |field| field.row + 1 == rows, &STEPS)
            .1
        {
            return Some(Side::Black);
        }
        let left = (0..rows).map(|row| BoardCell::new(0, row));
        self.grid
            .reach(
                Side::White,
                left,
                |field| field.column + 1 == columns,
                &STEPS,
            )
            .1
            .then_some(Side::White)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(text: &str) -> BoardCell {
        super::super::parse_algebraic(text.as_bytes()).expect(text)
    }

    fn play(board: &mut HexBoard, side: Side, text: &str) -> Result<Effects, Violation> {
        let mv =
            super::super::parse_move(text.as_bytes(), super::super::parse_algebraic).expect(text);
        board.play(side, &mv).map_err(|illegal| illegal.reason)
    }

    #[test]
    fn chains() {
        let mut board = HexBoard::new(BoardSize::square(3)).expect("fits");
        for cell in ["c1", "b2", "a3"] {
            assert_eq!(board.winner(), None);
            play(&mut board, Side::Black, cell).expect("legal");
        }
        assert_eq!(board.winner(), Some(Side::Black));
        // The other diagonal does not touch.
        let mut board = HexBoard::new(BoardSize::square(3)).expect("fits");
        for cell in ["a1", "b2", "c3"] {
            play(&mut board, Side::White, cell).expect("legal");
        }
        assert_eq!(board.winner(), None);
        play(&mut board, Side::White, "a2").expect("legal");
        play(&mut board, Side::White, "c2").expect("legal");
        assert_eq!(board.winner(), Some(Side::White));
    }

    #[test]
    fn a_rectangle_turns_over() {
        let mut board = HexBoard::new(BoardSize::new(3, 5)).expect("fits");
        play(&mut board, Side::Black, "c1").expect("legal");
        let played = play(&mut board, Side::White, "swap-pieces").expect("legal");
        assert_eq!(played.turned, 1);
        assert_eq!(board.size(), BoardSize::new(5, 3));
        assert_eq!(board.stone(field("a3")), Some(Side::White));
    }

    #[test]
    fn words() {
        let mut board = HexBoard::new(BoardSize::square(5)).expect("fits");
        assert_eq!(
            play(&mut board, Side::White, "swap-sides"),
            Err(Violation::NothingToSwap)
        );
        play(&mut board, Side::Black, "c3").expect("legal");
        assert_eq!(
            play(&mut board, Side::White, "c3"),
            Err(Violation::Occupied)
        );
        assert_eq!(board.stone(field("c3")), Some(Side::White));
        play(&mut board, Side::Black, "resign").expect("legal");
        play(&mut board, Side::White, "a1").expect("play goes on");
        assert_eq!(
            play(&mut board, Side::White, "f1"),
            Err(Violation::OffBoard)
        );
    }
}
