//! `sgfq index`: a row for each game, in a table that databases read.
//!
//! Inputs are cut into *segments*: runs of sources whose borders depend on
//! their names and sizes, and pieces of large sources, whose borders depend on
//! their bytes. A segment's rows are written to a directory beside the output
//! (`games.parquet.parts`), with a note that has the sums of its files. That
//! directory is the index: when all segments are there, the tables are put together
//! from it without looking into them. So a run that was killed goes on where the
//! last segment ended, and `--update`, which keeps the directory, reads only what
//! changed. Lines of text are written while the games are read.
//!
//! Memory: some 40 MiB, 3 MiB more for each worker, and the windows of
//! decoders, however many games there are and however large they are. What
//! bounds it: workers hand out rows by the MiB, those of a game that may not be
//! wanted wait on the disk; a row group ends where its rows or their texts are
//! enough. For each source there are some 700 bytes.

mod format;
mod manifest;
mod output;
mod parquet;
mod plan;
mod sink;
mod source;
mod store;

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;

use sgfstream_archive::{Looks, Walk};
use sgfstream_engine::Engine;
use sgfstream_table::arrow::{SCHEMA, Table, TableKind, Tabulation};
use sgfstream_table::filter::Selection;
use sgfstream_table::row::Column;

use crate::args::destination::{Target, refuse_overlap};
use crate::args::input::Inputs;
use crate::args::threads::{self, Pool, Progress};
use crate::args::where_games::Where;
use crate::io::lock::Hold;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::{cut, terminal};

use format::{Format, TableFile, TableOut};
use output::Segment;
use plan::{Plan, PlanState, Planned, Planner, Shard};
use sink::Sink;
use source::Known;
use store::Store;

/// Write a table with one row per game, in Parquet, Arrow, CSV or JSON lines.
///
/// `source`, `member` and `game` locate a game: `sgfq cat 'source!member#game'` prints it, `sgfq cat --keys TABLE` those
/// of a table. `key` joins the tables. Beside a FILE of Parquet or Arrow, `FILE.parts` is written until the run ends: the
/// same command goes on from it after a kill. With `--update` it stays, and the next run reads only what changed.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq index games/ -o games.parquet --moves moves.parquet\n\
\x20 sgfq index --update games/ -o games.parquet\n\
\x20 sgfq index --shard 2/8 games/ -o games.parquet   # one of eight processes")]
pub(crate) struct Index {
    /// The table of games: .parquet, .arrow, .csv, .tsv, .jsonl, .csv.gz or `-`.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Format of `-o -`, stdout: arrow (the default), csv, tsv or jsonl.
    #[arg(short, long, value_name = "FORMAT", value_parser = ["arrow", "csv", "tsv", "jsonl", "parquet"], hide_possible_values = true)]
    format: Option<String>,

    /// Write a second table with the setup and moves of all main lines; games get the column `illegal_moves`.
    #[arg(long, value_name = "FILE")]
    moves: Option<PathBuf>,

    /// Write a third table with all comments.
    #[arg(long, value_name = "FILE")]
    comments: Option<PathBuf>,

    /// Write only these columns of the games, and the key.
    #[arg(long, value_name = "COLUMNS")]
    columns: Option<String>,

    #[command(flatten)]
    choice: Where,

    /// Maximum rows of a row group (moves: 16 times as many).
    #[arg(long, value_name = "N", default_value_t = 65_536, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    row_group: u64,

    /// Write several files of at most N rows (moves: 16 times as many): `games-00001.parquet` and so on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    rows: Option<u64>,

    /// Minimum size of what is read again after a kill.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    segment: u64,

    /// Read only share I of N. When all have ended, the same command without --shard writes the tables.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Read only sources that changed since the last --update, and keep FILE.parts for the next.
    #[arg(long)]
    update: bool,

    #[command(flatten)]
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
}

