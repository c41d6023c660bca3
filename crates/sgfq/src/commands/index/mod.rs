//! `sgfq index`: writes a table with a row for each game, for databases.
//!
//! Each input is read once. The rows go to a temporary file in the directory of the output, which
//! is renamed when the table is complete. No other files remain, and an interrupted run leaves
//! none.
//!
//! Memory: some 45 MiB, plus 3 MiB per worker (12 MiB with a table of moves) and the windows of
//! decoders, for any number and size of games. Workers emit a MiB of rows at once. Rows of a game
//! that a filter may still reject are buffered on disk. A row group ends when its rows or their
//! texts reach the maximum.

mod format;
mod join;
mod parquet;

use std::path::{Path, PathBuf};

use arrow_schema::SchemaRef;
use clap::Args;

use sgfstream_table::arrow::{TableKind, Tabulation};
use sgfstream_table::filter::Selection;
use sgfstream_table::row::Column;

use crate::args::destination::{Target, refuse_overlap};
use crate::args::input::Inputs;
use crate::args::listed_values::columns;
use crate::args::threads::{self, OutputTiming, Pool};
use crate::args::where_games::WhereArgs;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;

use format::{FORMATS, TableFile, TableOut, format_of};

/// Write a table with one row per game, in Parquet, Arrow, CSV or JSON lines.
///
/// `reference` names a game, such as `games.zip!one.sgf#3`. If FILE lists references,
/// `sgfq cat @FILE` prints their games. `key` joins the tables. Each table appears under its name
/// when it is complete.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq index games/ -o games.parquet --moves moves.parquet\n\
\x20 sgfq index games/ -o - -f csv --columns reference,pb,pw")]
pub(crate) struct Index {
    /// Write the table of games to FILE: .parquet, .arrow, .csv, .tsv, .jsonl or .csv.gz [default:
    /// `-`, stdout].
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    output: PathBuf,

    /// Output format; the extension of the output file selects it, too [default: arrow].
    #[arg(short = 'f', long, value_parser = Format::one_of(FORMATS))]
    format: Option<Format>,

    /// Write a second table with the moves and setup of all main lines, and fill the column
    /// `illegal_moves` of the games.
    #[arg(long, value_name = "FILE")]
    moves: Option<PathBuf>,

    /// Write a third table with all comments.
    #[arg(long, value_name = "FILE")]
    comments: Option<PathBuf>,

    /// Write only these columns of the games, and the key.
    #[arg(long, value_name = "COLUMNS", value_parser = columns(), hide_possible_values = true)]
    columns: Option<String>,

    #[command(flatten)]
    choice: WhereArgs,

    /// Limit row groups to N rows (moves: 16 times as many).
    #[arg(long, value_name = "N", default_value_t = 65_536, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    row_group: u64,

    #[command(flatten)]
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
}

/// Maximum rows of a batch on stdout. Its reader waits for each batch, and the batch is in memory
/// until it is written.
const STREAMED: u64 = 8192;

/// Maximum number of unreadable inputs that the metadata of a table name.
const BROKEN: usize = 1000;

