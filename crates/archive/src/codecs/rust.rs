//! Decoders in Rust: lzma-rust2 and ruzstd.

use std::io::{self, Read};

use lzma_rust2::{Action, LzmaReader, Status, XzStream};

use super::LzmaHeader;
use super::frames::Frames;
use super::runs_reader::RunsReader;
use crate::caps::Caps;
use crate::codecs::pump::{Codec, Pump, Step};
use crate::fault::Fault;
use crate::stream::Source;

/// Bytes of a `.xz` file to decode at once. If they are damaged, their output is lost.
const PIECE: usize = 1 << 10;

/// Returns a decoder of `.xz` files: of one stream if `single`, else of all streams and the zeros
/// between them.
///
/// The decoder keeps 16 bytes for each block. A block can be that small, but tools write blocks of
/// MiB. lzma-rust2 also has a reader that keeps nothing, but it loses the last 64 KiB of a
/// truncated file.
pub(crate) fn xz<'a>(
    source: &'a mut dyn Source,
    single: bool,
    caps: &Caps,
) -> Result<Box<dyn Read + 'a>, Fault> {
    let stream = XzStream::new_mem_limit(!single, kibibytes(caps));
    Ok(Box::new(Pump::new(
        source,
        Xz {
            stream,
            most: caps.memory,
        },
        "xz data",
    )))
}

/// Returns a decoder of LZMA data after its header. It reads beyond the end of the data, so the
/// caller must know where that is.
pub(crate) fn lzma<'a>(
    source: &'a mut dyn Source,
    header: LzmaHeader,
    open_end: bool,
    caps: &Caps,
) -> Result<Box<dyn Read + 'a>, Fault> {
    if open_end {
        return Err(Fault::unsupported(
            "LZMA data whose size is stated after its bytes is not supported",
        ));
    }
    let whole = io::Cursor::new(header).chain(source);
    let fault = |err: io::Error| Fault::of(&of_limit(err, caps.memory), "LZMA data");
    let mut reader = LzmaReader::new_mem_limit(whole, kibibytes(caps), None).map_err(fault)?;
    reader.set_defer_errors(true);
    Ok(Box::new(reader))
}

/// Returns a decoder of one zstd frame if `single`, else of all frames.
pub(crate) fn zstd<'a>(
    source: &'a mut dyn Source,
    single: bool,
    caps: &Caps,
) -> Result<Box<dyn Read + 'a>, Fault> {
    Ok(Box::new(RunsReader::new(Frames::new(source, single, caps))))
}

/// Converts the memory cap to lzma-rust2's unit. Its largest number would mean no limit.
fn kibibytes(caps: &Caps) -> u32 {
    u32::try_from(caps.memory >> 10)
        .unwrap_or(u32::MAX)
        .min(u32::MAX - 1)
}

/// Converts a decoder's out-of-memory error to a fault of the cap `memory`.
fn of_limit(err: io::Error, most: u64) -> io::Error {
    match err.kind() {
        io::ErrorKind::OutOfMemory => Fault::too_large(most).into(),
        _ => err,
    }
}

struct Xz {
    stream: XzStream,
    /// Limit of memory in bytes.
    most: u64,
}

impl Codec for Xz {
    fn run(&mut self, input: &[u8], out: &mut [u8], ended: bool) -> Step {
        let input = &input[..input.len().min(PIECE)];
        let before = [self.stream.total_in(), self.stream.total_out()];
        let (done, fault) =
            match self
                .stream
                .process(input, out, if ended { Action::Finish } else { Action::Run })
            {
                Ok(result) => (result.status == Status::StreamEnd, None),
                Err(err) => (false, Some(of_limit(err, self.most))),
            };
        // Use the counts, because an error does not return the output before it.
        let after = [self.stream.total_in(), self.stream.total_out()];
        let [consumed, produced] = [0, 1].map(|at| (after[at] - before[at]) as usize);
        Step {
            consumed,
            produced,
            done,
            fault,
        }
    }
}
