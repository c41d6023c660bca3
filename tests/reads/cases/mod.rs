//! The cases, one a line.

mod spec;
mod field;
mod readings;
mod problems;
mod leniency;
mod bounds;
