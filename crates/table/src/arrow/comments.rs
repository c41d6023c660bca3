//! Rows of the table of comments: `C`, `GC` and `N` of every node.

use arrow_schema::SchemaRef;
use sgfstream::record::{Token, TokenKind};
use sgfstream_game::internal::Key;

use super::columns::{AnyRows, TableRows};
use super::sink::{GameNow, TableSink, rows};
use super::table::{CommentColumns, CommentRow};
use super::tabulation::FULL;

/// Makes the rows of comments.
#[derive(Debug)]
pub(super) struct CommentRows {
    rows: TableRows<CommentColumns>,
    /// Nodes of the game so far.
    nodes: u64,
    /// Moves of the main line so far.
    ply: u64,
}

impl CommentRows {
    pub(super) fn new(schema: &SchemaRef) -> Self {
        Self {
            rows: TableRows::new(CommentColumns::default(), schema),
            nodes: 0,
            ply: 0,
        }
    }

    /// Adds the comments of a node; `tokens` are its properties. In the main line, they have the
    /// number of its last move.
    fn add_node(&mut self, game: &GameNow<'_>, tokens: &[Token], is_main_line: bool) {
        let record = game.facts.record();
        if is_main_line {
            self.ply += tokens
                .iter()
                .map(|&token| game.facts.moves_of_token(token).count() as u64)
                .sum::<u64>();
        }
        let ply = is_main_line.then_some(self.ply);
        for &token in tokens {
            let name = match token.kind() {
                TokenKind::Property => name_of(Key::of_token(&record, token)),
                _ => None,
            };
            if let Some(name) = name {
                let text = record.property(token).first().text();
                push(&mut self.rows, game.key, self.nodes - 1, ply, name, &text);
            }
        }
    }
}

impl TableSink for CommentRows {
    rows!();

    fn start_game(&mut self) {
        (self.nodes, self.ply) = (0, 0);
    }

    fn add_nodes(&mut self, game: &GameNow<'_>, token: usize) -> Option<usize> {
        let record = game.facts.record();
        let (tokens, main_line) = (record.tokens(), record.main_line().len());
        let mut at = token;
        while let Some(token) = tokens.get(at) {
            at += 1;
            let is_main_line = at <= main_line;
            self.nodes += token.nodes() as u64;
            if is_main_line && token.kind() == TokenKind::Run && game.facts.has_letters() {
                self.ply += token.nodes() as u64;
            }
            if token.nodes() > 0 {
                let is_of_node = |token: &&Token| {
                    matches!(
                        token.kind(),
                        TokenKind::Property | TokenKind::Move | TokenKind::Problem
                    )
                };
                let len = tokens[at..].iter().take_while(is_of_node).count();
                self.add_node(game, &tokens[at..at + len], is_main_line);
                at += len;
            }
            if self.rows.bytes() > FULL {
                return Some(at);
            }
        }
        None
    }
}

fn name_of(key: Key) -> Option<&'static str> {
    match key {
        Key::C => Some("C"),
        Key::GC => Some("GC"),
        Key::N => Some("N"),
        _ => None,
    }
}

fn push(
    rows: &mut TableRows<CommentColumns>,
    key: i64,
    node: u64,
    ply: Option<u64>,
    name: &str,
    text: &str,
) {
    rows.push(CommentRow {
        key: Some(key),
        node: Some(node as i64),
        ply: ply.map(|ply| ply as i64),
        property: Some(name),
        text: Some(text),
    });
}
