//! Answers about the games of an index, as the page of `sgfq explore` shows them: a position and what was played next, the games
//! that have it, a game, players, findings. An [`Explorer`] answers questions by name, each with an object of JSON, for the
//! command and for a browser alike, and so with the same bytes.
//!
//! Nothing here opens a file or starts a thread.
//!
//! ```
//! use serde_json::json;
//! use sgfstream::Options;
//! use sgfstream_answers::{Explorer, OneCore, Reply};
//! use sgfstream_explore::{Builder, Index};
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

mod asked;
mod cores;
mod entry_reader;
mod explorer;
mod export;
mod failed;
mod findings;
mod game;
pub mod json;
mod numbers;
pub mod players;
pub mod safe;
mod search;
pub mod stats;
pub mod summary;
pub mod tally;
mod tree;
mod verdicts;

pub use asked::{QUESTIONS, Reply};
pub use cores::{Cores, OneCore, runs_of};
pub use entry_reader::EntryReader;
pub use explorer::Explorer;
pub use export::Export;
pub use failed::Failed;
