//! Floor 3, ways out: events back to bytes. As they were written, byte for
//! byte, or in a layout of our own; and the escaping of text.

mod escape;
mod writer;

pub(crate) use escape::{encode_text, escape_bytes};
pub use escape::{escape_compose_text, escape_text};
pub use writer::{Layout, Writer};
