//! Counts, checks, repairs and edits SGF games, and holds them as trees. The functions take a
//! [`GameRecord`](sgfstream::record::GameRecord); only [`Count`] takes events.
//!
//! - [`check`] reports findings, and [`fix`] repairs them.
//! - [`edit`] edits the games of an archive and keeps all other bytes.
//! - [`tree`] has games as trees, to walk and to edit.
//! - [`stats`] adds up statistics.
//!
//! The version is 0.x: a minor version may change the API. Hidden items are for `sgfq`.
//!
//! ```
//! use sgfstream::{EventReader, SliceReader};
//! use sgfstream_adapt::Count;
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
