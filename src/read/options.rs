//! How to read.

use crate::base::{Charset, Limits, setters};

/// How values are framed; see [`Framing`](crate::Framing).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
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

/// How to read. The default suits most input.
///
/// ```
/// use sgfstream::{Charset, EventReader, Options, SliceReader};
///
/// let options = Options::default().with_charset(Charset::for_label(b"GBK"));
/// let reader = SliceReader::with_options(b"(;C[\xba\xda])", options);
/// assert_eq!(reader.charset().name(), "GBK");
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Bounds on memory and depth.
    pub limits: Limits,
    /// How values are framed.
    pub framing: FramingPolicy,
    /// The charset of every game, whatever `CA` says.
    pub charset: Option<Charset>,
    /// The charset of games that name none, where the caller has detected one;
    /// otherwise it is [`Charset::AUTO`].
    pub fallback: Option<Charset>,
    /// Also give the bytes between events, as [`Event::Gap`](crate::Event::Gap), so that the events
    /// hold every byte of the input.
    pub gaps: bool,
}

setters!(Options: with_limits(limits: Limits), with_framing(framing: FramingPolicy),
    with_charset(charset: Option<Charset>), with_fallback(fallback: Option<Charset>), with_gaps(gaps: bool));
