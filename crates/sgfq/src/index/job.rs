//! What a worker makes of games: rows, a batch for each table.

use arrow_array::RecordBatch;
use xxhash_rust::xxh3::Xxh3;

use sgfstream::event::{Event, Flow, Place, Sink};
use sgfstream::read::EventReader;
use sgfstream::state::Step;
use sgfstream_archive::EntryName;
use sgfstream_engine::{Job, Out, Part, PartEnd};
use sgfstream_table::filter::Filter;
use sgfstream_table::row::{Cell, Column, ColumnSet, RowBuilder};

use super::comments::CommentRows;
use super::moves::MoveRows;
use super::spill::Spill;
use super::table::{Kind, Rows, Table};

/// Rows are handed out when they take this many bytes.
const FULL: usize = 1 << 20;

/// The tables that are wanted, and what of them.
pub(super) struct Indexing {
    pub(super) columns: Vec<&'static Column>,
    /// The place in the table of games of each column that there is, where it is
    /// wanted.
    pub(super) places: Vec<Option<u8>>,
    pub(super) filter: Option<Filter>,
    /// Games, moves, comments; the last two where they are wanted.
    pub(super) tables: [Option<Table>; 3],
}

/// What a unit comes to. Numbers of games count from the start of their part,
/// until they are put in order.
#[derive(Debug, Default)]
pub(super) struct Acc {
    /// The first row is that of the first game of its part.
    pub(super) has_first_game: bool,
    /// Rows of a game that had to wait, each batch with its table: they stand
    /// before the others.
    pub(super) waited: Option<(usize, RecordBatch)>,
    pub(super) rows: [Option<Rows>; 3],
}

impl Acc {
    pub(super) fn bytes(&self) -> usize {
        self.rows.iter().flatten().map(Rows::bytes).sum()
    }

    /// The rows as columns.
    pub(super) fn batches(&mut self) -> [Option<RecordBatch>; 3] {
        std::mem::take(&mut self.rows).map(|rows| rows.filter(|rows| rows.len() > 0).map(Rows::finish))
    }
}

impl Indexing {
    /// What a game is known by in all tables.
    fn key(prefix: &Xxh3, offset: u64) -> i64 {
        let mut hash = prefix.clone();
        hash.update(offset.to_string().as_bytes());
        hash.digest() as i64
    }

    fn new_rows(&self) -> [Option<Rows>; 3] {
        [0, 1, 2].map(|at| self.tables[at].as_ref().map(Rows::new))
    }

    fn wants(&self, kind: Kind) -> bool {
        self.tables[kind as usize].is_some()
    }
}

impl Job for Indexing {
    type Worker = ();
    type Output = Acc;

    fn worker(&self) {}

    fn output(&self) -> Acc {
        Acc { rows: self.new_rows(), ..Acc::default() }
    }

    fn read(&self, _: &mut (), part: Part<'_>, acc: &mut Out<'_, Acc>) -> anyhow::Result<PartEnd> {
        let mut reading = Reading::new(self, part.name(), acc);
        let mut reader = part.reader();
        let result = reader.drive(&mut reading);
        reading.failed.map_or(Ok(()), Err)?;
        result?;
        Ok(reader.finish()?)
    }
}

/// One part on its way.
struct Reading<'r, 'o> {
    job: &'r Indexing,
    acc: &'r mut Out<'o, Acc>,
    /// Tables of moves or comments are wanted: no event is passed over.
    needs_events: bool,
    builder: RowBuilder,
    moves: MoveRows,
    comments: CommentRows,
    prefix: Xxh3,
    key: i64,
    /// The game that is being read is wanted for sure.
    is_sure: bool,
    /// Its rows of moves and comments: the tables of the unit where it is wanted
    /// for sure, else its own.
    own: [Option<Rows>; 3],
    /// Those of its own rows that were too many.
    spills: [Option<Spill>; 3],
    games: u64,
    /// Why reading was stopped.
    failed: Option<anyhow::Error>,
}

impl<'r, 'o> Reading<'r, 'o> {
    fn new(job: &'r Indexing, name: &EntryName, acc: &'r mut Out<'o, Acc>) -> Self {
        let columns = ColumnSet::of(job.columns.iter().copied());
        let mut builder = match &job.filter {
            Some(filter) => filter.builder(columns),
            None => RowBuilder::new(columns),
        };
        let source = name.source();
        let member = name.members().collect::<Vec<_>>().join("!");
        let mut prefix = Xxh3::new();
        prefix.update(format!("{source}!{member}@").as_bytes());
        builder = builder.for_input(Some(source.into_owned()), (!member.is_empty()).then_some(member));
        Self {
            job,
            acc,
            needs_events: job.wants(Kind::Moves) || job.wants(Kind::Comments),
            builder,
            moves: MoveRows::new(),
            comments: CommentRows::default(),
            prefix,
            key: 0,
            is_sure: false,
            own: [None, None, None],
            spills: [None, None, None],
            games: 0,
            failed: None,
        }
    }

