//! Parquet writer that encodes columns in parallel. Each column is encoded by one thread from the same batches of rows, so
//! the bytes are those of [`ArrowWriter`] for any number of threads.

use std::io::Write;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use arrow_array::RecordBatch;
use arrow_schema::{FieldRef, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

/// Maximum number of batches that wait for an encoder thread.
const WAITING: usize = 2;

/// Writer of a Parquet file.
pub(super) struct ParquetFile<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    fields: Vec<FieldRef>,
    threads: usize,
    columns: Columns,
}

/// Columns of the current row group.
enum Columns {
    /// No row group.
    None,
    /// Encoded by the writing thread, because a group of one batch is not worth other threads.
    Here(Vec<Column>),
    /// Encoded by these threads.
    There(Vec<Encoder>),
}

struct Column {
    at: usize,
    field: FieldRef,
    writer: ArrowColumnWriter,
}

impl Column {
    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        // Only structs have more than one leaf, and no table contains any.
        compute_leaves(&self.field, batch.column(self.at))?.iter().try_for_each(|leaf| self.writer.write(leaf))
    }

    fn close(self) -> Result<(usize, ArrowColumnChunk)> {
        Ok((self.at, self.writer.close()?))
    }
}

/// Thread that encodes some columns of a row group.
struct Encoder {
    columns: SyncSender<Vec<Column>>,
    batches: SyncSender<RecordBatch>,
    thread: JoinHandle<Result<Vec<(usize, ArrowColumnChunk)>>>,
}

impl Encoder {
    /// Starts a thread that waits for its columns, so that no column is lost if the system refuses the thread.
    fn start() -> std::io::Result<Self> {
        let (columns, given) = sync_channel::<Vec<Column>>(1);
        let (batches, received) = sync_channel::<RecordBatch>(WAITING);
        let thread = thread::Builder::new().spawn(move || {
            let mut columns = given.recv().unwrap_or_default();
            for batch in received {
                columns.iter_mut().try_for_each(|column| column.write(&batch))?;
            }
            columns.into_iter().map(Column::close).collect()
        })?;
        Ok(Self { columns, batches, thread })
    }
}

impl<W: Write + Send> ParquetFile<W> {
    /// Creates a file whose columns are encoded by up to `threads` threads.
    pub(super) fn new(out: W, schema: &SchemaRef, properties: WriterProperties, threads: usize) -> Result<Self> {
        let writer = ArrowWriter::try_new(out, Arc::clone(schema), Some(properties))?;
        let (file, factory) = writer.into_serialized_writer()?;
        let fields = schema.fields().iter().map(Arc::clone).collect();
        Ok(Self { file, factory, fields, threads, columns: Columns::None })
    }

