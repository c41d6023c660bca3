//! Pentobi's files: Blokus, Trigon, Nexos, Callisto and GembloQ in 18 variants.
//! Boards are sets of fields, moves are pieces, colours and players are named by
//! rules of their own (spec P-01 to P-48, PO-01 to PO-10).

mod board;
mod charset;
mod fields;
mod idents;
mod piece;
mod shape;

pub use board::{PENTOBI_PIECES_MAX, PentobiBoard};
pub use charset::{Document, accepts_charset, default_charset};
pub use fields::{FieldKind, Fields};
pub use idents::{Subject, canonical_ident, first_move, is_foreign, name_idents, subject};
pub use piece::Piece;
pub(super) use piece::{parse_point, write_point};

/// The extension of a file's name (spec P-04).
pub const EXTENSION: &str = "blksgf";
/// The MIME type; not a registered one (spec P-04).
pub const MIME_TYPE: &str = "application/x-blokus-sgf";
/// The line for a web server's `.htaccess`, so that links open in Pentobi
/// (spec P-05).
pub const HTACCESS: &str = "AddType application/x-blokus-sgf blksgf";
