//! Events from chunks that somebody else reads: for async code, network
//! servers and decoders that push. No I/O here; the caller feeds and asks.

use bytes::{Bytes, BytesMut};

use crate::base::{Charset, CharsetSource, Span};
use crate::event::{Event, Flow, OwnedEvent, Place, Sink};

use super::cursor::Cursor;
use super::give::ToKind;
use super::options::Options;
use super::slow::Pulled;

/// Reads chunks as they are pushed.
///
/// [`feed`](Self::feed) a chunk, take events with [`next`](Self::next) (borrowed) or [`poll`](Self::poll)
/// (owned, `Send + 'static`) until there are none, feed the next; [`finish`](Self::finish) says
/// that there is no more, and then the last events come.
///
/// ```
/// use bytes::Bytes;
/// use sgfstream::{OwnedEvent, PushReader};
///
/// let mut reader = PushReader::new();
/// let mut events: Vec<OwnedEvent> = Vec::new();
/// for chunk in [&b"(;GM[1];B[p"[..], b"d];W[dp", b"])"] {
///     reader.feed(Bytes::from_static(chunk));
///     while let Some(event) = reader.poll() {
///         events.push(event);
///     }
/// }
/// reader.finish();
/// assert!(reader.poll().is_none() && reader.is_done());
/// assert_eq!(events.len(), 8);
/// ```
#[derive(Debug)]
pub struct PushReader {
    /// The chunk being read, as it was fed.
    chunk: Bytes,
    /// The rest of a chunk and what came behind it, when a token stands in
    /// both. In use while it is not empty.
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
    /// A reader with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::with_options(Options::default())
    }

    /// A reader with these options.
    #[must_use]
    pub fn with_options(options: Options) -> Self {
        Self { chunk: Bytes::new(), joined: BytesMut::new(), last: false, cursor: Cursor::new(options) }
    }

    /// Takes the next chunk of the input. Chunks may have any size; take the
    /// events of one before feeding another, or they are joined in memory.
    ///
    /// # Panics
    ///
    /// After [`finish`](Self::finish).
    pub fn feed(&mut self, chunk: Bytes) {
        assert!(!self.last, "feed after finish");
        let keep = self.cursor.keep_from();
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

    /// Says that there is no more input.
    pub fn finish(&mut self) {
        self.last = true;
    }

    /// True once the input is finished and all its events were taken.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.last && self.cursor.is_done()
    }

    /// The next event of what was fed, or `None` when more input is needed
    /// or, after [`finish`](Self::finish), at the end.
    #[expect(clippy::should_implement_trait, reason = "the event borrows from the reader")]
    #[inline(always)]
    pub fn next(&mut self) -> Option<Event<'_>> {
        let window: &[u8] = if self.joined.is_empty() { &self.chunk } else { &self.joined };
        if let Some(kind) = self.cursor.fast_step(window, ToKind) {
            return Some(self.cursor.common_event(window, kind));
        }
        match self.cursor.slow_step(window, self.last) {
            Pulled::Event(kind) => Some(self.cursor.event(window, kind, || self.cursor.part_ident())),
            Pulled::More | Pulled::End => None,
        }
    }

    /// As [`next`](Self::next), with bytes of its own: shared with the chunk
    /// that was fed, unless the event's bytes stood in two chunks.
    pub fn poll(&mut self) -> Option<OwnedEvent> {
        let shared = self.joined.is_empty();
        let window: &[u8] = if shared { &self.chunk } else { &self.joined };
        let Pulled::Event(kind) = self.cursor.step(window, self.last) else {
            return None;
        };
        let event = self.cursor.event(window, kind, || self.cursor.part_ident());
        Some(if shared { event.to_owned_by(|bytes| self.chunk.slice_ref(bytes)) } else { event.to_owned() })
    }

    /// Gives the events of what was fed to `sink`, until it stops.
    pub fn drive(&mut self, sink: &mut impl Sink) -> Flow {
        loop {
            let window: &[u8] = if self.joined.is_empty() { &self.chunk } else { &self.joined };
            let flow = match self.cursor.drive_common(window, sink) {
                Some(flow) => flow,
                None => {
                    let Pulled::Event(kind) = self.cursor.step(window, self.last) else {
                        return Flow::Go;
                    };
                    let event = self.cursor.event(window, kind, || self.cursor.part_ident());
                    sink.event(&event, &self.cursor.place())
                }
            };
            match flow {
                Flow::Go => {}
                Flow::SkipVariation => self.skip_variation(),
                Flow::SkipGame => self.skip_game(),
                Flow::Stop => return Flow::Stop,
            }
        }
    }

    /// Where the last event stands.
    #[must_use]
    pub fn place(&self) -> Place {
        self.cursor.place()
    }

    /// Open variations, with that of the last event.
    #[must_use]
    pub fn depth(&self) -> u64 {
        self.cursor.depth()
    }

    /// Games begun: 1 in the first.
    #[must_use]
    pub fn game(&self) -> u64 {
        self.cursor.game()
    }

    /// The bytes of the last event; empty if it was supplied.
    #[must_use]
    pub fn span(&self) -> Span {
        self.cursor.span()
    }

    /// The charset of the game, as far as it is known by now.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.cursor.charset()
    }

    /// How the charset is known.
    #[must_use]
    pub fn charset_source(&self) -> CharsetSource {
        self.cursor.charset_source()
    }

    /// Goes on to the end of the variation that the last event stands in, over
    /// as many chunks as that takes.
    pub fn skip_variation(&mut self) {
        self.cursor.skip_variation();
    }

    /// Goes on to the end of the game, over as many chunks as that takes.
    pub fn skip_game(&mut self) {
        self.cursor.skip_game();
    }
}

const _: () = {
    const fn is_send<T: Send + 'static>() {}
    is_send::<OwnedEvent>();
    is_send::<PushReader>();
};
