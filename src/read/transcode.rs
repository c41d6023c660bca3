//! Transcodes input whose structure is not ASCII to UTF-8 before it is scanned: UTF-16, UTF-32 and
//! ISO-2022-JP (spec CA-06). Other input passes unchanged.

use std::borrow::Cow;
use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding};

use super::{EventReader, Options, SliceReader};
use crate::base::{Charset, CharsetSource};

/// Bytes to examine for ISO-2022-JP, which has no mark at its start.
const SNIFF: usize = 64 * 1024;

/// Byte order mark in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";
const REPLACEMENT: &[u8] = b"\xEF\xBF\xBD";

/// Encoding of input that must be transcoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WideEncoding {
    Encoding(&'static Encoding),
    Utf32 { big_endian: bool },
}

/// Returns the encoding of a byte order mark at the start of `head`.
fn by_mark(head: &[u8]) -> Option<WideEncoding> {
    match head {
        [0xFF, 0xFE, 0, 0, ..] => Some(WideEncoding::Utf32 { big_endian: false }),
        [0, 0, 0xFE, 0xFF, ..] => Some(WideEncoding::Utf32 { big_endian: true }),
        [0xFF, 0xFE, ..] => Some(WideEncoding::Encoding(encoding_rs::UTF_16LE)),
        [0xFE, 0xFF, ..] => Some(WideEncoding::Encoding(encoding_rs::UTF_16BE)),
        _ => None,
    }
}

/// Bytes in which to look for the first game if there is no mark.
const STRUCTURE: usize = 4096;

/// Returns the encoding in which `head` begins with a game, without a mark. Blanks and other ASCII
/// text in the same encoding may precede the game. No other text with games begins like this.
fn by_structure(head: &[u8]) -> Option<WideEncoding> {
    let head = &head[..head.len().min(STRUCTURE)];
    // Reads units of `width` bytes, in which only the byte at index `at` is not zero, while they
    // are ASCII.
    let begins_game = |width: usize, at: usize| {
        let mut units = head.chunks_exact(width).map_while(|unit| {
            let is_ascii = unit
                .iter()
                .enumerate()
                .all(|(index, &byte)| (byte == 0) != (index == at))
                && unit[at] < 0x80;
            is_ascii.then_some(unit[at])
        });
        let mut last = 0;
        units.any(|unit| {
            std::mem::replace(&mut last, unit) == b'('
                && matches!(unit, b';' | b' ' | b'\r' | b'\n')
        })
    };
    [
        (4, 0, WideEncoding::Utf32 { big_endian: false }),
        (4, 3, WideEncoding::Utf32 { big_endian: true }),
        (2, 0, WideEncoding::Encoding(encoding_rs::UTF_16LE)),
        (2, 1, WideEncoding::Encoding(encoding_rs::UTF_16BE)),
    ]
    .into_iter()
    .find_map(|(width, at, wide)| begins_game(width, at).then_some(wide))
}

/// Returns the encoding that the caller names, if it must be transcoded.
fn by_name(charset: Charset) -> Option<WideEncoding> {
    charset
        .encoding()
        .filter(|_| !charset.is_scannable())
        .map(WideEncoding::Encoding)
}

/// Returns whether `head`, which is ASCII, is ISO-2022-JP beyond doubt: it has runs in another set,
/// each run returns to ASCII (or JIS X 0201 Roman) before its line ends, all of it decodes, and no
/// `CA` names another charset.
fn is_japanese(head: &[u8], is_cut: bool) -> bool {
    let (mut is_open, mut has_run) = (false, false);
    for at in memchr::memchr_iter(0x1B, head) {
        match head.get(at + 1..at + 3) {
            Some(b"$@" | b"$B" | b"(I") => is_open = true,
            Some(b"(B" | b"(J") => has_run |= std::mem::take(&mut is_open),
            // The decoder checks other escapes.
            _ => {}
        }
    }
    // If the head is cut, the last run may continue after it. A line end inside a run does not
    // decode.
    has_run && (!is_open || is_cut) && decodes(head, is_cut) && !names_another(head)
}