/// Rows of a batch on stdout, at most: its reader waits for them, and they are in memory until it is written.
const STREAMED: u64 = 8192;

/// A source that is larger than a segment becomes segments of this many times its minimum size.
const INNER: u64 = 4;

impl Index {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let job = self.job()?;
        if self.output == Path::new("-") {
            return self.stream_games(&job, out);
        }
        let output = self.output.display();
        anyhow::ensure!(self.format.is_none(), "--format: expected `-o -`, found {output}: the name says its format");
        let tables = self.tables(&job, Format::of)?;
        if self.are_rows(&tables)? {
            return self.stream(&job, &tables, out);
        }
        let outputs: Vec<PathBuf> = tables.iter().map(|out| out.path.clone()).collect();
        refuse_overlap(&self.inputs, &outputs.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
        let hold = if self.shard.is_some() { Hold::Shared } else { Hold::Alone };
        let fingerprint = self.fingerprint(&tables);
        let store = Store::open(&self.output, tables, hold)?;
        let mut known = Known::default();
        store.tell(&mut known)?;
        let old = manifest::load(&self.output, store.tables());
        let plan = Plan::default();
        let inputs = self.inputs.parsed();
        let engine = self
            .inputs
            .how
            .engine()
            .with_cut(sgfstream_engine::Cut::default().whole_if(job.needs_whole_entries()))
            .with_threads(self.pool.jobs);
        let progress = Progress::new(self.pool.progress, &inputs, engine.monitor());
        let walk = Walk::new(inputs).with_options(engine.archives());
        let planner = Planner {
            found: Looks::new(walk, engine.threads(), |work| known.look_at(work)),
            known: &known,
            store: &store,
            fingerprint: &fingerprint,
            least: self.segment,
            inner: self.inner(),
            shard: self.shard,
            count: 0,
            engine: (!job.needs_whole_entries()).then(|| engine.clone()),
            plan: &plan,
            queue: Default::default(),
            outputs,
            next: None,
        };
        thread::scope(|scope| {
            let mut sink = Sink {
                scope,
                store: &store,
                plan: &plan,
                inner: self.inner(),
                threads: engine.threads(),
                open: None,
                closing: None,
                finished: 0,
            };
            let result = threads::run(&self.pool, &engine, planner, &job, &progress, |out| sink.take(out));
            if !matches!(result, Ok(Exit::Interrupted) | Err(_)) {
                sink.close(true)?;
            }
            let mut exit = result?;
            progress.finish(exit == Exit::Interrupted);
            if exit == Exit::Interrupted || self.shard.is_some() {
                sink.wait()?;
            }
            if exit == Exit::Interrupted {
                let finished = sink.finished;
                terminal::say(&format!("sgfq: {finished} segments are finished and kept; run it again to go on"));
                return Ok(exit);
            }
            if self.shard.is_some() {
                return Ok(exit);
            }
            let PlanState { segments, overlap } = std::mem::take(&mut *plan.lock());
            if let Some((output, input)) = overlap {
                let (output, input) = (output.display(), input.display());
                anyhow::bail!("{output}: expected outputs that are not inputs, found the input {input}");
            }
            // Segments that were finished before are not read again.
            exit = self.inputs.or_empty(exit, engine.monitor().meter().files() > 0, &engine.monitor());
            Ok(exit.or(self.finish(&segments, &old, &mut sink)?))
        })
    }

    /// Puts the tables together when all segments are there.
    fn finish(&self, segments: &[Planned], old: &[manifest::OutFile], sink: &mut Sink<'_, '_>) -> anyhow::Result<Exit> {
        // The files of the last segment are read from memory while they are brought to the disk.
        let has_rows = segments.iter().flat_map(|planned| &planned.done).any(|done| !done.tables[0].groups.is_empty());
        let exit = self.or_unmatched(say_old_problems(segments), has_rows);
        let store = sink.store;
        self.assemble(store, segments, old)?;
        sink.wait()?;
        // What was read once can not be found again.
        let keys = segments.iter().flat_map(|planned| &planned.done).map(|done| done.key.as_str());
        store.keep(&keys.filter(|key| self.update && !key.starts_with("once-")).collect())?;
        Ok(exit)
    }

