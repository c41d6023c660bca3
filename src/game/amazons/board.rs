//! An Amazons board: amazons move and shoot like queens.

use crate::value::BoardSize;

use super::super::{Field, Illegal, Move, Played, Reason, Side};

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Square {
    /// Nothing.
    Empty,
    /// An amazon.
    Amazon(Side),
    /// An arrow (`AA`).
    Arrow,
}

/// A board at the start of FF\[4\], or of what the record sets up.
#[derive(Clone)]
pub struct AmazonsBoard {
    size: BoardSize,
    squares: Vec<Square>,
    fresh: bool,
    last: Option<Side>,
}

impl AmazonsBoard {
    /// A board with `AB[dj][gj][ag][jg]AW[da][ga][ad][jd]` if it is 10 x 10,
    /// else an empty one (the page gives no other start); `None` above 52 on a
    /// side.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        if size.longer() > BoardSize::MAX_TWO_LETTER {
            return None;
        }
        let squares = vec![Square::Empty; (size.columns() * size.rows()) as usize];
        let mut board = Self { size, squares, fresh: true, last: None };
        if size == BoardSize::square(super::AMAZONS_DEFAULT) {
            for (column, row, side) in [
                (3, 9, Side::Black),
                (6, 9, Side::Black),
                (0, 6, Side::Black),
                (9, 6, Side::Black),
                (3, 0, Side::White),
                (6, 0, Side::White),
                (0, 3, Side::White),
                (9, 3, Side::White),
            ] {
                let _ = board.put(Field::new(column, row), Square::Amazon(side));
            }
        }
        Some(board)
    }

    /// What stands there.
    #[must_use]
    pub fn square(&self, field: Field) -> Option<Square> {
        field.index_on(self.size).map(|at| self.squares[at])
    }

    fn put(&mut self, field: Field, square: Square) -> Result<Square, Illegal> {
        let at = field.index_on(self.size).ok_or_else(|| Illegal::nothing_done(Reason::OffBoard))?;
        Ok(std::mem::replace(&mut self.squares[at], square))
    }

    /// Sets a square up. The first one clears the start: with `AB`, `AW`, `AE` or
    /// `AA` in the root only those count (spec games §18).
    ///
    /// # Errors
    /// [`Reason::OffBoard`]; nothing is done then.
    pub fn set_up(&mut self, square: Square, field: Field) -> Result<(), Illegal> {
        if std::mem::replace(&mut self.fresh, false) {
            self.squares.fill(Square::Empty);
        }
        self.put(field, square)?;
        Ok(())
    }

    /// Moves an amazon and shoots.
    ///
    /// # Errors
    /// The rule that it is against; executed all the same, if all three
    /// squares are on the board.
    pub fn play(&mut self, side: Side, mv: &Move) -> Result<Played, Illegal> {
        let &Move::Shot { from, to, arrow } = mv else {
            return Err(Illegal::nothing_done(Reason::NotAMove));
        };
        if ![from, to, arrow].into_iter().all(|field| field.is_on(self.size)) {
            return Err(Illegal::nothing_done(Reason::OffBoard));
        }
        self.fresh = false;
        let played = Played { out_of_turn: self.last == Some(side), ..Played::default() };
        self.last = Some(side);
        let mut fault = None;
        if self.put(from, Square::Empty)? != Square::Amazon(side) {
            fault = Some(Reason::NoPiece);
        }
        // The square left behind is free to shoot at, and to shoot across.
        if !self.is_free_line(from, to) || !self.is_free_line(to, arrow) {
            fault = fault.or(Some(Reason::Blocked));
        }
        self.put(to, Square::Amazon(side))?;
        self.put(arrow, Square::Arrow)?;
        Illegal::unless_fine(fault, played)
    }

    /// A straight line with nothing on it behind its first square.
    fn is_free_line(&self, from: Field, to: Field) -> bool {
        let right = i32::from(to.column) - i32::from(from.column);
        let down = i32::from(to.row) - i32::from(from.row);
        let distance = right.abs().max(down.abs());
        let is_straight = right == 0 || down == 0 || right.abs() == down.abs();
        distance > 0
            && is_straight
            && (1..=distance).all(|step| {
                let column = i32::from(from.column) + right.signum() * step;
                let row = i32::from(from.row) + down.signum() * step;
                self.square(Field::new(column as u16, row as u16)) == Some(Square::Empty)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(board: &mut AmazonsBoard, side: Side, text: &str) -> Result<Played, Reason> {
        let mv = super::super::parse_move(BoardSize::square(10), text.as_bytes()).expect(text);
        board.play(side, &mv).map_err(|illegal| illegal.reason)
    }

    #[test]
    fn moves() {
        let mut board = AmazonsBoard::new(BoardSize::square(10)).expect("fits");
        assert!(play(&mut board, Side::Black, "djddgd").is_ok()); // the page's
        assert_eq!(board.square(Field::new(3, 3)), Some(Square::Amazon(Side::Black)));
        assert_eq!(board.square(Field::new(6, 3)), Some(Square::Arrow));
        // Shot back over the square it left.
        assert!(play(&mut board, Side::White, "dadbda").is_ok());
        assert_eq!(play(&mut board, Side::White, "gaggge"), Err(Reason::Blocked)); // the arrow on gd
        assert_eq!(play(&mut board, Side::Black, "aabbcc"), Err(Reason::NoPiece));
        board.set_up(Square::Arrow, Field::new(0, 0)).expect("on the board");
        assert_eq!(board.square(Field::new(3, 3)), Some(Square::Amazon(Side::Black)));
    }
}
