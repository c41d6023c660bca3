//! Rows of the table of moves: the main line, each move with its effect on the
//! board, where one is known, and each value of a setup between them.

use std::borrow::Cow;

use sgfstream::event::{Event, Ident, Property};
use sgfstream::game::{Dialect, Field, Side};
use sgfstream::state::{GameState, Step, is_setup};
use sgfstream::value::Real;

use crate::row::line::{LineMove, LineStep, follow};
use crate::row::line_board::{LineBoard, NAMES, side};

use super::table_rows::TableRows;

/// Bytes of a move's text.
const TEXT: usize = 4096;

/// Rows of one node that wait for its end, which may state the time left.
const NODE: usize = 1024;

/// Bytes of their texts.
const NODE_BYTES: usize = 1 << 16;

/// What a row is about: a move, the stones with which a game begins, or a setup by its identifier.
const MOVE: &str = "move";
const START: &str = "start";
const SETUPS: [&str; 13] = ["AB", "AW", "AE", "AA", "A1", "A2", "A3", "A4", "RP", "PL", "CO", "CV", "DI"];

/// Rows that are added to the table together, column by column: a few hundred cost half as much as one at a time.
const TOGETHER: usize = 1024;

/// Follows the main line of one game after another.
pub(super) struct MoveRows {
    board: LineBoard,
    /// Rows that are not in the table yet.
    waiting: Vec<Row>,
    /// Their texts, one after another.
    texts: String,
    /// Bytes of their `changes`.
    changes: usize,
    /// The first row of the node that is being read, and the bytes before its rows.
    node: (usize, usize),
    ply: u64,
    /// Rows of the game that are in the table.
    step: i64,
    time_left: [Option<f64>; 2],
    /// What the rows of a property say of fields.
    said: Vec<(Field, Option<Side>)>,
    /// How the moves of the game are written, from the end of its root on.
    dialect: Option<Dialect>,
}

impl Default for MoveRows {
    fn default() -> Self {
        Self {
            board: LineBoard::keeping_changes(),
            waiting: Vec::new(),
            texts: String::new(),
            changes: 0,
            node: (0, 0),
            ply: 0,
            step: 0,
            time_left: [None; 2],
            said: Vec::new(),
            dialect: None,
        }
    }
}

#[derive(Default)]
struct Row {
    ply: u64,
    kind: &'static str,
    color: Option<u8>,
    /// Where its text ends.
    text_end: usize,
    field: Option<Field>,
    is_pass: bool,
    is_legal: Option<bool>,
    captures: Option<u32>,
    time_left: Option<f64>,
    changes: Option<String>,
}

impl Row {
    fn is_move(&self) -> bool {
        self.kind == MOVE
    }
}

impl MoveRows {
    pub(super) fn start_game(&mut self) {
        self.board.start_game();
        self.forget_waiting();
        (self.ply, self.step) = (0, 0);
        self.time_left = [None; 2];
        self.dialect = None;
    }

    fn forget_waiting(&mut self) {
        self.waiting.clear();
        self.texts.clear();
        (self.changes, self.node) = (0, (0, 0));
    }

    /// As [`LineBoard::illegal`].
    pub(super) fn illegal(&self) -> Option<u64> {
        self.board.illegal()
    }

    /// Takes an event of the main line. All rows of a game are in `rows` when its main line has ended.
    pub(super) fn event(&mut self, state: &GameState, step: Step, event: &Event<'_>, key: i64, rows: &mut TableRows) {
        // As `follow` has them: nearly all events.
        match step {
            Step::Node => return self.end_node(key, rows),
            Step::Move { color, point } => {
                let value = Cow::Borrowed(&point[..]);
                return self.play(state, &LineMove { ply: state.ply(), color, value, is_cut: false }, key, rows);
            }
            _ => {}
        }
        if step == Step::RootEnd {
            let dialect = state.dialect();
            self.board.start_line(&dialect);
            self.dialect = Some(dialect);
            if let Some(changes) = self.board.unsaid(&mut []) {
                self.push(Row { kind: START, changes: Some(changes), ..Row::default() }, b"", key, rows);
            }
        }
        follow(state, step, event, |step| match step {
            LineStep::Move(played) => self.play(state, &played, key, rows),
            LineStep::Other(property) => {
                self.look_at_time(property);
                if is_setup(property.ident()) {
                    self.set_up(state, property, key, rows);
                }
            }
            LineStep::LongSetup(ident) => {
                // Its points come in parts, and the board is not known without them.
                self.board.lose();
                if let Some(kind) = kind_of(ident) {
                    let row = self.setup_row(state, kind, b"");
                    self.push(row, b"", key, rows);
                }
            }
            LineStep::NodeEnd => self.end_node(key, rows),
        });
        if matches!(event, Event::VariationEnd { .. }) {
            self.end_game(key, rows);
        }
    }

    /// The main line has ended, or the input before it.
    pub(super) fn end_game(&mut self, key: i64, rows: &mut TableRows) {
        self.end_node(key, rows);
        self.add_waiting(key, rows);
    }

    /// Bytes of the rows that wait.
    fn bytes(&self) -> usize {
        self.texts.len() + self.changes
    }

    fn push(&mut self, row: Row, value: &[u8], key: i64, rows: &mut TableRows) {
        let (first, before) = self.node;
        if self.waiting.len() - first >= NODE || self.bytes() - before >= NODE_BYTES {
            self.end_node(key, rows);
        }
        match *value {
            // Nearly all moves.
            [column @ b'!'..=b'~', row @ b'!'..=b'~'] => {
                self.texts.push(char::from(column));
                self.texts.push(char::from(row));
            }
            _ => self.texts.push_str(String::from_utf8_lossy(&value[..value.len().min(TEXT)]).trim()),
        }
        self.changes += row.changes.as_ref().map_or(0, String::len);
        self.waiting.push(Row { text_end: self.texts.len(), ..row });
    }

