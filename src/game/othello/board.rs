//! An Othello board: stones that enclose others turn them.

use crate::value::BoardSize;

use super::super::grid::Grid;
use super::super::{Field, Illegal, Move, Played, Reason, Side};

const STEPS: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// A board with the usual four stones in the middle.
///
/// ```
/// use sgfstream::game::{Dialect, Game, Side, othello::OthelloBoard};
/// use sgfstream::value::BoardSize;
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
    grid: Grid,
    /// Nothing was set up or played yet: a setup replaces the four stones.
    fresh: bool,
    last: Option<Side>,
}

impl OthelloBoard {
    /// A board at the start: white on d4 and e5, black on e4 and d5, on other
    /// even sizes accordingly; `None` above 52 on a side.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        if size.longer() > BoardSize::MAX_TWO_LETTER {
            return None;
        }
        let mut grid = Grid::new(size)?;
        let (right, low) = (size.columns() as u16 / 2, size.rows() as u16 / 2);
        if right > 0 && low > 0 {
            for (column, row, side) in [
                (right - 1, low - 1, Side::White),
                (right, low, Side::White),
                (right, low - 1, Side::Black),
                (right - 1, low, Side::Black),
            ] {
                let _ = grid.put(Field::new(column, row), Some(side));
            }
        }
        Some(Self { grid, fresh: true, last: None })
    }

    /// The stone on a square.
    #[must_use]
    pub fn stone(&self, field: Field) -> Option<Side> {
        self.grid.get(field)
    }

    /// How many stones `side` has.
    #[must_use]
    pub fn count(&self, side: Side) -> usize {
        (0..self.grid.len()).filter(|&at| self.grid.get(self.grid.field(at)) == Some(side)).count()
    }

    /// Puts a stone, or empties the square. The first one also takes the four
    /// stones of the start away: a record that sets up says all of it, as Edax
    /// does (spec games §2).
    ///
    /// # Errors
    /// [`Reason::OffBoard`]; nothing is done then.
    pub fn set_up(&mut self, side: Option<Side>, field: Field) -> Result<(), Illegal> {
        if self.fresh {
            self.fresh = false;
            self.grid = Grid::new(self.grid.size()).expect("it was made before");
        }
        self.grid.put(field, side)?;
        Ok(())
    }

    /// How many stones `side` would turn there; 0 where something stands.
    #[must_use]
    pub fn would_turn(&self, side: Side, field: Field) -> u32 {
        if !field.is_on(self.grid.size()) || self.grid.get(field).is_some() {
            return 0;
        }
        STEPS.iter().map(|&step| self.enclosed(side, field, step)).sum()
    }

    /// How many stones lie between `field` and the next of `side` in one
    /// direction.
    fn enclosed(&self, side: Side, field: Field, step: (i32, i32)) -> u32 {
        let mut count = 0;
        let mut at = field;
        while let Some(next) = self.grid.step(at, step) {
            match self.grid.get(next) {
                Some(stone) if stone == side => return count,
                Some(_) => count += 1,
                None => return 0,
            }
            at = next;
        }
        0
    }

    fn can_move(&self, side: Side) -> bool {
        (0..self.grid.len()).any(|at| self.would_turn(side, self.grid.field(at)) > 0)
    }

    /// Plays a stone and turns what it encloses, or passes.
    ///
    /// # Errors
    /// A stone that turns nothing, or stands on another; a pass while there is
    /// a move. Executed all the same.
    pub fn play(&mut self, side: Side, mv: &Move) -> Result<Played, Illegal> {
        let mut played = Played::default();
        self.fresh = false;
        let fault = match mv {
            Move::Pass => self.can_move(side).then_some(Reason::NeedlessPass),
            Move::Place(field) => {
                // Who cannot move passes, and need not say so.
                played.out_of_turn = self.last == Some(side) && self.can_move(side.opponent());
                let before = self.grid.put(*field, Some(side))?;
                for step in STEPS {
                    let mut at = *field;
                    for _ in 0..self.enclosed(side, *field, step) {
                        at = self.grid.step(at, step).expect("counted before");
                        self.grid.put(at, Some(side))?;
                        played.turned += 1;
                    }
                }
                match before {
                    Some(_) => Some(Reason::Occupied),
                    None => (played.turned == 0).then_some(Reason::TurnsNothing),
                }
            }
            _ => return Err(Illegal::nothing_done(Reason::NotAMove)),
        };
        self.last = Some(side);
        Illegal::unless_fine(fault, played)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(board: &mut OthelloBoard, side: Side, text: &str) -> Result<Played, Reason> {
        let mv = super::super::parse_move(BoardSize::square(8), text.as_bytes()).expect(text);
        board.play(side, &mv).map_err(|illegal| illegal.reason)
    }

    #[test]
    fn both_notations_and_turning() {
        let mut board = OthelloBoard::new(BoardSize::square(8)).expect("fits");
        assert_eq!(play(&mut board, Side::Black, "c4").map(|played| played.turned), Ok(1));
        assert_eq!(play(&mut board, Side::White, "cc").map(|played| played.turned), Ok(1)); // c3
        assert_eq!(play(&mut board, Side::Black, "h8"), Err(Reason::TurnsNothing));
        assert_eq!(play(&mut board, Side::Black, "PA"), Err(Reason::NeedlessPass));
        assert_eq!(play(&mut board, Side::White, "d4"), Err(Reason::Occupied));
    }

    #[test]
    fn a_setup_replaces_the_start() {
        let mut board = OthelloBoard::new(BoardSize::square(8)).expect("fits");
        board.set_up(Some(Side::Black), Field::new(0, 0)).expect("on the board");
        assert_eq!((board.count(Side::Black), board.count(Side::White)), (1, 0));
        assert_eq!(play(&mut board, Side::White, ""), Ok(Played::default()));
    }
}
