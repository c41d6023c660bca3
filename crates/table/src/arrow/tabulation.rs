//! Makes rows of tables from games, on all cores.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use xxhash_rust::xxh3::Xxh3;

use sgfstream::{Event, EventReader, Flow, Place};
use sgfstream_archive::EntryName;
use sgfstream_engine::{Job, Out, Part, PartEnd, PartOffset};
use sgfstream_game::{self as game, Dialect, Step};

use crate::filter::{Filter, Selection};
use crate::row::line::{LineStep, MainLineMove, follow};
use crate::row::{Column, Listener, RowBuilder, Rows};

use super::comments::CommentRows;
use super::games::GameRows;
use super::lines::LineRows;
use super::moves::MoveRows;
use super::position_options::PositionOptions;
use super::positions::PositionRows;
use super::sink::{GameEnd, GameNow, TableSink};
use super::spill::Spill;
use super::table::{Table, TableKind};

/// Number of bytes after which rows are sent.
const FULL: usize = 1 << 20;

/// Selection of tables with their rows and columns. It is a [`Job`] for an [`Engine`](sgfstream_engine::Engine).
#[derive(Clone, Debug)]
pub struct Tabulation {
    selection: Selection,
    filter: Option<Filter>,
    tables: Vec<(TableKind, Table)>,
    legality: bool,
    positions: PositionOptions,
    late: Late,
}

/// Columns of games that depend on earlier parts of the input.
const LATE: [&str; 4] = ["game", "reference", "errors", "warnings"];

/// Index of each [`LATE`] column in the table of games, if selected.
type Late = [Option<usize>; LATE.len()];

/// Facts about a game in the rows of lines and positions.
const ABOUT: [&str; 8] = ["winner", "margin", "komi", "handicap", "rules", "br_level", "wr_level", "to_play"];

impl Tabulation {
    /// Returns a tabulation of these kinds of tables, with the games that `filter` selects. `selection` has the columns of
    /// games; it must have been made with the same filter.
    #[must_use]
    pub fn new(selection: Selection, filter: Option<Filter>, kinds: &[TableKind]) -> Self {
        let positions = PositionOptions::new(19);
        let table = |kind| match kind {
            TableKind::Games => Table::games(&selection),
            TableKind::Moves => Table::moves(),
            TableKind::Comments => Table::comments(),
            TableKind::Lines => Table::lines(),
            TableKind::Positions => Table::positions(&positions),
        };
        let tables = kinds.iter().map(|&kind| (kind, table(kind))).collect();
        let wants_facts = [TableKind::Lines, TableKind::Positions].into_iter().any(|kind| kinds.contains(&kind));
        let selection = if wants_facts { selection.with_facts(&ABOUT) } else { selection };
        // The table of moves replays them anyway, so the builder need not.
        let illegal_moves = Column::find("illegal_moves").expect("a column");
        let selection = match kinds.contains(&TableKind::Moves) {
            true => selection.without_finding(illegal_moves, filter.as_ref()),
            false => selection,
        };
        let place = |name: &str| {
            let columns = selection.columns();
            columns.iter().position(|selected| selected.column.is_some_and(|column| column.name == name))
        };
        // The key is the first column.
        let late = LATE.map(|name| place(name).map(|place| place + 1));
        Self { selection, filter, tables, legality: false, positions, late }
    }

    /// Returns this tabulation with or without checks of legality in the table of lines.
    #[must_use]
    pub fn with_legality(self, legality: bool) -> Self {
        Self { legality, ..self }
    }

    /// Returns this tabulation with other options for the table of positions.
    #[must_use]
    pub fn with_positions(mut self, options: PositionOptions) -> Self {
        for (_, table) in self.tables.iter_mut().filter(|(kind, _)| *kind == TableKind::Positions) {
            *table = Table::positions(&options);
        }
        Self { positions: options, ..self }
    }

    /// Returns the tables, in the order of `kinds`.
    #[must_use]
    pub fn tables(&self) -> &[(TableKind, Table)] {
        &self.tables
    }

    /// Returns whether parts of an entry are not enough; see [`Selection::needs_whole_entries`].
    #[must_use]
    pub fn needs_whole_entries(&self) -> bool {
        self.selection.needs_whole_entries()
    }

    fn sinks(&self) -> Vec<Box<dyn TableSink>> {
        let sink = |(kind, table): &(TableKind, Table)| -> Box<dyn TableSink> {
            match kind {
                TableKind::Games => Box::new(GameRows::new(table, &self.selection)),
                TableKind::Moves => Box::new(MoveRows::new(table)),
                TableKind::Comments => Box::new(CommentRows::new(table)),
                TableKind::Lines => Box::new(LineRows::new(table, self.legality)),
                TableKind::Positions => Box::new(PositionRows::new(table, self.positions)),
            }
        };
        self.tables.iter().map(sink).collect()
    }
}

