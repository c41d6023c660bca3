//! One loop for all codecs that work from buffer to buffer. The readers of the codecs' own crates
//! drop the output of a call that fails. This one returns it first, so that all bytes before the
//! damage can be read.

use std::cell::Cell;
use std::io::{self, Read};

use bzip2::Decompress as Bzip2;
use flate2::{Decompress as Deflate, FlushDecompress};

use crate::fault::Fault;
use crate::stream::Source;

/// Result of one call of a codec.
#[derive(Default)]
pub(crate) struct Step {
    pub(crate) consumed: usize,
    pub(crate) produced: usize,
    /// Whether the stream is complete.
    pub(crate) done: bool,
    pub(crate) fault: Option<io::Error>,
}

impl Step {
    /// Builds the step of a codec that counts its input and output, from the counts before and
    /// after the call.
    pub(crate) fn of<S: PartialEq>(
        before: [u64; 2],
        after: [u64; 2],
        result: Result<S, impl std::error::Error + Send + Sync + 'static>,
        end: S,
    ) -> Self {
        let [consumed, produced] = [0, 1].map(|at| (after[at] - before[at]) as usize);
        let done = result.as_ref().is_ok_and(|status| *status == end);
        Self {
            consumed,
            produced,
            done,
            fault: result.err().map(io::Error::other),
        }
    }
}

/// Decoder from buffer to buffer. `ended` means that `input` is empty for good.
pub(crate) trait Codec {
    fn run(&mut self, input: &[u8], out: &mut [u8], ended: bool) -> Step;
}

impl<C: Codec> Codec for Box<C> {
    fn run(&mut self, input: &[u8], out: &mut [u8], ended: bool) -> Step {
        (**self).run(input, out, ended)
    }
}

/// Reader that runs a codec on a source.
pub(crate) struct Pump<'a, C> {
    pub(crate) source: &'a mut dyn Source,
    pub(crate) codec: C,
    expected: &'static str,
    done: bool,
    fault: Option<Fault>,
}

impl<'a, C: Codec> Pump<'a, C> {
    /// Returns a reader. `expected` names the data in errors.
    pub(crate) fn new(source: &'a mut dyn Source, codec: C, expected: &'static str) -> Self {
        Self {
            source,
            codec,
            expected,
            done: false,
            fault: None,
        }
    }

    /// Prepares for another stream after a complete one.
    pub(crate) fn restart(&mut self) {
        self.done = false;
    }
}

impl<C: Codec> Read for Pump<'_, C> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        // At a border, some codecs need a call or two without progress.
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
                    self.fault = Some(Fault::truncated(format_args!(
                        "the rest of the {}",
                        self.expected
                    )));
                } else if patience == 0 {
                    self.fault = Some(Fault::damaged(
                        self.expected,
                        "bytes that the decoder cannot use",
                    ));
                }
            }
        }
    }
}

thread_local! {
    /// Decoder of the last member. Making another one takes as long as unpacking a small member.
    static UNUSED: Cell<Option<Deflate>> = const { Cell::new(None) };
}

/// Decoder of deflate data. When it is dropped, the thread keeps its memory for the next member.
pub(crate) struct Inflater(Option<Deflate>);

impl Inflater {
    pub(crate) fn new() -> Self {
        let mut inflater = UNUSED.take().unwrap_or_else(|| Deflate::new(false));
        inflater.reset(false);
        Self(Some(inflater))
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // Keep it for the next stream of this thread, unless the thread ends.
        _ = UNUSED.try_with(|unused| unused.set(self.0.take()));
    }
}

impl Codec for Inflater {
    fn run(&mut self, input: &[u8], out: &mut [u8], ended: bool) -> Step {
        self.0
            .as_mut()
            .map(|inflater| inflater.run(input, out, ended))
            .unwrap_or_default()
    }
}

impl Codec for Deflate {
    fn run(&mut self, input: &[u8], out: &mut [u8], _ended: bool) -> Step {
        let before = [self.total_in(), self.total_out()];
        let result = self.decompress(input, out, FlushDecompress::None);
        Step::of(
            before,
            [self.total_in(), self.total_out()],
            result,
            flate2::Status::StreamEnd,
        )
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
        Step::of(
            before,
            [self.total_in(), self.total_out()],
            result,
            bzip2::Status::StreamEnd,
        )
    }
}
