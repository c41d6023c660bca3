//! Formats of tables, and the file of one table of one segment.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat_batches;
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::basic::{Compression as PageCompression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use xxhash_rust::xxh3::Xxh3;

use sgfstream_table::arrow::Table;

use crate::io::output::Stdout;

use super::parquet::ParquetFile;
use super::text::{write_csv, write_csv_head, write_jsonl};

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Parquet,
    Arrow,
    /// Arrow without the list of batches at the end, which a reader of a pipe cannot seek.
    ArrowStream,
    Lines(Lines, Packing),
}

/// How a row is a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    Csv,
    Tsv,
    Jsonl,
}

/// How lines are packed. With gzip each group is a member of its own, so that groups can be put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Gzip,
}

impl Lines {
    /// What is before the first row.
    fn write_head(self, out: &mut impl Write, table: &Table) -> io::Result<()> {
        match self {
            Self::Csv => write_csv_head(out, table.schema(), b','),
            Self::Tsv => write_csv_head(out, table.schema(), b'\t'),
            Self::Jsonl => Ok(()),
        }
    }

    fn write(self, out: &mut impl Write, rows: &RecordBatch) -> io::Result<()> {
        match self {
            Self::Csv => write_csv(out, rows, b','),
            Self::Tsv => write_csv(out, rows, b'\t'),
            Self::Jsonl => write_jsonl(out, rows),
        }
    }
}

/// The name of a file without its extension, and that: `games` and `csv.gz`.
pub(super) fn parts_of_name(path: &Path) -> (String, String) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let has_two = name.len() > 3 && name.to_ascii_lowercase().ends_with(".gz");
    let end = if has_two { name.len() - 3 } else { name.len() };
    match name[..end].rfind('.') {
        Some(dot) if dot > 0 => (name[..dot].to_owned(), name[dot + 1..].to_owned()),
        _ => (name.into_owned(), String::new()),
    }
}

impl Format {
    /// The format that the end of the name says.
    pub(super) fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = parts_of_name(path).1.to_ascii_lowercase();
        let (extension, packing) = match extension.strip_suffix(".gz") {
            Some(extension) => (extension, Packing::Gzip),
            None => (&*extension, Packing::Plain),
        };
        match (extension, packing) {
            ("parquet", Packing::Plain) => Ok(Self::Parquet),
            ("arrow" | "ipc" | "feather", Packing::Plain) => Ok(Self::Arrow),
            ("csv", _) => Ok(Self::Lines(Lines::Csv, packing)),
            ("tsv", _) => Ok(Self::Lines(Lines::Tsv, packing)),
            ("jsonl" | "ndjson", _) => Ok(Self::Lines(Lines::Jsonl, packing)),
            _ => anyhow::bail!(
                "{}: expected a name that ends in .parquet, .arrow, .csv, .tsv or .jsonl, or .gz after one of the last three",
                path.display()
            ),
        }
    }

    /// The format of stdout.
    pub(super) fn of_stdout(name: Option<&str>) -> anyhow::Result<Self> {
        match name.unwrap_or("arrow") {
            "arrow" => Ok(Self::ArrowStream),
            "csv" => Ok(Self::Lines(Lines::Csv, Packing::Plain)),
            "tsv" => Ok(Self::Lines(Lines::Tsv, Packing::Plain)),
            "jsonl" => Ok(Self::Lines(Lines::Jsonl, Packing::Plain)),
            _ => anyhow::bail!(
                "-o -: expected arrow, csv, tsv or jsonl, found parquet, which is read from its end: name a file"
            ),
        }
    }

    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow | Self::ArrowStream => "arrow",
            Self::Lines(Lines::Csv, Packing::Plain) => "csv",
            Self::Lines(Lines::Csv, Packing::Gzip) => "csv.gz",
            Self::Lines(Lines::Tsv, Packing::Plain) => "tsv",
            Self::Lines(Lines::Tsv, Packing::Gzip) => "tsv.gz",
            Self::Lines(Lines::Jsonl, Packing::Plain) => "jsonl",
            Self::Lines(Lines::Jsonl, Packing::Gzip) => "jsonl.gz",
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
    for column in columns_without_bounds(table) {
        builder = builder.set_column_statistics_enabled(ColumnPath::from(column.to_owned()), EnabledStatistics::None);
    }
    builder
        .set_compression(PageCompression::ZSTD(ZstdLevel::try_new(1).expect("a level that there is")))
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
/// are, and so texts and keys that are the same in many rows, since a look into
/// the dictionary for each costs more than it saves once the page is packed.
fn plain_columns(table: &Table) -> impl Iterator<Item = (&str, Encoding)> {
    let fields = table.schema().fields();
    let is_own_key = fields.find("source").is_some();
    fields.iter().filter_map(move |field| match (field.name().as_str(), field.data_type()) {
        (name @ ("key" | "hash" | "canonical_hash" | "text"), _) => Some((name, Encoding::PLAIN)),
        (name @ ("kind" | "color"), DataType::Utf8) => Some((name, Encoding::PLAIN)),
        (name @ ("ply" | "step" | "node" | "x" | "y" | "captures"), DataType::Int64) => {
            Some((name, Encoding::DELTA_BINARY_PACKED))
        }
        (name, DataType::Int64 | DataType::Date32) => is_own_key.then_some((name, Encoding::DELTA_BINARY_PACKED)),
        _ => None,
    })
}

