//! A Gomoku board: stones, and how long their lines are.

use crate::value::BoardSize;

use super::super::grid::Grid;
use super::super::{Field, Illegal, Move, Played, Reason, Side};

/// A board of at most 52 x 52 points.
///
/// ```
/// use sgfstream::game::{Field, Move, Side, gomoku::GomokuBoard};
/// use sgfstream::value::BoardSize;
///
/// let mut board = GomokuBoard::new(BoardSize::square(15)).expect("not too large");
/// for column in 3..8 {
///     board.play(Side::Black, &Move::Place(Field::new(column, 7)))?;
/// }
/// assert_eq!(board.winner(), Some((Side::Black, 5)));
/// # Ok::<(), sgfstream::game::Illegal>(())
/// ```
#[derive(Clone)]
pub struct GomokuBoard {
    grid: Grid,
    last: Option<Side>,
    winner: Option<(Side, u32)>,
}

impl GomokuBoard {
    /// An empty board; `None` above 52 on a side.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        if size.longer() > BoardSize::MAX_TWO_LETTER {
            return None;
        }
        Some(Self { grid: Grid::new(size)?, last: None, winner: None })
    }

    /// The stone on a point.
    #[must_use]
    pub fn stone(&self, field: Field) -> Option<Side> {
        self.grid.get(field)
    }

    /// Who first made a line of five or more by a move, and how long it was.
    /// Whether six count is the rules' to say (Renju: for White, not for Black).
    #[must_use]
    pub fn winner(&self) -> Option<(Side, u32)> {
        self.winner
    }

    /// Puts a stone, or empties the point.
    ///
    /// # Errors
    /// [`Reason::OffBoard`]; nothing is done then.
    pub fn set_up(&mut self, side: Option<Side>, field: Field) -> Result<(), Illegal> {
        self.grid.put(field, side)?;
        Ok(())
    }

    /// Plays a stone or passes; [`Played::line`] is the longest line through
    /// the stone.
    ///
    /// # Errors
    /// [`Reason::Occupied`] (the stone is replaced) and [`Reason::OffBoard`].
    pub fn play(&mut self, side: Side, mv: &Move) -> Result<Played, Illegal> {
        let mut played = Played { out_of_turn: self.last == Some(side), ..Played::default() };
        let mut fault = None;
        match mv {
            Move::Place(field) => {
                fault = self.grid.put(*field, Some(side))?.map(|_| Reason::Occupied);
                let lines = [(1, 0), (0, 1), (1, 1), (1, -1)];
                let length =
                    |(right, down)| 1 + self.run(side, *field, (right, down)) + self.run(side, *field, (-right, -down));
                played.line = lines.into_iter().map(length).max().unwrap_or(1);
                if played.line >= 5 && self.winner.is_none() {
                    self.winner = Some((side, played.line));
                }
            }
            Move::Pass => {}
            _ => return Err(Illegal::nothing_done(Reason::NotAMove)),
        }
        self.last = Some(side);
        Illegal::unless_fine(fault, played)
    }

    fn run(&self, side: Side, mut field: Field, step: (i32, i32)) -> u32 {
        let mut count = 0;
        while let Some(next) = self.grid.step(field, step).filter(|&next| self.grid.get(next) == Some(side)) {
            field = next;
            count += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_every_direction() {
        for (right, down) in [(1i32, 0i32), (0, 1), (1, 1), (1, -1)] {
            let mut board = GomokuBoard::new(BoardSize::square(15)).expect("fits");
            for step in [0, 1, 3, 4, 5, 2] {
                let field = Field::new((7 + right * step) as u16, (7 + down * step) as u16);
                let played = board.play(Side::White, &Move::Place(field)).expect("legal");
                assert_eq!(played.line == 6, step == 2);
            }
            assert_eq!(board.winner(), Some((Side::White, 6)));
        }
    }

    #[test]
    fn four_are_no_line() {
        let mut board = GomokuBoard::new(BoardSize::square(15)).expect("fits");
        for column in [0, 1, 2, 3, 5] {
            board.play(Side::Black, &Move::Place(Field::new(column, 0))).expect("legal");
        }
        assert_eq!(board.winner(), None);
        let illegal = board.play(Side::White, &Move::Place(Field::new(0, 0))).expect_err("occupied");
        assert_eq!(illegal.reason, Reason::Occupied);
    }
}
