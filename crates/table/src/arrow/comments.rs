//! Rows of the table of comments: `C`, `GC` and `N` of every node.

use sgfstream::{Event, Ident, Place, RawValue};
use sgfstream_game::Step;

use crate::row::line::LineStep;

use super::columns::{AnyRows, TableRows};
use super::sink::{GameNow, TableSink, rows};
use super::table::{CommentColumns, CommentRow, Table};

/// Maximum memory for the comments of a main-line node that wait for its end, because moves may follow them. Further
/// comments get no ply.
const NODE: usize = 8 << 20;

/// Memory of a comment besides its text, in bytes.
const OVERHEAD: usize = 64;

/// Makes the rows of comments.
#[derive(Debug)]
pub(super) struct CommentRows {
    rows: TableRows<CommentColumns>,
    /// Comments that wait for the end of their node: number of the node, property, and text.
    waiting: Vec<(u64, &'static str, String)>,
    bytes: usize,
}

impl CommentRows {
    pub(super) fn new(table: &Table) -> Self {
        let rows = TableRows::new(CommentColumns::default(), table.schema());
        Self { rows, waiting: Vec::new(), bytes: 0 }
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
        self.bytes = 0;
    }

    fn event(&mut self, game: &GameNow<'_>, step: Step, event: &Event<'_>, _: &Place) {
        let state = game.state();
        if step == Step::RootEnd {
            for property in state.root() {
                self.take(game, property.ident(), property.first().with_charset(state.charset()), 0);
            }
        }
        let node = state.nodes().saturating_sub(1);
        // If the state holds a property of the root, wait until the charset is known.
        if let Event::Property(property) = event
            && step != Step::Held
        {
            self.take(game, property.ident(), property.first(), node);
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
