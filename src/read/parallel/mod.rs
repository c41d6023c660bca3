//! One huge input on all cores, event for event what a single reader gives.
//!
//! SGF is self-synchronising: whether a byte stands inside a value or outside,
//! both guesses agree behind the next `]` that nothing escapes, and the depth
//! is a sum. So the start of any block tells where a game probably begins
//! ([`border`]), and a reader can set out from there without waiting for those
//! before it. Whether it was right is not guessed: a part ends only where its
//! own reader comes to a written `(` of depth 0 at a border, with nothing in
//! its state that a new reader would lack (no dropped or supplied parenthesis
//! open, no byte order mark). What was read from a border that no part ends at
//! is thrown away, and the part before it reads on.
//!
//! So the parts that count are a function of the bytes and the size of a block,
//! never of the number of threads; and a file that cannot be cut, because it
//! is one game, one value or noise, is read by one thread, as fast as ever.

mod border;
mod games;
mod order;
mod part;
mod read_at;

pub use border::border;
pub use games::{ParOptions, par_games, par_games_with};
pub use order::{Order, Take};
pub use part::{End, PartReader};
pub use read_at::{ReadAt, Seekable};
