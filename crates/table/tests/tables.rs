//! Tests rows, tables and searches against other methods with the same result.

#[path = "../../../tests/common/mod.rs"]
mod common;

mod agreement;
mod find;
mod splits;
mod tables_page;
