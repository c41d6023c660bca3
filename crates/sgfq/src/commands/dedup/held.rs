//! Games that wait until it is known which of them stay.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::ops::Range;
use std::rc::Rc;

use anyhow::Context;

use sgfstream::Charset;

use crate::io::spill::{Spill, SpillReader};

/// Size of a game: of two with one main line, the one with more is the fuller one.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fullness {
    pub(super) nodes: u64,
    pub(super) comment_bytes: u64,
}

impl Fullness {
    /// The rank among equal games: the fullest is the first.
    pub(super) fn rank(self) -> (u64, u64) {
        (u64::MAX - self.nodes, u64::MAX - self.comment_bytes)
    }

    /// Whether something of it is more than in `other`.
    pub(super) fn has_more(self, other: Self) -> bool {
        self.nodes > other.nodes || self.comment_bytes > other.comment_bytes
    }
}

/// The bytes, the charsets and the names of all games, in a temporary file.
#[derive(Default)]
pub(super) struct Held {
    games: Rc<RefCell<Spill>>,
    names: Spill,
    /// For each game, where its bytes and its name end, how much it holds, and the number of its charset.
    ends: Spill,
    /// Names of charsets; there are few.
    charsets: Vec<&'static str>,
    /// More bytes of the last game may come: how much it holds, and its charset.
    open: Option<(Fullness, u64)>,
}

impl Held {
    /// Takes bytes of games. Returns where they begin.
    pub(super) fn write(&mut self, bytes: &[u8]) -> anyhow::Result<u64> {
        let start = self.games.borrow().len();
        self.games.borrow_mut().write_all(bytes).context("temporary file")?;
        Ok(start)
    }

    /// Starts the next game, whose bytes begin at `at`.
    pub(super) fn start(
        &mut self,
        at: u64,
        charset: &'static str,
        name: &str,
        fullness: Fullness,
    ) -> anyhow::Result<()> {
        self.end_at(at)?;
        let known = self.charsets.iter().position(|&known| known == charset);
        let charset = known.unwrap_or_else(|| {
            self.charsets.push(charset);
            self.charsets.len() - 1
        });
        self.open = Some((fullness, charset as u64));
        self.names.write_all(name.as_bytes()).context("temporary file")
    }

    /// Ends the last game.
    pub(super) fn end(&mut self) -> anyhow::Result<()> {
        let end = self.games.borrow().len();
        self.end_at(end)
    }

    fn end_at(&mut self, at: u64) -> anyhow::Result<()> {
        if let Some((Fullness { nodes, comment_bytes }, charset)) = self.open.take() {
            let ends = [at, self.names.len(), nodes, comment_bytes, charset];
            self.ends.push_numbers(&ends).context("temporary file")?;
        }
        Ok(())
    }

    pub(super) fn count(&self) -> u64 {
        self.ends.len() / Self::LEN
    }

    /// Bytes of the numbers of a game.
    const LEN: u64 = 40;

    /// The numbers of a game.
    fn numbers(&mut self, game: u64) -> anyhow::Result<[u64; 5]> {
        Ok(self.ends.numbers(game * Self::LEN)?)
    }

    pub(super) fn fullness(&mut self, game: u64) -> anyhow::Result<Fullness> {
        let [_, _, nodes, comment_bytes, _] = self.numbers(game)?;
        Ok(Fullness { nodes, comment_bytes })
    }

    /// Where bytes and name of a game begin and end.
    fn range(&mut self, game: u64, place: usize) -> anyhow::Result<(u64, u64)> {
        let start = if game == 0 { 0 } else { self.numbers(game - 1)?[place] };
        Ok((start, self.numbers(game)?[place]))
    }

    /// Writes games that come one after another.
    pub(super) fn copy(&mut self, games: Range<u64>, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(last) = games.clone().last() else { return Ok(()) };
        let (start, end) = (self.range(games.start, 0)?.0, self.range(last, 0)?.1);
        Ok(self.games.borrow_mut().copy(start, end - start, out)?)
    }

    /// Reads the bytes of a game.
    pub(super) fn reader(&mut self, game: u64) -> anyhow::Result<impl Read> {
        let (start, end) = self.range(game, 0)?;
        Ok(SpillReader::of(&self.games, start, end))
    }

    pub(super) fn name(&mut self, game: u64) -> anyhow::Result<String> {
        let (start, end) = self.range(game, 1)?;
        let mut name = Vec::new();
        self.names.copy(start, end - start, &mut name)?;
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    pub(super) fn charset(&mut self, game: u64) -> anyhow::Result<Option<Charset>> {
        let [_, _, _, _, charset] = self.numbers(game)?;
        Ok(self.charsets.get(charset as usize).and_then(|name| Charset::for_label(name.as_bytes())))
    }
}
