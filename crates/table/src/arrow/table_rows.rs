//! Rows on their way into a table.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Date32Builder, FixedSizeListBuilder, Float64Builder, Int8Builder, Int16Builder, Int64Builder,
    ListBuilder, OffsetBufferBuilder, StringBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::SchemaRef;

use crate::row::{Cell, ColumnType};

use super::days::days;
use super::table::{CellType, Table};

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
    Byte(Int8Builder),
    Short(Int16Builder),
    Bytes(ListBuilder<Int8Builder>),
    Shorts(ListBuilder<Int16Builder>),
    FixedBytes(FixedSizeListBuilder<Int8Builder>),
    FixedShorts(FixedSizeListBuilder<Int16Builder>),
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
            Values::Byte($builder) => $result,
            Values::Short($builder) => $result,
            Values::Bytes($builder) => $result,
            Values::Shorts($builder) => $result,
            Values::FixedBytes($builder) => $result,
            Values::FixedShorts($builder) => $result,
        }
    };
}

impl Building {
    fn with_capacity(cell_type: CellType, rows: usize) -> Self {
        let values = match cell_type {
            CellType::TEXT => Values::Text(StringBuilder::with_capacity(rows, rows)),
            CellType::FLOAT => Values::Float(Float64Builder::with_capacity(rows)),
            CellType::Cell(ColumnType::Date) => Values::Date(Date32Builder::with_capacity(rows)),
            CellType::INT => Values::Int(Int64Builder::with_capacity(rows)),
            CellType::BOOL => Values::Bool(BooleanBuilder::with_capacity(rows)),
            CellType::Byte => Values::Byte(Int8Builder::new()),
            CellType::Short => Values::Short(Int16Builder::new()),
            CellType::Bytes => Values::Bytes(ListBuilder::new(Int8Builder::new())),
            CellType::Shorts => Values::Shorts(ListBuilder::new(Int16Builder::new())),
            CellType::FixedBytes(len) => Values::FixedBytes(FixedSizeListBuilder::new(Int8Builder::new(), len as i32)),
            CellType::FixedShorts(len) => {
                Values::FixedShorts(FixedSizeListBuilder::new(Int16Builder::new(), len as i32))
            }
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
            (Values::Byte(values), Cell::Int(number)) => values.append_option(number.try_into().ok()),
            (Values::Short(values), Cell::Int(number)) => values.append_option(number.try_into().ok()),
            _ => return,
        }
        self.len += 1;
    }

    /// Likewise, with a list of small numbers.
    fn set_bytes(&mut self, row: usize, list: &[i8]) {
        self.fill(row);
        match &mut self.values {
            Values::Bytes(values) => {
                values.values().append_slice(list);
                values.append(true);
            }
            Values::FixedBytes(values) => {
                values.values().append_slice(list);
                values.append(true);
            }
            _ => return,
        }
        self.len += 1;
    }

    /// Likewise, with a list of numbers.
    fn set_shorts(&mut self, row: usize, list: &[i16]) {
        self.fill(row);
        match &mut self.values {
            Values::Shorts(values) => {
                values.values().append_slice(list);
                values.append(true);
            }
            Values::FixedShorts(values) => {
                values.values().append_slice(list);
                values.append(true);
            }
            _ => return,
        }
        self.len += 1;
    }

