//! The games of a part, one after another: each with its row, and with its bytes as they were. They are decided about
//! when their root is read, and written only if they are wanted.

mod choosing;
mod cursor;

pub use choosing::{Choosing, Chosen};
pub use cursor::{GameCursor, Kept, LongGame, games_of};
