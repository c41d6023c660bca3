//! A finding with its place: line, column, bytes.

use std::borrow::Cow;

use sgfstream::{Charset, Code, Position, Span};
use sgfstream_adapt::check::{Finding, SourceLine, SourceWindow};

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
pub(super) struct Line<'a> {
    pub(super) file: Cow<'a, str>,
    /// Length of the prefix of `file` that names a file on disk. The rest names a member of an archive.
    pub(super) source_len: usize,
    pub(super) finding: Cow<'a, Finding>,
    pub(super) position: Position,
    /// Faulty bytes, if there are any and they are still buffered.
    pub(super) found: Option<String>,
    pub(super) source: Option<SourceLine>,
    /// Charset of the game, for decoding the bytes.
    pub(super) charset: Charset,
    pub(super) characters: Option<u64>,
}

impl<'a> Line<'a> {
    pub(super) fn new(
        file: &'a str,
        finding: &'a Finding,
        trail: &SourceWindow,
        charset: Charset,
        needs: Needs,
    ) -> Self {
        let span = finding.span;
        let start = Span::new(span.start, span.end.min(span.start + FOUND));
        let found = trail.bytes_of(start).filter(|bytes| !bytes.is_empty()).map(|bytes| {
            let mut found = charset.decode(&bytes).0.into_owned();
            if start != span {
                found.push('…');
            }
            found
        });
        let position = trail.position_of(span.start);
        let source = needs.source.then(|| trail.line_of(span)).flatten();
        let characters = needs.characters.then(|| trail.characters_to(position)).flatten();
        Self {
            file: file.into(),
            source_len: file.len(),
            finding: Cow::Borrowed(finding),
            position,
            found,
            source,
            charset,
            characters,
        }
    }

    /// Returns an owned copy.
    pub(super) fn into_kept(self) -> Line<'static> {
        let Self { file, source_len, finding, position, found, source, charset, characters } = self;
        let (file, finding) = (Cow::Owned(file.into_owned()), Cow::Owned(finding.into_owned()));
        Line { file, source_len, finding, position, found, source, charset, characters }
    }

    /// Returns the message. For a problem of the reader, it includes the bytes.
    pub(super) fn message(&self) -> Cow<'_, str> {
        let message = &self.finding.message;
        match &self.found {
            // The codes of the reader come first. Its messages contain no bytes.
            Some(found) if self.finding.code <= Code::AssumedCharset && message == self.finding.code.message() => {
                Cow::Owned(format!("{message}: `{found}`"))
            }
            _ => Cow::Borrowed(message),
        }
    }
}

/// Converts `at` to a position relative to `start`, which precedes it and becomes line 1.
pub(super) fn since(start: Position, at: Position) -> Position {
    let is_same_line = at.line == start.line;
    let column = if is_same_line { at.byte + 1 - start.byte } else { at.column };
    Position { line: at.line - start.line + 1, column, ..at }
}

/// Converts `at`, which is relative to `start`, to a position in the input.
pub(crate) fn after(start: Position, at: Position) -> Position {
    let column = if at.line == 1 { start.column + at.column - 1 } else { at.column };
    Position { line: start.line + at.line - 1, column, ..at }
}
