//! Extent of a game in its input.

use std::ops::Range;

use sgfstream::Span;

/// Place of a game in its input, and the characters to add so that its bytes are a complete game. The extent is exact. So a
/// game has one only if the reader read it, or skipped it up to its own `)`.
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
    /// Bytes of the game, from its `(` to its `)`.
    pub span: Span,
    /// Whether the `(` is missing.
    pub lacks_start: bool,
    /// Characters that close an unclosed last value, and the number of bytes that they replace; see
    /// [`RawValue::closing`](sgfstream::RawValue::closing).
    pub(super) closing: Option<(&'static str, u8)>,
    /// Number of `)` missing at the end.
    pub lacks_ends: u64,
}

impl GameExtent {
    /// Returns whether the bytes are a game on their own.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.lacks_start && self.closing.is_none() && self.lacks_ends == 0
    }

    /// Returns the bytes to write before those of the game.
    #[must_use]
    pub fn head(&self) -> &'static [u8] {
        if self.lacks_start { b"(" } else { b"" }
    }

    /// Returns the range of bytes to write: all, except a last `\` that would escape the added `]`.
    #[must_use]
    pub fn kept(&self) -> Range<u64> {
        self.span.start..self.span.end - self.closing.map_or(0, |(_, dropped)| u64::from(dropped))
    }

    /// Returns the bytes to write after the [kept](Self::kept) ones.
    #[must_use]
    pub fn tail(&self) -> Vec<u8> {
        let mut tail = self.closing.map_or_else(Vec::new, |(end, _)| end.as_bytes().to_vec());
        // A reader accepts any depth, but an input that lacks more than this is not a game.
        tail.resize(tail.len() + self.lacks_ends.min(1 << 24) as usize, b')');
        tail
    }
}
