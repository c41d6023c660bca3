//! Groups of rows from many files into one, without looking into them.

use std::fs::File;
use std::io::{BufReader, BufWriter, IntoInnerError};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::{KeyValue, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use sgfstream_table::arrow::Table;

use crate::io::positions::RUN;
use crate::io::sums::Summed;

use super::format::{Format, TableOut, cause, properties};

/// Groups of a file, one after another.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) path: PathBuf,
    /// Their numbers in the file.
    pub(super) groups: Range<usize>,
}

/// Writes these pieces to an empty file.
pub(super) fn assemble(file: File, to: &TableOut, run: &str, pieces: &[Piece]) -> anyhow::Result<()> {
    let out = BufWriter::with_capacity(1 << 20, file);
    let out = match to.format {
        Format::Parquet => parquet(out, &to.table, run, pieces)?,
        _ => arrow(out, &to.table, pieces)?,
    };
    Ok(out.into_inner().map_err(IntoInnerError::into_error)?.sync_data()?)
}

fn parquet(out: BufWriter<File>, table: &Table, run: &str, pieces: &[Piece]) -> anyhow::Result<BufWriter<File>> {
    let empty = empty_file(table)?;
    let schema = empty.file_metadata().schema_descr().root_schema_ptr();
    let mut pairs = empty.file_metadata().key_value_metadata().cloned().unwrap_or_default();
    pairs.push(KeyValue::new(RUN.to_owned(), run.to_owned()));
    let properties = properties(table).into_builder().set_key_value_metadata(Some(pairs)).build();
    let properties: Arc<WriterProperties> = Arc::new(properties);
    let mut writer = SerializedFileWriter::new(Summed::new(out), schema, properties)?;
    let mut open: Option<(&Path, File, ParquetMetaData)> = None;
    for piece in pieces {
        if open.as_ref().is_none_or(|(path, ..)| *path != piece.path) {
            let file = File::open(&piece.path).with_context(|| piece.path.display().to_string())?;
            let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Optional);
            let metadata = reader.parse_and_finish(&file)?;
            open = Some((&piece.path, file, metadata));
        }
        let (_, file, metadata) = open.as_ref().expect("opened above");
        let page_index = metadata.page_index();
        for number in piece.groups.clone() {
            let group = metadata.row_groups().get(number).context("a row group that the note names")?;
            let mut group_out = writer.next_row_group()?;
            for (at, column) in group.columns().iter().enumerate() {
                let result = ColumnCloseResult {
                    bytes_written: column.compressed_size() as u64,
                    rows_written: group.num_rows() as u64,
                    metadata: column.clone(),
                    bloom_filter: None,
                    column_index: page_index.as_ref().and_then(|index| index.column_index(number, at)).cloned(),
                    offset_index: page_index.as_ref().and_then(|index| index.offset_index(number, at)).cloned(),
                };
                group_out.append_column(file, result)?;
            }
            group_out.close()?;
        }
    }
    writer.flush()?;
    let sums = writer.inner().pair();
    writer.append_key_value_metadata(sums);
    Ok(writer.into_inner()?.into_inner())
}

/// Metadata of a file of the table without rows.
fn empty_file(table: &Table) -> anyhow::Result<ParquetMetaData> {
    let writer = ArrowWriter::try_new(Vec::new(), Arc::clone(table.schema()), Some(properties(table)))?;
    let bytes = bytes::Bytes::from(writer.into_inner()?);
    Ok(ParquetMetaDataReader::new().parse_and_finish(&bytes)?)
}

fn arrow(out: BufWriter<File>, table: &Table, pieces: &[Piece]) -> anyhow::Result<BufWriter<File>> {
    let mut writer = FileWriter::try_new(out, table.schema()).map_err(cause)?;
    for piece in pieces {
        let file = File::open(&piece.path).with_context(|| piece.path.display().to_string())?;
        let mut reader = FileReader::try_new(BufReader::new(file), None)?;
        reader.set_index(piece.groups.start)?;
        for batch in reader.take(piece.groups.len()) {
            writer.write(&batch?).map_err(cause)?;
        }
    }
    writer.finish().map_err(cause)?;
    writer.into_inner().map_err(cause)
}
