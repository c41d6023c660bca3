//! Properties of any bytes. Each is a function that panics if the property does not hold. It reads
//! its input in one of several ways. In the targets, the first bytes of libFuzzer's inputs choose
//! the way; a test of `sgfq` tries all ways.

pub mod archive;
pub mod check;
pub mod expression;
pub mod fix;
pub mod patterns;
pub mod reader;
pub mod record;
pub mod records;
pub mod rewrite;
pub mod table;
pub mod tree;
pub mod values;

mod draw;
mod games;

pub use draw::Choice;

/// Property of any bytes, with the function that checks it.
#[derive(Clone, Copy)]
pub struct Property {
    /// Name of the target.
    pub name: &'static str,
    /// Number of ways to read an input. The first part of the choice selects one.
    pub ways: u32,
    /// Panics if the property does not hold.
    pub holds: fn(&[u8], Choice),
}

impl Property {
    /// Checks an input of libFuzzer, whose first bytes are the choice.
    pub fn execute(&self, input: &[u8]) {
        let (choice, data) = Choice::split(input);
        (self.holds)(data, choice);
    }
}

/// All properties.
pub const PROPERTIES: [Property; 12] = [
    reader::PROPERTY,
    record::PROPERTY,
    values::PROPERTY,
    tree::PROPERTY,
    rewrite::PROPERTY,
    check::PROPERTY,
    fix::PROPERTY,
    table::PROPERTY,
    archive::PROPERTY,
    expression::PROPERTY,
    patterns::PROPERTY,
    records::PROPERTY,
];
