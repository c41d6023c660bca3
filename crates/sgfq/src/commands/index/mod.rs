//! `sgfq index`: a row for each game, in a table that databases read.
//!
//! Inputs are cut into *segments*: runs of sources whose borders depend on
//! their names and sizes, and pieces of large sources, whose borders depend on
//! their bytes. A segment's rows are written to a directory beside the output
//! (`games.parquet.parts`), with a note that has the sums of its files. When
//! all are there, they are put together without being looked into, renamed, and
//! the directory goes. So a run that was killed goes on where the last segment
//! ended, and `--update` takes segments that did not change out of the output
//! that is replaced.
//!
//! Memory: some 40 MiB, 3 MiB more for each worker, and the windows of
//! decoders, however many games there are and however large they are. What
//! bounds it: workers hand out rows by the MiB, those of a game that may not be
//! wanted wait on the disk; a row group ends where its rows or their texts are
//! enough. For each source there are some 700 bytes.

mod assemble;
mod format;
mod manifest;
mod output;
mod parquet;
mod plan;
mod positions;
mod sink;
mod source;
mod store;
mod text;

use std::path::{Path, PathBuf};
use std::thread;

use clap::{Args, ValueEnum};

use sgfstream_archive::{Looks, Walk};
use sgfstream_engine::Engine;
use sgfstream_table::arrow::{PerTable, SCHEMA, Table, TableKind, Tabulation};
use sgfstream_table::filter::Selection;
use sgfstream_table::row::Column;

use crate::args::destination::refuse_overlap;
use crate::args::input::Inputs;
use crate::args::threads::{self, Pool, Progress};
use crate::args::where_games::parse_filter;
use crate::io::lock::Hold;
use crate::io::output::{Output, Stdout};
use crate::report::exit::Exit;
use crate::report::{cut, terminal};

use assemble::Piece;
use format::{Format, TableFile, Target};
use manifest::Manifest;
use output::{Cut, SegmentPieces, Unnamed};
use plan::{Plan, PlanState, Planned, Planner, Shard};
use sink::Sink;
use source::{Known, Source};
use store::{Done, Store};

/// Write a table with one row per game, in Parquet, Arrow, CSV or JSON lines.
///
/// `source`, `member` and `game` locate a game: `sgfq cat 'source!member#game'` prints it, `sgfq cat --keys TABLE` those
/// of a table. `key` joins the tables. Beside FILE, `FILE.manifest` is written for `--update`, and `FILE.parts` until the
/// run ends: the same command goes on from it after a kill. With `--rows`, all tables of a game are in the files of one
/// number.
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

    /// Write a table with all positions, for `sgfq find --index`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rows", "partition", "shard"])]
    positions: Option<PathBuf>,

    /// Write only these columns of the games, and the key.
    #[arg(long, value_name = "COLUMNS")]
    columns: Option<String>,

    /// Select the games for which EXPR is true; see `sgfq help expressions`.
    #[arg(long = "where", value_name = "EXPR")]
    filter: Option<String>,

    /// Maximum rows of a row group (moves: 16 times as many).
    #[arg(long, value_name = "N", default_value_t = 65_536, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    row_group: u64,

    /// Write several files of at most N games: `games-00001.parquet` and so on.
    #[arg(long, value_name = "N", conflicts_with = "partition", value_parser = clap::value_parser!(u64).range(1..))]
    rows: Option<u64>,

    /// Write one file per source into a directory named FILE.
    #[arg(long, value_enum, value_name = "BY")]
    partition: Option<Partition>,

    /// Minimum size of what is read again after a kill.
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20, value_parser = clap::value_parser!(u64).range(1..))]
    segment: u64,

    /// Read only share I of N. When all have ended, the same command without --shard writes the tables.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// Read only changed sources, and drop the rows of sources that are gone.
    #[arg(long)]
    update: bool,

    #[command(flatten)]
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Partition {
    /// Top-level input files.
    Source,
}

/// A source that is larger than a segment becomes segments of this many times its minimum size.
const INNER: u64 = 4;

/// Rows of a batch on stdout, at most: its reader waits for them, and they are in memory until it is written.
const STREAMED: usize = 8192;

