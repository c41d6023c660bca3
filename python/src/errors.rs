//! Errors of the library as Python exceptions with the library's message: `OSError` for errors of
//! the system, `ValueError` for all other errors.

use std::io;

use arrow_schema::ArrowError;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;
use sgfstream_archive::{ArchiveErrorKind, ArchiveProblem};

/// Returns a `ValueError` about an argument of the caller.
pub(crate) fn value_error(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// Returns the exception for an input that does not exist, with a hint if its text is something
/// else than a name.
pub(crate) fn of_missing(problem: &ArchiveProblem, text: &str) -> PyErr {
    let hint = if text.trim_start().starts_with("(;") {
        "; for the text of a game, pass bytes, or use Game.parse"
    } else {
        ""
    };
    PyFileNotFoundError::new_err(format!("{problem}{hint}"))
}

/// Returns the exception for an unreadable input.
pub(crate) fn of_problem(problem: &ArchiveProblem) -> PyErr {
    match problem.kind {
        ArchiveErrorKind::NotFound => PyFileNotFoundError::new_err(problem.to_string()),
        _ => PyOSError::new_err(problem.to_string()),
    }
}

/// Returns the exception for an error of a run.
pub(crate) fn of_run(err: &anyhow::Error) -> PyErr {
    if is_of_system(err) {
        PyOSError::new_err(format!("{err:#}"))
    } else {
        value_error(format!("{err:#}"))
    }
}

/// Returns an error for a consumer of Arrow, which distinguishes two kinds: pyarrow converts them
/// to `OSError` and `ValueError`.
pub(crate) fn to_arrow(err: &anyhow::Error) -> ArrowError {
    let message = format!("{err:#}");
    if is_of_system(err) {
        io_error(message)
    } else {
        ArrowError::InvalidArgumentError(message)
    }
}

/// Returns an error that a consumer of Arrow converts to an `OSError`.
pub(crate) fn io_error(message: String) -> ArrowError {
    let source = io::Error::other(message.clone());
    ArrowError::IoError(message, source)
}

fn is_of_system(err: &anyhow::Error) -> bool {
    let is_of_reader = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<sgfstream::Error>()
            .is_some_and(sgfstream::Error::is_io)
    };
    err.chain()
        .any(|cause| cause.is::<io::Error>() || is_of_reader(cause))
}
