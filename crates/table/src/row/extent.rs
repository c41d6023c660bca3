//! Extent of a game in its input.

use std::io::{self, Write};
use std::ops::Range;

use sgfstream::Span;
use sgfstream::record::{GameRecord, Token, TokenKind};

/// Place of a game in its input, and the characters to add so that its bytes are a complete game.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_table::row::GameExtent;
///
/// let mut games = GameReader::new(SliceReader::new(b"mail (;B[aa]) (;B[bb](;C[cut"));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let extent = GameExtent::of(&game);
/// assert_eq!((extent.span.start, extent.span.end), (5, 13));
/// assert!(extent.is_whole());
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// assert_eq!(GameExtent::of(&game).tail(), b"]))");
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
    /// Returns the extent of a game that was read to its end.
    #[must_use]
    pub fn of(game: &GameRecord<'_>) -> Self {
        let tokens = game.tokens();
        let lacks_start = tokens.first().is_some_and(|open| open.is_inserted());
        let mut extent = Self {
            span: game.span(),
            lacks_start,
            ..Self::default()
        };
        // If the last `)` exists, so do all before it.
        if tokens.last().is_some_and(|close| close.is_inserted()) {
            let written = |kind| {
                tokens
                    .iter()
                    .filter(|token| token.kind() == kind && !token.is_inserted())
                    .count() as u64
            };
            let opened = written(TokenKind::Open) + u64::from(lacks_start);
            extent.lacks_ends = opened.saturating_sub(written(TokenKind::Close));
            let is_property =
                |token: &&Token| matches!(token.kind(), TokenKind::Property | TokenKind::Move);
            let last = tokens
                .iter()
                .rfind(is_property)
                .map(|&token| game.property(token));
            extent.closing = last.and_then(|property| property.cut_value()).map(|value| {
                let (kept, end) = value.closing();
                (end, (value.as_bytes().len() - kept.len()) as u8)
            });
        }
        extent
    }

    /// Writes the bytes of `game`, whose extent this is, as a complete game.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` fails.
    pub fn write(&self, game: &GameRecord<'_>, out: &mut dyn Write) -> io::Result<()> {
        let bytes = game.as_bytes();
        let dropped = self.closing.map_or(0, |(_, dropped)| usize::from(dropped));
        out.write_all(self.head())?;
        out.write_all(&bytes[..bytes.len() - dropped])?;
        out.write_all(&self.tail())
    }

    /// Returns whether the bytes are a game on their own.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.lacks_start && self.closing.is_none() && self.lacks_ends == 0
    }

    /// Returns the bytes to write before the bytes of the game.
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
        let mut tail = self
            .closing
            .map_or_else(Vec::new, |(end, _)| end.as_bytes().to_vec());
        // A reader accepts any depth, but an input that lacks more than this is not a game.
        tail.resize(tail.len() + self.lacks_ends.min(1 << 24) as usize, b')');
        tail
    }
}
