//! A table: its columns as data, and rows on their way into it.

use std::collections::HashMap;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use sgfstream::value::Date;

use crate::filter::Selection;
use crate::row::{Cell, ColumnType};

/// The version of names, types and meanings of all columns.
pub const SCHEMA: &str = "1";

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    /// A row for each game.
    Games,
    /// A row for each move of a main line.
    Moves,
    /// A row for each comment.
    Comments,
}

impl TableKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Games, Self::Moves, Self::Comments];

    /// `games`, `moves` or `comments`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Moves => "moves",
            Self::Comments => "comments",
        }
    }
}

/// One thing for each table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerTable<T>([T; 3]);

impl<T> PerTable<T> {
    /// What `make` makes for each.
    pub fn new(make: impl FnMut(TableKind) -> T) -> Self {
        Self(TableKind::ALL.map(make))
    }

    /// Each table and its thing.
    pub fn iter(&self) -> impl Iterator<Item = (TableKind, &T)> {
        TableKind::ALL.into_iter().zip(&self.0)
    }

    /// Likewise, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (TableKind, &mut T)> {
        TableKind::ALL.into_iter().zip(&mut self.0)
    }
}

impl<T> IntoIterator for PerTable<T> {
    type Item = (TableKind, T);
    type IntoIter = std::iter::Zip<std::array::IntoIter<TableKind, 3>, std::array::IntoIter<T, 3>>;

    fn into_iter(self) -> Self::IntoIter {
        TableKind::ALL.into_iter().zip(self.0)
    }
}

impl<T> Index<TableKind> for PerTable<T> {
    type Output = T;

    fn index(&self, kind: TableKind) -> &T {
        &self.0[kind as usize]
    }
}

impl<T> IndexMut<TableKind> for PerTable<T> {
    fn index_mut(&mut self, kind: TableKind) -> &mut T {
        &mut self.0[kind as usize]
    }
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub struct Table {
    types: Vec<ColumnType>,
    schema: SchemaRef,
}

const KEY: (&str, ColumnType, &str) =
    ("key", ColumnType::Int, "Key of the game: the first 64 bits of XXH3 of `source!member@offset`");

const MOVES: [(&str, ColumnType, &str); 8] = [
    KEY,
    ("ply", ColumnType::Int, "Number of the move in the main line, from 1"),
    ("color", ColumnType::Text, "`B`, `W`, or a colour's number, `3` or `4`"),
    ("move", ColumnType::Text, "The move as written; empty for a pass"),
    ("column", ColumnType::Int, "Column of the field that the move is about, from 0, from the left"),
    ("row", ColumnType::Int, "Row of the field, from 0, from the top"),
    ("time_left", ColumnType::Float, "BL or WL of the mover in the same node, in seconds"),
    ("captures", ColumnType::Int, "What the move took from the opponent; nothing where no board is known"),
];

const COMMENTS: [(&str, ColumnType, &str); 5] = [
    KEY,
    ("node", ColumnType::Int, "Number of the node in the game, in the order of the file, from 0"),
    ("ply", ColumnType::Int, "Moves of the main line up to the node; nothing in a variation"),
    ("property", ColumnType::Text, "`C`, `GC` or `N`"),
    ("text", ColumnType::Text, "The text, decoded; at most 1 MiB of it"),
];

impl Table {
    /// Games: their key, then these columns.
    #[must_use]
    pub fn games(selection: &Selection) -> Self {
        let key = std::iter::once((KEY.0.to_owned(), KEY.1, KEY.2.to_owned()));
        let columns = selection.columns().iter();
        let columns = columns.map(|column| (column.name.clone(), column.column_type, column.description()));
        Self::new(TableKind::Games, key.chain(columns))
    }

    /// The moves of main lines.
    #[must_use]
    pub fn moves() -> Self {
        Self::of(TableKind::Moves, &MOVES)
    }

