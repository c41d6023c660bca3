//! The naive twin of the reader: it applies the rules of `docs/spec/reader.md`
//! row by row to an input in memory. Its author used that page alone, never
//! `src/scan`, so that the two can disagree. It frames values by bytes
//! (`Framing::Value`), allocates, looks back without a limit, and is slow.
//! The reader must return the same events.

mod bytes;
mod parser;
mod step;

pub use parser::{Bounds, parse};
pub use step::{Kind, Step, log};
