//! Decodes zstd frames with ruzstd, which reads one block at a time.

use std::error::Error;
use std::io::{self, Read};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::runs_reader::{Runs, trailing};
use crate::caps::Caps;
use crate::fault::Fault;
use crate::stream::{Source, skip_frame};

/// Empty last block of a frame, with space for a checksum.
const LAST_BLOCK: &[u8] = b"\x01\0\0\0\0\0\0";

/// Decoder of one or all zstd frames.
pub(super) struct Frames<'a> {
    source: &'a mut dyn Source,
    decoder: FrameDecoder,
    single: bool,
    /// Limit of memory in bytes.
    most: u64,
    /// Whether the frame's header announces a checksum after the data.
    has_checksum: bool,
    /// Size of the frame, if its header states it.
    size: Option<u64>,
    /// Bytes of the frame that were decoded.
    produced: u64,
    /// Damage to report after all bytes before it are returned.
    fault: Option<io::Error>,
}

impl<'a> Frames<'a> {
    pub(super) fn new(source: &'a mut dyn Source, single: bool, caps: &Caps) -> Self {
        Self {
            source,
            decoder: FrameDecoder::new(),
            single,
            most: caps.memory,
            has_checksum: false,
            size: None,
            produced: 0,
            fault: None,
        }
    }

    fn start(&mut self, descriptor: u8) -> io::Result<()> {
        // A reused decoder would allocate a whole window at once, so create a new one.
        self.decoder = FrameDecoder::new();
        // Largest power of two within the cap, as in the C decoder.
        self.decoder
            .set_max_window_size(1 << self.most.max(1).ilog2().clamp(10, 31));
        self.decoder
            .reset(&mut *self.source)
            .map_err(|err| match err {
                FrameDecoderError::WindowSizeTooBig { .. } => Fault::too_large(self.most).into(),
                err => reading_error(&err),
            })?;
        self.has_checksum = descriptor & 4 != 0;
        let is_stated = descriptor >> 6 != 0 || descriptor & 0x20 != 0;
        self.size = is_stated.then(|| self.decoder.content_size());
        self.produced = 0;
        Ok(())
    }
}

impl Runs for Frames<'_> {
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            match *self.source.peek(8) {
                [] => return self.source.fill_buf().map(|_| false),
                [0x28, 0xb5, 0x2f, 0xfd, descriptor, ..] => {
                    return self.start(descriptor).map(|()| true);
                }
                [low, 0x2a, 0x4d, 0x18, a, b, c, d, ..] if low & 0xf0 == 0x50 => {
                    skip_frame(self.source, [a, b, c, d])?
                }
                [_, _, _, _, _, ..] => return Err(trailing("another zstd frame")),
                _ => return Err(Fault::truncated("the rest of the zstd data").into()),
            }
        }
    }

    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let len = self.decoder.read(out)?;
            self.produced += len as u64;
            if len > 0 {
                return Ok(len);
            }
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            }
            if self.decoder.is_finished() {
                return Ok(0);
            }
            let strategy = BlockDecodingStrategy::UptoBlocks(1);
            if let Err(err) = self.decoder.decode_blocks(&mut *self.source, strategy) {
                self.fault = Some(reading_error(&err));
                // The decoder keeps the window of an unfinished frame. A last block makes it return
                // those bytes; if that fails, nothing more can be done.
                _ = self
                    .decoder
                    .decode_blocks(LAST_BLOCK, BlockDecodingStrategy::UptoBlocks(1));
            }
        }
    }

    /// Compares the decoded frame with its stated size and checksum.
    fn end(&mut self) -> io::Result<bool> {
        if self.size.is_some_and(|size| size != self.produced) {
            return Err(io::Error::other("another size than is stated"));
        }
        let sums = (
            self.decoder.get_checksum_from_data(),
            self.decoder.get_calculated_checksum(),
        );
        if self.has_checksum && sums.0 != sums.1 {
            return Err(io::Error::other("another checksum than is stated"));
        }
        Ok(!self.single)
    }
}

/// Returns the source's error inside the decoder's error, or an error for damage.
fn reading_error(err: &(dyn Error + 'static)) -> io::Error {
    let mut inner = Some(err);
    while let Some(err) = inner {
        if let Some(err) = err.downcast_ref::<io::Error>() {
            return match err.kind() {
                io::ErrorKind::UnexpectedEof => {
                    Fault::truncated("the rest of the zstd data").into()
                }
                _ => Fault::of(err, "zstd data").into(),
            };
        }
        inner = err.source();
    }
    io::Error::other(err.to_string())
}
