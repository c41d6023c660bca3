//! The bytes before a chunk that have an unmatched parenthesis.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::Range;

use sgfstream::{Event, EventReader, Options, Result, SliceReader};

/// The output from the first chunk on that has an unmatched parenthesis and ended within a
/// lookahead of the reader. The bytes after such a parenthesis decide which games there are, so a
/// repair of them may join games or part them.
#[derive(Debug)]
pub(super) struct UnclearGames {
    bytes: Vec<u8>,
    /// The places in `bytes` of the chunks with an unmatched parenthesis.
    unclear: VecDeque<Range<usize>>,
    /// End of the last chunk after which bytes beyond the next chunk decide as well. Then that
    /// chunk is left.
    pub(super) undecided: Option<usize>,
    /// Number of games in `bytes`, once it is known.
    games: Cell<Option<usize>>,
    options: Options,
}

impl UnclearGames {
    pub(super) fn new(options: Options) -> Self {
        let options = options.with_detection(None);
        Self {
            bytes: Vec::new(),
            unclear: VecDeque::new(),
            undecided: None,
            games: Cell::default(),
            options,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.unclear.is_empty()
    }

    /// Adds the output of the next chunk.
    pub(super) fn add(&mut self, bytes: &[u8], is_ambiguous: bool, is_unbalanced: bool) {
        if self.is_empty() && !is_unbalanced {
            return;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        let end = self.bytes.len();
        self.games.set(None);
        if is_unbalanced {
            self.unclear.push_back(start..end);
            // Leave a long chunk undecided, because each later chunk would read it again.
            if is_ambiguous || bytes.len() > self.options.limits.lookahead {
                self.undecided = Some(end);
            }
        }
        self.forget_distant();
    }

    /// Drops the chunks from which the end of the bytes is out of sight.
    fn forget_distant(&mut self) {
        let is_distant = |end: usize| self.bytes.len() - end > self.options.limits.lookahead;
        if !self
            .unclear
            .front()
            .is_some_and(|first| is_distant(first.end))
        {
            return;
        }
        self.undecided = self.undecided.filter(|&end| !is_distant(end));
        let kept = self
            .unclear
            .iter()
            .position(|chunk| !is_distant(chunk.end))
            .unwrap_or(self.unclear.len());
        self.unclear.drain(..kept);
        let dropped = self
            .unclear
            .front()
            .map_or(self.bytes.len(), |first| first.start);
        self.bytes.drain(..dropped);
        self.undecided = self.undecided.map(|end| end - dropped);
        for chunk in &mut self.unclear {
            *chunk = chunk.start - dropped..chunk.end - dropped;
        }
    }

    /// Returns whether `chunk`, which has `games` games on its own, adds as many after these bytes.
    pub(super) fn is_read_so(&self, chunk: &[u8], games: usize) -> Result<bool> {
        if self.is_empty() {
            return Ok(true);
        }
        let before = match self.games.get() {
            Some(games) => games,
            None => self.count(&self.bytes)?,
        };
        self.games.set(Some(before));
        Ok(self.count(&[&self.bytes, chunk].concat())? == before + games)
    }

    /// Returns the number of games in `bytes`.
    fn count(&self, bytes: &[u8]) -> Result<usize> {
        let mut reader = SliceReader::with_options(bytes, self.options);
        let mut games = 0;
        while reader.advance()? {
            if matches!(reader.event(), Event::VariationStart(variation) if variation.is_game()) {
                games += 1;
                reader.skip_game();
            }
        }
        Ok(games)
    }
}
