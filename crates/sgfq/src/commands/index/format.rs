//! Formats of tables and the files of tables.

use std::io::Write;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type};
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use parquet::basic::{Compression as PageCompression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use sgfstream_table::row::Cell;

use crate::args::destination::{Destination, is_gzip};
use crate::report::format::Format;
use crate::report::rows::RowWriter;

use super::join::join;
use super::parquet::ParquetFile;

/// Output of one table. Arrow on stdout is a stream: it has no list of batches at its end, for
/// readers that cannot seek, such as pipes.
#[derive(Clone, Debug)]
pub(super) struct TableOut {
    pub(super) schema: SchemaRef,
    pub(super) path: PathBuf,
    pub(super) format: Format,
    /// Maximum rows of a group.
    pub(super) group_rows: u64,
}

/// The values of `-f`.
pub(super) const FORMATS: &[Format] = &[
    Format::Arrow,
    Format::Parquet,
    Format::Csv,
    Format::Tsv,
    Format::Jsonl,
];

/// Returns the format of the table at `path`: the format of `-f`, or of the name, or Arrow for
/// stdout.
pub(super) fn format_of(path: &Path, stated: Option<Format>) -> anyhow::Result<Format> {
    let (target, shown) = (Destination::of(path), path.display());
    let is_known = stated.is_some() || target.is_stdout() || target.extension().is_some();
    anyhow::ensure!(
        is_known,
        "{shown}: expected a name that ends in .parquet, .arrow, .csv, .tsv or .jsonl, or a format, as in -f csv"
    );
    let format = target.format(stated, FORMATS)?;
    if format.is_rows() {
        return Ok(format);
    }
    let name = format.name();
    anyhow::ensure!(
        !is_gzip(path),
        "{shown}: {name} is compressed inside the file; leave out `.gz`"
    );
    anyhow::ensure!(
        format != Format::Parquet || !target.is_stdout(),
        "parquet cannot be written to a pipe; name a file with -o, or choose arrow, csv, tsv or jsonl"
    );
    Ok(format)
}

/// Name of the writing program in the table's metadata.
const WRITER: &str = concat!("sgfq ", env!("CARGO_PKG_VERSION"));

pub(super) fn properties(schema: &SchemaRef) -> WriterProperties {
    let metadata = schema.metadata();
    let mut pairs: Vec<_> = metadata
        .iter()
        .map(|(name, value)| KeyValue::new(name.clone(), value.clone()))
        .collect();
    pairs.sort_by(|one, other| one.key.cmp(&other.key));
    let mut builder = WriterProperties::builder();
    for (column, encoding) in plain_columns(schema) {
        let path = ColumnPath::from(column.to_owned());
        builder = builder
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, encoding);
    }
    for column in columns_without_bounds(schema) {
        builder = builder.set_column_statistics_enabled(
            ColumnPath::from(column.to_owned()),
            EnabledStatistics::None,
        );
    }
    builder
        .set_compression(PageCompression::ZSTD(
            ZstdLevel::try_new(1).expect("a level that there is"),
        ))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_page_size_limit(256 << 10)
        .set_data_page_size_limit(256 << 10)
        // Encode a block at once, because each step has a fixed cost.
        .set_write_batch_size(BLOCK_ROWS)
        .set_created_by(WRITER.to_owned())
        .set_max_row_group_row_count(None)
        .set_key_value_metadata(Some(pairs))
        .build()
}

/// Returns the columns without a dictionary, each with its encoding.
///
/// Numbers of a game and row numbers are stored as differences, which takes less space and memory.
/// Texts that differ in nearly every row are stored as they are. So are texts and keys that repeat
/// in many rows, because the dictionary lookups cost more than they save once the page is
/// compressed.
fn plain_columns(schema: &SchemaRef) -> impl Iterator<Item = (&str, Encoding)> {
    let fields = schema.fields();
    let is_own_key = fields.find("source").is_some();
    fields.iter().filter_map(
        move |field| match (field.name().as_str(), field.data_type()) {
            (
                name @ ("key" | "hash" | "canonical_hash" | "dyer" | "dyer_canonical" | "text"),
                _,
            ) => Some((name, Encoding::PLAIN)),
            // Each reference shares a prefix with the one before.
            (name @ "reference", _) => Some((name, Encoding::DELTA_BYTE_ARRAY)),
            (name @ ("kind" | "color"), DataType::Utf8) => Some((name, Encoding::PLAIN)),
            (name @ ("ply" | "step" | "node" | "x" | "y" | "captures"), DataType::Int64) => {
                Some((name, Encoding::DELTA_BINARY_PACKED))
            }
            (name, DataType::Int64 | DataType::Date32) => {
                is_own_key.then_some((name, Encoding::DELTA_BINARY_PACKED))
            }
            _ => None,
        },
    )
}

