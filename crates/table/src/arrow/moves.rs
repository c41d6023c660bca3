//! Rows of the table of moves: the main line, each move with its effect on the
//! board, where one is known, and each value of a setup between them.

use sgfstream::event::{Event, Ident, Property};
use sgfstream::game::{Field, Side};
use sgfstream::state::{GameState, Step, is_setup};
use sgfstream::value::Real;

use crate::row::Cell;
use crate::row::line::{LineMove, LineStep, follow};
use crate::row::line_board::{LineBoard, NAMES, side};

use super::table::TableRows;

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

/// Follows the main line of one game after another.
pub(super) struct MoveRows {
    board: LineBoard,
    /// Rows of the node that is being read.
    node: Vec<Row>,
    node_bytes: usize,
    ply: u64,
    /// Rows of the game that were made.
    step: i64,
    time_left: [Option<f64>; 2],
    /// What the rows of a property say of fields.
    said: Vec<(Field, Option<Side>)>,
}

impl Default for MoveRows {
    fn default() -> Self {
        Self {
            board: LineBoard::keeping_changes(),
            node: Vec::new(),
            node_bytes: 0,
            ply: 0,
            step: 0,
            time_left: [None; 2],
            said: Vec::new(),
        }
    }
}

#[derive(Default)]
struct Row {
    ply: u64,
    kind: &'static str,
    color: Option<u8>,
    text: String,
    field: Option<Field>,
    is_pass: bool,
    is_legal: Option<bool>,
    captures: Option<u32>,
    changes: Option<String>,
}

impl MoveRows {
    pub(super) fn start_game(&mut self) {
        self.board.start_game();
        self.node.clear();
        (self.ply, self.step, self.node_bytes) = (0, 0, 0);
        self.time_left = [None; 2];
    }

    /// As [`LineBoard::illegal`].
    pub(super) fn illegal(&self) -> Option<u64> {
        self.board.illegal()
    }

    /// Takes an event of the main line.
    pub(super) fn event(&mut self, state: &GameState, step: Step, event: &Event<'_>, key: i64, rows: &mut TableRows) {
        if step == Step::RootEnd {
            self.board.start_line(&state.dialect());
            if let Some(changes) = self.board.unsaid(&mut []) {
                self.push(Row { kind: START, changes: Some(changes), ..Row::default() }, key, rows);
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
                    self.push(row, key, rows);
                }
            }
            LineStep::NodeEnd => self.end_node(key, rows),
        });
    }

    fn push(&mut self, row: Row, key: i64, rows: &mut TableRows) {
        if self.node.len() >= NODE || self.node_bytes >= NODE_BYTES {
            self.end_node(key, rows);
        }
        self.node_bytes += row.text.len() + row.changes.as_ref().map_or(0, String::len);
        self.node.push(row);
    }

    fn play(&mut self, state: &GameState, played: &LineMove<'_>, key: i64, rows: &mut TableRows) {
        let LineMove { ply, color, value, .. } = played;
        self.ply = *ply;
        let effect = self.board.play(&state.dialect(), played);
        let field = effect.mv.as_ref().and_then(|mv| mv.point());
        let changes = match field {
            Some(field) => self.board.unsaid(&mut [(field, Some(side(*color)))]),
            None => self.board.unsaid(&mut []),
        };
        let row = Row {
            ply: *ply,
            kind: MOVE,
            color: Some(*color),
            text: text_of(value),
            field,
            is_pass: effect.mv.is_some_and(|mv| mv.is_pass()),
            is_legal: effect.is_legal,
            captures: effect.captures,
            changes,
        };
        self.push(row, key, rows);
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
            self.push(row, key, rows);
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
        Row { ply: self.ply, kind, color, text: text_of(value), field, ..Row::default() }
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
        self.node_bytes = 0;
        for Row { ply, kind, color, text, field, is_pass, is_legal, captures, changes } in self.node.drain(..) {
            let int = |number: Option<i64>| number.map_or(Cell::Null, Cell::Int);
            let is_move = kind == MOVE;
            let left = color.filter(|_| is_move).and_then(|color| *time_left.get(usize::from(color) - 1)?);
            self.step += 1;
            rows.push([
                Cell::Int(key),
                Cell::Int(ply as i64),
                Cell::Int(self.step),
                Cell::Text(kind),
                color.map_or(Cell::Null, |color| Cell::Text(NAMES[usize::from(color - 1) & 3])),
                Cell::Text(&text),
                int(field.map(|field| field.column.into())),
                int(field.map(|field| field.row.into())),
                if is_move { Cell::Bool(is_pass) } else { Cell::Null },
                is_legal.map_or(Cell::Null, Cell::Bool),
                left.map_or(Cell::Null, Cell::Float),
                int(captures.map(i64::from)),
                changes.as_deref().map_or(Cell::Null, Cell::Text),
            ]);
        }
    }
}

fn kind_of(ident: Ident<'_>) -> Option<&'static str> {
    SETUPS.into_iter().find(|name| ident.is(name.as_bytes()))
}

fn text_of(value: &[u8]) -> String {
    String::from_utf8_lossy(&value[..value.len().min(TEXT)]).trim().to_owned()
}