/// The columns whose least and greatest value say nothing of a group of rows: each group has nearly all of their values.
fn columns_without_bounds(table: &Table) -> impl Iterator<Item = &str> {
    const WITHOUT: [&str; 8] = ["kind", "color", "move", "property", "ply", "step", "x", "y"];
    table.schema().fields().iter().map(|field| field.name().as_str()).filter(|name| WITHOUT.contains(name))
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

#[expect(clippy::large_enum_variant, reason = "there is one for each file that is being written")]
enum Writer {
    Parquet(Box<ParquetFile<Buffered>>),
    Arrow { writer: Box<FileWriter<Buffered>>, waiting: Vec<RecordBatch> },
    ArrowStream { writer: Box<StreamWriter<Buffered>>, waiting: Vec<RecordBatch> },
    Lines(Lines, Buffered),
    Packed(Lines, Option<Gzip>, Buffered),
}

/// Lines that are packed, up to what waits to be written.
type Gzip = GzEncoder<Vec<u8>>;

fn gzip() -> Gzip {
    GzEncoder::new(Vec::new(), Compression::default())
}

type Buffered = BufWriter<Hashed<Target>>;

/// What a table is written to.
pub(super) enum Target {
    File(File),
    Stdout(Stdout),
}

impl Target {
    /// What was written is on the disk then, or with the reader of stdout.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.sync_data(),
            Self::Stdout(stdout) => stdout.flush(),
        }
    }
}

