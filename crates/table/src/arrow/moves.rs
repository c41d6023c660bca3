//! Rows of the table of moves: each move of the main line with its effect on the board, if there is
//! one, and each value of setup between the moves.

use std::borrow::Cow;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use sgfstream::{Ident, Property};
use sgfstream_game::value::NodeReadings;
use sgfstream_game::{
    BoardCell, Game, Side,
    facts::{MoveFault, is_setup},
};

use crate::row::line::LineStep;
use crate::row::line_board::LineBoard;

use super::columns::{AnyRows, Column, TableRows, Values};
use super::sink::{GameNow, TableSink};
use super::table::MoveColumns;

/// Maximum length of a move's text, in bytes.
const TEXT: usize = 4096;

/// Maximum number of rows of a node that wait for its end, because the time left may follow.
const NODE: usize = 1024;

/// Maximum length of their texts, in bytes.
const NODE_BYTES: usize = 1 << 16;

/// Kinds of rows: a move, the stones at the start of a game, or setup by its identifier.
const MOVE: &str = "move";
const START: &str = "start";
const SETUPS: [&str; 13] = [
    "AB", "AW", "AE", "AA", "A1", "A2", "A3", "A4", "RP", "PL", "CO", "CV", "DI",
];

/// Row of a move or of setup, without the cells that most rows lack. Their columns are filled when
/// a batch is complete, one column after another, because most cells are equal to the one before or
/// one more.
#[derive(Clone, Copy, Debug)]
struct StepRow {
    /// Kind of setup; `None` for a move.
    setup: Option<&'static str>,
    ply: u32,
    side: Option<Side>,
    field: Option<BoardCell>,
    is_pass: bool,
    is_legal: Option<bool>,
    captures: Option<u32>,
}

/// First row of a game in the current batch.
#[derive(Clone, Copy, Debug)]
struct GameStart {
    row: usize,
    key: i64,
    game: Game,
    /// Number of the row in its game.
    step: i64,
}

/// Makes the rows of moves.
#[derive(Debug)]
pub(super) struct MoveRows {
    rows: TableRows<MoveColumns>,
    /// Rows whose columns are not filled yet. Their texts, changes, clocks and evaluations are in
    /// `rows`.
    steps: Vec<StepRow>,
    games: Vec<GameStart>,
    /// Bytes of their texts.
    bytes: usize,
    board: LineBoard,
    /// First row of the current node.
    node: usize,
    /// Bytes before the current node.
    node_bytes: usize,
    /// Whether the node has properties that may state a clock or an evaluation, or an illegal move.
    is_open: bool,
    /// Legality of rows from the first illegal move of the node on. A `KO` after an illegal move
    /// excuses it, so they wait for the end of the node.
    unsettled: Vec<(usize, Result<(), MoveFault>)>,
    ply: u32,
    step: i64,
    /// Clocks and evaluations of the current node.
    readings: NodeReadings,
    /// Cells with the contents that the rows of a property name, for comparison with the board.
    named: Vec<(BoardCell, Option<Side>)>,
}

impl MoveRows {
    pub(super) fn new(schema: &SchemaRef) -> Self {
        Self {
            rows: TableRows::new(MoveColumns::default(), schema),
            steps: Vec::new(),
            games: Vec::new(),
            bytes: 0,
            board: LineBoard::keeping_changes(),
            node: 0,
            node_bytes: 0,
            is_open: false,
            unsettled: Vec::new(),
            ply: 0,
            step: 0,
            readings: NodeReadings::default(),
            named: Vec::new(),
        }
    }

    /// Adds a row. Its times follow at the end of the node.
    #[inline(always)]
    fn push(&mut self, game: &GameNow<'_>, row: StepRow, value: &[u8], changes: Option<&str>) {
        if self.steps.len() - self.node >= NODE || self.bytes - self.node_bytes >= NODE_BYTES {
            self.finish_node(false);
        }
        let at = self.steps.len();
        self.step += 1;
        if self.step == 1 || at == 0 {
            self.games.push(GameStart {
                row: at,
                key: game.key,
                game: game.dialect.game(),
                step: self.step,
            });
        }
        let columns = &mut self.rows.columns;
        self.bytes += MoveColumns::BYTES + columns.r#move.set(at, &spelled(value));
        if let Some(changes) = changes {
            self.bytes += columns.changes.set(at, changes);
        }
        self.steps.push(row);
    }

    #[inline(always)]
    fn play(&mut self, game: &GameNow<'_>, ply: u64, color: u8, value: &[u8]) {
        self.ply = ply as u32;
        let side = Side::of_color(color);
        let judged = self.board.play(color, value);
        let changes = match judged.field {
            Some(field) => self.board.other_changes(&mut [(field, Some(side))]),
            None => self.board.other_changes(&mut []),
        };
        let is_settled = judged.is_legal() != Some(false) && self.unsettled.is_empty();
        let row = StepRow {
            setup: None,
            ply: self.ply,
            side: Some(side),
            field: judged.field,
            is_pass: judged.is_pass,
            is_legal: if is_settled { judged.is_legal() } else { None },
            captures: judged.captures,
        };
        self.push(game, row, value, changes.as_deref());
        if let Some(legality) = judged.legality.filter(|_| !is_settled) {
            self.unsettled.push((self.steps.len() - 1, legality));
            self.is_open = true;
        }
    }

