//! Pieces: a piece is a move, or one value of a setup property (spec P-34 to P-43).

use std::fmt;

use crate::value::from_fn;

use super::super::coordinates::{read_lettered, write_lettered};
use super::super::{BoardCell, Fault, Variant};
use super::PentobiCells;

const POINT: &str = "a column letter and a row number";
const PIECE: &str = "the points of a piece, separated by `,` without blanks";
const SEGMENT: &str = "line segments alone, no junction";

/// Cells of a piece, in the order a1, b1, …, a2, b2, …, so that every move has only one spelling
/// (spec P-37).
///
/// ```
/// use sgfstream_game::dialect::Variant;
/// use sgfstream_game::pentobi::Piece;
///
/// let piece = Piece::parse(Variant::BlokusDuo, b"F11,G10,e10,f10,f9")?;
/// assert_eq!(piece.show(Variant::BlokusDuo).to_string(), "f9,e10,f10,g10,f11");
/// # Ok::<(), sgfstream_game::board::Fault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Piece(Box<[BoardCell]>);

impl Piece {
    // Piece = Point {"," Point}
    /// Parses one value strictly.
    ///
    /// # Errors
    /// [`Fault::Syntax`], also for a junction of Nexos and for an empty value (there is no pass,
    /// spec P-40); [`Fault::OffBoard`]; [`Fault::NoCell`]; [`Fault::Repeated`].
    pub fn parse(variant: Variant, raw: &[u8]) -> Result<Self, Fault> {
        Self::collect(variant, raw.split(|&byte| byte == b','))
    }

    /// Parses values as Pentobi does: ignores blanks around a coordinate (spec P-35), and joins
    /// several values to one piece, because versions before 0.3 wrote one value for each point
    /// (spec P-39).
    ///
    /// ```
    /// use sgfstream_game::dialect::Variant;
    /// use sgfstream_game::pentobi::Piece;
    ///
    /// let values = [&b"a1,b1"[..], b" c1"];
    /// let piece = Piece::parse_values(Variant::Blokus, values)?;
    /// assert_eq!(piece.show(Variant::Blokus).to_string(), "a1,b1,c1");
    /// # Ok::<(), sgfstream_game::board::Fault>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`parse`](Self::parse).
    pub fn parse_values<'a>(
        variant: Variant,
        values: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Self, Fault> {
        let points = values
            .into_iter()
            .flat_map(|value| value.split(|&byte| byte == b','));
        Self::collect(variant, points.map(<[u8]>::trim_ascii))
    }

    fn collect<'a>(
        variant: Variant,
        points: impl Iterator<Item = &'a [u8]>,
    ) -> Result<Self, Fault> {
        let fields = PentobiCells::of(variant);
        let mut piece = Vec::with_capacity(8);
        for raw in points {
            let field = parse_point(variant, raw).map_err(|fault| fault.with_syntax(PIECE))?;
            if !fields
                .kind_of(field)
                .is_some_and(super::CellKind::is_playable)
            {
                return Err(Fault::Syntax(SEGMENT));
            }
            piece.push(field);
        }
        // Lower rows come first.
        piece.sort_unstable_by_key(|field| (u16::MAX - field.row, field.column));
        if piece.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Fault::Repeated);
        }
        Ok(Self(piece.into()))
    }

    /// Returns the cells in canonical order; there is at least one.
    #[must_use]
    pub fn fields(&self) -> &[BoardCell] {
        &self.0
    }

    /// Displays the canonical form: sorted, in lowercase, without blanks.
    pub fn show(&self, variant: Variant) -> impl fmt::Display + '_ {
        from_fn(move |f| self.write(f, variant))
    }

    pub(in super::super) fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        variant: Variant,
    ) -> fmt::Result {
        for (index, &field) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "," })?;
            write_point(f, variant, field)?;
        }
        Ok(())
    }
}

/// Parses a point of the board, which may be a junction of Nexos. Holes and cut corners are
/// [`Fault::NoCell`] (spec P-25 to P-33).
pub(in super::super) fn parse_point(variant: Variant, raw: &[u8]) -> Result<BoardCell, Fault> {
    let (column, rank) = read_lettered(raw).ok_or(Fault::Syntax(POINT))?;
    let fields = PentobiCells::of(variant);
    match fields.kind(column, rank) {
        Some(_) => Ok(fields.field(column, rank)),
        None if column < fields.columns && rank < fields.rows => Err(Fault::NoCell(fields.gap())),
        None => Err(Fault::OffBoard),
    }
}

pub(in super::super) fn write_point(
    f: &mut fmt::Formatter<'_>,
    variant: Variant,
    field: BoardCell,
) -> fmt::Result {
    write_lettered(
        f,
        field.column,
        PentobiCells::of(variant).rank(field).unwrap_or(0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_pieces() {
        for raw in [
            "", "a1,", ",a1", "a1,,b1", "a1 ,b1", "a 1", "a1;b1", "a1:b1", "1a", "a0",
        ] {
            assert!(
                Piece::parse(Variant::Blokus, raw.as_bytes()).is_err(),
                "{raw}"
            );
        }
        assert_eq!(
            Piece::parse(Variant::Blokus, b"a1,A1"),
            Err(Fault::Repeated)
        );
        assert_eq!(Piece::parse(Variant::Blokus, b"u1"), Err(Fault::OffBoard));
        assert_eq!(
            Piece::parse(Variant::Nexos, b"a1,b1"),
            Err(Fault::Syntax(SEGMENT))
        );
        assert_eq!(
            Piece::parse(Variant::Nexos, b"b2"),
            Err(Fault::NoCell("a hole"))
        );
        assert_eq!(
            Piece::parse(Variant::BlokusTrigon, b"a1"),
            Err(Fault::NoCell("a corner outside the hexagon"))
        );
        assert_eq!(
            Piece::parse(Variant::BlokusTrigon, b"a19"),
            Err(Fault::OffBoard)
        );
    }
}
