//! Ranges of inputs that splits describe.

use sgfstream_archive::{ArchiveErrorKind, ArchiveProblem, InputFile};

use crate::job::PartOffset;

/// An input, or a range of it. The ranges of an input, in order, yield the same as the whole, if
/// the file has not changed since it was divided.
#[derive(Clone, Debug)]
pub(crate) struct FileRange {
    pub(crate) input: InputFile,
    /// In a plain file, the byte where a game begins; in a zip file, the number of the run of
    /// members.
    pub(crate) from: u64,
    pub(crate) until: Option<u64>,
    /// Games before the range in a plain file.
    pub(crate) games: u64,
}

impl From<InputFile> for FileRange {
    fn from(input: InputFile) -> Self {
        Self {
            input,
            from: 0,
            until: None,
            games: 0,
        }
    }
}

impl FileRange {
    pub(crate) fn is_whole(&self) -> bool {
        self.from == 0 && self.until.is_none()
    }

    /// Returns the counts before the range in its input. There are no problems after the last game
    /// before it, because a plan never divides there.
    pub(crate) fn before(&self) -> PartOffset {
        PartOffset {
            games: self.games,
            ..PartOffset::default()
        }
    }

    /// Returns the problem of a range that does not begin with a game.
    pub(crate) fn changed(&self) -> ArchiveProblem {
        let message = format!(
            "no game begins at byte {}: the file changed after it was split; split it again",
            self.from
        );
        ArchiveProblem::new(self.input.name(), ArchiveErrorKind::Damaged, message)
    }
}