/// Rows of some games, for all tables.
#[derive(Debug, Default)]
pub struct PartRows {
    /// Index of the table of games.
    games: Option<usize>,
    /// Batches before the rows of the sinks, each with the index of its table.
    batches: Vec<(usize, RecordBatch)>,
    /// One sink for each table; empty before the first game.
    sinks: Vec<Box<dyn TableSink>>,
    /// Whether the first row of the table of games is about the first game of its part.
    has_first_game: bool,
    /// Totals of the parts before this one.
    before: PartOffset,
    late: Late,
}

impl PartRows {
    fn bytes(&self) -> usize {
        self.sinks.iter().map(|sink| sink.rows().bytes()).sum()
    }

    /// Returns the rows in batches, each with the index of its table in [`Tabulation::tables`].
    pub fn into_batches(mut self) -> impl Iterator<Item = (usize, RecordBatch)> {
        self.finish_rows();
        let mut first = usize::from(self.has_first_game);
        self.batches.into_iter().map(move |(table, batch)| match self.games == Some(table) {
            true => (table, count_from(batch, self.late, &self.before, std::mem::take(&mut first))),
            false => (table, batch),
        })
    }

    fn has_games(&self) -> bool {
        let has_rows = |games: usize| self.sinks[games].rows().len() > 0;
        self.games.is_some_and(has_rows) || self.batches.iter().any(|(table, _)| self.games == Some(*table))
    }

    /// Makes batches of the final rows.
    fn finish_rows(&mut self) {
        for (table, sink) in self.sinks.iter_mut().enumerate() {
            if sink.rows().len() > 0 && sink.is_settled() {
                self.batches.push((table, sink.rows_mut().finish()));
            }
        }
    }
}

/// Adds the totals of earlier parts to the [`LATE`] columns of games.
fn count_from(games: RecordBatch, late: Late, before: &PartOffset, first: usize) -> RecordBatch {
    let all = games.num_rows();
    let counts = [before.games, before.games, before.errors, before.warnings];
    let more = late.into_iter().zip([all, all, first, first]).zip(counts).filter(|(_, more)| *more > 0);
    more.fold(games, |games, ((column, rows), more)| {
        let Some(column) = column else { return games };
        let old = games.column(column);
        let new: ArrayRef = if let Some(numbers) = old.as_primitive_opt::<Int64Type>() {
            let added =
                |(at, value): (usize, Option<i64>)| value.map(|value| value + if at < rows { more as i64 } else { 0 });
            Arc::new(numbers.iter().enumerate().map(added).collect::<Int64Array>())
        } else {
            let added = |reference: &str| {
                let (name, number) = reference.rsplit_once('#')?;
                Some(format!("{name}#{}", number.parse::<u64>().ok()? + more))
            };
            let references = old.as_string::<i32>().iter();
            Arc::new(references.map(|reference| added(reference?)).collect::<StringArray>())
        };
        let mut columns = games.columns().to_vec();
        columns[column] = new;
        RecordBatch::try_new(games.schema(), columns).expect("one column for another of its type and length")
    })
}

impl Job for Tabulation {
    type Worker = Option<RowBuilder>;
    type Output = PartRows;

    fn worker(&self) -> Self::Worker {
        None
    }

    fn output(&self) -> PartRows {
        let games = self.tables.iter().position(|(kind, _)| *kind == TableKind::Games);
        PartRows { games, late: self.late, ..PartRows::default() }
    }

    fn shift(&self, rows: &mut PartRows, before: &PartOffset) {
        rows.before = *before;
    }

    fn read(&self, worker: &mut Self::Worker, part: Part<'_>, out: &mut Out<'_, PartRows>) -> anyhow::Result<PartEnd> {
        let mut game = Game::new(self, part.name(), out);
        let has_inner = self.tables.iter().any(|(kind, _)| *kind != TableKind::Games);
        let mut builder = worker.take().unwrap_or_else(|| self.selection.builder());
        if has_inner {
            builder = builder.holding_roots();
        }
        let builder = builder.for_input(Some(game.source.clone()), game.member.clone());
        let mut rows = Rows::with_builder(part.reader(), builder);
        let read = if has_inner { game.read_all(&mut rows) } else { game.read_rows(&mut rows) };
        game.end_input();
        read?;
        let long_games = rows.take_long_games();
        let (mut reader, builder) = rows.into_parts();
        *worker = Some(builder);
        Ok(reader.finish()?.with_long_games(long_games))
    }
}

