//! Interprets the game records and events of the crate `sgfstream`: typed values, properties, games, dialects and boards, and the facts
//! that a root declares about its game.
//!
//! - [`value`] has the types of the format: numbers, dates, results, points.
//! - [`Definition`] is a row of the table of properties, and [`Game`] a row of the table of games. [`Dialect`] parses
//!   and prints a game's points, moves and stones. Modules such as [`go`], [`hex`] and [`pentobi`] contain the types of
//!   a single game.
//! - [`GameBoard`] replays moves on a board.
//! - [`Facts`] of a game record say which game it is, and what its root says. [`Replay`] plays its moves and judges them.
//!
//! The version is 0.x: a minor version may change the API. Hidden items are for `sgfq`.
//!
//! ```
//! use sgfstream_game::value::BoardSize;
//! use sgfstream_game::{Dialect, Game, GameBoard, Side};
//!
//! let go = Dialect::new(Game::Go, Some(BoardSize::square(9)));
//! let mut position = GameBoard::new(&go).expect("Go has a board");
//! position.play(Side::Black, &go.parse_move(b"dc")?)?;
//! assert_eq!(position.to_string().lines().nth(2), Some("...X....."));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod value;

mod facts;
mod game;

pub use facts::*;
pub use game::*;
