//! The naive twin of the reader: the rules of `docs/spec/reader.md`, row by
//! row, over input that is all in memory. Written from that page alone, never
//! from `src/scan`, so that the two can disagree. It frames values by bytes
//! (`Framing::Value`), allocates, looks back as far as it likes and is slow;
//! what it says is what the reader must say.

mod bytes;
mod parser;
mod step;

pub use parser::{Bounds, parse};
pub use step::{Kind, Step, log};
