//! Decoders in Rust: lzma-rust2 and ruzstd.

use std::io::{self, Read};

use lzma_rust2::{LzmaReader, XzReader};

use super::LzmaHeader;
use super::frames::Frames;
use crate::caps::Caps;
use crate::fault::Fault;
use crate::problem::Trouble;
use crate::pump::Pump;
use crate::stream::Source;

/// Bytes that [`XzReader`] is asked for at once. It loses those that came before damage in one call.
const ASKED: usize = 8 << 10;

/// A decoder of `.xz` files: all streams, and the zeros between them, or one.
///
/// lzma-rust2 has a decoder from buffer to buffer, too. It keeps a record for each block, which may be as small as 16 bytes.
pub(crate) fn xz<'a>(source: &'a mut dyn Source, single: bool, caps: &Caps) -> Result<Box<dyn Read + 'a>, Fault> {
    let reader = XzReader::new_mem_limit(Whole(source), !single, kibibytes(caps));
    Ok(Box::new(Limited { reader, most: caps.memory }))
}

/// A decoder of LZMA data after its header. It reads beyond the end of the data, so something else must say where that is.
pub(crate) fn lzma<'a>(
    source: &'a mut dyn Source,
    header: LzmaHeader,
    open_end: bool,
    caps: &Caps,
) -> Result<Box<dyn Read + 'a>, Fault> {
    if open_end {
        let expected = "LZMA data whose size is stated before its bytes";
        return Err(Fault::new(Trouble::Unsupported, expected, "one whose size is stated after them"));
    }
    let whole = io::Cursor::new(header).chain(source);
    let fault = |err: io::Error| Fault::of(&of_limit(err, caps.memory), "LZMA data");
    let mut reader = LzmaReader::new_mem_limit(whole, kibibytes(caps), None).map_err(fault)?;
    reader.set_defer_errors(true);
    Ok(Box::new(reader))
}

/// A decoder of zstd frames: one, or all there are.
pub(crate) fn zstd<'a>(source: &'a mut dyn Source, single: bool, caps: &Caps) -> Result<Box<dyn Read + 'a>, Fault> {
    Ok(Box::new(Pump::new(source, Frames::new(single, caps), "zstd data")))
}

/// The cap of memory as lzma-rust2 counts it; its largest number is no limit.
fn kibibytes(caps: &Caps) -> u32 {
    u32::try_from(caps.memory >> 10).unwrap_or(u32::MAX).min(u32::MAX - 1)
}

/// The error of a decoder that needs more memory than `most` bytes as the fault that it is.
fn of_limit(err: io::Error, most: u64) -> io::Error {
    match err.kind() {
        io::ErrorKind::OutOfMemory => Fault::too_large(most, "one that needs more").into(),
        _ => err,
    }
}

struct Limited<'a> {
    reader: XzReader<Whole<'a>>,
    most: u64,
}

impl Read for Limited<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = out.len().min(ASKED);
        self.reader.read(&mut out[..len]).map_err(|err| of_limit(err, self.most))
    }
}

/// A source that gives less than it is asked for at its end only: [`XzReader`] takes a part of the padding of a block for damage.
struct Whole<'a>(&'a mut dyn Source);

impl Read for Whole<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut len = 0;
        while len < out.len() {
            match self.0.read(&mut out[len..])? {
                0 => break,
                read => len += read,
            }
        }
        Ok(len)
    }
}
