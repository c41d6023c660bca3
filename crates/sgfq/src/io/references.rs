//! References to games, `source!member#game`: tables of them that any program wrote, and the lists that are made of these.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::Context;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, downcast_integer_array};
use arrow_schema::{DataType, Schema};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use crate::io::sums::Checked;
use crate::io::temporary::Temporary;

/// The columns of a reference.
pub(crate) const COLUMNS: [&str; 3] = ["source", "member", "game"];

/// Bytes of a text of a table, at most.
pub(crate) const TEXT_MAX: usize = 1 << 16;

/// Bytes of a list, at most.
const LIST_MAX: u64 = 4 << 30;

/// Rows that are read at once.
const BATCH: usize = 1 << 13;

pub(crate) type Table = ParquetRecordBatchReaderBuilder<Checked>;

/// Opens a table of Parquet by its types of Parquet alone: the program that wrote it may have noted others of Arrow. Texts
/// are read as views of its pages: one that many rows have is in memory once.
pub(crate) fn open(path: &Path) -> anyhow::Result<Table> {
    let file = File::open(path)?;
    let options = || ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = ArrowReaderMetadata::load(&file, options())?;
    let fields = metadata.schema().fields().iter().map(|field| match field.data_type() {
        DataType::Utf8 | DataType::Binary => field.as_ref().clone().with_data_type(DataType::Utf8View),
        _ => field.as_ref().clone(),
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let metadata = ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options().with_schema(schema))?;
    let file = Checked::new(file, metadata.metadata())?;
    Ok(Table::new_with_metadata(file, metadata).with_batch_size(BATCH))
}

/// A cell of a column of texts or of whole numbers. None if it is empty.
fn cell<'c>(column: &'c ArrayRef, name: &str, row: usize) -> anyhow::Result<Option<Cow<'c, str>>> {
    if column.is_null(row) {
        return Ok(None);
    }
    let text = downcast_integer_array!(
        column => Cow::from(column.value(row).to_string()),
        DataType::Utf8View => Cow::from(column.as_string_view().value(row)),
        other => anyhow::bail!("expected a column `{name}` of texts or whole numbers, found one of {other}")
    );
    Ok(Some(text))
}

/// A list of references that is being written, with a NUL after each.
pub(crate) struct References {
    out: BufWriter<File>,
    list: Temporary,
    len: u64,
    /// When the table was written, where no manifest knows its sources.
    written: Option<SystemTime>,
    last: String,
    /// A source that changed after that.
    newer: Option<String>,
}

impl References {
    /// An empty list. `table` has its references, and nothing else knows how its sources were.
    pub(crate) fn create(table: Option<&Path>) -> anyhow::Result<Self> {
        let (file, list) = Temporary::create(&std::env::temp_dir()).context("temporary file")?;
        let written = table.and_then(|table| fs::metadata(table).ok()?.modified().ok());
        Ok(Self { out: BufWriter::new(file), list, len: 0, written, last: String::new(), newer: None })
    }

    /// A source that changed after the table was written.
    pub(crate) fn newer(&self) -> Option<&str> {
        self.newer.as_deref()
    }

    /// Adds a game, or a file where it has no number.
    pub(crate) fn add(&mut self, source: &str, member: &str, game: &str) -> anyhow::Result<()> {
        if let Some(written) = self.written.filter(|_| self.newer.is_none() && self.last != source) {
            source.clone_into(&mut self.last);
            let modified = fs::metadata(source).and_then(|metadata| metadata.modified());
            self.newer = modified.is_ok_and(|modified| modified > written).then(|| source.to_owned());
        }
        let mut reference = source.to_owned();
        for (mark, part) in [('!', member), ('#', game)] {
            if !part.is_empty() {
                reference.push(mark);
                reference.push_str(part);
            }
        }
        let found = reference.len();
        anyhow::ensure!(found <= TEXT_MAX, "expected a name of at most {TEXT_MAX} bytes, found {found}");
        self.len += found as u64 + 1;
        anyhow::ensure!(self.len <= LIST_MAX, "expected names of at most {LIST_MAX} bytes together, found more");
        write!(self.out, "{reference}\0").context("temporary file")
    }

    /// Adds the rows of a table. Those columns that are `needed` must be there and have a value in each row.
    pub(crate) fn add_rows(&mut self, rows: &RecordBatch, needed: &[&str]) -> anyhow::Result<()> {
        let columns = COLUMNS.map(|name| rows.column_by_name(name));
        for row in 0..rows.num_rows() {
            let mut texts = [const { Cow::Borrowed("") }; 3];
            for ((text, column), name) in texts.iter_mut().zip(columns).zip(COLUMNS) {
                let found = column.map(|column| cell(column, name, row)).transpose()?.flatten();
                let is_there = found.is_some() || !needed.contains(&name);
                anyhow::ensure!(is_there, "expected a value in every row of the column `{name}`, found none in one");
                *text = found.unwrap_or_default();
            }
            let [source, member, game] = &texts;
            self.add(source, member, game)?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> anyhow::Result<Temporary> {
        self.out.flush().context("temporary file")?;
        Ok(self.list)
    }
}