impl Index {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let job = self.job()?;
        let is_stdout = self.output == Path::new("-");
        let tables = self.tables(&job)?;
        if is_stdout {
            self.refuse_stdout(&tables, out)?;
        } else {
            refuse_overlap(
                &self.inputs,
                &tables.iter().map(|out| &*out.path).collect::<Vec<_>>(),
            )?;
        }
        let engine = self.inputs.how.engine().with_threads(self.pool.jobs);
        let engine = engine.with_part_size(threads::ANSWER);
        let file =
            |out: &TableOut| TableFile::new(Target::create(&out.path)?, out, engine.threads());
        let mut files = tables
            .iter()
            .map(file)
            .collect::<anyhow::Result<Vec<_>>>()?;
        let is_shown = is_stdout && out.is_terminal();
        let (mut has_rows, mut broken) = (false, Vec::new());
        let timing = OutputTiming::Streamed { is_shown };
        let exit = threads::read(&self.pool, &self.inputs, engine, timing, &job, |out| {
            let names = out.problems.iter().map(|problem| problem.at.to_string());
            broken.extend(names.take(BROKEN - broken.len()));
            std::mem::take(&mut out.output)
                .into_batches(out.before)
                .try_for_each(|(table, batch)| {
                    has_rows |= table == 0 && batch.num_rows() > 0;
                    files[table].write(&batch)
                })
        })?;
        if !broken.is_empty() {
            let names = serde_json::to_string(&broken)?;
            files
                .iter_mut()
                .for_each(|file| file.add_metadata("sgfq.problems", &names));
        }
        // Completes all tables before it renames one, so that no run leaves tables of two ages.
        let targets = files
            .into_iter()
            .map(TableFile::finish)
            .collect::<anyhow::Result<Vec<_>>>()?;
        targets.into_iter().try_for_each(Target::finish)?;
        Ok(self
            .inputs
            .or_none(exit, has_rows || !self.choice.is_given()))
    }

    /// Returns an error if stdout cannot receive the table.
    fn refuse_stdout(&self, tables: &[TableOut], out: &Output) -> anyhow::Result<()> {
        for (name, is_given) in [
            ("--moves", self.moves.is_some()),
            ("--comments", self.comments.is_some()),
        ] {
            anyhow::ensure!(
                !is_given,
                "stdout takes one table; add `-o games.parquet` for the table of games, or leave out {name}"
            );
        }
        anyhow::ensure!(
            tables[0].format.is_rows() || !out.is_terminal(),
            "Arrow is not for a terminal; write a file, such as `-o games.parquet`, or pass `-f csv`"
        );
        Ok(())
    }

    fn job(&self) -> anyhow::Result<Tabulation> {
        let filter = self.choice.filter()?;
        let selection = match self.columns.as_deref() {
            // All tables have the same columns. Without the table of moves, the columns of boards
            // are null.
            None => Selection::of(Column::all(), filter.as_ref()).without_boards(filter.as_ref()),
            Some(names) => Selection::parse(names, filter.as_ref())
                .map_err(|err| anyhow::anyhow!("--columns: {err}"))?,
        };
        let names: Vec<&str> = selection
            .columns()
            .iter()
            .map(|column| &*column.name)
            .collect();
        for (at, name) in names.iter().enumerate() {
            anyhow::ensure!(
                !names[..at].contains(name),
                "--columns: the column `{name}` is given twice"
            );
        }
        let kinds: Vec<_> = self.outputs().map(|(kind, _)| kind).collect();
        Ok(Tabulation::new(selection, filter, &kinds))
    }

    /// Returns the tables and their files, in the order of [`Tabulation::tables`].
    fn outputs(&self) -> impl Iterator<Item = (TableKind, &Path)> {
        let moves = self.moves.as_deref().map(|path| (TableKind::Moves, path));
        let comments = self
            .comments
            .as_deref()
            .map(|path| (TableKind::Comments, path));
        std::iter::once((TableKind::Games, &*self.output))
            .chain(moves)
            .chain(comments)
    }

    fn tables(&self, job: &Tabulation) -> anyhow::Result<Vec<TableOut>> {
        let table = |((kind, path), (_, schema)): ((TableKind, &Path), &(TableKind, SchemaRef))| {
            // Give the moves larger groups, because a game has many moves.
            let times = |rows: u64| {
                if kind == TableKind::Moves {
                    rows.saturating_mul(16)
                } else {
                    rows
                }
            };
            // The other tables have their own names.
            let stated = self.format.filter(|_| kind == TableKind::Games);
            let format = format_of(path, stated)?;
            // The reader of a stream waits for each batch.
            let group = if format == Format::Arrow && path == Path::new("-") {
                STREAMED
            } else {
                u64::MAX
            };
            Ok(TableOut {
                schema: SchemaRef::clone(schema),
                path: path.to_owned(),
                format,
                group_rows: times(self.row_group).min(group),
            })
        };
        self.outputs().zip(job.tables()).map(table).collect()
    }
}