    fn set_up(&mut self, game: &GameNow<'_>, property: &Property<'_>) {
        // Apply properties without rows as well, because they change the board: Octi has setup of
        // its own.
        self.board.apply(property);
        let Some(kind) = kind_of(property.ident()) else {
            return;
        };
        let mut named = std::mem::take(&mut self.named);
        named.clear();
        let mut values = property.values().peekable();
        while let Some(value) = values.next() {
            let (color, field) = setup_of(game, kind, value.as_bytes());
            if let Some(field) = field.filter(|_| color.is_some() || kind == "AE") {
                named.push((field, color.map(Side::of_color)));
            }
            // Put the changes into the last row, because they are relative to all values.
            let changes = if values.peek().is_none() {
                self.board.other_changes(&mut named)
            } else {
                None
            };
            self.push_setup(
                game,
                kind,
                color,
                field,
                value.as_bytes(),
                changes.as_deref(),
            );
        }
        self.named = named;
    }

    #[inline(never)]
    fn push_setup(
        &mut self,
        game: &GameNow<'_>,
        kind: &'static str,
        color: Option<u8>,
        field: Option<BoardCell>,
        value: &[u8],
        changes: Option<&str>,
    ) {
        let row = StepRow {
            setup: Some(kind),
            ply: self.ply,
            side: color.map(Side::of_color),
            field,
            is_pass: false,
            is_legal: None,
            captures: None,
        };
        self.push(game, row, value, changes);
    }

    /// Writes the evaluations of the node into the row of its last move, and the clocks into the
    /// rows of their players.
    #[inline(never)]
    fn write_readings(&mut self, readings: &NodeReadings) {
        let (columns, steps) = (&mut self.rows.columns, &self.steps[self.node..]);
        for (row, step) in (self.node..).zip(steps) {
            let Some(at) = step
                .side
                .filter(|_| step.setup.is_none())
                .map(Side::index)
                .filter(|&at| at < 2)
            else {
                continue;
            };
            if let Some(left) = readings.time_left[at] {
                columns.time_left.set(row, left);
            }
            if let Some(moves) = readings.overtime_moves[at] {
                columns.overtime_moves.set(row, moves as i64);
            }
        }
        let Some(last) = steps.iter().rposition(|step| step.setup.is_none()) else {
            return;
        };
        let row = self.node + last;
        let found = readings.evaluation(steps[last].side.map(Side::color));
        found.winrate.map(|rate| columns.winrate.set(row, rate));
        found
            .score_lead
            .map(|lead| columns.score_lead.set(row, lead));
        found.visits.map(|visits| columns.visits.set(row, visits));
    }

    #[inline(always)]
    fn end_node(&mut self) {
        let is_excused = self.board.end_node();
        if self.is_open {
            self.finish_node(is_excused);
        }
        (self.node, self.node_bytes) = (self.steps.len(), self.bytes);
    }

    /// Completes the rows of a node. `is_excused` says whether it has a `KO`, which makes illegal
    /// moves valid.
    #[inline(never)]
    fn finish_node(&mut self, is_excused: bool) {
        for (row, legality) in self.unsettled.drain(..) {
            let is_legal =
                legality.map_or_else(|fault| is_excused && fault.is_excused_by_ko(), |()| true);
            self.steps[row].is_legal = Some(is_legal);
        }
        let readings = std::mem::take(&mut self.readings);
        if !readings.is_empty() {
            self.write_readings(&readings);
        }
        (self.node, self.node_bytes, self.is_open) = (self.steps.len(), self.bytes, false);
    }

    /// Fills the columns that every row has, or most rows.
    fn fill_columns(&mut self) {
        let Self {
            rows, steps, games, ..
        } = self;
        let columns = &mut rows.columns;
        let ends = games
            .iter()
            .skip(1)
            .map(|game| game.row)
            .chain([steps.len()]);
        for (start, end) in games.iter().zip(ends) {
            let len = end - start.row;
            columns.key.repeat(start.row, len, start.key);
            columns.step.extend(start.row, len, start.step..);
            fill(
                &mut columns.color,
                start.row,
                &steps[start.row..end],
                |step| Some(step.side?.name_in(start.game)),
            );
        }
        columns
            .ply
            .extend(0, steps.len(), steps.iter().map(|step| step.ply.into()));
        for (row, run) in runs(steps, |step| step.setup.is_none()) {
            if run[0].setup.is_none() {
                columns.kind.repeat(row, run.len(), MOVE);
                columns
                    .is_pass
                    .extend(row, run.len(), run.iter().map(|step| step.is_pass));
            } else {
                columns
                    .kind
                    .extend(row, run.len(), run.iter().filter_map(|step| step.setup));
            }
        }
        fill(&mut columns.x, 0, steps, |step| {
            Some(step.field?.column.into())
        });
        fill(&mut columns.y, 0, steps, |step| {
            Some(step.field?.row.into())
        });
        fill(&mut columns.is_legal, 0, steps, |step| step.is_legal);
        fill(&mut columns.captures, 0, steps, |step| {
            step.captures.map(i64::from)
        });
        rows.add(steps.len(), 0);
    }
}