    /// An event that is not of the most common ones, or all of them where other
    /// tables are wanted.
    #[inline(never)]
    fn event_of_any_kind(&mut self, _step: Step, event: &Event<'_>, place: &Place) -> Flow {
        if matches!(event, Event::VariationStart { .. }) && place.depth == 1 {
            self.start_game(place);
        }
        let flow = match self.builder.is_settled() && !self.builder.state().in_root() {
            true if place.depth > 0 => Flow::SkipGame,
            _ => Flow::Go,
        };
        if self.needs_events {
            self.more_rows(event, place);
        }
        let is_end = matches!(event, Event::VariationEnd { .. }) && place.depth == 1;
        let goes_on = if is_end { self.end_game() } else { self.make_room() };
        match goes_on {
            Ok(true) if self.needs_events => Flow::Go,
            Ok(true) => flow,
            Ok(false) => Flow::Stop,
            Err(err) => {
                self.failed = Some(err);
                Flow::Stop
            }
        }
    }

    fn start_game(&mut self, place: &Place) {
        self.games += 1;
        self.key = Indexing::key(&self.prefix, place.span.start);
        self.is_sure = self.job.filter.is_none();
        self.own = if self.is_sure { self.take_tables() } else { self.job.new_rows() };
        self.own[Kind::Games as usize] = None;
    }

    /// The tables of the unit that get rows within a game.
    fn take_tables(&mut self) -> [Option<Rows>; 3] {
        let [_, moves, comments] = &mut self.acc.rows;
        [None, moves.take(), comments.take()]
    }

    fn give_back_tables(&mut self) {
        let [_, moves, comments] = std::mem::take(&mut self.own);
        (self.acc.rows[1], self.acc.rows[2]) = (moves, comments);
    }

    /// Where a game has very many moves or comments, they go before it ends:
    /// out, or to the disk. False if nobody wants more.
    fn make_room(&mut self) -> anyhow::Result<bool> {
        if self.own.iter().flatten().map(Rows::bytes).sum::<usize>() <= FULL {
            return Ok(true);
        }
        if self.is_sure {
            self.give_back_tables();
            let goes_on = self.acc.hand_out();
            self.own = self.take_tables();
            return Ok(goes_on);
        }
        let own = std::mem::replace(&mut self.own, self.job.new_rows());
        self.own[Kind::Games as usize] = None;
        for (spill, rows) in self.spills.iter_mut().zip(own) {
            if let Some(batch) = rows.filter(|rows| rows.len() > 0).map(Rows::finish) {
                match spill {
                    Some(spill) => spill.push(&batch)?,
                    None => *spill = Some(Spill::of(&batch)?),
                }
            }
        }
        Ok(true)
    }

    fn more_rows(&mut self, event: &Event<'_>, place: &Place) {
        let [_, moves, comments] = &mut self.own;
        if let Some(rows) = comments {
            // A node's ply counts the moves before it and its own, which
            // stand before its comment nearly always.
            let ply = self.moves.is_main().then_some(self.moves.ply);
            self.comments.event(event, place, self.key, ply, rows);
        }
        self.moves.event(event, place, self.key, moves.as_mut());
    }

    /// The game is over. False if nobody wants more.
    fn end_game(&mut self) -> anyhow::Result<bool> {
        let is_wanted = self.job.filter.as_ref().is_none_or(|filter| filter.verdict(&self.builder));
        let spills = std::mem::take(&mut self.spills);
        if self.is_sure {
            self.give_back_tables();
        } else if is_wanted && !self.keep_own(spills)? {
            return Ok(false);
        }
        self.own = [None, None, None];
        if !is_wanted {
            return Ok(true);
        }
        let is_first = self.games == 1;
        let acc = &mut **self.acc;
        if let Some(rows) = &mut acc.rows[0] {
            acc.has_first_game |= is_first && rows.len() == 0;
            rows.push_with(|row| {
                row.set(0, Cell::Int(self.key));
                self.builder.row().for_each(|column, cell| {
                    if let Some(place) = self.job.places[column] {
                        row.set(usize::from(place), cell);
                    }
                });
            });
        }
        Ok(self.acc.bytes() <= FULL || self.acc.hand_out())
    }

    /// The game's own rows go behind those of the games before it.
    fn keep_own(&mut self, spills: [Option<Spill>; 3]) -> anyhow::Result<bool> {
        for (table, spill) in spills.into_iter().enumerate() {
            let Some(spill) = spill else { continue };
            if !self.acc.hand_out() {
                return Ok(false);
            }
            for batch in spill.batches()? {
                self.acc.waited = Some((table, batch?));
                if !self.acc.hand_out() {
                    return Ok(false);
                }
            }
        }
        for (rows, own) in self.acc.rows.iter_mut().zip(std::mem::take(&mut self.own)) {
            if let (Some(rows), Some(own)) = (rows, own) {
                rows.append(own);
            }
        }
        Ok(true)
    }
}

impl Sink for Reading<'_, '_> {
    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        let step = self.builder.take(event, place);
        if !self.needs_events && self.builder.is_plain() && matches!(step, Step::Node | Step::Move { .. }) {
            return Flow::Go;
        }
        self.event_of_any_kind(step, event, place)
    }
}
