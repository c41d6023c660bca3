//! Input whose structure is not ASCII: UTF-16, UTF-32 and ISO-2022-JP are transcoded to UTF-8 before they are scanned
//! (spec CA-06). All other input passes unchanged.

use std::borrow::Cow;
use std::io::{self, Read};

use encoding_rs::{Decoder, Encoding};

/// Bytes looked at to find ISO-2022-JP, which has no mark at its start.
const SNIFF: usize = 64 * 1024;

/// The encoding of input that must be transcoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wide {
    Encoding(&'static Encoding),
    Utf32 { big_endian: bool },
}

/// The encoding that `head`, the first bytes of the input, must be turned
/// from.
fn sniff(head: &[u8]) -> Option<Wide> {
    match head {
        [0xFF, 0xFE, 0, 0, ..] => return Some(Wide::Utf32 { big_endian: false }),
        [0, 0, 0xFE, 0xFF, ..] => return Some(Wide::Utf32 { big_endian: true }),
        [0xFF, 0xFE, ..] => return Some(Wide::Encoding(encoding_rs::UTF_16LE)),
        [0xFE, 0xFF, ..] => return Some(Wide::Encoding(encoding_rs::UTF_16BE)),
        _ => {}
    }
    // ESC $ @, ESC $ B, ESC ( J, ESC ( I: Japanese in seven bits.
    let escapes = |at: usize| matches!(head.get(at + 1..at + 3), Some(b"$@" | b"$B" | b"(J" | b"(I"));
    let japanese = head.is_ascii() && memchr::memchr_iter(0x1B, head).any(escapes);
    japanese.then_some(Wide::Encoding(encoding_rs::ISO_2022_JP))
}

/// `bytes` as something a reader can scan: UTF-16, UTF-32 (by byte order mark)
/// and ISO-2022-JP (by its escapes in the first 64 KiB) become UTF-8, all else is
/// borrowed.
///
/// ```
/// let wide: Vec<u8> = "\u{feff}(;C[黒])".encode_utf16().flat_map(u16::to_le_bytes).collect();
/// let bytes = sgfstream::transcode(&wide);
/// assert_eq!(std::str::from_utf8(&bytes).expect("UTF-8"), "\u{feff}(;C[黒])");
/// ```
#[must_use]
pub fn transcode(bytes: &[u8]) -> Cow<'_, [u8]> {
    if sniff(&bytes[..bytes.len().min(SNIFF)]).is_none() {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::new();
    Transcoder::new(bytes).read_to_end(&mut out).expect("reading memory does not fail");
    Cow::Owned(out)
}

/// [`transcode`] for streams: a reader that gives UTF-8 where the inner one
/// has UTF-16, UTF-32 or ISO-2022-JP, and its very bytes otherwise.
///
/// UTF-8 made here begins with a byte order mark, which tells the reader the
/// charset; a `CA` inside is the file's own word and stays.
pub struct Transcoder<R> {
    inner: R,
    mode: Mode,
    /// Input that was looked at or not yet turned.
    raw: Vec<u8>,
    raw_at: usize,
    /// Output that did not fit.
    out: Vec<u8>,
    out_at: usize,
    at_end: bool,
}

enum Mode {
    Unknown,
    Plain,
    Encoding(Box<Decoder>),
    Utf32 { big_endian: bool },
}

impl<R: Read> Transcoder<R> {
    /// Looks at `inner` on the first read.
    pub fn new(inner: R) -> Self {
        Self { inner, mode: Mode::Unknown, raw: Vec::new(), raw_at: 0, out: Vec::new(), out_at: 0, at_end: false }
    }

    /// True if the input is being turned into UTF-8; known after a read.
    #[must_use]
    pub fn is_transcoding(&self) -> bool {
        matches!(self.mode, Mode::Encoding(_) | Mode::Utf32 { .. })
    }

    /// What it reads from.
    pub fn into_inner(self) -> R {
        self.inner
    }

