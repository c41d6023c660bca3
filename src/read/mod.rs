//! Readers: they return the same events from a slice, from anything that implements
//! [`std::io::Read`], and from chunks that the caller pushes. All three drive one parser, so that
//! the events do not depend on how the bytes arrive.
//!
//! ```
//! use sgfstream::{Event, EventReader, Reader};
//!
//! let mut reader = Reader::new(&b"(;GM[1];B[pd];W[dp])"[..]);
//! let mut moves = 0;
//! while reader.advance()? {
//!     match reader.event() {
//!         Event::Property(property) if property.ident() == "B" || property.ident() == "W" => {
//!             moves += 1
//!         }
//!         _ => {}
//!     }
//! }
//! assert_eq!(moves, 2);
//! # Ok::<(), sgfstream::Error>(())
//! ```

mod cursor;
#[cfg(feature = "detect")]
pub(crate) mod detect;
mod options;
pub mod parallel;
mod parser;
mod push;
mod reader;
mod retained;
mod slice;
mod stream;
mod strict;
mod transcode;

pub use options::{Detection, Detections, FramingPolicy, Options};
pub use push::PushReader;
pub use reader::EventReader;
pub use slice::{Events, SliceReader};
pub use stream::Reader;
pub use strict::Strict;
pub use transcode::{Transcoder, transcode};
