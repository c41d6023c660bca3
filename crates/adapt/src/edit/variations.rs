//! `main-line`, `depth` and `moves`: cut the tree.

use sgfstream::record::{GameRecord, TokenKind};

use super::{EditContext, EditOutput, GameEdit};

/// Edit that keeps variations to a depth. It reduces deeper ones to their first line, which becomes
/// part of the variation above.
pub(super) struct Depth {
    name: &'static str,
    max: u64,
}

impl Depth {
    /// Returns the edit that keeps variations to the depth `max`; 1 keeps the main line only.
    pub(super) fn new(max: u64) -> Self {
        Self {
            name: "depth",
            max: max.max(1),
        }
    }

    pub(super) fn main_line() -> Self {
        Self {
            name: "main-line",
            ..Self::new(1)
        }
    }
}

/// Returns the place of the first token from an index on that is not a problem, or the end of the
/// game.
fn place_from(game: &GameRecord<'_>, index: usize) -> usize {
    let mut rest = game.tokens()[index..].iter();
    rest.find(|token| token.kind() != TokenKind::Problem)
        .map_or(game.as_bytes().len(), |token| token.at())
}

impl GameEdit for Depth {
    fn name(&self) -> &'static str {
        self.name
    }

    fn edit(&self, game: &GameRecord<'_>, _: &EditContext, out: &mut EditOutput) {
        let mut depth = 0;
        // A variation deeper than `max` has ended since the last kept variation began, so that the
        // next one there is not a first line.
        let mut is_closed = false;
        // Depth and place of the variation that is dropped.
        let mut dropped: Option<(u64, usize)> = None;
        for (index, &token) in game.tokens().iter().enumerate() {
            let next = || place_from(game, index + 1);
            match token.kind() {
                TokenKind::Open => {
                    depth += 1;
                    if dropped.is_some() {
                        continue;
                    }
                    if depth <= self.max {
                        is_closed = false;
                    } else if is_closed {
                        dropped = Some((depth, token.at()));
                        out.count(1);
                    } else {
                        out.edits.delete(token.at()..next());
                    }
                }
                TokenKind::Close => {
                    depth -= 1;
                    if let Some((outer, start)) = dropped {
                        if depth + 1 == outer {
                            out.edits.delete(start..next());
                            dropped = None;
                        }
                    } else if depth + 1 > self.max {
                        is_closed = true;
                        out.edits.delete(token.at()..next());
                    }
                }
                _ => {}
            }
        }
    }
}

/// Edit that ends each line after a number of moves.
pub(super) struct Moves {
    max: u64,
}

impl Moves {
    pub(super) fn new(max: u64) -> Self {
        Self { max }
    }
}

/// A variation that has not ended. It is small, because variations may be nested deeply.
struct OpenVariation {
    /// Place of its `(`.
    at: u32,
    /// Moves before it.
    played: u32,
    /// Whether it has a node.
    has_node: bool,
}

/// The rest of a variation, which is dropped.
struct DroppedRest {
    depth: usize,
    start: usize,
    /// Whether no node of the variation stays.
    is_whole: bool,
}

impl GameEdit for Moves {
    fn name(&self) -> &'static str {
        "moves"
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        let ids = at.game.move_ids();
        let mut nodes = game.nodes().peekable();
        let mut open: Vec<OpenVariation> = Vec::new();
        let (mut played, mut is_root) = (0, true);
        let mut dropped: Option<DroppedRest> = None;
        for (index, &token) in game.tokens().iter().enumerate() {
            match token.kind() {
                TokenKind::Open => open.push(OpenVariation {
                    at: token.at() as u32,
                    played,
                    has_node: false,
                }),
                TokenKind::Close => {
                    if let Some(rest) = dropped.take_if(|rest| rest.depth == open.len()) {
                        let end = if rest.is_whole {
                            place_from(game, index + 1)
                        } else {
                            token.at()
                        };
                        out.edits.delete(rest.start..end);
                    }
                    played = open.pop().map_or(0, |ended| ended.played);
                }
                _ => {}
            }
            while let Some(node) = nodes.next_if(|node| node.token_index() == index) {
                if dropped.is_some() {
                    continue;
                }
                let moves = node
                    .properties()
                    .filter(|(_, property)| ids.is_move(property))
                    .count() as u32;
                let is_first = open.last().is_none_or(|last| !last.has_node);
                if moves > 0 && !is_root && u64::from(played + moves) > self.max {
                    let before = open.last().filter(|_| is_first);
                    let start = before.map_or(node.start(), |variation| variation.at as usize);
                    out.count(1);
                    dropped = Some(DroppedRest {
                        depth: open.len(),
                        start,
                        is_whole: is_first,
                    });
                }
                played += moves;
                is_root = false;
                if let Some(last) = open.last_mut() {
                    last.has_node = true;
                }
            }
        }
    }
}
