//! Iterator over the output of a job. The job runs in the background, in parallel, slightly ahead
//! of the caller.

use std::collections::VecDeque;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use sgfstream_archive::ArchiveProblem;
use sgfstream_engine::{BackgroundRun, Job, Out, PartSize};

use crate::args::{Args, Errors};
use crate::errors;
use crate::inputs::Inputs;
use crate::problem::Problem;
use crate::stream::PATIENCE;
use crate::warning;

/// Iterator over the items of a job. If it is dropped before its end, it stops the job and joins
/// its threads.
pub(crate) struct Feed<T> {
    /// Locked by the thread that asks for an item.
    reading: Mutex<Reading<T>>,
    /// Process that runs the job. A process forked from it lacks the threads of the job.
    process: u32,
}

struct Reading<T> {
    run: Option<BackgroundRun<Chunk<T>>>,
    ready: VecDeque<T>,
    problems: Vec<Problem>,
    errors: Errors,
    /// Keeps the temporary copies of inputs until the end.
    _inputs: Inputs,
}

/// Items, and the problems met before their end.
type Chunk<T> = (Vec<T>, Vec<ArchiveProblem>);

impl<T: Send + 'static> Feed<T> {
    /// Starts the job.
    pub(crate) fn start(
        inputs: &Bound<'_, PyAny>,
        how: &Args,
        part_size: PartSize,
        job: impl Job<Output = Vec<T>> + Send + 'static,
    ) -> PyResult<Self> {
        let (engine, errors) = (how.engine()?.with_part_size(part_size), how.errors()?);
        let inputs = Inputs::take(inputs)?;
        let all = inputs.to_vec();
        let run = BackgroundRun::start(&engine, move |engine, send| {
            engine.run(&all, &job, |outcome| {
                let items = std::mem::take(&mut outcome.output);
                let problems = std::mem::take(&mut outcome.problems);
                if !items.is_empty() || !problems.is_empty() {
                    send((items, problems));
                }
                Ok(())
            })
        });
        let reading = Reading {
            run: Some(run),
            ready: VecDeque::new(),
            problems: Vec::new(),
            errors,
            _inputs: inputs,
        };
        Ok(Self {
            reading: Mutex::new(reading),
            process: process::id(),
        })
    }

    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Reading<T>>> {
        if self.process != process::id() {
            return Err(PyRuntimeError::new_err(
                "another process began to read; after a fork, begin to read in each process",
            ));
        }
        Ok(self
            .reading
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the next item, or `None` at the end.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        let mut reading = self.lock(py)?;
        loop {
            if let Some(item) = reading.ready.pop_front() {
                return Ok(Some(item));
            }
            py.check_signals()?;
            let Some(run) = &mut reading.run else {
                return Ok(None);
            };
            let poll = move || {
                let run: &mut BackgroundRun<_> = run;
                run.poll(PATIENCE)
            };
            let ended = match py.detach(poll) {
                Poll::Pending => continue,
                Poll::Ready(Some(Ok((items, problems)))) => {
                    reading.ready = items.into();
                    match problems.first().filter(|_| reading.errors == Errors::Raise) {
                        Some(problem) => Err(errors::of_problem(problem)),
                        None => {
                            reading.problems.extend(problems.iter().map(Problem::from));
                            continue;
                        }
                    }
                }
                Poll::Ready(Some(Err(err))) => Err(errors::of_run(&err)),
                Poll::Ready(None) => Ok(None),
            };
            let run = reading.run.take();
            py.detach(|| drop(run));
            if ended.is_ok() && reading.errors == Errors::Warn {
                warning::warn(py, &reading.problems)?;
            }
            return ended;
        }
    }

    /// Returns the problems so far.
    pub(crate) fn problems(&self, py: Python<'_>) -> PyResult<Vec<Problem>> {
        Ok(self.lock(py)?.problems.clone())
    }
}

impl<T> Drop for Feed<T> {
    fn drop(&mut self) {
        if self.process == process::id() {
            return;
        }
        let reading = self
            .reading
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        // A forked process must not end the thread or delete the copies, because the parent process
        // owns them.
        std::mem::forget((reading.run.take(), reading._inputs.clone()));
    }
}

/// Number of items that a job buffers before it emits them.
pub(crate) const FULL: usize = 2048;

/// Adds an item to the output of a job. Returns false if the run was canceled.
pub(crate) fn push<T>(out: &mut Out<'_, Vec<T>>, item: T) -> bool {
    out.push(item);
    out.len() < FULL || out.hand_out()
}
