//! Converts events to bytes, either exactly as read or in a canonical layout, and writes new games
//! and properties, which it checks.
//!
//! ```
//! use sgfstream::{Layout, SliceReader, Writer};
//!
//! let mut writer = Writer::with_layout(Vec::new(), Layout::Canonical);
//! for event in SliceReader::new(b"(;GM[1] (;B[aa]) (;B[bb]").events() {
//!     writer.event(&event?)?;
//! }
//! assert_eq!(writer.finish()?, b"(;GM[1]\n(;B[aa])\n(;B[bb]))\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod encode;
mod escape;
mod text_charset;
mod writer;

pub use encode::{WriteError, encode_property, encode_texts};
pub use escape::{escape_bytes, escape_compose_text, escape_text};
pub use text_charset::TextCharset;
pub use writer::{Layout, Writer};
