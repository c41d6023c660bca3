//! Makes rows of tables from games, on all cores.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Int64Array, RecordBatch};
use arrow_schema::SchemaRef;

use sgfstream::Property;
use sgfstream::record::TokenKind;
use sgfstream_engine::{Job, Out, Part, PartEnd, PartOffset, WorkerState};

use crate::filter::{Filter, Selection};
use crate::row::line::{LineStep, MainLineMove};
use crate::row::{FilledRow, RowReader};

use super::columns::AnyRows;
use super::comments::CommentRows;
use super::games::GameRows;
use super::lines::LineRows;
use super::moves::MoveRows;
use super::positions::PositionRows;
use super::sink::{GameNow, TableSink};
use super::table::TableKind;

/// Number of bytes after which rows are sent.
pub(super) const FULL: usize = 1 << 20;

/// Selection of tables with their rows and columns. It is a [`Job`] for an
/// [`Engine`](sgfstream_engine::Engine).
#[derive(Clone, Debug)]
pub struct Tabulation {
    selection: Selection,
    filter: Option<Filter>,
    tables: Vec<(TableKind, SchemaRef)>,
    late: Late,
}

/// Columns of games that depend on earlier parts of the input.
const LATE: [&str; 4] = ["game", "reference", "errors", "warnings"];

/// Index of each [`LATE`] column in the table of games, if selected.
type Late = [Option<usize>; LATE.len()];

/// Facts about a game in the rows of lines and positions.
const ABOUT: [&str; 8] = [
    "winner", "margin", "komi", "handicap", "rules", "br_level", "wr_level", "to_play",
];

impl Tabulation {
    /// Returns a tabulation of these kinds of tables, with the games that `filter` selects.
    /// `selection` has the columns of games; it must have been made with the same filter.
    #[must_use]
    pub fn new(selection: Selection, filter: Option<Filter>, kinds: &[TableKind]) -> Self {
        let selection = selection.with_facts(&["key"]).without_key();
        let tables = kinds
            .iter()
            .map(|kind| (*kind, kind.schema(&selection)))
            .collect();
        let wants_facts = kinds
            .iter()
            .any(|kind| matches!(kind, TableKind::Lines { .. } | TableKind::Positions(_)));
        let selection = if wants_facts {
            selection.with_facts(&ABOUT)
        } else {
            selection
        };
        // The table of moves replays them anyway, so the row need not.
        let selection = match kinds.contains(&TableKind::Moves) {
            true => selection.without_boards(filter.as_ref()),
            false => selection,
        };
        let place = |name: &str| {
            let columns = selection.columns();
            columns
                .iter()
                .position(|selected| selected.column.is_some_and(|column| column.name == name))
        };
        // The key is the first column.
        let late = LATE.map(|name| place(name).map(|place| place + 1));
        Self {
            selection,
            filter,
            tables,
            late,
        }
    }

    /// Returns the tables with their schemas, in the order of `kinds`.
    #[must_use]
    pub fn tables(&self) -> &[(TableKind, SchemaRef)] {
        &self.tables
    }

    fn parts(&self) -> Tables {
        let mut tables = Tables::default();
        for (table, (kind, schema)) in self.tables.iter().enumerate() {
            let sink: Box<dyn TableSink> = match *kind {
                TableKind::Games => {
                    tables.games = Some((table, GameRows::new(schema, &self.selection)));
                    continue;
                }
                TableKind::Moves => Box::new(MoveRows::new(schema)),
                TableKind::Comments => Box::new(CommentRows::new(schema)),
                TableKind::Lines { legality } => Box::new(LineRows::new(schema, legality)),
                TableKind::Positions(options) => Box::new(PositionRows::new(schema, options)),
            };
            tables.sinks.push((table, sink));
        }
        tables
    }
}

/// Rows of all tables that are not in a batch yet.
#[derive(Debug, Default)]
pub struct Tables {
    games: Option<(usize, GameRows)>,
    sinks: Vec<(usize, Box<dyn TableSink>)>,
}

impl Tables {
    /// Makes batches of the final rows.
    fn finish(&mut self, batches: &mut Vec<(usize, RecordBatch)>) {
        if let Some((table, games)) = &mut self.games
            && games.rows.len() > 0
        {
            batches.push((*table, games.rows.finish()));
        }
        for (table, sink) in &mut self.sinks {
            if sink.rows().len() > 0 && sink.is_settled() {
                batches.push((*table, sink.rows().finish()));
            }
        }
    }

