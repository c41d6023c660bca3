//! A board of any of the 18 variants: pieces laid, set up, and removed.

use super::super::{Field, Illegal, Played, Reason, Side, Variant};
use super::shape::{Shape, shape};
use super::{Fields, Piece};

/// The most pieces of one colour (spec P-47).
pub const PENTOBI_PIECES_MAX: u32 = 24;

#[derive(Clone)]
struct Laid {
    side: Side,
    piece: Piece,
    shape: Option<Shape>,
    /// Fields of it that no later piece covers.
    visible: u32,
}

/// A board.
///
/// ```
/// use sgfstream::game::{Side, Variant, pentobi::{PentobiBoard, Piece}};
///
/// let variant = Variant::BlokusDuo;
/// let mut board = PentobiBoard::new(variant);
/// let piece = Piece::parse(variant, b"f9,e10,f10,g10,f11")?;
/// board.play(Side::Black, &piece)?;
/// assert_eq!(board.colour(piece.fields()[0]), Some(Side::Black));
/// assert!(board.play(Side::White, &piece).is_err()); // the fields are taken
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PentobiBoard {
    variant: Variant,
    fields: Fields,
    /// For each coordinate, which piece covers it.
    cover: Vec<Option<u16>>,
    laid: Vec<Option<Laid>>,
    counts: [u32; 4],
    last: Option<Side>,
}

impl PentobiBoard {
    /// An empty board.
    #[must_use]
    pub fn new(variant: Variant) -> Self {
        let fields = Fields::of(variant);
        let cover = vec![None; usize::from(fields.columns()) * usize::from(fields.rows())];
        Self { variant, fields, cover, laid: Vec::new(), counts: [0; 4], last: None }
    }

