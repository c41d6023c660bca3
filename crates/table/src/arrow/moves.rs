//! Rows of the table of moves: each move of the main line with its effect on the board, if there is one, and each value of
//! setup between the moves.

use sgfstream::{Ident, Property};
use sgfstream_game::value::NodeReadings;
use sgfstream_game::{
    BoardCell, Side,
    facts::{MoveFault, is_setup},
};

use crate::row::line::{LineStep, MainLineMove};
use crate::row::line_board::LineBoard;

use super::columns::{AnyRows, TableRows};
use super::sink::{GameNow, TableSink, rows};
use super::table::{MoveColumns, MoveRow, Table};

/// Maximum length of a move's text, in bytes.
const TEXT: usize = 4096;

/// Maximum number of rows of a node that wait for its end, because the time left may follow.
const NODE: usize = 1024;

/// Maximum length of their texts, in bytes.
const NODE_BYTES: usize = 1 << 16;

/// Kinds of rows: a move, the stones at the start of a game, or setup by its identifier.
const MOVE: &str = "move";
const START: &str = "start";
const SETUPS: [&str; 13] = ["AB", "AW", "AE", "AA", "A1", "A2", "A3", "A4", "RP", "PL", "CO", "CV", "DI"];

/// Makes the rows of moves.
#[derive(Debug)]
pub(super) struct MoveRows {
    rows: TableRows<MoveColumns>,
    board: LineBoard,
    /// The last rows, which belong to the current node, each with its player; `None` for setup.
    node: Vec<Option<u8>>,
    /// Length of the texts of these rows, in bytes.
    node_bytes: usize,
    /// Legality of rows from the first illegal move of the node on. A `KO` after an illegal move excuses it, so they wait
    /// for the end of the node.
    unsettled: Vec<(usize, Result<(), MoveFault>)>,
    ply: i64,
    step: i64,
    /// Clocks and evaluations of the current node.
    readings: NodeReadings,
    /// Cells with the contents that the rows of a property name, for comparison with the board.
    named: Vec<(BoardCell, Option<Side>)>,
    /// Text of the current row.
    text: String,
}

impl MoveRows {
    pub(super) fn new(table: &Table) -> Self {
        Self {
            rows: TableRows::new(MoveColumns::default(), table.schema()),
            board: LineBoard::keeping_changes(),
            node: Vec::new(),
            node_bytes: 0,
            unsettled: Vec::new(),
            ply: 0,
            step: 0,
            readings: NodeReadings::default(),
            named: Vec::new(),
            text: String::new(),
        }
    }

