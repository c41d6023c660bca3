//! A Lines of Action board.

use std::cell::Cell;

use crate::value::BoardSize;

use super::super::grid::Grid;
use super::super::{Field, Illegal, Move, Played, Reason, Side, Word};

const STEPS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// A board at the usual start: Black on the top and bottom rows, White on the
/// left and right columns, corners empty. A setup before the first move
/// replaces it (`SU[Custom]`).
#[derive(Clone)]
pub struct LoaBoard {
    grid: Grid,
    fresh: bool,
    last: Option<Side>,
    given_up: Option<Side>,
}

impl LoaBoard {
    /// A board at the start; `None` above 52 on a side.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        if size.longer() > BoardSize::MAX_TWO_LETTER {
            return None;
        }
        let mut grid = Grid::new(size)?;
        let (right, bottom) = (size.columns() as u16 - 1, size.rows() as u16 - 1);
        for column in 1..right {
            for row in [0, bottom] {
                let _ = grid.put(Field::new(column, row), Some(Side::Black));
            }
        }
        for row in 1..bottom {
            for column in [0, right] {
                let _ = grid.put(Field::new(column, row), Some(Side::White));
            }
        }
        Some(Self { grid, fresh: true, last: None, given_up: None })
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece(&self, field: Field) -> Option<Side> {
        self.grid.get(field)
    }

    /// Who has resigned or lost by forfeit.
    #[must_use]
    pub fn given_up(&self) -> Option<Side> {
        self.given_up
    }

    /// Puts a piece, or empties the square; the first one clears the start.
    ///
    /// # Errors
    /// [`Reason::OffBoard`]; nothing is done then.
    pub fn set_up(&mut self, side: Option<Side>, field: Field) -> Result<(), Illegal> {
        if std::mem::replace(&mut self.fresh, false) {
            self.grid = Grid::new(self.grid.size()).expect("it was made before");
        }
        self.grid.put(field, side)?;
        Ok(())
    }

    /// Moves a piece: as far as pieces stand in its line, over its own, onto
    /// an empty square or an opponent's piece.
    ///
    /// # Errors
    /// The rule that the move is against. The piece goes there all the same.
    pub fn play(&mut self, side: Side, mv: &Move) -> Result<Played, Illegal> {
        let mut played = Played { out_of_turn: self.last == Some(side), ..Played::default() };
        let mut fault = None;
        self.fresh = false;
        match mv {
            Move::Step { from, to, .. } => {
                let size = self.grid.size();
                if !from.is_on(size) || !to.is_on(size) {
                    return Err(Illegal::nothing_done(Reason::OffBoard));
                }
                if self.grid.get(*from) != Some(side) {
                    fault = Some(Reason::NoPiece);
                } else if !self.can_go(side, *from, *to) {
                    fault = Some(Reason::Blocked);
                }
                self.grid.put(*from, None)?;
                let before = self.grid.put(*to, Some(side))?;
                if before == Some(side) && from != to {
                    fault = fault.or(Some(Reason::Occupied));
                }
                played.captured = u32::from(before == Some(side.opponent()));
            }
            Move::Pass | Move::Word(Word::Escape) => {}
            Move::Word(Word::Resign | Word::Forfeit) => self.given_up = Some(side),
            _ => return Err(Illegal::nothing_done(Reason::NotAMove)),
        }
        self.last = Some(side);
        Illegal::unless_fine(fault, played)
    }

    fn can_go(&self, side: Side, from: Field, to: Field) -> bool {
        let right = i32::from(to.column) - i32::from(from.column);
        let down = i32::from(to.row) - i32::from(from.row);
        let distance = right.abs().max(down.abs());
        if distance == 0 || (right != 0 && down != 0 && right.abs() != down.abs()) {
            return false;
        }
        let step = (right.signum(), down.signum());
        let mut in_line = 1;
        for direction in [step, (-step.0, -step.1)] {
            let mut at = from;
            while let Some(next) = self.grid.step(at, direction) {
                in_line += i32::from(self.grid.get(next).is_some());
                at = next;
            }
        }
        let mut at = from;
        let is_free = (1..distance).all(|_| match self.grid.step(at, step) {
            Some(next) => {
                at = next;
                self.grid.get(next) != Some(side.opponent())
            }
            None => false,
        });
        in_line == distance && is_free
    }

    /// Who has all his pieces in one group; the last mover if both have.
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        let last = self.last?;
        [last, last.opponent()].into_iter().find(|&side| self.is_one_group(side))
    }

    fn is_one_group(&self, side: Side) -> bool {
        let fields = (0..self.grid.len()).map(|at| self.grid.field(at));
        let mut own = fields.filter(|&field| self.grid.get(field) == Some(side));
        let Some(first) = own.next() else { return false };
        let reached = Cell::new(0);
        let count = |_| {
            reached.set(reached.get() + 1);
            false
        };
        self.grid.joins(side, [first].into_iter(), count, &STEPS);
        reached.get() == own.count() + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(board: &mut LoaBoard, side: Side, text: &str) -> Result<Played, Reason> {
        let mv = super::super::parse_move(BoardSize::square(8), text.as_bytes()).expect(text);
        board.play(side, &mv).map_err(|illegal| illegal.reason)
    }

    #[test]
    fn moves_of_the_page() {
        let mut board = LoaBoard::new(BoardSize::square(8)).expect("fits");
        assert!(play(&mut board, Side::Black, "e1-e3").is_ok());
        assert_eq!(play(&mut board, Side::White, "a4-a5"), Err(Reason::Blocked));
        assert_eq!(play(&mut board, Side::White, "e5-e6"), Err(Reason::NoPiece));
        assert!(play(&mut board, Side::Black, "resign").is_ok());
        assert_eq!(board.given_up(), Some(Side::Black));
        assert_eq!(board.winner(), None);
    }

    #[test]
    fn a_capture() {
        let mut board = LoaBoard::new(BoardSize::square(8)).expect("fits");
        for (side, square) in [(Side::Black, "c2"), (Side::White, "c4")] {
            let square = super::super::parse_square(BoardSize::square(8), square.as_bytes()).expect("ok");
            board.set_up(Some(side), square).expect("on the board");
        }
        assert_eq!(play(&mut board, Side::Black, "C2:C4++").map(|played| played.captured), Ok(1));
        assert_eq!(board.winner(), Some(Side::Black));
    }
}
