//! Single compressed streams: gz, bz2, xz, zst, lz4. Consecutive members, streams or frames are
//! joined, as the tools of each format do.
//!
//! Memory beside the buffers: gz 32 KiB, bz2 4 MB, lz4 at most 12 MB, zst its window, and xz its
//! dictionary. The last two are limited by [`Caps::memory`].

use std::io::{self, Read};

use super::runs_reader::{Runs, RunsReader, another, only_zeros, trailing};
use crate::caps::Ledger;
use crate::codecs;
use crate::codecs::pump::Pump;
use crate::fault::Fault;
use crate::sniff::Sniff;
use crate::stream::{Source, skip, skip_frame};

/// Unpacks `source`, and counts its output against the caps.
pub(crate) fn decoder<'a>(
    sniff: Sniff,
    source: &'a mut dyn Source,
    ledger: &'a Ledger,
) -> Result<Counted<'a>, Fault> {
    let (inner, expected): (Box<dyn Read + 'a>, _) = match sniff {
        Sniff::Gzip => (Box::new(RunsReader::new(Gzip::new(source))), "gzip data"),
        Sniff::Bzip2 => (Box::new(RunsReader::new(bzip2(source))), "bzip2 data"),
        Sniff::Xz => (codecs::xz(source, false, &ledger.caps)?, "xz data"),
        Sniff::Zstd => (codecs::zstd(source, false, &ledger.caps)?, "zstd data"),
        Sniff::Lz4 => (Box::new(RunsReader::new(Lz4::new(source))), "lz4 data"),
        _ => return Err(Fault::unsupported("not a compressed stream")),
    };
    Ok(Counted {
        inner,
        expected,
        ledger,
    })
}

/// Decoder whose output is counted, and whose errors name the data.
pub(crate) struct Counted<'a> {
    inner: Box<dyn Read + 'a>,
    expected: &'static str,
    ledger: &'a Ledger,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(inner: impl Read + 'a, expected: &'static str, ledger: &'a Ledger) -> Self {
        Self {
            inner: Box::new(inner),
            expected,
            ledger,
        }
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

/// Decoder of gzip members.
struct Gzip<'a> {
    member: Pump<'a, flate2::Decompress>,
    crc: flate2::Crc,
}

impl<'a> Gzip<'a> {
    fn new(source: &'a mut dyn Source) -> Self {
        let member = Pump::new(source, flate2::Decompress::new(false), "gzip data");
        Self {
            member,
            crc: flate2::Crc::new(),
        }
    }
}

impl Runs for Gzip<'_> {
    /// Reads a header; returns false at the end.
    ///
    /// ```text
    /// 1f 8b 08 flags time(4) xfl os [len(2) extra] [name 0] [comment 0] [crc(2)]
    /// ```
    fn begin(&mut self) -> io::Result<bool> {
        let source = &mut *self.member.source;
        if !another(source, b"\x1f\x8b\x08", "another gzip member")? {
            return Ok(false);
        }
        let mut fixed = [0; 10];
        source.read_exact(&mut fixed)?;
        let flags = fixed[3];
        if flags & 0xe0 != 0 {
            return Err(
                Fault::damaged("flags of a gzip header", format_args!("{flags:#04x}")).into(),
            );
        }
        if flags & 4 != 0 {
            let mut len = [0; 2];
            source.read_exact(&mut len)?;
            skip_all(source, u16::from_le_bytes(len).into())?;
        }
        for flag in [8, 16] {
            let mut byte = [u8::from(flags & flag != 0)];
            while byte[0] != 0 {
                source.read_exact(&mut byte)?;
            }
        }
        skip_all(source, if flags & 2 != 0 { 2 } else { 0 })?;
        self.crc.reset();
        self.member.codec.reset(false);
        self.member.restart();
        Ok(true)
    }

    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.member.read(out)?;
        self.crc.update(&out[..len]);
        Ok(len)
    }

    /// Compares the checksum and size after a member with its data.
    fn end(&mut self) -> io::Result<bool> {
        let mut trailer = [0; 8];
        self.member.source.read_exact(&mut trailer)?;
        let seen = [
            self.crc.sum().to_le_bytes(),
            self.crc.amount().to_le_bytes(),
        ]
        .concat();
        if seen != trailer {
            return Err(Fault::corrupt("the checksum or size of the gzip data is wrong").into());
        }
        Ok(true)
    }
}

