//! Parentheses that the reader supplied: which of them are written.

use super::Choice;
use sgfstream::Code;

/// Variations that are remembered; further ones count as begun in the file.
const REMEMBERED: usize = 1 << 20;

/// How an open variation began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begun {
    InFile,
    /// Supplied, and written.
    Written,
    /// Supplied, and left out.
    LeftOut,
}

/// The open variations.
#[derive(Debug, Default)]
pub(super) struct Marks {
    open: Vec<Begun>,
    beyond: u64,
}

impl Marks {
    /// A variation begins: is its `(` written?
    pub(super) fn open(&mut self, supplied: bool, depth: u64, choice: &Choice) -> bool {
        if depth <= 1 {
            self.open.clear();
            self.beyond = 0;
        }
        let code = if depth <= 1 { Code::MissingParenthesis } else { Code::NodeAfterVariation };
        let begun = match supplied {
            false => Begun::InFile,
            true if choice.wants_as_read(code) => Begun::Written,
            true => Begun::LeftOut,
        };
        if self.open.len() < REMEMBERED {
            self.open.push(begun)
        } else {
            self.beyond += 1
        }
        begun != Begun::LeftOut
    }

    /// Is the `;` written that was supplied after the last `(`?
    pub(super) fn node(&self, after_supplied: bool, in_root: bool, choice: &Choice) -> bool {
        if after_supplied {
            return self.open.last() != Some(&Begun::LeftOut);
        }
        choice.wants_as_read(if in_root { Code::MissingRootSemicolon } else { Code::MissingSemicolon })
    }

    /// A variation ends: is its `)` written?
    pub(super) fn close(&mut self, supplied: bool, choice: &Choice) -> bool {
        let begun = if self.beyond > 0 {
            self.beyond -= 1;
            Begun::InFile
        } else {
            self.open.pop().unwrap_or(Begun::InFile)
        };
        !supplied
            || match begun {
                Begun::InFile => choice.wants_as_read(Code::UnclosedGame),
                Begun::Written => true,
                Begun::LeftOut => false,
            }
    }
}
