//! A part of sgfq, without a promise of stability.
//!
//! Tables of games: a row for each game, the hash of its main line, filter expressions over rows in
//! the syntax of SQL, and the bytes of the selected games.

#![cfg_attr(
    not(feature = "archives"),
    allow(
        dead_code,
        reason = "only tables use it; the build with tables shows what is unused"
    )
)]

#[cfg(feature = "archives")]
pub mod arrow;
pub mod filter;
pub mod find;
#[cfg(feature = "archives")]
pub mod games;
pub mod row;
