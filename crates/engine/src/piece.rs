//! Pieces of inputs: from one border that reading came to, to another.

use sgfstream_archive::{ArchiveProblem, Trouble, Work};

use crate::job::Border;

/// An input, or a piece of it between two borders. The pieces of an input, one after another, give what the whole
/// gives, if it is the same file as when its borders were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub(crate) work: Work,
    pub(crate) from: Border,
    pub(crate) until: Option<u64>,
}

impl From<Work> for Piece {
    fn from(work: Work) -> Self {
        Self { work, from: Border::default(), until: None }
    }
}

impl Piece {
    /// The piece of `work` from one border to another (its [`at`](Border::at)), or to the end of the input.
    #[must_use]
    pub fn new(work: Work, from: Border, until: Option<u64>) -> Self {
        Self { work, from, until }
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.from.at == 0 && self.until.is_none()
    }

    /// Problem of a piece that does not begin where a game begins.
    pub(crate) fn changed(&self) -> ArchiveProblem {
        let expected = format!("a game that begins at byte {}", self.from.at);
        ArchiveProblem::new(self.work.name(), Trouble::Damaged, expected, "a file that has changed")
    }
}
