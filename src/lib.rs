//! Reads and writes SGF, the text format of Go game records. The reader accepts any bytes, returns
//! events and reports problems in constant memory. The writer keeps each byte that you do not
//! change.
//!
//! # Read a file
//!
//! [`Reader::open`] reads a file as the command `sgfq` does: it converts UTF-16, UTF-32 and
//! ISO-2022-JP to UTF-8, and detects the charset of games that declare none. Other readers detect
//! it if you set [`Options::detection`]; [`guess_charset`] guesses the charset of other bytes.
//!
//! ```
//! use sgfstream::{Event, EventReader, Reader};
//!
//! let mut reader = Reader::open("corpus/unclosed-tree.sgf")?;
//! let (mut moves, mut problems) = (0, Vec::new());
//! while reader.advance()? {
//!     match reader.event() {
//!         Event::Property(property) if property.ident() == "B" || property.ident() == "W" => {
//!             moves += 1
//!         }
//!         Event::Problem(problem) => problems.push(problem.code.as_str()),
//!         _ => {}
//!     }
//! }
//! assert_eq!((moves, problems), (4, vec!["unclosed-game"]));
//! # Ok::<(), sgfstream::Error>(())
//! ```
//!
//! # Read other inputs
//!
//! | input | reader |
//! |---|---|
//! | bytes in memory | [`SliceReader`], which copies none of them |
//! | anything that implements `Read` | [`Reader::new`] |
//! | chunks that your program receives, also in async code | [`PushReader`] |
//! | one large file, on all cores | [`parallel::read_file`] |
//! | `.zip`, `.tar.zst` and other archives | [`Reader::with_options`], [in `visit`](#read-an-archive) |
//!
//! All readers return the same events, however the bytes arrive. Their common interface is
//! [`EventReader`]; [`Options`] control how they read.
//!
//! # Handle problems
//!
//! A [`Problem`] in the file is an event, with a stable [`Code`], a [`Severity`] and a [`Span`].
//! The reader continues after it. [`Strict`] stops at the first problem of severity error and
//! returns it as an [`Error`]. I/O, exceeded [`Limits`] and [`Sink`]s return an [`Error`], too.
//!
//! ```
//! use sgfstream::{EventReader, Reader, Strict};
//!
//! let mut reader = Strict::new(Reader::open("corpus/unclosed-tree.sgf")?);
//! let err = loop {
//!     match reader.advance() {
//!         Ok(is_event) => assert!(is_event, "the game lacks its `)`"),
//!         Err(err) => break err,
//!     }
//! };
//! assert!(err.is_problem());
//! # Ok::<(), sgfstream::Error>(())
//! ```
//!
//! # Read whole games
//!
//! A [`GameReader`](record::GameReader) returns each game as a value: walk its nodes in any order,
//! as often as you like. A game may have at most [`Limits::game`] bytes, 32 MiB by default.
//!
//! ```
//! use sgfstream::SliceReader;
//! use sgfstream::record::{GameReader, Outline};
//!
//! let mut games = GameReader::new(SliceReader::new(b"(;GM[1];B[pd](;W[dp])(;W[dd]))"));
//! while let Some(game) = games.next_game()? {
//!     let outline = Outline::of(game.expect("shorter than the limit"));
//!     assert_eq!(outline.children(1).count(), 2);
//! }
//! # Ok::<(), sgfstream::Error>(())
//! ```
//!
//! # Change a property and keep the rest
//!
//! With [`gaps`](Options::gaps), the events contain each byte of the input, and [`Writer`] writes
//! them again.
//!
//! ```
//! use sgfstream::{Event, EventReader, Options, Reader, Writer};
//!
//! let input = &b"mail header\n( ;GM [1] KM[5.5]\n\t;B[aa] )"[..];
//! let mut reader = Reader::with_options(input, Options::default().with_gaps(true));
//! let mut writer = Writer::new(Vec::new());
//! while reader.advance()? {
//!     match reader.event() {
//!         Event::Property(property) if property.ident() == "KM" => {
//!             writer.property("KM", ["6.5"])?;
//!         }
//!         event => writer.event(&event)?,
//!     }
//! }
//! assert_eq!(writer.finish()?, b"mail header\n( ;GM [1] KM[6.5]\n\t;B[aa] )");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `sgfstream_adapt::edit` also adds a property that a game lacks, and edits trees.
//!
//! # Read an archive
//!
//! The crate `sgfstream-archive` unpacks `.zip`, `.tar.zst` and other archives, one member after
//! another. This function counts the moves of an archive of any size. Memory: the buffer of one
//! reader, 128 KiB for each container, and the window of a decoder, which `Caps::memory` limits to
//! 256 MiB. The program needs `sgfstream-adapt` and `sgfstream-archive` in its `Cargo.toml`.
//!
//! ```ignore
//! use std::ops::ControlFlow;
//!
//! use sgfstream::{EventReader, Options, Reader};
//! use sgfstream_adapt::Count;
//! use sgfstream_archive::{Input, ReadOptions, visit};
//!
//! /// Counts the moves of a file, a folder or an archive.
//! fn count_moves(input: &str) -> u64 {
//!     let mut count = Count::default();
//!     visit(&[Input::parse(input)], &ReadOptions::default(), |item| {
//!         match item {
//!             Ok(entry) => {
//!                 let mut reader = Reader::with_options(entry.read, Options::for_files());
//!                 // If the archive is damaged here, `visit` passes the error as its next item.
//!                 _ = reader.drive(&mut count);
//!             }
//!             Err(problem) => eprintln!("{problem}"),
//!         }
//!         ControlFlow::Continue(())
//!     });
//!     count.moves()
//! }
//! ```
//!
//! # Other crates
//!
//! | crate | use it to |
//! |---|---|
//! | `sgfstream-game` | understand moves, dates and results, and play moves on a board |
//! | `sgfstream-adapt` | count, check, repair and edit games, also as trees |
//! | `sgfstream-archive` | read folders and archives |
//!
//! # Features, Rust version, stability
//!
//! - `detect` (default): detects charsets, with the crate `chardetng`. Without it,
//!   [`Options::for_files`] and [`Reader::open`] read a game without `CA` as [`Charset::AUTO`].
//! - Rust 1.89 or later.
//! - From 1.0 on, Semantic Versioning covers this crate without its hidden items. The guide
//!   [`docs::stability`] has the details.
//!
//! The guides [`docs::charsets`] and [`docs::reading`] describe how the reader chooses charsets,
//! reports problems, and guesses.

