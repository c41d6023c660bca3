//! Rows of the table of moves: the main line, each move with its effect on the
//! board, where one is known.

use sgfstream::event::{Event, Property};
use sgfstream::game::{Applied, Position};
use sgfstream::state::{GameState, RawMove, Step};
use sgfstream::value::Real;

use crate::row::Cell;

use super::table::TableRows;

/// Bytes of a move's text.
const TEXT: usize = 4096;

/// Moves of one node that wait for its end, which may state the time left.
const NODE: usize = 1024;

/// Follows the main line of one game after another.
#[derive(Default)]
pub(super) struct MoveRows {
    position: Option<Position>,
    /// Moves of the node that is being read.
    node: Vec<NodeMove>,
    time_left: [Option<f64>; 2],
}

struct NodeMove {
    ply: u64,
    color: u8,
    text: String,
    field: Option<(u16, u16)>,
    captures: Option<u32>,
}

impl MoveRows {
    pub(super) fn start_game(&mut self) {
        self.node.clear();
        self.time_left = [None; 2];
    }

    /// Takes an event of the main line.
    pub(super) fn event(
        &mut self,
        state: &GameState,
        step: Step,
        event: &Event<'_>,
        key: i64,
        rows: Option<&mut TableRows>,
    ) {
        if step == Step::RootEnd {
            self.position = Position::new(&state.dialect());
            let mut ply = 1;
            for property in state.root() {
                ply += self.property(state, &property, (ply..).zip(state.moves(&property)));
            }
        }
        match event {
            Event::NodeStart { .. } | Event::VariationEnd { .. } | Event::VariationStart { .. } if !state.in_root() => {
                self.end_node(key, rows);
            }
            Event::Property(property) if !state.in_root() => {
                if self.node.len() >= NODE {
                    self.end_node(key, rows);
                }
                if let Step::Move { color, point } = step {
                    let (field, captures) = self.play(state, property, &point);
                    let text = String::from_utf8_lossy(&point).trim().to_owned();
                    self.node.push(NodeMove { ply: state.ply(), color, text, field, captures });
                } else {
                    let moves = state.moves(property).map(|played| (played.ply, played));
                    self.property(state, property, moves);
                }
            }
            Event::PropertyPart(part) if !state.in_root() => {
                if let Some(played) = state.part_move(part) {
                    let text = move_text(&played);
                    self.node.push(NodeMove {
                        ply: played.ply,
                        color: played.color,
                        text,
                        field: None,
                        captures: None,
                    });
                }
            }
            _ => {}
        }
    }

    /// Takes a property and its moves, each with its number, and says how many
    /// it has.
    fn property<'m>(
        &mut self,
        state: &GameState,
        property: &Property<'_>,
        moves: impl Iterator<Item = (u64, RawMove<'m>)>,
    ) -> u64 {
        let mut count = 0;
        for (ply, played) in moves {
            let (field, captures) = match count {
                0 => self.play(state, property, &played.bytes()),
                // A board takes one move a property.
                _ => (field_of(state, &played.bytes()), None),
            };
            let text = move_text(&played);
            self.node.push(NodeMove { ply, color: played.color, text, field, captures });
            count += 1;
        }
        if count == 0 {
            self.look_at_time(property);
            if let Some(position) = &mut self.position {
                position.apply(property);
            }
        }
        count
    }

    /// The field of a move and what it took.
    fn play(&mut self, state: &GameState, property: &Property<'_>, value: &[u8]) -> (Option<(u16, u16)>, Option<u32>) {
        match self.position.as_mut().map(|position| position.apply(property)) {
            Some(Applied::Played(played, result)) => {
                let effect = result.unwrap_or_else(|illegal| illegal.played);
                (played.point().map(|field| (field.column, field.row)), Some(effect.captured))
            }
            Some(_) => (None, None),
            None => (field_of(state, value), None),
        }
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

    fn end_node(&mut self, key: i64, rows: Option<&mut TableRows>) {
        let time_left = std::mem::take(&mut self.time_left);
        let Some(rows) = rows else {
            return self.node.clear();
        };
        for NodeMove { ply, color, text, field, captures } in self.node.drain(..) {
            let int = |number: Option<i64>| number.map_or(Cell::Null, Cell::Int);
            let left = time_left.get(usize::from(color) - 1).copied().flatten();
            rows.push([
                Cell::Int(key),
                Cell::Int(ply as i64),
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

fn field_of(state: &GameState, value: &[u8]) -> Option<(u16, u16)> {
    state.dialect().parse_move(value).ok()?.point().map(|field| (field.column, field.row))
}

fn move_text(played: &RawMove<'_>) -> String {
    let mut text = String::new();
    for value in played.values() {
        let raw = value.as_bytes();
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(String::from_utf8_lossy(&raw[..raw.len().min(TEXT)]).trim());
        if text.len() > TEXT {
            break;
        }
    }
    text
}
