//! Floor 1: bytes to tokens. Pure functions and one small state machine: no
//! I/O, no allocation that grows with the input, no recursion. They answer
//! with ranges; whoever owns the buffer makes slices.

mod class;
mod framing;
mod look;
mod machine;
mod repairs;
mod token;

pub use framing::Framing;

pub(crate) use framing::{ValueEnd, value_end};
pub(crate) use machine::{Machine, Step};
pub(crate) use token::{Found, Piece, Token};
