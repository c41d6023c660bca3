//! Scanner from bytes to tokens: pure functions and one small state machine, without I/O,
//! recursion, or allocations that grow with the input. They return ranges; the owner of the buffer
//! makes slices.

mod block;
mod class;
mod fast;
mod framing;
mod lookahead;
mod machine;
mod repairs;
mod token;
mod trail;

pub use framing::Framing;

pub(crate) use block::{Extent, LIST, Site, Skip, TokenList, plain_ident_len};
pub(crate) use class::is_blank;
pub(crate) use fast::{
    NodeShape, PropertyProgress, cold_path, is_about_game, look_at_move, may_be_about_game,
    plain_property, word_at,
};
pub(crate) use framing::{ValueEnd, is_trail_in, value_end};
pub(crate) use lookahead::{begins_like_game, restart_in_value};
pub(crate) use machine::{Machine, State, Step};
pub(crate) use token::{Token, ValuePiece};