fn decodes(head: &[u8], is_cut: bool) -> bool {
    let mut decoder = encoding_rs::ISO_2022_JP.new_decoder_without_bom_handling();
    let mut out = [0; 4096];
    let mut at = 0;
    loop {
        let (result, read, _) =
            decoder.decode_to_utf8_without_replacement(&head[at..], &mut out, !is_cut);
        at += read;
        match result {
            DecoderResult::InputEmpty => return true,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => return false,
        }
    }
}

/// Returns whether the first charset that a game names has an ASCII structure.
fn names_another(head: &[u8]) -> bool {
    let mut reader = SliceReader::new(head);
    while reader.advance().is_ok_and(|is_event| is_event) {
        if reader.place().charset_source == CharsetSource::Declared {
            return reader.charset().is_scannable();
        }
    }
    false
}

/// Converts `bytes` to bytes that a reader can scan. UTF-16 and UTF-32 (recognized by a byte order
/// mark, or the start of a game) and ISO-2022-JP (recognized by its escapes in the first 64 KiB)
/// become UTF-8; other bytes are borrowed.
///
/// ```
/// let wide: Vec<u8> = "\u{feff}(;C[黒])".encode_utf16().flat_map(u16::to_le_bytes).collect();
/// let bytes = sgfstream::transcode(&wide);
/// assert_eq!(std::str::from_utf8(&bytes).expect("UTF-8"), "\u{feff}(;C[黒])");
/// ```
#[must_use]
pub fn transcode(bytes: &[u8]) -> Cow<'_, [u8]> {
    transcode_with(bytes, None)
}

/// Transcodes as [`transcode`] does, for a caller who knows the charset: see
/// [`Transcoder::with_charset`].
fn transcode_with(bytes: &[u8], forced: Option<Charset>) -> Cow<'_, [u8]> {
    let mut read = Transcoder::with_charset(bytes, forced);
    if !read.prepare() {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::new();
    read.read_to_end(&mut out)
        .expect("reading memory does not fail");
    Cow::Owned(out)
}

/// Reader that transcodes a stream as [`transcode`] does: it returns UTF-8 if the inner reader has
/// UTF-16, UTF-32 or ISO-2022-JP, and the unchanged bytes otherwise.
///
/// Transcoded output begins with a byte order mark. A `CA` in it stays as written. With
/// [`options`](Self::options), a reader takes it as the charset before transcoding.
///
/// Input is UTF-16 or UTF-32 if it begins with a byte order mark, or with a `(` of two or four
/// bytes after nothing but ASCII of the same width. Input is ISO-2022-JP only if, in its first 64
/// KiB, each escape returns to ASCII before its line ends, everything decodes, and no `CA` names a
/// charset whose structure is ASCII.
///
/// ```
/// use std::io::Read;
///
/// use sgfstream::Transcoder;
///
/// let mut text = String::new();
/// Transcoder::new(&b"\xff\xfe(\0;\0C\0[\0\xe9\0]\0)\0"[..]).read_to_string(&mut text)?;
/// assert_eq!(text, "\u{feff}(;C[é])");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Transcoder<R> {
    inner: R,
    forced: Option<Charset>,
    mode: Mode,
    /// Input that was examined or not yet transcoded.
    raw: Vec<u8>,
    raw_at: usize,
    /// Output that did not fit the caller's buffer.
    out: Vec<u8>,
    out_at: usize,
    at_end: bool,
    /// Error of `inner`, returned after the bytes before it.
    failed: Option<io::Error>,
    replacements: u64,
}

enum Mode {
    Unknown,
    Plain,
    Encoding(Box<Decoder>),
    Utf32 { big_endian: bool },
}

impl<R: Read> Transcoder<R> {
    /// Returns a reader that examines `inner` at the first read.
    pub fn new(inner: R) -> Self {
        Self::with_charset(inner, None)
    }

    /// Returns a reader for a caller who knows the charset. If `forced` is UTF-16 or ISO-2022-JP,
    /// the input is transcoded from it. If it is another charset, only a byte order mark of UTF-16
    /// or UTF-32 takes precedence.
    pub fn with_charset(inner: R, forced: Option<Charset>) -> Self {
        Self {
            inner,
            forced,
            mode: Mode::Unknown,
            raw: Vec::new(),
            raw_at: 0,
            out: Vec::new(),
            out_at: 0,
            at_end: false,
            failed: None,
            replacements: 0,
        }
    }

