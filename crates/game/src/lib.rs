//! Interprets the game records and events of the crate `sgfstream`: typed values, properties,
//! games, dialects and boards, and the facts that a root declares about its game.
//!
//! - [`value`] has the types of the format: numbers, dates, results, points.
//! - [`property`] has the table of properties and their values.
//! - [`dialect`] has the games and their variants. A [`Dialect`] parses and prints a game's points,
//!   moves and stones. A [`Move::Place`] has the column and row of a move. Modules such as [`go`],
//!   [`hex`] and [`pentobi`] contain the types of a single game.
//! - [`board`] has boards and the effects of moves. [`GameBoard`] is the board of any game.
//! - [`facts`] of a game record say which game it is, and what its root says.
//!   [`Replay`](facts::Replay) plays its moves and judges them.
//!
//! The version is 0.x: a minor version may change the API.
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

#[macro_use] // before the modules that use its macro
mod named_enum;
pub mod facts;
mod game;
pub mod value;

/// Boards: cells, setup, the effects of moves, faults, coordinates and symmetries.
pub mod board {
    pub use crate::game::{
        Board, BoardCell, BoardEffect, Coordinates, Effects, Fault, GameBoard, Illegal, NoBoard,
        Setup, Side, Symmetry, Turn, Violation, index_letter, letter_index,
    };
}

/// Games, their variants and versions, and the programs that write them. A [`Dialect`] reads their
/// moves.
pub mod dialect {
    pub use crate::game::{
        Boardspace, Dialect, Game, Move, Program, Stone, Variant, Version, Word,
    };
}

/// The table of properties: the type of each property, where it may occur, and its typed value.
pub mod property {
    pub use crate::game::{
        Definition, Misspelling, Origin, ParsedValue, PropertyType, Scope, TypedValue, ValueType,
        Versions,
    };
}

pub use facts::{Facts, GameInfo};
pub use game::{BoardCell, Coordinates, Dialect, Game, GameBoard, Move, Side};
pub use game::{
    amazons, backgammon, boardspace, gess, go, gomoku, gorilla, havannah, hex, kropki, loa, octi,
    othello, pentobi, unlur,
};

/// What `sgfq` needs of this crate and programs do not. It promises no stability.
#[doc(hidden)]
pub mod internal {
    pub use crate::facts::{
        facts::FactPlaces, info::is_setup_key, node_path::PathWalk, position_step::PositionStep,
        tree_path::TreePath,
    };
    pub use crate::game::go::liberties::neighbors;
    pub use crate::game::{
        BOARD_MAX, BoardHash, Change, Fit, Key, Lookup, MoveIds, Opening, OpeningMove, OpeningStart,
    };
    pub use crate::value::error::shown;
}
