//! Rows of the table of comments: `C`, `GC` and `N` of every node.

use sgfstream::{Event, Ident, Place, RawValue};
use sgfstream_game::Step;

use crate::row::LongValue;
use crate::row::line::LineStep;

use super::columns::{AnyRows, TableRows};
use super::sink::{GameEnd, GameNow, TableSink, rows};
use super::table::{CommentColumns, CommentRow, Table};

/// Bytes of memory for the comments of one node of the main line that wait for the node's end: moves may come after
/// them. More have no ply.
const NODE: usize = 8 << 20;

/// Bytes that a comment takes beside its text.
const OVERHEAD: usize = 64;

/// Finds them.
#[derive(Debug)]
pub(super) struct CommentRows {
    rows: TableRows<CommentColumns>,
    /// Comments that wait for the end of their node: its number, their property and text.
    waiting: Vec<(u64, &'static str, String)>,
    bytes: usize,
    /// A comment that comes in pieces.
    long: LongValue,
    /// Comments of the game that were cut.
    cut: u64,
}

impl CommentRows {
    pub(super) fn new(table: &Table) -> Self {
        let rows = TableRows::new(CommentColumns::default(), table.schema());
        Self { rows, waiting: Vec::new(), bytes: 0, long: LongValue::default(), cut: 0 }
    }

    fn take(&mut self, game: &GameNow<'_>, ident: Ident<'_>, value: RawValue<'_>, node: u64) {
        let Some(name) = name_of(ident) else { return };
        let text = value.text();
        if !game.state().on_main_line() || self.bytes + text.len() + OVERHEAD > NODE {
            return push(&mut self.rows, game.key, node, None, name, &text);
        }
        self.bytes += text.len() + OVERHEAD;
        self.waiting.push((node, name, text.into_owned()));
    }
}

impl TableSink for CommentRows {
    rows!();

    fn start_game(&mut self) {
        self.waiting.clear();
        (self.bytes, self.cut) = (0, 0);
    }

    fn event(&mut self, game: &GameNow<'_>, step: Step, event: &Event<'_>, place: &Place) {
        let state = game.state();
        if step == Step::RootEnd {
            for property in state.root() {
                self.take(game, property.ident(), property.first().with_charset(state.charset()), 0);
            }
        }
        let node = state.nodes().saturating_sub(1);
        match event {
            // A property of the root that is held waits for the charset.
            Event::Property(property) if step != Step::Held => {
                self.take(game, property.ident(), property.first(), node);
            }
            Event::PropertyPart(part) if part.value_index() == 0 && name_of(part.ident()).is_some() => {
                let mut long = std::mem::take(&mut self.long);
                if let Some((value, is_cut)) = long.take(part) {
                    self.cut += u64::from(is_cut);
                    self.take(game, part.ident(), value.with_charset(place.charset), node);
                }
                self.long = long;
            }
            _ => {}
        }
    }

    fn step(&mut self, game: &GameNow<'_>, step: &LineStep<'_>) {
        if matches!(step, LineStep::NodeEnd) {
            self.bytes = 0;
            for (node, name, text) in self.waiting.drain(..) {
                push(&mut self.rows, game.key, node, Some(game.state().ply()), name, &text);
            }
        }
    }

    fn end_game(&mut self, _: &GameNow<'_>, end: &mut GameEnd) {
        end.cut_texts += self.cut;
    }
}

fn name_of(ident: Ident<'_>) -> Option<&'static str> {
    ["C", "GC", "N"].into_iter().find(|name| ident.is(name.as_bytes()))
}

fn push(rows: &mut TableRows<CommentColumns>, key: i64, node: u64, ply: Option<u64>, name: &str, text: &str) {
    rows.push(CommentRow {
        key: Some(key),
        node: Some(node as i64),
        ply: ply.map(|ply| ply as i64),
        property: Some(name),
        text: Some(text),
    });
}
