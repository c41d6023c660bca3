//! Buffer of games until it is known which of them stay.

use std::io::{self, Write};
use std::ops::Range;

use sgfstream::Charset;

use super::HashedGame;
use crate::io::spill::Spill;

/// Size of a game. Of two games with one main line, the larger one is the more complete one.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GameSize {
    pub(super) nodes: u64,
    pub(super) comment_bytes: u64,
}

impl GameSize {
    /// Returns the rank among equal games. The most complete game is the first.
    pub(super) fn rank(self) -> (u64, u64) {
        (u64::MAX - self.nodes, u64::MAX - self.comment_bytes)
    }

    /// Returns whether it has more nodes or longer comments than `other`.
    pub(super) fn has_more(self, other: Self) -> bool {
        self.nodes > other.nodes || self.comment_bytes > other.comment_bytes
    }
}

/// Places, charsets and names of all games, whose bytes are in temporary files.
#[derive(Default)]
pub(super) struct StoredGames {
    /// Bytes of the games, set after all games were read.
    pub(super) bytes: Vec<Spill>,
    /// Name and charset of each game.
    texts: Spill,
    /// Numbers of each game: its spill, the start and end of its bytes, the starts of its name and
    /// of its charset, the end of the charset, and its size.
    numbers: Spill,
}

impl StoredGames {
    /// Adds the next game.
    pub(super) fn push(&mut self, game: &HashedGame, name: &str) -> io::Result<()> {
        let start = self.texts.len();
        self.texts.write_all(name.as_bytes())?;
        let charset = self.texts.len();
        self.texts.write_all(game.charset.as_bytes())?;
        self.numbers.push_numbers([
            game.spill as u64,
            game.bytes.start,
            game.bytes.end,
            start,
            charset,
            self.texts.len(),
            game.fullness.nodes,
            game.fullness.comment_bytes,
        ])
    }

    pub(super) fn count(&self) -> u64 {
        self.numbers.len() / Self::LEN
    }

    /// Bytes of the numbers of a game.
    const LEN: u64 = 64;

    /// Returns the numbers of a game.
    fn numbers(&mut self, game: u64) -> io::Result<[u64; 8]> {
        self.numbers.numbers(game * Self::LEN)
    }

    pub(super) fn fullness(&mut self, game: u64) -> io::Result<GameSize> {
        let [.., nodes, comment_bytes] = self.numbers(game)?;
        Ok(GameSize {
            nodes,
            comment_bytes,
        })
    }

    /// Writes consecutive games. Copies games that follow one another in a spill together.
    pub(super) fn copy(
        &mut self,
        mut games: Range<u64>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        while let Some(first) = games.next() {
            let [spill, start, mut end, ..] = self.numbers(first)?;
            for game in games.clone() {
                let [next_spill, next_start, next_end, ..] = self.numbers(game)?;
                if (next_spill, next_start) != (spill, end) {
                    break;
                }
                (end, games.start) = (next_end, game + 1);
            }
            self.bytes[spill as usize].copy(start, end - start, out)?;
        }
        Ok(())
    }

    pub(super) fn name(&mut self, game: u64) -> io::Result<String> {
        let [_, _, _, start, end, ..] = self.numbers(game)?;
        Ok(String::from_utf8_lossy(&self.text(start, end)?).into_owned())
    }

    pub(super) fn charset(&mut self, game: u64) -> io::Result<Option<Charset>> {
        let [_, _, _, _, start, end, ..] = self.numbers(game)?;
        Ok(Charset::for_label(&self.text(start, end)?))
    }

    fn text(&mut self, start: u64, end: u64) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        self.texts.copy(start, end - start, &mut text)?;
        Ok(text)
    }
}
