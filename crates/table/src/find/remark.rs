//! Nodes that say something about a position: a comment, a name, labels, or a judgment.

use sgfstream::record::{GameRecord, Token, TokenKind};
use sgfstream_game::{Dialect, internal::Key};

use super::{Continuation, Transform};

/// Node that says something about the position of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remark {
    /// Path of the node, as in a [`Hit`](super::Hit).
    pub node: String,
    /// Number of moves before the position.
    pub ply: u64,
    /// Symmetry and color swap from query to game.
    pub transform: Transform,
    /// The move of the node, from the view of the query, if the node judges this move and the
    /// position is the one before the move. `None` if the node itself has the position.
    pub next: Option<Continuation>,
    /// Game and size of the board.
    pub board: Dialect,
}

/// Whether the current node has remarks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeRemarks {
    pub(super) has_any: bool,
    pub(super) judges_move: bool,
    pub(super) has_move: bool,
}

impl NodeRemarks {
    /// Adds a property of the node.
    #[inline]
    pub(super) fn add(&mut self, game: &GameRecord<'_>, token: Token) {
        let key = Key::of_token(game, token);
        self.judges_move |= matches!(key, Key::TE | Key::BM | Key::DO | Key::IT);
        self.has_any |= self.judges_move
            || matches!(
                key,
                Key::C | Key::N | Key::LB | Key::GB | Key::GW | Key::UC | Key::DM
            );
    }
}

/// Returns whether a variation of the game has a remark.
pub(super) fn has_variation_remarks(game: &GameRecord<'_>) -> bool {
    let mut remarks = NodeRemarks::default();
    for &token in &game.tokens()[game.main_line().len()..] {
        if token.kind() == TokenKind::Property {
            remarks.add(game, token);
        }
    }
    remarks.has_any
}