    fn play(&mut self, state: &GameState, played: &LineMove<'_>, key: i64, rows: &mut TableRows) {
        let &LineMove { ply, color, ref value, .. } = played;
        self.ply = ply;
        let dialect = self.dialect.get_or_insert_with(|| state.dialect());
        let effect = self.board.play(dialect, played);
        let field = effect.mv.as_ref().and_then(|mv| mv.point());
        let changes = match field {
            Some(field) => self.board.unsaid(&mut [(field, Some(side(color)))]),
            None => self.board.unsaid(&mut []),
        };
        let row = Row {
            ply,
            kind: MOVE,
            color: Some(color),
            field,
            is_pass: effect.mv.is_some_and(|mv| mv.is_pass()),
            is_legal: effect.is_legal,
            captures: effect.captures,
            changes,
            ..Row::default()
        };
        self.push(row, value, key, rows);
    }

    fn set_up(&mut self, state: &GameState, property: &Property<'_>, key: i64, rows: &mut TableRows) {
        // What has no rows changes the board, too: Octi has setup of its own.
        self.board.set_up(property);
        let Some(kind) = kind_of(property.ident()) else { return };
        let mut said = std::mem::take(&mut self.said);
        said.clear();
        let mut values = property.values().peekable();
        while let Some(value) = values.next() {
            let mut row = self.setup_row(state, kind, value.as_bytes());
            if let Some(field) = row.field.filter(|_| row.color.is_some() || kind == "AE") {
                said.push((field, row.color.map(side)));
            }
            // After the last value, so that it comes after what all of them say.
            if values.peek().is_none() {
                row.changes = self.board.unsaid(&mut said);
            }
            self.push(row, value.as_bytes(), key, rows);
        }
        self.said = said;
    }

    fn setup_row(&self, state: &GameState, kind: &'static str, value: &[u8]) -> Row {
        let color = match kind {
            "AB" | "A1" => Some(1),
            "AW" | "A2" => Some(2),
            "A3" => Some(3),
            "A4" => Some(4),
            "PL" => Side::parse(value).ok().map(|side| side.index() as u8 + 1),
            _ => None,
        };
        let field = state.dialect().parse_point(value).ok().filter(|_| kind != "PL");
        Row { ply: self.ply, kind, color, field, ..Row::default() }
    }

    fn look_at_time(&mut self, property: &Property<'_>) {
        let color = match property.ident().as_bytes() {
            b"BL" => 0,
            b"WL" => 1,
            _ => return,
        };
        let left = Real::parse_lenient(property.first().as_bytes()).ok();
        self.time_left[color] = left.map(|left| left.value.get()).or(self.time_left[color]);
    }

    fn end_node(&mut self, key: i64, rows: &mut TableRows) {
        let time_left = std::mem::take(&mut self.time_left);
        if time_left != [None; 2] {
            for row in &mut self.waiting[self.node.0..] {
                let color = row.color.filter(|_| row.is_move());
                row.time_left = color.and_then(|color| *time_left.get(usize::from(color) - 1)?);
            }
        }
        self.node = (self.waiting.len(), self.bytes());
        if self.waiting.len() >= TOGETHER || self.bytes() >= NODE_BYTES {
            self.add_waiting(key, rows);
        }
    }

    fn add_waiting(&mut self, key: i64, rows: &mut TableRows) {
        let Self { waiting, texts, step, .. } = self;
        let cells = waiting.iter();
        rows.push_columns(waiting.len(), |columns| {
            columns.ints(0, cells.clone().map(|_| Some(key)));
            columns.ints(1, cells.clone().map(|row| Some(row.ply as i64)));
            columns.ints(2, (*step + 1..).map(Some).take(waiting.len()));
            if cells.clone().all(Row::is_move) {
                let colors: String = cells.clone().filter_map(|row| Some(name(row.color?))).collect();
                columns.joined_texts(3, &MOVE.repeat(waiting.len()), (1..=waiting.len()).map(|row| row * MOVE.len()));
                columns.joined_texts(4, &colors, 1..=waiting.len());
            } else {
                columns.texts(3, cells.clone().map(|row| Some(row.kind)));
                columns.texts(4, cells.clone().map(|row| Some(name(row.color?))));
            }
            columns.joined_texts(5, texts, cells.clone().map(|row| row.text_end));
            columns.ints(6, cells.clone().map(|row| Some(row.field?.column.into())));
            columns.ints(7, cells.clone().map(|row| Some(row.field?.row.into())));
            columns.bools(8, cells.clone().map(|row| row.is_move().then_some(row.is_pass)));
            columns.bools(9, cells.clone().map(|row| row.is_legal));
            if cells.clone().any(|row| row.time_left.is_some()) {
                columns.floats(10, cells.clone().map(|row| row.time_left));
            }
            columns.ints(11, cells.clone().map(|row| row.captures.map(i64::from)));
            if self.changes > 0 {
                columns.texts(12, cells.clone().map(|row| row.changes.as_deref()));
            }
        });
        *step += waiting.len() as i64;
        self.forget_waiting();
    }
}

/// The name of a colour, one byte.
fn name(color: u8) -> &'static str {
    NAMES[usize::from(color - 1) & 3]
}

fn kind_of(ident: Ident<'_>) -> Option<&'static str> {
    SETUPS.into_iter().find(|name| ident.is(name.as_bytes()))
}
