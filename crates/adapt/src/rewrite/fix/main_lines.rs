//! Compares the main lines before and after a repair.

use std::hash::{DefaultHasher, Hash, Hasher};

use sgfstream::{Event, EventReader, Flow, Place, Result, Variation};
use sgfstream_game::{Game, GameState, RootRetention};

/// Returns whether a `]` or `\` may be the second byte of a character. Bytes before it decide that, so an edit may change
/// it. After valid UTF-8 there is no doubt.
pub(super) fn has_doubt(bytes: &[u8]) -> bool {
    let mut is_doubt = false;
    bytes.utf8_chunks().any(|chunk| {
        let was_doubt = std::mem::replace(&mut is_doubt, !chunk.invalid().is_empty());
        was_doubt && chunk.valid().starts_with([']', '\\'])
    })
}

/// Summary of the main lines of an input, for comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MainLines {
    /// A hash of each game's kind and the number of moves on its main line, in order. Unequal lines rarely collide. Games of
    /// Go without moves are skipped, because any text may become one.
    moves: u64,
    /// Number of games without their `)`.
    unclosed: u64,
}

impl MainLines {
    /// Reads the main lines of `reader`'s games.
    pub(super) fn of(reader: &mut impl EventReader) -> Result<Self> {
        let (mut state, mut lines, mut number, mut end) =
            (GameState::new(RootRetention::Moves), Self::default(), 0, (0, Game::Go));
        reader.drive(&mut |event: &Event<'_>, place: &Place| {
            if place.game != number {
                number = place.game;
                lines.end(end);
            }
            lines.unclosed += u64::from(matches!(event, Event::VariationEnd(Variation { depth: 1, supplied: true })));
            _ = state.event(event, place);
            end = (state.ply(), state.game());
            Flow::Go
        })?;
        _ = state.end_input();
        lines.end((state.ply(), state.game()));
        Ok(lines)
    }

    fn end(&mut self, (ply, game): (u64, Game)) {
        if ply > 0 || game != Game::Go {
            let mut hasher = DefaultHasher::new();
            (self.moves, ply, game).hash(&mut hasher);
            self.moves = hasher.finish();
        }
    }

    /// Returns whether the main lines are those of `before`. The repair may have closed games. If it opened one, the game
    /// would continue into the bytes after it.
    pub(super) fn are(self, before: Self) -> bool {
        self.moves == before.moves && self.unclosed <= before.unclosed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a `]` or `\` follows a byte of 0x80 or more that does not end a character of UTF-8.
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
        const BYTES: [&[u8]; 9] =
            [b"a", b"]", b"\\", b"\xC3\xA9", b"\xE9\xBB\x92", b"\xF0\x9F\x98\x80", b"\xC3", b"\xE9\xBB", b"\x92"];
        let mut rng = fastrand::Rng::with_seed(3);
        let mut doubts = [0; 2];
        for _ in 0..if cfg!(miri) { 10 } else { 3_000 } {
            let before = [0, 1, 5][rng.usize(..3)];
            let mut bytes = BYTES[[0, 3][rng.usize(..2)]].repeat(before);
            bytes.truncate(before);
            (0..rng.usize(..8)).for_each(|_| bytes.extend_from_slice(BYTES[rng.usize(..BYTES.len())]));
            let expected = slow_doubt(&bytes);
            doubts[usize::from(expected)] += 1;
            let found = has_doubt(&bytes);
            assert_eq!(found, expected, "{before} bytes, then {}", bytes[before..].escape_ascii());
        }
        assert!(doubts.iter().all(|&count| count > 500), "{doubts:?}");
    }
}
