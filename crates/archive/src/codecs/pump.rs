//! One loop for every codec that works from buffer to buffer. The readers of
//! the crates drop what a call gave before it failed. This one returns it first,
//! so that everything before the damage can be read.

use std::io::{self, Read};

use bzip2::Decompress as Bzip2;
use flate2::{Decompress as Deflate, FlushDecompress};

use crate::fault::Fault;
use crate::stream::Source;

/// Result of a call of a codec.
#[derive(Default)]
pub(crate) struct Step {
    pub(crate) consumed: usize,
    pub(crate) produced: usize,
    /// The stream is complete.
    pub(crate) done: bool,
    pub(crate) fault: Option<io::Error>,
}

impl Step {
    /// The step of a codec that counts all bytes in and out, by its counts before and after.
    pub(crate) fn of<S: PartialEq>(
        before: [u64; 2],
        after: [u64; 2],
        result: Result<S, impl std::error::Error + Send + Sync + 'static>,
        end: S,
    ) -> Self {
        let [consumed, produced] = [0, 1].map(|at| (after[at] - before[at]) as usize);
        let done = result.as_ref().is_ok_and(|status| *status == end);
        Self { consumed, produced, done, fault: result.err().map(io::Error::other) }
    }
}

/// A decoder from buffer to buffer; `ended` says that `input` is empty for good.
pub(crate) trait Codec {
    fn run(&mut self, input: &[u8], out: &mut [u8], ended: bool) -> Step;
}

impl<C: Codec> Codec for Box<C> {
    fn run(&mut self, input: &[u8], out: &mut [u8], ended: bool) -> Step {
        (**self).run(input, out, ended)
    }
}

/// A codec with its input, as a reader.
pub(crate) struct Pump<'a, C> {
    pub(crate) source: &'a mut dyn Source,
    pub(crate) codec: C,
    expected: &'static str,
    done: bool,
    fault: Option<Fault>,
}

impl<'a, C: Codec> Pump<'a, C> {
    /// `expected` names the data when it is damaged or cut.
    pub(crate) fn new(source: &'a mut dyn Source, codec: C, expected: &'static str) -> Self {
        Self { source, codec, expected, done: false, fault: None }
    }

    /// Ready for another stream after the one that is done.
    pub(crate) fn restart(&mut self) {
        self.done = false;
    }
}

impl<C: Codec> Read for Pump<'_, C> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // Some codecs take a call or two without moving, at a border.
        let mut patience = 4;
        loop {
            if let Some(fault) = &self.fault {
                return Err(fault.to_io());
            }
            if self.done || out.is_empty() {
                return Ok(0);
            }
            let input = self.source.fill_buf()?;
            let ended = input.is_empty();
            let step = self.codec.run(input, out, ended);
            self.source.consume(step.consumed);
            self.done = step.done;
            self.fault = step.fault.map(|err| Fault::of(&err, self.expected));
            if step.produced > 0 {
                return Ok(step.produced);
            }
            if step.consumed == 0 && !step.done && self.fault.is_none() {
                patience -= 1;
                if ended {
                    self.fault = Some(Fault::truncated(format!("the rest of the {}", self.expected)));
                } else if patience == 0 {
                    self.fault = Some(Fault::damaged(self.expected, "bytes that lead nowhere"));
                }
            }
        }
    }
}

impl Codec for Deflate {
    fn run(&mut self, input: &[u8], out: &mut [u8], _ended: bool) -> Step {
        let before = [self.total_in(), self.total_out()];
        let result = self.decompress(input, out, FlushDecompress::None);
        Step::of(before, [self.total_in(), self.total_out()], result, flate2::Status::StreamEnd)
    }
}

impl Codec for deflate64::InflaterManaged {
    fn run(&mut self, input: &[u8], out: &mut [u8], _ended: bool) -> Step {
        let result = self.inflate(input, out);
        Step {
            consumed: result.bytes_consumed,
            produced: result.bytes_written,
            done: self.finished() && result.bytes_written == 0,
            fault: result.data_error.then(|| io::Error::other("other bytes")),
        }
    }
}

impl Codec for Bzip2 {
    fn run(&mut self, input: &[u8], out: &mut [u8], _ended: bool) -> Step {
        let before = [self.total_in(), self.total_out()];
        let result = self.decompress(input, out);
        Step::of(before, [self.total_in(), self.total_out()], result, bzip2::Status::StreamEnd)
    }
}
