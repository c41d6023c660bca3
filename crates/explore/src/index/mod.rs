//! Index of the positions of games. It finds the games that have a board without reading the
//! others.
//!
//! The index looks up the position of a [`Query`](sgfstream_table::find::Query) by hash. It locates
//! a position or a pattern by the changes of the board. If the changes do not decide, it reads the
//! game with the same search that `find` uses without an index, so both give the same answers.
//!
//! The index stores each game as it was read in its file: with its place, its charset and the
//! problems of the reader. So a game of the index has the same columns and findings as in its file.
//!
//! ```
//! use sgfstream::SliceReader;
//! use sgfstream::record::GameReader;
//! use sgfstream_explore::{Builder, Index, MemoryStore};
//! use sgfstream_table::filter::Filter;
//! use sgfstream_table::find::Query;
//! use sgfstream_table::row::ColumnSet;
//!
//! let file = b"(;B[pd];W[dp];B[pp])(;B[dd];W[qq])(;B[pp];W[dd];B[dp];W[pd])";
//! let mut builder = Builder::<_, MemoryStore>::new(Vec::new());
//! let mut games = GameReader::new(SliceReader::new(file));
//! while let Some(game) = games.next_game()? {
//!     builder.add("games.sgf", game.expect("a short game"), false)?;
//! }
//! let index = Index::open(builder.finish("")?)?;
//!
//! let query = Query::position_after("pd dp pp").expect("moves");
//! let filter = Filter::finding(query.clone(), None).expect("no condition");
//! let mut found = Vec::new();
//! let candidates = index.candidates(&query)?;
//! let mut reader = index.reader(&filter, ColumnSet::default());
//! for game in candidates {
//!     if let Some(row) = reader.read(game)? {
//!         found.push((game, row.hits()[0].next.clone()));
//!     }
//! }
//! // By other moves, and rotated.
//! assert_eq!(found, [(0, String::new()), (2, "W[pd]".to_owned())]);
//! assert_eq!(index.name(2)?, "games.sgf#3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod checksums;
mod facts;
mod format;
#[allow(clippy::module_inception)] // the module and its main type have one name
mod index;
mod indexed_game;
mod starts;
mod store;
mod window;

pub use builder::Builder;
pub use facts::GameFacts;
pub(crate) use format::{FileId, problem_of_bytes, problem_to_bytes};
pub(crate) use index::StoredGames;
pub use index::{FilteredGames, Index};
pub use indexed_game::IndexedGame;
pub use store::{MemoryStore, ScratchStore, Store};

/// Last word of the note of an index that lacks some games.
pub const PARTIAL: &str = " partial";