    /// Sends the rows if they take too much memory. Returns false if the consumer stopped.
    fn send_if_full(&mut self, out: &mut Out<'_, PartRows>) -> bool {
        let games = self
            .games
            .as_ref()
            .map_or(0, |(_, games)| games.rows.bytes());
        let sinks = self.sinks.iter_mut().map(|(_, sink)| sink.rows().bytes());
        if games + sinks.sum::<usize>() <= FULL {
            return true;
        }
        self.finish(&mut out.batches);
        out.hand_out()
    }

    fn step(&mut self, game: &GameNow<'_>, step: &LineStep<'_>) {
        for (_, sink) in &mut self.sinks {
            sink.step(game, step);
        }
    }

    /// Passes the moves of a property of the main line to the sinks, or the property if it has
    /// none.
    fn take(&mut self, game: &GameNow<'_>, property: &Property<'_>, ply: &mut u64) {
        let before = *ply;
        for played in game.facts.moves_of(property) {
            *ply += 1;
            self.step(
                game,
                &LineStep::Move(MainLineMove {
                    ply: *ply,
                    color: played.color,
                    value: played.bytes(),
                }),
            );
        }
        if *ply == before {
            self.step(game, &LineStep::Other(property));
        }
    }

    /// Adds the rows of the main line. Returns false if the consumer stopped.
    fn add_main_line(&mut self, game: &GameNow<'_>, out: &mut Out<'_, PartRows>) -> bool {
        let (facts, record) = (game.facts, game.facts.record());
        let mut ply = 0;
        self.step(game, &LineStep::Start);
        for property in facts.root() {
            self.take(game, &property, &mut ply);
        }
        for (number, &token) in record.after_root(record.main_line()).iter().enumerate() {
            match token.kind() {
                TokenKind::Run if facts.has_letters() => {
                    for at in token.places() {
                        let (color, point) = record.plain_move(at);
                        ply += 1;
                        for (_, sink) in &mut self.sinks {
                            sink.step_to_move(game, ply, color, &point);
                        }
                        // A check costs as much as some rows, and a row takes only some hundred
                        // bytes.
                        if ply % 256 == 0 && !self.send_if_full(out) {
                            return false;
                        }
                    }
                }
                TokenKind::Run | TokenKind::Node | TokenKind::Open => {
                    for _ in 0..token.nodes().max(1) {
                        self.step(game, &LineStep::NodeEnd);
                    }
                }
                TokenKind::Property | TokenKind::Move => {
                    self.take(game, &record.property(token), &mut ply)
                }
                TokenKind::Problem | TokenKind::Close => {}
            }
            if number % 64 == 63 && !self.send_if_full(out) {
                return false;
            }
        }
        self.step(game, &LineStep::NodeEnd);
        self.step(game, &LineStep::End);
        true
    }

    /// Adds the rows of a game. Returns false if the consumer stopped.
    fn add(&mut self, game: &GameNow<'_>, out: &mut Out<'_, PartRows>) -> bool {
        for (_, sink) in &mut self.sinks {
            sink.start_game();
        }
        if !self.add_main_line(game, out) {
            return false;
        }
        for at in 0..self.sinks.len() {
            let mut from = 0;
            while let Some(next) = self.sinks[at].1.add_nodes(game, from) {
                if !self.send_if_full(out) {
                    return false;
                }
                from = next;
            }
            self.sinks[at].1.end_game(game);
        }
        true
    }
}

impl WorkerState for Tables {}

/// Rows of some games, for all tables.
#[derive(Debug, Default)]
pub struct PartRows {
    /// Batches, each with the index of its table.
    batches: Vec<(usize, RecordBatch)>,
    /// Index of the table of games.
    games: Option<usize>,
    late: Late,
    /// Numbers in their part of the games that have rows, if the part does not start its entry.
    numbers: Vec<i64>,
    /// Start of the references of these games: source and member.
    name: String,
}

