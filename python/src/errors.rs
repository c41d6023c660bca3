//! Errors of the library as exceptions, each with the library's own sentence:
//! `OSError` for what the system says, `ValueError` for everything else.

use std::io;

use arrow_schema::ArrowError;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyValueError};
use pyo3::prelude::*;
use sgfstream_archive::{ArchiveErrorKind, ArchiveProblem};

/// Error about an argument of the caller.
pub(crate) fn value_error(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// An input that cannot be read.
pub(crate) fn of_problem(problem: &ArchiveProblem) -> PyErr {
    match problem.trouble {
        ArchiveErrorKind::NotFound => PyFileNotFoundError::new_err(problem.to_string()),
        _ => PyOSError::new_err(problem.to_string()),
    }
}

/// An error of a run.
pub(crate) fn of_run(err: &anyhow::Error) -> PyErr {
    if is_of_system(err) { PyOSError::new_err(format!("{err:#}")) } else { value_error(format!("{err:#}")) }
}

/// Error for a consumer of Arrow, which knows two kinds: pyarrow makes `OSError` and `ValueError` of them.
pub(crate) fn to_arrow(err: &anyhow::Error) -> ArrowError {
    let message = format!("{err:#}");
    if is_of_system(err) { io_error(message) } else { ArrowError::InvalidArgumentError(message) }
}

/// An `OSError` for a consumer of Arrow.
pub(crate) fn io_error(message: String) -> ArrowError {
    let source = io::Error::other(message.clone());
    ArrowError::IoError(message, source)
}

fn is_of_system(err: &anyhow::Error) -> bool {
    err.chain().any(|cause| cause.is::<io::Error>())
        || err.downcast_ref::<sgfstream::Error>().is_some_and(sgfstream::Error::is_io)
}
