//! Rows of the table of games, with the selected columns.

use arrow_schema::SchemaRef;

use crate::filter::{SelectedColumn, Selection};
use crate::row::{Cell, ColumnType, FilledRow};

use super::columns::{
    AnyColumn, AnyRows, Bool, Column, Columns, Date, Float, Int, TableRows, Text,
};
use super::days::days;

/// Columns of the table of games: the key and the selection.
#[derive(Debug)]
pub(super) struct GameColumns {
    key: Column<Int>,
    selected: Vec<GameColumn>,
}

/// A column, whose type the selection determines.
#[derive(Debug)]
enum GameColumn {
    Text(Column<Text>),
    Int(Column<Int>),
    Float(Column<Float>),
    Date(Column<Date>),
    Bool(Column<Bool>),
}

impl GameColumn {
    fn new(column_type: ColumnType) -> Self {
        match column_type {
            ColumnType::Text => Self::Text(Column::default()),
            ColumnType::Int => Self::Int(Column::default()),
            ColumnType::Float => Self::Float(Column::default()),
            ColumnType::Date => Self::Date(Column::default()),
            ColumnType::Bool => Self::Bool(Column::default()),
        }
    }

    #[inline]
    fn set(&mut self, row: usize, cell: Cell<'_>) -> usize {
        match (self, cell) {
            (Self::Text(column), Cell::Text(text)) => column.set(row, text),
            (Self::Int(column), Cell::Int(number)) => column.set(row, number),
            (Self::Float(column), Cell::Float(number)) => column.set(row, number),
            (Self::Float(column), Cell::Int(number)) => column.set(row, number as f64),
            (Self::Date(column), Cell::Date(date)) => column.set(row, days(date)),
            (Self::Bool(column), Cell::Bool(truth)) => column.set(row, truth),
            _ => 0,
        }
    }
}

impl Columns for GameColumns {
    fn each(&mut self, visit: &mut dyn FnMut(Option<&str>, &mut dyn AnyColumn)) {
        visit(None, &mut self.key);
        for column in &mut self.selected {
            match column {
                GameColumn::Text(column) => visit(None, column),
                GameColumn::Int(column) => visit(None, column),
                GameColumn::Float(column) => visit(None, column),
                GameColumn::Date(column) => visit(None, column),
                GameColumn::Bool(column) => visit(None, column),
            }
        }
    }
}

/// Makes the rows of games.
#[derive(Debug)]
pub(super) struct GameRows {
    pub(super) rows: TableRows<GameColumns>,
    selection: Selection,
    /// Index of `illegal_moves`, which the table of moves computes.
    illegal_moves: Option<usize>,
}

impl GameRows {
    pub(super) fn new(schema: &SchemaRef, selection: &Selection) -> Self {
        let selected = selection
            .columns()
            .iter()
            .map(|column| GameColumn::new(column.column_type))
            .collect();
        let rows = TableRows::new(
            GameColumns {
                key: Column::default(),
                selected,
            },
            schema,
        );
        let is_illegal_moves = |selected: &SelectedColumn| {
            selected
                .column
                .is_some_and(|column| column.name == "illegal_moves")
        };
        let illegal_moves = selection.columns().iter().rposition(is_illegal_moves);
        Self {
            rows,
            selection: selection.clone(),
            illegal_moves,
        }
    }

    /// Adds the row of a game. `illegal_moves` is their number, if a table of moves found it.
    pub(super) fn add(&mut self, filled: &FilledRow, key: i64, illegal_moves: Option<u64>) {
        let place = self
            .illegal_moves
            .filter(|_| filled.row().illegal_moves.is_none());
        let row = self.rows.len();
        let GameColumns {
            key: keys,
            selected,
        } = &mut self.rows.columns;
        let mut bytes = 9 * (1 + selected.len()) + keys.set(row, key);
        for (column, place) in self.selection.columns().iter().zip(&mut *selected) {
            bytes += column.cell(filled, |cell| place.set(row, cell));
        }
        if let (Some(place), Some(illegal)) = (place, illegal_moves) {
            bytes += selected[place].set(row, Cell::Int(illegal as i64));
        }
        self.rows.add(1, bytes);
    }
}
