//! Single compressed streams: gz, bz2, xz, zst, lz4. Members, streams and
//! frames that stand one after another are one text, as the tools of each
//! format have it.
//!
//! Memory beside the buffers: gz 32 KiB, bz2 4 MB, lz4 at most 12 MB, zst its
//! window (8 MiB up to level 19, at most 2 GiB with `--long=31`), xz its
//! dictionary (8 MiB at level 6, 64 MiB at level 9, at most 1.5 GiB).

use std::io::{self, BufRead, Read};

use super::caps::{Caps, Ledger};
use super::fault::Fault;
use super::problem::Trouble;
use super::sniff::Sniff;
use super::stream::{Source, skip};

/// Unpacks `source`, counting what comes out against the caps.
pub(super) fn decoder<'a>(sniff: Sniff, source: &'a mut dyn Source, ledger: &'a Ledger) -> Result<Counted<'a>, Fault> {
    let (inner, expected): (Box<dyn Read + 'a>, _) = match sniff {
        Sniff::Gzip => (Box::new(Gzip::Idle(source)), "gzip data"),
        Sniff::Bzip2 => (Box::new(Bzip2::Idle(source)), "bzip2 data"),
        Sniff::Xz => (Box::new(xz(source, &ledger.caps)?), "xz data"),
        Sniff::Zstd => (Box::new(zstd(source, &ledger.caps)?), "zstd data"),
        Sniff::Lz4 => (Box::new(Lz4::new(source)), "lz4 data"),
        _ => return Err(Fault::new(Trouble::Unsupported, "a compressed stream", "something else")),
    };
    Ok(Counted { inner, expected, ledger })
}

/// A decoder whose output is counted and whose errors say what it decodes.
pub(super) struct Counted<'a> {
    inner: Box<dyn Read + 'a>,
    expected: &'static str,
    ledger: &'a Ledger,
}

impl<'a> Counted<'a> {
    pub(super) fn new(inner: impl Read + 'a, expected: &'static str, ledger: &'a Ledger) -> Self {
        Self { inner: Box::new(inner), expected, ledger }
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(out) {
            Ok(len) => {
                self.ledger.add_out(len as u64)?;
                Ok(len)
            }
            Err(err) if err.kind() == io::ErrorKind::Interrupted => Err(err),
            Err(err) => Err(Fault::of(&err, self.expected).into()),
        }
    }
}

fn xz<'a>(source: &'a mut dyn Source, caps: &Caps) -> Result<impl Read + 'a, Fault> {
    // Several streams and the zeros between them are one file.
    let stream = liblzma::stream::Stream::new_stream_decoder(caps.memory, liblzma::stream::CONCATENATED)
        .map_err(|err| Fault::damaged("xz data", err.to_string()))?;
    Ok(liblzma::bufread::XzDecoder::new_stream(source, stream))
}

pub(super) fn zstd<'a, R: BufRead + 'a>(
    source: R,
    caps: &Caps,
) -> Result<zstd::stream::read::Decoder<'static, R>, Fault> {
    let fault = |err: io::Error| Fault::of(&err, "zstd data");
    let mut decoder = zstd::stream::read::Decoder::with_buffer(source).map_err(fault)?;
    decoder.window_log_max(window_log(caps)).map_err(fault)?;
    Ok(decoder)
}

/// The largest window that fits; zstd knows 2^10 to 2^31.
fn window_log(caps: &Caps) -> u32 {
    caps.memory.max(1).ilog2().clamp(10, 31)
}

/// gzip members, one after another.
enum Gzip<'a> {
    Idle(&'a mut dyn Source),
    Member(Box<flate2::bufread::GzDecoder<&'a mut dyn Source>>),
    Done,
}

impl Read for Gzip<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, Self::Done) {
                Self::Done => return Ok(0),
                Self::Idle(source) => {
                    let next = source.peek(3);
                    if next.is_empty() {
                        // A failure, or the end.
                        return source.fill_buf().map(<[u8]>::len);
                    }
                    if next[0] == 0 {
                        return only_zeros(source, "another gzip member");
                    }
                    if !b"\x1f\x8b\x08".starts_with(&next[..next.len().min(3)]) {
                        return Err(trailing("another gzip member"));
                    }
                    *self = Self::Member(Box::new(flate2::bufread::GzDecoder::new(source)));
                }
                Self::Member(mut member) => {
                    let len = member.read(out)?;
                    if len > 0 || out.is_empty() {
                        *self = Self::Member(member);
                        return Ok(len);
                    }
                    *self = Self::Idle(member.into_inner());
                }
            }
        }
    }
}

