//! A Parquet file that is being written: the columns of the table of moves as
//! [`Chunk`]s, where these are made for them, and all others by the crate `parquet`.

use std::io::Write;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{FieldRef, SchemaRef};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

use super::chunk::{Chunk, PAGE_LEVEL};

/// A file of rows, in groups.
pub(super) struct ParquetFile<W: Write> {
    writer: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    /// Its columns may be chunks.
    has_chunks: bool,
    compressor: Compressor<'static>,
    /// The columns of the group that is being written.
    columns: Vec<Column>,
    groups: usize,
}

#[expect(clippy::large_enum_variant, reason = "there are a few dozen of a file")]
enum Column {
    Chunk(Box<Chunk>),
    Arrow(ArrowColumnWriter),
}

impl<W: Write + Send> ParquetFile<W> {
    pub(super) fn new(
        out: W,
        schema: &SchemaRef,
        properties: WriterProperties,
        has_chunks: bool,
    ) -> anyhow::Result<Self> {
        let writer = ArrowWriter::try_new(out, Arc::clone(schema), Some(properties))?;
        let (writer, factory) = writer.into_serialized_writer()?;
        let compressor = Compressor::new(PAGE_LEVEL)?;
        let schema = Arc::clone(schema);
        Ok(Self { writer, factory, schema, has_chunks, compressor, columns: Vec::new(), groups: 0 })
    }

