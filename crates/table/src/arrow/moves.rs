//! Rows of the table of moves: the main line, each move with its effect on the
//! board, where one is known, and each value of a setup between them.

use sgfstream::event::{Event, Ident, Property};
use sgfstream::game::{Position, Side};
use sgfstream::state::{GameState, Step, is_setup};
use sgfstream::value::Real;

use crate::row::Cell;

use super::table::TableRows;
use crate::row::line::{LineMove, LineStep, follow};

/// Bytes of a move's text.
const TEXT: usize = 4096;

/// Rows of one node that wait for its end, which may state the time left.
const NODE: usize = 1024;

/// What a row is about: a move, or a setup by its identifier.
const MOVE: &str = "move";
const SETUPS: [&str; 13] = ["AB", "AW", "AE", "AA", "A1", "A2", "A3", "A4", "RP", "PL", "CO", "CV", "DI"];

/// Follows the main line of one game after another.
#[derive(Default)]
pub(super) struct MoveRows {
    position: Option<Position>,
    /// Moves of the node that is being read.
    node: Vec<Row>,
    ply: u64,
    time_left: [Option<f64>; 2],
}

struct Row {
    ply: u64,
    kind: &'static str,
    color: Option<u8>,
    text: String,
    field: Option<(u16, u16)>,
    is_pass: bool,
    captures: Option<u32>,
}

impl MoveRows {
    pub(super) fn start_game(&mut self) {
        self.node.clear();
        self.ply = 0;
        self.time_left = [None; 2];
    }

    /// Takes an event of the main line.
    pub(super) fn event(&mut self, state: &GameState, step: Step, event: &Event<'_>, key: i64, rows: &mut TableRows) {
        if step == Step::RootEnd {
            self.position = Position::new(&state.dialect());
        }
        follow(state, step, event, |step| match step {
            LineStep::Move(played) => {
                self.make_space(key, rows);
                self.play(state, &played);
            }
            LineStep::Other(property) => {
                self.look_at_time(property);
                if is_setup(property.ident()) {
                    self.set_up(state, property, key, rows);
                }
            }
            LineStep::LongSetup(ident) => {
                // Its points come in parts, and the board is not known without them.
                self.position = None;
                self.make_space(key, rows);
                self.push_setup(state, ident, b"");
            }
            LineStep::NodeEnd => self.end_node(key, rows),
        });
    }

    fn make_space(&mut self, key: i64, rows: &mut TableRows) {
        if self.node.len() >= NODE {
            self.end_node(key, rows);
        }
    }

    fn play(&mut self, state: &GameState, LineMove { ply, color, value, is_cut }: &LineMove<'_>) {
        self.ply = *ply;
        let text = text_of(value);
        let mut row =
            Row { ply: *ply, kind: MOVE, color: Some(*color), text, field: None, is_pass: false, captures: None };
        if !is_cut && let Ok(mv) = state.dialect().parse_move(value) {
            row.field = mv.point().map(|field| (field.column, field.row));
            row.is_pass = mv.is_pass();
            if let Some(position) = &mut self.position {
                let result = position.play(Side::ALL[usize::from(color - 1) & 3], &mv);
                row.captures = Some(result.unwrap_or_else(|illegal| illegal.played).captured);
            }
        }
        self.node.push(row);
    }

    fn set_up(&mut self, state: &GameState, property: &Property<'_>, key: i64, rows: &mut TableRows) {
        if let Some(position) = &mut self.position {
            position.apply(property);
        }
        for value in property.values() {
            self.make_space(key, rows);
            self.push_setup(state, property.ident(), value.as_bytes());
        }
    }

    fn push_setup(&mut self, state: &GameState, ident: Ident<'_>, value: &[u8]) {
        let Some(kind) = SETUPS.into_iter().find(|name| ident.is(name.as_bytes())) else { return };
        let color = match kind {
            "AB" | "A1" => Some(1),
            "AW" | "A2" => Some(2),
            "A3" => Some(3),
            "A4" => Some(4),
            "PL" => Side::parse(value).ok().map(|side| side.index() as u8 + 1),
            _ => None,
        };
        let field = state.dialect().parse_point(value).ok().filter(|_| kind != "PL");
        let field = field.map(|field| (field.column, field.row));
        self.node.push(Row { ply: self.ply, kind, color, text: text_of(value), field, is_pass: false, captures: None });
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
        for Row { ply, kind, color, text, field, is_pass, captures } in self.node.drain(..) {
            let int = |number: Option<i64>| number.map_or(Cell::Null, Cell::Int);
            let is_move = kind == MOVE;
            let left = color.filter(|_| is_move).and_then(|color| *time_left.get(usize::from(color) - 1)?);
            rows.push([
                Cell::Int(key),
                Cell::Int(ply as i64),
                Cell::Text(kind),
                color.map_or(Cell::Null, |color| Cell::Text(["B", "W", "3", "4"][usize::from(color - 1) & 3])),
                Cell::Text(&text),
                int(field.map(|(column, _)| column.into())),
                int(field.map(|(_, row)| row.into())),
                if is_move { Cell::Bool(is_pass) } else { Cell::Null },
                left.map_or(Cell::Null, Cell::Float),
                int(captures.map(i64::from)),
            ]);
        }
    }
}

fn text_of(value: &[u8]) -> String {
    String::from_utf8_lossy(&value[..value.len().min(TEXT)]).trim().to_owned()
}
