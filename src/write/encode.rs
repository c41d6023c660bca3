//! Encodes properties, and checks that a reader finds the same values again. Every writer of
//! properties uses this module.

use std::fmt;
use std::io;

use crate::base::Charset;
use crate::event::RawValue;
use crate::scan::{Framing, ValueEnd, value_end};

use super::escape::{escape_bytes, escape_text};

/// Reason why a property or a part of a game was not written.
///
/// ```
/// use sgfstream::{Charset, Framing, WriteError, encode_texts};
///
/// let found = encode_texts("PB", &["黑"], Charset::LATIN1, Framing::Value);
/// assert_eq!(found, Err(WriteError::Character { character: '黑', charset: Charset::LATIN1 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The identifier has bytes other than letters and digits, or only lowercase letters.
    Identifier,
    /// There are no values, or a reader would find other values in the bytes.
    Value,
    /// The charset of the game lacks a character of the text.
    Character {
        /// First character that the charset lacks.
        character: char,
        /// Charset of the game.
        charset: Charset,
    },
    /// The game declares its charset after text that is in another charset.
    Charset {
        /// Charset of the text.
        written: Charset,
        /// Charset that the game declares.
        declared: Charset,
    },
    /// The game declares no known charset and has text that is not UTF-8, so it cannot also have
    /// text that a program adds in UTF-8.
    UnknownCharset,
    /// A game, variation, node or property cannot be here. The text says why.
    Nesting(&'static str),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Identifier => f.write_str("an identifier has only capital letters and digits"),
            Self::Value => {
                f.write_str("the property needs one or more values with `]` and `\\` escaped")
            }
            Self::Character { character, charset } => {
                let charset = charset.name();
                write!(
                    f,
                    "the text has characters that {charset} cannot encode, such as `{character}`"
                )
            }
            Self::Charset { written, declared } => {
                write!(
                    f,
                    "the game declares {declared} after text in {written}; write `CA` first"
                )
            }
            Self::UnknownCharset => {
                let reason = "the game declares no known charset and has text that is not UTF-8, so text in UTF-8 does not fit";
                write!(f, "{reason}; set `CA` first, or read it with its charset")
            }
            Self::Nesting(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<WriteError> for io::Error {
    fn from(err: WriteError) -> Self {
        Self::new(io::ErrorKind::InvalidInput, err)
    }
}

/// Returns the bytes of a property with these values, which are in the charset of the game and
/// escaped ([`escape_text`], [`escape_bytes`]).
///
/// ```
/// use sgfstream::{Framing, encode_property, escape_text};
///
/// assert_eq!(
///     encode_property("C", [escape_text("see [1]")], Framing::Value)?,
///     b"C[see [1\\]]"
/// );
/// assert!(encode_property("C", ["see [1]"], Framing::Value).is_err());
/// # Ok::<(), sgfstream::WriteError>(())
/// ```
///
/// # Errors
///
/// Returns an error if `ident` is not an identifier, or if a reader would find other values.
pub fn encode_property<V: AsRef<[u8]>>(
    ident: impl AsRef<[u8]>,
    values: impl IntoIterator<Item = V>,
    framing: Framing,
) -> Result<Vec<u8>, WriteError> {
    let ident = ident.as_ref();
    let is_ident = ident.iter().all(u8::is_ascii_alphanumeric)
        && ident.iter().any(|b| !b.is_ascii_lowercase());
    if !is_ident {
        return Err(WriteError::Identifier);
    }
    let mut raw = ident.to_vec();
    let mut places = Vec::new();
    for value in values {
        let value = value.as_ref();
        let (kept, end) = RawValue::new(value, framing).closing();
        if kept.len() < value.len() || end.starts_with(' ') {
            return Err(WriteError::Value);
        }
        raw.push(b'[');
        let start = raw.len();
        raw.extend_from_slice(value);
        raw.extend_from_slice(end.as_bytes());
        places.push((start, raw.len() - 1));
    }
    // A reader may look at the bytes after a value to find its end.
    raw.push(b')');
    let is_found = |&(start, end): &(usize, usize)| matches!(value_end(&raw, start, start, true, framing), ValueEnd::Found { at, .. } if at == end);
    if places.is_empty() || !places.iter().all(is_found) {
        return Err(WriteError::Value);
    }
    raw.pop();
    Ok(raw)
}

/// Returns the bytes of a property with these texts, escaped and encoded in `charset`. A reader
/// then finds the same texts, with a space for each tab and LF for each line break.
///
/// ```
/// use sgfstream::{Charset, Framing, encode_texts};
///
/// let gbk = Charset::for_label(b"GBK").expect("a known name");
/// assert_eq!(encode_texts("C", &["黑 [1]"], gbk, Framing::Auto)?, b"C[\xba\xda [1\\]]");
/// # Ok::<(), sgfstream::WriteError>(())
/// ```
///
/// # Errors
///
/// Returns an error if `ident` is not an identifier, `charset` lacks a character, or a reader would
/// find other texts.
pub fn encode_texts<T: AsRef<str>>(
    ident: impl AsRef<[u8]>,
    texts: &[T],
    charset: Charset,
    framing: Framing,
) -> Result<Vec<u8>, WriteError> {
    let ident = ident.as_ref();
    let mut by_characters = Vec::with_capacity(texts.len());
    for text in texts {
        by_characters.push(encode(&escape_text(text.as_ref()), charset)?);
    }
    match checked(ident, &by_characters, texts, charset, framing) {
        // A byte of a character is `]` or `\`, and the game is read byte by byte, so escape these
        // bytes. The escape sequences of ISO-2022-JP would not survive this.
        Err(WriteError::Value) if charset.is_scannable() => {}
        result => return result,
    }
    let mut by_bytes = Vec::with_capacity(texts.len());
    for text in texts {
        by_bytes.push(escape_bytes(&encode(text.as_ref(), charset)?));
    }
    checked(ident, &by_bytes, texts, charset, framing)
}

fn encode(text: &str, charset: Charset) -> Result<Vec<u8>, WriteError> {
    charset.encode(text).ok_or_else(|| {
        let is_missing =
            |character: &char| charset.encode(character.encode_utf8(&mut [0; 4])).is_none();
        let character = text
            .chars()
            .find(is_missing)
            .unwrap_or(char::REPLACEMENT_CHARACTER);
        WriteError::Character { character, charset }
    })
}

/// Returns the bytes of the property, if its values decode to `texts`.
fn checked<T: AsRef<str>>(
    ident: &[u8],
    values: &[Vec<u8>],
    texts: &[T],
    charset: Charset,
    framing: Framing,
) -> Result<Vec<u8>, WriteError> {
    let raw = encode_property(ident, values, framing)?;
    for (value, text) in values.iter().zip(texts) {
        let value = RawValue::new(value, framing).with_charset(charset);
        let expected = escape_text(text.as_ref());
        let expected =
            RawValue::new(expected.as_bytes(), Framing::Value).with_charset(Charset::UTF_8);
        if value.text() != expected.text() {
            return Err(WriteError::Value);
        }
    }
    Ok(raw)
}
