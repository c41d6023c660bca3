//! zstd frames by ruzstd, which takes whole blocks: they are gathered here.

use std::io::{self, Read};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::caps::Caps;
use crate::fault::Fault;
use crate::pump::{Codec, Step};

/// The most bytes of a block, packed and unpacked.
const BLOCK: usize = 128 << 10;

/// Bytes before a block: a bit for the last one, its kind in two, its size in the rest.
const BLOCK_HEAD: usize = 3;

/// zstd frames: one, or all there are.
pub(super) struct Frames {
    decoder: FrameDecoder,
    single: bool,
    /// Bytes of memory that it may have.
    most: u64,
    /// Bytes that the window of a frame may have.
    window: u64,
    place: Place,
    /// Bytes of the header or block that is gathered.
    gathered: Vec<u8>,
    /// The header of the frame says that one follows.
    has_checksum: bool,
    /// Its size, if the header states it.
    size: Option<u64>,
    /// Bytes of the frame that came out.
    produced: u64,
}

enum Place {
    /// Before a frame, or in its header.
    Between,
    /// In a frame that is skipped, with so many bytes left.
    Skipped(u64),
    Inside,
    /// After the last block.
    Ended,
    /// After damage, which is told when all that came before it is out; none where the input ended.
    Broken(Option<io::Error>),
}

impl Frames {
    pub(super) fn new(single: bool, caps: &Caps) -> Self {
        Self {
            decoder: FrameDecoder::new(),
            single,
            most: caps.memory,
            // The largest power of two that fits, as the C decoder has it.
            window: 1 << caps.memory.max(1).ilog2().clamp(10, 31),
            place: Place::Between,
            gathered: Vec::new(),
            has_checksum: false,
            size: None,
            produced: 0,
        }
    }

    /// How many bytes are to be gathered, as far as those that are there tell.
    fn wanted(&self) -> io::Result<usize> {
        let head = &self.gathered[..];
        if matches!(self.place, Place::Between) {
            return match *head {
                [low, 0x2a, 0x4d, 0x18, ..] if low & 0xf0 == 0x50 => Ok(8),
                [0x28, 0xb5, 0x2f, 0xfd, descriptor, ..] => {
                    let is_single = descriptor & 0x20 != 0;
                    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
                    let size = [usize::from(is_single), 2, 4, 8][usize::from(descriptor >> 6)];
                    Ok(5 + usize::from(!is_single) + dictionary + size)
                }
                [0x28, 0xb5, 0x2f, 0xfd] => Ok(5),
                [_, _, _, _, ..] => Err(io::Error::other("other bytes")),
                _ => Ok(4),
            };
        }
        let [a, b, c, ..] = *head else { return Ok(BLOCK_HEAD) };
        let header = u32::from_le_bytes([a, b, c, 0]);
        let (is_last, is_run, size) = (header & 1 != 0, header >> 1 & 3 == 1, (header >> 3) as usize);
        if size > BLOCK {
            return Err(io::Error::other("a block of more than 128 KiB"));
        }
        let checksum = if is_last && self.has_checksum { 4 } else { 0 };
        Ok(BLOCK_HEAD + if is_run { 1 } else { size } + checksum)
    }

    /// Takes what is gathered: a header, or a block.
    fn take(&mut self) -> io::Result<()> {
        let head = std::mem::take(&mut self.gathered);
        let result = match (&self.place, &head[..]) {
            (Place::Between, &[low, 0x2a, 0x4d, 0x18, a, b, c, d]) if low & 0xf0 == 0x50 => {
                self.place = Place::Skipped(u32::from_le_bytes([a, b, c, d]).into());
                Ok(())
            }
            (Place::Between, _) => self.begin(&head),
            _ => self.block(&head),
        };
        // Its memory is used again.
        self.gathered = head;
        self.gathered.clear();
        result
    }

