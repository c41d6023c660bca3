//! Meaning of identifiers, points and moves in each game: the table of properties ([`Definition`]),
//! the games ([`Game`]), and a module for each dialect. [`Dialect`] parses and prints points, moves
//! and stones; [`GameBoard`] replays moves on a board. Values that belong to no particular game are
//! in [`value`](crate::value).
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

mod definition;
mod key;
mod properties;
mod value_type;

mod games;
mod move_ids;
mod symmetry;
mod variant;
mod version;

mod board;
mod board_cell;
mod coordinates;
mod effects;
mod fault;
mod grid;
mod moves;
mod numbering;
mod side;

pub mod amazons;
pub mod backgammon;
pub mod boardspace;
pub mod gess;
pub mod go;
pub mod gomoku;
pub mod gorilla;
pub mod havannah;
pub mod hex;
pub mod kropki;
pub mod loa;
pub mod octi;
pub mod othello;
pub mod pentobi;
mod twixt;
pub mod unlur;

mod board_hash;
mod detect;
mod dialect;
mod game_board;
mod opening;
mod parsed;
mod program;
mod turn;

pub use board::{Board, Setup};
pub use board_cell::BoardCell;
pub use board_hash::{BoardHash, Change};
pub use coordinates::{Coordinates, index_letter, letter_index};
pub use definition::{Definition, Fit, Lookup, Origin, PropertyType, Scope, Versions};
pub(crate) use detect::{DetectedGame, Detector};
pub use dialect::{Dialect, Stone};
pub use effects::{Effects, Illegal, Violation};
pub use fault::Fault;
pub use game_board::{BoardEffect, GameBoard, NoBoard};
pub use games::{Boardspace, Game};
pub use key::Key;
pub use move_ids::MoveIds;
pub use moves::{Move, Word};
pub use opening::{BOARD_MAX, Opening, OpeningMove, OpeningStart};
pub use parsed::{Misspelling, ParsedValue};
pub use program::Program;
pub use side::Side;
pub use symmetry::Symmetry;
pub use turn::Turn;
pub use value_type::{TypedValue, ValueType};
pub use variant::Variant;
pub use version::Version;
