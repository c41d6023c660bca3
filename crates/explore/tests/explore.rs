//! Tests of an index and of what it is built from. One binary, because each links all crates.

mod against_find;
mod archive_reader;
mod curve;
mod questions;
mod remarks;
mod starts;
mod stored_games;