    /// Adds rows to the group.
    pub(super) fn write(&mut self, rows: &RecordBatch) -> anyhow::Result<()> {
        if self.columns.is_empty() {
            self.columns = self.new_columns()?;
        }
        for ((column, field), values) in self.columns.iter_mut().zip(self.schema.fields()).zip(rows.columns()) {
            match column {
                Column::Chunk(chunk) => chunk.write(values, &mut self.compressor)?,
                Column::Arrow(writer) => {
                    for leaf in compute_leaves(field, values)? {
                        writer.write(&leaf)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// No table has a column of several leaves.
    fn new_columns(&self) -> anyhow::Result<Vec<Column>> {
        let writers = self.factory.create_column_writers(self.groups)?;
        let properties = self.writer.properties();
        let descriptors = self.writer.schema_descr().columns();
        let columns = writers.into_iter().zip(descriptors).zip(self.schema.fields());
        let column = |((writer, descriptor), field): ((_, &ColumnDescPtr), &FieldRef)| {
            let has_bounds = properties.statistics_enabled(descriptor.path()) != EnabledStatistics::None;
            match self.has_chunks.then(|| Chunk::of(field, descriptor, has_bounds)).flatten() {
                Some(chunk) => Column::Chunk(Box::new(chunk)),
                None => Column::Arrow(writer),
            }
        };
        Ok(columns.map(column).collect())
    }

    /// Ends the group, if it has rows.
    pub(super) fn end_group(&mut self) -> anyhow::Result<()> {
        if self.columns.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for column in self.columns.drain(..) {
            match column {
                Column::Chunk(chunk) => {
                    let (bytes, close): (Bytes, _) = chunk.close(&mut self.compressor)?;
                    group.append_column(&bytes, close)?;
                }
                Column::Arrow(writer) => writer.close()?.append_to_row_group(&mut group)?,
            }
        }
        group.close()?;
        self.groups += 1;
        Ok(())
    }

    /// What was written to; all groups have ended.
    pub(super) fn into_inner(self) -> anyhow::Result<W> {
        Ok(self.writer.into_inner()?)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, StringArray};
    use arrow_schema::{Field, Schema};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::metadata::ColumnChunkMetaData;

    use super::*;
    use crate::commands::index::chunk::compression;

    /// The rows of these columns as `ParquetFile` writes them, so many at a time, and as the crate does.
    fn written(columns: &[(&str, ArrayRef)], at_once: usize) -> [Bytes; 2] {
        let field = |(name, column): &(&str, ArrayRef)| Field::new(*name, column.data_type().clone(), true);
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let columns = columns.iter().map(|(_, column)| column.clone()).collect();
        let batch = RecordBatch::try_new(schema.clone(), columns).expect("columns of one length");
        let properties = WriterProperties::builder().set_compression(compression().expect("a level")).build();
        let mut by_crate =
            ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties.clone())).expect("a writer");
        let mut file = ParquetFile::new(Vec::new(), &schema, properties, true).expect("a writer");
        // Two groups.
        for half in [batch.slice(0, batch.num_rows() / 2), batch.slice(batch.num_rows() / 2, batch.num_rows() / 2)] {
            by_crate.write(&half).expect("written");
            by_crate.flush().expect("written");
            for at in (0..half.num_rows()).step_by(at_once) {
                file.write(&half.slice(at, at_once.min(half.num_rows() - at))).expect("written");
            }
            file.end_group().expect("written");
        }
        [file.into_inner().expect("written").into(), by_crate.into_inner().expect("written").into()]
    }

    /// Compares the rows and what the groups say of them.
    fn same(columns: &[(&str, ArrayRef)]) {
        let [file, by_crate] = written(columns, 1 << 20);
        assert!(written(columns, 777)[0] == file, "the bytes depend on how rows come together");
        let [one, other] = [file, by_crate].map(|bytes| {
            let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).expect("a file");
            let statistics = |group: usize| {
                let columns = reader.metadata().row_group(group).columns().iter();
                let of = |column: &ColumnChunkMetaData| {
                    let of =
                        column.statistics().map(|of| (of.null_count_opt(), of.min_bytes_opt().map(<[u8]>::to_vec)));
                    let greatest = column.statistics().and_then(|of| of.max_bytes_opt().map(<[u8]>::to_vec));
                    (
                        column.num_values(),
                        (!matches!(column.column_type(), parquet::basic::Type::BYTE_ARRAY)).then_some((of, greatest)),
                    )
                };
                columns.map(of).collect::<Vec<_>>()
            };
            let statistics = [statistics(0), statistics(1)];
            let rows = reader.with_batch_size(1 << 22).build().expect("a reader").collect::<Result<Vec<_>, _>>();
            (statistics, rows.expect("rows"))
        });
        assert_eq!(one.0, other.0);
        assert!(one.1 == other.1, "other rows");
    }

    #[test]
    fn as_the_crate_writes_them() {
        let mut random = fastrand::Rng::with_seed(7);
        let rows = 45_000;
        let words = ["B", "W", "", "dd", "aa:cc", "move", "\u{56f2}", "AB"];
        for (lack, range) in [(0, 30), (0, 1), (9, 30), (0, 70_000), (9, 400), (100, 2)] {
            let mut some = |percent: u32| random.u32(0..100) >= percent;
            let lacks: Vec<bool> = (0..2 * rows).map(|_| !some(lack)).collect();
            let mut random = fastrand::Rng::with_seed(8);
            let mut numbers = || -> ArrayRef {
                let number = |row: usize| (!lacks[row]).then(|| random.i64(0..range));
                Arc::new((0..rows).map(number).collect::<Int64Array>())
            };
            let columns: [(&str, ArrayRef); 2] = [("x", numbers()), ("captures", numbers())];
            let mut random = fastrand::Rng::with_seed(9);
            let text = |row: usize| {
                let at = random.usize(0..words.len().min(range as usize));
                (!lacks[row]).then(|| if range > 1 << 16 { row.to_string() } else { words[at].to_owned() })
            };
            let texts: ArrayRef = Arc::new((0..rows).map(text).collect::<StringArray>());
            let bits = (0..rows).map(|row| (!lacks[rows + row]).then(|| row as i64 % range > 0));
            let bits: ArrayRef = Arc::new(bits.collect::<BooleanArray>());
            let keys = (0..rows as i64).map(|row| Some(row / range.min(300) * 1_000_003 % 77_777 - 5));
            let keys: ArrayRef = Arc::new(keys.collect::<Int64Array>());
            let more = [("key", keys), ("move", texts), ("is_legal", bits)];
            same(&[columns.as_slice(), &more].concat());
        }
    }

    #[test]
    fn dictionaries_that_are_full() {
        let rows = 160_000;
        let keys: ArrayRef = Arc::new(Int64Array::from_iter_values((0..rows).map(|row| row / 2 * 7)));
        let more = |at: i64| move |row: i64| if row < at { row % 9 } else { row - at - 3 };
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..rows).map(more(30_000))));
        let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..rows).map(|row| row.to_string())));
        same(&[("key", keys), ("captures", numbers), ("move", texts)]);
    }
}