    /// True if the tables are lines of text, and false if they are put together from segments.
    fn are_rows(&self, tables: &[TableOut]) -> anyhow::Result<bool> {
        let Some(rows) = tables.iter().find(|out| out.format.is_rows()) else { return Ok(false) };
        let rows = rows.path.display();
        if let Some(other) = tables.iter().find(|out| !out.format.is_rows()) {
            let other = other.path.display();
            anyhow::bail!("{rows}: expected a table of Parquet or Arrow like {other}, found lines of text");
        }
        for (name, is_given) in
            [("--rows", self.rows.is_some()), ("--shard", self.shard.is_some()), ("--update", self.update)]
        {
            anyhow::ensure!(!is_given, "{name}: expected tables of Parquet or Arrow, found {rows}");
        }
        Ok(true)
    }

    /// Writes the games to stdout while they are read.
    fn stream_games(&self, job: &Tabulation, out: &Output) -> anyhow::Result<Exit> {
        for (name, is_given) in [
            ("--moves", self.moves.is_some()),
            ("--comments", self.comments.is_some()),
            ("--rows", self.rows.is_some()),
            ("--shard", self.shard.is_some()),
            ("--update", self.update),
        ] {
            anyhow::ensure!(!is_given, "-o -: expected one table, found {name}, which needs files");
        }
        let format = Format::of_stdout(self.format.as_deref())?;
        anyhow::ensure!(
            format.is_rows() || !out.is_terminal(),
            "-o -: expected a pipe or file, found a terminal; see --format"
        );
        self.stream(job, &self.tables(job, |_| Ok(format))?, out)
    }

    /// Writes tables while the games are read.
    fn stream(&self, job: &Tabulation, tables: &[TableOut], out: &Output) -> anyhow::Result<Exit> {
        let is_stdout = self.output == Path::new("-");
        if !is_stdout {
            refuse_overlap(&self.inputs, &tables.iter().map(|out| &*out.path).collect::<Vec<_>>())?;
        }
        let file = |out: &TableOut| TableFile::new(Target::create(&out.path)?, out, 1);
        let mut files = tables.iter().map(file).collect::<anyhow::Result<Vec<_>>>()?;
        let engine = self.inputs.how.engine().with_cut(threads::ANSWER.whole_if(job.needs_whole_entries()));
        let is_shown = is_stdout && out.is_terminal();
        let mut has_rows = false;
        let exit = threads::answer(&self.pool, &self.inputs, engine, is_shown, job, |out| {
            let Some(tabulated) = out.output.take() else { return Ok(()) };
            cut::add(tabulated.cut_texts());
            tabulated.into_batches().try_for_each(|(table, batch)| {
                has_rows |= table == 0 && batch.num_rows() > 0;
                files[table].write(&batch)
            })
        })?;
        files.into_iter().try_for_each(|file| file.finish()?.1.finish())?;
        Ok(self.or_unmatched(exit, has_rows))
    }

    /// Puts the segments together, and in their places.
    fn assemble(&self, store: &Store, segments: &[Planned], old: &[manifest::OutFile]) -> anyhow::Result<()> {
        let mut files = Vec::new();
        for (number, out) in store.tables().iter().enumerate() {
            let all = segments.iter().flat_map(|planned| &planned.done);
            let all = all.map(|done| (store.path(&done.key, out), &*done.tables[number].groups));
            // A segment without rows has a file without groups.
            let all: Vec<Segment<'_>> = all.filter(|(_, groups)| !groups.is_empty()).collect();
            files.push(output::make(out, &all)?);
        }
        let sources = plan::sources_of(segments);
        manifest::write(&self.output, store.tables(), &output::publish(files, old)?, &sources, &self.inputs)
    }

