//! What a worker makes of games: rows, a batch for each table.

use arrow_array::RecordBatch;
use xxhash_rust::xxh3::Xxh3;

use crate::adapt::filter::Filter;
use crate::adapt::row::{Column, ColumnSet, RowBuilder};
use crate::base::Severity;
use crate::cli::schedule::{At, Flush, Job};
use crate::event::{Event, Flow, Place, Sink};
use crate::read::EventReader;
use crate::read::parallel::PartReader;

use super::comments::CommentRows;
use super::moves::MoveRows;
use super::table::{Kind, Rows, Table};

/// Rows are handed out when they take this many bytes.
const FULL: usize = 4 << 20;

/// The tables that are wanted, and what of them.
pub(super) struct Indexing {
    pub(super) columns: Vec<&'static Column>,
    pub(super) filter: Option<Filter>,
    /// Games, moves, comments; the last two where they are wanted.
    pub(super) tables: [Option<Table>; 3],
}

/// How the first entry of a unit follows what came before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum First {
    #[default]
    Nothing,
    /// It is a new entry.
    Entry,
    /// It is the next part of the entry before.
    Part,
    /// It is the part before, which was handed out half done.
    Rest,
}

/// What a unit comes to. Numbers of games count from the start of their part,
/// until they are put in order.
#[derive(Debug, Default)]
pub(super) struct Acc {
    pub(super) first: First,
    /// Rows of games before the second entry.
    pub(super) first_rows: usize,
    /// The first game of the first entry has a row.
    pub(super) has_first_game: bool,
    /// Entries, or parts of them, that begin here.
    pub(super) entries: u64,
    /// Games of the last of them, once it is at its end.
    pub(super) games: Option<u64>,
    /// Errors and warnings behind its last game: they belong to the next.
    pub(super) trailing: (i64, i64),
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

    /// The filter asks for what a part of a file does not know by itself.
    pub(super) fn needs_whole_entries(&self) -> bool {
        let asks_for = |name: &str| {
            let column = Column::find(name).expect("a column");
            self.filter.as_ref().is_some_and(|filter| filter.columns().contains(column))
        };
        ["game", "errors", "warnings"].into_iter().any(asks_for)
    }

    fn wants(&self, kind: Kind) -> bool {
        self.tables[kind as usize].is_some()
    }
}

impl Job for Indexing {
    type Acc = Acc;

    fn picks_games(&self) -> bool {
        true
    }

    fn begin(&self) -> Acc {
        Acc { rows: self.new_rows(), ..Acc::default() }
    }

    fn read(
        &self,
        acc: &mut Acc,
        at: &At<'_>,
        part: &mut PartReader<'_>,
        flush: &mut Flush<'_, Acc>,
    ) -> anyhow::Result<()> {
        if acc.first == First::Nothing {
            acc.first = if at.is_start { First::Entry } else { First::Part };
        }
        acc.entries += 1;
        acc.games = None;
        acc.trailing = (0, 0);
        let result = Reading::new(self, at).read(acc, at, part, flush);
        acc.games = Some(part.games());
        result
    }
}

/// One part on its way.
struct Reading<'i> {
    job: &'i Indexing,
    builder: RowBuilder,
    moves: MoveRows,
    comments: CommentRows,
    prefix: Xxh3,
    key: i64,
    /// Rows of moves and comments of the game that is being read, while it is
    /// not known whether it is wanted.
    own: [Option<Rows>; 3],
    games: u64,
}

impl<'i> Reading<'i> {
    fn new(job: &'i Indexing, at: &At<'_>) -> Self {
        let columns = ColumnSet::of(job.columns.iter().copied());
        let mut builder = match &job.filter {
            Some(filter) => filter.builder(columns),
            None => RowBuilder::new(columns),
        };
        let source = at.name.path().to_string_lossy();
        let member = at.name.members().collect::<Vec<_>>().join("!");
        let mut prefix = Xxh3::new();
        prefix.update(format!("{source}!{member}@").as_bytes());
        let row = builder.row_mut();
        row.source = Some(source.into_owned());
        row.member = (!member.is_empty()).then_some(member);
        Self {
            job,
            builder,
            moves: MoveRows::new(),
            comments: CommentRows::default(),
            prefix,
            key: 0,
            own: [None, None, None],
            games: 0,
        }
    }

    fn read(
        mut self,
        acc: &mut Acc,
        at: &At<'_>,
        part: &mut PartReader<'_>,
        flush: &mut Flush<'_, Acc>,
    ) -> anyhow::Result<()> {
        let needs_events = self.job.wants(Kind::Moves) || self.job.wants(Kind::Comments);
        while part.advance()? {
            let event = part.event();
            if !needs_events && self.builder.take_plain(&event) {
                continue;
            }
            let place = part.place();
            match event {
                Event::VariationStart { .. } if place.depth == 1 => self.start_game(acc, &place),
                Event::Problem(problem) => match problem.severity() {
                    Severity::Error => acc.trailing.0 += 1,
                    Severity::Warning => acc.trailing.1 += 1,
                    Severity::Note => {}
                },
                _ => {}
            }
            let flow = self.builder.event(&event, &place);
            let is_end = matches!(event, Event::VariationEnd { .. }) && place.depth == 1;
            if needs_events {
                self.more_rows(&event, &place);
            } else if flow == Flow::SkipGame {
                part.skip_game();
            }
            if is_end {
                self.end_game(acc, at);
                if acc.bytes() > FULL && !self.flush(acc, flush) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn start_game(&mut self, acc: &mut Acc, place: &Place) {
        self.games += 1;
        acc.trailing = (0, 0);
        self.key = Indexing::key(&self.prefix, place.span.start);
        if self.job.filter.is_some() {
            self.own = self.job.new_rows();
            self.own[Kind::Games as usize] = None;
        } else {
            self.own = [None, std::mem::take(&mut acc.rows[1]), std::mem::take(&mut acc.rows[2])];
        }
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

    fn end_game(&mut self, acc: &mut Acc, at: &At<'_>) {
        acc.trailing = (0, 0);
        let is_wanted = at.game.is_none_or(|wanted| self.builder.row().game == i64::try_from(wanted).ok())
            && self.job.filter.as_ref().is_none_or(|filter| filter.verdict(&self.builder));
        let [_, moves, comments] = std::mem::take(&mut self.own);
        if self.job.filter.is_none() {
            // Rows went straight to their table.
            (acc.rows[1], acc.rows[2]) = (moves, comments);
        } else if is_wanted {
            for (table, own) in [(1, moves), (2, comments)] {
                if let (Some(rows), Some(own)) = (&mut acc.rows[table], own) {
                    rows.append(own);
                }
            }
        }
        if !is_wanted {
            return;
        }
        let row = self.builder.row();
        let cells = self.job.columns.iter().map(|column| column.get(row));
        if let Some(rows) = &mut acc.rows[0] {
            rows.push(std::iter::once(crate::adapt::row::Cell::Int(self.key)).chain(cells));
        }
        if acc.entries == 1 {
            acc.first_rows += 1;
            acc.has_first_game |= self.games == 1;
        }
    }

    /// Hands out what there is.
    fn flush(&self, acc: &mut Acc, flush: &mut Flush<'_, Acc>) -> bool {
        let rest = Acc { rows: self.job.new_rows(), first: First::Rest, entries: 1, ..Acc::default() };
        flush(std::mem::replace(acc, rest))
    }
}
