//! Readers: the same events from a slice, from anything that implements [`std::io::Read`], and from chunks that are
//! pushed. All three drive one parser, so that the events do not depend on how the bytes arrive.

mod cursor;
mod options;
pub mod parallel;
mod parser;
mod push;
mod reader;
mod slice;
mod stream;
mod strict;
mod transcode;

pub use options::{FramingPolicy, Options};
pub use push::PushReader;
pub use reader::EventReader;
pub use slice::SliceReader;
pub use stream::Reader;
pub use strict::Strict;
pub use transcode::{Transcoder, transcode, transcode_with};