/// Reads the games of a part.
struct Game<'j, 'o> {
    job: &'j Tabulation,
    out: &'j mut Out<'o, PartRows>,
    source: String,
    member: Option<String>,
    /// Hash of the input's name; the offset of a game follows.
    prefix: Xxh3,
    key: i64,
    /// Dialect of the current game; valid from the end of its root on.
    dialect: Dialect,
    /// The filter selects the game for sure. Until then its rows may have to be removed.
    is_sure: bool,
    /// Number and bytes of each table's rows before the current game.
    before: Vec<(usize, usize)>,
    /// Rows of the current game on disk, by table.
    spills: Vec<Option<Spill>>,
    games: u64,
    /// Nodes and moves since the last check of memory.
    steps: u8,
}

impl<'j, 'o> Game<'j, 'o> {
    fn new(job: &'j Tabulation, name: &EntryName, out: &'j mut Out<'o, PartRows>) -> Self {
        let source = name.source().into_owned();
        let member = name.members().collect::<Vec<_>>().join("!");
        let mut prefix = Xxh3::new();
        prefix.update(format!("{source}!{member}@").as_bytes());
        if out.sinks.is_empty() {
            out.sinks = job.sinks();
        }
        Self {
            job,
            out,
            source,
            member: (!member.is_empty()).then_some(member),
            prefix,
            key: 0,
            dialect: Dialect::new(game::Game::Go, None),
            is_sure: false,
            before: Vec::new(),
            spills: Vec::new(),
            games: 0,
            steps: 0,
        }
    }