    fn begin(&mut self, head: &[u8]) -> io::Result<()> {
        // A decoder that is used again takes the memory of a whole window at once.
        self.decoder = FrameDecoder::new();
        self.decoder.set_max_window_size(self.window);
        self.decoder.reset(head).map_err(|err| match err {
            FrameDecoderError::WindowSizeTooBig { .. } => Fault::too_large(self.most, "one that needs more").into(),
            err => io::Error::other(err.to_string()),
        })?;
        let descriptor = head[4];
        self.has_checksum = descriptor & 4 != 0;
        let is_stated = descriptor >> 6 != 0 || descriptor & 0x20 != 0;
        self.size = is_stated.then(|| self.decoder.content_size());
        self.produced = 0;
        self.place = Place::Inside;
        Ok(())
    }

    fn block(&mut self, block: &[u8]) -> io::Result<()> {
        let is_last = self.decoder.decode_blocks(block, BlockDecodingStrategy::UptoBlocks(1));
        if is_last.map_err(|err| io::Error::other(err.to_string()))? {
            self.place = Place::Ended;
        }
        Ok(())
    }

    /// Compares what came out of a frame with what it states.
    fn check(&self) -> io::Result<()> {
        if self.size.is_some_and(|size| size != self.produced) {
            return Err(io::Error::other("another size than is stated"));
        }
        let sums = (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum());
        match sums {
            (Some(stated), Some(seen)) if self.has_checksum && stated != seen => {
                Err(io::Error::other("another checksum than is stated"))
            }
            _ => Ok(()),
        }
    }

    /// Ends a frame that cannot be read further: what is in the window comes out, with what there is of a stored block that was cut.
    fn give_up(&mut self, fault: Option<io::Error>) {
        let stored = match self.gathered[..] {
            [a, b, c, ref bytes @ ..] if fault.is_none() && a >> 1 & 3 == 0 => {
                let size = u32::from_le_bytes([a, b, c, 0]) >> 3;
                &bytes[..bytes.len().min(size as usize)]
            }
            _ => &[],
        };
        // A last block of these bytes, and space for a checksum.
        let head = (stored.len() as u32) << 3 | 1;
        let block = [&head.to_le_bytes()[..BLOCK_HEAD], stored, &[0; 4]].concat();
        // No more can be done where this fails, too.
        _ = self.decoder.decode_blocks(&block[..], BlockDecodingStrategy::UptoBlocks(1));
        self.place = Place::Broken(fault);
    }

    /// Fills `out` with what is decoded.
    fn drain(&mut self, out: &mut [u8]) -> usize {
        // It reads from memory.
        let len = self.decoder.read(out).unwrap_or(0);
        self.produced += len as u64;
        len
    }
}

impl Codec for Frames {
    fn run(&mut self, input: &[u8], out: &mut [u8], ended: bool) -> Step {
        let mut step = Step::default();
        loop {
            if !matches!(self.place, Place::Between | Place::Skipped(_)) {
                step.produced = self.drain(out);
                if step.produced > 0 {
                    return step;
                }
            }
            let rest = &input[step.consumed..];
            match &mut self.place {
                Place::Broken(fault) => {
                    step.fault = fault.take();
                    return step;
                }
                Place::Ended => {
                    step.fault = self.check().err();
                    step.done = self.single;
                    self.place = Place::Between;
                    if step.fault.is_some() || step.done {
                        return step;
                    }
                    continue;
                }
                Place::Between if ended && self.gathered.is_empty() => {
                    step.done = true;
                    return step;
                }
                Place::Skipped(left) => {
                    let len = (rest.len() as u64).min(*left);
                    *left -= len;
                    step.consumed += len as usize;
                    if *left > 0 {
                        return step;
                    }
                    self.place = Place::Between;
                    continue;
                }
                Place::Inside if ended => {
                    self.give_up(None);
                    continue;
                }
                Place::Between | Place::Inside => {}
            }
            let result = self.wanted().and_then(|wanted| {
                let len = rest.len().min(wanted - self.gathered.len());
                self.gathered.extend_from_slice(&rest[..len]);
                step.consumed += len;
                // More may be wanted, now that more is known.
                if self.gathered.len() == self.wanted()? { self.take().map(|()| true) } else { Ok(len > 0) }
            });
            match (result, &self.place) {
                (Ok(true), _) => {}
                (Ok(false), _) => return step,
                (Err(err), Place::Inside | Place::Ended) => self.give_up(Some(err)),
                (Err(err), _) => {
                    step.fault = Some(err);
                    return step;
                }
            }
        }
    }
}
