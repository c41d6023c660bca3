//! Buffer of games until it is known which of them stay.

use std::io::Write;
use std::ops::Range;

use sgfstream::Charset;

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

/// Bytes, charsets and names of all games in a temporary file.
#[derive(Default)]
pub(super) struct StoredGames {
    games: Spill,
    names: Spill,
    /// Ends of the bytes and of the name, size, and number of the charset of each game.
    ends: Spill,
    /// Names of charsets. There are few.
    charsets: Vec<&'static str>,
    /// Size and charset of the last game, while more of its bytes may follow.
    open: Option<(GameSize, u64)>,
}

impl StoredGames {
    /// Appends bytes of the last game.
    pub(super) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        Ok(self.games.write_all(bytes)?)
    }

    /// Starts the next game.
    pub(super) fn start(
        &mut self,
        charset: &'static str,
        name: &str,
        fullness: GameSize,
    ) -> anyhow::Result<()> {
        self.end()?;
        let known = self.charsets.iter().position(|&known| known == charset);
        let charset = known.unwrap_or_else(|| {
            self.charsets.push(charset);
            self.charsets.len() - 1
        });
        self.open = Some((fullness, charset as u64));
        Ok(self.names.write_all(name.as_bytes())?)
    }

    /// Ends the last game.
    pub(super) fn end(&mut self) -> anyhow::Result<()> {
        if let Some((
            GameSize {
                nodes,
                comment_bytes,
            },
            charset,
        )) = self.open.take()
        {
            let ends = [
                self.games.len(),
                self.names.len(),
                nodes,
                comment_bytes,
                charset,
            ];
            self.ends.push_numbers(&ends)?;
        }
        Ok(())
    }

    pub(super) fn count(&self) -> u64 {
        self.ends.len() / Self::LEN
    }

    /// Bytes of the numbers of a game.
    const LEN: u64 = 40;

    /// Returns the numbers of a game.
    fn numbers(&mut self, game: u64) -> anyhow::Result<[u64; 5]> {
        Ok(self.ends.numbers(game * Self::LEN)?)
    }

    pub(super) fn fullness(&mut self, game: u64) -> anyhow::Result<GameSize> {
        let [_, _, nodes, comment_bytes, _] = self.numbers(game)?;
        Ok(GameSize {
            nodes,
            comment_bytes,
        })
    }

    /// Returns the range of the bytes or of the name of a game. `place` selects one of them.
    fn range(&mut self, game: u64, place: usize) -> anyhow::Result<(u64, u64)> {
        let start = if game == 0 {
            0
        } else {
            self.numbers(game - 1)?[place]
        };
        Ok((start, self.numbers(game)?[place]))
    }

    /// Writes consecutive games.
    pub(super) fn copy(&mut self, games: Range<u64>, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(last) = games.clone().last() else {
            return Ok(());
        };
        let (start, end) = (self.range(games.start, 0)?.0, self.range(last, 0)?.1);
        Ok(self.games.copy(start, end - start, out)?)
    }

    pub(super) fn name(&mut self, game: u64) -> anyhow::Result<String> {
        let (start, end) = self.range(game, 1)?;
        let mut name = Vec::new();
        self.names.copy(start, end - start, &mut name)?;
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    pub(super) fn charset(&mut self, game: u64) -> anyhow::Result<Option<Charset>> {
        let [_, _, _, _, charset] = self.numbers(game)?;
        Ok(self
            .charsets
            .get(charset as usize)
            .and_then(|name| Charset::for_label(name.as_bytes())))
    }
}
