//! Rows of the table of comments: `C`, `GC` and `N` of every node.

use sgfstream::event::{Event, Place};
use sgfstream_table::row::Cell;

use super::table::Rows;

/// Finds them.
#[derive(Default)]
pub(super) struct CommentRows {
    node: u64,
    /// A game's texts wait for its charset, which its root may say behind them:
    /// these are the values as written, and where their node stands.
    root: Vec<(&'static str, Vec<u8>, sgfstream::Framing)>,
}

/// Bytes of a root's texts that wait; more are read in the charset that is
/// known where they stand.
const ROOT: usize = 1 << 20;

impl CommentRows {
    /// `ply`: moves of the main line so far, if this is it.
    pub(super) fn event(&mut self, event: &Event<'_>, place: &Place, key: i64, ply: Option<u64>, rows: &mut Rows) {
        match event {
            Event::VariationStart { .. } if place.depth == 1 => {
                self.node = 0;
                self.root.clear();
            }
            Event::NodeStart { .. } => {
                if self.node == 1 {
                    self.tell_root(place, key, ply, rows);
                }
                self.node += 1;
            }
            Event::VariationEnd { .. } if self.node == 1 => self.tell_root(place, key, ply, rows),
            Event::Property(property) => {
                let Some(name) = name_of(property.ident()) else { return };
                let value = property.first();
                if self.node > 1 {
                    push(rows, key, self.node - 1, ply, name, &value.text());
                } else if self.root.iter().map(|(_, raw, _)| raw.len()).sum::<usize>() + value.as_bytes().len() <= ROOT
                {
                    self.root.push((name, value.as_bytes().to_vec(), value.framing()));
                } else {
                    push(rows, key, 0, ply, name, &value.text());
                }
            }
            Event::PropertyPart(part) if part.is_property_start() => {
                let Some(name) = name_of(part.ident()) else { return };
                push(rows, key, self.node.saturating_sub(1), ply, name, &part.content().text());
            }
            _ => {}
        }
    }

    fn tell_root(&mut self, place: &Place, key: i64, ply: Option<u64>, rows: &mut Rows) {
        for (name, raw, framing) in self.root.drain(..) {
            let text = sgfstream::RawValue::new(&raw, framing).with_charset(place.charset).text().into_owned();
            push(rows, key, 0, ply, name, &text);
        }
    }
}

fn name_of(ident: sgfstream::Ident<'_>) -> Option<&'static str> {
    ["C", "GC", "N"].into_iter().find(|name| ident.is(name.as_bytes()))
}

fn push(rows: &mut Rows, key: i64, node: u64, ply: Option<u64>, name: &str, text: &str) {
    let ply = ply.map_or(Cell::Null, |ply| Cell::Int(ply as i64));
    rows.push([Cell::Int(key), Cell::Int(node as i64), ply, Cell::Text(name), Cell::Text(text)]);
}
