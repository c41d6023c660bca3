//! Formats of tables, and the file of one table of one segment.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{RecordBatch, StringArray};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat_batches;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use xxhash_rust::xxh3::Xxh3;

use sgfstream_table::arrow::Table;

use super::text::{write_csv, write_csv_head, write_jsonl};

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Parquet,
    Arrow,
    Csv,
    Jsonl,
}

impl Format {
    /// The format that the end of the name says.
    pub(super) fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "parquet" => Ok(Self::Parquet),
            "arrow" | "ipc" | "feather" => Ok(Self::Arrow),
            "csv" => Ok(Self::Csv),
            "jsonl" | "ndjson" => Ok(Self::Jsonl),
            _ => anyhow::bail!("{}: expected a name that ends in .parquet, .arrow, .csv or .jsonl", path.display()),
        }
    }

    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
        }
    }
}

/// Rows that are together in a file: a row group, a batch, a run of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) rows: u64,
    /// Bytes, of lines.
    pub(super) bytes: u64,
}

pub(super) fn properties(table: &Table) -> WriterProperties {
    let metadata = table.schema().metadata();
    let mut pairs: Vec<_> = metadata.iter().map(|(name, value)| KeyValue::new(name.clone(), value.clone())).collect();
    pairs.sort_by(|one, other| one.key.cmp(&other.key));
    let mut builder = WriterProperties::builder();
    for (column, encoding) in plain_columns(table) {
        let path = ColumnPath::from(column.to_owned());
        builder = builder.set_column_dictionary_enabled(path.clone(), false).set_column_encoding(path, encoding);
    }
    builder
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).expect("a level that there is")))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_page_size_limit(256 << 10)
        .set_data_page_size_limit(256 << 10)
        .set_created_by(concat!("sgfq ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_max_row_group_row_count(None)
        .set_key_value_metadata(Some(pairs))
        .build()
}

/// The columns that want no dictionary, and how their values are written:
/// numbers of a game, and numbers that count rows, as differences, which takes
/// less space and memory; texts that are different in nearly every row as they
/// are.
fn plain_columns(table: &Table) -> impl Iterator<Item = (&str, Encoding)> {
    let fields = table.schema().fields();
    let is_own_key = fields.find("source").is_some();
    fields.iter().filter_map(move |field| match (field.name().as_str(), field.data_type()) {
        (name @ "key", _) => is_own_key.then_some((name, Encoding::PLAIN)),
        (name @ ("hash" | "canonical_hash" | "text"), _) => Some((name, Encoding::PLAIN)),
        (name @ ("ply" | "node"), _) => Some((name, Encoding::DELTA_BINARY_PACKED)),
        (name, DataType::Int64 | DataType::Date32) => is_own_key.then_some((name, Encoding::DELTA_BINARY_PACKED)),
        _ => None,
    })
}

/// Bytes of the texts of a group, at most: it is held in memory until it ends. One
/// row may have more.
const GROUP_TEXT: usize = 32 << 20;

/// A file of rows that is being written.
pub(super) struct TableFile {
    writer: Writer,
    group_rows: usize,
    /// Rows and bytes of the group that is being written.
    group: Group,
    /// Bytes of its texts.
    text: usize,
    groups: Vec<Group>,
}

enum Writer {
    Parquet(Box<ArrowWriter<Buffered>>),
    Arrow { writer: Box<FileWriter<Buffered>>, waiting: Vec<RecordBatch> },
    Csv(Buffered),
    Jsonl(Buffered),
}

type Buffered = BufWriter<Hashed<File>>;

/// Hashes what is written.
struct Hashed<W> {
    inner: W,
    size: u64,
    hash: Xxh3,
}

impl<W: Write> Hashed<W> {
    fn new(inner: W) -> BufWriter<Self> {
        BufWriter::with_capacity(1 << 20, Self { inner, size: 0, hash: Xxh3::new() })
    }

    fn sum(&self) -> Sum {
        Sum { size: self.size, xxh3: self.hash.digest128() }
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = self.inner.write(buf)?;
        self.hash.update(&buf[..len]);
        self.size += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Tells whether a file is as it was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) size: u64,
    pub(super) xxh3: u128,
}

impl Sum {
    /// Of all bytes of the file at `path`.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let mut hashed = Hashed::new(io::sink());
        io::copy(&mut File::open(path)?, &mut hashed)?;
        Ok(hashed.into_inner()?.sum())
    }
}

/// The groups of a file, and the sum of its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) groups: Vec<Group>,
    pub(super) sum: Sum,
}

