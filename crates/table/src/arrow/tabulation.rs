//! Games to rows of tables, on all cores.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use xxhash_rust::xxh3::Xxh3;

use sgfstream::{Event, EventReader, Flow, Place};
use sgfstream_archive::EntryName;
use sgfstream_engine::{Before, Job, Out, Part, PartEnd};
use sgfstream_game::Step;

use crate::filter::{Filter, Selection};
use crate::row::{Cell, Column, Listener, RowBuilder, Rows};

use super::boards::BoardRows;
use super::comments::CommentRows;
use super::lines::LineRows;
use super::moves::MoveRows;
use super::position_options::PositionOptions;
use super::positions::PositionRows;
use super::spill::Spill;
use super::table::{PerTable, Table, TableKind};
use super::table_rows::TableRows;

/// Rows are handed out when they take this many bytes.
const FULL: usize = 1 << 20;

/// Which tables are wanted, and which rows and columns of them: a [`Job`] for
/// an [`Engine`](sgfstream_engine::Engine).
#[derive(Clone, Debug)]
pub struct Tabulation {
    selection: Selection,
    /// For each column of a row, its place in the table of games.
    places: Vec<Option<usize>>,
    /// The place of the column that the table of moves finds out.
    illegal_moves: Option<usize>,
    filter: Option<Filter>,
    tables: PerTable<Option<Table>>,
    legality: bool,
    positions: PositionOptions,
}

/// The tables whose rows come while a game is read. They wait until it is known whether the game is wanted.
const INNER: [TableKind; 4] = [TableKind::Moves, TableKind::Comments, TableKind::Positions, TableKind::Boards];

/// What the rows of lines and positions say of a game beside its moves.
const ABOUT: [&str; 5] = ["winner", "margin", "km", "ha", "ru"];

impl Tabulation {
    /// The tables of these kinds, of the games that `filter` chooses. The
    /// selection has the columns of games; it must have been made with the
    /// same filter.
    #[must_use]
    pub fn new(selection: Selection, filter: Option<Filter>, kinds: &[TableKind]) -> Self {
        let positions = PositionOptions::new(19);
        let tables = PerTable::new(|kind| {
            kinds.contains(&kind).then(|| match kind {
                TableKind::Games => Table::games(&selection),
                TableKind::Moves => Table::moves(),
                TableKind::Comments => Table::comments(),
                TableKind::Lines => Table::lines(),
                TableKind::Positions => Table::positions(&positions),
                TableKind::Boards => Table::boards(),
            })
        });
        let wants_facts =
            [TableKind::Lines, TableKind::Positions, TableKind::Boards].into_iter().any(|kind| kinds.contains(&kind));
        let selection = if wants_facts { selection.with_facts(&ABOUT) } else { selection };
        // The table of moves plays them.
        let illegal_moves = Column::find("illegal_moves").expect("a column");
        let selection = match kinds.contains(&TableKind::Moves) {
            true => selection.without_finding(illegal_moves, filter.as_ref()),
            false => selection,
        };
        let mut places = vec![None; Column::all().len()];
        for (selected, place) in selection.columns().iter().zip(1..) {
            if let Some(column) = selected.column {
                places[column.index()] = Some(place);
            }
        }
        let illegal_moves = places[illegal_moves.index()].filter(|_| kinds.contains(&TableKind::Moves));
        Self { selection, places, illegal_moves, filter, tables, legality: false, positions }
    }

    /// Has the table of lines tell whether every move is legal.
    #[must_use]
    pub fn with_legality(self, legality: bool) -> Self {
        Self { legality, ..self }
    }

    /// The positions that the table of positions has.
    #[must_use]
    pub fn with_positions(mut self, options: PositionOptions) -> Self {
        if let Some(table) = &mut self.tables[TableKind::Positions] {
            *table = Table::positions(&options);
        }
        Self { positions: options, ..self }
    }

    /// The tables that are wanted.
    #[must_use]
    pub fn tables(&self) -> &PerTable<Option<Table>> {
        &self.tables
    }

    /// As [`Selection::needs_whole_entries`].
    #[must_use]
    pub fn needs_whole_entries(&self) -> bool {
        self.selection.needs_whole_entries()
    }

    fn new_rows(&self) -> PerTable<Option<TableRows>> {
        PerTable::new(|kind| self.tables[kind].as_ref().map(TableRows::new))
    }

    /// Moves, comments and positions.
    fn new_inner_rows(&self) -> PerTable<Option<TableRows>> {
        PerTable::new(|kind| self.tables[kind].as_ref().filter(|_| INNER.contains(&kind)).map(TableRows::new))
    }
}

