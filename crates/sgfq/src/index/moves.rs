//! Rows of the table of moves: the main line, each move with what it did to
//! the board, where one is known.

use sgfstream::Framing;
use sgfstream::event::{Event, Ident, Place, Property};
use sgfstream::game::{Applied, Dialect, Game, MoveIds, Position};
use sgfstream::value::{BoardSize, Lenient, Real};
use sgfstream_table::row::Cell;

use super::table::Rows;

/// Bytes of a root node's properties that wait for its game and size.
const ROOT: usize = 1 << 20;

/// Bytes of a move's text.
const TEXT: usize = 4096;

/// Moves of one node that wait for its end, which may say the time left.
const NODE: usize = 1024;

/// Follows the main line of one game after another.
pub(super) struct MoveRows {
    is_root: bool,
    is_main: bool,
    /// Properties of the root, as written, one behind the other.
    root: Vec<u8>,
    ends: Vec<(usize, Framing)>,
    gm: Option<Vec<u8>>,
    size: Option<Vec<u8>>,
    dialect: Dialect,
    ids: MoveIds,
    position: Option<Position>,
    pub(super) ply: u64,
    /// Moves of the node that is being read.
    node: Vec<NodeMove>,
    time_left: [Option<f64>; 2],
}

struct NodeMove {
    color: u8,
    text: String,
    field: Option<(u16, u16)>,
    captures: Option<u32>,
}

impl MoveRows {
    pub(super) fn new() -> Self {
        let dialect = Dialect::new(Game::Go, None);
        Self {
            is_root: false,
            is_main: false,
            root: Vec::new(),
            ends: Vec::new(),
            gm: None,
            size: None,
            dialect,
            ids: Game::Go.move_ids(),
            position: None,
            ply: 0,
            node: Vec::new(),
            time_left: [None; 2],
        }
    }

    /// The node that stands here is in the main line.
    pub(super) fn is_main(&self) -> bool {
        self.is_main
    }

    pub(super) fn event(&mut self, event: &Event<'_>, place: &Place, key: i64, rows: Option<&mut Rows>) {
        match event {
            Event::VariationStart { .. } if place.depth == 1 => {
                (self.is_root, self.is_main, self.ply) = (true, true, 0);
                (self.gm, self.size) = (None, None);
                self.root.clear();
                self.ends.clear();
                self.end_node(key, None);
            }
            Event::NodeStart { .. } | Event::VariationEnd { .. } | Event::VariationStart { .. } if self.is_main => {
                // The game's own first node begins the root, and ends nothing.
                let begins_root = self.is_root && self.ends.is_empty() && matches!(event, Event::NodeStart { .. });
                if !begins_root {
                    self.end_root();
                    self.end_node(key, rows);
                }
                self.is_main &= !matches!(event, Event::VariationEnd { .. });
            }
            Event::Property(property) if self.is_main => {
                if self.is_root {
                    self.root_property(property);
                } else {
                    if self.node.len() >= NODE {
                        self.end_node(key, rows);
                    }
                    self.property(property);
                }
            }
            _ => {}
        }
    }

    fn root_property(&mut self, property: &Property<'_>) {
        let ident = property.ident();
        let first = || Some(property.first().as_bytes().to_vec());
        if ident.is(b"GM") && self.gm.is_none() {
            self.gm = first();
        } else if ident.is(b"SZ") && self.size.is_none() {
            self.size = first();
        }
        let bytes = property.as_bytes();
        if self.root.len() + bytes.len() <= ROOT {
            self.root.extend_from_slice(bytes);
            self.ends.push((self.root.len(), property.first().framing()));
        }
    }

    /// The root is over: its game is known, and so is what its properties mean.
    fn end_root(&mut self) {
        if !std::mem::take(&mut self.is_root) {
            return;
        }
        let game = self.gm.as_deref().map_or(Game::Go, |raw| Game::parse_lenient(raw).value);
        let max = if game.has_two_letter_points() { BoardSize::MAX_TWO_LETTER } else { u32::from(u16::MAX) };
        let size = self.size.as_deref().and_then(|raw| BoardSize::parse_lenient_up_to(raw, max).ok());
        self.dialect = Dialect::new(game, size.map(|size: Lenient<BoardSize>| size.value));
        self.ids = game.move_ids();
        self.position = Position::new(&self.dialect);
        let root = std::mem::take(&mut self.root);
        let mut start = 0;
        let ends = std::mem::take(&mut self.ends);
        for &(end, framing) in &ends {
            if let Some(property) = Property::parse(&root[start..end], framing) {
                self.property(&property);
            }
            start = end;
        }
        (self.root, self.ends) = (root, ends);
    }

    fn property(&mut self, property: &Property<'_>) {
        let ident = property.ident();
        if !self.ids.is_move(property) {
            self.look_at_time(ident, property);
            if let Some(position) = &mut self.position {
                position.apply(property);
            }
            return;
        }
        let color = self.ids.color(ident).unwrap_or(1);
        let (field, captures) = match self.position.as_mut().map(|position| position.apply(property)) {
            Some(Applied::Played(played, result)) => {
                let played_what = result.unwrap_or_else(|illegal| illegal.played);
                (played.point(), Some(played_what.captured))
            }
            Some(_) => (None, None),
            None => {
                let read = self.dialect.parse_move(property.first().as_bytes());
                (read.ok().and_then(|read| read.point()), None)
            }
        };
        let mut text = String::new();
        for value in property.values() {
            let raw = value.as_bytes();
            if !text.is_empty() {
                text.push(',');
            }
            text.push_str(String::from_utf8_lossy(&raw[..raw.len().min(TEXT)]).trim());
            if text.len() > TEXT {
                break;
            }
        }
        self.ply += 1;
        let field = field.map(|field| (field.column, field.row));
        self.node.push(NodeMove { color, text, field, captures });
    }

    fn look_at_time(&mut self, ident: Ident<'_>, property: &Property<'_>) {
        let color = match ident.as_bytes() {
            b"BL" => 0,
            b"WL" => 1,
            _ => return,
        };
        let left = Real::parse_lenient(property.first().as_bytes()).ok();
        self.time_left[color] = left.map(|left| left.value.get()).or(self.time_left[color]);
    }

    fn end_node(&mut self, key: i64, rows: Option<&mut Rows>) {
        let time_left = std::mem::take(&mut self.time_left);
        let Some(rows) = rows else {
            return self.node.clear();
        };
        let first = self.ply - self.node.len() as u64;
        for (at, NodeMove { color, text, field, captures }) in self.node.drain(..).enumerate() {
            let int = |number: Option<i64>| number.map_or(Cell::Null, Cell::Int);
            let left = time_left.get(usize::from(color) - 1).copied().flatten();
            rows.push([
                Cell::Int(key),
                Cell::Int((first + at as u64 + 1) as i64),
                Cell::Text(["B", "W", "3", "4"][usize::from(color - 1) & 3]),
                Cell::Text(&text),
                int(field.map(|(column, _)| column.into())),
                int(field.map(|(_, row)| row.into())),
                left.map_or(Cell::Null, Cell::Float),
                int(captures.map(i64::from)),
            ]);
        }
    }
}
