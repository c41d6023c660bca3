//! Floor 5: things that eat events. Every adapter is a [`Sink`](crate::Sink).

mod count;
pub mod tree;

pub use count::Count;
pub use tree::{EditError, GameTree, Games, MemoryLimit, NodeId, ReadGames, TreeBuilder};
