//! Builders of Arrow columns: values of one type each, and the rows that they form.

use std::fmt::Debug;
use std::sync::Arc;

use arrow_array::builder::NullBufferBuilder;
use arrow_array::types::{Date32Type, Float64Type, Int8Type, Int16Type, Int64Type};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, FixedSizeListArray, ListArray, PrimitiveArray,
    RecordBatch, StringArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, SchemaRef};

/// Builder for the values of a column, one for each row.
pub(super) trait Values: Debug + Send {
    /// The value of a row.
    type Cell<'c>: Copy;

    fn with_capacity(rows: usize) -> Self;

    fn data_type() -> DataType;

    /// Adds a value. Returns the bytes of memory that it takes beyond the fixed size of a row.
    fn push(&mut self, cell: Self::Cell<'_>) -> usize;

    /// Adds the values of several rows.
    fn extend<'c>(&mut self, cells: impl Iterator<Item = Self::Cell<'c>>) {
        for cell in cells {
            self.push(cell);
        }
    }

    /// Adds the same value for several rows.
    fn repeat(&mut self, cell: Self::Cell<'_>, rows: usize) {
        self.extend(std::iter::repeat_n(cell, rows));
    }

    /// Removes values at the end, or adds empty values.
    fn resize(&mut self, len: usize);

    fn finish(self, valid: Option<NullBuffer>, data_type: &DataType) -> ArrayRef;
}

pub(super) type Int = Numbers<Int64Type>;
pub(super) type Float = Numbers<Float64Type>;
pub(super) type Date = Numbers<Date32Type>;
/// Training data has small numbers, so it uses small types.
pub(super) type Byte = Numbers<Int8Type>;
pub(super) type Short = Numbers<Int16Type>;
pub(super) type Bytes = Lists<Int8Type>;
pub(super) type Shorts = Lists<Int16Type>;

#[derive(Debug)]
pub(super) struct Numbers<T: ArrowPrimitiveType>(Vec<T::Native>);

impl<T: ArrowPrimitiveType + Debug> Values for Numbers<T> {
    type Cell<'c> = T::Native;

    fn with_capacity(rows: usize) -> Self {
        Self(Vec::with_capacity(rows))
    }

    fn data_type() -> DataType {
        T::DATA_TYPE
    }

    #[inline(always)]
    fn push(&mut self, cell: T::Native) -> usize {
        self.0.push(cell);
        0
    }

    #[inline(always)]
    fn extend<'c>(&mut self, cells: impl Iterator<Item = Self::Cell<'c>>) {
        self.0.extend(cells);
    }

    fn resize(&mut self, len: usize) {
        self.0.resize(len, T::Native::default());
    }

    fn finish(self, valid: Option<NullBuffer>, _: &DataType) -> ArrayRef {
        Arc::new(PrimitiveArray::<T>::new(self.0.into(), valid))
    }
}

/// Booleans as a byte each, packed into bits at the end, because adding a bit must wait for the
/// previous one.
#[derive(Debug)]
pub(super) struct Bool(Vec<bool>);

impl Values for Bool {
    type Cell<'c> = bool;

    fn with_capacity(rows: usize) -> Self {
        Self(Vec::with_capacity(rows))
    }

    fn data_type() -> DataType {
        DataType::Boolean
    }

    #[inline(always)]
    fn push(&mut self, cell: bool) -> usize {
        self.0.push(cell);
        0
    }

    #[inline(always)]
    fn extend<'c>(&mut self, cells: impl Iterator<Item = Self::Cell<'c>>) {
        self.0.extend(cells);
    }

    fn resize(&mut self, len: usize) {
        self.0.resize(len, false);
    }

    fn finish(self, valid: Option<NullBuffer>, _: &DataType) -> ArrayRef {
        Arc::new(BooleanArray::new(self.0.into(), valid))
    }
}

/// End of each list in the values of all lists, after a leading zero.
#[derive(Debug)]
struct Ends(Vec<i32>);

impl Ends {
    fn with_capacity(lists: usize) -> Self {
        let mut ends = Vec::with_capacity(lists + 1);
        ends.push(0);
        Self(ends)
    }

