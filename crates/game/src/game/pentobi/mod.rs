//! Files of Pentobi: Blokus, Trigon, Nexos, Callisto and GembloQ in 18 variants. Boards are sets of
//! cells, moves are pieces, and identifiers for colors and players differ from the standard (spec
//! P-01 to P-48, PO-01 to PO-10).

mod board;
mod cells;
mod charset;
mod idents;
mod piece;
mod shape;

pub use board::{PENTOBI_PIECES_MAX, PentobiBoard};
pub use cells::{CellKind, PentobiCells};
pub use charset::accepts_charset;
pub use idents::{Subject, canonical_ident, is_foreign, name_idents, subject};
pub use piece::Piece;
pub(super) use piece::{parse_point, write_point};
