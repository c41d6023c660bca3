//! The trait of tables: each makes its rows from the games that are read.

use std::borrow::Cow;
use std::fmt::Debug;

use sgfstream_game::{Dialect, Facts};

use crate::row::line::{LineStep, MainLineMove};
use crate::row::{FilledRow, GameRow};

use super::columns::AnyRows;

/// The current game, which was read to its end.
pub(super) struct GameNow<'g> {
    pub(super) facts: &'g Facts<'g>,
    pub(super) filled: &'g FilledRow,
    pub(super) dialect: &'g Dialect,
    pub(super) key: i64,
}

impl GameNow<'_> {
    pub(super) fn row(&self) -> &GameRow {
        self.filled.row()
    }
}

/// Makes the rows of one table.
pub(super) trait TableSink: Debug + Send {
    fn start_game(&mut self) {}

    /// Handles a step of the main line.
    fn step(&mut self, game: &GameNow<'_>, step: &LineStep<'_>) {
        _ = (game, step);
    }

    /// Handles the end of a node and a plain move in the next node.
    fn step_to_move(&mut self, game: &GameNow<'_>, ply: u64, color: u8, point: &[u8; 2]) {
        self.step(game, &LineStep::NodeEnd);
        self.step(
            game,
            &LineStep::Move(MainLineMove {
                ply,
                color,
                value: Cow::Borrowed(point),
            }),
        );
    }

    /// Adds rows about the nodes of the game, from this token on. Returns the token to go on with
    /// if the rows take too much memory.
    fn add_nodes(&mut self, game: &GameNow<'_>, token: usize) -> Option<usize> {
        _ = (game, token);
        None
    }

    /// Ends the game, after its steps and nodes.
    fn end_game(&mut self, game: &GameNow<'_>) {
        _ = game;
    }

    /// Returns the number of illegal moves of the game, if the table finds it.
    fn illegal_moves(&self) -> Option<u64> {
        None
    }

    /// Returns whether all rows are final.
    fn is_settled(&self) -> bool {
        true
    }

    fn rows(&mut self) -> &mut dyn AnyRows;
}

/// Implements access to the field `rows` of a sink.
macro_rules! rows {
    () => {
        fn rows(&mut self) -> &mut dyn AnyRows {
            &mut self.rows
        }
    };
}

pub(super) use rows;