    /// Adds an end. Batches have about a megabyte, so ends are far below the limit of `i32`.
    #[inline]
    fn push(&mut self, end: usize) {
        self.0.push(end as i32);
    }

    /// Keeps `len` lists, or adds empty ones. Returns the number of remaining values.
    fn resize(&mut self, len: usize) -> usize {
        let end = self.0[len.min(self.0.len() - 1)];
        self.0.resize(len + 1, end);
        end as usize
    }

    fn finish(self) -> OffsetBuffer<i32> {
        OffsetBuffer::new(self.0.into())
    }
}

#[derive(Debug)]
pub(super) struct Text {
    bytes: Vec<u8>,
    ends: Ends,
}

impl Values for Text {
    type Cell<'c> = &'c str;

    fn with_capacity(rows: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(2 * rows),
            ends: Ends::with_capacity(rows),
        }
    }

    fn data_type() -> DataType {
        DataType::Utf8
    }

    #[inline(always)]
    fn push(&mut self, cell: &str) -> usize {
        match *cell.as_bytes() {
            // Copy most kinds, colors and moves without a call.
            [byte] => self.bytes.push(byte),
            [one, two] => self.bytes.extend_from_slice(&[one, two]),
            [one, two, three, four] => self.bytes.extend_from_slice(&[one, two, three, four]),
            ref bytes => self.bytes.extend_from_slice(bytes),
        }
        self.ends.push(self.bytes.len());
        cell.len()
    }

    fn repeat(&mut self, cell: &str, rows: usize) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(cell.repeat(rows).as_bytes());
        self.ends
            .0
            .extend((1..=rows).map(|row| (start + row * cell.len()) as i32));
    }

    fn resize(&mut self, len: usize) {
        self.bytes.truncate(self.ends.resize(len));
    }

    fn finish(self, valid: Option<NullBuffer>, _: &DataType) -> ArrayRef {
        Arc::new(StringArray::new(
            self.ends.finish(),
            self.bytes.into(),
            valid,
        ))
    }
}

#[derive(Debug)]
pub(super) struct Lists<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    ends: Ends,
}

impl<T: ArrowPrimitiveType + Debug> Values for Lists<T> {
    type Cell<'c> = &'c [T::Native];

    fn with_capacity(rows: usize) -> Self {
        Self {
            values: Vec::new(),
            ends: Ends::with_capacity(rows),
        }
    }

    fn data_type() -> DataType {
        DataType::List(Arc::new(Field::new_list_field(T::DATA_TYPE, true)))
    }

    fn push(&mut self, cell: &[T::Native]) -> usize {
        self.values.extend_from_slice(cell);
        self.ends.push(self.values.len());
        size_of_val(cell)
    }

    fn resize(&mut self, len: usize) {
        self.values.truncate(self.ends.resize(len));
    }

    /// Makes the array. If the schema has lists of a fixed length, each row must have a list.
    fn finish(self, valid: Option<NullBuffer>, data_type: &DataType) -> ArrayRef {
        let values = Arc::new(PrimitiveArray::<T>::new(self.values.into(), None));
        match data_type {
            DataType::FixedSizeList(item, len) => Arc::new(FixedSizeListArray::new(
                Arc::clone(item),
                *len,
                values,
                valid,
            )),
            _ => Arc::new(ListArray::new(
                Arc::new(Field::new_list_field(T::DATA_TYPE, true)),
                self.ends.finish(),
                values,
                valid,
            )),
        }
    }
}

/// A column under construction. Empty rows are added in bulk before the next value, because most
/// columns are empty in most games. For the same reason, rows with a value are marked as valid only
/// before the next empty row.
#[derive(Debug)]
pub(super) struct Column<V> {
    values: V,
    len: usize,
    valid: NullBufferBuilder,
}

impl<V: Values> Default for Column<V> {
    fn default() -> Self {
        Self::with_capacity(1024)
    }
}

impl<V: Values> Column<V> {
    fn with_capacity(rows: usize) -> Self {
        Self {
            values: V::with_capacity(rows),
            len: 0,
            valid: NullBufferBuilder::new(rows),
        }
    }