impl Write for Target {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(buf),
            Self::Stdout(stdout) => stdout.write(buf),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(stdout) => stdout.flush(),
        }
    }
}

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
    /// For rows of `table`, in groups of at most `group_rows`, which up to `threads` threads encode; `target` is empty.
    pub(super) fn new(
        target: Target,
        format: Format,
        table: &Table,
        group_rows: usize,
        threads: usize,
    ) -> anyhow::Result<Self> {
        let file = Hashed::new(target);
        let schema = Arc::clone(table.schema());
        let writer = match format {
            Format::Parquet => Writer::Parquet(Box::new(ParquetFile::new(file, &schema, properties(table), threads)?)),
            Format::Arrow => Writer::Arrow {
                writer: Box::new(FileWriter::try_new(file, &schema).map_err(cause)?),
                waiting: Vec::new(),
            },
            Format::ArrowStream => Writer::ArrowStream {
                writer: Box::new(StreamWriter::try_new(file, &schema).map_err(cause)?),
                waiting: Vec::new(),
            },
            Format::Lines(lines, Packing::Plain) => Writer::Lines(lines, file),
            Format::Lines(lines, Packing::Gzip) => Writer::Packed(lines, None, file),
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
            Writer::Arrow { waiting, .. } | Writer::ArrowStream { waiting, .. } => waiting.push(rows),
            Writer::Lines(lines, writer) => {
                let mut out = Counting { inner: writer, bytes: 0 };
                lines.write(&mut out, &rows)?;
                self.group.bytes += out.bytes;
            }
            Writer::Packed(lines, packed, writer) => {
                let packed = packed.get_or_insert_with(gzip);
                lines.write(packed, &rows)?;
                self.group.bytes += packed.get_ref().len() as u64;
                writer.write_all(packed.get_ref())?;
                packed.get_mut().clear();
            }
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
                Writer::Parquet(writer) => writer.end_group()?,
                Writer::Arrow { writer, waiting } => writer.write(&joined(waiting)?).map_err(cause)?,
                Writer::ArrowStream { writer, waiting } => writer.write(&joined(waiting)?).map_err(cause)?,
                Writer::Lines(..) => {}
                Writer::Packed(_, packed, writer) => {
                    let rest = packed.take().map(Gzip::finish).transpose()?.unwrap_or_default();
                    self.group.bytes += rest.len() as u64;
                    writer.write_all(&rest)?;
                }
            }
            self.groups.push(std::mem::take(&mut self.group));
        }
        Ok(self.groups.len())
    }

    /// Writes the rest. The table is whole then, and safe when the target was [synced](Target::sync).
    pub(super) fn finish(mut self) -> anyhow::Result<(Written, Target)> {
        self.end_group()?;
        let file = match self.writer {
            Writer::Parquet(writer) => writer.into_inner()?,
            Writer::Arrow { mut writer, .. } => {
                writer.finish().map_err(cause)?;
                writer.into_inner().map_err(cause)?
            }
            Writer::ArrowStream { mut writer, .. } => {
                writer.finish().map_err(cause)?;
                writer.into_inner().map_err(cause)?
            }
            Writer::Lines(_, writer) | Writer::Packed(_, _, writer) => writer,
        };
        let hashed = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let sum = hashed.sum();
        Ok((Written { groups: self.groups, sum }, hashed.inner))
    }
}

/// One batch of those that waited.
fn joined(waiting: &mut Vec<RecordBatch>) -> anyhow::Result<RecordBatch> {
    let batch = concat_batches(&waiting[0].schema(), waiting.iter())?;
    waiting.clear();
    Ok(batch)
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
    match format {
        Format::Parquet | Format::Arrow | Format::ArrowStream | Format::Lines(Lines::Jsonl, _) => {}
        Format::Lines(lines, Packing::Plain) => lines.write_head(out, table)?,
        Format::Lines(lines, Packing::Gzip) => {
            let mut packed = gzip();
            lines.write_head(&mut packed, table)?;
            out.write_all(&packed.finish()?)?;
        }
    }
    Ok(())
}

/// Counts what is written.
struct Counting<W> {
    inner: W,
    bytes: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = self.inner.write(buf)?;
        self.bytes += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, stem, extension) in [
            ("a/games.csv", "games", "csv"),
            ("games.2024.csv.gz", "games.2024", "csv.gz"),
            ("games", "games", ""),
            (".gz", ".gz", ""),
            ("x.gz", "x.gz", ""),
        ] {
            assert_eq!(parts_of_name(Path::new(name)), (stem.to_owned(), extension.to_owned()), "{name}");
        }
        for name in ["g.parquet", "g.arrow", "g.csv", "g.tsv", "g.jsonl", "g.csv.gz", "g.tsv.gz", "g.jsonl.gz"] {
            assert_eq!(Format::of(Path::new(name)).expect("a format").extension(), &name[2..]);
        }
        assert!(Format::of(Path::new("g.parquet.gz")).is_err() && Format::of(Path::new("g.gz")).is_err());
    }
}
