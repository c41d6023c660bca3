//! A part of sgfq, without a promise of stability.
//!
//! Index of the positions of an archive, and the queries that the page of `sgfq explore` sends to
//! it.
//!
//! - [`Builder`] writes an index, one game after another, at constant memory. The index contains
//!   the games as they were read, the hash of each board of each main line, and the changes from
//!   each board to the next one.
//! - [`Index`] finds the games that have a board, in any rotation or reflection, without reading
//!   the other games.
//! - [`Explorer`] answers requests by name with JSON objects. The command and the browser run the
//!   same code and get the same bytes.
//! - [`stats`] renders statistics as text, as JSON and as a page.
//!
//! This crate opens no files and starts no threads.
//!
//! # The index
//!
//! `sgfq explore`, `find --index` and `openings --index` read each game once and write one file.
//! For each game, it contains the bytes with the tokens and problems of the reader, the charset and
//! the place, the name of its file, the result and the dates, and each change of the board on the
//! main line (two bytes). For each position of each main line, it contains the canonical hash of
//! the board and the game (11 bytes, because the order of the positions gives the first byte of the
//! hash). With `--variations`, a separate section contains the boards that only variations have,
//! once per game. A third section contains the boards about which a game says something in any
//! line, by a comment, a name, labels or a judgment, and the boards before judged moves. Queries
//! about main lines do not read that section. The builder sorts the hashes in runs, so memory stays
//! constant. `Index` reads the file in place.
//!
//! A query looks up its board by hash. `find` then searches the candidate games, so an index never
//! changes a result. A pattern or a sequence has no hash, so `find` reads all games for it. A
//! search in variations also reads all games that have variations.
//!
//! # The page
//!
//! The page reads few games for a position or a pattern, because the changes determine the boards
//! of most games. So the index knows the moves after which they match and the next moves, and also
//! the facts that the page counts. Each filter is evaluated once per game; two bits cache the
//! result. If the query includes variations, games with variations are read.
//!
//! The files of the page are in `crates/sgfq/src/commands/explore/assets` and need no build step.
//! The server of `sgfq explore` listens on 127.0.0.1. It accepts a request only if the request
//! names that host, comes from the page, and has the token from the address that the command
//! printed. The page inserts the texts of games as text, never as markup, and runs only its own
//! scripts and styles.
//!
//! ```
//! use serde_json::{Value, json};
//! use sgfstream::record::GameReader;
//! use sgfstream::{Options, SliceReader};
//! use sgfstream_explore::{
//!     Builder, Explorer, ExplorerResponse, Index, MemoryStore, OneCore, StopFlag,
//! };
//!
//! let mut builder = Builder::<_, MemoryStore>::new(Vec::new());
//! let mut games =
//!     GameReader::new(SliceReader::new(b"(;SZ[19];B[pd];W[dp])(;SZ[19];B[dd];W[qq])"));
//! while let Some(game) = games.next_game()? {
//!     builder.add("games.sgf", game.expect("a short game"), false)?;
//! }
//! let index = Index::open(builder.finish("")?)?;
//! let explorer =
//!     Explorer::new(index, Options::default(), vec!["games.sgf".to_owned()], false, OneCore);
//! let Ok(ExplorerResponse::Json(found)) =
//!     explorer.answer("position", br#"{ "moves": "pd" }"#, &StopFlag::default())
//! else {
//!     panic!("expected an object")
//! };
//! let found: Value = serde_json::from_slice(&found)?;
//! assert_eq!((&found["games"], &found["replies"][0]["next"]), (&json!(2), &json!("D4")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod index;
pub mod json;
mod numbers;
pub mod parted_game;
pub mod person;
pub mod players;
mod questions;
mod record_list;
pub mod remarks;
pub mod safe;
mod sorted_runs;
mod sorter;
pub mod stats;
pub mod summary;
mod sums;
pub mod tally;

pub use index::{
    Builder, FilteredGames, GameFacts, Index, IndexedGame, MemoryStore, PARTIAL, ScratchStore,
    Store,
};
pub(crate) use index::{FileId, StoredGames, problem_of_bytes, problem_to_bytes};
pub use questions::{
    AnswerError, ArchiveReader, Cores, Explorer, ExplorerResponse, Export, OneCore, QUESTIONS,
    StartReply, StatusReply, StopFlag, runs_of,
};
pub use sorted_runs::SortRecord;
pub use sorter::{Sorted, Sorter};
pub use sums::{SUMS_MEMORY, SortedSums, SumSorter, Summed, Sums};