impl Index {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let job = self.job()?;
        if self.output == Path::new("-") {
            return self.stream(&job, out);
        }
        let output = self.output.display();
        anyhow::ensure!(self.format.is_none(), "--format: expected `-o -`, found {output}: the name says its format");
        let formats = self.formats()?;
        let outputs: Vec<&Path> =
            self.outputs().iter().filter_map(|(_, output)| *output).chain(self.positions.as_deref()).collect();
        refuse_overlap(&self.inputs, &outputs)?;
        self.check_positions(&job)?;
        let hold = if self.shard.is_some() { Hold::Shared } else { Hold::Alone };
        let store = Store::open(&self.output, formats, hold)?;
        let mut known = Known::default();
        store.tell(&mut known)?;
        // Without `--update` the old manifest only says which files are there.
        let mut unused = Known::default();
        let old = Manifest::load(&self.output, if self.update { &mut known } else { &mut unused });
        let usable = old.as_ref().filter(|manifest| self.update && manifest.is_valid());
        let plan = Plan::default();
        let inputs = self.inputs.parsed();
        let engine = self
            .inputs
            .how
            .engine()
            .with_cut(sgfstream_engine::Cut::default().whole_if(job.needs_whole_entries()))
            .with_threads(self.pool.jobs);
        let progress = Progress::new(self.pool.progress, &inputs, engine.monitor());
        let fingerprint = self.fingerprint(&formats);
        let walk = Walk::new(inputs).with_options(engine.archives());
        let planner = Planner {
            found: Looks::new(walk, engine.threads(), |work| Source::of(work, &known)),
            known: &known,
            store: &store,
            manifest: usable,
            fingerprint: &fingerprint,
            least: if self.partition.is_some() { 0 } else { self.segment },
            large: self.segment,
            inner: self.inner(),
            shard: self.shard,
            engine: (!job.needs_whole_entries()).then(|| engine.clone()),
            plan: &plan,
            queue: Default::default(),
            outputs: outputs.iter().map(|output| output.to_path_buf()).collect(),
            next: None,
        };
        thread::scope(|scope| {
            let mut sink = Sink {
                scope,
                store: &store,
                plan: &plan,
                tables: job.tables(),
                group_rows: self.group_rows(),
                is_aligned: self.rows.is_some(),
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
            exit = self.inputs.or_empty(exit, engine.monitor().meter().files() > 0, engine.monitor().meter());
            exit = exit.or(say_old_problems(&segments));
            // The files of the last segment are read from memory while they are brought to the disk.
            self.assemble(job.tables(), &store, &segments, usable, old.as_ref())?;
            sink.wait()?;
            store.remove()?;
            if let Some(path) = &self.positions {
                let (boards, cut) = self.boards()?;
                exit = exit.or(positions::write(path, &self.output, &boards, cut, &self.pool, &self.inputs)?);
            }
            Ok(exit)
        })
    }

    /// Writes the games to stdout while they are read.
    fn stream(&self, job: &Tabulation, out: &Output) -> anyhow::Result<Exit> {
        for (name, is_given) in [
            ("--moves", self.moves.is_some()),
            ("--comments", self.comments.is_some()),
            ("--positions", self.positions.is_some()),
            ("--rows", self.rows.is_some()),
            ("--partition", self.partition.is_some()),
            ("--shard", self.shard.is_some()),
            ("--update", self.update),
        ] {
            anyhow::ensure!(!is_given, "-o -: expected one table, found {name}, which needs files");
        }
        let format = Format::of_stdout(self.format.as_deref())?;
        let is_binary = format == Format::ArrowStream;
        anyhow::ensure!(
            !is_binary || !out.is_terminal(),
            "-o -: expected a pipe or file, found a terminal; see --format"
        );
        let table = job.tables()[TableKind::Games].as_ref().expect("games are always written");
        let group_rows = self.group_rows()[TableKind::Games].min(STREAMED);
        let mut target = Target::Stdout(Stdout::new());
        format::write_head(&mut target, format, table)?;
        let mut rows = TableFile::new(target, format, table, group_rows, 1)?;
        let engine = self.inputs.how.engine().with_cut(threads::ANSWER.whole_if(job.needs_whole_entries()));
        let exit = threads::answer(&self.pool, &self.inputs, engine, out.is_terminal(), job, |out| {
            let Some(tabulated) = out.output.take() else { return Ok(()) };
            cut::add(tabulated.cut_texts());
            tabulated.into_batches().try_for_each(|(_, batch)| rows.write(&batch))
        })?;
        rows.finish()?.1.sync()?;
        Ok(exit)
    }

    /// Positions are looked up by way of the table of games, and read after it.
    fn check_positions(&self, job: &Tabulation) -> anyhow::Result<()> {
        let Some(path) = &self.positions else { return Ok(()) };
        for path in [path, &self.output] {
            let is_parquet = Format::of(path)? == Format::Parquet;
            anyhow::ensure!(is_parquet, "--positions: expected names that end in .parquet, found {}", path.display());
        }
        let games = job.tables()[TableKind::Games].as_ref();
        for column in ["source", "member", "game"] {
            let has_column = games.is_some_and(|games| games.schema().index_of(column).is_ok());
            anyhow::ensure!(has_column, "--positions: expected `{column}` among the columns of the games, found none");
        }
        let reads_stdin = self.inputs.parsed().contains(&sgfstream_archive::Input::Stdin);
        anyhow::ensure!(!reads_stdin, "--positions: expected files, which are read twice, found stdin");
        Ok(())
    }

