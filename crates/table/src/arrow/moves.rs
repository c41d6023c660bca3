//! Rows of the table of moves: the main line, each move with its effect on the
//! board, where one is known, and each value of a setup between them.

use std::sync::LazyLock;

use arrow_array::{Array, StringArray};

use sgfstream::{Event, Ident, Property};
use sgfstream_game::value::Real;
use sgfstream_game::{Dialect, Field, GameState, Side, Step, is_setup};

use crate::row::Cell;
use crate::row::line::{LineStep, follow};
use crate::row::line_board::{LineBoard, NAMES, side};

use super::table_rows::{NO_INT, TableRows, Truth};

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
const TOGETHER: usize = 512;

/// Follows the main line of one game after another.
pub(super) struct MoveRows {
    board: LineBoard,
    waiting: Waiting,
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
            waiting: Waiting::default(),
            node: (0, 0),
            ply: 0,
            step: 0,
            time_left: [None; 2],
            said: Vec::new(),
            dialect: None,
        }
    }
}

/// A row but for its texts and the time.
#[derive(Clone, Copy, Default)]
struct Row {
    ply: u64,
    color: Option<u8>,
    field: Option<Field>,
    /// Of a move.
    is_pass: Option<bool>,
    is_legal: Option<bool>,
    captures: Option<u32>,
}

/// The most rows that wait: those that are added together, and those of a node.
const WAITING: usize = TOGETHER + NODE;

/// Cells of the rows that wait. One look at a row's number is enough for all columns, since they have one length.
type Cells<T> = Box<[T; WAITING]>;

fn cells<T: Clone>(cell: T) -> Cells<T> {
    vec![cell; WAITING].try_into().ok().expect("as many as it was made with")
}

/// Rows that are not in the table yet, column by column.
struct Waiting {
    len: usize,
    plies: Cells<i64>,
    /// Of the rows that are about no move, by their number.
    kinds: Vec<(usize, &'static str)>,
    /// The byte that is a colour's name, or [`NO_COLOR`].
    colors: Cells<u8>,
    /// Where the text of each row ends.
    text_ends: Cells<u32>,
    xs: Cells<i64>,
    ys: Cells<i64>,
    is_pass: Cells<Truth>,
    is_legal: Cells<Truth>,
    captures: Cells<i64>,
    /// What they say, one text after another: UTF-8.
    texts: Vec<u8>,
    /// Of the rows that have it, by their number.
    time_left: Vec<(usize, f64)>,
    /// Likewise.
    changes: Vec<(usize, String)>,
    /// Bytes of `changes`.
    changes_len: usize,
}

/// In place of a colour's name.
const NO_COLOR: u8 = b'-';

/// The kinds of rows that are all about moves.
static ALL_MOVES: LazyLock<StringArray> =
    LazyLock::new(|| StringArray::from_iter_values(std::iter::repeat_n(MOVE, WAITING)));

impl Default for Waiting {
    fn default() -> Self {
        Self {
            len: 0,
            plies: cells(0),
            kinds: Vec::new(),
            colors: cells(NO_COLOR),
            text_ends: cells(0),
            xs: cells(0),
            ys: cells(0),
            is_pass: cells(Truth::None),
            is_legal: cells(Truth::None),
            captures: cells(0),
            texts: Vec::new(),
            time_left: Vec::new(),
            changes: Vec::new(),
            changes_len: 0,
        }
    }
}

impl Waiting {
    /// Bytes of their texts.
    #[inline]
    fn bytes(&self) -> usize {
        self.texts.len() + self.changes_len
    }

