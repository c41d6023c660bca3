//! Properties of any bytes. Each is a function that panics where it does not hold. It looks at its input in one of several
//! ways: the targets let the first bytes of libFuzzer's inputs choose one, and a test of `sgfq` goes through all.

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

pub use draw::Choice;

/// A property of any bytes.
#[derive(Clone, Copy)]
pub struct Property {
    /// The name of its target.
    pub name: &'static str,
    /// How many ways there are to look at an input, which the first part of the choice tells apart.
    pub ways: u32,
    /// Panics where it does not hold.
    pub holds: fn(&[u8], Choice),
}

impl Property {
    /// Looks at an input of libFuzzer, whose first bytes choose how.
    pub fn execute(&self, input: &[u8]) {
        let (choice, data) = Choice::split(input);
        (self.holds)(data, choice);
    }
}

/// All of them.
pub const PROPERTIES: [Property; 11] = [
    reader::PROPERTY,
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
