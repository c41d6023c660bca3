//! Exit statuses of commands.

use std::io;

use sgfstream_archive::{ArchiveErrorKind, ArchiveProblem, error_text};

use crate::report::terminal;

/// Exit status of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// The command succeeded.
    Done = 0,
    /// `check` reported findings, nothing matched, or text lost characters.
    Found = 1,
    /// Wrong usage, an unreadable input, or an output that could not be written.
    Unreadable = 2,
    /// A signal ended the command. The status of the process contains its number.
    Interrupted = 130,
}

/// Notes a count on stderr unless it is 0, as [`Exit::report_count`] reports one.
pub(crate) fn note_count(count: u64, one: &str, many: &str) {
    if count > 0 {
        terminal::print_note(&counted(count, one, many));
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("sgfq: {count} {}", if count == 1 { one } else { many })
}

impl Exit {
    /// Returns the worse of two statuses.
    pub(crate) fn or(self, other: Self) -> Self {
        self.max(other)
    }

    /// Reports on stderr a count that makes the result incomplete, unless it is 0, and returns the
    /// exit status for it. `one` and `many` continue the sentence after the number.
    pub(crate) fn report_count(count: u64, one: &str, many: &str) -> Self {
        if count == 0 {
            return Self::Done;
        }
        terminal::print_line(&counted(count, one, many));
        Self::Found
    }

    /// Returns the exit status for an input with this problem.
    pub(crate) fn of_problem(problem: &ArchiveProblem) -> Self {
        match problem.kind {
            ArchiveErrorKind::Lossy
            | ArchiveErrorKind::LongGame
            | ArchiveErrorKind::UnclosedGame => Self::Found,
            _ => Self::Unreadable,
        }
    }

    /// Returns the number of the exit status.
    pub(crate) fn status(self) -> u8 {
        self as u8
    }
}

type Cause<'a> = &'a (dyn std::error::Error + 'static);

/// Returns the error of the system that a cause is, or that an error of a reader contains.
fn io_error(cause: Cause<'_>) -> Option<&io::Error> {
    match cause
        .downcast_ref::<sgfstream::Error>()
        .map(sgfstream::Error::kind)
    {
        Some(sgfstream::ErrorKind::Io(err)) => Some(err),
        _ => cause.downcast_ref(),
    }
}

/// Reports an error, unless the reader of stdout closed the pipe.
pub(crate) fn report(err: &anyhow::Error) -> u8 {
    if err
        .chain()
        .find_map(io_error)
        .is_some_and(|err| err.kind() == io::ErrorKind::BrokenPipe)
    {
        return Exit::Done.status();
    }
    let text = |cause: Cause<'_>| match io_error(cause) {
        // Drop the error number at the end of the system's text.
        Some(err) => cause
            .to_string()
            .replace(&err.to_string(), &error_text(err)),
        None => cause.to_string(),
    };
    terminal::print_line(&format!(
        "sgfq: {}",
        err.chain().map(text).collect::<Vec<_>>().join(": ")
    ));
    Exit::Unreadable.status()
}

/// Adds the name of a stream to an error.
#[cold]
pub(crate) fn named(name: &str, err: &io::Error) -> io::Error {
    io::Error::new(err.kind(), format!("{name}: {}", error_text(err)))
}