    /// Leaves the input unchanged.
    pub(super) fn pass_through(&mut self) {
        self.mode = Mode::Plain;
    }

    /// Examines the start of the input, and returns whether it is transcoded. The first read does
    /// the same.
    pub fn prepare(&mut self) -> bool {
        if matches!(self.mode, Mode::Unknown) {
            self.examine_start();
        }
        self.is_transcoding()
    }

    /// Returns whether the input is transcoded; known after a read, or after
    /// [`prepare`](Self::prepare).
    #[must_use]
    fn is_transcoding(&self) -> bool {
        self.encoding_name().is_some()
    }

    /// Returns the name of the encoding that is transcoded, such as `UTF-16LE`; `None` if the input
    /// is unchanged.
    #[must_use]
    pub fn encoding_name(&self) -> Option<&'static str> {
        match &self.mode {
            Mode::Unknown | Mode::Plain => None,
            Mode::Encoding(decoder) => Some(decoder.encoding().name()),
            Mode::Utf32 { big_endian: true } => Some("UTF-32BE"),
            Mode::Utf32 { big_endian: false } => Some("UTF-32LE"),
        }
    }

    /// Returns `options` for a reader of the output. Transcoded input is UTF-8 from there on,
    /// whatever its `CA`.
    ///
    /// ```
    /// use sgfstream::{EventReader, Options, Reader, Transcoder};
    ///
    /// let wide: Vec<u8> =
    ///     "\u{feff}(;CA[GB2312]PB[常昊])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    /// let mut input = Transcoder::new(&wide[..]);
    /// let options = input.options(Options::default());
    /// let mut reader = Reader::with_options(input, options);
    /// while reader.advance()? {}
    /// assert_eq!(reader.charset().name(), "UTF-8");
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    pub fn options(&mut self, options: Options) -> Options {
        if !self.prepare() {
            return options;
        }
        options
            .with_charset(options.charset.and(Some(Charset::UTF_8)))
            .with_transcoded(true)
    }

    /// Returns the number of malformed sequences that became U+FFFD so far. If it is not 0, the
    /// input cannot be restored from the output.
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// // The first half of a pair, and no second half.
    /// let mut read = sgfstream::Transcoder::new(&b"\xff\xfe(\0;\0C\0[\0\x00\xd8]\0)\0"[..]);
    /// let mut text = String::new();
    /// read.read_to_string(&mut text)?;
    /// assert_eq!((text.as_str(), read.replacements()), ("\u{feff}(;C[\u{fffd}])", 1));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn replacements(&self) -> u64 {
        self.replacements
    }

    pub(super) fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the underlying input.
    pub fn into_inner(self) -> R {
        self.inner
    }

    fn examine_start(&mut self) {
        let mut head = vec![0; 4096];
        let (mut len, mut has_mark) = (0, false);
        // Four bytes are enough for most input. Wait for the whole head only while all of it is
        // ASCII.
        let wide = loop {
            let is_over = self.at_end || self.failed.is_some();
            if len >= 4 || is_over {
                let (head, forced) = (&head[..len], self.forced);
                let known = by_mark(head);
                has_mark = known.is_some();
                let known = known.or_else(|| forced.map_or_else(|| by_structure(head), by_name));
                if known.is_some() || forced.is_some() {
                    break known;
                }
            }
            if len == head.len() || is_over {
                let is_ascii = head[..len].is_ascii();
                if is_over || len == SNIFF || !is_ascii {
                    let is_japanese = is_ascii && is_japanese(&head[..len], !self.at_end);
                    break is_japanese.then_some(WideEncoding::Encoding(encoding_rs::ISO_2022_JP));
                }
                head.resize(SNIFF, 0);
            }
            match read_some(&mut self.inner, &mut head[len..]) {
                Ok(count) => {
                    self.at_end = count == 0;
                    len += count;
                }
                Err(err) => self.failed = Some(err),
            }
        };
        head.truncate(len);
        self.mode = match wide {
            None => Mode::Plain,
            Some(WideEncoding::Encoding(encoding)) => {
                self.out.extend_from_slice(MARK);
                Mode::Encoding(Box::new(encoding.new_decoder_with_bom_removal()))
            }
            Some(WideEncoding::Utf32 { big_endian }) => {
                // The input's own mark is transcoded like any character.
                self.out
                    .extend_from_slice(if has_mark { b"" } else { MARK });
                Mode::Utf32 { big_endian }
            }
        };
        self.raw = head;
    }

    /// Transcodes more input to `out`, which is empty.
    fn turn(&mut self) -> io::Result<()> {
        if self.raw_at > 0 {
            self.raw.drain(..self.raw_at);
            self.raw_at = 0;
        }
        if !self.at_end && self.raw.len() < 4 {
            if let Some(err) = self.failed.take() {
                return Err(err);
            }
            let len = self.raw.len();
            self.raw.resize(16 * 1024, 0);
            let count = match read_some(&mut self.inner, &mut self.raw[len..]) {
                Ok(count) => count,
                Err(err) => {
                    self.raw.truncate(len);
                    return Err(err);
                }
            };
            self.raw.truncate(len + count);
            self.at_end = count == 0;
        }
        self.out.clear();
        self.out_at = 0;
        match &mut self.mode {
            Mode::Unknown | Mode::Plain => unreachable!("called for wide input only"),
            Mode::Encoding(decoder) => {
                let most = decoder
                    .max_utf8_buffer_length(self.raw.len())
                    .unwrap_or(64 * 1024);
                // The decoder needs some space even for its last bytes; so does a replacement after
                // them.
                self.out.resize(most + 16, 0);
                let mut written = 0;
                while written + 16 <= self.out.len() {
                    let space = self.out.len() - REPLACEMENT.len();
                    let (result, read, count) = decoder.decode_to_utf8_without_replacement(
                        &self.raw[self.raw_at..],
                        &mut self.out[written..space],
                        self.at_end,
                    );
                    self.raw_at += read;
                    written += count;
                    if !matches!(result, DecoderResult::Malformed(..)) {
                        break;
                    }
                    self.out[written..written + REPLACEMENT.len()].copy_from_slice(REPLACEMENT);
                    written += REPLACEMENT.len();
                    self.replacements += 1;
                }
                self.out.truncate(written);
            }
            Mode::Utf32 { big_endian } => {
                for unit in self.raw.chunks_exact(4) {
                    let unit = unit.try_into().expect("four bytes");
                    let unit = if *big_endian {
                        u32::from_be_bytes(unit)
                    } else {
                        u32::from_le_bytes(unit)
                    };
                    let text = char::from_u32(unit);
                    self.replacements += u64::from(text.is_none());
                    let text = text.unwrap_or(char::REPLACEMENT_CHARACTER);
                    self.out
                        .extend_from_slice(text.encode_utf8(&mut [0; 4]).as_bytes());
                }
                let whole = self.raw.len() / 4 * 4;
                self.raw_at = if self.at_end { self.raw.len() } else { whole };
                if self.at_end && whole < self.raw.len() {
                    self.out.extend_from_slice(REPLACEMENT);
                    self.replacements += 1;
                }
            }
        }
        Ok(())
    }
}

