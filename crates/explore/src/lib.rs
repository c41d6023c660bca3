//! An index of the positions of an archive, and the answers about its games that the page of `sgfq explore` shows.
//!
//! - [`Builder`] writes an index, game after game, at constant memory: the bytes of the games, the hash of each board of each main
//!   line, and the times at which stones first came to the fields of the board.
//! - [`Index`] finds the games that have a board, rotated or mirrored in any way, without reading the others.
//! - [`Explorer`] answers questions by name, each with an object of JSON, for the command and for a browser alike, and so with the
//!   same bytes.
//! - [`stats`] renders statistics as text, JSON and a page.
//!
//! Nothing here opens a file or starts a thread.
//!
//! ```
//! use serde_json::json;
//! use sgfstream::Options;
//! use sgfstream_explore::{Builder, Explorer, Index, OneCore, Reply};
//!
//! let mut builder = Builder::new(Vec::new(), Vec::new(), Options::default());
//! builder.add("games.sgf", 1, b"(;SZ[19];B[pd];W[dp])")?;
//! builder.add("games.sgf", 2, b"(;SZ[19];B[dd];W[qq])")?;
//! let index = Index::open(builder.finish("")?, Options::default())?;
//! let explorer = Explorer::new(index, Options::default(), vec!["games.sgf".to_owned()], false, OneCore);
//! let Ok(Reply::Json(found)) = explorer.answer("position", &json!({ "moves": "pd" })) else { panic!("expected an object") };
//! assert_eq!((&found["games"], &found["replies"][0]["next"]), (&json!(2), &json!("D4")));
//! # Ok::<(), std::io::Error>(())
//! ```

mod index;
pub mod json;
mod numbers;
pub mod players;
mod questions;
pub mod safe;
pub mod stats;
pub mod summary;
pub mod tally;

pub use index::{Builder, GAME_MAX, GameFacts, GameReader, Index, MemoryStore, Noted, Noter, Store};
pub use questions::{Cores, EntryReader, Explorer, Export, Failed, OneCore, QUESTIONS, Reply, runs_of};