impl TableFile {
    /// An empty `file` for rows of `table` in groups of at most `group_rows`.
    pub(super) fn new(file: File, format: Format, table: &Table, group_rows: usize) -> anyhow::Result<Self> {
        let file = Hashed::new(file);
        let schema = Arc::clone(table.schema());
        let writer = match format {
            Format::Parquet => Writer::Parquet(Box::new(ArrowWriter::try_new(file, schema, Some(properties(table)))?)),
            Format::Arrow => Writer::Arrow {
                writer: Box::new(FileWriter::try_new(file, &schema).map_err(cause)?),
                waiting: Vec::new(),
            },
            Format::Csv => Writer::Csv(file),
            Format::Jsonl => Writer::Jsonl(file),
        };
        Ok(Self { writer, group_rows: group_rows.max(1), group: Group::default(), text: 0, groups: Vec::new() })
    }

    /// Writes all rows.
    pub(super) fn write(&mut self, batch: &RecordBatch) -> anyhow::Result<()> {
        let mut at = 0;
        while at < batch.num_rows() {
            at += self.write_group(batch, at)?.0;
        }
        Ok(())
    }

    /// Writes the rows from `at` on, up to the end of a group. Says how many these are, none perhaps, and whether the
    /// group ended after them.
    pub(super) fn write_group(&mut self, batch: &RecordBatch, at: usize) -> anyhow::Result<(usize, bool)> {
        let texts: Vec<_> = batch.columns().iter().filter_map(|column| column.as_string_opt::<i32>()).collect();
        let text = |from: usize, to: usize| -> usize {
            let len = |column: &&StringArray| column.value_offsets()[to] - column.value_offsets()[from];
            texts.iter().map(|column| len(column) as usize).sum()
        };
        let left = (self.group_rows - self.group.rows as usize).min(batch.num_rows() - at);
        // A group ends before the row that is too much for it: where that is
        // depends on the rows alone, and not on how they came together.
        let space = GROUP_TEXT.saturating_sub(self.text);
        let mut len = left;
        if text(at, at + left) > space {
            let (mut fits, mut too_many) = (0, left);
            while fits + 1 < too_many {
                let middle = fits.midpoint(too_many);
                if text(at, at + middle) > space { too_many = middle } else { fits = middle }
            }
            len = fits;
        }
        if len == 0 && self.group.rows > 0 {
            self.end_group()?;
            return Ok((0, true));
        }
        let len = len.max(1);
        self.text += text(at, at + len);
        let rows = batch.slice(at, len);
        match &mut self.writer {
            Writer::Parquet(writer) => writer.write(&rows)?,
            Writer::Arrow { waiting, .. } => waiting.push(rows),
            Writer::Csv(writer) => self.group.bytes += write_csv(writer, &rows)?,
            Writer::Jsonl(writer) => self.group.bytes += write_jsonl(writer, &rows)?,
        }
        self.group.rows += len as u64;
        let is_full = self.group.rows as usize == self.group_rows;
        if is_full {
            self.end_group()?;
        }
        Ok((len, is_full))
    }

    /// Ends the group, if it has rows. Says how many groups there are.
    pub(super) fn end_group(&mut self) -> anyhow::Result<usize> {
        self.text = 0;
        if self.group.rows > 0 {
            match &mut self.writer {
                Writer::Parquet(writer) => writer.flush()?,
                Writer::Arrow { writer, waiting } => {
                    let batch = concat_batches(&waiting[0].schema(), waiting.iter())?;
                    waiting.clear();
                    writer.write(&batch).map_err(cause)?;
                }
                Writer::Csv(_) | Writer::Jsonl(_) => {}
            }
            self.groups.push(std::mem::take(&mut self.group));
        }
        Ok(self.groups.len())
    }

    /// Writes the rest; the file is whole then, and on the disk.
    pub(super) fn finish(mut self) -> anyhow::Result<Written> {
        self.end_group()?;
        let file = match self.writer {
            Writer::Parquet(writer) => writer.into_inner()?,
            Writer::Arrow { mut writer, .. } => {
                writer.finish().map_err(cause)?;
                writer.into_inner().map_err(cause)?
            }
            Writer::Csv(writer) | Writer::Jsonl(writer) => writer,
        };
        let hashed = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        hashed.inner.sync_data()?;
        Ok(Written { groups: self.groups, sum: hashed.sum() })
    }
}

/// The error of the system, which Arrow's says twice.
pub(super) fn cause(err: ArrowError) -> anyhow::Error {
    match err {
        ArrowError::IoError(_, err) => err.into(),
        err => err.into(),
    }
}

/// Writes what comes before the first row of a text.
pub(super) fn write_head(out: &mut impl Write, format: Format, table: &Table) -> anyhow::Result<()> {
    if format == Format::Csv {
        write_csv_head(out, table.schema())?;
    }
    Ok(())
}