/// bzip2 streams, one after another.
enum Bzip2<'a> {
    Idle(&'a mut dyn Source),
    Stream(Box<bzip2::bufread::BzDecoder<&'a mut dyn Source>>),
    Done,
}

impl Read for Bzip2<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, Self::Done) {
                Self::Done => return Ok(0),
                Self::Idle(source) => {
                    let next = source.peek(3);
                    if next.is_empty() {
                        return source.fill_buf().map(<[u8]>::len);
                    }
                    if next[0] == 0 {
                        return only_zeros(source, "another bzip2 stream");
                    }
                    if !b"BZh".starts_with(&next[..next.len().min(3)]) {
                        return Err(trailing("another bzip2 stream"));
                    }
                    *self = Self::Stream(Box::new(bzip2::bufread::BzDecoder::new(source)));
                }
                Self::Stream(mut stream) => {
                    let len = stream.read(out)?;
                    if len > 0 || out.is_empty() {
                        *self = Self::Stream(stream);
                        return Ok(len);
                    }
                    *self = Self::Idle(stream.into_inner());
                }
            }
        }
    }
}

#[cold]
fn trailing(expected: &str) -> io::Error {
    Fault::damaged(format!("{expected} or the end"), "other bytes").into()
}

/// Zeros that fill up the last block of a tape are no damage.
fn only_zeros(source: &mut dyn Source, expected: &str) -> io::Result<usize> {
    loop {
        let found = source.fill_buf()?;
        if found.is_empty() {
            return Ok(0);
        }
        if found.iter().any(|byte| *byte != 0) {
            return Err(trailing(expected));
        }
        let len = found.len();
        source.consume(len);
    }
}

/// lz4 frames, one after another, skippable ones among them.
///
/// `lz4_flex` gives nothing at the end of a frame and nothing at the end of a
/// frame that is cut off; [`Watched`] tells the two apart.
struct Lz4<'a> {
    frames: lz4_flex::frame::FrameDecoder<Watched<'a>>,
    inside: bool,
}

struct Watched<'a> {
    source: &'a mut dyn Source,
    ran_out: bool,
}

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.source.read(out)?;
        self.ran_out |= len == 0 && !out.is_empty();
        Ok(len)
    }
}

impl<'a> Lz4<'a> {
    fn new(source: &'a mut dyn Source) -> Self {
        let watched = Watched { source, ran_out: false };
        Self { frames: lz4_flex::frame::FrameDecoder::new(watched), inside: false }
    }

    /// True when another frame begins here, false at the end.
    fn next_frame(&mut self) -> io::Result<bool> {
        let source = &mut *self.frames.get_mut().source;
        loop {
            match *source.peek(8) {
                [] => return source.fill_buf().map(|_| false),
                [0x04, 0x22, 0x4d, 0x18, ..] | [0x02, 0x21, 0x4c, 0x18, ..] => return Ok(true),
                [low, 0x2a, 0x4d, 0x18, a, b, c, d, ..] if low & 0xf0 == 0x50 => {
                    let len = 8 + u64::from(u32::from_le_bytes([a, b, c, d]));
                    if skip(source, len)? < len {
                        return Err(Fault::truncated("the rest of a skippable frame").into());
                    }
                }
                [0, ..] => return only_zeros(source, "another lz4 frame").map(|_| false),
                _ => return Err(trailing("another lz4 frame")),
            }
        }
    }
}

impl Read for Lz4<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.inside && !self.next_frame()? {
                return Ok(0);
            }
            self.inside = true;
            let len = self.frames.read(out)?;
            if len > 0 {
                return Ok(len);
            }
            if self.frames.get_ref().ran_out {
                return Err(Fault::truncated("the rest of an lz4 frame").into());
            }
            self.inside = false;
        }
    }
}
