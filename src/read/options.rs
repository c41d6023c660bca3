//! How to read.

use crate::base::{Charset, CharsetSource, Limits, setters};

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

/// Finds the charset of a game that is not UTF-8 and comes after no byte order mark. It is given the game from its `(` on,
/// at most 64 KiB; other games may follow. The answer holds until the game says otherwise by `CA`, and does not change
/// where values end.
///
/// Readers look ahead for it: the `(` of a game is the last event before 64 KiB are there, or the input has ended.
///
/// ```
/// use sgfstream::{Charset, CharsetSource, Event, EventReader, Options, SliceReader};
///
/// let detection = |_: &[u8]| Charset::for_label(b"GBK").map(|charset| (charset, CharsetSource::Guessed));
/// let options = Options::default().with_detection(Some(detection));
/// let mut reader = SliceReader::with_options(b"(;C[\xba\xda])(;CA[Big5]C[\xb6\xc2])(;C[plain])", options);
/// let mut charsets = Vec::new();
/// while reader.advance()? {
///     if matches!(reader.event(), Event::Property(property) if property.ident() == "C") {
///         charsets.push((reader.charset().name(), reader.place().charset_source));
///     }
/// }
/// let default = (Charset::AUTO.name(), CharsetSource::Default);
/// assert_eq!(charsets, [("GBK", CharsetSource::Guessed), ("Big5", CharsetSource::Declared), default]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
pub type Detection = fn(game: &[u8]) -> Option<(Charset, CharsetSource)>;

/// Games whose charset was [detected](Detection).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detections {
    /// How many.
    pub games: u64,
    /// Their charset, if all have the same.
    pub charset: Option<Charset>,
}

impl Detections {
    /// Adds those of another part.
    pub fn merge(&mut self, other: Self) {
        if other.games > 0 {
            let is_same = self.games == 0 || self.charset == other.charset;
            self.charset = other.charset.filter(|_| is_same);
            self.games += other.games;
        }
    }

    pub(super) fn add(&mut self, charset: Charset) {
        self.merge(Self { games: 1, charset: Some(charset) });
    }
}

/// Bytes of a game that its charset is detected by.
pub(super) const LOOKAHEAD: usize = 64 << 10;

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
    /// Finds the charset of games that are not UTF-8; without it, or where it answers `None`, a game that names no
    /// charset is [`Charset::AUTO`].
    pub detection: Option<Detection>,
    /// The input was made by a [`Transcoder`](crate::Transcoder): every game is UTF-8, as after a byte order mark, and `CA`
    /// says what was true before. [`Transcoder::options`](crate::Transcoder::options) sets it.
    pub is_transcoded: bool,
    /// Also give the bytes between events, as [`Event::Gap`](crate::Event::Gap), so that the events
    /// hold every byte of the input.
    pub gaps: bool,
}

setters!(Options: with_limits(limits: Limits), with_framing(framing: FramingPolicy),
    with_charset(charset: Option<Charset>), with_detection(detection: Option<Detection>),
    with_transcoded(is_transcoded: bool), with_gaps(gaps: bool));
