//! Reader of record batches, from which Arrow's C stream is made.

use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::thread::{self, ThreadId};
use std::time::Duration;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use sgfstream_table::arrow::{Batch, ScanBatches};

use crate::args::Errors;
use crate::errors;
use crate::inputs::Inputs;
use crate::problem::Problem;
use crate::warning;

/// Interval at which the main thread checks for Ctrl-C.
pub(crate) const PATIENCE: Duration = Duration::from_millis(100);

/// Inputs that a scan could not read, or not to their end.
#[derive(Clone, Default)]
pub(crate) struct Problems(Arc<Mutex<Vec<Problem>>>);

impl Problems {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Vec<Problem>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a copy, so that the caller may run Python code.
    pub(crate) fn to_vec(&self) -> Vec<Problem> {
        self.lock().clone()
    }
}

/// Iterator over the batches of a run. If it is dropped before its end, it stops the run and joins
/// its threads.
pub(crate) struct Stream {
    pub(crate) schema: SchemaRef,
    /// Columns of the batches to keep.
    pub(crate) projection: Option<Vec<usize>>,
    pub(crate) scanning: Option<ScanBatches>,
    /// Keeps the temporary copies of inputs until the end.
    pub(crate) _inputs: Inputs,
    pub(crate) problems: Problems,
    pub(crate) errors: Errors,
    /// Thread that started the run.
    pub(crate) began: ThreadId,
    pub(crate) interrupt: Interrupt,
    /// Process that runs the job. A forked process has no threads that do.
    pub(crate) process: u32,
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.process != process::id() {
            std::mem::forget((self.scanning.take(), self._inputs.clone()));
        }
    }
}

impl Stream {
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
                let message =
                    "another process began to read; after a fork, begin to read in each process";
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
                        self.problems.lock().push(problem.into());
                    }
                    if rows.num_rows() > 0 {
                        return Some(match &self.projection {
                            Some(columns) => rows.project(columns),
                            None => Ok(rows),
                        });
                    }
                }
                Poll::Ready(Some(Err(err))) => return self.fail(errors::to_arrow(&err)),
                Poll::Ready(None) => {
                    self.scanning = None;
                    if self.errors != Errors::Warn {
                        return None;
                    }
                    let warned = warning::warn_from_anywhere(self.began, self.problems.to_vec());
                    return warned
                        .err()
                        .map(|err| Err(errors::io_error(err.to_string())));
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

/// Checks for Ctrl-C. Python delivers signals only to its main thread, and only between its own
/// instructions. A consumer that takes batch after batch executes none.
pub(crate) struct Interrupt(Option<ThreadId>);

impl Interrupt {
    /// Creates a check that works if this thread is Python's main thread. Other threads must not
    /// wait for Python's lock, because the thread that has it may wait for them.
    pub(crate) fn of_this_thread(py: Python<'_>) -> PyResult<Self> {
        let threading = py.import("threading")?;
        let is_main = threading
            .call_method0("current_thread")?
            .is(&threading.call_method0("main_thread")?);
        Ok(Self(is_main.then(|| thread::current().id())))
    }

    /// Returns whether Ctrl-C was pressed. Python raises `KeyboardInterrupt` as soon as it
    /// continues.
    pub(crate) fn is_wanted(&self) -> bool {
        if self.0 != Some(thread::current().id()) {
            return false;
        }
        Python::attach(|py| match py.check_signals() {
            Ok(()) => false,
            // The consumer replaces this exception by its own, so the signal is sent again.
            Err(_) => {
                _ = py
                    .import("_thread")
                    .and_then(|module| module.call_method0("interrupt_main"));
                true
            }
        })
    }
}
