//! The bytes before a chunk that have an unmatched parenthesis.

use sgfstream::{Options, Result, SliceReader};

use super::kept_game::MainLines;

/// The output from the last chunk that has an unmatched parenthesis, as far as a lookahead of the reader sees. The bytes after
/// such a parenthesis decide which games there are, so a repair of them may join games or part them.
#[derive(Debug)]
pub(super) struct UnclearGames {
    bytes: Vec<u8>,
    /// Whether bytes after the next chunk decide as well. Then that chunk is left.
    is_undecided: bool,
    options: Options,
}

impl UnclearGames {
    pub(super) fn new(options: Options) -> Self {
        Self { bytes: Vec::new(), is_undecided: false, options: options.with_detection(None) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn is_undecided(&self) -> bool {
        self.is_undecided
    }

    /// Adds the output of the next chunk.
    pub(super) fn add(&mut self, bytes: &[u8], is_ambiguous: bool, is_unbalanced: bool) {
        if self.bytes.len() + bytes.len() > self.options.limits.lookahead {
            self.bytes.clear();
            self.is_undecided = false;
        }
        if is_unbalanced || !self.is_empty() {
            self.bytes.extend_from_slice(bytes);
            self.is_undecided |= is_ambiguous && is_unbalanced;
        }
    }

    /// Returns whether `chunk`, which has `games` games on its own, adds as many after these bytes.
    pub(super) fn is_read_so(&self, chunk: &[u8], games: usize) -> Result<bool> {
        if self.is_empty() {
            return Ok(true);
        }
        let count =
            |bytes: &[u8]| MainLines::of(SliceReader::with_options(bytes, self.options)).map(|lines| lines.games);
        Ok(count(&[&self.bytes, chunk].concat())? == count(&self.bytes)? + games)
    }
}