    /// Adds a row: of a move, or of another kind.
    #[inline(always)]
    fn push(&mut self, row: Row, kind: &'static str, value: &[u8], changes: Option<String>) {
        let at = self.len;
        if let Some(changes) = changes {
            self.changes_len += changes.len();
            self.changes.push((at, changes));
        }
        if kind != MOVE {
            self.kinds.push((at, kind));
        }
        match *value {
            // Nearly all moves.
            [column @ b'!'..=b'~', row @ b'!'..=b'~'] => self.texts.extend_from_slice(&[column, row]),
            _ => self.push_text(value),
        }
        self.plies[at] = row.ply as i64;
        self.colors[at] = row.color.map_or(NO_COLOR, |color| name(color).as_bytes()[0]);
        // All texts that wait are a few times `NODE_BYTES`.
        self.text_ends[at] = self.texts.len() as u32;
        self.xs[at] = row.field.map_or(NO_INT, |field| field.column.into());
        self.ys[at] = row.field.map_or(NO_INT, |field| field.row.into());
        self.is_pass[at] = row.is_pass.into();
        self.is_legal[at] = row.is_legal.into();
        self.captures[at] = row.captures.map_or(NO_INT, i64::from);
        self.len += 1;
    }

    #[inline(never)]
    fn push_text(&mut self, value: &[u8]) {
        let text = String::from_utf8_lossy(&value[..value.len().min(TEXT)]);
        self.texts.extend_from_slice(text.trim().as_bytes());
    }

    /// The row is about a move.
    fn is_move(&self, row: usize) -> bool {
        self.kinds.binary_search_by_key(&row, |(row, _)| *row).is_err()
    }

    fn clear(&mut self) {
        self.len = 0;
        self.kinds.clear();
        self.texts.clear();
        self.time_left.clear();
        self.changes.clear();
        self.changes_len = 0;
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
        self.node = (0, 0);
    }

    /// As [`LineBoard::illegal`].
    pub(super) fn illegal(&self) -> Option<u64> {
        self.board.illegal()
    }

