//! Decoders in C: liblzma and zstd.

use std::io::{self, Read};

use liblzma::stream::{Action, Status as XzStatus, Stream as Xz};
use zstd::stream::raw::{DParameter, Decoder as Zstd, InBuffer, Operation, OutBuffer};

use super::LzmaHeader;
use crate::caps::Caps;
use crate::codecs::pump::{Codec, Pump, Step};
use crate::fault::Fault;
use crate::stream::Source;

/// Returns a decoder of `.xz` files: of one stream if `single`, else of all streams and the zeros
/// between them.
pub(crate) fn xz<'a>(
    source: &'a mut dyn Source,
    single: bool,
    caps: &Caps,
) -> Result<Box<dyn Read + 'a>, Fault> {
    let flags = if single {
        0
    } else {
        liblzma::stream::CONCATENATED
    };
    let stream =
        Xz::new_stream_decoder(caps.memory, flags).map_err(|err| Fault::damaged("xz data", err))?;
    Ok(Box::new(Pump::new(source, stream, "xz data")))
}

/// Returns a decoder of LZMA data after its header. It finds the end of the data by itself, even
/// with `open_end`, when no header states it.
pub(crate) fn lzma<'a>(
    source: &'a mut dyn Source,
    header: LzmaHeader,
    _open_end: bool,
    caps: &Caps,
) -> Result<Box<dyn Read + 'a>, Fault> {
    let fault = |err: liblzma::stream::Error| Fault::damaged("LZMA data", err);
    let mut stream = Xz::new_lzma_decoder(caps.memory).map_err(fault)?;
    stream
        .process(&header, &mut [0], Action::Run)
        .map_err(fault)?;
    Ok(Box::new(Pump::new(source, stream, "LZMA data")))
}

/// Returns a decoder of one zstd frame if `single`, else of all frames.
pub(crate) fn zstd<'a>(
    source: &'a mut dyn Source,
    single: bool,
    caps: &Caps,
) -> Result<Box<dyn Read + 'a>, Fault> {
    Ok(Box::new(Pump::new(
        source,
        Frames::new(single, caps)?,
        "zstd data",
    )))
}

impl Codec for Xz {
    fn run(&mut self, input: &[u8], out: &mut [u8], ended: bool) -> Step {
        let before = [self.total_in(), self.total_out()];
        let result = self.process(input, out, if ended { Action::Finish } else { Action::Run });
        let is_too_large = matches!(result, Err(liblzma::stream::Error::MemLimit));
        let mut step = Step::of(
            before,
            [self.total_in(), self.total_out()],
            result,
            XzStatus::StreamEnd,
        );
        if is_too_large {
            step.fault = Some(Fault::too_large(self.memlimit()).into());
        }
        step
    }
}

/// Decoder of one or all zstd frames.
struct Frames {
    decoder: Zstd<'static>,
    single: bool,
    /// Limit of memory in bytes.
    most: u64,
    /// Bytes that the decoder asked for: one block, so that a damaged block does not affect those
    /// before it.
    hint: usize,
    between: bool,
}

impl Frames {
    fn new(single: bool, caps: &Caps) -> Result<Self, Fault> {
        let fault = |err: io::Error| Fault::of(&err, "zstd data");
        let mut decoder = Zstd::new().map_err(fault)?;
        // Base 2 logarithm of the largest window within the cap; zstd allows 2^10 to 2^31.
        let log = caps.memory.max(1).ilog2().clamp(10, 31);
        decoder
            .set_parameter(DParameter::WindowLogMax(log))
            .map_err(fault)?;
        Ok(Self {
            decoder,
            single,
            most: caps.memory,
            hint: usize::MAX,
            between: true,
        })
    }
}

impl Codec for Frames {
    fn run(&mut self, input: &[u8], out: &mut [u8], ended: bool) -> Step {
        if ended && self.between {
            return Step {
                done: true,
                ..Step::default()
            };
        }
        // Between frames, offer a whole header, because it is small.
        let offered = if self.between {
            input.len().min(18)
        } else {
            input.len().min(self.hint.max(1))
        };
        let mut input = InBuffer::around(&input[..offered]);
        let mut out = OutBuffer::around(out);
        let result = self.decoder.run(&mut input, &mut out);
        let mut step = Step {
            consumed: input.pos(),
            produced: out.pos(),
            ..Step::default()
        };
        match result {
            Ok(hint) => {
                self.between = hint == 0;
                self.hint = hint;
                step.done = self.between && self.single;
            }
            Err(err) if err.to_string() == "Frame requires too much memory for decoding" => {
                step.fault = Some(Fault::too_large(self.most).into());
            }
            Err(err) => step.fault = Some(err),
        }
        step
    }
}
