//! Looks positions up in what `sgfq index --positions` wrote: which games have a board.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::Context;
use arrow_array::{BooleanArray, RecordBatch};
use arrow_schema::{ArrowError, DataType};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowPredicateFn, RowFilter};
use parquet::file::statistics::Statistics;

use sgfstream_archive::ReadOptions;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Dialect, Game, Program, Variant};

use crate::io::references::{self, COLUMNS, References, Table, numbers};
use crate::io::sources::Manifest;
use crate::io::temporary::Temporary;

/// Games of one board that are looked up; of a board that more games have, all games are read.
const GAMES: usize = 1 << 20;

/// Name of the key of a run of `sgfq index` in the metadata of its tables.
pub(crate) const RUN: &str = "run";

/// An index of positions.
pub(crate) struct Positions {
    path: PathBuf,
    run: Option<String>,
    games: PathBuf,
    /// The boards of its games, where they are few enough to be listed.
    boards: Option<Vec<Dialect>>,
}

/// Opens a file of an index.
fn open(path: &Path) -> anyhow::Result<Table> {
    references::open(path).context("expected a file that `sgfq index --positions` wrote")
}

/// A value of the metadata.
fn value(reader: &Table, name: &str) -> Option<String> {
    let pairs = reader.metadata().file_metadata().key_value_metadata();
    pairs?.iter().find(|pair| pair.key == name)?.value.clone()
}

/// The place of a column.
fn place(reader: &Table, name: &str) -> anyhow::Result<usize> {
    reader.schema().index_of(name).ok().with_context(|| format!("expected a column `{name}`, found none"))
}

impl Positions {
    /// Opens the file, or `positions.parquet` in a directory.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let path = if path.is_dir() { path.join("positions.parquet") } else { path.to_owned() };
        let reader = open(&path).with_context(|| path.display().to_string())?;
        let games = value(&reader, "games");
        let games = games.with_context(|| {
            format!("{}: expected a file that `sgfq index --positions` wrote, found another", path.display())
        })?;
        let games = path.parent().unwrap_or(Path::new("")).join(games);
        let boards = value(&reader, "boards").map(|boards| boards.lines().flat_map(dialects_of).collect());
        Ok(Self { run: value(&reader, RUN), path, games, boards })
    }

    /// The files that it is in.
    pub(crate) fn files(&self) -> [&Path; 2] {
        [&self.path, &self.games]
    }

    /// Writes the names of the games that may have a board with one of the hashes that `hash` gives for a board, each
    /// with a NUL after it, in the order of the index. `options` are those for reading archives.
    pub(crate) fn list(&self, options: ReadOptions, hash: impl Fn(&Dialect) -> Vec<u64>) -> anyhow::Result<Temporary> {
        let keys = match &self.boards {
            None => None,
            Some(boards) => {
                let hashes: HashSet<i64> = boards.iter().flat_map(hash).map(|hash| hash as i64).collect();
                self.keys(hashes).with_context(|| self.path.display().to_string())?
            }
        };
        if let Some(manifest) = Manifest::read(&self.games, options) {
            manifest.say_changed();
            manifest.say_new();
        }
        let mut list = References::create(None)?;
        self.add_names(keys, &mut list).with_context(|| self.games.display().to_string())?;
        list.finish()
    }

    /// The keys of the games that have a hash; nothing if they are too many.
    fn keys(&self, hashes: HashSet<i64>) -> anyhow::Result<Option<HashSet<i64>>> {
        let reader = open(&self.path)?;
        let (hash, key) = (place(&reader, "hash")?, place(&reader, "key")?);
        // The rows are sorted: few groups have a hash between their least and their greatest.
        // Of another type, they are in another order.
        let is_signed = *reader.schema().field(hash).data_type() == DataType::Int64;
        let has_any = |group: usize| match reader.metadata().row_group(group).column(hash).statistics() {
            Some(Statistics::Int64(range)) if is_signed => match (range.min_opt(), range.max_opt()) {
                (Some(least), Some(greatest)) => hashes.iter().any(|hash| (least..=greatest).contains(&hash)),
                _ => true,
            },
            _ => true,
        };
        let groups: Vec<usize> = (0..reader.metadata().num_row_groups()).filter(|&group| has_any(group)).collect();
        let mut keys = HashSet::new();
        let rows = chosen(reader, (hash, "hash"), hashes, &[key], groups)?;
        for batch in rows {
            keys.extend(numbers(batch?.column(0), "key")?.values());
            if keys.len() > GAMES {
                return Ok(None);
            }
        }
        Ok(Some(keys))
    }

    /// Adds the names of the games with these keys, or of all.
    fn add_names(&self, keys: Option<HashSet<i64>>, list: &mut References) -> anyhow::Result<()> {
        let reader = open(&self.games)?;
        // Another program that wrote the table may have left the key out.
        let is_other = value(&reader, RUN).zip(self.run.as_ref()).is_some_and(|(run, ours)| run != *ours);
        let ours = self.path.display();
        anyhow::ensure!(!is_other, "expected the table that was written with {ours}, found that of another run");
        let key = place(&reader, "key")?;
        let mut columns = [0; 3];
        for (column, name) in columns.iter_mut().zip(COLUMNS) {
            *column = place(&reader, name)?;
        }
        let groups = (0..reader.metadata().num_row_groups()).collect();
        let rows: Box<dyn Iterator<Item = _>> = match keys {
            Some(keys) if keys.is_empty() => return Ok(()),
            Some(keys) => Box::new(chosen(reader, (key, "key"), keys, &columns, groups)?),
            None => {
                let mask = ProjectionMask::roots(reader.parquet_schema(), columns);
                Box::new(reader.with_projection(mask).build()?)
            }
        };
        for batch in rows {
            list.add_rows(&batch?, &["source", "game"])?;
        }
        Ok(())
    }
}

