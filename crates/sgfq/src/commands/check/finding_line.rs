//! A finding with its place: line, column, bytes.

use std::borrow::Cow;
use std::sync::Arc;

use sgfstream::{Charset, Code, Position, Span};
use sgfstream_adapt::check::Finding;

use super::source_text::{SourceLine, SourceText};

/// Maximum faulty bytes shown with a message.
const FOUND: u64 = 60;

/// Parts of a line that an output format needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// Whether it needs the source line.
    pub(super) source: bool,
    /// Whether it needs the column in characters.
    pub(super) characters: bool,
}

/// A finding ready for output.
#[derive(Debug)]
pub(super) struct FindingLine {
    pub(super) file: Arc<str>,
    /// Length of the prefix of `file` that names a file on disk. The rest names a member of an
    /// archive.
    pub(super) source_len: usize,
    pub(super) finding: Finding,
    pub(super) position: Position,
    /// Faulty bytes, if there are any and they are still buffered.
    pub(super) found: Option<String>,
    pub(super) source: Option<SourceLine>,
    /// Charset of the game, for decoding the bytes.
    pub(super) charset: Charset,
    pub(super) characters: Option<u64>,
}

impl FindingLine {
    pub(super) fn new(
        file: Arc<str>,
        finding: Finding,
        position: Position,
        charset: Charset,
        text: SourceText<'_>,
        needs: Needs,
    ) -> Self {
        let span = finding.span;
        let start = Span::new(span.start, span.end.min(span.start + FOUND));
        let found = text
            .bytes_of(start)
            .filter(|bytes| !bytes.is_empty())
            .map(|bytes| {
                let mut found = charset.decode(&bytes).0.into_owned();
                if start != span {
                    found.push('…');
                }
                found
            });
        Self {
            source_len: file.len(),
            file,
            finding,
            position,
            found,
            source: needs.source.then(|| text.line_of(span)).flatten(),
            charset,
            characters: needs
                .characters
                .then(|| text.characters_to(span.start))
                .flatten(),
        }
    }

    /// Returns the message. For a problem of the reader, it includes the bytes.
    pub(super) fn message(&self) -> Cow<'_, str> {
        let message = &self.finding.message;
        match &self.found {
            // The codes of the reader come first. Its messages contain no bytes.
            Some(found)
                if self.finding.code <= Code::AssumedCharset
                    && message == self.finding.code.message() =>
            {
                Cow::Owned(format!("{message}: `{found}`"))
            }
            _ => Cow::Borrowed(message),
        }
    }
}
