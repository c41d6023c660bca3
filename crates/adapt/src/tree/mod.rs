//! A game tree in memory: flat arrays of nodes, properties and bytes, built from a game record.
//! Besides its text, it takes at most 64 bytes for a node with one property. No function recurses,
//! so any depth is safe, and no tree exceeds its [`MemoryLimit`].
//!
//! ```
//! use sgfstream::SliceReader;
//! use sgfstream_adapt::{GameTree, Games};
//!
//! let mut main_lines = Vec::new();
//! for tree in Games::new(SliceReader::new(b"(;GM[1];B[pd](;W[dp])(;W[dd]))(;GM[11])")) {
//!     main_lines.push(tree?.main_line().count());
//! }
//! assert_eq!(main_lines, [3, 1]);
//!
//! let mut tree = GameTree::parse(b"(;AB[aa] [bb];C[a\\]b])")?;
//! let root = tree.root();
//! tree.set_property(root, b"SZ", [b"9"])?;
//! assert_eq!(tree.to_string(), "(;AB[aa] [bb]SZ[9];C[a\\]b])");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod memory;
mod node;

mod game_tree;

mod build;
mod edit;
mod events;
mod games;
mod print;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "serde")]
pub use serde::sgf_text;
mod walk;

#[cfg(test)]
mod tests;

pub use edit::EditError;
pub use events::TreeEvents;
pub use game_tree::GameTree;
pub use games::Games;
pub use memory::{MemoryFull, MemoryLimit};
pub use node::NodeId;
pub use walk::Preorder;