/// Fills a column with the cells that the rows from `row` on have.
fn fill<V: Values>(
    column: &mut Column<V>,
    row: usize,
    steps: &[StepRow],
    cell: impl Fn(&StepRow) -> Option<V::Cell<'static>> + Copy,
) where
    V::Cell<'static>: Default,
{
    for (start, run) in runs(steps, |step| cell(step).is_some()) {
        if cell(&run[0]).is_some() {
            let cells = run.iter().map(|step| cell(step).unwrap_or_default());
            column.extend(row + start, run.len(), cells);
        }
    }
}

/// Returns the runs of rows that have a cell and of rows that lack it, each with its first row.
fn runs(
    steps: &[StepRow],
    has_cell: impl Fn(&StepRow) -> bool + Copy,
) -> impl Iterator<Item = (usize, &[StepRow])> {
    let mut row = 0;
    let alike = steps.chunk_by(move |one, other| has_cell(one) == has_cell(other));
    alike.map(move |run| {
        row += run.len();
        (row - run.len(), run)
    })
}

impl AnyRows for MoveRows {
    fn len(&self) -> usize {
        self.steps.len()
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn finish(&mut self) -> RecordBatch {
        self.fill_columns();
        self.steps.clear();
        self.games.clear();
        (self.node, self.bytes, self.node_bytes) = (0, 0, 0);
        self.rows.finish()
    }
}

impl TableSink for MoveRows {
    fn rows(&mut self) -> &mut dyn AnyRows {
        self
    }

    fn start_game(&mut self) {
        self.board.start_game();
        self.unsettled.clear();
        (self.node, self.node_bytes, self.is_open) = (self.steps.len(), self.bytes, false);
        (self.ply, self.step) = (0, 0);
        self.readings = NodeReadings::default();
    }

    fn step(&mut self, game: &GameNow<'_>, step: &LineStep<'_>) {
        match step {
            LineStep::Move(played) => self.play(game, played.ply, played.color, &played.value),
            LineStep::NodeEnd => self.end_node(),
            LineStep::Other(property) => {
                self.is_open = true;
                self.readings
                    .read(property.ident().as_bytes(), property.first().as_bytes());
                if game.facts.changes_board(property.ident()) || is_setup(property.ident()) {
                    self.set_up(game, property);
                }
            }
            LineStep::Start => {
                self.board.start_line(game.facts);
                if let Some(changes) = self.board.other_changes(&mut []) {
                    self.push_setup(game, START, None, None, b"", Some(&changes));
                }
            }
            LineStep::End => {}
        }
    }

    fn step_to_move(&mut self, game: &GameNow<'_>, ply: u64, color: u8, point: &[u8; 2]) {
        self.end_node();
        self.play(game, ply, color, point);
    }

    fn illegal_moves(&self) -> Option<u64> {
        self.board.illegal()
    }

    fn is_settled(&self) -> bool {
        self.node == self.steps.len()
    }
}

/// Returns the color and the field that a value of setup names.
fn setup_of(game: &GameNow<'_>, kind: &str, value: &[u8]) -> (Option<u8>, Option<BoardCell>) {
    let color = match kind {
        "AB" | "A1" => Some(1),
        "AW" | "A2" => Some(2),
        "A3" => Some(3),
        "A4" => Some(4),
        "PL" => Side::named_in(game.dialect.game(), value).map(Side::color),
        _ => None,
    };
    (
        color,
        game.dialect
            .parse_point(value)
            .ok()
            .filter(|_| kind != "PL"),
    )
}

/// All pairs of small letters: the texts of nearly all moves.
const POINTS: &str = match str::from_utf8(&letter_pairs()) {
    Ok(pairs) => pairs,
    Err(_) => panic!("letters are ASCII"),
};

const fn letter_pairs() -> [u8; 2 * 26 * 26] {
    let mut pairs = [0; 2 * 26 * 26];
    let mut at = 0;
    while at < pairs.len() {
        pairs[at] = b'a' + (at / 52) as u8;
        pairs[at + 1] = b'a' + (at / 2 % 26) as u8;
        at += 2;
    }
    pairs
}

/// Returns the text of a move or setup.
#[inline(always)]
fn spelled(value: &[u8]) -> Cow<'_, str> {
    match *value {
        [column @ b'a'..=b'z', row @ b'a'..=b'z'] => {
            let at = 52 * usize::from(column - b'a') + 2 * usize::from(row - b'a');
            Cow::Borrowed(&POINTS[at..at + 2])
        }
        _ => decoded(value),
    }
}

#[inline(never)]
fn decoded(value: &[u8]) -> Cow<'_, str> {
    match String::from_utf8_lossy(&value[..value.len().min(TEXT)]) {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

fn kind_of(ident: Ident<'_>) -> Option<&'static str> {
    SETUPS.into_iter().find(|name| ident.is(name.as_bytes()))
}
