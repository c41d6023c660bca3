//! Board of Othello: a move flips the stones that it encloses.

use crate::game::{Board, BoardCell, Effects, Illegal, Move, Setup, Side, Stone, Violation};
use crate::value::BoardSize;

use super::super::grid::{Grid, QUEEN_STEPS, on_grid};

/// Board with the usual four stones in the middle.
///
/// ```
/// use sgfstream_game::othello::OthelloBoard;
/// use sgfstream_game::value::BoardSize;
/// use sgfstream_game::{Dialect, Game, Side, board::Board};
///
/// let othello = Dialect::new(Game::Othello, None);
/// let mut board = OthelloBoard::new(BoardSize::square(8)).expect("not too large");
/// let played = board.play(Side::Black, &othello.parse_move(b"c4")?)?;
/// assert_eq!(played.turned, 1);
/// assert_eq!((board.count(Side::Black), board.count(Side::White)), (4, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct OthelloBoard {
    grid: Grid<Option<Side>>,
}

impl OthelloBoard {
    /// Returns a board at the start: white on d4 and e5, black on e4 and d5, and accordingly on
    /// other even sizes. Returns `None` if a side is above 52. The first setup replaces the four
    /// stones, because a record with setup defines the whole position, as in files of Edax
    /// (games 2).
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        let (right, low) = (size.columns() as u16 / 2, size.rows() as u16 / 2);
        let has_middle = right > 0 && low > 0;
        let (left, top) = (right.saturating_sub(1), low.saturating_sub(1));
        let (black, white) = (Some(Side::Black), Some(Side::White));
        let start = [
            (left, top, white),
            (right, low, white),
            (right, top, black),
            (left, low, black),
        ];
        Some(Self {
            grid: Grid::of_letters(size, start.into_iter().filter(|_| has_middle))?,
        })
    }

    /// Returns the number of stones of `side`.
    #[must_use]
    pub fn count(&self, side: Side) -> usize {
        self.grid.count(side)
    }

    /// Returns the number of stones that a move of `side` would flip; 0 on an occupied square.
    #[must_use]
    pub fn would_turn(&self, side: Side, field: BoardCell) -> usize {
        if !field.is_on(self.size()) || self.grid.get(field).is_some() {
            return 0;
        }
        QUEEN_STEPS
            .iter()
            .map(|&step| self.enclosed(side, field, step))
            .sum()
    }

    /// Counts the stones between `field` and the next stone of `side` in one direction.
    fn enclosed(&self, side: Side, field: BoardCell, step: (i32, i32)) -> usize {
        let mut count = 0;
        for next in self.grid.ray(field, step) {
            match self.grid.get(next) {
                Some(stone) if stone == side => return count,
                Some(_) => count += 1,
                None => break,
            }
        }
        0
    }

    fn can_move(&self, side: Side) -> bool {
        self.grid
            .fields()
            .any(|field| self.would_turn(side, field) > 0)
    }
}

impl Board for OthelloBoard {
    on_grid!();

    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let mut played = Effects::default();
        let fault = match mv {
            Move::Pass => self.can_move(side).then_some(Violation::NeedlessPass),
            Move::Place(field) => {
                let before = self.grid.put(*field, Some(side))?;
                for step in QUEEN_STEPS {
                    let mut at = *field;
                    for _ in 0..self.enclosed(side, *field, step) {
                        at = self.grid.step(at, step).expect("counted before");
                        self.grid.put(at, Some(side))?;
                        played.turned += 1;
                    }
                }
                match before {
                    Some(_) => Some(Violation::Occupied),
                    None => (played.turned == 0).then_some(Violation::TurnsNothing),
                }
            }
            _ => return Err(Illegal::NOT_A_MOVE),
        };
        self.grid.leave_start();
        Illegal::unless_fine(fault, played)
    }

    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        self.grid.set_up(stone.point()?, setup.stone()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(board: &mut OthelloBoard, side: Side, text: &str) -> Result<Effects, Violation> {
        let mv = super::super::parse_move(BoardSize::square(8), text.as_bytes()).expect(text);
        board.play(side, &mv).map_err(|illegal| illegal.reason)
    }

    #[test]
    fn both_notations_and_turning() {
        let mut board = OthelloBoard::new(BoardSize::square(8)).expect("fits");
        assert_eq!(
            play(&mut board, Side::Black, "c4").map(|played| played.turned),
            Ok(1)
        );
        assert_eq!(
            play(&mut board, Side::White, "cc").map(|played| played.turned),
            Ok(1)
        ); // c3
        assert_eq!(
            play(&mut board, Side::Black, "h8"),
            Err(Violation::TurnsNothing)
        );
        assert_eq!(
            play(&mut board, Side::Black, "PA"),
            Err(Violation::NeedlessPass)
        );
        assert_eq!(
            play(&mut board, Side::White, "d4"),
            Err(Violation::Occupied)
        );
    }

    #[test]
    fn a_setup_replaces_the_start() {
        let mut board = OthelloBoard::new(BoardSize::square(8)).expect("fits");
        board
            .set_up(
                Setup::Stone(Some(Side::Black)),
                &Stone::Point(BoardCell::new(0, 0)),
            )
            .expect("on the board");
        assert_eq!((board.count(Side::Black), board.count(Side::White)), (1, 0));
        assert_eq!(play(&mut board, Side::White, ""), Ok(Effects::default()));
    }
}
