//! Which files an index has, putting each together from groups of rows of many files without looking into them, and
//! putting them in their places.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::BufReader;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use parquet::arrow::ArrowWriter;
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;

use sgfstream_table::arrow::Table;

use crate::args::destination::directory_of;
use crate::io::sums::Summed;
use crate::io::temporary::Temporary;

use super::format::{Buffered, Format, Hashed, TableOut, cause, properties};
use super::manifest::OutFile;
use super::store::sync_directory;

/// A segment's file of a table, and how many rows each of its groups has.
pub(super) type Segment<'s> = (PathBuf, &'s [u64]);

/// Groups of a file, one after another.
#[derive(Clone, Debug)]
struct Piece {
    path: PathBuf,
    /// Their numbers in the file.
    groups: Range<usize>,
}

/// A file that is whole and has no name yet.
pub(super) struct Unnamed {
    temporary: Temporary,
    pub(super) file: OutFile,
}

/// Makes the files of a table out of its segments.
pub(super) fn make(out: &TableOut, segments: &[Segment<'_>]) -> anyhow::Result<Vec<Unnamed>> {
    let mut files = Vec::new();
    for (path, pieces) in plan(&out.path, out.most, segments) {
        let make = || {
            let (file, temporary) = Temporary::create(directory_of(&path))?;
            let written = match out.format {
                Format::Parquet => parquet(Hashed::new(file), &out.table, &pieces)?,
                _ => arrow(Hashed::new(file), &out.table, &pieces)?,
            };
            let (sum, file) = Hashed::end(written)?;
            file.sync_data()?;
            anyhow::Ok((temporary, sum))
        };
        let (temporary, sum) = make().with_context(|| path.display().to_string())?;
        files.push(Unnamed { temporary, file: OutFile { path, sum } });
    }
    Ok(files)
}

/// Gives the files of each table their names, and removes those of `old` that are no more.
pub(super) fn publish(tables: Vec<Vec<Unnamed>>, old: &[OutFile]) -> anyhow::Result<Vec<Vec<OutFile>>> {
    let name = |Unnamed { temporary, file }: Unnamed| {
        temporary.persist(&file.path, true).with_context(|| file.path.display().to_string())?;
        anyhow::Ok(file)
    };
    let tables = tables.into_iter().map(|files| files.into_iter().map(name).collect());
    let named = tables.collect::<anyhow::Result<Vec<Vec<OutFile>>>>()?;
    let new: HashSet<&Path> = named.iter().flatten().map(|file| &*file.path).collect();
    let directories: HashSet<_> = new.iter().map(|path| directory_of(path)).collect();
    for directory in directories {
        sync_directory(directory).with_context(|| directory.display().to_string())?;
    }
    for file in old.iter().filter(|file| !new.contains(&*file.path) && file.is_untouched()) {
        fs::remove_file(&file.path).with_context(|| file.path.display().to_string())?;
    }
    Ok(named)
}

/// The files, and the pieces that each is made of. No group is in two files.
fn plan(output: &Path, most: Option<u64>, segments: &[Segment<'_>]) -> Vec<(PathBuf, Vec<Piece>)> {
    let Some(most) = most else {
        let piece = |(path, groups): &Segment<'_>| Piece { path: path.clone(), groups: 0..groups.len() };
        return vec![(output.to_owned(), segments.iter().map(piece).collect())];
    };
    let mut files = vec![(numbered(output, 1), Vec::new())];
    let mut rows = 0;
    for (path, groups) in segments {
        for (at, group) in groups.iter().enumerate() {
            if rows > 0 && rows + group > most {
                files.push((numbered(output, files.len() + 1), Vec::new()));
                rows = 0;
            }
            rows += group;
            let last = files.last_mut().expect("there is one at least");
            last.1.push(Piece { path: path.clone(), groups: at..at + 1 });
        }
    }
    files
}

/// `games.parquet` to `games-00001.parquet`.
fn numbered(output: &Path, number: usize) -> PathBuf {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    output.with_file_name(format!("{}-{number:05}.{}", part(output.file_stem()), part(output.extension())))
}

fn parquet(out: Buffered<File>, table: &Table, pieces: &[Piece]) -> anyhow::Result<Buffered<File>> {
    let empty = empty_file(table)?;
    let schema = empty.file_metadata().schema_descr().root_schema_ptr();
    let pairs = empty.file_metadata().key_value_metadata().cloned().unwrap_or_default();
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

fn arrow(out: Buffered<File>, table: &Table, pieces: &[Piece]) -> anyhow::Result<Buffered<File>> {
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

#[cfg(test)]
mod tests {
    use super::super::manifest::place_of;
    use super::*;

    #[test]
    fn names() {
        let output = Path::new("out/games.parquet");
        assert_eq!(numbered(output, 3), Path::new("out/games-00003.parquet"));
        for (old, place) in [
            ("elsewhere/games-00003.parquet", Some("out/games-00003.parquet")),
            ("games-100000.parquet", Some("out/games-100000.parquet")),
            ("games.parquet", Some("out/games.parquet")),
            ("games-3.parquet", None),
            ("games-00003.arrow", None),
            ("moves-00003.parquet", None),
            ("/etc/passwd", None),
        ] {
            assert_eq!(place_of(output, Path::new(old)), place.map(PathBuf::from), "{old}");
        }
    }
}
