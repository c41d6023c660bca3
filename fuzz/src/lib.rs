//! Properties of any bytes. Each is a function that panics where
//! it does not; the targets give it to libFuzzer, and a test of `sgfq` to a
//! mutating driver of its own.

pub mod archive;
pub mod check;
pub mod expression;
pub mod fix;
pub mod patterns;
pub mod reader;
pub mod records;
pub mod rewrite;
pub mod table;
pub mod tree;
pub mod values;

mod draw;
mod games;

/// A property of any bytes.
pub type Property = fn(&[u8]);

/// All of them, by the names of their targets.
pub const PROPERTIES: [(&str, Property); 11] = [
    ("reader", reader::holds),
    ("values", values::holds),
    ("tree", tree::holds),
    ("rewrite", rewrite::holds),
    ("check", check::holds),
    ("fix", fix::holds),
    ("table", table::holds),
    ("archive", archive::holds),
    ("expression", expression::holds),
    ("patterns", patterns::holds),
    ("records", records::holds),
];