    /// Adds rows to the group.
    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        match &mut self.columns {
            Columns::None => {
                let writers = self.factory.create_column_writers(self.file.flushed_row_groups().len())?;
                let fields = self.fields.iter().map(Arc::clone).enumerate();
                let columns = fields.zip(writers).map(|((at, field), writer)| Column { at, field, writer });
                self.columns = Columns::Here(columns.collect());
                return self.write_here(batch);
            }
            Columns::Here(_) if self.threads <= 1 => return self.write_here(batch),
            Columns::Here(columns) => {
                let started: std::io::Result<Vec<_>> =
                    (0..self.threads.min(columns.len())).map(|_| Encoder::start()).collect();
                let Ok(encoders) = started else {
                    self.threads = 1;
                    return self.write_here(batch);
                };
                let mut shares = Vec::new();
                shares.resize_with(encoders.len(), Vec::new);
                for column in std::mem::take(columns) {
                    shares[column.at % encoders.len()].push(column);
                }
                for (encoder, share) in encoders.iter().zip(shares) {
                    // The thread waits for this message.
                    _ = encoder.columns.send(share);
                }
                self.columns = Columns::There(encoders);
            }
            Columns::There(_) => {}
        }
        let Columns::There(encoders) = &self.columns else { unreachable!("they were begun above") };
        if encoders.iter().any(|encoder| encoder.batches.send(batch.clone()).is_err()) {
            // A thread that accepts no more batches has failed.
            return self.end_group();
        }
        Ok(())
    }

    fn write_here(&mut self, batch: &RecordBatch) -> Result<()> {
        let Columns::Here(columns) = &mut self.columns else { unreachable!("no other thread has them") };
        columns.iter_mut().try_for_each(|column| column.write(batch))
    }

    /// Ends the group, if there is one.
    pub(super) fn end_group(&mut self) -> Result<()> {
        let mut chunks = match std::mem::replace(&mut self.columns, Columns::None) {
            Columns::None => return Ok(()),
            Columns::Here(columns) => columns.into_iter().map(Column::close).collect::<Result<Vec<_>>>()?,
            Columns::There(encoders) => {
                // Drop all channels first, so that all threads end in parallel.
                let threads: Vec<_> = encoders.into_iter().map(|Encoder { thread, .. }| thread).collect();
                let chunks =
                    threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
                chunks.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect()
            }
        };
        chunks.sort_unstable_by_key(|(at, _)| *at);
        let mut group = self.file.next_row_group()?;
        chunks.into_iter().try_for_each(|(_, chunk)| chunk.append_to_row_group(&mut group))?;
        group.close().map(drop)
    }

    /// Adds an entry to the metadata of the file.
    pub(super) fn add_metadata(&mut self, key: &str, value: &str) {
        self.file.append_key_value_metadata(KeyValue::new(key.to_owned(), value.to_owned()));
    }

    /// Ends the file and returns the output.
    pub(super) fn into_inner(mut self) -> Result<W> {
        self.end_group()?;
        self.file.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
    use arrow_schema::DataType;
    use sgfstream_table::arrow::Table;

    use super::super::format::properties;
    use super::*;

    /// Returns rows with all kinds of values: repeating, unique and missing ones.
    fn rows(table: &Table, from: usize, len: usize) -> RecordBatch {
        let numbers = || (from..from + len).map(|row| row * 0x9e37_79b9 % 1009);
        let columns = table.schema().fields().iter().enumerate().map(|(at, field)| {
            let some = move |number: usize| (number % 7 != at % 7).then_some(number / (at + 1));
            let array: ArrayRef = match field.data_type() {
                DataType::Utf8 => {
                    let texts = numbers().map(|number| some(number).map(|number| format!("{at} {number}")));
                    Arc::new(texts.collect::<StringArray>())
                }
                DataType::Int64 => Arc::new(numbers().map(|number| Some(some(number)? as i64)).collect::<Int64Array>()),
                DataType::Float64 => {
                    Arc::new(numbers().map(|number| Some(some(number)? as f64 / 3.0)).collect::<Float64Array>())
                }
                DataType::Boolean => {
                    Arc::new(numbers().map(|number| Some(some(number)? % 2 == 0)).collect::<BooleanArray>())
                }
                other => panic!("a column of {other}"),
            };
            array
        });
        RecordBatch::try_new(Arc::clone(table.schema()), columns.collect()).expect("columns of one length")
    }

    #[test]
    fn the_bytes_are_those_of_one_thread() {
        // Groups of no batch, of one, and of several batches of different lengths.
        let groups: [&[usize]; 4] = [&[300], &[5000, 1, 2999, 40], &[], &[7, 8]];
        for table in [Table::moves(), Table::comments()] {
            let write = |write: &mut dyn FnMut(Option<RecordBatch>)| {
                let mut from = 0;
                for group in groups {
                    for &len in group {
                        write(Some(rows(&table, from, len)));
                        from += len;
                    }
                    write(None);
                }
            };
            let mut plain = ArrowWriter::try_new(Vec::new(), Arc::clone(table.schema()), Some(properties(&table)))
                .expect("a schema that can be written");
            write(&mut |batch| {
                match batch {
                    Some(batch) => plain.write(&batch),
                    None => plain.flush(),
                }
                .expect("rows that can be written");
            });
            let plain = plain.into_inner().expect("memory");
            for threads in [0, 1, 2, 3, 64] {
                let mut file = ParquetFile::new(Vec::new(), table.schema(), properties(&table), threads)
                    .expect("a schema that can be written");
                write(&mut |batch| {
                    match batch {
                        Some(batch) => file.write(&batch),
                        None => file.end_group(),
                    }
                    .expect("rows that can be written");
                });
                assert!(file.into_inner().expect("memory") == plain, "{threads} threads");
            }
        }
    }
}
