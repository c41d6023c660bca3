//! Python warnings about unreadable inputs.

use std::ffi::CString;
use std::sync::mpsc::channel;
use std::thread::{self, ThreadId};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;

use crate::problem::Problem;

/// Maximum number of problems named in a warning.
const NAMED: usize = 5;

/// Maximum time that a thread of an engine waits for Python's warning.
const PATIENCE: Duration = Duration::from_millis(200);

/// Returns the message about unreadable inputs, or `None` if all inputs were read.
fn sentence(problems: &[Problem]) -> Option<String> {
    if problems.is_empty() {
        return None;
    }
    let named: Vec<_> = problems
        .iter()
        .take(NAMED)
        .map(Problem::to_string)
        .collect();
    let more = match problems.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more, see `problems`"),
    };
    let count = problems.len();
    let inputs = if count == 1 {
        "1 input was"
    } else {
        &format!("{count} inputs were")
    };
    Some(format!(
        "{inputs} not read, or not to the end: {}{more}",
        named.join("; ")
    ))
}

/// Warns at the end of a run. Returns an error if Python treats warnings as errors.
pub(crate) fn warn(py: Python<'_>, problems: &[Problem]) -> PyResult<()> {
    sentence(problems).map_or(Ok(()), |sentence| warn_about(py, &sentence))
}

/// Warns with a sentence. Returns an error if Python treats warnings as errors.
pub(crate) fn warn_about(py: Python<'_>, sentence: &str) -> PyResult<()> {
    // File names contain no zero bytes, but messages may.
    let sentence = CString::new(sentence.replace('\0', "")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &sentence, 1)
}

/// Warns from a thread without Python's lock. `began` is the thread that started the run. A thread
/// of an engine must not wait for the lock forever, because the thread that has it may wait for the
/// engine. So another thread warns instead.
pub(crate) fn warn_from_anywhere(began: ThreadId, problems: Vec<Problem>) -> PyResult<()> {
    if problems.is_empty() {
        return Ok(());
    }
    if began == thread::current().id() {
        return Python::attach(|py| warn(py, &problems));
    }
    let (done, warned) = channel();
    let warner = move || {
        Python::attach(|py| {
            if let Err(err) = warn(py, &problems) {
                err.write_unraisable(py, None);
            }
        });
        _ = done.send(());
    };
    if thread::Builder::new()
        .name("sgfstream-warns".to_owned())
        .spawn(warner)
        .is_ok()
    {
        _ = warned.recv_timeout(PATIENCE);
    }
    Ok(())
}
