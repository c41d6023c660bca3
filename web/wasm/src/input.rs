//! Chunks as they come from JavaScript, in a charset that a reader can scan.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::rc::Rc;

use sgfstream::{Charset, Options, Transcoder};

/// Bytes that tell whether an input must be turned into UTF-8.
const HEAD: usize = 64 << 10;

/// Bytes that are turned at once.
const TURNED: usize = 64 << 10;

/// The bytes of an input that are known.
pub(crate) enum Input {
    /// The first bytes, which do not tell yet.
    Head(Vec<u8>),
    /// Read as they are.
    Plain,
    /// Turned into UTF-8 first.
    Turned(Box<Transcoder<Queue>>, Queue),
}

/// Chunks that wait for a reader.
#[derive(Clone, Default)]
pub(crate) struct Queue(Rc<RefCell<Chunks>>);

#[derive(Default)]
struct Chunks {
    bytes: VecDeque<u8>,
    is_last: bool,
}

impl Read for Queue {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let mut chunks = self.0.borrow_mut();
        if chunks.bytes.is_empty() && !chunks.is_last {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        chunks.bytes.read(buf)
    }
}

impl Queue {
    fn push(&self, bytes: &[u8], is_last: bool) {
        let mut chunks = self.0.borrow_mut();
        chunks.bytes.extend(bytes);
        chunks.is_last |= is_last;
    }
}

impl Input {
    pub(crate) fn new() -> Self {
        Self::Head(Vec::new())
    }

    /// Adds the next chunk, and returns what can be read now. `options` are settled with the first answer.
    pub(crate) fn add(&mut self, chunk: Vec<u8>, is_last: bool, options: &mut Options) -> Option<Vec<u8>> {
        match self {
            Self::Plain => Some(chunk),
            Self::Head(head) => {
                let head = if head.is_empty() {
                    chunk
                } else {
                    head.extend_from_slice(&chunk);
                    std::mem::take(head)
                };
                if head.len() < HEAD && !is_last {
                    *self = Self::Head(head);
                    return None;
                }
                self.begin(head, is_last, options)
            }
            Self::Turned(transcoder, queue) => {
                queue.push(&chunk, is_last);
                Some(turned(transcoder))
            }
        }
    }

    fn begin(&mut self, head: Vec<u8>, is_last: bool, options: &mut Options) -> Option<Vec<u8>> {
        if !Transcoder::with_charset(&head[..], options.charset).prepare() {
            *self = Self::Plain;
            return Some(head);
        }
        let queue = Queue::default();
        queue.push(&head, is_last);
        let mut transcoder = Box::new(Transcoder::with_charset(queue.clone(), options.charset));
        *options = transcoder.options(*options);
        let bytes = turned(&mut transcoder);
        *self = Self::Turned(transcoder, queue);
        Some(bytes)
    }
}

/// All that can be turned now.
fn turned(transcoder: &mut Transcoder<Queue>) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let len = out.len();
        out.resize(len + TURNED, 0);
        // A queue fails only where it has no more bytes yet.
        let count = transcoder.read(&mut out[len..]).unwrap_or(0);
        out.truncate(len + count);
        if count == 0 {
            return out;
        }
    }
}

/// The whole of an input, in a charset that a reader can scan, and how to read it.
pub(crate) fn whole(bytes: &[u8], mut options: Options) -> (Vec<u8>, Options) {
    let bytes = Input::new().add(bytes.to_vec(), true, &mut options);
    (bytes.unwrap_or_default(), options)
}

/// How to read, by the name of a charset and a way of framing; a message if one is not known.
pub(crate) fn options(charset: &str, framing: &str) -> Result<Options, String> {
    use sgfstream::FramingPolicy::{Auto, Value, Whole};
    let options = Options::default();
    let options = match charset {
        "" => options.with_detection(Some(sgfstream_open::likely_charset)),
        "auto" => options,
        "detect" => options.with_detection(Some(sgfstream_open::any_charset)),
        name => {
            let forced = Charset::forced(name.as_bytes());
            let forced = forced.ok_or_else(|| {
                format!("charset: expected \"auto\", \"detect\" or the name of a charset, such as UTF-8 or GBK, found {name:?}")
            })?;
            options.with_charset(Some(forced))
        }
    };
    match framing {
        "" | "auto" => Ok(options.with_framing(Auto)),
        "value" => Ok(options.with_framing(Value)),
        "whole" => Ok(options.with_framing(Whole)),
        other => Err(format!("framing: expected \"auto\", \"value\" or \"whole\", found {other:?}")),
    }
}
