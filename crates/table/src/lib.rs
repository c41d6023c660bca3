//! Tables of games: a row for each game, the hash of its main line, and
//! expressions over rows in the syntax of SQL.

pub mod arrow;
pub mod filter;
pub mod find;
pub mod row;