    /// The exit status of a run whose table of games `has_rows`.
    fn or_unmatched(&self, exit: Exit, has_rows: bool) -> Exit {
        self.inputs.or_none(exit, has_rows || !self.choice.is_given())
    }

    fn job(&self) -> anyhow::Result<Tabulation> {
        let filter = self.choice.filter()?;
        let selection = match self.columns.as_deref() {
            // The table of moves plays them on a board, so that one column more costs nothing.
            None if self.moves.is_some() => Selection::of(Column::all(), filter.as_ref()),
            None => Selection::of(Column::without_boards(), filter.as_ref()),
            Some(names) => {
                Selection::parse(names, filter.as_ref()).map_err(|err| anyhow::anyhow!("--columns: {err}"))?
            }
        };
        let names: Vec<&str> = selection.columns().iter().map(|column| &*column.name).collect();
        for (at, name) in names.iter().enumerate() {
            anyhow::ensure!(!names[..at].contains(name), "--columns: expected each column once, found `{name}` twice");
        }
        let kinds: Vec<_> = self.outputs().map(|(kind, _)| kind).collect();
        Ok(Tabulation::new(selection, filter, &kinds))
    }

    /// The tables and their files, in the order of [`Tabulation::tables`].
    fn outputs(&self) -> impl Iterator<Item = (TableKind, &Path)> {
        let moves = self.moves.as_deref().map(|path| (TableKind::Moves, path));
        let comments = self.comments.as_deref().map(|path| (TableKind::Comments, path));
        std::iter::once((TableKind::Games, &*self.output)).chain(moves).chain(comments)
    }

    fn tables(
        &self,
        job: &Tabulation,
        format: impl Fn(&Path) -> anyhow::Result<Format>,
    ) -> anyhow::Result<Vec<TableOut>> {
        let table = |((kind, path), (_, table)): ((TableKind, &Path), &(TableKind, Table))| {
            // There are many more moves than games.
            let times = |rows: u64| if kind == TableKind::Moves { rows.saturating_mul(16) } else { rows };
            let format = format(path)?;
            // The reader of a stream waits for each batch.
            let group = if format == Format::ArrowStream { STREAMED } else { u64::MAX };
            Ok(TableOut {
                kind,
                table: table.clone(),
                path: path.to_owned(),
                format,
                group_rows: times(self.row_group.min(self.rows.unwrap_or(u64::MAX))).min(group),
                most: self.rows.map(times),
            })
        };
        self.outputs().zip(job.tables()).map(table).collect()
    }

    /// Bytes of a segment inside of one source, at least.
    fn inner(&self) -> u64 {
        INNER.saturating_mul(self.segment).max(Engine::LEAST)
    }

    /// Everything that what a segment comes to depends on, its sources aside.
    fn fingerprint(&self, tables: &[TableOut]) -> String {
        let caps = self.inputs.how.archives().caps;
        let tables: Vec<_> = tables.iter().map(|out| (out.kind, out.format, out.group_rows)).collect();
        format!(
            "{} {SCHEMA} {tables:?} {:?} {:?} {} {:?} {:?} {caps:?}",
            env!("CARGO_PKG_VERSION"),
            self.columns,
            self.choice,
            self.segment,
            self.inputs.how.charset,
            self.inputs.how.framing,
        )
    }
}

/// Reports problems of archives whose segments were read in another run, and texts that were cut, in any.
fn say_old_problems(segments: &[Planned]) -> Exit {
    let mut exit = Exit::Done;
    segments.iter().flat_map(|planned| &planned.done).for_each(|done| cut::add(done.cut_texts));
    for done in segments.iter().flat_map(|planned| &planned.done).filter(|done| !done.was_read_now) {
        for problem in &done.problems {
            terminal::say(&format!("sgfq: {problem}"));
            exit = Exit::Unreadable;
        }
    }
    exit
}
