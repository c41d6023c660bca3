//! The first moves of games that came before, with the positions that they lead to: most games begin as another one did,
//! and to follow them on a board takes longer than the rest of the game's statistics.

use sgfstream_game::{Dialect, Opening, OpeningStart, Side};

use super::keyed::KeyedMap;
use super::{Board, PlayedMove};

/// How many starts of boards are kept, and how many moves of lines.
const STARTS: usize = 64;
const MOVES: usize = 1 << 15;

/// Lines of first moves, and what they are on the board. When it is full, it begins anew.
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
    /// The opening of a game with these first moves.
    pub(super) fn opening(&mut self, dialect: Dialect, board: Board, line: &[PlayedMove]) -> &Opening {
        let known = self.starts.iter().position(|start| start.dialect == dialect);
        let mut at = known.unwrap_or(self.starts.len());
        if known.is_none() || (self.moves >= MOVES && !self.starts[at].lines.contains_key(line)) {
            if self.starts.len() >= STARTS || self.moves >= MOVES {
                (self.starts, self.moves, at) = (Vec::new(), 0, 0);
            }
            self.starts.push(Start { dialect, start: OpeningStart::new(dialect), lines: KeyedMap::default() });
        }
        let Start { start, lines, .. } = &mut self.starts[at];
        if !lines.contains_key(line) {
            let played: Vec<PlayedMove> = line.iter().map(|&played| board.read(played)).collect();
            let moves = played.iter().map(|played| (Side::of_color(played.color()), played.as_bytes()));
            lines.insert(line.to_vec(), Opening::of(start, moves));
            self.moves += line.len().max(1);
        }
        &lines[line]
    }
}
