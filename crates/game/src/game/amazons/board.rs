//! Board of Amazons: amazons move and shoot like queens.

use crate::game::{Board, BoardCell, Effects, Game, Illegal, Move, Setup, Side, Stone, Violation};
use crate::value::BoardSize;

use super::super::board::character_of;
use super::super::grid::{Grid, queen_line};

/// Content of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Square {
    /// The square is empty.
    #[default]
    Empty,
    /// An amazon.
    Amazon(Side),
    /// An arrow (`AA`).
    Arrow,
}

/// Board with the start of FF\[4\], or with the position that the record sets up.
#[derive(Clone)]
pub struct AmazonsBoard {
    grid: Grid<Square>,
}

impl AmazonsBoard {
    /// Returns a board with `AB[dj][gj][ag][jg]AW[da][ga][ad][jd]` if it is 10 x 10. Another size
    /// is empty, because the page gives no start for it. Returns `None` if a side is above 52.
    /// Setup in the root replaces the start (games 18).
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        let has_start = Some(size) == Game::Amazons.default_size();
        let amazons = |side, points: [(u16, u16); 4]| {
            points.map(|(column, row)| (column, row, Square::Amazon(side)))
        };
        let start = amazons(Side::Black, [(3, 9), (6, 9), (0, 6), (9, 6)])
            .into_iter()
            .chain(amazons(Side::White, [(3, 0), (6, 0), (0, 3), (9, 3)]));
        Some(Self {
            grid: Grid::of_letters(size, start.filter(|_| has_start))?,
        })
    }

    /// Returns the content of a square; empty off the board.
    #[must_use]
    pub fn square(&self, field: BoardCell) -> Square {
        self.grid.get(field)
    }

    /// Returns whether the line is straight and all squares after its first one are empty.
    fn is_free_line(&self, from: BoardCell, to: BoardCell) -> bool {
        queen_line(from, to).is_some_and(|(step, distance)| {
            self.grid
                .ray(from, step)
                .take(distance)
                .all(|field| self.square(field) == Square::Empty)
        })
    }
}

impl Board for AmazonsBoard {
    fn size(&self) -> BoardSize {
        self.grid.size()
    }

    fn stone(&self, field: BoardCell) -> Option<Side> {
        match self.square(field) {
            Square::Amazon(side) => Some(side),
            Square::Empty | Square::Arrow => None,
        }
    }

    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let &Move::Shot { from, to, arrow } = mv else {
            return Err(Illegal::NOT_A_MOVE);
        };
        if ![from, to, arrow]
            .into_iter()
            .all(|field| field.is_on(self.size()))
        {
            return Err(Illegal::OFF_BOARD);
        }
        self.grid.leave_start();
        let played = Effects::default();
        let mut fault = None;
        if self.grid.put(from, Square::Empty)? != Square::Amazon(side) {
            fault = Some(Violation::NoPiece);
        }
        // The amazon may shoot at and across the square that it left.
        if !self.is_free_line(from, to) || !self.is_free_line(to, arrow) {
            fault = fault.or(Some(Violation::Blocked));
        }
        self.grid.put(to, Square::Amazon(side))?;
        self.grid.put(arrow, Square::Arrow)?;
        Illegal::unless_fine(fault, played)
    }

    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        let square = match setup {
            Setup::Stone(side) => side.map_or(Square::Empty, Square::Amazon),
            Setup::Arrow => Square::Arrow,
            _ => return Err(Illegal::NOT_A_MOVE),
        };
        self.grid.set_up(stone.point()?, square)
    }

    fn content(&self, field: BoardCell) -> u64 {
        match self.square(field) {
            Square::Empty => 0,
            Square::Amazon(side) => side.index() as u64 + 1,
            Square::Arrow => 255,
        }
    }

    fn character(&self, field: BoardCell) -> char {
        if self.square(field) == Square::Arrow {
            '*'
        } else {
            character_of(self.stone(field))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(board: &mut AmazonsBoard, side: Side, text: &str) -> Result<Effects, Violation> {
        let mv = super::super::parse_move(BoardSize::square(10), text.as_bytes()).expect(text);
        board.play(side, &mv).map_err(|illegal| illegal.reason)
    }

    #[test]
    fn moves() {
        let mut board = AmazonsBoard::new(BoardSize::square(10)).expect("fits");
        assert!(play(&mut board, Side::Black, "djddgd").is_ok()); // the page's
        assert_eq!(
            board.square(BoardCell::new(3, 3)),
            Square::Amazon(Side::Black)
        );
        assert_eq!(board.square(BoardCell::new(6, 3)), Square::Arrow);
        // Shot back over the square it left.
        assert!(play(&mut board, Side::White, "dadbda").is_ok());
        assert_eq!(
            play(&mut board, Side::White, "gaggge"),
            Err(Violation::Blocked)
        ); // the arrow on gd
        assert_eq!(
            play(&mut board, Side::Black, "aabbcc"),
            Err(Violation::NoPiece)
        );
        board
            .set_up(Setup::Arrow, &Stone::Point(BoardCell::new(0, 0)))
            .expect("on the board");
        assert_eq!(
            board.square(BoardCell::new(3, 3)),
            Square::Amazon(Side::Black)
        );
    }
}
