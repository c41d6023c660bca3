//! Parquet writer that encodes columns in parallel. The bytes depend only on the blocks of rows,
//! not on the number of threads, because one thread encodes all rows of a column in a group.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use arrow_array::RecordBatch;
use arrow_schema::{FieldRef, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::errors::Result;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use super::join::join;

/// Maximum number of blocks that wait for an encoder, besides the one that it encodes.
const WAITING: usize = 1;

/// Rows that are encoded at once, in batches as they were read.
type Block = Arc<[RecordBatch]>;

/// Encoded columns of a row group, each with its index.
type Chunks = Vec<(usize, ArrowColumnChunk)>;

/// Writer of a Parquet file.
pub(super) struct ParquetFile<W: Write + Send> {
    file: SerializedFileWriter<W>,
    factory: ArrowRowGroupWriterFactory,
    fields: Vec<FieldRef>,
    threads: usize,
    /// Number of row groups that were begun.
    groups: usize,
    /// Columns of the current group, if this thread encodes them.
    columns: Vec<Column>,
    /// First block of a group. If no other follows, it is not worth starting threads.
    first: Option<Block>,
    /// Threads that encode columns; empty before the second block of a group.
    encoders: Vec<Encoder>,
    /// Number of blocks of the current group that the encoders have.
    blocks: usize,
    /// Number of groups that the encoders have and the file has not: the current one, and the one
    /// before it.
    pending: usize,
}

struct Column {
    at: usize,
    field: FieldRef,
    writer: ArrowColumnWriter,
}

fn write_columns(columns: &mut [Column], block: &[RecordBatch]) -> Result<()> {
    for column in columns {
        let array = join(block, column.at);
        // Only structs have more than one leaf, and no table contains any.
        for leaf in &compute_leaves(&column.field, &array)? {
            column.writer.write(leaf)?;
        }
    }
    Ok(())
}

fn close_columns(columns: Vec<Column>) -> Result<Chunks> {
    columns
        .into_iter()
        .map(|column| Ok((column.at, column.writer.close()?)))
        .collect()
}

/// Thread that encodes some columns of each row group.
struct Encoder {
    messages: SyncSender<Message>,
    /// Columns of the groups that have ended, in order.
    chunks: Receiver<Result<Chunks>>,
}

/// Work for an encoder.
struct Message {
    /// Columns of a new group, which ends the group before it.
    begun: Option<Vec<Column>>,
    block: Block,
}

impl Encoder {
    fn start() -> std::io::Result<Self> {
        let (messages, received) = sync_channel(WAITING);
        let (sender, chunks) = channel();
        thread::Builder::new()
            .name("encoder".to_owned())
            .spawn(move || encode(&received, &sender))?;
        Ok(Self { messages, chunks })
    }
}

/// Encodes groups until the channel closes. An error is returned at the end of its group.
fn encode(messages: &Receiver<Message>, chunks: &Sender<Result<Chunks>>) {
    let mut group: Option<Result<Vec<Column>>> = None;
    let end = |ended: Option<Result<Vec<Column>>>| {
        if let Some(columns) = ended {
            // Ignore a closed channel: the receiver stops after an error.
            _ = chunks.send(columns.and_then(close_columns));
        }
    };
    for Message { begun, block } in messages {
        if let Some(columns) = begun {
            end(group.replace(Ok(columns)));
        }
        if let Some(Ok(columns)) = &mut group
            && let Err(err) = write_columns(columns, &block)
        {
            group = Some(Err(err));
        }
    }
    end(group);
}

impl<W: Write + Send> ParquetFile<W> {
    /// Creates a file whose columns are encoded by up to `threads` threads.
    pub(super) fn new(
        out: W,
        schema: &SchemaRef,
        properties: WriterProperties,
        threads: usize,
    ) -> Result<Self> {
        let writer = ArrowWriter::try_new(out, Arc::clone(schema), Some(properties))?;
        let (file, factory) = writer.into_serialized_writer()?;
        let fields = schema.fields().iter().map(Arc::clone).collect();
        Ok(Self {
            file,
            factory,
            fields,
            threads,
            groups: 0,
            columns: Vec::new(),
            first: None,
            encoders: Vec::new(),
            blocks: 0,
            pending: 0,
        })
    }

    /// Adds a block of rows to the group.
    pub(super) fn write(&mut self, block: Vec<RecordBatch>) -> Result<()> {
        let block = Block::from(block);
        if self.threads > 1 && self.encoders.is_empty() {
            let Some(first) = self.first.take() else {
                self.first = Some(block);
                return Ok(());
            };
            self.start_encoders();
            self.encode(first)?;
        }
        self.encode(block)
    }

    /// Starts the encoders. If the system refuses a thread, this thread encodes all columns.
    fn start_encoders(&mut self) {
        let started: std::io::Result<Vec<_>> = (0..self.threads.min(self.fields.len()))
            .map(|_| Encoder::start())
            .collect();
        match started {
            Ok(encoders) => self.encoders = encoders,
            Err(_) => self.threads = 1,
        }
    }

    fn encode(&mut self, block: Block) -> Result<()> {
        if self.encoders.is_empty() {
            return self.encode_here(&block);
        }
        let mut shares = Vec::new();
        if self.blocks == 0 {
            self.pending += 1;
            shares.resize_with(self.encoders.len(), Vec::new);
            for column in self.begin_group()? {
                shares[column.at % self.encoders.len()].push(column);
            }
        }
        let mut shares = shares.into_iter();
        for encoder in &self.encoders {
            let message = Message {
                begun: shares.next(),
                block: Arc::clone(&block),
            };
            encoder
                .messages
                .send(message)
                .expect("an encoder runs as long as its channel");
        }
        self.blocks += 1;
        // The encoders have begun the block before the last `WAITING`, so they have ended the group
        // before.
        if self.blocks > WAITING + 1 && self.pending > 1 {
            self.append_pending()?;
        }
        Ok(())
    }

    fn encode_here(&mut self, block: &[RecordBatch]) -> Result<()> {
        if self.columns.is_empty() {
            self.columns = self.begin_group()?;
        }
        write_columns(&mut self.columns, block)
    }

    fn begin_group(&mut self) -> Result<Vec<Column>> {
        let writers = self.factory.create_column_writers(self.groups)?;
        self.groups += 1;
        let fields = self.fields.iter().map(Arc::clone).enumerate();
        Ok(fields
            .zip(writers)
            .map(|((at, field), writer)| Column { at, field, writer })
            .collect())
    }

    /// Ends the group, if there is one. Encoders may still work on it while the next group begins.
    pub(super) fn end_group(&mut self) -> Result<()> {
        if let Some(first) = self.first.take() {
            self.encode_here(&first)?;
        }
        let columns = std::mem::take(&mut self.columns);
        if !columns.is_empty() {
            return self.append(close_columns(columns)?);
        }
        self.blocks = 0;
        // At most one group is pending when the next one begins.
        if self.pending > 1 {
            self.append_pending()
        } else {
            Ok(())
        }
    }

    /// Waits for the first pending group, and appends it to the file.
    fn append_pending(&mut self) -> Result<()> {
        let mut chunks = Vec::new();
        for encoder in &self.encoders {
            chunks.extend(
                encoder
                    .chunks
                    .recv()
                    .expect("an encoder runs as long as its channel")?,
            );
        }
        self.pending -= 1;
        self.append(chunks)
    }

    fn append(&mut self, mut chunks: Chunks) -> Result<()> {
        chunks.sort_unstable_by_key(|(at, _)| *at);
        let mut group = self.file.next_row_group()?;
        chunks
            .into_iter()
            .try_for_each(|(_, chunk)| chunk.append_to_row_group(&mut group))?;
        group.close().map(drop)
    }

    /// Adds an entry to the metadata of the file.
    pub(super) fn add_metadata(&mut self, key: &str, value: &str) {
        self.file
            .append_key_value_metadata(KeyValue::new(key.to_owned(), value.to_owned()));
    }

    /// Ends the file and returns the output.
    pub(super) fn into_inner(mut self) -> Result<W> {
        self.end_group()?;
        for encoder in &mut self.encoders {
            // Close the channel, so that the encoder ends the last group.
            encoder.messages = sync_channel(0).0;
        }
        while self.pending > 0 {
            self.append_pending()?;
        }
        self.file.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
    use arrow_schema::DataType;
    use sgfstream_table::arrow::TableKind;
    use sgfstream_table::filter::Selection;

    use super::super::format::properties;
    use super::*;

    /// Returns rows with all kinds of values: repeating, unique and missing ones.
    fn rows(schema: &SchemaRef, from: usize, len: usize) -> RecordBatch {
        let numbers = || (from..from + len).map(|row| row * 0x9e37_79b9 % 1009);
        let columns = schema.fields().iter().enumerate().map(|(at, field)| {
            let some = move |number: usize| (number % 7 != at % 7).then_some(number / (at + 1));
            let array: ArrayRef = match field.data_type() {
                DataType::Utf8 => {
                    let texts =
                        numbers().map(|number| some(number).map(|number| format!("{at} {number}")));
                    Arc::new(texts.collect::<StringArray>())
                }
                DataType::Int64 => Arc::new(
                    numbers()
                        .map(|number| Some(some(number)? as i64))
                        .collect::<Int64Array>(),
                ),
                DataType::Float64 => Arc::new(
                    numbers()
                        .map(|number| Some(some(number)? as f64 / 3.0))
                        .collect::<Float64Array>(),
                ),
                DataType::Boolean => Arc::new(
                    numbers()
                        .map(|number| Some(some(number)? % 2 == 0))
                        .collect::<BooleanArray>(),
                ),
                other => panic!("a column of {other}"),
            };
            array
        });
        RecordBatch::try_new(Arc::clone(schema), columns.collect()).expect("columns of one length")
    }

    #[test]
    fn the_bytes_are_those_of_one_thread() {
        // Groups of no batch, of one, and of several batches of different lengths.
        let groups: [&[usize]; 4] = [&[300], &[5000, 1, 2999, 40], &[], &[7, 8]];
        for kind in [TableKind::Moves, TableKind::Comments] {
            let schema = kind.schema(&Selection::of(&[], None));
            let write = |write: &mut dyn FnMut(Option<RecordBatch>)| {
                let mut from = 0;
                for group in groups {
                    for &len in group {
                        write(Some(rows(&schema, from, len)));
                        from += len;
                    }
                    write(None);
                }
            };
            let mut plain =
                ArrowWriter::try_new(Vec::new(), Arc::clone(&schema), Some(properties(&schema)))
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
                let mut file = ParquetFile::new(Vec::new(), &schema, properties(&schema), threads)
                    .expect("a schema that can be written");
                write(&mut |batch| {
                    match batch {
                        // A block of several batches is encoded as one batch is.
                        Some(rows) => {
                            file.write(vec![rows.slice(0, 1), rows.slice(1, rows.num_rows() - 1)])
                        }
                        None => file.end_group(),
                    }
                    .expect("rows that can be written");
                });
                assert!(
                    file.into_inner().expect("memory") == plain,
                    "{threads} threads"
                );
            }
        }
    }
}
