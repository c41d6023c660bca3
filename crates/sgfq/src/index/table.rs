//! A table: its columns as data, and rows on their way into it.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{Date32Builder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::basic::Encoding;

use sgfstream::value::Date;
use sgfstream_table::row::{Cell, Column, ColumnType};

/// The version of names, types and meanings of all columns.
pub(super) const SCHEMA: &str = "1";

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Games,
    Moves,
    Comments,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Games, Self::Moves, Self::Comments];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Moves => "moves",
            Self::Comments => "comments",
        }
    }
}

/// A column of a table.
#[derive(Clone, Debug)]
struct TableColumn {
    name: &'static str,
    column_type: ColumnType,
    about: String,
}

/// The columns of a table.
#[derive(Clone, Debug)]
pub(super) struct Table {
    columns: Vec<TableColumn>,
    pub(super) schema: SchemaRef,
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
    /// Games, with these columns behind the key.
    pub(super) fn games(columns: &[&'static Column]) -> Self {
        let rest = columns.iter().map(|column| {
            (column.name, column.column_type, format!("{} ({}{})", column.description, column.column_type, column.unit))
        });
        Self::new(Kind::Games, std::iter::once((KEY.0, KEY.1, KEY.2.to_owned())).chain(rest))
    }

    pub(super) fn moves() -> Self {
        Self::new(Kind::Moves, MOVES.into_iter().map(|(name, kind, about)| (name, kind, about.to_owned())))
    }

    pub(super) fn comments() -> Self {
        Self::new(Kind::Comments, COMMENTS.into_iter().map(|(name, kind, about)| (name, kind, about.to_owned())))
    }

    fn new(kind: Kind, columns: impl Iterator<Item = (&'static str, ColumnType, String)>) -> Self {
        let columns: Vec<_> =
            columns.map(|(name, column_type, about)| TableColumn { name, column_type, about }).collect();
        let fields = columns.iter().map(|column| {
            let data_type = match column.column_type {
                ColumnType::Text => DataType::Utf8,
                ColumnType::Int => DataType::Int64,
                ColumnType::Float => DataType::Float64,
                ColumnType::Date => DataType::Date32,
                ColumnType::Bool => DataType::Boolean,
            };
            let about = HashMap::from([("description".to_owned(), column.about.clone())]);
            Field::new(column.name, data_type, true).with_metadata(about)
        });
        let metadata =
            [("sgfq.table", kind.as_str()), ("sgfq.schema", SCHEMA), ("sgfq.version", env!("CARGO_PKG_VERSION"))];
        let metadata: HashMap<_, _> =
            metadata.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields.collect::<Vec<_>>(), metadata));
        Self { columns, schema }
    }

    /// The columns that want no dictionary, and how their values are written:
    /// numbers of a game, and numbers that count rows, as differences, which
    /// takes less room and memory; texts that are different in nearly every row
    /// as they are.
    pub(super) fn plain_columns(&self) -> impl Iterator<Item = (&'static str, Encoding)> {
        let is_own_key = self.position("source").is_some();
        self.columns.iter().filter_map(move |column| match (column.name, column.column_type) {
            ("key", _) => is_own_key.then_some((column.name, Encoding::PLAIN)),
            ("hash" | "canonical_hash" | "text", _) => Some((column.name, Encoding::PLAIN)),
            (name @ ("ply" | "node"), _) => Some((name, Encoding::DELTA_BINARY_PACKED)),
            (name, ColumnType::Int | ColumnType::Date) => is_own_key.then_some((name, Encoding::DELTA_BINARY_PACKED)),
            _ => None,
        })
    }

    /// Where the column of this name stands.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}

/// Rows of a table, column by column.
#[derive(Debug)]
pub(super) struct Rows {
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
}

impl Building {
    fn new(column_type: ColumnType) -> Self {
        let values = match column_type {
            ColumnType::Text => Values::Text(StringBuilder::new()),
            ColumnType::Float => Values::Float(Float64Builder::new()),
            ColumnType::Date => Values::Date(Date32Builder::new()),
            ColumnType::Int | ColumnType::Bool => Values::Int(Int64Builder::new()),
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
            (Values::Date(values), Cell::Date(date)) => values.append_value(days(date)),
            _ => return,
        }
        self.len += 1;
    }

    /// Adds what rows lack.
    #[inline(never)]
    fn fill(&mut self, rows: usize) {
        let nulls = rows - self.len;
        match &mut self.values {
            Values::Text(values) => values.append_nulls(nulls),
            Values::Int(values) => values.append_nulls(nulls),
            Values::Float(values) => values.append_nulls(nulls),
            Values::Date(values) => values.append_nulls(nulls),
        }
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
            _ => unreachable!("rows of one table have the same columns"),
        }
        self.len += more.len;
    }

    fn finish(self) -> ArrayRef {
        match self.values {
            Values::Text(mut values) => Arc::new(values.finish()),
            Values::Int(mut values) => Arc::new(values.finish()),
            Values::Float(mut values) => Arc::new(values.finish()),
            Values::Date(mut values) => Arc::new(values.finish()),
        }
    }
}

impl Rows {
    pub(super) fn new(table: &Table) -> Self {
        Self {
            schema: Arc::clone(&table.schema),
            columns: table.columns.iter().map(|column| Building::new(column.column_type)).collect(),
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

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

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
    /// Sets the cell of a column, by its place in the table. Once.
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

/// The day that [`days`] counted, as `YYYY-MM-DD`.
pub(super) fn date_text(days: i32) -> String {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + i32::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_count_and_are_written() {
        for (year, month, day, count) in
            [(1970, 1, 1, 0), (2000, 3, 1, 11_017), (1846, 9, 11, -45_037), (1, 1, 1, -719_162), (2024, 2, 29, 19_782)]
        {
            let date = Date::new(year, Some(month), Some(day)).expect("a day");
            assert_eq!(days(date), count);
            assert_eq!(date_text(count), format!("{year:04}-{month:02}-{day:02}"));
        }
    }
}
