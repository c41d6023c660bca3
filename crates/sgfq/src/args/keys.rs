//! `--keys`: the games that the rows of a table name, as `sgfq index`, `sgfq get` and databases write them.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use parquet::arrow::ProjectionMask;

use crate::io::references::{self, COLUMNS, References, TEXT_MAX};
use crate::io::sources::Manifest;
use crate::io::temporary::Temporary;
use crate::report::terminal;

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
        let manifest = Manifest::read(Path::new(path));
        let mut list = References::create(Some(Path::new(path)).filter(|_| path != "-" && manifest.is_none()))?;
        if path == "-" {
            add_csv(&mut list, io::stdin().lock()).with_context(named)?;
        } else if Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet")) {
            let table = references::open(Path::new(path)).with_context(named)?;
            add_parquet(&mut list, table).with_context(named)?;
        } else {
            add_csv(&mut list, File::open(path).with_context(named)?).with_context(named)?;
        }
        if let Some(manifest) = manifest {
            manifest.say_changed();
        } else if let Some(newer) = list.newer() {
            terminal::say(&format!(
                "sgfq: {path}: expected files that did not change after it was written, found {newer}; its rows may name \
                 other games now"
            ));
        }
        Ok(Self { table: PathBuf::from(path), list: Arc::new(list.finish()?) })
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

/// Reads at most `left` bytes, which its owner sets anew for each row: a row is held in memory.
struct Rows<R> {
    rows: R,
    left: usize,
}

/// Bytes of a row of CSV, at most.
const ROW_MAX: usize = 16 * TEXT_MAX;

impl<R: Read> Read for Rows<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(format!("expected rows of at most {ROW_MAX} bytes, found a longer one")));
        }
        let len = self.rows.read(buf)?;
        self.left = self.left.saturating_sub(len);
        Ok(len)
    }
}

fn add_csv(list: &mut References, rows: impl Read) -> anyhow::Result<()> {
    let mut rows = csv::Reader::from_reader(Rows { rows, left: ROW_MAX });
    let names = rows.headers()?.clone();
    let places = COLUMNS.map(|name| names.iter().position(|found| found == name));
    ensure_source(names.iter())?;
    let mut row = csv::StringRecord::new();
    while rows.read_record(&mut row)? {
        rows.get_mut().left = ROW_MAX;
        let [source, member, game] = places.map(|place| place.and_then(|place| row.get(place)).unwrap_or_default());
        list.add(source, member, game)?;
    }
    Ok(())
}

fn add_parquet(list: &mut References, table: references::Table) -> anyhow::Result<()> {
    let names: Vec<String> = table.schema().fields().iter().map(|field| field.name().clone()).collect();
    ensure_source(names.iter().map(String::as_str))?;
    let wanted = (0..names.len()).filter(|&at| COLUMNS.contains(&&*names[at]));
    let mask = ProjectionMask::roots(table.parquet_schema(), wanted);
    for batch in table.with_projection(mask).build()? {
        list.add_rows(&batch?, &COLUMNS[..1])?;
    }
    Ok(())
}

/// Fails without the column that a reference must have.
fn ensure_source<'n>(mut names: impl Iterator<Item = &'n str> + Clone) -> anyhow::Result<()> {
    anyhow::ensure!(
        names.clone().any(|name| name == COLUMNS[0]),
        "expected a column `source`, and `member` and `game`, as `sgfq index` writes them, found `{}`",
        names.next().unwrap_or_default()
    );
    Ok(())
}