/// Rows of some games.
#[derive(Debug)]
pub struct Tabulated {
    /// The first row is that of the first game of its part.
    has_first_game: bool,
    /// Rows of a game that had to wait on disk. They come before the others.
    waited: Option<(TableKind, RecordBatch)>,
    rows: PerTable<Option<TableRows>>,
    cut_texts: u64,
    /// What came before its part.
    before: Before,
}

impl Tabulated {
    /// How many texts in the rows, and of those that a filter asked about, are only the beginning of what a game says.
    #[must_use]
    pub fn cut_texts(&self) -> u64 {
        self.cut_texts
    }

    fn bytes(&self) -> usize {
        self.rows.iter().filter_map(|(_, rows)| rows.as_ref()).map(TableRows::bytes).sum()
    }

    /// The rows, in batches.
    pub fn into_batches(self) -> impl Iterator<Item = (TableKind, RecordBatch)> {
        let first = usize::from(self.has_first_game);
        let rows = self.rows.into_iter().filter_map(|(kind, rows)| Some((kind, rows.filter(|rows| !rows.is_empty())?)));
        let batches = rows.map(move |(kind, rows)| match rows.finish() {
            games if kind == TableKind::Games => (kind, count_from(games, &self.before, first)),
            batch => (kind, batch),
        });
        self.waited.into_iter().chain(batches.collect::<Vec<_>>())
    }
}

/// Adds to the numbers of games what is known only when the parts before
/// theirs were read.
fn count_from(games: RecordBatch, before: &Before, first: usize) -> RecordBatch {
    let rows = games.num_rows();
    let more = [("game", rows, before.games), ("errors", first, before.errors), ("warnings", first, before.warnings)];
    more.into_iter().filter(|(.., more)| *more > 0).fold(games, |games, (name, rows, more)| {
        let Ok(column) = games.schema().index_of(name) else { return games };
        let Some(old) = games.column(column).as_primitive_opt::<Int64Type>() else { return games };
        let added =
            |(at, value): (usize, Option<i64>)| value.map(|value| value + if at < rows { more as i64 } else { 0 });
        let new: Int64Array = old.iter().enumerate().map(added).collect();
        let mut columns = games.columns().to_vec();
        columns[column] = Arc::new(new) as ArrayRef;
        RecordBatch::try_new(games.schema(), columns).expect("one column for another of its type and length")
    })
}

impl Job for Tabulation {
    type Worker = Option<RowBuilder>;
    type Output = Tabulated;

    fn worker(&self) -> Self::Worker {
        None
    }

    fn output(&self) -> Tabulated {
        Tabulated {
            has_first_game: false,
            waited: None,
            rows: self.new_rows(),
            cut_texts: 0,
            before: Before::default(),
        }
    }

    fn shift(&self, rows: &mut Tabulated, before: &Before) {
        rows.before = *before;
    }

    fn read(&self, worker: &mut Self::Worker, part: Part<'_>, out: &mut Out<'_, Tabulated>) -> anyhow::Result<PartEnd> {
        let mut game = Game::new(self, part.name(), out);
        let has_inner = self.tables.iter().any(|(kind, table)| kind != TableKind::Games && table.is_some());
        let mut builder = worker.take().unwrap_or_else(|| self.selection.builder());
        if has_inner {
            builder = builder.holding_roots();
        }
        let builder = builder.for_input(Some(game.source.clone()), game.member.clone());
        let mut rows = Rows::with_builder(part.reader(), builder);
        let read = if has_inner { game.read_all(&mut rows) } else { game.read_rows(&mut rows) };
        game.end_input();
        read?;
        let (mut reader, builder) = rows.into_parts();
        *worker = Some(builder);
        Ok(reader.finish()?)
    }
}

/// The games of a part, one after another.
struct Game<'g, 'o> {
    job: &'g Tabulation,
    out: &'g mut Out<'o, Tabulated>,
    source: String,
    member: Option<String>,
    prefix: Xxh3,
    key: i64,
    moves: Option<MoveRows>,
    comments: CommentRows,
    lines: LineRows,
    positions: PositionRows,
    boards: BoardRows,
    /// It is certain that the game is wanted: its moves and comments go out as they come.
    is_sure: bool,
    /// Those of a game that may not be wanted.
    own: PerTable<Option<TableRows>>,
    /// Those of them that were too many.
    spills: PerTable<Option<Spill>>,
    games: u64,
    /// Of what comes after the root, nothing but the moves of lines is wanted.
    has_only_lines: bool,
    /// Likewise, nothing but the rows of moves.
    has_only_moves: bool,
}

