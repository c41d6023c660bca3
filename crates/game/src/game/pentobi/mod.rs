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
pub use charset::{Document, accepts_charset, default_charset};
pub use idents::{Subject, canonical_ident, first_move, is_foreign, name_idents, subject};
pub use piece::Piece;
pub(super) use piece::{parse_point, write_point};

/// Extension of file names (spec P-04).
pub const EXTENSION: &str = "blksgf";
/// MIME type, which is not registered (spec P-04).
pub const MIME_TYPE: &str = "application/x-blokus-sgf";
/// Line for a web server's `.htaccess`, so that links open in Pentobi (spec P-05).
pub const HTACCESS: &str = "AddType application/x-blokus-sgf blksgf";
