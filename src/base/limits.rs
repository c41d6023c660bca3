//! What the reader may hold in memory, and what it may be asked to stop at.

/// Bounds on what a reader buffers. Input is unbounded; these are not.
///
/// The first three decide how much is looked at before an event is given, so
/// they change the events of unusual input; they never lose any of it.
///
/// ```
/// use sgfstream::{Event, Limits, Options, SliceReader};
///
/// let limits = Limits { property: 16, ..Limits::default() };
/// let options = Options { limits, ..Options::default() };
/// let events = SliceReader::with_options(b"(;C[longer than sixteen bytes])", options);
/// let parts = events.filter(|event| matches!(event, Event::PropertyPart(_))).count();
/// assert_eq!(parts, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes from a property's identifier to its last `]`. A longer property
    /// comes as [`PropertyPart`](crate::PropertyPart)s, each piece of a value
    /// at most this long. Default 1 MiB; less than 16 is read as 16.
    pub property: usize,
    /// Bytes of an identifier. A longer one is reported
    /// (`identifier-too-long`) and belongs to nothing. Default 4096; less than
    /// 6 is read as 6.
    pub identifier: usize,
    /// Bytes to look ahead over blanks after a `(`. Default 4096; less than
    /// 64 is read as 64.
    pub lookahead: usize,
    /// How many parentheses that were dropped or supplied may be open at once
    /// and still find their partner. Default 4096.
    pub repairs: usize,
    /// Stop with an error below this depth of variations. Default: never.
    pub depth: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { property: 1 << 20, identifier: 4096, lookahead: 4096, repairs: 4096, depth: None }
    }
}
