//! How a command ends.

use std::io;

use sgfstream_archive::{ArchiveErrorKind, ArchiveProblem};

use crate::report::terminal;

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All was done.
    Done = 0,
    /// There were findings, or nothing matched, or a text was not read without loss.
    Found = 1,
    /// Wrong usage, or an input that could not be read, or an output that
    /// could not be written.
    Unreadable = 2,
    /// By a signal, whose number the status of the process has.
    Interrupted = 130,
}

impl Exit {
    /// The worse of two.
    pub(crate) fn or(self, other: Self) -> Self {
        self.max(other)
    }

    /// Says how many of something there are, if any, and gives the status for that: `one` and `many` go on after the number.
    pub(crate) fn say_count(count: u64, one: &str, many: &str) -> Self {
        match count {
            0 => return Self::Done,
            1 => terminal::say(&format!("sgfq: 1 {one}")),
            count => terminal::say(&format!("sgfq: {count} {many}")),
        }
        Self::Found
    }

    /// The status for an input with this problem.
    pub(crate) fn of_problem(problem: &ArchiveProblem) -> Self {
        if matches!(problem.trouble, ArchiveErrorKind::Lossy | ArchiveErrorKind::LongGame) {
            Self::Found
        } else {
            Self::Unreadable
        }
    }

    /// The number that the process ends with.
    pub(crate) fn status(self) -> u8 {
        self as u8
    }
}

/// Says what went wrong, unless the reader of our output just went away.
pub(crate) fn report(err: &anyhow::Error) -> u8 {
    if let Some(err) = err.chain().find_map(|cause| cause.downcast_ref::<io::Error>())
        && err.kind() == io::ErrorKind::BrokenPipe
    {
        return Exit::Done.status();
    }
    terminal::say(&format!("sgfq: {err:#}"));
    Exit::Unreadable.status()
}

pub(crate) fn on_output_error(err: &io::Error) -> u8 {
    let exit = if err.kind() == io::ErrorKind::BrokenPipe { Exit::Done } else { Exit::Unreadable };
    exit.status()
}
