//! Floor 3: typed values that no game owns. Each type has a strict reading
//! (`parse`: what FF\[4\] says, nothing else) and a lenient one
//! (`parse_lenient`: what the field writes, with the repair named), and its
//! `Display` writes the canonical form. No value makes a reader stop, and no
//! bytes make these readings panic.

mod error;
mod lenient;

mod number;

mod board_size;
mod point;

pub use board_size::BoardSize;
pub use error::{ValueError, ValueErrorKind};
pub use lenient::{Lenient, Repair};
pub use number::Number;
pub use point::Point;
