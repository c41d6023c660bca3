//! Where a game is in its input, and what its bytes lack.

use std::ops::Range;

use sgfstream::Span;

/// Where a game is in its input, and what its bytes lack to be a game on their
/// own. Exact: only a game that was read, or skipped and ends with its own
/// `)`, has one.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_table::row::{ColumnSet, Rows};
///
/// let input = b"mail (;B[aa]) (;B[bb](;C[cut";
/// let mut rows = Rows::new(SliceReader::new(input), ColumnSet::default());
/// assert!(rows.next_root()?);
/// rows.read_rest()?;
/// let extent = rows.extent().expect("it was read");
/// assert_eq!((extent.span.start, extent.span.end), (5, 13));
/// assert!(extent.is_whole());
/// assert!(rows.next_root()?);
/// rows.read_rest()?;
/// assert_eq!(rows.extent().expect("it was read").tail(), b"]))");
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameExtent {
    /// The game's bytes, from its `(` to its `)`.
    pub span: Span,
    /// Its `(` is missing.
    pub lacks_start: bool,
    /// The bytes that close the last value, where it lacks its `]`, and how many bytes they replace; see
    /// [`RawValue::closing`](sgfstream::RawValue::closing).
    pub(super) closing: Option<(&'static str, u8)>,
    /// How many `)` are missing at its end.
    pub lacks_ends: u64,
}

impl GameExtent {
    /// True if the bytes are a game without anything before or after them.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.lacks_start && self.closing.is_none() && self.lacks_ends == 0
    }

    /// Bytes to write before those of the game.
    #[must_use]
    pub fn head(&self) -> &'static [u8] {
        if self.lacks_start { b"(" } else { b"" }
    }

    /// Its bytes that are written: all, but for a last `\` that would escape the `]` that is supplied.
    #[must_use]
    pub fn kept(&self) -> Range<u64> {
        self.span.start..self.span.end - self.closing.map_or(0, |(_, dropped)| u64::from(dropped))
    }

    /// Bytes to write after those of the game that are [kept](Self::kept).
    #[must_use]
    pub fn tail(&self) -> Vec<u8> {
        let mut tail = self.closing.map_or_else(Vec::new, |(end, _)| end.as_bytes().to_vec());
        // A reader takes any depth; a file that lacks more than this is no game.
        tail.resize(tail.len() + self.lacks_ends.min(1 << 24) as usize, b')');
        tail
    }
}
