//! The cut of one large input into parts that can be read on their own, event for event what a single reader gives.
//!
//! A [`PartReader`] starts in any block of the input, at the place where a game probably begins, without waiting for the
//! parts before it. Whether a part begins where the one before it ends is checked, and one that does not is thrown away.
//!
//! The parts that count depend on the bytes and on the size of a block, never on the number of threads. A file that
//! cannot be cut, because it is one game, one value or noise, is one part.
//!
//! [`read_file`] reads one file on all cores. The crate `sgfstream-engine` reads many inputs.

// SGF is self-synchronising: whether a byte is inside or outside a value, both guesses agree after the next unescaped
// `]`, and the depth is a sum. So any block of the input tells where a game probably begins, and a
// `PartReader` can start there without waiting for the parts before it. Whether that guess was right is checked: a
// part ends only where its own reader comes to a written `(` of depth 0 at a border, and has nothing in its state that
// a new reader would lack (no dropped or supplied parenthesis is open, no byte order mark was read). A part that
// begins where no other part ends is thrown away, and the part before it reads on.

mod border;
mod part;
mod part_end;
mod part_read;
mod read_at;
mod read_file;

pub use part::{GamePlace, PartReader};
pub use part_end::{End, PartEnd};
pub use part_read::PartRead;
pub use read_at::ReadAt;
pub use read_file::read_file;