impl<R> std::fmt::Debug for Transcoder<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transcoder").finish_non_exhaustive()
    }
}

impl<R: Read> Read for Transcoder<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        self.prepare();
        if matches!(self.mode, Mode::Plain) {
            if self.raw_at == self.raw.len() {
                self.raw = Vec::new();
                self.raw_at = 0;
                return match self.failed.take() {
                    Some(err) => Err(err),
                    None if self.at_end => Ok(0),
                    None => self.inner.read(buf),
                };
            }
            return Ok(copy(&self.raw, &mut self.raw_at, buf));
        }
        while self.out_at == self.out.len() {
            if self.at_end && self.raw_at == self.raw.len() {
                return Ok(0);
            }
            self.turn()?;
        }
        Ok(copy(&self.out, &mut self.out_at, buf))
    }
}

fn copy(from: &[u8], at: &mut usize, to: &mut [u8]) -> usize {
    let count = to.len().min(from.len() - *at);
    to[..count].copy_from_slice(&from[*at..*at + count]);
    *at += count;
    count
}

fn read_some(from: &mut impl Read, buf: &mut [u8]) -> io::Result<usize> {
    loop {
        match from.read(buf) {
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reader that returns one byte at a time.
    struct ShortReads<'a>(&'a [u8]);

    impl Read for ShortReads<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else {
                return Ok(0);
            };
            buf[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    fn dripped(bytes: &[u8]) -> String {
        let mut out = String::new();
        Transcoder::new(ShortReads(bytes))
            .read_to_string(&mut out)
            .expect("UTF-8");
        out
    }

    #[test]
    fn wide_input_becomes_utf8() {
        let marked = "\u{feff}(;C[黒𠮷])";
        for text in [
            marked,
            &marked[3..],
            "(\r\n;C[黒𠮷])",
            "\r\n \t(;C[黒𠮷])",
            "From: (a)\n(;C[黒𠮷])",
        ] {
            let utf16 = |to_bytes: fn(u16) -> [u8; 2]| {
                text.encode_utf16().flat_map(to_bytes).collect::<Vec<u8>>()
            };
            let utf32 = |to_bytes: fn(u32) -> [u8; 4]| {
                text.chars()
                    .flat_map(|c| to_bytes(c.into()))
                    .collect::<Vec<u8>>()
            };
            let utf16 = [utf16(u16::to_le_bytes), utf16(u16::to_be_bytes)];
            let expected = format!("\u{feff}{}", text.trim_start_matches('\u{feff}'));
            for bytes in utf16
                .into_iter()
                .chain([utf32(u32::to_le_bytes), utf32(u32::to_be_bytes)])
            {
                assert_eq!(transcode(&bytes), expected.as_bytes());
                assert_eq!(dripped(&bytes), expected);
            }
        }
        // Not transcoded: without a game, after other text, and if the caller names another
        // charset.
        for (bytes, forced) in [
            (&b"\xe9\0(\0;\0"[..], None),
            (b"x\0;\0(\0x\0", None),
            (b"(\0;\0)\0", Some(Charset::UTF_8)),
            (b"(\0", None),
        ] {
            assert_eq!(transcode_with(bytes, forced), bytes);
        }
    }

    #[test]
    fn japanese_in_seven_bits() {
        // The encoded run contains 0x5B and 0x5D.
        let (bytes, _, _) = encoding_rs::ISO_2022_JP.encode("(;C[黒先]N[名])");
        assert_eq!(transcode(&bytes), "\u{feff}(;C[黒先]N[名])".as_bytes());
        assert_eq!(dripped(&bytes), "\u{feff}(;C[黒先]N[名])");
    }

    #[test]
    fn evidence_of_japanese_is_whole() {
        let long = |text: &str| [text.as_bytes(), &[b'a'; 70_000]].concat();
        for bytes in [
            // The run never returns to ASCII, or not on its line, or not before the end.
            &b"(;C[\x1b$B];B[aa])\n(;B[bb])"[..],
            b"(;C[\x1b$B9u])\n(;C[\x1b(B])",
            b"(;C[\x1b$B9u\x1b(B];C[\x1b$B];B[aa])",
            b"(;C[\x1b(J];B[aa])",
            b"(;C[\x1b(I]",
            &long("(;C[\x1b$B9u];B[aa])"),
            // The bytes do not decode.
            b"(;C[\x1b$B9u \x1b(B])",
            b"(;C[\x1b$B9u\x1b(B\x1b[0m])",
            // The file names another charset.
            b"(;C[\x1b$B9u\x1b(B]CA[UTF-8])",
            b"(;)(;CA[GB2312]C[\x1b$B9u\x1b(B])(;CA[ISO-2022-JP])",
        ] {
            assert!(
                !Transcoder::new(bytes).prepare(),
                "{}",
                bytes.escape_ascii()
            );
        }
        for bytes in [
            &b"(;C[\x1b$B9u\x1b(B]CA[ISO-2022-JP])(;CA[UTF-8])"[..],
            b"(;C[\x1b$B9u\x1b(J]CA[no such])",
            b"(;C[\x1b(I1\x1b(B]CA[UTF-16])",
            &long("(;C[\x1b$B9u\x1b(B"),
        ] {
            assert!(Transcoder::new(bytes).prepare(), "{}", bytes.escape_ascii());
        }
        // The end of the head cuts a run that follows a complete one.
        let cut = [
            b"(;C[\x1b$B9u\x1b(B",
            &[b'a'; 65_500][..],
            b"\x1b$B",
            &b"9u".repeat(100),
            b"\x1b(B])",
        ]
        .concat();
        assert!(transcode(&cut).ends_with("黒黒])".as_bytes()));
    }

    #[test]
    fn the_caller_overrules() {
        let forced = |name: &str| Charset::forced(name.as_bytes());
        let japanese = &b"(;C[\x1b$B9u\x1b(B])"[..];
        assert_eq!(*transcode_with(japanese, forced("UTF-8")), *japanese);
        assert_eq!(*transcode_with(japanese, forced("latin1")), *japanese);
        let says_utf8 = &b"(;CA[UTF-8]C[\x1b$B9u\x1b(B])"[..];
        assert_eq!(
            *transcode_with(says_utf8, forced("ISO-2022-JP")),
            *"\u{feff}(;CA[UTF-8]C[黒])".as_bytes()
        );
        // Without a mark; and with a mark, which takes precedence over a name.
        let wide: Vec<u8> = "(;C[黒])"
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        assert_eq!(
            *transcode_with(&wide, forced("UTF-16BE")),
            *"\u{feff}(;C[黒])".as_bytes()
        );
        let marked = [b"\xfe\xff", &wide[..]].concat();
        for name in ["UTF-16LE", "ISO-2022-JP", "UTF-8", "GBK"] {
            assert_eq!(
                *transcode_with(&marked, forced(name)),
                *"\u{feff}(;C[黒])".as_bytes(),
                "{name}"
            );
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn replacements_are_counted() {
        let count = |bytes: &[u8], forced| {
            let mut read = Transcoder::with_charset(ShortReads(bytes), forced);
            let mut out = String::new();
            read.read_to_string(&mut out).expect("UTF-8");
            assert_eq!(*transcode_with(bytes, forced), *out.as_bytes());
            assert_eq!(read.replacements(), out.matches('\u{fffd}').count() as u64);
            (read.replacements(), read.encoding_name())
        };
        let lone: Vec<u8> = [0xFEFF, 0x28, 0xD800, 0x29]
            .into_iter()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(count(&lone, None), (1, Some("UTF-16LE")));
        assert_eq!(count(&lone[..7], None), (1, Some("UTF-16LE")));
        let wide: Vec<u8> = [0xFEFF_u32, 0x28, 0xD800, 0x29]
            .into_iter()
            .flat_map(u32::to_be_bytes)
            .collect();
        assert_eq!(count(&wide, None), (1, Some("UTF-32BE")));
        assert_eq!(count(&wide[..13], None), (2, Some("UTF-32BE")));
        assert_eq!(count(&wide[..8], None), (0, Some("UTF-32BE")));
        assert_eq!(count(b"(;C[e])", None), (0, None));
        let bad = b"\xe9".repeat(30_000);
        assert_eq!(
            count(&bad, Charset::forced(b"ISO-2022-JP")),
            (30_000, Some("ISO-2022-JP"))
        );
    }

    #[test]
    fn an_error_comes_after_the_bytes_before_it() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        for (bytes, text) in [
            (&b"(;C[a])"[..], "(;C[a])"),
            (b"\xff\xfe(\0;\0", "\u{feff}(;"),
        ] {
            let mut out = Vec::new();
            assert!(
                Transcoder::new(bytes.chain(Broken))
                    .read_to_end(&mut out)
                    .is_err()
            );
            assert_eq!(out, text.as_bytes());
        }
    }

    #[test]
    fn the_rest_is_untouched() {
        for bytes in [
            &b""[..],
            b"(",
            b"(;C[\xe9])",
            b"\xEF\xBB\xBF(;)",
            b"\x1b[0m",
            &[b'a'; 70_000],
        ] {
            assert_eq!(transcode(bytes), bytes);
            let mut out = Vec::new();
            Transcoder::new(ShortReads(bytes))
                .read_to_end(&mut out)
                .expect("plain");
            assert_eq!(out, bytes);
        }
    }
}