/// Returns the columns without minimum and maximum, because each row group contains nearly all of
/// their values.
fn columns_without_bounds(schema: &SchemaRef) -> impl Iterator<Item = &str> {
    const WITHOUT: [&str; 8] = ["kind", "color", "move", "property", "ply", "step", "x", "y"];
    schema
        .fields()
        .iter()
        .map(|field| field.name().as_str())
        .filter(|name| WITHOUT.contains(name))
}

/// Maximum bytes of the texts of a row group, which is in memory until it ends. A single row may
/// exceed it.
const GROUP_TEXT: usize = 32 << 20;

/// Maximum bytes of the texts of a block. A single row may exceed it.
const BLOCK_TEXT: usize = 1 << 20;

/// Approximate bytes of a block without texts.
const BLOCK_BYTES: usize = 1 << 20;

/// Maximum rows of a block.
const BLOCK_ROWS: usize = 1 << 14;

/// Bytes of a cell: a number, or the end of a text.
const CELL: usize = 8;

/// Writer of a file of rows. It cuts blocks and groups at fixed rows, so that the bytes of a table
/// do not depend on how many threads read its games.
pub(super) struct TableFile<W: Write + Send> {
    writer: Writer<W>,
    group: Fill,
    /// Rows that are written at once.
    block: Fill,
    /// Rows of the current block.
    waiting: Vec<RecordBatch>,
}

enum Writer<W: Write + Send> {
    Parquet(Box<ParquetFile<W>>),
    Arrow(Box<FileWriter<W>>),
    ArrowStream(Box<StreamWriter<W>>),
    Rows { writer: RowWriter, out: W },
}

/// Rows of a block or group, up to a maximum of rows and of bytes of their texts.
#[derive(Clone, Copy)]
struct Fill {
    max_rows: usize,
    max_text: usize,
    rows: usize,
    text: usize,
}

impl Fill {
    fn new(max_rows: usize, max_text: usize) -> Self {
        Self {
            max_rows,
            max_text,
            rows: 0,
            text: 0,
        }
    }

    /// Returns how many rows of `batch` fit from row `at` on. They end before the row that exceeds
    /// the space.
    fn fitting(&self, batch: &RecordBatch, at: usize) -> usize {
        let left = (self.max_rows - self.rows).min(batch.num_rows() - at);
        let space = self.max_text.saturating_sub(self.text);
        if text_len(batch, at, left) <= space {
            return left;
        }
        let (mut fits, mut too_many) = (0, left);
        while fits + 1 < too_many {
            let middle = fits.midpoint(too_many);
            if text_len(batch, at, middle) > space {
                too_many = middle
            } else {
                fits = middle
            }
        }
        if self.rows == 0 { fits.max(1) } else { fits }
    }

    fn add(&mut self, rows: &RecordBatch) {
        self.rows += rows.num_rows();
        self.text += text_len(rows, 0, rows.num_rows());
    }

    fn is_full(&self) -> bool {
        self.rows == self.max_rows
    }

    fn clear(&mut self) {
        (self.rows, self.text) = (0, 0);
    }
}

/// Returns the bytes of the texts of some rows.
fn text_len(batch: &RecordBatch, at: usize, rows: usize) -> usize {
    let texts = batch
        .columns()
        .iter()
        .filter_map(|column| column.as_string_opt::<i32>());
    let len = |text: &StringArray| text.value_offsets()[at + rows] - text.value_offsets()[at];
    texts.map(|text| len(text) as usize).sum()
}

impl<W: Write + Send> TableFile<W> {
    /// Creates a file. Up to `threads` threads encode its rows; `target` must be empty.
    pub(super) fn new(mut target: W, out: &TableOut, threads: usize) -> anyhow::Result<Self> {
        let group = Fill::new(out.group_rows.max(1) as usize, GROUP_TEXT);
        let mut block = group;
        let writer = match out.format {
            Format::Parquet => {
                let rows = BLOCK_BYTES / (CELL * out.schema.fields().len());
                block = Fill::new((1 << rows.ilog2()).min(BLOCK_ROWS), BLOCK_TEXT);
                Writer::Parquet(Box::new(ParquetFile::new(
                    target,
                    &out.schema,
                    properties(&out.schema),
                    threads,
                )?))
            }
            Format::Arrow if out.path != Path::new("-") => Writer::Arrow(Box::new(
                FileWriter::try_new(target, &out.schema).map_err(cause)?,
            )),
            Format::Arrow => Writer::ArrowStream(Box::new(
                StreamWriter::try_new(target, &out.schema).map_err(cause)?,
            )),
            format => {
                let names = out
                    .schema
                    .fields()
                    .iter()
                    .map(|field| field.name().as_str());
                let writer = RowWriter::new(format, names, false);
                target.write_all(&writer.head())?;
                Writer::Rows {
                    writer,
                    out: target,
                }
            }
        };
        Ok(Self {
            writer,
            group,
            block,
            waiting: Vec::new(),
        })
    }

