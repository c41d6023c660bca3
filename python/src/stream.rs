//! The batches of a reading, as a reader that Arrow's C stream is made of.

use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::thread::{self, ThreadId};
use std::time::Duration;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use sgfstream_table::arrow::{Batch, Scanning};

use crate::errors;
use crate::how::Errors;
use crate::inputs::Inputs;
use crate::problem::Problem;
use crate::warning;

/// How often the main thread looks whether Ctrl-C was pressed.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// Inputs that the readings of a scan could not read, or not to their end.
#[derive(Clone, Default)]
pub(crate) struct Problems(Arc<Mutex<Vec<Problem>>>);

impl Problems {
    pub(crate) fn to_vec(&self) -> Vec<Problem> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(crate) fn push(&self, problem: Problem) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
    }
}

/// A reading. Dropped before its end, it stops and joins its threads.
pub(crate) struct Stream {
    schema: SchemaRef,
    scanning: Option<Scanning>,
    /// Holds the copies that are read.
    _inputs: Inputs,
    problems: Problems,
    errors: Errors,
    /// The thread on which it began.
    began: ThreadId,
    interrupt: Interrupt,
    /// The process that reads: a copy of it has no threads that do.
    process: u32,
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.process != process::id() {
            std::mem::forget((self.scanning.take(), self._inputs.clone()));
        }
    }
}

impl Stream {
    pub(crate) fn new(
        py: Python<'_>,
        schema: SchemaRef,
        scanning: Scanning,
        inputs: Inputs,
        problems: Problems,
        errors: Errors,
    ) -> PyResult<Self> {
        let interrupt = Interrupt::of_this_thread(py)?;
        Ok(Self {
            schema,
            scanning: Some(scanning),
            _inputs: inputs,
            problems,
            errors,
            began: thread::current().id(),
            interrupt,
            process: process::id(),
        })
    }

    fn fail(&mut self, err: ArrowError) -> Option<Result<RecordBatch, ArrowError>> {
        self.scanning = None;
        Some(Err(err))
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.process != process::id() {
                let message = "another process began to read; after a fork, begin to read in each process";
                return Some(Err(ArrowError::InvalidArgumentError(message.to_owned())));
            }
            if self.interrupt.is_wanted() {
                return self.fail(errors::io_error("reading was interrupted".to_owned()));
            }
            match self.scanning.as_mut()?.poll(PATIENCE) {
                Poll::Pending => {}
                Poll::Ready(Some(Ok(Batch { rows, problems, .. }))) => {
                    for problem in &problems {
                        if self.errors == Errors::Raise {
                            return self.fail(errors::io_error(problem.to_string()));
                        }
                        self.problems.push(problem.into());
                    }
                    if rows.num_rows() > 0 {
                        return Some(Ok(rows));
                    }
                }
                Poll::Ready(Some(Err(err))) => return self.fail(errors::to_arrow(&err)),
                Poll::Ready(None) => {
                    self.scanning = None;
                    if self.errors != Errors::Warn {
                        return None;
                    }
                    let warned = warning::warn_from_anywhere(self.began, self.problems.to_vec());
                    return warned.err().map(|err| Err(errors::io_error(err.to_string())));
                }
            }
        }
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Looks for Ctrl-C. Python tells its main thread of signals, and only between its own instructions; a consumer that
/// takes batch after batch has none.
pub(crate) struct Interrupt(Option<ThreadId>);

impl Interrupt {
    /// Looks for it whenever this thread asks, if it is Python's main thread. Another thread must not wait for
    /// Python's lock: the one that has it may wait for that thread.
    pub(crate) fn of_this_thread(py: Python<'_>) -> PyResult<Self> {
        let threading = py.import("threading")?;
        let is_main = threading.call_method0("current_thread")?.is(&threading.call_method0("main_thread")?);
        Ok(Self(is_main.then(|| thread::current().id())))
    }

    /// True if Ctrl-C was pressed. `KeyboardInterrupt` is raised as soon as Python goes on.
    pub(crate) fn is_wanted(&self) -> bool {
        if self.0 != Some(thread::current().id()) {
            return false;
        }
        Python::attach(|py| match py.check_signals() {
            Ok(()) => false,
            // The consumer raises an error of its own over this one, so the signal is sent again.
            Err(_) => {
                _ = py.import("_thread").and_then(|module| module.call_method0("interrupt_main"));
                true
            }
        })
    }
}
