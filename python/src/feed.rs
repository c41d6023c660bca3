//! Iterator over the output of a job. The job runs in the background, in parallel, slightly ahead
//! of the caller.

use std::collections::VecDeque;
use std::process;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use sgfstream_archive::ArchiveProblem;
use sgfstream_engine::{Job, Monitor, Out, PartSize};

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
    chunks: Option<Receiver<anyhow::Result<Chunk<T>>>>,
    ready: VecDeque<T>,
    problems: Vec<Problem>,
    errors: Errors,
    reader: Option<JoinHandle<()>>,
    monitor: Monitor,
    /// Keeps the temporary copies of inputs until the end.
    _inputs: Inputs,
}

struct Chunk<T> {
    items: Vec<T>,
    problems: Vec<ArchiveProblem>,
}

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
        let engine = engine.with_own_monitor();
        let monitor = engine.monitor();
        let (sender, chunks) = sync_channel(2);
        let all = inputs.to_vec();
        let reader = thread::Builder::new()
            .name("sgfstream-feed".to_owned())
            .spawn(move || {
                let result = engine.run(&all, &job, |outcome| {
                    let problems = std::mem::take(&mut outcome.problems);
                    let chunk = Chunk {
                        items: std::mem::take(&mut outcome.output),
                        problems,
                    };
                    send(&engine.monitor(), &sender, chunk);
                    Ok(())
                });
                if let Err(err) = result {
                    _ = sender.send(Err(err));
                }
            })?;
        let reading = Reading {
            chunks: Some(chunks),
            ready: VecDeque::new(),
            problems: Vec::new(),
            errors,
            reader: Some(reader),
            monitor,
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
            let Some(chunks) = &mut reading.chunks else {
                return Ok(None);
            };
            let receive = move || {
                let chunks: &mut Receiver<_> = chunks;
                chunks.recv_timeout(PATIENCE)
            };
            let err = match py.detach(receive) {
                Ok(Ok(Chunk { items, problems })) => {
                    reading.ready = items.into();
                    match problems.first().filter(|_| reading.errors == Errors::Raise) {
                        Some(problem) => errors::of_problem(problem),
                        None => {
                            reading.problems.extend(problems.iter().map(Problem::from));
                            continue;
                        }
                    }
                }
                Ok(Err(err)) => errors::of_run(&err),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => {
                    let reading = &mut *reading;
                    py.detach(|| reading.end());
                    if reading.errors == Errors::Warn {
                        warning::warn(py, &reading.problems)?;
                    }
                    return Ok(None);
                }
            };
            let reading = &mut *reading;
            py.detach(|| reading.end());
            return Err(err);
        }
    }

    /// Returns the problems so far.
    pub(crate) fn problems(&self, py: Python<'_>) -> PyResult<Vec<Problem>> {
        Ok(self.lock(py)?.problems.clone())
    }
}

impl<T> Reading<T> {
    fn end(&mut self) {
        self.monitor.cancel();
        self.chunks = None;
        if let Some(reader) = self.reader.take() {
            _ = reader.join();
        }
    }
}

impl<T> Drop for Feed<T> {
    fn drop(&mut self) {
        let reading = self
            .reading
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if self.process == process::id() {
            reading.end();
        } else {
            // A forked process must not end the thread or delete the copies, because the parent
            // process owns them.
            std::mem::forget((
                reading.chunks.take(),
                reading.reader.take(),
                reading._inputs.clone(),
            ));
        }
    }
}

fn send<T>(monitor: &Monitor, sender: &SyncSender<anyhow::Result<Chunk<T>>>, chunk: Chunk<T>) {
    if (!chunk.items.is_empty() || !chunk.problems.is_empty()) && sender.send(Ok(chunk)).is_err() {
        monitor.cancel();
    }
}

/// Number of items that a job buffers before it emits them.
pub(crate) const FULL: usize = 2048;

/// Adds an item to the output of a job. Returns false if the run was canceled.
pub(crate) fn push<T>(out: &mut Out<'_, Vec<T>>, item: T) -> bool {
    out.push(item);
    out.len() < FULL || out.hand_out()
}
