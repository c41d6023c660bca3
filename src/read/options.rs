//! Options for reading.

use crate::base::{Charset, CharsetSource, Limits, setters};

/// Policy for the framing of values; see [`Framing`](crate::Framing).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FramingPolicy {
    /// Byte by byte, as in FF\[4\]; by whole characters where the game may be in a double-byte charset and reading byte by
    /// byte makes no sense.
    #[default]
    Auto,
    /// Byte by byte in any case.
    Value,
    /// By whole characters, if the charset has second bytes that look like `[`, `\` or `]`.
    Whole,
}

/// Function that finds the charset of a game that is not UTF-8 and has no byte order mark before it. It gets the game
/// from its `(` on, at most 64 KiB; other games may follow. Its result holds until the game's `CA` overrides it, and
/// does not change where values end. `CA` does not override a result with [`CharsetSource::Overruled`], which is for bytes
/// that do not fit `CA`. A game of valid UTF-8 is examined only if its `CA` may name another charset.
///
/// Readers look ahead for it: they return the `(` of a game, and no later event, before they have read 64 KiB of it or
/// reached the end of the input.
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

/// Counts of games whose charset was [detected](Detection).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detections {
    /// Number of games.
    pub games: u64,
    /// Charset of these games, if they all have the same.
    pub charset: Option<Charset>,
}

impl Detections {
    /// Adds the counts of another part.
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

/// Maximum bytes of a game from which its charset is detected.
pub(super) const LOOKAHEAD: usize = 64 << 10;

/// Options for reading. The defaults suit most input.
///
/// ```
/// use sgfstream::{Charset, EventReader, Options, SliceReader};
///
/// let options = Options::default().with_charset(Charset::for_label(b"GBK"));
/// let reader = SliceReader::with_options(b"(;C[\xba\xda])", options);
/// assert_eq!(reader.charset().name(), "GBK");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Limits on memory and depth.
    pub limits: Limits,
    /// Policy for the framing of values.
    pub framing: FramingPolicy,
    /// Charset of every game, overriding `CA`.
    pub charset: Option<Charset>,
    /// Finds the charset of games that are not UTF-8. Without it, or if it returns `None`, a game that names no charset
    /// is [`Charset::AUTO`].
    pub detection: Option<Detection>,
    /// Whether a [`Transcoder`](crate::Transcoder) made the input: every game is UTF-8, as after a byte order mark, and
    /// `CA` names the charset before transcoding. [`Transcoder::options`](crate::Transcoder::options) sets it.
    pub is_transcoded: bool,
    /// Whether to return the bytes between events as [`Event::Gap`](crate::Event::Gap), so that the events contain
    /// every byte of the input.
    pub gaps: bool,
    /// Whether a [`Reader`](crate::Reader) counts lines, so that positions have them. Counting takes 6 to 13 % of its time.
    /// Without it, each position is in line 1.
    pub lines: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            framing: FramingPolicy::default(),
            charset: None,
            detection: None,
            is_transcoded: false,
            gaps: false,
            lines: true,
        }
    }
}

setters!(Options: with_limits(limits: Limits), with_framing(framing: FramingPolicy),
    with_charset(charset: Option<Charset>), with_detection(detection: Option<Detection>),
    with_transcoded(is_transcoded: bool), with_gaps(gaps: bool), with_lines(lines: bool));
