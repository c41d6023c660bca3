//! Cache of openings: the first moves of earlier games, with the positions that they lead to. Most
//! games begin like an earlier one, and replaying them takes longer than all other statistics of a
//! game.

use sgfstream_game::{
    Dialect, Side,
    internal::{Opening, OpeningStart},
};

use super::keyed::KeyedMap;
use super::{BoardId, PlayedMove};

/// Maximum number of starting boards, and of moves in all lines.
const STARTS: usize = 64;
const MOVES: usize = 1 << 15;

/// Openings by their first moves. When the cache is full, it is emptied.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownLines {
    starts: Vec<Start>,
    moves: usize,
}

#[derive(Clone, Debug)]
struct Start {
    dialect: Dialect,
    start: OpeningStart,
    lines: KeyedMap<Vec<PlayedMove>, Opening>,
}

impl KnownLines {
    /// Returns the opening of a game with these first moves.
    pub(super) fn opening(
        &mut self,
        dialect: Dialect,
        board: BoardId,
        line: &[PlayedMove],
    ) -> &Opening {
        let known = self
            .starts
            .iter()
            .position(|start| start.dialect == dialect);
        let mut at = known.unwrap_or(self.starts.len());
        if known.is_none() || (self.moves >= MOVES && !self.starts[at].lines.contains_key(line)) {
            if self.starts.len() >= STARTS || self.moves >= MOVES {
                (self.starts, self.moves, at) = (Vec::new(), 0, 0);
            }
            self.starts.push(Start {
                dialect,
                start: OpeningStart::new(dialect),
                lines: KeyedMap::default(),
            });
        }
        let Start { start, lines, .. } = &mut self.starts[at];
        if !lines.contains_key(line) {
            let played: Vec<PlayedMove> = line.iter().map(|&played| board.read(played)).collect();
            let moves = played
                .iter()
                .map(|played| (Side::of_color(played.color()), played.as_bytes()));
            lines.insert(line.to_vec(), Opening::of(start, moves));
            self.moves += line.len().max(1);
        }
        &lines[line]
    }
}
