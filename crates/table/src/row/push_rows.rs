//! The games of chunks that a caller pushes.

use std::task::Poll;

use bytes::Bytes;
use sgfstream::{Options, PushReader};

use super::rows::{Driver, Until};
use super::{ColumnSet, GameExtent, RowBuilder};

/// Games of an input that comes in chunks, from a program that cannot wait for more of it.
///
/// ```
/// use std::task::Poll;
///
/// use sgfstream::Options;
/// use sgfstream_table::row::PushRows;
///
/// let mut rows = PushRows::new(Options::default());
/// rows.feed(b"mail (;B[aa]) (;B[b"[..].into());
/// let Poll::Ready(Some(extent)) = rows.next_game() else { panic!("expected a game") };
/// assert_eq!((extent.span.start, extent.span.end, rows.number()), (5, 13, 1));
/// assert!(rows.next_game().is_pending());
/// rows.finish();
/// let Poll::Ready(Some(extent)) = rows.next_game() else { panic!("expected a game") };
/// assert_eq!((extent.span.start, extent.tail()), (14, b"])".to_vec()));
/// assert_eq!(rows.next_game(), Poll::Ready(None));
/// ```
#[derive(Debug)]
pub struct PushRows {
    reader: PushReader,
    builder: RowBuilder,
    is_in_game: bool,
    is_skipped: bool,
    /// The root of the game was read.
    has_root: bool,
}

impl PushRows {
    /// Games that are read with these options.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            reader: PushReader::with_options(options),
            builder: RowBuilder::new(ColumnSet::default()),
            is_in_game: false,
            is_skipped: false,
            has_root: false,
        }
    }

    /// Takes the next chunk. Take the games of one before feeding another.
    ///
    /// # Panics
    ///
    /// After [`finish`](Self::finish).
    pub fn feed(&mut self, chunk: Bytes) {
        self.reader.feed(chunk);
    }

    /// Says that there is no more input.
    pub fn finish(&mut self) {
        self.reader.finish();
    }

    /// Reads on to the end of the next game, and returns where it is. `Pending` says that more input is needed, and `Ready(None)`
    /// that there are no more games.
    pub fn next_game(&mut self) -> Poll<Option<GameExtent>> {
        loop {
            let until = if self.has_root { Until::End } else { Until::Root };
            let Self { reader, builder, is_in_game, is_skipped, .. } = self;
            let mut driver = Driver { builder, listener: &mut (), until, is_in_game, is_skipped, is_reached: false };
            let polled = reader.drive(&mut driver);
            if !driver.is_reached {
                return polled.map(|()| {
                    self.builder.end_input();
                    None
                });
            }
            self.has_root = self.is_in_game;
            if !self.is_in_game {
                return Poll::Ready(Some(self.builder.extent()));
            }
        }
    }

    /// The number of the game that was read last, from 1.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.reader.place().game
    }
}
