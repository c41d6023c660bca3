//! Basic types: positions in the input, problems and their codes, the error, limits and charsets.
//! Nothing here reads SGF.
//!
//! ```
//! use sgfstream::{Code, Severity};
//!
//! let code = Code::UnclosedGame;
//! assert_eq!((code.as_str(), code.severity()), ("unclosed-game", Severity::Error));
//! ```

mod charset;
mod error;
mod limits;
mod long_game;
mod position;
mod problem;

pub use charset::{Charset, CharsetSource, UnknownName};
pub use error::{Error, ErrorKind, Result};
pub use limits::Limits;
pub(crate) use limits::setters;
pub use long_game::LongGame;
pub(crate) use position::SharedCursor;
pub use position::{LineCursor, Position, Span};
pub use problem::{Code, Problem, Severity};
