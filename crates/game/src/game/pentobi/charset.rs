//! Charsets of Pentobi's documents.

use sgfstream::Charset;

/// Document that a reader follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Document {
    /// The current document: UTF-8 only (spec P-06).
    #[default]
    Current,
    /// The document of 2017-09-16: without `CA`, ISO-8859-1 (spec PO-02).
    Of2017,
    /// Both documents: valid UTF-8 is UTF-8, other bytes are ISO-8859-1 (spec PO-02).
    Both,
}

/// Returns the charset of a file without `CA`.
///
/// ```
/// use sgfstream_game::pentobi::{Document, default_charset};
///
/// assert_eq!(default_charset(Document::Current).decode(b"\xc3\xa9").0, "é");
/// assert_eq!(default_charset(Document::Of2017).decode(b"\xe9").0, "é");
/// assert_eq!(default_charset(Document::Both).decode(b"\xe9").0, "é");
/// ```
#[must_use]
pub const fn default_charset(document: Document) -> Charset {
    match document {
        Document::Current => Charset::UTF_8,
        Document::Of2017 => Charset::LATIN1,
        Document::Both => Charset::AUTO,
    }
}

/// Returns whether current versions accept a value of `CA`: no value, `utf-8` or `utf8` in any case
/// (spec P-09).
#[must_use]
pub fn accepts_charset(label: Option<&[u8]>) -> bool {
    label.is_none_or(|label| {
        label.eq_ignore_ascii_case(b"utf-8") || label.eq_ignore_ascii_case(b"utf8")
    })
}
