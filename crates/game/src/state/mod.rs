//! State of a game, determined once: which game it is, its board and charset, the values of its root node, its main
//! line, the properties that are its moves, and its number of problems.
//!
//! [`GameState`] takes events, for every consumer that needs to know more than one event at a time. It buffers at most
//! a documented number of bytes, and keeps nothing of a game after its end.

mod info;
mod root;

mod evidence;
mod facts;
mod game_info;
mod game_state;
mod lookahead_buffer;
mod node_path;
mod raw_move;
mod replay;
#[cfg(test)]
mod tests;
mod tree_path;

pub use facts::{FactPlaces, Facts};
pub use game_info::GameInfo;
pub use game_state::{GameState, Step};
pub use info::{Info, is_setup};
pub use lookahead_buffer::LookaheadBuffer;
pub use node_path::{NodePath, NodeTarget, PathWalk};
pub use raw_move::{Moves, RawMove};
pub use replay::{JudgedMove, MoveFault, Replay, ReplayEffect};
pub use root::{RootRetention, VALUES_MAX};
pub use tree_path::TreePath;
