//! Consumers of game records: statistics, checks, rewriting, trees. [`Count`] is a [`Sink`](sgfstream::Sink) of events.
//!
//! ```
//! use sgfstream_adapt::Count;
//! use sgfstream::{EventReader, SliceReader};
//!
//! let mut count = Count::default();
//! SliceReader::new(b"(;FF[4]GM[1]SZ[9];B[ee];W[cg])").drive(&mut count)?;
//! assert_eq!((count.games, count.nodes), (1, 3));
//! # Ok::<(), sgfstream::Error>(())
//! ```

mod borders;
pub mod check;
mod count;
pub mod edit;
pub mod fix;
pub mod stats;
pub mod tree;

pub use count::Count;
pub use stats::Stats;
#[cfg(feature = "serde")]
pub use tree::sgf_text;
pub use tree::{EditError, GameTree, Games, MemoryFull, MemoryLimit, NodeId};
