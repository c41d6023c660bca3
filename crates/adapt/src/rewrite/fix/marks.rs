//! Parentheses that the reader supplied: which of them are written.

use super::FixFilter;
use sgfstream::Code;

/// Variations that are remembered; further ones count as begun in the file.
const REMEMBERED: usize = 1 << 20;

/// How an open variation began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VariationOrigin {
    InFile,
    /// Supplied, and written.
    OutputState,
    /// Supplied, and left out.
    LeftOut,
}

/// The open variations.
#[derive(Debug, Default)]
pub(super) struct OpenVariations {
    open: Vec<VariationOrigin>,
    beyond: u64,
}

impl OpenVariations {
    /// A variation begins: is its `(` written?
    pub(super) fn open(&mut self, supplied: bool, depth: u64, choice: &FixFilter) -> bool {
        if depth <= 1 {
            self.open.clear();
            self.beyond = 0;
        }
        let code = if depth <= 1 { Code::MissingParenthesis } else { Code::NodeAfterVariation };
        let begun = match supplied {
            false => VariationOrigin::InFile,
            true if choice.wants_as_read(code) => VariationOrigin::OutputState,
            true => VariationOrigin::LeftOut,
        };
        if self.open.len() < REMEMBERED {
            self.open.push(begun)
        } else {
            self.beyond += 1
        }
        begun != VariationOrigin::LeftOut
    }

    /// Is the `;` written that was supplied after the last `(`?
    pub(super) fn node(&self, after_supplied: bool, in_root: bool, choice: &FixFilter) -> bool {
        if after_supplied {
            return self.open.last() != Some(&VariationOrigin::LeftOut);
        }
        choice.wants_as_read(if in_root { Code::MissingRootSemicolon } else { Code::MissingSemicolon })
    }

    /// A variation ends: is its `)` written?
    pub(super) fn close(&mut self, supplied: bool, choice: &FixFilter) -> bool {
        let begun = if self.beyond > 0 {
            self.beyond -= 1;
            VariationOrigin::InFile
        } else {
            self.open.pop().unwrap_or(VariationOrigin::InFile)
        };
        !supplied
            || match begun {
                VariationOrigin::InFile => choice.wants_as_read(Code::UnclosedGame),
                VariationOrigin::OutputState => true,
                VariationOrigin::LeftOut => false,
            }
    }
}