    /// What reads the positions of the same games.
    fn boards(&self) -> anyhow::Result<(Tabulation, sgfstream_engine::Cut)> {
        let filter = self.filter.as_deref().map(parse_filter).transpose()?;
        let selection = Selection::of(&[], filter.as_ref());
        let job = Tabulation::new(selection, filter, &[TableKind::Boards]);
        let cut = threads::SUM.whole_if(job.needs_whole_entries());
        Ok((job, cut))
    }

    fn job(&self) -> anyhow::Result<Tabulation> {
        let filter = self.filter.as_deref().map(parse_filter).transpose()?;
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
        let outputs = self.outputs();
        let kinds: Vec<_> = TableKind::ALL.into_iter().filter(|&kind| outputs[kind].is_some()).collect();
        Ok(Tabulation::new(selection, filter, &kinds))
    }

    fn outputs(&self) -> PerTable<Option<&Path>> {
        PerTable::new(|kind| match kind {
            TableKind::Games => Some(&*self.output),
            TableKind::Moves => self.moves.as_deref(),
            TableKind::Comments => self.comments.as_deref(),
            TableKind::Lines | TableKind::Positions | TableKind::Boards => None,
        })
    }

    fn formats(&self) -> anyhow::Result<PerTable<Option<Format>>> {
        let mut formats = PerTable::default();
        for (kind, output) in self.outputs() {
            formats[kind] = output.map(Format::of).transpose()?;
        }
        Ok(formats)
    }

    /// Bytes of a segment inside of one source, at least.
    fn inner(&self) -> u64 {
        INNER.saturating_mul(self.segment).max(Engine::LEAST)
    }

    fn cut(&self) -> Cut {
        match (self.rows, self.partition) {
            (Some(rows), _) => Cut::Rows(rows),
            (None, Some(Partition::Source)) => Cut::Source,
            (None, None) => Cut::One,
        }
    }

    fn group_rows(&self) -> PerTable<usize> {
        PerTable::new(|kind| match kind {
            TableKind::Games => self.row_group.min(self.rows.unwrap_or(u64::MAX)) as usize,
            TableKind::Moves => self.row_group as usize * 16,
            _ => self.row_group as usize,
        })
    }

    /// Everything that what a segment comes to depends on, its sources aside.
    fn fingerprint(&self, formats: &PerTable<Option<Format>>) -> String {
        let caps = self.inputs.how.archives().caps;
        format!(
            "{} {SCHEMA} {formats:?} {:?} {:?} {:?} {:?} {} {:?} {:?} {caps:?}",
            env!("CARGO_PKG_VERSION"),
            self.columns,
            self.filter,
            self.group_rows(),
            self.rows.is_some(),
            self.segment,
            self.inputs.how.charset,
            self.inputs.how.framing,
        )
    }

    /// Puts the segments together, and in their places.
    fn assemble(
        &self,
        tables: &PerTable<Option<Table>>,
        store: &Store,
        segments: &[Planned],
        usable: Option<&Manifest>,
        old: Option<&Manifest>,
    ) -> anyhow::Result<()> {
        let all = segments.iter().flat_map(|planned| planned.done().iter().map(move |done| (planned, done)));
        let pieces: Vec<_> = all
            .clone()
            .map(|(planned, done)| SegmentPieces {
                source: source_of(done),
                pieces: PerTable::new(|kind| match planned {
                    Planned::Old(_) => usable.map_or_else(Vec::new, |manifest| manifest.pieces(&done.key, kind)),
                    // A segment without rows has a file without groups.
                    _ if done.tables[kind].groups.is_empty() => Vec::new(),
                    _ => {
                        let groups = done.tables[kind].groups.clone();
                        vec![Piece { path: store.path(&done.key, kind), first: 0, offset: 0, groups }]
                    }
                }),
                marks: done.marks.clone(),
            })
            .collect();
        let mut files: PerTable<Vec<Unnamed>> = PerTable::default();
        let mut old_files = Vec::new();
        for (kind, table) in tables.iter() {
            let (Some(table), Some(output)) = (table, self.outputs()[kind]) else { continue };
            files[kind] = output::make(output, self.cut(), store.format(kind), (kind, table), &pieces)?;
            old_files.extend(old.into_iter().flat_map(|old| old.files_at(kind, output)));
        }
        let files = output::publish(files, &old_files)?;
        manifest::write(&self.output, &files, &all.map(|(_, done)| done).collect::<Vec<_>>())
    }
}

fn source_of(done: &Done) -> String {
    done.sources.first().map_or(&done.key, |source| &source.name).clone()
}

/// What was said of archives when their segments were read, in another run; and texts that were cut, in any.
fn say_old_problems(segments: &[Planned]) -> Exit {
    let mut exit = Exit::Done;
    segments.iter().flat_map(Planned::done).for_each(|done| cut::add(done.cut_texts));
    for done in segments.iter().flat_map(Planned::done).filter(|done| !done.was_read_now) {
        for problem in &done.problems {
            terminal::say(&format!("sgfq: {problem}"));
            exit = Exit::Unreadable;
        }
    }
    exit
}
