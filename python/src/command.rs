//! The command `sgfq`, which the package brings along.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs a command line of `sgfq`, of which the first word is the program's name, and returns the exit status. It has the process
/// for itself, and may end it: `python -m sgfstream` is such a process.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| sgfq::run(arguments.into_iter()))
}