    /// Comments.
    #[must_use]
    pub fn comments() -> Self {
        Self::of(TableKind::Comments, &COMMENTS)
    }

    fn of(kind: TableKind, columns: &[(&str, ColumnType, &str)]) -> Self {
        let column = |&(name, column_type, about): &(&str, _, &str)| (name.to_owned(), column_type, about.to_owned());
        Self::new(kind, columns.iter().map(column))
    }

    fn new(kind: TableKind, columns: impl Iterator<Item = (String, ColumnType, String)>) -> Self {
        let mut types = Vec::new();
        let fields = columns.map(|(name, column_type, about)| {
            types.push(column_type);
            let data_type = match column_type {
                ColumnType::Text => DataType::Utf8,
                ColumnType::Int => DataType::Int64,
                ColumnType::Float => DataType::Float64,
                ColumnType::Date => DataType::Date32,
                ColumnType::Bool => DataType::Boolean,
            };
            let about = HashMap::from([("description".to_owned(), about)]);
            Field::new(name, data_type, true).with_metadata(about)
        });
        let fields: Vec<Field> = fields.collect();
        let metadata =
            [("sgfq.table", kind.as_str()), ("sgfq.schema", SCHEMA), ("sgfq.version", env!("CARGO_PKG_VERSION"))];
        let metadata: HashMap<_, _> =
            metadata.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { types, schema: Arc::new(Schema::new_with_metadata(fields, metadata)) }
    }

    /// The schema of its batches.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }
}

/// Rows of a table, column by column.
#[derive(Debug)]
pub(super) struct TableRows {
    schema: SchemaRef,
    columns: Vec<Building>,
    rows: usize,
    /// About how much memory they take.
    bytes: usize,
}

/// A column on its way.
#[derive(Debug)]
struct Building {
    values: Values,
    /// Rows that it has: cells without a value are added with the next that
    /// has one, since most columns of most games are empty.
    len: usize,
}

#[derive(Debug)]
enum Values {
    Text(StringBuilder),
    Int(Int64Builder),
    Float(Float64Builder),
    Date(Date32Builder),
    Bool(BooleanBuilder),
}

/// The same for a builder of any type.
macro_rules! each_type {
    ($values:expr, $builder:ident => $result:expr) => {
        match $values {
            Values::Text($builder) => $result,
            Values::Int($builder) => $result,
            Values::Float($builder) => $result,
            Values::Date($builder) => $result,
            Values::Bool($builder) => $result,
        }
    };
}

impl Building {
    fn new(column_type: ColumnType) -> Self {
        let values = match column_type {
            ColumnType::Text => Values::Text(StringBuilder::new()),
            ColumnType::Float => Values::Float(Float64Builder::new()),
            ColumnType::Date => Values::Date(Date32Builder::new()),
            ColumnType::Int => Values::Int(Int64Builder::new()),
            ColumnType::Bool => Values::Bool(BooleanBuilder::new()),
        };
        Self { values, len: 0 }
    }

    /// The cell of the row with this number, from 0.
    #[inline]
    fn set(&mut self, row: usize, cell: Cell<'_>) {
        if self.len < row {
            self.fill(row);
        }
        match (&mut self.values, cell) {
            (Values::Text(values), Cell::Text(text)) => values.append_value(text),
            (Values::Int(values), Cell::Int(number)) => values.append_value(number),
            (Values::Float(values), Cell::Float(number)) => values.append_value(number),
            (Values::Float(values), Cell::Int(number)) => values.append_value(number as f64),
            (Values::Date(values), Cell::Date(date)) => values.append_value(days(date)),
            (Values::Bool(values), Cell::Bool(value)) => values.append_value(value),
            _ => return,
        }
        self.len += 1;
    }

    /// Adds what rows lack.
    #[inline(never)]
    fn fill(&mut self, rows: usize) {
        let nulls = rows - self.len;
        each_type!(&mut self.values, values => values.append_nulls(nulls));
        self.len = rows;
    }