    /// Adds what rows lack.
    #[inline(never)]
    fn fill(&mut self, rows: usize) {
        let nulls = rows - self.len;
        match &mut self.values {
            Values::FixedBytes(values) => {
                let cells = nulls * values.value_length() as usize;
                values.values().append_nulls(cells);
                (0..nulls).for_each(|_| values.append(false));
            }
            Values::FixedShorts(values) => {
                let cells = nulls * values.value_length() as usize;
                values.values().append_nulls(cells);
                (0..nulls).for_each(|_| values.append(false));
            }
            Values::Bytes(values) => (0..nulls).for_each(|_| values.append_null()),
            Values::Shorts(values) => (0..nulls).for_each(|_| values.append_null()),
            Values::Text(values) => values.append_nulls(nulls),
            Values::Int(values) => values.append_nulls(nulls),
            Values::Float(values) => values.append_nulls(nulls),
            Values::Date(values) => values.append_nulls(nulls),
            Values::Bool(values) => values.append_nulls(nulls),
            Values::Byte(values) => values.append_nulls(nulls),
            Values::Short(values) => values.append_nulls(nulls),
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
            (Values::Bool(values), Values::Bool(mut more)) => values.extend(more.finish().iter()),
            (Values::Byte(values), Values::Byte(mut more)) => values.extend(more.finish().iter()),
            (Values::Short(values), Values::Short(mut more)) => values.extend(more.finish().iter()),
            (Values::FixedBytes(values), Values::FixedBytes(mut more)) => {
                // No table has a cell of these types without a value.
                let more = more.finish();
                values.values().append_slice(more.values().as_primitive::<Int8Type>().values());
                (0..more.len()).for_each(|_| values.append(true));
            }
            (Values::FixedShorts(values), Values::FixedShorts(mut more)) => {
                let more = more.finish();
                values.values().append_slice(more.values().as_primitive::<Int16Type>().values());
                (0..more.len()).for_each(|_| values.append(true));
            }
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
        Self::with_capacity(table, 1024)
    }

    /// The same with memory for so many rows.
    pub(super) fn with_capacity(table: &Table, rows: usize) -> Self {
        Self {
            schema: Arc::clone(&table.schema),
            columns: table.types.iter().map(|&cell_type| Building::with_capacity(cell_type, rows)).collect(),
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

    /// Adds `rows` rows, with the cells that `fill` sets.
    pub(super) fn push_columns(&mut self, rows: usize, fill: impl FnOnce(&mut NewRows<'_>)) {
        self.bytes += 9 * self.columns.len() * rows;
        fill(&mut NewRows { columns: &mut self.columns, row: self.rows, rows, bytes: &mut self.bytes });
        self.rows += rows;
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

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.rows
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

    /// Sets the cell of a column of lists.
    pub(super) fn set_bytes(&mut self, column: usize, list: &[i8]) {
        *self.bytes += list.len();
        self.columns[column].set_bytes(self.row, list);
    }

    /// Likewise.
    pub(super) fn set_shorts(&mut self, column: usize, list: &[i16]) {
        *self.bytes += 2 * list.len();
        self.columns[column].set_shorts(self.row, list);
    }
}

/// What is true or false, or has no cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    False,
    True,
    None,
}

impl From<Option<bool>> for Truth {
    #[inline]
    fn from(cell: Option<bool>) -> Self {
        match cell {
            Some(false) => Self::False,
            Some(true) => Self::True,
            None => Self::None,
        }
    }
}

/// No cell, among the numbers of a column. No column has this number.
pub(super) const NO_INT: i64 = i64::MIN;

/// Rows that are being added, column by column. What is given for a column has a cell for each of them.
pub(super) struct NewRows<'r> {
    columns: &'r mut [Building],
    row: usize,
    rows: usize,
    bytes: &'r mut usize,
}

impl NewRows<'_> {
    /// Sets the cells of a column of numbers, by its place in the table: [`NO_INT`] is none. Only once.
    pub(super) fn ints(&mut self, column: usize, cells: &[i64]) {
        let Values::Int(values) = self.column(column) else { unreachable!("the column has another type") };
        if cells.contains(&NO_INT) {
            let is_there: Vec<bool> = cells.iter().map(|&cell| cell != NO_INT).collect();
            values.append_values(cells, &is_there);
        } else {
            values.append_slice(cells);
        }
    }

    /// Likewise, with the numbers from `first` on.
    pub(super) fn counted_ints(&mut self, column: usize, first: i64) {
        let rows = self.rows as i64;
        let Values::Int(values) = self.column(column) else { unreachable!("the column has another type") };
        let mut numbers = [0; 256];
        for from in (first..first + rows).step_by(numbers.len()) {
            let len = numbers.len().min((first + rows - from) as usize);
            numbers[..len].iter_mut().zip(from..).for_each(|(place, number)| *place = number);
            values.append_slice(&numbers[..len]);
        }
    }

    /// Likewise, with the same number in each row.
    pub(super) fn repeated_int(&mut self, column: usize, cell: i64) {
        let rows = self.rows;
        let Values::Int(values) = self.column(column) else { unreachable!("the column has another type") };
        values.append_value_n(cell, rows);
    }

    /// Likewise, with the cells of some of the rows, which are counted from 0.
    pub(super) fn some<'c>(&mut self, column: usize, cells: impl Iterator<Item = (usize, Cell<'c>)>) {
        let mut row = NewRow { columns: self.columns, row: 0, bytes: self.bytes };
        for (at, cell) in cells {
            row.row = self.row + at;
            row.set(column, cell);
        }
    }

    /// Likewise, of what is true or false.
    pub(super) fn bools(&mut self, column: usize, mut cells: &[Truth]) {
        let Values::Bool(values) = self.column(column) else { unreachable!("the column has another type") };
        // Most are like the one before.
        while let [first, rest @ ..] = cells {
            let count = 1 + rest.iter().take_while(|cell| *cell == first).count();
            match first {
                Truth::None => values.append_nulls(count),
                truth => values.append_n(count, *truth == Truth::True),
            }
            cells = &cells[count..];
        }
    }

    /// Likewise, of texts.
    pub(super) fn texts<'t>(&mut self, column: usize, cells: impl Iterator<Item = Option<&'t str>>) {
        let Values::Text(values) = self.column(column) else { unreachable!("the column has another type") };
        let before = values.values_slice().len();
        cells.for_each(|cell| values.append_option(cell));
        let after = values.values_slice().len();
        *self.bytes += after - before;
    }

    /// Likewise, of texts that are an array already.
    pub(super) fn text_array(&mut self, column: usize, texts: &StringArray) {
        let Values::Text(values) = self.column(column) else { unreachable!("the column has another type") };
        let before = values.values_slice().len();
        values.append_array(texts).expect("the texts of a batch are some megabytes");
        let after = values.values_slice().len();
        *self.bytes += after - before;
    }

    /// Likewise, of texts that follow one another in `texts`, each up to its end: UTF-8.
    pub(super) fn joined_texts(&mut self, column: usize, texts: &[u8], ends: impl Iterator<Item = usize>) {
        let mut offsets = OffsetBufferBuilder::<i32>::new(self.rows);
        let mut start = 0;
        ends.for_each(|end| offsets.push_length(end - std::mem::replace(&mut start, end)));
        self.text_array(column, &StringArray::new(offsets.into(), texts.into(), None));
    }

    /// A column to which a cell for each row is added.
    fn column(&mut self, column: usize) -> &mut Values {
        let column = &mut self.columns[column];
        column.fill(self.row);
        column.len += self.rows;
        &mut column.values
    }
}
