//! The command `sgfq`, which is part of the package.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Run `sgfq` with these arguments, the program name first, and return its exit status. It may end
/// the process.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| sgfq::run(arguments.into_iter()))
}
