//! The games of a part, one after another: each with its row, and with its bytes as they were. They are decided about
//! when their root is read, and written only if they are wanted.

mod choosing;
mod game;

pub use choosing::{Choosing, Chosen};
pub use game::{Game, RecordedRows, buffer, games_of, recorded, rows_of, written_end};
