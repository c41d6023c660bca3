//! Board of any of Pentobi's 18 variants: pieces are placed, set up, and removed.

use crate::game::{
    Board, BoardCell, Effects, Illegal, Move, Setup, Side, Stone, Variant, Violation,
};
use crate::value::BoardSize;

use super::super::board::character_of;
use super::shape::{Shape, shape};
use super::{PentobiCells, Piece};

/// Maximum number of pieces of one color (spec P-47).
pub const PENTOBI_PIECES_MAX: u32 = 24;

#[derive(Clone)]
struct PlacedPiece {
    side: Side,
    piece: Piece,
    shape: Option<Shape>,
    /// Cells of the piece that no later piece covers.
    visible: u32,
}

/// Board of one of Pentobi's games.
///
/// ```
/// use sgfstream_game::pentobi::{PentobiBoard, Piece};
/// use sgfstream_game::{Move, Side, board::Board, dialect::Variant};
///
/// let variant = Variant::BlokusDuo;
/// let mut board = PentobiBoard::new(variant);
/// let piece = Piece::parse(variant, b"f9,e10,f10,g10,f11")?;
/// let field = piece.fields()[0];
/// let mv = Move::Piece(piece);
/// board.play(Side::Black, &mv)?;
/// assert_eq!(board.stone(field), Some(Side::Black));
/// assert!(board.play(Side::White, &mv).is_err()); // the cells are occupied
///
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PentobiBoard {
    variant: Variant,
    fields: PentobiCells,
    /// For each coordinate, the index of the piece that covers it.
    cover: Vec<Option<u16>>,
    laid: Vec<Option<PlacedPiece>>,
    counts: [u32; 4],
}

impl PentobiBoard {
    /// Returns an empty board.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        let fields = PentobiCells::of(variant);
        let cover = vec![None; usize::from(fields.columns) * usize::from(fields.rows)];
        Self {
            variant,
            fields,
            cover,
            laid: Vec::new(),
            counts: [0; 4],
        }
    }

    fn at(&self, field: BoardCell) -> usize {
        usize::from(field.row) * usize::from(self.fields.columns) + usize::from(field.column)
    }

    fn is_field(&self, field: BoardCell) -> bool {
        self.fields
            .kind_of(field)
            .is_some_and(super::CellKind::is_playable)
    }

    /// Places a piece, even over other pieces. The documents do not contain the rules of the games.
    /// This function checks only that the cells are free and connected, and that the color has such
    /// a piece left (spec P-47).
    fn lay(&mut self, side: Side, piece: &Piece) -> Result<Option<Violation>, Illegal> {
        if !piece.fields().iter().all(|&field| self.is_field(field)) {
            return Err(Illegal::OFF_BOARD);
        }
        let shape = shape(self.fields, piece);
        let mut fault = None;
        if shape.is_none() {
            fault = Some(Violation::NoSuchPiece);
        } else if piece
            .fields()
            .iter()
            .any(|&field| self.cover[self.at(field)].is_some())
        {
            fault = Some(Violation::Occupied);
        } else if self.counts[side.index()] >= PENTOBI_PIECES_MAX {
            fault = Some(Violation::TooManyPieces);
        } else if let Some(most) = self.copies_of_shape() {
            let same = self
                .laid
                .iter()
                .flatten()
                .filter(|laid| laid.side == side && laid.shape == shape);
            if same.count() >= most {
                fault = Some(Violation::PieceTwice);
            }
        }
        let laid = PlacedPiece {
            side,
            piece: piece.clone(),
            shape,
            visible: piece.fields().len() as u32,
        };
        // Every piece has at least one visible cell, because a covered piece is dropped. So there
        // are never more pieces than cells.
        let index = match self.laid.iter().position(Option::is_none) {
            Some(free) => {
                self.laid[free] = Some(laid);
                free
            }
            None => {
                self.laid.push(Some(laid));
                self.laid.len() - 1
            }
        };
        self.counts[side.index()] += 1;
        for &field in piece.fields() {
            let at = self.at(field);
            if let Some(before) = self.cover[at].replace(index as u16) {
                self.hide(usize::from(before));
            }
        }
        Ok(fault)
    }

    /// Returns how many pieces of each shape a color has: one, or two in Blokus Junior. Returns
    /// `None` if the number is unknown.
    fn copies_of_shape(&self) -> Option<usize> {
        match self.variant {
            Variant::BlokusJunior => Some(2),
            Variant::Callisto
            | Variant::CallistoTwoPlayer
            | Variant::CallistoTwoPlayerFourColor
            | Variant::CallistoThreePlayer => None,
            _ => Some(1),
        }
    }

    fn hide(&mut self, index: usize) {
        let Some(laid) = &mut self.laid[index] else {
            return;
        };
        laid.visible -= 1;
        if laid.visible == 0 {
            self.counts[laid.side.index()] -= 1;
            self.laid[index] = None;
        }
    }

    fn remove(&mut self, piece: &Piece) -> Result<(), Violation> {
        let first = piece.fields()[0];
        if !self.is_field(first) {
            return Err(Violation::OffBoard);
        }
        let index = usize::from(self.cover[self.at(first)].ok_or(Violation::NotThere)?);
        match &self.laid[index] {
            Some(laid) if laid.piece == *piece => {}
            _ => return Err(Violation::NotThere),
        }
        for &field in piece.fields() {
            let at = self.at(field);
            if self.cover[at] == Some(index as u16) {
                self.cover[at] = None;
                self.hide(index);
            }
        }
        Ok(())
    }
}