    /// Adds the cells of `more`; neither lacks any.
    fn append(&mut self, more: Self) {
        match (&mut self.values, more.values) {
            (Values::Text(values), Values::Text(mut more)) => {
                more.finish().iter().for_each(|text| values.append_option(text));
            }
            (Values::Int(values), Values::Int(mut more)) => values.extend(more.finish().iter()),
            (Values::Float(values), Values::Float(mut more)) => values.extend(more.finish().iter()),
            (Values::Date(values), Values::Date(mut more)) => values.extend(more.finish().iter()),
            (Values::Bool(values), Values::Bool(mut more)) => values.extend(more.finish().iter()),
            _ => unreachable!("rows of one table have the same columns"),
        }
        self.len += more.len;
    }

    fn finish(self) -> ArrayRef {
        each_type!(self.values, values => {
            let mut values = values;
            Arc::new(values.finish())
        })
    }
}

impl TableRows {
    /// No rows yet.
    pub(super) fn new(table: &Table) -> Self {
        Self {
            schema: Arc::clone(&table.schema),
            columns: table.types.iter().map(|&column_type| Building::new(column_type)).collect(),
            rows: 0,
            bytes: 0,
        }
    }

    /// Adds a row: a cell for each column.
    pub(super) fn push<'c>(&mut self, cells: impl IntoIterator<Item = Cell<'c>>) {
        self.push_with(|row| cells.into_iter().enumerate().for_each(|(column, cell)| row.set(column, cell)));
    }

    /// Adds a row, with the cells that `fill` sets.
    #[inline]
    pub(super) fn push_with(&mut self, fill: impl FnOnce(&mut NewRow<'_>)) {
        self.bytes += 9 * self.columns.len();
        fill(&mut NewRow { columns: &mut self.columns, row: self.rows, bytes: &mut self.bytes });
        self.rows += 1;
    }

    /// Adds the rows of `other`, of the same table.
    pub(super) fn append(&mut self, mut other: Self) {
        self.fill();
        other.fill();
        self.rows += other.rows;
        self.bytes += other.bytes;
        self.columns.iter_mut().zip(other.columns).for_each(|(column, more)| column.append(more));
    }

    fn fill(&mut self) {
        self.columns.iter_mut().for_each(|column| column.fill(self.rows));
    }

    /// True if there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// About how many bytes of memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The rows as a batch.
    pub(super) fn finish(mut self) -> RecordBatch {
        self.fill();
        let columns = self.columns.into_iter().map(Building::finish).collect();
        RecordBatch::try_new(self.schema, columns).expect("columns of the schema, of one length")
    }
}

/// A row that is being added.
pub(super) struct NewRow<'r> {
    columns: &'r mut [Building],
    row: usize,
    bytes: &'r mut usize,
}

impl NewRow<'_> {
    /// Sets the cell of a column, by its place in the table. Only once.
    #[inline]
    pub(super) fn set(&mut self, column: usize, cell: Cell<'_>) {
        if let Cell::Text(text) = cell {
            *self.bytes += text.len();
        }
        self.columns[column].set(self.row, cell);
    }
}

/// Days since 1970-01-01 in the Gregorian calendar, by Howard Hinnant's way of
/// counting from March.
fn days(date: Date) -> i32 {
    let (month, day) = (i32::from(date.month().unwrap_or(1)), i32::from(date.day().unwrap_or(1)));
    let year = i32::from(date.year()) - i32::from(month <= 2);
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted() {
        for (year, month, day, count) in
            [(1970, 1, 1, 0), (2000, 3, 1, 11_017), (1846, 9, 11, -45_037), (1, 1, 1, -719_162), (2024, 2, 29, 19_782)]
        {
            let date = Date::new(year, Some(month), Some(day)).expect("a day");
            assert_eq!(days(date), count);
        }
    }
}