    /// Writes all rows.
    pub(super) fn write(&mut self, batch: &RecordBatch) -> anyhow::Result<()> {
        if let Writer::Rows { writer, out } = &mut self.writer {
            let mut text = Vec::new();
            for row in 0..batch.num_rows() {
                for (at, column) in batch.columns().iter().enumerate() {
                    with_cell(column, row, |cell| writer.cell(at, cell, &mut text));
                }
                writer.end_row(&mut text);
            }
            return Ok(out.write_all(&text)?);
        }
        let mut at = 0;
        while at < batch.num_rows() {
            let of_group = self.group.fitting(batch, at);
            if of_group == 0 {
                self.end_group()?;
                continue;
            }
            let len = self.block.fitting(batch, at).min(of_group);
            if len == 0 {
                self.end_block()?;
                continue;
            }
            let is_whole = len == batch.num_rows();
            let rows = if is_whole {
                batch.clone()
            } else {
                batch.slice(at, len)
            };
            at += len;
            self.group.add(&rows);
            self.block.add(&rows);
            self.waiting.push(rows);
            if self.group.is_full() {
                self.end_group()?;
            } else if self.block.is_full() {
                self.end_block()?;
            }
        }
        Ok(())
    }

    /// Writes the block if it has rows.
    fn end_block(&mut self) -> anyhow::Result<()> {
        self.block.clear();
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        match &mut self.writer {
            Writer::Parquet(writer) => writer.write(waiting)?,
            Writer::Arrow(writer) => writer.write(&joined(&waiting)?).map_err(cause)?,
            Writer::ArrowStream(writer) => writer.write(&joined(&waiting)?).map_err(cause)?,
            Writer::Rows { .. } => {}
        }
        Ok(())
    }

    /// Ends the group if it has rows.
    fn end_group(&mut self) -> anyhow::Result<()> {
        self.group.clear();
        self.end_block()?;
        if let Writer::Parquet(writer) = &mut self.writer {
            writer.end_group()?;
        }
        Ok(())
    }

    /// Adds an entry to the metadata of the table. Text and streams have none.
    pub(super) fn add_metadata(&mut self, key: &str, value: &str) {
        match &mut self.writer {
            Writer::Parquet(writer) => writer.add_metadata(key, value),
            Writer::Arrow(writer) => writer.write_metadata(key, value),
            Writer::ArrowStream(_) | Writer::Rows { .. } => {}
        }
    }

    /// Writes the rest. Afterwards the table is complete in the target.
    pub(super) fn finish(mut self) -> anyhow::Result<W> {
        self.end_group()?;
        match self.writer {
            Writer::Parquet(writer) => Ok(writer.into_inner()?),
            Writer::Arrow(mut writer) => {
                writer.finish().map_err(cause)?;
                writer.into_inner().map_err(cause)
            }
            Writer::ArrowStream(mut writer) => {
                writer.finish().map_err(cause)?;
                writer.into_inner().map_err(cause)
            }
            Writer::Rows { out, .. } => Ok(out),
        }
    }
}

/// Passes a cell of a column to `take`.
fn with_cell(column: &dyn Array, row: usize, take: impl FnOnce(Cell<'_>)) {
    let date;
    take(match column.data_type() {
        _ if column.is_null(row) => Cell::Null,
        DataType::Utf8 => Cell::Text(column.as_string::<i32>().value(row)),
        DataType::Int64 => Cell::Int(column.as_primitive::<Int64Type>().value(row)),
        DataType::Float64 => Cell::Float(column.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => Cell::Bool(column.as_boolean().value(row)),
        DataType::Date32 => {
            date = column
                .as_primitive::<Date32Type>()
                .value_as_date(row)
                .map(|date| date.to_string());
            date.as_deref().map_or(Cell::Null, Cell::Text)
        }
        _ => Cell::Null,
    });
}

/// Returns the rows of all batches in one.
fn joined(batches: &[RecordBatch]) -> anyhow::Result<RecordBatch> {
    let schema = batches[0].schema();
    let columns = (0..schema.fields().len())
        .map(|column| join(batches, column))
        .collect();
    Ok(RecordBatch::try_new(schema, columns)?)
}

/// Returns the system's error, because Arrow's error repeats its text.
pub(super) fn cause(err: ArrowError) -> anyhow::Error {
    match err {
        ArrowError::IoError(_, err) => err.into(),
        err => err.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, format) in [
            ("a/g.parquet", Format::Parquet),
            ("g.2024.ARROW", Format::Arrow),
            ("g.csv", Format::Csv),
            ("g.tsv.gz", Format::Tsv),
            ("g.jsonl.gz", Format::Jsonl),
        ] {
            assert_eq!(
                format_of(Path::new(name), None).expect("a format"),
                format,
                "{name}"
            );
        }
        for name in ["g.parquet.gz", "g.gz", ".gz", "csv", "g"] {
            assert!(format_of(Path::new(name), None).is_err(), "{name}");
        }
    }
}