impl Board for PentobiBoard {
    fn size(&self) -> BoardSize {
        BoardSize::new(u32::from(self.fields.columns), u32::from(self.fields.rows))
    }

    fn stone(&self, field: BoardCell) -> Option<Side> {
        if !self.is_field(field) {
            return None;
        }
        let index = self.cover[self.at(field)]?;
        self.laid[usize::from(index)].as_ref().map(|laid| laid.side)
    }

    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let Move::Piece(piece) = mv else {
            return Err(Illegal::NOT_A_MOVE);
        };
        let played = Effects::default();
        let fault = self.lay(side, piece)?;
        Illegal::unless_fine(fault, played)
    }

    /// Places a piece, or removes the piece with exactly these cells (`AE`, spec P-43). In one
    /// node, pieces are added before others are removed (spec P-47).
    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        let Stone::Piece(piece) = stone else {
            return Err(Illegal::NOT_A_MOVE);
        };
        let fault = match setup.stone()? {
            Some(side) => self.lay(side, piece)?,
            None => self.remove(piece).err(),
        };
        fault.map_or(Ok(()), |reason| Err(Illegal::nothing_done(reason)))
    }

    fn character(&self, field: BoardCell) -> char {
        if self.is_field(field) {
            character_of(self.stone(field))
        } else {
            ' '
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(raw: &str) -> Piece {
        Piece::parse(Variant::BlokusDuo, raw.as_bytes()).expect(raw)
    }

    fn play(board: &mut PentobiBoard, side: Side, raw: &str) -> Option<Violation> {
        board
            .play(side, &Move::Piece(piece(raw)))
            .err()
            .map(|illegal| illegal.reason)
    }

    fn set_up(board: &mut PentobiBoard, side: Option<Side>, raw: &str) -> Result<(), Illegal> {
        board.set_up(Setup::Stone(side), &Stone::Piece(piece(raw)))
    }

    #[test]
    fn whole_pieces_come_and_go() {
        let mut board = PentobiBoard::new(Variant::BlokusDuo);
        set_up(&mut board, Some(Side::Black), "e8,e9,f9,d10,e10").expect("free");
        set_up(&mut board, Some(Side::Black), "g6,f7,g7,h7,g8").expect("free");
        assert_eq!(board.counts[0], 2);
        let illegal = set_up(&mut board, None, "e8").expect_err("not a whole piece");
        assert_eq!(illegal.reason, Violation::NotThere);
        set_up(&mut board, None, "e10,d10,f9,e9,e8").expect("laid before");
        assert_eq!(
            (board.counts[0], board.stone(piece("e8").fields()[0])),
            (1, None)
        );
    }

    #[test]
    fn checked_rules() {
        let mut board = PentobiBoard::new(Variant::BlokusDuo);
        assert_eq!(play(&mut board, Side::Black, "a1,b1"), None);
        assert_eq!(
            play(&mut board, Side::Black, "c2,c3"),
            Some(Violation::PieceTwice)
        );
        assert_eq!(play(&mut board, Side::White, "c5,c6"), None);
        assert_eq!(
            play(&mut board, Side::White, "c6,c7,c8"),
            Some(Violation::Occupied)
        );
        assert_eq!(
            play(&mut board, Side::White, "h1,j1"),
            Some(Violation::NoSuchPiece)
        );
        let outside = Move::Piece(Piece::parse(Variant::Blokus, b"t20").expect("ok"));
        assert_eq!(board.play(Side::White, &outside), Err(Illegal::OFF_BOARD));
    }

    #[test]
    fn pieces_that_are_covered_are_forgotten() {
        let mut board = PentobiBoard::new(Variant::BlokusDuo);
        for _ in 0..10_000 {
            let _ = play(&mut board, Side::Black, "a1,b1");
            let _ = play(&mut board, Side::White, "a1");
        }
        assert!(board.laid.len() <= 4);
        assert_eq!(board.counts[0] + board.counts[1], 2);
    }
}
