//! Transcodes the chunks from JavaScript to a charset that the reader can scan.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::rc::Rc;

use sgfstream::{Options, Transcoder};

/// Bytes that are examined to decide whether an input needs transcoding to UTF-8.
const HEAD: usize = 64 << 10;

/// Bytes transcoded at once.
const TURNED: usize = 64 << 10;

/// Input whose chunks arrive one after another.
pub(crate) enum Input {
    /// First bytes, too few to decide about transcoding.
    Head(Vec<u8>),
    /// Input that needs no transcoding.
    Plain,
    /// Input that is transcoded to UTF-8.
    Turned(Box<Transcoder<Queue>>, Queue),
}

/// Chunks that wait for a transcoder.
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

    /// Adds the next chunk and returns the bytes that can be read now. Finalizes `options` when it
    /// first returns bytes.
    pub(crate) fn add(
        &mut self,
        chunk: Vec<u8>,
        is_last: bool,
        options: &mut Options,
    ) -> Option<Vec<u8>> {
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

/// Returns all bytes that can be transcoded now.
fn turned(transcoder: &mut Transcoder<Queue>) -> Vec<u8> {
    let mut out = Vec::new();
    loop {
        let len = out.len();
        out.resize(len + TURNED, 0);
        // A queue returns an error only if it has no more bytes yet.
        let count = transcoder.read(&mut out[len..]).unwrap_or(0);
        out.truncate(len + count);
        if count == 0 {
            return out;
        }
    }
}

/// Transcodes a whole input and returns it with its reading options.
pub(crate) fn whole(bytes: &[u8], mut options: Options) -> (Vec<u8>, Options) {
    let bytes = Input::new().add(bytes.to_vec(), true, &mut options);
    (bytes.unwrap_or_default(), options)
}
