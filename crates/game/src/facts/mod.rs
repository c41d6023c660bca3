//! Facts of a game, found in one place: which game it is, its board and charset, the values of its
//! root, and its moves. They are functions of a [`GameRecord`](sgfstream::record::GameRecord).
//! [`Replay`] plays the moves on a board.

#[allow(clippy::module_inception)] // the module and its main type have one name
pub(crate) mod facts;
mod game_info;
pub(crate) mod info;
pub(crate) mod node_path;
pub(crate) mod position_step;
mod raw_move;
mod replay;
#[cfg(test)]
mod tests;
pub(crate) mod tree_path;

pub use facts::Facts;
pub use game_info::GameInfo;
pub use info::{Info, is_setup};
pub use node_path::{NodePath, NodeTarget};
pub use raw_move::{Moves, RawMove};
pub use replay::{JudgedMove, MoveFault, Replay};
