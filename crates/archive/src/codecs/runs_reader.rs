//! Joins consecutive members, streams and frames.

use std::io::{self, Read};

use crate::fault::Fault;
use crate::stream::Source;

/// Consecutive compressed runs of bytes: members, streams or frames.
pub(crate) trait Runs {
    /// Goes to the start of the next run; returns false at the end of all runs.
    fn begin(&mut self) -> io::Result<bool>;

    /// Reads from the run; returns 0 at its end.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize>;

    /// Checks the end of a run. Returns false if no other run can follow.
    fn end(&mut self) -> io::Result<bool> {
        Ok(true)
    }
}

/// Reader of the bytes of all runs.
pub(crate) struct RunsReader<R> {
    runs: R,
    inside: bool,
}

impl<R> RunsReader<R> {
    pub(crate) fn new(runs: R) -> Self {
        Self {
            runs,
            inside: false,
        }
    }
}

impl<R: Runs> Read for RunsReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.inside && !self.runs.begin()? {
                return Ok(0);
            }
            self.inside = true;
            let len = self.runs.read(out)?;
            if len > 0 || !self.runs.end()? {
                return Ok(len);
            }
            self.inside = false;
        }
    }
}

/// Returns true if a stream with this `magic` begins here, and false at the end.
pub(crate) fn another(source: &mut dyn Source, magic: &[u8], expected: &str) -> io::Result<bool> {
    let next = source.peek(magic.len());
    match next.first() {
        None => source.fill_buf().map(|_| false),
        Some(0) => only_zeros(source, expected).map(|_| false),
        Some(_) if magic.starts_with(&next[..next.len().min(magic.len())]) => Ok(true),
        Some(_) => Err(trailing(expected)),
    }
}

#[cold]
pub(crate) fn trailing(expected: &str) -> io::Error {
    Fault::damaged(format_args!("{expected} or the end"), "other bytes").into()
}

/// Skips zeros up to the end; they fill the last block of a tape and are not damage.
pub(crate) fn only_zeros(source: &mut dyn Source, expected: &str) -> io::Result<usize> {
    loop {
        let found = source.fill_buf()?;
        if found.is_empty() {
            return Ok(0);
        }
        if found.iter().any(|byte| *byte != 0) {
            return Err(trailing(expected));
        }
        let len = found.len();
        source.consume(len);
    }
}
