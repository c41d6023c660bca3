//! Chunk-fed reader that returns batches of events.

use std::task::Poll;

use bytes::Bytes;
use sgfstream::{Options, PushReader};

use crate::input::Input;
use crate::words::{EventParts, Words};

/// Reads an input whose chunks arrive one after another.
pub(crate) struct Batches {
    input: Input,
    options: Options,
    reader: Option<PushReader>,
    pub(crate) words: Words,
    is_last: bool,
}

/// Result of reading a batch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// The batch is full. JavaScript takes it and asks for the next one.
    Batch = 0,
    /// The reader needs the next chunk. The batch may be empty.
    Chunk = 1,
    /// This is the last batch.
    End = 2,
}

impl Batches {
    pub(crate) fn new(options: Options, wanted: EventParts) -> Self {
        Self {
            input: Input::new(),
            options,
            reader: None,
            words: Words::new(wanted),
            is_last: false,
        }
    }

    /// Adds a chunk. All batches of the previous chunk must have been taken.
    pub(crate) fn feed(&mut self, chunk: Vec<u8>, is_last: bool) {
        if self.is_last {
            return;
        }
        self.is_last = is_last;
        if let Some(bytes) = self.input.add(chunk, is_last, &mut self.options) {
            let reader = self
                .reader
                .get_or_insert_with(|| PushReader::with_options(self.options));
            reader.feed(Bytes::from(bytes));
            if is_last {
                reader.finish();
            }
        }
    }

    /// Reads the next batch.
    pub(crate) fn next(&mut self) -> Next {
        if self.words.is_settled() {
            self.words.clear();
        }
        let Some(reader) = &mut self.reader else {
            return Next::Chunk;
        };
        match reader.drive(&mut self.words) {
            Poll::Ready(_) if self.words.is_full() => Next::Batch,
            Poll::Ready(_) => {
                self.words.end(reader.place().charset);
                Next::End
            }
            Poll::Pending => Next::Chunk,
        }
    }
}
