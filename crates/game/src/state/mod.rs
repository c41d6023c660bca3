//! State of a game, found out once: which game it is, on which
//! board, in which charset, the values of its root node, what its main line
//! is, which properties are its moves, and how many problems it has.
//!
//! [`GameState`] is fed with events and asked by everything that needs to know
//! more than one event at a time. It never holds more than a stated number of
//! bytes, and nothing of a game after it.

mod info;
mod root;

mod ahead;
mod evidence;
mod game_info;
mod game_state;
mod raw_move;
mod replay;
#[cfg(test)]
mod tests;
mod tree_path;

pub use ahead::Ahead;
pub use game_info::GameInfo;
pub use game_state::{GameState, Step};
pub use info::{Info, is_setup};
pub use raw_move::{Moves, RawMove};
pub use replay::{Effect, JudgedMove, MoveFault, Replay};
pub use root::{RootRetention, VALUES_MAX};
pub use tree_path::TreePath;
