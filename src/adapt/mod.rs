//! Consumers of events: counts, statistics, checks, rewriting, trees. Every adapter is a
//! [`Sink`](crate::Sink).

pub mod check;
mod count;
pub mod rewrite;
pub mod stats;
mod tee;
pub mod tree;

pub use count::Count;
pub use rewrite::fix;
pub use stats::Stats;
pub use tee::Tee;
pub use tree::{EditError, GameTree, Games, MemoryLimit, NodeId, TreeBuilder};
