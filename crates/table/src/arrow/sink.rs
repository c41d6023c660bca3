//! The trait of tables: each makes its rows from the games that are read.

use std::fmt::Debug;

use sgfstream::{Event, Place};
use sgfstream_game::{Dialect, GameState, Step};

use crate::row::line::LineStep;
use crate::row::{GameRow, RowBuilder};

use super::columns::AnyRows;

/// The current game.
pub(super) struct GameNow<'g> {
    pub(super) builder: &'g RowBuilder,
    /// Game and size; valid from the end of the root on.
    pub(super) dialect: &'g Dialect,
    pub(super) key: i64,
}

impl GameNow<'_> {
    pub(super) fn state(&self) -> &GameState {
        self.builder.state()
    }

    pub(super) fn row(&self) -> &GameRow {
        self.builder.row()
    }
}

/// Facts that the tables of a game share at its end.
#[derive(Debug, Default)]
pub(super) struct GameEnd {
    pub(super) illegal_moves: Option<u64>,
}

/// Makes the rows of one table.
pub(super) trait TableSink: Debug + Send {
    fn start_game(&mut self) {}

    /// Handles a step of the main line.
    fn step(&mut self, game: &GameNow<'_>, step: &LineStep<'_>) {
        _ = (game, step);
    }

    /// Handles an event other than a node or a plain move ([`Step::Node`], [`Step::Move`]), before its steps.
    fn event(&mut self, game: &GameNow<'_>, step: Step, event: &Event<'_>, place: &Place) {
        _ = (game, step, event, place);
    }

    /// Handles the end of a game that the filter selects. The table of games comes last.
    fn end_game(&mut self, game: &GameNow<'_>, end: &mut GameEnd) {
        _ = (game, end);
    }

    /// Handles the end of the input within a game.
    fn end_input(&mut self) {}

    /// Returns whether all rows are final.
    fn is_settled(&self) -> bool {
        true
    }

    fn rows(&self) -> &dyn AnyRows;

    fn rows_mut(&mut self) -> &mut dyn AnyRows;
}

/// Implements access to the field `rows` of a sink.
macro_rules! rows {
    () => {
        fn rows(&self) -> &dyn AnyRows {
            &self.rows
        }

        fn rows_mut(&mut self) -> &mut dyn AnyRows {
            &mut self.rows
        }
    };
}

pub(super) use rows;
