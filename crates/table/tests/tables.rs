//! Rows, tables and searches, against other ways to find the same.

#[path = "../../../tests/common/mod.rs"]
mod common;

mod agreement;
mod find;
mod splits;
mod tables_page;