/// The rows whose `column` has one of `values`, with these columns only.
fn chosen(
    reader: Table,
    (column, name): (usize, &'static str),
    values: HashSet<i64>,
    columns: &[usize],
    groups: Vec<usize>,
) -> anyhow::Result<impl Iterator<Item = Result<RecordBatch, ArrowError>> + use<>> {
    let schema = reader.parquet_schema();
    let (wanted, projection) = (ProjectionMask::roots(schema, [column]), columns.iter().copied());
    let projection = ProjectionMask::roots(schema, projection);
    let predicate = ArrowPredicateFn::new(wanted, move |batch: RecordBatch| {
        let numbers = numbers(batch.column(0), name).map_err(|err| ArrowError::SchemaError(err.to_string()))?;
        Ok(numbers.values().iter().map(|number| Some(values.contains(number))).collect::<BooleanArray>())
    });
    let reader = reader.with_row_groups(groups).with_projection(projection);
    Ok(reader.with_row_filter(RowFilter::new(vec![Box::new(predicate)])).build()?)
}

/// The dialects of a board by its name, `Go 19x19`: of each program that writes it.
fn dialects_of(name: &str) -> Vec<Dialect> {
    let found = (|| {
        let (game, size) = name.rsplit_once(' ')?;
        let (columns, rows) = size.split_once('x')?;
        let variants = Variant::ALL.iter().map(|&variant| Game::Pentobi(variant));
        let game = Game::NUMBERED.iter().copied().chain(variants).find(|known| known.name() == game)?;
        Some((game, BoardSize::new(columns.parse().ok()?, rows.parse().ok()?)))
    })();
    let programs = [Program::Standard, Program::Gorilla, Program::LittleGolem, Program::HexGui];
    let dialect = |(game, size)| programs.map(|program| Dialect::of_program(game, Some(size), program));
    found.map(dialect).into_iter().flatten().collect()
}