/// Bytes after the level of a bzip2 stream without blocks: the end mark and the checksum.
const EMPTY: &[u8] = b"\x17\x72\x45\x38\x50\x90\0\0\0\0";

fn bzip2(source: &mut dyn Source) -> Pump<'_, bzip2::Decompress> {
    Pump::new(source, bzip2::Decompress::new(false), "bzip2 data")
}

/// Decodes bzip2 streams.
impl Runs for Pump<'_, bzip2::Decompress> {
    fn begin(&mut self) -> io::Result<bool> {
        // Skip empty streams: setting up a decoder takes 0.2 ms, an empty stream has 14 bytes, and
        // a small file can contain millions of them.
        while matches!(self.source.peek(14), [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if rest.starts_with(EMPTY))
        {
            self.source.consume(14);
        }
        if !another(self.source, b"BZh", "another bzip2 stream")? {
            return Ok(false);
        }
        self.codec = bzip2::Decompress::new(false);
        self.restart();
        Ok(true)
    }

    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        Read::read(self, out)
    }
}

fn skip_all(source: &mut dyn Source, len: u64) -> io::Result<()> {
    if skip(source, len)? < len {
        return Err(Fault::truncated("the rest of a header").into());
    }
    Ok(())
}

/// Decoder of lz4 frames, including skippable ones.
///
/// `lz4_flex` returns 0 both at the end of a frame and where a frame is cut off.
/// [`FailureRecorder`] distinguishes the two.
struct Lz4<'a> {
    frames: lz4_flex::frame::FrameDecoder<FailureRecorder<'a>>,
    /// Whether the frame has the legacy format, which has no end mark.
    is_legacy: bool,
}

struct FailureRecorder<'a> {
    source: &'a mut dyn Source,
    /// Bytes that the decoder asked for after the end of the source.
    ran_out: Option<usize>,
}

impl Read for FailureRecorder<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.source.read(out)?;
        if len == 0 && !out.is_empty() {
            self.ran_out = Some(out.len());
        }
        Ok(len)
    }
}

impl<'a> Lz4<'a> {
    fn new(source: &'a mut dyn Source) -> Self {
        let watched = FailureRecorder {
            source,
            ran_out: None,
        };
        Self {
            frames: lz4_flex::frame::FrameDecoder::new(watched),
            is_legacy: false,
        }
    }
}

impl Runs for Lz4<'_> {
    fn begin(&mut self) -> io::Result<bool> {
        let source = &mut *self.frames.get_mut().source;
        loop {
            match *source.peek(8) {
                [] => return source.fill_buf().map(|_| false),
                [magic @ (0x02 | 0x04), 0x21 | 0x22, 0x4c | 0x4d, 0x18, ..] => {
                    self.is_legacy = magic == 2;
                    return Ok(true);
                }
                [low, 0x2a, 0x4d, 0x18, a, b, c, d, ..] if low & 0xf0 == 0x50 => {
                    skip_frame(source, [a, b, c, d])?
                }
                [0, ..] => return only_zeros(source, "another lz4 frame").map(|_| false),
                _ => return Err(trailing("another lz4 frame")),
            }
        }
    }

    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.frames.read(out)
    }

    fn end(&mut self) -> io::Result<bool> {
        match self.frames.get_ref().ran_out {
            // The decoder asked for the four bytes of the next block's size.
            Some(4) if self.is_legacy => Ok(false),
            Some(_) => Err(Fault::truncated("the rest of an lz4 frame").into()),
            None => Ok(true),
        }
    }
}