    /// Which game it is of.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    fn at(&self, field: Field) -> usize {
        usize::from(field.row) * usize::from(self.fields.columns()) + usize::from(field.column)
    }

    fn is_field(&self, field: Field) -> bool {
        self.fields.kind_of(field).is_some_and(super::FieldKind::is_playable)
    }

    /// The colour of the piece on a field.
    #[must_use]
    pub fn colour(&self, field: Field) -> Option<Side> {
        if !self.is_field(field) {
            return None;
        }
        let index = self.cover[self.at(field)]?;
        self.laid[usize::from(index)].as_ref().map(|laid| laid.side)
    }

    /// How many pieces of a colour lie on the board.
    #[must_use]
    pub fn pieces(&self, side: Side) -> u32 {
        self.counts[side.index()]
    }

    /// Lays a piece. The rules of the games are not in the documents; what is
    /// looked at is whether its fields are free and hang together, and whether
    /// the colour has it (spec P-47).
    ///
    /// # Errors
    /// What is wrong with it; it is laid all the same, over what is there,
    /// unless a field is none of the board.
    pub fn play(&mut self, side: Side, piece: &Piece) -> Result<Played, Illegal> {
        let played = Played { out_of_turn: self.last == Some(side), ..Played::default() };
        self.last = Some(side);
        let fault = self.lay(side, piece)?;
        Illegal::unless_fine(fault, played)
    }

    /// Lays a piece as setup (`AB`, `A1` and so on), or removes the piece with
    /// exactly these fields (`AE`, spec P-43). In one node pieces are added
    /// before others are removed (spec P-47).
    ///
    /// # Errors
    /// As [`play`](Self::play); [`Reason::NotThere`] for `AE` of no piece.
    pub fn set_up(&mut self, side: Option<Side>, piece: &Piece) -> Result<(), Illegal> {
        let fault = match side {
            Some(side) => self.lay(side, piece)?,
            None => self.remove(piece).err(),
        };
        fault.map_or(Ok(()), |reason| Err(Illegal::nothing_done(reason)))
    }

    fn lay(&mut self, side: Side, piece: &Piece) -> Result<Option<Reason>, Illegal> {
        if !piece.fields().iter().all(|&field| self.is_field(field)) {
            return Err(Illegal::nothing_done(Reason::OffBoard));
        }
        let shape = shape(self.fields, piece);
        let mut fault = None;
        if shape.is_none() {
            fault = Some(Reason::NoSuchPiece);
        } else if piece.fields().iter().any(|&field| self.cover[self.at(field)].is_some()) {
            fault = Some(Reason::Occupied);
        } else if self.counts[side.index()] >= PENTOBI_PIECES_MAX {
            fault = Some(Reason::TooManyPieces);
        } else if let Some(most) = self.of_each() {
            let same = self.laid.iter().flatten().filter(|laid| laid.side == side && laid.shape == shape);
            if same.count() >= most {
                fault = Some(Reason::PieceTwice);
            }
        }
        let laid = Laid { side, piece: piece.clone(), shape, visible: piece.fields().len() as u32 };
        // A piece has one field at least and is dropped when none shows, so
        // there are never more than there are fields.
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

    /// How many there are of each shape, where that is known: one, in Junior
    /// two.
    fn of_each(&self) -> Option<usize> {
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
        let Some(laid) = &mut self.laid[index] else { return };
        laid.visible -= 1;
        if laid.visible == 0 {
            self.counts[laid.side.index()] -= 1;
            self.laid[index] = None;
        }
    }

    fn remove(&mut self, piece: &Piece) -> Result<(), Reason> {
        let first = piece.fields()[0];
        if !self.is_field(first) {
            return Err(Reason::OffBoard);
        }
        let index = usize::from(self.cover[self.at(first)].ok_or(Reason::NotThere)?);
        match &self.laid[index] {
            Some(laid) if laid.piece == *piece => {}
            _ => return Err(Reason::NotThere),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(raw: &str) -> Piece {
        Piece::parse(Variant::BlokusDuo, raw.as_bytes()).expect(raw)
    }

    fn reason(result: Result<Played, Illegal>) -> Option<Reason> {
        result.err().map(|illegal| illegal.reason)
    }

    #[test]
    fn whole_pieces_come_and_go() {
        let mut board = PentobiBoard::new(Variant::BlokusDuo);
        board.set_up(Some(Side::Black), &piece("e8,e9,f9,d10,e10")).expect("free");
        board.set_up(Some(Side::Black), &piece("g6,f7,g7,h7,g8")).expect("free");
        assert_eq!(board.pieces(Side::Black), 2);
        let illegal = board.set_up(None, &piece("e8")).expect_err("not a whole piece");
        assert_eq!(illegal.reason, Reason::NotThere);
        board.set_up(None, &piece("e10,d10,f9,e9,e8")).expect("laid before");
        assert_eq!((board.pieces(Side::Black), board.colour(piece("e8").fields()[0])), (1, None));
    }

    #[test]
    fn what_is_looked_at() {
        let mut board = PentobiBoard::new(Variant::BlokusDuo);
        assert_eq!(reason(board.play(Side::Black, &piece("a1,b1"))), None);
        assert_eq!(reason(board.play(Side::Black, &piece("c2,c3"))), Some(Reason::PieceTwice));
        assert_eq!(reason(board.play(Side::White, &piece("c5,c6"))), None);
        assert_eq!(reason(board.play(Side::White, &piece("c6,c7,c8"))), Some(Reason::Occupied));
        assert_eq!(reason(board.play(Side::White, &piece("h1,j1"))), Some(Reason::NoSuchPiece));
        let illegal = board.play(Side::White, &Piece::parse(Variant::Blokus, b"t20").expect("ok")).expect_err("off");
        assert_eq!(illegal.reason, Reason::OffBoard);
    }

    #[test]
    fn pieces_that_are_covered_are_forgotten() {
        let mut board = PentobiBoard::new(Variant::BlokusDuo);
        for _ in 0..10_000 {
            let _ = board.play(Side::Black, &piece("a1,b1"));
            let _ = board.play(Side::White, &piece("a1"));
        }
        assert!(board.laid.len() <= 4);
        assert_eq!(board.pieces(Side::Black) + board.pieces(Side::White), 2);
    }
}
