//! Cuts one large input into parts that can be read separately and have the same events as a single
//! reader.
//!
//! A [`PartReader`] starts in any block of the input, where a game probably begins, without waiting
//! for the parts before it. The caller checks that each part begins where the previous one ends,
//! and drops a part that does not.
//!
//! The parts that remain depend on the bytes and on the size of a block, never on the number of
//! threads. A file that cannot be cut, because it is one game, one value or noise, is one part.
//!
//! [`read_file`] reads one file on all cores. The crate `sgfstream-engine` reads many inputs.

// SGF is self-synchronizing: for a byte, the guesses "inside a value" and "outside" agree after the
// next unescaped `]`, and depth is a sum. So any block of the input shows where a game probably
// begins, and a `PartReader` can start there without waiting for the parts before it. The guess is
// checked: a part ends only where its own reader finds a `(` of the input with depth 0 at a border,
// and has no state that a new reader would lack (no dropped or inserted parenthesis is open, no
// byte order mark was read). A part that begins where no other part ends is dropped, and the part
// before it reads on.

mod border;
mod part;
mod part_end;
mod part_read;
mod read_at;
mod read_file;

pub use part::PartReader;
pub use read_file::read_file;

/// The parts of an input, one by one, for `sgfstream-engine`.
pub(crate) mod internal {
    pub use super::part::GamePlace;
    pub use super::part_end::{End, PartEnd, UnclosedGame};
    pub use super::part_read::PartRead;
    pub use super::read_at::ReadAt;
}
