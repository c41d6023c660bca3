//! Tables of games: a row for each game, the hash of its main line, expressions over rows in the syntax of SQL, and
//! the bytes of the games that they choose.

pub mod arrow;
pub mod filter;
pub mod find;
pub mod games;
pub mod row;