    /// Adds a row. Its times follow at the end of the node.
    #[inline(always)]
    fn push(&mut self, row: MoveRow<'_>, value: &[u8], mover: Option<u8>, changes: Option<&str>) {
        if self.node.len() >= NODE || self.node_bytes >= NODE_BYTES {
            self.finish_node(false);
        }
        spell(value, &mut self.text);
        self.step += 1;
        self.node.push(mover);
        self.node_bytes += self.text.len() + changes.map_or(0, str::len);
        self.rows.push(MoveRow { step: Some(self.step), r#move: Some(&self.text), changes, ..row });
    }

    #[inline(always)]
    fn play(&mut self, game: &GameNow<'_>, played: &MainLineMove<'_>) {
        self.ply = played.ply as i64;
        let color = played.color;
        let judged = self.board.play(played);
        let changes = match judged.field {
            Some(field) => self.board.other_changes(&mut [(field, Some(Side::of_color(color)))]),
            None => self.board.other_changes(&mut []),
        };
        let is_settled = judged.is_legal() != Some(false) && self.unsettled.is_empty();
        let is_legal = if is_settled { judged.is_legal() } else { None };
        let row = MoveRow {
            key: Some(game.key),
            ply: Some(self.ply),
            kind: Some(MOVE),
            color: Some(Side::of_color(color).name_in(game.dialect.game())),
            x: judged.field.map(|field| field.column.into()),
            y: judged.field.map(|field| field.row.into()),
            is_pass: Some(judged.is_pass),
            is_legal,
            captures: judged.captures.map(i64::from),
            ..MoveRow::default()
        };
        self.push(row, &played.value, Some(color), changes.as_deref());
        if let Some(legality) = judged.legality.filter(|_| !is_settled) {
            self.unsettled.push((self.rows.len() - 1, legality));
        }
    }

    fn set_up(&mut self, game: &GameNow<'_>, property: &Property<'_>) {
        // Apply properties without rows as well, because they change the board: Octi has setup of its own.
        self.board.apply(property);
        let Some(kind) = kind_of(property.ident()) else { return };
        let mut named = std::mem::take(&mut self.named);
        named.clear();
        let mut values = property.values().peekable();
        while let Some(value) = values.next() {
            let (color, field) = setup_of(game, kind, value.as_bytes());
            if let Some(field) = field.filter(|_| color.is_some() || kind == "AE") {
                named.push((field, color.map(Side::of_color)));
            }
            // Put the changes into the last row, because they are relative to all values.
            let changes = if values.peek().is_none() { self.board.other_changes(&mut named) } else { None };
            self.push_setup(game, kind, color, field, value.as_bytes(), changes.as_deref());
        }
        self.named = named;
    }

    #[inline(never)]
    fn push_setup(
        &mut self,
        game: &GameNow<'_>,
        kind: &str,
        color: Option<u8>,
        field: Option<BoardCell>,
        value: &[u8],
        changes: Option<&str>,
    ) {
        let row = MoveRow {
            key: Some(game.key),
            ply: Some(self.ply),
            kind: Some(kind),
            color: color.map(|color| Side::of_color(color).name_in(game.dialect.game())),
            x: field.map(|field| field.column.into()),
            y: field.map(|field| field.row.into()),
            ..MoveRow::default()
        };
        self.push(row, value, None, changes);
    }

    /// Writes the evaluations of the node into the row of its last move, and the clocks into the rows of their players.
    #[inline(never)]
    fn write_readings(&mut self, first: usize, readings: &NodeReadings) {
        let columns = &mut self.rows.columns;
        for (row, mover) in (first..).zip(&self.node) {
            let Some(at) = mover.map(|color| usize::from(color - 1)).filter(|&at| at < 2) else { continue };
            if let Some(left) = readings.time_left[at] {
                columns.time_left.set(row, left);
            }
            if let Some(moves) = readings.overtime_moves[at] {
                columns.overtime_moves.set(row, moves as i64);
            }
        }
        let Some(last) = self.node.iter().rposition(Option::is_some) else { return };
        let row = first + last;
        let found = readings.evaluation(self.node[last]);
        found.winrate.map(|rate| columns.winrate.set(row, rate));
        found.score_lead.map(|lead| columns.score_lead.set(row, lead));
        found.visits.map(|visits| columns.visits.set(row, visits));
    }

    fn end_node(&mut self) {
        let is_excused = self.board.end_node();
        self.finish_node(is_excused);
    }

    /// Completes the rows of a node. `is_excused` says whether it has a `KO`, which makes illegal moves valid.
    fn finish_node(&mut self, is_excused: bool) {
        for (row, legality) in self.unsettled.drain(..) {
            let is_legal = legality.map_or_else(|fault| is_excused && fault.is_excused_by_ko(), |()| true);
            self.rows.columns.is_legal.set(row, is_legal);
        }
        let first = self.rows.len() - self.node.len();
        let readings = std::mem::take(&mut self.readings);
        if !readings.is_empty() {
            self.write_readings(first, &readings);
        }
        self.node.clear();
        self.node_bytes = 0;
    }
}

impl TableSink for MoveRows {
    rows!();

    fn start_game(&mut self) {
        self.board.start_game();
        self.node.clear();
        self.unsettled.clear();
        (self.node_bytes, self.ply, self.step) = (0, 0, 0);
        self.readings = NodeReadings::default();
    }

    fn step(&mut self, game: &GameNow<'_>, step: &LineStep<'_>) {
        match step {
            LineStep::Move(played) => self.play(game, played),
            LineStep::NodeEnd => self.end_node(),
            LineStep::Other(property) => {
                self.readings.read(property.ident().as_bytes(), property.first().as_bytes());
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

    fn illegal_moves(&self) -> Option<u64> {
        self.board.illegal()
    }

    fn is_settled(&self) -> bool {
        self.node.is_empty()
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
    (color, game.dialect.parse_point(value).ok().filter(|_| kind != "PL"))
}

/// Decodes the text of a move or setup.
#[inline]
fn spell(value: &[u8], text: &mut String) {
    text.clear();
    match *value {
        // Nearly all moves are ASCII, so skip the check for UTF-8.
        [one @ b'!'..=b'~', two @ b'!'..=b'~'] => {
            text.push(char::from(one));
            text.push(char::from(two));
        }
        ref value => text.push_str(String::from_utf8_lossy(&value[..value.len().min(TEXT)]).trim()),
    }
}

fn kind_of(ident: Ident<'_>) -> Option<&'static str> {
    SETUPS.into_iter().find(|name| ident.is(name.as_bytes()))
}
