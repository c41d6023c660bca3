//! Returns events from chunks that the caller reads: for async code, network servers and decoders.
//! Nothing here does I/O.

use std::task::Poll;

use bytes::{Bytes, BytesMut};

use crate::base::Result;
use crate::event::{Event, Flow, OwnedEvent, Place, Sink};
use crate::scan::Step;

use super::cursor::{Cursor, ToEvent};
use super::options::Options;

/// Reader of pushed chunks.
///
/// Pass a chunk to [`feed`](Self::feed). Take events from [`next_event`](Self::next_event)
/// (borrowed) or [`next_owned`](Self::next_owned) (owned, `Send + 'static`) until they return
/// `Pending`, and feed the next chunk. After the last chunk call [`finish`](Self::finish), and take
/// the last events.
///
/// The reader does no I/O, so that its only error is a limit of the caller that is exceeded
/// ([`Limits::depth`](crate::Limits::depth)). The error has no position; the [`place`](Self::place)
/// has the bytes. Faults in the input are events ([`Event::Problem`]). A property over
/// [`Limits::property`](crate::Limits::property) comes in parts.
///
/// ```
/// use std::task::Poll;
///
/// use bytes::Bytes;
/// use sgfstream::{OwnedEvent, PushReader};
///
/// let mut reader = PushReader::new();
/// let mut events: Vec<OwnedEvent> = Vec::new();
/// for chunk in [&b"(;GM[1];B[p"[..], b"d];W[dp", b"])"] {
///     reader.feed(Bytes::from_static(chunk));
///     while let Poll::Ready(Some(event)) = reader.next_owned() {
///         events.push(event?);
///     }
/// }
/// reader.finish();
/// assert!(matches!(reader.next_owned(), Poll::Ready(None)));
/// assert_eq!(events.len(), 8);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct PushReader {
    /// The current chunk, as it was fed.
    chunk: Bytes,
    /// The rest of a chunk joined with the chunks after it, if their border cuts a token. Used
    /// while it is not empty.
    joined: BytesMut,
    last: bool,
    cursor: Cursor,
}

impl Default for PushReader {
    fn default() -> Self {
        Self::new()
    }
}

impl PushReader {
    /// Returns a reader with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(Options::default())
    }

    /// Returns a reader with these options.
    #[must_use]
    pub fn with_options(options: Options) -> Self {
        Self {
            chunk: Bytes::new(),
            joined: BytesMut::new(),
            last: false,
            cursor: Cursor::new(options),
        }
    }

    /// Adds the next chunk of the input, of any size. Take all events of a chunk before you feed
    /// the next one; otherwise the chunks are joined in memory.
    ///
    /// # Panics
    ///
    /// If [`finish`](Self::finish) was called.
    pub fn feed(&mut self, chunk: Bytes) {
        assert!(!self.last, "feed after finish");
        let keep = self.cursor.keep_from(if self.joined.is_empty() {
            &self.chunk
        } else {
            &self.joined
        });
        self.cursor.shift(keep);
        if self.joined.is_empty() {
            bytes::Buf::advance(&mut self.chunk, keep);
            if self.chunk.is_empty() {
                self.chunk = chunk;
                return;
            }
            self.joined.extend_from_slice(&self.chunk);
            self.chunk = Bytes::new();
        } else {
            bytes::Buf::advance(&mut self.joined, keep);
            if self.joined.is_empty() {
                self.joined = BytesMut::new();
                self.chunk = chunk;
                return;
            }
        }
        self.joined.extend_from_slice(&chunk);
    }

    /// Declares that there is no more input.
    pub fn finish(&mut self) {
        self.last = true;
    }

    /// Returns the next event: `Ready(Some(Ok(event)))`. On `Pending`, feed more input.
    /// `Ready(None)` is the end of the input.
    #[inline(always)]
    pub fn next_event(&mut self) -> Poll<Option<Result<Event<'_>>>> {
        let window: &[u8] = if self.joined.is_empty() {
            &self.chunk
        } else {
            &self.joined
        };
        if let Some(event) = self.cursor.fast_step(window, ToEvent { window }) {
            return Poll::Ready(Some(Ok(event)));
        }
        match self.cursor.slow_step(window, self.last) {
            Step::Token(token) => {
                self.cursor.check_depth(token, || None)?;
                Poll::Ready(Some(Ok(self
                    .cursor
                    .event(window, token, || self.cursor.part_ident()))))
            }
            Step::More => Poll::Pending,
            Step::End => Poll::Ready(None),
        }
    }

    /// Returns the next event like [`next_event`](Self::next_event), but the event owns its bytes.
    /// It shares them with the fed chunk, unless they lie in two chunks.
    pub fn next_owned(&mut self) -> Poll<Option<Result<OwnedEvent>>> {
        let shared = self.joined.is_empty();
        let window: &[u8] = if shared { &self.chunk } else { &self.joined };
        let token = match self.cursor.step(window, self.last) {
            Step::Token(token) => token,
            Step::More => return Poll::Pending,
            Step::End => return Poll::Ready(None),
        };
        if let Err(err) = self.cursor.check_depth(token, || None) {
            return Poll::Ready(Some(Err(err)));
        }
        let event = self
            .cursor
            .event(window, token, || self.cursor.part_ident());
        let owned = if shared {
            event.into_owned_by(|bytes| self.chunk.slice_ref(bytes))
        } else {
            event.into_owned()
        };
        Poll::Ready(Some(Ok(owned)))
    }

    /// Passes all available events to `sink`. On `Pending`, feed more input. On `Ready`, the sink
    /// stopped, the input ended, or a limit is exceeded.
    pub fn drive(&mut self, sink: &mut impl Sink) -> Poll<Result<()>> {
        loop {
            let window: &[u8] = if self.joined.is_empty() {
                &self.chunk
            } else {
                &self.joined
            };
            let flow = match self.cursor.drive_common(window, sink) {
                Some(flow) => flow,
                None => match self.cursor.step(window, self.last) {
                    Step::Token(token) => {
                        self.cursor.check_depth(token, || None)?;
                        let event = self
                            .cursor
                            .event(window, token, || self.cursor.part_ident());
                        sink.take(&event, &self.cursor.place())
                    }
                    Step::More => return Poll::Pending,
                    Step::End => return Poll::Ready(Ok(())),
                },
            };
            match flow {
                Flow::Go => {}
                Flow::SkipVariation => self.skip_variation(),
                Flow::SkipGame => self.skip_game(),
                Flow::Stop => return Poll::Ready(Ok(())),
            }
        }
    }

    /// Returns the place of the last event: its bytes, depth, game and charset.
    #[must_use]
    pub fn place(&self) -> Place {
        self.cursor.place()
    }

    /// Skips to the end of the variation of the last event, across as many chunks as necessary.
    pub fn skip_variation(&mut self) {
        self.cursor.skip_variation(if self.joined.is_empty() {
            &self.chunk
        } else {
            &self.joined
        });
    }

    /// Skips to the end of the game, across as many chunks as necessary.
    pub fn skip_game(&mut self) {
        self.cursor.skip_game(if self.joined.is_empty() {
            &self.chunk
        } else {
            &self.joined
        });
    }
}

const _: () = {
    const fn is_send<T: Send + 'static>() {}
    is_send::<OwnedEvent>();
    is_send::<PushReader>();
};