    /// Reads games for tables that need rows of games only.
    fn read_rows<R: EventReader>(&mut self, rows: &mut Rows<R>) -> anyhow::Result<()> {
        while rows.next_root()? {
            self.games += 1;
            let is_wanted = self.job.filter.as_ref().map_or(Ok(true), |filter| filter.decide(rows))?;
            if is_wanted {
                rows.finish_row()?;
                if rows.is_long() {
                    continue;
                }
                self.set_key(rows.row().byte_offset.unwrap_or(0) as u64);
                if !self.add(rows.builder()) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Reads games for tables that need their nodes.
    fn read_all<R: EventReader>(&mut self, rows: &mut Rows<R>) -> anyhow::Result<()> {
        loop {
            self.is_sure = self.job.filter.is_none();
            self.before.clear();
            self.before.extend(self.out.sinks.iter().map(|sink| (sink.rows().len(), sink.rows().bytes())));
            if !rows.next_root_with(self)? {
                return Ok(());
            }
            self.games += 1;
            let verdict = self.job.filter.as_ref().map_or(Some(true), |filter| filter.verdict_at_root(rows.builder()));
            if verdict == Some(false) {
                self.forget();
                continue;
            }
            if verdict == Some(true) && !self.keep()? {
                return Ok(());
            }
            while !rows.read_rest_with(self)? {
                if !self.make_space()? {
                    return Ok(());
                }
            }
            if rows.is_long() {
                self.forget();
                continue;
            }
            if !self.is_sure {
                if !self.job.filter.as_ref().is_none_or(|filter| filter.verdict(rows.builder())) {
                    self.forget();
                    continue;
                }
                if !self.keep()? {
                    return Ok(());
                }
            }
            if !self.add(rows.builder()) {
                return Ok(());
            }
        }
    }

    /// Ends the input. If an input fails within a game, the rows made so far are kept, unless the filter is undecided.
    fn end_input(&mut self) {
        if self.is_sure {
            self.out.sinks.iter_mut().for_each(|sink| sink.end_input());
        } else {
            self.forget();
        }
    }

    fn set_key(&mut self, offset: u64) {
        let mut hash = self.prefix.clone();
        hash.update(offset.to_string().as_bytes());
        self.key = hash.digest() as i64;
    }

    /// Adds the rows at the end of a game. Returns false if the consumer stopped.
    fn add(&mut self, builder: &RowBuilder) -> bool {
        let game = GameNow { builder, dialect: &self.dialect, key: self.key };
        let mut end = GameEnd::default();
        self.out.has_first_game |= self.games == 1 && !self.out.has_games();
        // The table of games comes last, because it uses facts of the others.
        for sink in self.out.sinks.iter_mut().rev() {
            sink.end_game(&game, &mut end);
        }
        self.out.bytes() <= FULL || self.hand_out()
    }

    /// Sends the rows made so far. Returns false if the consumer stopped.
    fn hand_out(&mut self) -> bool {
        self.out.finish_rows();
        self.hand_out_batches()
    }

    /// Keeps the sinks, because later rows of the game depend on their state.
    fn hand_out_batches(&mut self) -> bool {
        let sinks = std::mem::take(&mut self.out.sinks);
        let is_wanted = self.out.hand_out();
        self.out.sinks = sinks;
        is_wanted
    }

    /// Removes the rows of the current game, because the filter rejected it.
    fn forget(&mut self) {
        for (sink, &(rows, bytes)) in self.out.sinks.iter_mut().zip(&self.before) {
            sink.rows_mut().truncate(rows, bytes);
        }
        self.spills.clear();
    }

    /// Keeps the rows of the current game, because the filter selects it. Sends those on disk after the rows of earlier
    /// games. Returns false if the consumer stopped.
    fn keep(&mut self) -> anyhow::Result<bool> {
        self.is_sure = true;
        for (table, spill) in std::mem::take(&mut self.spills).into_iter().enumerate() {
            let Some(spill) = spill else { continue };
            for batch in spill.batches()? {
                self.out.batches.push((table, batch?));
                if !self.hand_out_batches() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Makes room when a game has very many rows: sends them, or stores them on disk if the filter is undecided. Returns
    /// false if the consumer stopped.
    fn make_space(&mut self) -> anyhow::Result<bool> {
        if self.is_sure {
            let is_wanted = self.hand_out();
            let taken = self.before.iter_mut().zip(&self.out.sinks).filter(|(_, sink)| sink.rows().len() == 0);
            taken.for_each(|(before, _)| *before = (0, 0));
            return Ok(is_wanted);
        }
        self.spills.resize_with(self.before.len(), || None);
        let out = &mut **self.out;
        for (table, (sink, before)) in out.sinks.iter_mut().zip(&mut self.before).enumerate() {
            if sink.rows().len() > before.0 && sink.is_settled() {
                let batch = sink.rows_mut().finish();
                let (rows, _) = std::mem::take(before);
                if rows > 0 {
                    out.batches.push((table, batch.slice(0, rows)));
                }
                let own = batch.slice(rows, batch.num_rows() - rows);
                match &mut self.spills[table] {
                    Some(spill) => spill.push(&own)?,
                    spill @ None => *spill = Some(Spill::of(&own)?),
                }
            }
        }
        Ok(true)
    }

    /// Passes a step of the main line to all tables.
    fn step(&mut self, builder: &RowBuilder, step: &LineStep<'_>) {
        let game = GameNow { builder, dialect: &self.dialect, key: self.key };
        self.out.sinks.iter_mut().for_each(|sink| sink.step(&game, step));
    }

    /// Checks the memory only every 256 steps, because a check costs as much as some rows, and a row takes only some hundred
    /// bytes.
    fn is_full_after_step(&mut self) -> Flow {
        self.steps = self.steps.wrapping_add(1);
        if self.steps == 0 { self.look_at_memory() } else { Flow::Go }
    }

    fn look_at_memory(&self) -> Flow {
        let before: usize = if self.is_sure { 0 } else { self.before.iter().map(|(_, bytes)| bytes).sum() };
        if self.out.bytes() > before + FULL { Flow::Stop } else { Flow::Go }
    }

    #[inline(never)]
    fn other(&mut self, builder: &RowBuilder, step: Step, event: Event<'_>, place: Place) -> Flow {
        if place.depth == 1 && matches!(event, Event::VariationStart { .. }) {
            self.set_key(place.span.start);
            self.out.sinks.iter_mut().for_each(|sink| sink.start_game());
        }
        let state = builder.state();
        if step == Step::RootEnd {
            self.dialect = state.dialect();
        }
        let game = GameNow { builder, dialect: &self.dialect, key: self.key };
        for sink in &mut self.out.sinks {
            sink.event(&game, step, &event, &place);
        }
        if state.on_main_line() {
            follow(state, step, &event, |step| self.step(builder, &step));
        }
        self.look_at_memory()
    }
}

impl Listener for Game<'_, '_> {
    #[inline(always)]
    fn event(&mut self, builder: &RowBuilder, step: Step, event: &Event<'_>, place: &Place) -> Flow {
        let is_main = builder.state().on_main_line();
        match step {
            Step::Move { color, point } if is_main => {
                let value = Cow::Borrowed(&point[..]);
                let ply = builder.state().ply();
                self.step(builder, &LineStep::Move(MainLineMove { ply, color, value }));
            }
            Step::Node if is_main => self.step(builder, &LineStep::NodeEnd),
            Step::Move { .. } | Step::Node => {}
            _ => return self.other(builder, step, *event, *place),
        }
        self.is_full_after_step()
    }
}
