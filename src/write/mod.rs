//! Events back to bytes, as they were written, byte for byte, or in a canonical layout; and the escaping of text.

mod escape;
mod writer;

pub(crate) use escape::{encode_text, escape_bytes};
pub use escape::{escape_compose_text, escape_text};
pub(crate) use writer::apart;
pub use writer::{Layout, Writer};
