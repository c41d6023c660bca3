//! Standard output of a command.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use crate::report::exit::named;

/// Buffered stdout, which names itself in errors.
#[derive(Debug)]
pub(crate) struct Output {
    inner: BufWriter<StdoutLock<'static>>,
    is_terminal: bool,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        Self {
            inner: BufWriter::with_capacity(64 * 1024, stdout.lock()),
            is_terminal,
        }
    }

    /// Returns whether stdout is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Flushes the buffer.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        Ok(self.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.inner.write(buf).map_err(|err| named("stdout", &err))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush().map_err(|err| named("stdout", &err))
    }
}

/// Unbuffered stdout for a writer that buffers itself and needs a `Send` target. Errors name
/// stdout. It must be used on the thread of the [`Output`], which holds the lock.
#[derive(Debug)]
pub(crate) struct Stdout(io::Stdout);

impl Stdout {
    pub(crate) fn new() -> Self {
        Self(io::stdout())
    }
}

impl Write for Stdout {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0.write(buf).map_err(|err| named("stdout", &err))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|err| named("stdout", &err))
    }
}