    /// Sets the value of a row, which must be after all rows with a value. Returns the bytes of
    /// memory that it takes.
    #[inline(always)]
    pub(super) fn set(&mut self, row: usize, cell: V::Cell<'_>) -> usize {
        if self.len < row {
            self.fill(row);
        }
        self.len += 1;
        self.values.push(cell)
    }

    /// Sets the values of `rows` rows from `row` on, which must be after all rows with a value.
    pub(super) fn extend<'c>(
        &mut self,
        row: usize,
        rows: usize,
        cells: impl Iterator<Item = V::Cell<'c>>,
    ) {
        self.fill(row);
        self.values.extend(cells.take(rows));
        self.len += rows;
    }

    /// Sets the same value for `rows` rows from `row` on.
    pub(super) fn repeat(&mut self, row: usize, rows: usize, cell: V::Cell<'_>) {
        self.fill(row);
        self.values.repeat(cell, rows);
        self.len += rows;
    }

    #[inline(never)]
    fn fill(&mut self, rows: usize) {
        self.valid.append_n_non_nulls(self.len - self.valid.len());
        if rows > self.len {
            self.valid.append_n_nulls(rows - self.len);
            self.values.resize(rows);
            self.len = rows;
        }
    }
}

/// A column of any type.
pub(super) trait AnyColumn {
    /// Takes the values of all `rows` rows.
    fn finish(&mut self, rows: usize, data_type: &DataType) -> ArrayRef;
}

impl<V: Values> AnyColumn for Column<V> {
    fn finish(&mut self, rows: usize, data_type: &DataType) -> ArrayRef {
        self.fill(rows);
        // Reserve room for as many rows, because columns are copied when they grow.
        let Self {
            values, mut valid, ..
        } = std::mem::replace(self, Self::with_capacity(rows + rows / 8));
        values.finish(valid.finish(), data_type)
    }
}

/// The columns of a table, in its order. A name marks a column that the schema may lack.
pub(super) trait Columns: Debug + Send {
    fn each(&mut self, visit: &mut dyn FnMut(Option<&str>, &mut dyn AnyColumn));
}

/// A row that can be added to columns of its type.
pub(super) trait Row {
    type Columns: Columns;

    /// Approximate memory of a row in bytes, without its texts and lists.
    const BYTES: usize;

    /// Sets the cells of a row. Returns the bytes of its texts and lists.
    fn set(self, columns: &mut Self::Columns, row: usize) -> usize;
}

/// Rows of a table under construction.
#[derive(Debug)]
pub(super) struct TableRows<C> {
    pub(super) columns: C,
    schema: SchemaRef,
    len: usize,
    /// Approximate memory of the rows, in bytes.
    bytes: usize,
}

impl<C: Columns> TableRows<C> {
    pub(super) fn new(columns: C, schema: &SchemaRef) -> Self {
        Self {
            columns,
            schema: Arc::clone(schema),
            len: 0,
            bytes: 0,
        }
    }

    #[inline(always)]
    pub(super) fn push<R: Row<Columns = C>>(&mut self, row: R) {
        self.bytes += R::BYTES + row.set(&mut self.columns, self.len);
        self.len += 1;
    }

    /// Adds `rows` rows of this many bytes, whose cells are set.
    pub(super) fn add(&mut self, rows: usize, bytes: usize) {
        self.len += rows;
        self.bytes += bytes;
    }
}

/// The rows of any table.
pub(super) trait AnyRows {
    fn len(&self) -> usize;

    /// Returns the approximate memory of the rows, in bytes.
    fn bytes(&self) -> usize;

    /// Takes the rows as a batch.
    fn finish(&mut self) -> RecordBatch;
}

impl<C: Columns> AnyRows for TableRows<C> {
    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn finish(&mut self) -> RecordBatch {
        let Self {
            columns,
            schema,
            len,
            ..
        } = self;
        let mut fields = schema.fields().iter().peekable();
        let mut arrays = Vec::new();
        columns.each(&mut |name, column| {
            let field = fields.next_if(|field| name.is_none_or(|name| field.name() == name));
            arrays.extend(field.map(|field| column.finish(*len, field.data_type())));
        });
        let batch = RecordBatch::try_new(Arc::clone(schema), arrays);
        (self.len, self.bytes) = (0, 0);
        batch.expect("columns of the schema, of one length")
    }
}
