//! A finding with what the trail of its input knows: line, column, bytes.

use std::borrow::Cow;

use sgfstream::adapt::check::{Finding, Trail};
use sgfstream::base::{Code, Position, Span};

/// Bytes at fault that are shown with a message.
const FOUND: u64 = 60;

/// One finding on its way to the output.
pub(super) struct Line<'a> {
    pub(super) file: &'a str,
    pub(super) finding: &'a Finding,
    pub(super) trail: &'a Trail,
    pub(super) position: Position,
    /// The bytes at fault, if there are any and they are still known.
    pub(super) found: Option<String>,
}

impl<'a> Line<'a> {
    pub(super) fn new(file: &'a str, finding: &'a Finding, trail: &'a Trail) -> Self {
        let span = finding.span;
        let start = Span::new(span.start, span.end.min(span.start + FOUND));
        let found = trail.bytes_of(start).filter(|bytes| !bytes.is_empty()).map(|bytes| {
            let mut found = String::from_utf8_lossy(&bytes).into_owned();
            if start != span {
                found.push('…');
            }
            found
        });
        Self { file, finding, trail, position: trail.position_of(span.start), found }
    }

    /// The message; that of a reader's problem with the bytes.
    pub(super) fn message(&self) -> Cow<'_, str> {
        let message = &self.finding.message;
        match &self.found {
            // The reader's codes come first; it knows no bytes.
            Some(found) if self.finding.code <= Code::AssumedCharset && message == self.finding.code.message() => {
                Cow::Owned(format!("{message}: `{found}`"))
            }
            _ => Cow::Borrowed(message),
        }
    }
}
