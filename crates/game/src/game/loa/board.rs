//! Board of Lines of Action.

use crate::game::{Board, BoardCell, Effects, Illegal, Move, Setup, Side, Stone, Violation, Word};
use crate::value::BoardSize;

use super::super::grid::{Grid, QUEEN_STEPS, on_grid, queen_line};

/// Board with the usual start: Black on the top and bottom rows, White on the left and right
/// columns, the corners empty. Setup before the first move replaces the start (`SU[Custom]`).
#[derive(Clone)]
pub struct LoaBoard {
    grid: Grid<Option<Side>>,
    last: Option<Side>,
}

impl LoaBoard {
    /// Returns a board at the start; `None` if a side is above 52.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        let (right, bottom) = (size.columns() as u16 - 1, size.rows() as u16 - 1);
        let rows =
            (1..right).flat_map(|column| [0, bottom].map(|row| (column, row, Some(Side::Black))));
        let columns =
            (1..bottom).flat_map(|row| [0, right].map(|column| (column, row, Some(Side::White))));
        Some(Self {
            grid: Grid::of_letters(size, rows.chain(columns))?,
            last: None,
        })
    }

    /// Returns whether the move is as long as the number of pieces on its line, and jumps over no
    /// piece of the opponent.
    fn can_go(&self, side: Side, from: BoardCell, to: BoardCell) -> bool {
        let Some((step, distance)) = queen_line(from, to) else {
            return false;
        };
        let pieces = |step| {
            self.grid
                .ray(from, step)
                .filter(|&field| self.grid.get(field).is_some())
                .count()
        };
        let mut between = self.grid.ray(from, step).take(distance - 1);
        1 + pieces(step) + pieces((-step.0, -step.1)) == distance
            && between.all(|field| self.grid.get(field) != Some(side.opponent()))
    }

    fn is_one_group(&self, side: Side) -> bool {
        let first = self
            .grid
            .fields()
            .find(|&field| self.grid.get(field) == Some(side));
        let (reached, _) = self
            .grid
            .reach(side, first.into_iter(), |_| false, &QUEEN_STEPS);
        reached > 0 && reached == self.grid.count(side)
    }
}

impl Board for LoaBoard {
    on_grid!();

    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let mut fault = None;
        let mut captured = 0;
        self.grid.leave_start();
        self.last = Some(side);
        match mv {
            Move::Step { from, to, .. } => {
                if !from.is_on(self.size()) || !to.is_on(self.size()) {
                    return Err(Illegal::OFF_BOARD);
                }
                if self.grid.get(*from) != Some(side) {
                    fault = Some(Violation::NoPiece);
                } else if !self.can_go(side, *from, *to) {
                    fault = Some(Violation::Blocked);
                }
                self.grid.put(*from, None)?;
                let before = self.grid.put(*to, Some(side))?;
                if before == Some(side) && from != to {
                    fault = fault.or(Some(Violation::Occupied));
                }
                captured = u32::from(before == Some(side.opponent()));
            }
            Move::Pass | Move::Word(Word::Escape | Word::Resign | Word::Forfeit) => {}
            _ => return Err(Illegal::NOT_A_MOVE),
        }
        Illegal::unless_fine(
            fault,
            Effects {
                captured,
                ..Effects::default()
            },
        )
    }

    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        self.grid.set_up(stone.point()?, setup.stone()?)
    }

    /// Returns the side whose pieces form one group; if both sides' do, the last mover.
    fn winner(&self) -> Option<Side> {
        let last = self.last?;
        [last, last.opponent()]
            .into_iter()
            .find(|&side| self.is_one_group(side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(board: &mut LoaBoard, side: Side, text: &str) -> Result<Effects, Violation> {
        let mv = super::super::parse_move(BoardSize::square(8), text.as_bytes()).expect(text);
        board.play(side, &mv).map_err(|illegal| illegal.reason)
    }

    #[test]
    fn moves_of_the_page() {
        let mut board = LoaBoard::new(BoardSize::square(8)).expect("fits");
        assert!(play(&mut board, Side::Black, "e1-e3").is_ok());
        assert_eq!(
            play(&mut board, Side::White, "a4-a5"),
            Err(Violation::Blocked)
        );
        assert_eq!(
            play(&mut board, Side::White, "e5-e6"),
            Err(Violation::NoPiece)
        );
        assert!(play(&mut board, Side::Black, "resign").is_ok());
        assert_eq!(board.winner(), None);
    }

    #[test]
    fn a_capture() {
        let mut board = LoaBoard::new(BoardSize::square(8)).expect("fits");
        for (side, square) in [(Side::Black, "c2"), (Side::White, "c4")] {
            let square =
                super::super::parse_square(BoardSize::square(8), square.as_bytes()).expect("ok");
            board
                .set_up(Setup::Stone(Some(side)), &Stone::Point(square))
                .expect("on the board");
        }
        assert_eq!(
            play(&mut board, Side::Black, "C2:C4++").map(|played| played.captured),
            Ok(1)
        );
        assert_eq!(board.winner(), Some(Side::Black));
    }
}
