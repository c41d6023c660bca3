//! Board of Gomoku: the stones, and the length of their lines.

use crate::game::{Board, BoardCell, Effects, Illegal, Move, Setup, Side, Stone};
use crate::value::BoardSize;

use super::super::grid::{Grid, occupied, on_grid};

/// Board of at most 52 x 52 points.
///
/// ```
/// use sgfstream_game::gomoku::GomokuBoard;
/// use sgfstream_game::value::BoardSize;
/// use sgfstream_game::{BoardCell, Move, Side, board::Board};
///
/// let mut board = GomokuBoard::new(BoardSize::square(15)).expect("not too large");
/// for column in 3..8 {
///     board.play(Side::Black, &Move::Place(BoardCell::new(column, 7)))?;
/// }
/// assert_eq!(board.line(), Some((Side::Black, 5)));
/// # Ok::<(), sgfstream_game::board::Illegal>(())
/// ```
#[derive(Clone)]
pub struct GomokuBoard {
    grid: Grid<Option<Side>>,
    line: Option<(Side, u32)>,
}

impl GomokuBoard {
    /// Returns an empty board; `None` if a side is above 52.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        Some(Self {
            grid: Grid::of_letters(size, [])?,
            line: None,
        })
    }

    /// Returns the side that first made a line of five or more by a move, and the length of that
    /// line. Whether six count depends on the rules (Renju: for White, not for Black).
    #[must_use]
    pub fn line(&self) -> Option<(Side, u32)> {
        self.line
    }

    /// Counts the consecutive stones of `side` after `field` in one direction.
    fn run(&self, side: Side, field: BoardCell, step: (i32, i32)) -> u32 {
        self.grid
            .ray(field, step)
            .take_while(|&next| self.grid.get(next) == Some(side))
            .count() as u32
    }
}

impl Board for GomokuBoard {
    on_grid!();

    /// Makes a move. [`Effects::line`] is the longest line through the stone.
    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let (before, line) = match mv {
            Move::Place(field) => {
                let before = self.grid.put(*field, Some(side))?;
                let lines = [(1, 0), (0, 1), (1, 1), (1, -1)].map(|(right, down)| {
                    1 + self.run(side, *field, (right, down))
                        + self.run(side, *field, (-right, -down))
                });
                (before, lines.into_iter().max().unwrap_or(1))
            }
            Move::Pass => (None, 0),
            _ => return Err(Illegal::NOT_A_MOVE),
        };
        if line >= 5 {
            self.line.get_or_insert((side, line));
        }
        Illegal::unless_fine(
            occupied(before),
            Effects {
                line,
                ..Effects::default()
            },
        )
    }

    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        self.grid.set_up(stone.point()?, setup.stone()?)
    }

    fn winner(&self) -> Option<Side> {
        self.line.map(|(side, _)| side)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::effects::Violation;
    use super::*;

    #[test]
    fn lines_in_every_direction() {
        for (right, down) in [(1i32, 0i32), (0, 1), (1, 1), (1, -1)] {
            let mut board = GomokuBoard::new(BoardSize::square(15)).expect("fits");
            for step in [0, 1, 3, 4, 5, 2] {
                let field = BoardCell::new((7 + right * step) as u16, (7 + down * step) as u16);
                let played = board.play(Side::White, &Move::Place(field)).expect("legal");
                assert_eq!(played.line == 6, step == 2);
            }
            assert_eq!(board.line(), Some((Side::White, 6)));
        }
    }

    #[test]
    fn four_are_no_line() {
        let mut board = GomokuBoard::new(BoardSize::square(15)).expect("fits");
        for column in [0, 1, 2, 3, 5] {
            board
                .play(Side::Black, &Move::Place(BoardCell::new(column, 0)))
                .expect("legal");
        }
        assert_eq!(board.winner(), None);
        let illegal = board
            .play(Side::White, &Move::Place(BoardCell::new(0, 0)))
            .expect_err("occupied");
        assert_eq!(illegal.reason, Violation::Occupied);
    }
}