impl PartRows {
    /// Returns the rows in batches, each with the index of its table in [`Tabulation::tables`].
    /// `before` has the counts before the part.
    pub fn into_batches(
        mut self,
        before: PartOffset,
    ) -> impl Iterator<Item = (usize, RecordBatch)> {
        let batches = std::mem::take(&mut self.batches);
        let mut at = 0;
        batches.into_iter().map(move |(table, batch)| {
            if self.games != Some(table) || self.numbers.is_empty() {
                return (table, batch);
            }
            let end = at + batch.num_rows();
            let numbered = self.number(&batch, &self.numbers[at..end], &before);
            at = end;
            (table, numbered)
        })
    }

    /// Returns rows of games with the columns that depend on the parts before this one.
    fn number(&self, games: &RecordBatch, numbers: &[i64], before: &PartOffset) -> RecordBatch {
        let numbers_in_entry = numbers.iter().map(|number| number + before.games as i64);
        let mut columns = games.columns().to_vec();
        let [game, reference, errors, warnings] = self.late;
        if let Some(column) = game {
            columns[column] = Arc::new(Int64Array::from_iter_values(numbers_in_entry.clone()));
        }
        if let Some(column) = reference {
            let mut references =
                StringBuilder::with_capacity(numbers.len(), numbers.len() * (self.name.len() + 8));
            for number in numbers_in_entry {
                write!(references, "{}#{number}", self.name).expect("memory");
                references.append_value("");
            }
            columns[column] = Arc::new(references.finish());
        }
        if numbers.first() == Some(&1) {
            for (column, more) in [(errors, before.errors), (warnings, before.warnings)] {
                let Some(column) = column.filter(|_| more > 0) else {
                    continue;
                };
                let mut counts = columns[column]
                    .as_primitive::<Int64Type>()
                    .values()
                    .to_vec();
                counts[0] += more as i64;
                columns[column] = Arc::new(Int64Array::from(counts));
            }
        }
        RecordBatch::try_new(games.schema(), columns)
            .expect("one column for another of its type and length")
    }
}

impl Job for Tabulation {
    type Worker = (FilledRow, Tables);
    type Output = PartRows;

    fn worker(&self) -> (FilledRow, Tables) {
        let row = self.selection.row();
        let has_inner = self
            .tables
            .iter()
            .any(|(kind, _)| *kind != TableKind::Games);
        let filled = if has_inner { row.with_game() } else { row };
        (filled, self.parts())
    }

    fn output(&self) -> PartRows {
        let games = self
            .tables
            .iter()
            .position(|(kind, _)| *kind == TableKind::Games);
        PartRows {
            games,
            late: self.late,
            ..PartRows::default()
        }
    }

    fn read(
        &self,
        (filled, tables): &mut (FilledRow, Tables),
        part: Part<'_>,
        out: &mut Out<'_, PartRows>,
    ) -> anyhow::Result<PartEnd> {
        let is_start = part.is_start();
        let name = part.name().to_string();
        let has_inner = !tables.sinks.is_empty();
        let mut rows = RowReader::of_part(part, filled)?;
        while rows.next_chosen(self.filter.as_ref())? {
            let filled = if has_inner {
                rows.read_rest()?
            } else {
                rows.finish_row()?
            };
            if filled.is_none() {
                continue;
            }
            let key = rows.row().key.unwrap_or(0);
            if has_inner && let Some(facts) = rows.facts() {
                let game = GameNow {
                    facts: &facts,
                    filled: rows.filled(),
                    dialect: &facts.dialect(),
                    key,
                };
                if !tables.add(&game, out) {
                    return Ok(PartEnd::default());
                }
            }
            let illegal_moves = tables
                .sinks
                .iter()
                .find_map(|(_, sink)| sink.illegal_moves());
            if let Some((_, games)) = &mut tables.games {
                games.add(rows.filled(), key, illegal_moves);
                if !is_start {
                    out.numbers.push(rows.row().game.unwrap_or(0));
                    if out.name.is_empty() {
                        out.name.clone_from(&name);
                    }
                }
            }
            if !tables.send_if_full(out) {
                return Ok(PartEnd::default());
            }
        }
        Ok(rows.end()?)
    }

    fn complete(&self, (_, tables): &mut (FilledRow, Tables), output: &mut PartRows) {
        tables.finish(&mut output.batches);
    }
}
