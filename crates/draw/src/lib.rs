//! A part of sgfq, without a promise of stability.
//!
//! Draws boards as text or SVG, with the places and the names of each game's cells. All commands
//! and pages draw their boards with this crate. A [`NodeView`] is the board at a node of a game.
//!
//! ```
//! use sgfstream_draw::Diagram;
//! use sgfstream_game::value::BoardSize;
//! use sgfstream_game::{BoardCell, Coordinates, Dialect, Game, GameBoard, Side};
//!
//! let mut board = GameBoard::new(&Dialect::new(Game::Go, Some(BoardSize::square(5))))
//!     .expect("a board of Go");
//! board.place(Side::Black, BoardCell::new(1, 1)).expect("a legal move");
//! let diagram = Diagram::new(board, Coordinates::Gtp).expect("a small board");
//! assert_eq!(diagram.lines()[2], "4  . X . . .");
//! assert!(diagram.svg("A corner", true).contains("A corner</title>"));
//! ```

mod diagram;
mod layout;
mod marks;
mod node_view;
mod picture;
pub mod svg;
mod text;

pub use diagram::{Diagram, class_of};
pub use layout::{
    BoardLayout, DrawnCell, LEFT, PictureFrame, PicturePoint, Style, bounds, hexagon_of, outline,
};
pub use marks::{BoardMark, LABELS, LineMark, NodeMarks};
pub use node_view::{NodeView, TriedMoves};
pub use picture::STYLE;
