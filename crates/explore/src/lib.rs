//! An index of the positions of an archive: which games have a board, turned or mirrored in any way, without reading the
//! others. A [`Builder`] takes games one after another: it writes their bytes, and the hash of each board of each main line in
//! order, at constant memory, and when stones first came to the fields of its board: by these times patterns and sequences are
//! sieved, and positions are found. An [`Index`] of what it wrote answers a [`Query`](sgfstream_table::find::Query) by hash; where
//! the times do not tell, the few games that may have the board are then read as a search without an index reads all, so that
//! both give the same answers.
//!
//! Nothing here opens a file or starts a thread.
//!
//! ```
//! use sgfstream::Options;
//! use sgfstream_explore::{Builder, Index};
//! use sgfstream_table::filter::Filter;
//! use sgfstream_table::find::Query;
//! use sgfstream_table::row::ColumnSet;
//!
//! let games = [&b"(;B[pd];W[dp];B[pp])"[..], b"(;B[dd];W[qq])", b"(;B[pp];W[dd];B[dp];W[pd])"];
//! let mut builder = Builder::new(Vec::new(), Vec::new(), Options::default());
//! for (number, game) in (1..).zip(games) {
//!     builder.add("games.sgf", number, game)?;
//! }
//! let index = Index::open(builder.finish("")?, Options::default())?;
//!
//! let query = Query::position_after("pd dp pp").expect("moves");
//! let filter = Filter::finding(query.clone(), None).expect("no condition");
//! let mut found = Vec::new();
//! let candidates = index.candidates(&query)?;
//! index.search(candidates, &filter, filter.builder(ColumnSet::default()), |game, row| {
//!     found.push((game, row.hits()[0].next.clone()));
//! })?;
//! // By other moves, and turned.
//! assert_eq!(found, [(0, String::new()), (2, "W[pd]".to_owned())]);
//! assert_eq!(index.name(2)?, "games.sgf#3");
//! # Ok::<(), std::io::Error>(())
//! ```

mod builder;
mod facts;
mod format;
mod index;
mod stones;
mod store;
mod window;

pub use builder::{Builder, Noted, Noter};
pub use facts::GameFacts;
pub use index::{GameReader, Index};
pub use store::{MemoryStore, Store};

/// Bytes of the longest game that an index is given: it is read whole.
pub const GAME_MAX: u64 = 64 << 20;
