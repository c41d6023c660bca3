//! Floor 0: the words that everyone uses. Places in the input, numbered
//! problems, the error that stops, limits, and charsets. Nothing here reads
//! SGF.

mod charset;
mod error;
mod limits;
mod position;
mod problem;

pub use charset::{Charset, CharsetSource};
pub use error::{Error, ErrorKind, Result};
pub use limits::Limits;
pub use position::{LineCursor, Position, Span};
pub use problem::{Code, Problem, Severity};