    fn start(&mut self) -> io::Result<()> {
        let mut head = vec![0; 4096];
        let mut len = 0;
        // Four bytes tell most; a whole head is waited for only where an ESC
        // says that it may matter.
        while len < head.len() {
            let count = read_some(&mut self.inner, &mut head[len..])?;
            if count == 0 {
                self.at_end = true;
                break;
            }
            len += count;
            if len >= 4 && sniff(&head[..len]).is_some() {
                break;
            }
            if len == head.len() && len < SNIFF {
                let ascii = head.is_ascii();
                if !ascii {
                    break;
                }
                head.resize(SNIFF, 0);
            }
        }
        head.truncate(len);
        self.mode = match sniff(&head) {
            None => Mode::Plain,
            Some(Wide::Encoding(encoding)) => {
                self.out.extend_from_slice(b"\xEF\xBB\xBF");
                Mode::Encoding(Box::new(encoding.new_decoder_with_bom_removal()))
            }
            Some(Wide::Utf32 { big_endian }) => Mode::Utf32 { big_endian },
        };
        self.raw = head;
        Ok(())
    }

    /// Turns more input into `out`, which is empty.
    fn turn(&mut self) -> io::Result<()> {
        if self.raw_at > 0 {
            self.raw.drain(..self.raw_at);
            self.raw_at = 0;
        }
        if !self.at_end && self.raw.len() < 4 {
            let len = self.raw.len();
            self.raw.resize(16 * 1024, 0);
            let count = read_some(&mut self.inner, &mut self.raw[len..])?;
            self.raw.truncate(len + count);
            self.at_end = count == 0;
        }
        self.out.clear();
        self.out_at = 0;
        match &mut self.mode {
            Mode::Unknown | Mode::Plain => unreachable!("called for wide input only"),
            Mode::Encoding(decoder) => {
                self.out.resize(decoder.max_utf8_buffer_length(self.raw.len()).unwrap_or(64 * 1024), 0);
                let (_, read, written, _) = decoder.decode_to_utf8(&self.raw, &mut self.out, self.at_end);
                self.out.truncate(written);
                self.raw_at = read;
            }
            Mode::Utf32 { big_endian } => {
                for unit in self.raw.chunks_exact(4) {
                    let unit = unit.try_into().expect("four bytes");
                    let unit = if *big_endian { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) };
                    let text = char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER);
                    self.out.extend_from_slice(text.encode_utf8(&mut [0; 4]).as_bytes());
                }
                let whole = self.raw.len() / 4 * 4;
                self.raw_at = if self.at_end { self.raw.len() } else { whole };
                if self.at_end && whole < self.raw.len() {
                    self.out.extend_from_slice("\u{FFFD}".as_bytes());
                }
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for Transcoder<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        if matches!(self.mode, Mode::Unknown) {
            self.start()?;
        }
        if matches!(self.mode, Mode::Plain) {
            if self.raw_at == self.raw.len() {
                self.raw = Vec::new();
                self.raw_at = 0;
                return if self.at_end { Ok(0) } else { self.inner.read(buf) };
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

    /// Gives one byte a read.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            buf[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    fn dripped(bytes: &[u8]) -> String {
        let mut out = String::new();
        Transcoder::new(Drip(bytes)).read_to_string(&mut out).expect("UTF-8");
        out
    }

    #[test]
    fn wide_input_becomes_utf8() {
        let text = "\u{feff}(;C[黒𠮷])";
        let utf16 = |to_bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to_bytes).collect::<Vec<u8>>();
        let utf32 = |to_bytes: fn(u32) -> [u8; 4]| text.chars().flat_map(|c| to_bytes(c.into())).collect::<Vec<u8>>();
        for bytes in
            [utf16(u16::to_le_bytes), utf16(u16::to_be_bytes), utf32(u32::to_le_bytes), utf32(u32::to_be_bytes)]
        {
            assert_eq!(transcode(&bytes), text.as_bytes());
            assert_eq!(dripped(&bytes), text);
        }
    }

    #[test]
    fn japanese_in_seven_bits() {
        // 0x5B and 0x5D are inside the escaped run.
        let (bytes, _, _) = encoding_rs::ISO_2022_JP.encode("(;C[黒先]N[名])");
        assert_eq!(transcode(&bytes), "\u{feff}(;C[黒先]N[名])".as_bytes());
        assert_eq!(dripped(&bytes), "\u{feff}(;C[黒先]N[名])");
    }

    #[test]
    fn the_rest_is_untouched() {
        for bytes in [&b""[..], b"(", b"(;C[\xe9])", b"\xEF\xBB\xBF(;)", b"\x1b[0m", &[b'a'; 70_000]] {
            assert_eq!(transcode(bytes), bytes);
            let mut out = Vec::new();
            Transcoder::new(Drip(bytes)).read_to_end(&mut out).expect("plain");
            assert_eq!(out, bytes);
        }
    }
}