impl<'g, 'o> Game<'g, 'o> {
    fn new(job: &'g Tabulation, name: &EntryName, out: &'g mut Out<'o, Tabulated>) -> Self {
        let source = name.source().into_owned();
        let member = name.members().collect::<Vec<_>>().join("!");
        let mut prefix = Xxh3::new();
        prefix.update(format!("{source}!{member}@").as_bytes());
        let has_only =
            |own: Option<TableKind>| INNER.into_iter().all(|kind| job.tables[kind].is_some() == (own == Some(kind)));
        Self {
            job,
            out,
            source,
            member: (!member.is_empty()).then_some(member),
            prefix,
            key: 0,
            moves: job.tables[TableKind::Moves].is_some().then(MoveRows::default),
            comments: CommentRows::default(),
            lines: LineRows::new(job.legality),
            positions: PositionRows::new(job.positions),
            boards: BoardRows::default(),
            is_sure: false,
            own: PerTable::default(),
            spills: PerTable::default(),
            games: 0,
            has_only_lines: has_only(None),
            has_only_moves: has_only(Some(TableKind::Moves)) && job.tables[TableKind::Lines].is_none(),
        }
    }

    /// Reads games of which only the rows are wanted.
    fn read_rows<R: EventReader>(&mut self, rows: &mut Rows<R>) -> anyhow::Result<()> {
        while rows.next_root()? {
            self.games += 1;
            let is_wanted = self.job.filter.as_ref().map_or(Ok(true), |filter| filter.decide(rows))?;
            if is_wanted {
                rows.finish_row()?;
                self.set_key(rows.row().byte_offset.unwrap_or(0) as u64);
                if !self.add(rows.builder()) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Reads games of which more than the row is wanted.
    fn read_all<R: EventReader>(&mut self, rows: &mut Rows<R>) -> anyhow::Result<()> {
        loop {
            self.is_sure = self.job.filter.is_none();
            self.own = if self.is_sure { PerTable::default() } else { self.job.new_inner_rows() };
            if !rows.next_root_with(self)? {
                return Ok(());
            }
            self.games += 1;
            let verdict = self.job.filter.as_ref().map_or(Some(true), |filter| filter.verdict_at_root(rows.builder()));
            if verdict == Some(false) {
                self.spills = PerTable::default();
                continue;
            }
            if verdict == Some(true) && !self.keep_own()? {
                return Ok(());
            }
            while !rows.read_rest_with(self)? {
                if !self.make_space()? {
                    return Ok(());
                }
            }
            if !self.is_sure {
                let is_wanted = self.job.filter.as_ref().is_none_or(|filter| filter.verdict(rows.builder()));
                if !is_wanted {
                    self.spills = PerTable::default();
                    continue;
                }
                if !self.keep_own()? {
                    return Ok(());
                }
            }
            if !self.add(rows.builder()) {
                return Ok(());
            }
        }
    }

    /// What was read of a game before a fault of its input goes out, as what was read of it before does.
    fn end_input(&mut self) {
        let rows = self.out.rows[TableKind::Moves].as_mut().filter(|_| self.is_sure);
        if let (Some(moves), Some(rows)) = (&mut self.moves, rows) {
            moves.end_game(self.key, rows);
        }
    }

    fn set_key(&mut self, offset: u64) {
        let mut hash = self.prefix.clone();
        hash.update(offset.to_string().as_bytes());
        self.key = hash.digest() as i64;
    }

    /// Adds the row of a game. False if nothing more is wanted.
    fn add(&mut self, builder: &RowBuilder) -> bool {
        let Self { job, out, key, games, .. } = self;
        let is_first = *games == 1;
        out.cut_texts += builder.cut_texts() + self.comments.cut;
        if let Some(rows) = &mut out.rows[TableKind::Games] {
            let is_first_row = rows.is_empty();
            rows.push_with(|row| {
                row.set(0, Cell::Int(*key));
                builder.row().for_each(|column, cell| {
                    if let Some(place) = job.places[column] {
                        row.set(place, cell);
                    }
                });
                if let Some(place) = job.illegal_moves
                    && builder.row().illegal_moves.is_none()
                    && let Some(illegal) = self.moves.as_ref().and_then(MoveRows::illegal)
                {
                    row.set(place, Cell::Int(illegal as i64));
                }
                for (selected, place) in job.selection.columns().iter().zip(1..) {
                    if selected.column.is_none() {
                        selected.cell(builder, |cell| row.set(place, cell));
                    }
                }
            });
            out.has_first_game |= is_first && is_first_row;
        }
        if let Some(rows) = &mut out.rows[TableKind::Lines] {
            self.lines.push(builder, *key, rows);
        }
        self.out.bytes() <= FULL || self.hand_out()
    }

    /// Rows go out. False if nothing more is wanted.
    fn hand_out(&mut self) -> bool {
        let Self { job, out, .. } = self;
        let lens = PerTable::new(|kind| out.rows[kind].as_ref().map_or(0, TableRows::len));
        let is_wanted = out.hand_out();
        // The next ones will be about as many: columns that grow are copied.
        for (kind, rows) in out.rows.iter_mut() {
            *rows = job.tables[kind].as_ref().map(|table| TableRows::with_capacity(table, lens[kind] + lens[kind] / 8));
        }
        is_wanted
    }

    /// The moves and comments of the game go out after those of the games
    /// before it: it is wanted. False if nothing more is.
    fn keep_own(&mut self) -> anyhow::Result<bool> {
        self.is_sure = true;
        for (kind, spill) in std::mem::take(&mut self.spills) {
            let Some(spill) = spill else { continue };
            if !self.hand_out() {
                return Ok(false);
            }
            for batch in spill.batches()? {
                self.out.waited = Some((kind, batch?));
                if !self.hand_out() {
                    return Ok(false);
                }
            }
        }
        for (kind, own) in std::mem::take(&mut self.own) {
            if let (Some(rows), Some(own)) = (&mut self.out.rows[kind], own) {
                rows.append(own);
            }
        }
        Ok(true)
    }

    /// Where a game has very many moves or comments, they leave before it ends:
    /// they go out, or to the disk. False if nothing more is wanted.
    fn make_space(&mut self) -> anyhow::Result<bool> {
        if self.is_sure {
            return Ok(self.hand_out());
        }
        let own = std::mem::replace(&mut self.own, self.job.new_inner_rows());
        for (kind, rows) in own {
            if let Some(batch) = rows.filter(|rows| !rows.is_empty()).map(TableRows::finish) {
                match &mut self.spills[kind] {
                    Some(spill) => spill.push(&batch)?,
                    spill @ None => *spill = Some(Spill::of(&batch)?),
                }
            }
        }
        Ok(true)
    }
}

impl Listener for Game<'_, '_> {
    fn event(&mut self, builder: &RowBuilder, step: Step, event: &Event<'_>, place: &Place) -> Flow {
        if place.depth == 1 && matches!(event, Event::VariationStart { .. }) {
            self.set_key(place.span.start);
            if let Some(moves) = &mut self.moves {
                moves.start_game();
            }
            self.comments.start_game();
            self.lines.start_game();
            self.positions.start_game();
            self.boards.start_game();
        }
        let state = builder.state();
        let target = if self.is_sure { &mut self.out.rows } else { &mut self.own };
        if state.on_main_line() {
            if let (Some(moves), Some(rows)) = (&mut self.moves, &mut target[TableKind::Moves]) {
                moves.event(state, step, event, self.key, rows);
            }
            if let Some(rows) = &mut target[TableKind::Positions] {
                self.positions.event(state, builder, step, event, self.key, rows);
            }
            if let Some(rows) = &mut target[TableKind::Boards] {
                self.boards.event(state, builder, step, event, self.key, rows);
            }
            if self.job.tables[TableKind::Lines].is_some() {
                self.lines.event(state, step, event);
            }
        }
        if let Some(rows) = &mut target[TableKind::Comments] {
            self.comments.event(state, step, event, place, self.key, rows);
        }
        let bytes: usize = INNER.into_iter().filter_map(|kind| target[kind].as_ref()).map(TableRows::bytes).sum();
        if bytes > FULL { Flow::Stop } else { Flow::Go }
    }

    //  Half the time of a table of lines would be the calls for nodes and moves, and an eighth of that of a table of moves.
    #[inline(always)]
    fn plain(&mut self, builder: &RowBuilder, step: Step) -> bool {
        if self.has_only_lines {
            return match step {
                Step::Move { color, point } if builder.state().on_main_line() => self.lines.plain_move(color, point),
                _ => true,
            };
        }
        let Some(moves) = self.moves.as_mut().filter(|_| self.has_only_moves) else { return false };
        match step {
            _ if !builder.state().on_main_line() => true,
            Step::Move { color, point } => moves.plain_move(builder.state(), color, point),
            _ => moves.plain_node(),
        }
    }
}
