//! An index of the positions of an archive, and the answers about its games that the page of `sgfq explore` shows.
//!
//! Part of sgfq; no stability promise.
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
//! # The index
//!
//! `sgfq explore`, `find --index` and `openings --index` read each game once, and write one file: the bytes of the games, the names of
//! their files, the ply at which a stone first came to each point (two bytes a point), results and dates, and the canonical hash of
//! each board of each main line with its game, in order (11 bytes a position, because the first byte of a hash follows from its
//! place). With `--variations`, a section of its own has the boards that only variations have, each once a game, so that questions
//! about main lines read what they read without it. The hashes are sorted in runs, so that memory stays constant, and the file is
//! read in place.
//!
//! A query looks its board up by hash. The search of `find` then reads the games that may have the board, so that an index changes no
//! answer. For a pattern or a sequence, the plies rule out games: a board can have the pattern when all its stones were there and no
//! stone was on its empty points yet. A game in which such a point lost its stone is read. A search for them in variations reads all
//! games that have a second line, too.
//!
//! # The page
//!
//! The page reads few games for a position. Until the first capture, the plies give the boards of a game: the board after a move has
//! the stones that came up to it. So the index tells, for most games that have the hash, the move and the next move, and it has the
//! facts that are counted. Each condition is evaluated once per game; two bits cache the result. For all lines, games that have
//! a second line are read.
//!
//! The files of the page are in `crates/sgfq/src/commands/explore/assets`, as they are written: there is nothing to build. The server
//! of `sgfq explore` listens on 127.0.0.1. A request must name that host, come from the page, and have the token of the address that
//! the command printed. Texts of games become text in the page, never markup, and only the page's own scripts and styles run.
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

pub use index::{Builder, GAME_MAX, GameFacts, GameIndexer, GameReader, Index, IndexedGame, MemoryStore, Store};
pub use questions::{
    AnswerError, ArchiveReader, Cores, Explorer, Export, OneCore, QUESTIONS, Reply, StopFlag, runs_of,
};
