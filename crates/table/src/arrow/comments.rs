//! Rows of the table of comments: `C`, `GC` and `N` of every node.

use sgfstream::{Event, Ident, Place, RawValue};
use sgfstream_game::{GameState, Step};

use crate::row::{Cell, LongValue};

use super::table_rows::TableRows;

/// Bytes of memory for the comments of one node of the main line that wait for the node's end: moves may come after
/// them. More have no ply.
const NODE: usize = 8 << 20;

/// Bytes that a comment takes beside its text.
const OVERHEAD: usize = 64;

/// Finds them.
#[derive(Default)]
pub(super) struct CommentRows {
    node: Vec<(&'static str, String)>,
    bytes: usize,
    /// A comment that comes in pieces.
    long: LongValue,
    /// Comments of the game that were cut.
    pub(super) cut: u64,
}

impl CommentRows {
    pub(super) fn start_game(&mut self) {
        self.node.clear();
        (self.bytes, self.cut) = (0, 0);
    }

    /// Takes an event.
    pub(super) fn event(
        &mut self,
        state: &GameState,
        step: Step,
        event: &Event<'_>,
        place: &Place,
        key: i64,
        rows: &mut TableRows,
    ) {
        let Self { node: waiting, bytes, long, cut } = self;
        let name_of = |ident: Ident<'_>| ["C", "GC", "N"].into_iter().find(|name| ident.is(name.as_bytes()));
        let mut take = |ident: Ident<'_>, value: RawValue<'_>, node: u64| {
            let Some(name) = name_of(ident) else { return };
            let text = value.text();
            if !state.on_main_line() || *bytes + text.len() + OVERHEAD > NODE {
                return push(rows, key, node, None, name, &text);
            }
            *bytes += text.len() + OVERHEAD;
            waiting.push((name, text.into_owned()));
        };
        if step == Step::RootEnd {
            for property in state.root() {
                take(property.ident(), property.first().with_charset(state.charset()), 0);
            }
        }
        let node = state.nodes().saturating_sub(1);
        match event {
            // A property of the root that is held waits for the charset.
            Event::Property(property) if step != Step::Held => take(property.ident(), property.first(), node),
            Event::PropertyPart(part) if part.value_index() == 0 && name_of(part.ident()).is_some() => {
                if let Some((value, is_cut)) = long.take(part) {
                    *cut += u64::from(is_cut);
                    take(part.ident(), value.with_charset(place.charset), node);
                }
            }
            Event::NodeStart { .. } if !state.in_root() => self.end_node(key, node - 1, state.ply(), rows),
            Event::VariationStart { .. } | Event::VariationEnd { .. } if !state.in_root() => {
                self.end_node(key, node, state.ply(), rows);
            }
            _ => {}
        }
    }

    fn end_node(&mut self, key: i64, node: u64, ply: u64, rows: &mut TableRows) {
        self.bytes = 0;
        for (name, text) in self.node.drain(..) {
            push(rows, key, node, Some(ply), name, &text);
        }
    }
}

fn push(rows: &mut TableRows, key: i64, node: u64, ply: Option<u64>, name: &str, text: &str) {
    let ply = ply.map_or(Cell::Null, |ply| Cell::Int(ply as i64));
    rows.push([Cell::Int(key), Cell::Int(node as i64), ply, Cell::Text(name), Cell::Text(text)]);
}