mod base;
pub mod docs;
mod event;
mod read;
pub mod record;
mod scan;
mod tokens;
mod write;

pub use base::{
    Charset, CharsetSource, Code, Error, ErrorKind, Limits, LongGame, Position, Problem, Result,
    Severity, Span, UnknownName,
};
pub use event::{
    Event, Flow, FromFn, Ident, OwnedEvent, Place, Property, PropertyPart, RawValue, Sink, Values,
    Variation, from_fn,
};
#[cfg(feature = "detect")]
pub use read::detect::{CharsetGuess, Confidence, guess_charset};
pub use read::{
    Detection, EventReader, Events, FramingPolicy, Options, PushReader, Reader, SliceReader,
    Strict, Transcoder, parallel, transcode,
};
pub use scan::Framing;
pub use write::{
    Layout, WriteError, Writer, encode_property, encode_texts, escape_bytes, escape_compose_text,
    escape_text,
};

/// What `sgfq` needs of this crate and programs do not. It promises no stability.
#[doc(hidden)]
pub mod internal {
    pub use crate::base::LineCursor;
    pub use crate::read::Detections;
    #[cfg(feature = "detect")]
    pub use crate::read::detect::GameCharset;
    pub use crate::read::parallel::internal::{
        End, GamePlace, PartEnd, PartRead, ReadAt, UnclosedGame,
    };
    pub use crate::write::TextCharset;
}
