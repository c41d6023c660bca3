//! Options for reading.

use crate::base::{Charset, CharsetSource, Limits, setters};

/// Policy for the framing of values; see [`Framing`](crate::Framing).
///
/// ```
/// use sgfstream::{Event, FramingPolicy, Options, SliceReader};
///
/// let options = Options::default().with_framing(FramingPolicy::Whole);
/// let mut reader = SliceReader::with_options(b"(;CA[Big5]C[\xa5\x5c];B[aa])", options);
/// // The `\` is a part of a character, so the comment ends before the second node.
/// let nodes =
///     reader.events().filter(|event| matches!(event, Ok(Event::NodeStart { .. }))).count();
/// assert_eq!(nodes, 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FramingPolicy {
    /// Byte by byte, as in FF\[4\]; by whole characters where the game may be in a double-byte
    /// charset and reading byte by byte makes no sense.
    #[default]
    Auto,
    /// Byte by byte in any case.
    Value,
    /// By whole characters, if the charset has second bytes that look like `[`, `\` or `]`.
    Whole,
}

/// Finds the charset of a game that is not UTF-8 and has no byte order mark before it.
/// [`LIKELY`](Self::LIKELY) and [`ANY`](Self::ANY) guess it from the text. [`new`](Self::new) takes
/// your own function, for example one that knows the charset of each program.
///
/// The function gets the game from its `(` on, at most 64 KiB; other games may follow. Its result
/// holds until the game's `CA` overrides it, and does not change where values end. `CA` does not
/// override a result with [`CharsetSource::Overruled`], which is for bytes that do not fit `CA`. A
/// game of valid UTF-8 is examined only if its `CA` may name another charset.
///
/// Readers look ahead for it: they return the `(` of a game, and no later event, before they have
/// read 64 KiB of it or reached the end of the input.
///
/// ```
/// use sgfstream::{Charset, CharsetSource, Detection, Event, EventReader, Options, SliceReader};
///
/// let gbk = Detection::new(&|_| Charset::for_label(b"GBK").map(|charset| (charset, CharsetSource::Guessed)));
/// let options = Options::default().with_detection(gbk);
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
#[derive(Clone, Copy)]
pub struct Detection(&'static DetectCharset);

type DetectCharset = dyn Fn(&[u8]) -> Option<(Charset, CharsetSource)> + Send + Sync;

impl Detection {
    /// Guesses with at least medium confidence, as `sgfq` does. Such a guess is good enough to
    /// display text. If the source is [`CharsetSource::Detected`], it is also good enough to
    /// convert the text.
    ///
    /// ```
    /// use sgfstream::{Detection, EventReader, Options, SliceReader};
    ///
    /// let game = b"(;PB[\xd0\xa1\xc1\xd6\xb9\xe2\xd2\xbb]PW[\xd5\xd4\xd6\xce\xd1\xab])";
    /// let mut reader =
    ///     SliceReader::with_options(game, Options::default().with_detection(Detection::LIKELY));
    /// while reader.advance()? {}
    /// assert_eq!(reader.charset().name(), "GBK");
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[cfg(feature = "detect")]
    pub const LIKELY: Self = Self(&super::detect::likely_charset);

    /// Guesses with any confidence, as `sgfq --charset detect` does.
    #[cfg(feature = "detect")]
    pub const ANY: Self = Self(&super::detect::any_charset);

    /// Returns a detection that calls a function. If the function has state, it is a static, or a
    /// leaked box.
    #[must_use]
    pub const fn new<F>(detect: &'static F) -> Self
    where
        F: Fn(&[u8]) -> Option<(Charset, CharsetSource)> + Send + Sync,
    {
        Self(detect)
    }

    pub(super) fn detect(self, game: &[u8]) -> Option<(Charset, CharsetSource)> {
        (self.0)(game)
    }
}

impl std::fmt::Debug for Detection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Detection")
    }
}

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
        self.merge(Self {
            games: 1,
            charset: Some(charset),
        });
    }
}

/// Maximum bytes of a game from which its charset is detected.
pub(super) const LOOKAHEAD: usize = 64 << 10;

/// Options for reading. The defaults read the bytes as they are; [`for_files`](Self::for_files)
/// transcodes and detects.
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
    /// Detector of the charset of games that are not UTF-8. Without one, or if it returns `None`, a
    /// game that names no charset is read as [`Charset::AUTO`].
    pub detection: Option<Detection>,
    /// Whether a [`Reader`](crate::Reader) and [`parallel::read_file`](crate::parallel::read_file)
    /// convert UTF-16, UTF-32 and ISO-2022-JP to UTF-8, as a [`Transcoder`](crate::Transcoder)
    /// does. Spans then count the bytes of the UTF-8. Other readers get bytes from their caller,
    /// who can call [`transcode`](crate::transcode).
    pub transcodes: bool,
    /// Whether a [`Transcoder`](crate::Transcoder) made the input: every game is UTF-8, as after a
    /// byte order mark, and `CA` names the charset before transcoding.
    /// [`Transcoder::options`](crate::Transcoder::options) sets it.
    pub is_transcoded: bool,
    /// Whether to return the bytes between events as [`Event::Gap`](crate::Event::Gap), so that the
    /// events contain every byte of the input.
    pub gaps: bool,
    /// Whether a [`Reader`](crate::Reader) counts lines, so that positions have them. Counting
    /// takes 6 to 13 % of its time. Without it, each position is in line 1.
    pub lines: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            framing: FramingPolicy::default(),
            charset: None,
            detection: None,
            transcodes: false,
            is_transcoded: false,
            gaps: false,
            lines: true,
        }
    }
}

impl Options {
    /// Returns options that read a file as `sgfq` does: with [`transcodes`](Self::transcodes), and
    /// with [`Detection::LIKELY`] if the feature `detect` is on.
    /// [`Reader::open`](crate::Reader::open) uses them.
    ///
    /// ```
    /// use sgfstream::{EventReader, Options, Reader};
    ///
    /// let options = Options::for_files().with_gaps(true);
    /// let mut reader =
    ///     Reader::with_options(std::fs::File::open("corpus/gb2312-unlabelled.sgf")?, options);
    /// while reader.advance()? {}
    /// assert_eq!(reader.charset().name(), "GBK");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_files() -> Self {
        let options = Self::default().with_transcoding(true);
        #[cfg(feature = "detect")]
        let options = options.with_detection(Detection::LIKELY);
        options
    }

    /// Sets [`charset`](Self::charset).
    #[must_use]
    pub fn with_charset(self, charset: impl Into<Option<Charset>>) -> Self {
        Self {
            charset: charset.into(),
            ..self
        }
    }

    /// Sets [`detection`](Self::detection).
    #[must_use]
    pub fn with_detection(self, detection: impl Into<Option<Detection>>) -> Self {
        Self {
            detection: detection.into(),
            ..self
        }
    }
}

setters!(Options: with_limits(limits: Limits), with_framing(framing: FramingPolicy),
    with_transcoding(transcodes: bool), with_transcoded(is_transcoded: bool), with_gaps(gaps: bool), with_lines(lines: bool));
