//! Decides which of the parentheses that the reader inserted are written.

use super::FixFilter;
use sgfstream::Code;

/// Maximum number of open variations to remember. Further ones count as opened in the file.
const REMEMBERED: usize = 1 << 20;

/// Origin of the `(` of an open variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VariationOrigin {
    InFile,
    /// Inserted by the reader, and written.
    OutputState,
    /// Inserted by the reader, and not written.
    LeftOut,
}

/// Origins of the open variations.
#[derive(Debug, Default)]
pub(super) struct OpenVariations {
    open: Vec<VariationOrigin>,
    beyond: u64,
}

impl OpenVariations {
    /// Opens a variation. Returns whether its `(` is written.
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

    /// Returns whether an inserted `;` is written. `after_supplied` says whether the `(` before it was inserted.
    pub(super) fn node(&self, after_supplied: bool, in_root: bool, choice: &FixFilter) -> bool {
        if after_supplied {
            return self.open.last() != Some(&VariationOrigin::LeftOut);
        }
        choice.wants_as_read(if in_root { Code::MissingRootSemicolon } else { Code::MissingSemicolon })
    }

    /// Closes a variation. Returns whether its `)` is written.
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
