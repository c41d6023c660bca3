//! Looks positions up in what `sgfq index --positions` wrote: which games have a board.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, BooleanArray, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowPredicateFn, ParquetRecordBatchReaderBuilder, RowFilter};
use parquet::file::statistics::Statistics;

use sgfstream_game::value::BoardSize;
use sgfstream_game::{Dialect, Game, Program, Variant};

use crate::io::temporary::Temporary;

/// Games of one board that are looked up; of a board that more games have, all games are read.
const GAMES: usize = 1 << 20;

/// Rows that are read at once.
const BATCH: usize = 1 << 13;

/// An index of positions.
pub(crate) struct Positions {
    path: PathBuf,
    games: PathBuf,
    /// The boards of its games, where they are few enough to be listed.
    boards: Option<Vec<Dialect>>,
}

type Reader = ParquetRecordBatchReaderBuilder<File>;

fn open(path: &Path) -> anyhow::Result<Reader> {
    let shown = || path.display().to_string();
    let file = File::open(path).with_context(shown)?;
    Reader::try_new(file)
        .map_err(|err| anyhow::anyhow!("{}: expected a file that `sgfq index --positions` wrote: {err}", shown()))
}

/// The place of a column.
fn place(reader: &Reader, name: &str, path: &Path) -> anyhow::Result<usize> {
    let found = reader.schema().index_of(name).ok();
    found.with_context(|| format!("{}: expected a column `{name}`, found none", path.display()))
}

impl Positions {
    /// Opens the file, or `positions.parquet` in a directory.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let path = if path.is_dir() { path.join("positions.parquet") } else { path.to_owned() };
        let reader = open(&path)?;
        let pairs = reader.metadata().file_metadata().key_value_metadata();
        let value = |name: &str| {
            let pair = pairs.into_iter().flatten().find(|pair| pair.key == name);
            pair.and_then(|pair| pair.value.clone())
        };
        let games = value("games");
        let games = games.with_context(|| {
            format!("{}: expected a file that `sgfq index --positions` wrote, found another", path.display())
        })?;
        let games = path.parent().unwrap_or(Path::new("")).join(games);
        let boards = value("boards").map(|boards| boards.lines().flat_map(dialects_of).collect());
        Ok(Self { path, games, boards })
    }

    /// Writes the names of the games that may have a board with one of the hashes that `hash` gives for a board, each
    /// with a NUL after it, in the order of the index.
    pub(crate) fn list(&self, hash: impl Fn(&Dialect) -> Vec<u64>) -> anyhow::Result<Temporary> {
        let keys = match &self.boards {
            None => None,
            Some(boards) => {
                let hashes: HashSet<i64> = boards.iter().flat_map(hash).map(|hash| hash as i64).collect();
                self.keys(hashes)?
            }
        };
        let (file, temporary) = Temporary::create(&std::env::temp_dir()).context("temporary file")?;
        let mut file = BufWriter::new(file);
        self.write_names(keys, &mut file)?;
        file.flush().context("temporary file")?;
        Ok(temporary)
    }

    /// The keys of the games that have a hash; nothing if they are too many.
    fn keys(&self, hashes: HashSet<i64>) -> anyhow::Result<Option<HashSet<i64>>> {
        let reader = open(&self.path)?;
        let (hash, key) = (place(&reader, "hash", &self.path)?, place(&reader, "key", &self.path)?);
        // The rows are sorted: few groups have a hash between their least and their greatest.
        let has_any = |group: usize| match reader.metadata().row_group(group).column(hash).statistics() {
            Some(Statistics::Int64(range)) => match (range.min_opt(), range.max_opt()) {
                (Some(least), Some(greatest)) => hashes.iter().any(|hash| (least..=greatest).contains(&hash)),
                _ => true,
            },
            _ => true,
        };
        let groups: Vec<usize> = (0..reader.metadata().num_row_groups()).filter(|&group| has_any(group)).collect();
        let mut keys = HashSet::new();
        let rows = chosen(reader, hash, hashes, &[key], groups)?;
        for batch in rows {
            let batch = batch.with_context(|| self.path.display().to_string())?;
            keys.extend(batch.column(0).as_primitive::<Int64Type>().values());
            if keys.len() > GAMES {
                return Ok(None);
            }
        }
        Ok(Some(keys))
    }

    /// Writes the names of the games with these keys, or of all.
    fn write_names(&self, keys: Option<HashSet<i64>>, out: &mut impl Write) -> anyhow::Result<()> {
        let shown = || self.games.display().to_string();
        let reader = open(&self.games)?;
        let key = place(&reader, "key", &self.games)?;
        let mut columns = [0; 3];
        for (column, name) in columns.iter_mut().zip(["source", "member", "game"]) {
            *column = place(&reader, name, &self.games)?;
        }
        let groups = (0..reader.metadata().num_row_groups()).collect();
        let rows: Box<dyn Iterator<Item = _>> = match keys {
            Some(keys) if keys.is_empty() => return Ok(()),
            Some(keys) => Box::new(chosen(reader, key, keys, &columns, groups)?),
            None => {
                let mask = ProjectionMask::roots(reader.parquet_schema(), columns);
                Box::new(reader.with_projection(mask).with_batch_size(BATCH).build().with_context(shown)?)
            }
        };
        for batch in rows {
            write_batch(&batch.with_context(shown)?, out).context("temporary file")?;
        }
        Ok(())
    }
}

/// The rows whose `column` has one of `values`, with these columns only.
fn chosen(
    reader: Reader,
    column: usize,
    values: HashSet<i64>,
    columns: &[usize],
    groups: Vec<usize>,
) -> anyhow::Result<impl Iterator<Item = Result<RecordBatch, arrow_schema::ArrowError>> + use<>> {
    let schema = reader.parquet_schema();
    let (wanted, projection) = (ProjectionMask::roots(schema, [column]), columns.iter().copied());
    let projection = ProjectionMask::roots(schema, projection);
    let predicate = ArrowPredicateFn::new(wanted, move |batch: RecordBatch| {
        let numbers = batch.column(0).as_primitive::<Int64Type>();
        Ok(numbers.values().iter().map(|number| Some(values.contains(number))).collect::<BooleanArray>())
    });
    let reader = reader.with_row_groups(groups).with_projection(projection).with_batch_size(BATCH);
    Ok(reader.with_row_filter(RowFilter::new(vec![Box::new(predicate)])).build()?)
}

/// `source!member#game`, and a NUL.
fn write_batch(batch: &RecordBatch, out: &mut impl Write) -> std::io::Result<()> {
    let text = |name: &str| batch.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
    let numbers = batch.column_by_name("game").and_then(|column| column.as_primitive_opt::<Int64Type>());
    let (Some(sources), Some(members), Some(games)) = (text("source"), text("member"), numbers) else { return Ok(()) };
    for row in 0..batch.num_rows() {
        out.write_all(sources.value(row).as_bytes())?;
        if members.is_valid(row) {
            write!(out, "!{}", members.value(row))?;
        }
        write!(out, "#{}\0", games.value(row))?;
    }
    Ok(())
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