    /// Takes an event of the main line. All rows of a game are in `rows` when its main line has ended.
    pub(super) fn event(&mut self, state: &GameState, step: Step, event: &Event<'_>, key: i64, rows: &mut TableRows) {
        match step {
            Step::Node if self.plain_node() => return,
            Step::Move { color, point } if self.plain_move(state, color, point) => return,
            _ => {}
        }
        if step == Step::RootEnd {
            let dialect = state.dialect();
            self.board.start_line(&dialect);
            self.dialect = Some(dialect);
            if let Some(changes) = self.board.unsaid(&mut []) {
                self.make_space(key, rows);
                self.waiting.push(Row::default(), START, b"", Some(changes));
            }
        }
        follow(state, step, event, |step| match step {
            LineStep::Move(played) => {
                self.make_space(key, rows);
                self.play(state, played.ply, played.color, &played.value, played.is_cut);
            }
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
                    self.make_space(key, rows);
                    self.waiting.push(self.setup_row(state, kind, b""), kind, b"", None);
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

    /// Takes a node of the main line after the root. False, and nothing is done, if it is for [`event`](Self::event).
    #[inline]
    pub(super) fn plain_node(&mut self) -> bool {
        let is_plain = self.time_left == [None; 2] && !self.is_full();
        if is_plain {
            self.node = (self.waiting.len, self.waiting.bytes());
        }
        is_plain
    }

    /// Likewise, a move as nearly all are.
    #[inline(never)]
    pub(super) fn plain_move(&mut self, state: &GameState, color: u8, point: [u8; 2]) -> bool {
        let is_plain = self.has_space();
        if is_plain {
            self.play(state, state.ply(), color, &point, false);
        }
        is_plain
    }

    /// The node may have another row that waits for its end.
    fn has_space(&self) -> bool {
        let (first, before) = self.node;
        self.waiting.len - first < NODE && self.waiting.bytes() - before < NODE_BYTES
    }

    fn make_space(&mut self, key: i64, rows: &mut TableRows) {
        if !self.has_space() {
            self.end_node(key, rows);
        }
    }

    /// The rows that wait are as many as are added together.
    fn is_full(&self) -> bool {
        self.waiting.len >= TOGETHER || self.waiting.bytes() >= NODE_BYTES
    }

    //  What is known of the move goes by value, so that it stays in registers.
    #[inline(always)]
    fn play(&mut self, state: &GameState, ply: u64, color: u8, value: &[u8], is_cut: bool) {
        self.ply = ply;
        let dialect = self.dialect.get_or_insert_with(|| state.dialect());
        let effect = self.board.play(dialect, color, value, is_cut);
        let field = effect.field;
        let changes = match field {
            Some(field) => self.board.unsaid(&mut [(field, Some(side(color)))]),
            None => self.board.unsaid(&mut []),
        };
        let row = Row {
            ply,
            color: Some(color),
            field,
            is_pass: Some(effect.is_pass),
            is_legal: effect.is_legal,
            captures: effect.captures,
        };
        self.waiting.push(row, MOVE, value, changes);
    }

    fn set_up(&mut self, state: &GameState, property: &Property<'_>, key: i64, rows: &mut TableRows) {
        // What has no rows changes the board, too: Octi has setup of its own.
        self.board.set_up(property);
        let Some(kind) = kind_of(property.ident()) else { return };
        let mut said = std::mem::take(&mut self.said);
        said.clear();
        let mut values = property.values().peekable();
        while let Some(value) = values.next() {
            let row = self.setup_row(state, kind, value.as_bytes());
            if let Some(field) = row.field.filter(|_| row.color.is_some() || kind == "AE") {
                said.push((field, row.color.map(side)));
            }
            // After the last value, so that it comes after what all of them say.
            let changes = if values.peek().is_none() { self.board.unsaid(&mut said) } else { None };
            self.make_space(key, rows);
            self.waiting.push(row, kind, value.as_bytes(), changes);
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
        Row { ply: self.ply, color, field, ..Row::default() }
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
        let waiting = &mut self.waiting;
        if time_left != [None; 2] {
            for row in self.node.0..waiting.len {
                let color = NAMES.iter().position(|name| name.as_bytes() == [waiting.colors[row]]);
                let left = color.and_then(|color| *time_left.get(color)?).filter(|_| waiting.is_move(row));
                waiting.time_left.extend(left.map(|left| (row, left)));
            }
        }
        self.node = (waiting.len, waiting.bytes());
        if self.is_full() {
            self.add_waiting(key, rows);
        }
    }

    fn add_waiting(&mut self, key: i64, rows: &mut TableRows) {
        let Self { waiting, step, .. } = self;
        let len = waiting.len;
        rows.push_columns(len, |columns| {
            columns.repeated_int(0, key);
            columns.ints(1, &waiting.plies[..len]);
            columns.counted_ints(2, *step + 1);
            if waiting.kinds.is_empty() && len <= ALL_MOVES.len() {
                columns.text_array(3, &ALL_MOVES.slice(0, len));
                columns.joined_texts(4, &waiting.colors[..len], 1..=len);
            } else {
                let mut kinds = waiting.kinds.iter().peekable();
                let kind = |row| kinds.next_if(|(other, _)| *other == row).map_or(MOVE, |(_, kind)| *kind);
                columns.texts(3, (0..len).map(kind).map(Some));
                let color = |color| NAMES.into_iter().find(|name| name.as_bytes() == [color]);
                columns.texts(4, waiting.colors[..len].iter().map(|&byte| color(byte)));
            }
            columns.joined_texts(5, &waiting.texts, waiting.text_ends[..len].iter().map(|&end| end as usize));
            columns.ints(6, &waiting.xs[..len]);
            columns.ints(7, &waiting.ys[..len]);
            columns.bools(8, &waiting.is_pass[..len]);
            columns.bools(9, &waiting.is_legal[..len]);
            columns.some(10, waiting.time_left.iter().map(|&(row, left)| (row, Cell::Float(left))));
            columns.ints(11, &waiting.captures[..len]);
            columns.some(12, waiting.changes.iter().map(|(row, changes)| (*row, Cell::Text(changes))));
        });
        *step += len as i64;
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
