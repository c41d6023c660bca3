//! Charset of the texts that a program adds to a game.

use super::encode::WriteError;
use crate::base::Charset;

/// Charset of a game's texts, and whether a program may add texts to them.
///
/// A game that declares no charset ([`Charset::AUTO`]) has texts in UTF-8, or its charset is
/// unknown. It must not get a text in UTF-8 beside other bytes: then no charset would fit both.
/// ASCII is the same in all charsets.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextCharset {
    charset: Charset,
    /// Charset of the added texts with other characters than ASCII.
    added: Option<Charset>,
    /// Whether the game has bytes that are not UTF-8.
    has_other_bytes: bool,
}

impl TextCharset {
    /// Returns the charset of a game of these bytes.
    #[must_use]
    pub fn of(charset: Charset, game: &[u8]) -> Self {
        Self {
            charset,
            added: None,
            has_other_bytes: std::str::from_utf8(game).is_err(),
        }
    }

    /// Returns the charset.
    #[must_use]
    pub fn charset(self) -> Charset {
        self.charset
    }

    /// Returns the charset after the game declares this one.
    ///
    /// # Errors
    ///
    /// A text was added in another charset.
    pub fn declare(self, declared: Charset) -> Result<Self, WriteError> {
        match self.added {
            Some(written)
                if written != declared
                    && !(written.is_utf8_first() && declared.is_utf8_first()) =>
            {
                Err(WriteError::Charset { written, declared })
            }
            _ => Ok(Self {
                charset: declared,
                ..self
            }),
        }
    }

    /// Returns the charset of a game that also has these bytes.
    ///
    /// # Errors
    ///
    /// A text was added, and the charset of these bytes is unknown.
    pub fn with_bytes(self, bytes: &[u8]) -> Result<Self, WriteError> {
        let has_other_bytes = self.has_other_bytes || std::str::from_utf8(bytes).is_err();
        Self {
            has_other_bytes,
            ..self
        }
        .checked()
    }

    /// Returns the charset of a game to which the text is added.
    ///
    /// # Errors
    ///
    /// The text is not ASCII, and the charset of the game is unknown.
    pub fn with_text(self, text: &str) -> Result<Self, WriteError> {
        match text.is_ascii() {
            true => Ok(self),
            false => Self {
                added: Some(self.charset),
                ..self
            }
            .checked(),
        }
    }

    fn checked(self) -> Result<Self, WriteError> {
        let is_unknown = self.charset == Charset::AUTO && self.has_other_bytes;
        if is_unknown && self.added.is_some() {
            Err(WriteError::UnknownCharset)
        } else {
            Ok(self)
        }
    }
}
