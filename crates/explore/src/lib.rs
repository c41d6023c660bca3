//! An index of the positions of an archive: which games have a board, turned or mirrored in any way, without reading the
//! others. A [`Builder`] takes games one after another: it writes their bytes to a store, and notes the hash of each board of
//! each main line. The [`Index`] that it gives answers a [`Query`](sgfstream_table::find::Query) by hash; the few games that
//! may have the board are then read as a search without an index reads all, so that both give the same answers.
//!
//! Nothing here opens a file or starts a thread.
//!
//! ```
//! use sgfstream::Options;
//! use sgfstream_explore::Builder;
//! use sgfstream_table::filter::Filter;
//! use sgfstream_table::find::Query;
//! use sgfstream_table::row::ColumnSet;
//!
//! let games = [&b"(;B[pd];W[dp];B[pp])"[..], b"(;B[dd];W[qq])", b"(;B[pp];W[dd];B[dp];W[pd])"];
//! let mut builder = Builder::new(Vec::new(), Options::default());
//! for (number, game) in (1..).zip(games) {
//!     builder.add("games.sgf", number, game)?;
//! }
//! let (store, index) = builder.finish()?;
//!
//! let query = Query::position_after("pd dp pp").expect("moves");
//! let filter = Filter::finding(query.clone(), None).expect("no condition");
//! let mut found = Vec::new();
//! let candidates = index.candidates(&query);
//! index.search(&store, candidates, &filter, filter.builder(ColumnSet::default()), |game, row| {
//!     found.push((index.name(game), row.hits()[0].next.clone()));
//! })?;
//! // By other moves, and turned.
//! assert_eq!(found, [("games.sgf#1".to_owned(), String::new()), ("games.sgf#3".to_owned(), "W[pd]".to_owned())]);
//! # Ok::<(), std::io::Error>(())
//! ```

mod builder;
mod games;
mod index;
mod store;

pub use builder::{Builder, Noted, Noter};
pub use index::Index;
pub use store::Store;
