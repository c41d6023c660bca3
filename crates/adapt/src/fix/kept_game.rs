//! Compares games before and after a repair.

use std::hash::{DefaultHasher, Hash, Hasher};

use sgfstream::record::{GameItem, GameReader, GameRecord, TokenKind};
use sgfstream::{EventReader, Result};
use sgfstream_game::{Facts, Game, GameBoard, facts::Replay};

use crate::borders::is_stray;

/// Returns whether a `]` or `\` may be the second byte of a character. Bytes before it decide that,
/// so an edit may change it. After valid UTF-8 there is no doubt.
pub(super) fn has_doubt(bytes: &[u8]) -> bool {
    let mut is_doubt = false;
    bytes.utf8_chunks().any(|chunk| {
        let was_doubt = std::mem::replace(&mut is_doubt, !chunk.invalid().is_empty());
        was_doubt && chunk.valid().starts_with([']', '\\'])
    })
}

/// Summary of the main lines of an input, for comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MainLines {
    /// Each game's kind and the number of moves on its main line. Games of Go without moves are
    /// skipped, because any text may become one.
    moves: Vec<(Game, usize)>,
    /// Number of games.
    pub(super) games: usize,
    /// Number of games without their `)`.
    unclosed: usize,
    /// Number of problems that a value causes which ends elsewhere.
    strays: usize,
}

impl MainLines {
    /// Reads the main lines of `reader`'s games.
    pub(super) fn of(reader: impl EventReader) -> Result<Self> {
        let (mut lines, mut games) = (Self::default(), GameReader::new(reader));
        while let Some(game) = games.next_game()? {
            lines.games += 1;
            let Ok(game) = game else { continue };
            lines.strays += game
                .problems()
                .iter()
                .filter(|problem| is_stray(problem.code))
                .count();
            let facts = Facts::of(game, 0);
            let mut moves = 0;
            for item in game.items(game.main_line()) {
                if let GameItem::Property(_, property) = item {
                    moves += facts.moves_of(&property).count();
                }
            }
            if moves > 0 || facts.game != Game::Go {
                lines.moves.push((facts.game, moves));
            }
            let last = game.tokens().last();
            lines.unclosed += usize::from(
                last.is_some_and(|token| token.kind() == TokenKind::Close && token.is_inserted()),
            );
        }
        Ok(lines)
    }

    /// Returns whether the main lines equal the main lines of `before`. The repair may have closed
    /// games. If it opened one, the game would continue into the bytes after it.
    pub(super) fn are(&self, before: &Self) -> bool {
        let has_games = self.moves == before.moves && self.games == before.games;
        has_games && self.unclosed <= before.unclosed && self.strays <= before.strays
    }

    /// Returns the kinds of the games, except Go: a repair may find games of Go in any text.
    pub(super) fn other_games(&self) -> impl Iterator<Item = Game> {
        let kinds = self.moves.iter().map(|(kind, _)| *kind);
        kinds.filter(|kind| *kind != Game::Go)
    }
}

/// Returns hashes of the boards of games node by node, with whose turn it is. A board that equals
/// the one before it is skipped.
pub(super) fn boards(reader: impl EventReader) -> Result<Vec<u64>> {
    let (mut boards, mut games) = (Vec::new(), GameReader::new(reader));
    while let Some(game) = games.next_game()? {
        if let Ok(game) = game {
            add_boards(&game, &mut boards);
        }
    }
    Ok(boards)
}

fn add_boards(game: &GameRecord<'_>, boards: &mut Vec<u64>) {
    let facts = Facts::of(*game, 0);
    let dialect = facts.dialect();
    let mut hasher = DefaultHasher::new();
    (dialect.game(), dialect.size(), dialect.has_size()).hash(&mut hasher);
    let kind = hasher.finish();
    let Ok(mut replay) = facts.replay_boards() else {
        boards.push(kind);
        return;
    };
    let mut add = |replay: &Replay| {
        let turn = replay.to_move().map_or(0, |side| u64::from(side.color()));
        let board = replay
            .board()
            .and_then(GameBoard::hash)
            .map_or(0, |hash| hash.plain());
        let hash = board.rotate_left(1) ^ kind ^ turn;
        if replay.follows() && boards.last() != Some(&hash) {
            boards.push(hash);
        }
    };
    replay
        .board_mut()
        .into_iter()
        .for_each(GameBoard::keep_plain_hash);
    let (mut is_first, mut depth) = (true, 0_u64);
    for item in game.items(game.tokens()) {
        match item {
            GameItem::Property(_, property) => replay.apply(&property),
            GameItem::Node if is_first => is_first = false,
            GameItem::Node => add(&replay),
            GameItem::VariationStart => {
                depth += 1;
                if depth > 1 {
                    add(&replay);
                    replay.start_variation();
                }
            }
            GameItem::VariationEnd => {
                add(&replay);
                depth -= 1;
                if depth > 0 {
                    replay.end_variation();
                }
            }
            _ => {}
        }
    }
}

/// Returns whether `after` has the boards `before` in their order. It may have further boards
/// between them, because a repair may split a node.
pub(super) fn are_kept(before: &[u64], after: &[u64]) -> bool {
    let mut rest = after.iter();
    before.iter().all(|board| rest.any(|other| other == board)) && rest.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a `]` or `\` follows a byte of 0x80 or more that does not end a character of
    /// UTF-8.
    fn slow_doubt(bytes: &[u8]) -> bool {
        bytes.iter().enumerate().any(|(at, &byte)| {
            let is_character = |len: usize| {
                at.checked_sub(len)
                    .and_then(|start| std::str::from_utf8(&bytes[start..at]).ok())
                    .is_some_and(|text| text.chars().count() == 1)
            };
            matches!(byte, b']' | b'\\') && at > 0 && !(1..=4).any(is_character)
        })
    }

    #[test]
    fn doubt_is_that_of_a_slow_search() {
        const BYTES: [&[u8]; 9] = [
            b"a",
            b"]",
            b"\\",
            b"\xC3\xA9",
            b"\xE9\xBB\x92",
            b"\xF0\x9F\x98\x80",
            b"\xC3",
            b"\xE9\xBB",
            b"\x92",
        ];
        let mut rng = fastrand::Rng::with_seed(3);
        let mut doubts = [0; 2];
        for _ in 0..if cfg!(miri) { 10 } else { 3_000 } {
            let before = [0, 1, 5][rng.usize(..3)];
            let mut bytes = BYTES[[0, 3][rng.usize(..2)]].repeat(before);
            bytes.truncate(before);
            (0..rng.usize(..8))
                .for_each(|_| bytes.extend_from_slice(BYTES[rng.usize(..BYTES.len())]));
            let expected = slow_doubt(&bytes);
            doubts[usize::from(expected)] += 1;
            let found = has_doubt(&bytes);
            assert_eq!(
                found,
                expected,
                "{before} bytes, then {}",
                bytes[before..].escape_ascii()
            );
        }
        assert!(doubts.iter().all(|&count| count > 500), "{doubts:?}");
    }
}
