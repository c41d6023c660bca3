//! Unlur, GM\[4000\] or GM\[Unlur\]: Hex's notation on a hexagon. `SZ` is the board's greatest
//! width, an odd number. `B[]` takes the black pieces and is not a pass (spec G-15 to G-20).

use crate::game::{
    Board, BoardCell, Effects, Fault, Illegal, Move, Setup, Side, Stone, Violation, Word,
};
use crate::value::BoardSize;

use super::grid::{Grid, occupied, on_grid};
use super::hex;

/// Parses a cell, `B[]`, or one of Hex's words.
pub(super) fn parse_move(
    raw: &[u8],
    cell: impl FnOnce(&[u8]) -> Result<BoardCell, Fault>,
) -> Result<Move, Fault> {
    if raw.is_empty() {
        return Ok(Move::Word(Word::TakeBlack));
    }
    hex::parse_move(raw, cell)
}

/// Board of Unlur: the stones, and whether a player has taken black. The specification does not say
/// how the rows of the hexagon are numbered, so every cell of its hull is on the board.
#[derive(Clone)]
pub struct UnlurBoard {
    grid: Grid<Option<Side>>,
    moves: u64,
    /// Whether a player has taken the black pieces, or white stones were set up. Before that, both
    /// players place black stones (spec G-19).
    black_taken: bool,
}

impl UnlurBoard {
    /// Returns an empty board; `None` above 2²⁰ cells.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        Some(Self {
            grid: Grid::new(size)?,
            moves: 0,
            black_taken: false,
        })
    }
}

impl Board for UnlurBoard {
    on_grid!();

    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let mut fault = None;
        match mv {
            Move::Place(field) => {
                let not_taken =
                    (side == Side::White && !self.black_taken).then_some(Violation::BlackNotTaken);
                fault = occupied(self.grid.put(*field, Some(side))?).or(not_taken);
            }
            Move::Word(Word::TakeBlack) => {
                fault = (self.black_taken || self.moves == 0).then_some(Violation::NothingToSwap);
                self.black_taken = true;
            }
            Move::Pass
            | Move::Word(
                Word::Resign | Word::Forfeit | Word::SwapSides | Word::SwapPieces | Word::Swap,
            ) => {}
            _ => return Err(Illegal::NOT_A_MOVE),
        }
        self.moves += 1;
        Illegal::unless_fine(fault, Effects::default())
    }

    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        let side = setup.stone()?;
        // White stones appear only after a player has taken black.
        self.black_taken |= side == Some(Side::White);
        self.grid.set_up(stone.point()?, side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_is_taken_once() {
        let cell = |raw: &[u8]| hex::parse_cell(BoardSize::square(9), raw);
        let mut board = UnlurBoard::new(BoardSize::square(9)).expect("fits");
        board
            .play(Side::Black, &parse_move(b"e5", cell).expect("a cell"))
            .expect("legal");
        let take = parse_move(b"", cell).expect("takes black");
        assert_eq!(take, Move::Word(Word::TakeBlack));
        board.play(Side::Black, &take).expect("legal");
        assert!(board.black_taken);
        assert!(board.play(Side::Black, &take).is_err());
    }
}
