//! `--keys`: the games that the rows of a table name, as `sgfq index`, `sgfq get` and databases write them.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

use crate::io::temporary::Temporary;

/// The columns of a reference; only the first must be there.
const COLUMNS: [&str; 3] = ["source", "member", "game"];

/// A table of references, and the list that was made of it.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    table: PathBuf,
    list: Arc<Temporary>,
}

impl Keys {
    /// Reads the table at `path`: Parquet, or CSV with a header; `-` is CSV on stdin.
    pub(crate) fn read(path: &str) -> anyhow::Result<Self> {
        let named = || path.to_owned();
        let (file, list) = Temporary::create(&std::env::temp_dir()).context("temporary file")?;
        let mut list = List { out: BufWriter::new(file), list };
        if path == "-" {
            list.add_csv(io::stdin().lock())
        } else {
            let file = File::open(path).with_context(named)?;
            match Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet")) {
                true => list.add_parquet(file),
                false => list.add_csv(file),
            }
        }
        .with_context(named)?;
        list.out.flush().context("temporary file")?;
        Ok(Self { table: PathBuf::from(path), list: Arc::new(list.list) })
    }

    /// The table, as it was named.
    pub(crate) fn table(&self) -> &Path {
        &self.table
    }

    /// A file with the references, each with a NUL after it.
    pub(crate) fn list(&self) -> &Path {
        self.list.path()
    }
}

/// A list that is being written.
struct List {
    out: BufWriter<File>,
    list: Temporary,
}

impl List {
    fn add(&mut self, source: &str, member: &str, game: &str) -> anyhow::Result<()> {
        let mut reference = source.to_owned();
        for (mark, part) in [('!', member), ('#', game)] {
            if !part.is_empty() {
                reference.push(mark);
                reference.push_str(part);
            }
        }
        write!(self.out, "{reference}\0").context("temporary file")
    }

    fn add_csv(&mut self, rows: impl Read) -> anyhow::Result<()> {
        let mut rows = csv::Reader::from_reader(rows);
        let names = rows.headers()?.clone();
        let places = COLUMNS.map(|name| names.iter().position(|found| found == name));
        ensure_source(places[0], names.iter())?;
        let mut row = csv::StringRecord::new();
        while rows.read_record(&mut row)? {
            let [source, member, game] = places.map(|place| place.and_then(|place| row.get(place)).unwrap_or_default());
            self.add(source, member, game)?;
        }
        Ok(())
    }

    fn add_parquet(&mut self, file: File) -> anyhow::Result<()> {
        // The types of Parquet alone: the program that wrote it may have noted others of Arrow.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let rows = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options)?;
        let names: Vec<String> = rows.schema().fields().iter().map(|field| field.name().clone()).collect();
        let wanted: Vec<usize> = (0..names.len()).filter(|&at| COLUMNS.contains(&&*names[at])).collect();
        ensure_source(names.iter().position(|name| name == COLUMNS[0]), names.iter().map(String::as_str))?;
        let mask = ProjectionMask::roots(rows.parquet_schema(), wanted);
        for batch in rows.with_projection(mask).build()? {
            let batch = batch?;
            let [source, member, game] = COLUMNS.map(|name| batch.column_by_name(name));
            for row in 0..batch.num_rows() {
                let [source, member, game] = [cell(source, row)?, cell(member, row)?, cell(game, row)?];
                self.add(&source, &member, &game)?;
            }
        }
        Ok(())
    }
}

fn ensure_source<'n>(place: Option<usize>, mut names: impl Iterator<Item = &'n str>) -> anyhow::Result<()> {
    anyhow::ensure!(
        place.is_some(),
        "expected a column `source`, and `member` and `game`, as `sgfq index` writes them, found `{}`",
        names.next().unwrap_or_default()
    );
    Ok(())
}

/// A cell as text; the empty text where there is none.
fn cell(column: Option<&ArrayRef>, row: usize) -> anyhow::Result<String> {
    let Some(column) = column.filter(|column| column.is_valid(row)) else { return Ok(String::new()) };
    match column.data_type() {
        DataType::Utf8 => Ok(column.as_string::<i32>().value(row).to_owned()),
        DataType::Int64 => Ok(column.as_primitive::<Int64Type>().value(row).to_string()),
        DataType::Int32 => Ok(column.as_primitive::<Int32Type>().value(row).to_string()),
        DataType::UInt64 => Ok(column.as_primitive::<UInt64Type>().value(row).to_string()),
        DataType::UInt32 => Ok(column.as_primitive::<UInt32Type>().value(row).to_string()),
        other => anyhow::bail!("expected texts and whole numbers, found a column of {other}"),
    }
}
