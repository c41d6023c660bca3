//! What a caller may ask of a reader.

use crate::base::{Charset, Limits};

/// How values are framed; see [`Framing`](crate::Framing).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FramingPolicy {
    /// Byte by byte, as FF\[4\] says, except where a double-byte charset is
    /// declared or possible and that reading makes no sense.
    #[default]
    Auto,
    /// Byte by byte, always.
    Value,
    /// By whole characters, where the charset has second bytes that look like
    /// `[`, `\` or `]`.
    Whole,
}

/// How to read. `Options::default()` is what most want.
///
/// ```
/// use sgfstream::{Charset, EventReader, Options, SliceReader};
///
/// let options = Options { charset: Charset::for_label(b"GBK"), ..Options::default() };
/// let reader = SliceReader::with_options(b"(;C[\xba\xda])", options);
/// assert_eq!(reader.charset().name(), "GBK");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What may be held in memory.
    pub limits: Limits,
    /// How values are framed.
    pub framing: FramingPolicy,
    /// The charset of every game, whatever `CA` says.
    pub charset: Option<Charset>,
    /// The charset of the games that name none, found by looking at them;
    /// otherwise [`Charset::AUTO`].
    pub fallback: Option<Charset>,
    /// Give the bytes between events too, as [`Event::Gap`](crate::Event::Gap), so that the events
    /// hold every byte of the input.
    pub gaps: bool,
}
