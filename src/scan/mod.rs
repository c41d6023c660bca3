//! Floor 1: bytes to tokens. Pure functions and one small state machine: no
//! I/O, no allocation that grows with the input, no recursion. They answer
//! with ranges; whoever owns the buffer makes slices.

mod class;
mod framing;
// mod machine;
// mod token;

pub use framing::Framing;

pub(crate) use class::{has_capital_or_digit, is_blank, is_identifier};
pub(crate) use framing::{CutAt, ValueEnd, piece_end, value_end};
// pub(crate) use machine::{Machine, Step};
// pub(crate) use token::{Shape, Token, TokenKind};
