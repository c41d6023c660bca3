//! Bytes that wait to be read again: in memory up to a few megabytes, then on disk, in a file without a name, which is
//! gone when the process is.

use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use tempfile::SpooledTempFile;

/// Bytes in memory.
pub(crate) const MEMORY: usize = 1 << 20;

/// Takes bytes at its end and gives them back from any place.
pub(crate) struct Spill {
    file: SpooledTempFile,
    len: u64,
    is_at_end: bool,
}

impl Default for Spill {
    fn default() -> Self {
        Self { file: SpooledTempFile::new(MEMORY), len: 0, is_at_end: true }
    }
}

impl Spill {
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&mut self, at: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.is_at_end = false;
        self.file.seek(SeekFrom::Start(at)).map_err(named)?;
        self.file.read(buf).map_err(named)
    }

    /// Writes `len` bytes from `start` on to `out`.
    pub(crate) fn copy(&mut self, start: u64, len: u64, out: &mut dyn Write) -> io::Result<()> {
        let mut buf = vec![0; len.min(64 << 10) as usize];
        let (mut at, end) = (start, start + len);
        while at < end {
            let wanted = (end - at).min(buf.len() as u64) as usize;
            match self.read_at(at, &mut buf[..wanted])? {
                0 => return Err(named(io::ErrorKind::UnexpectedEof.into())),
                read => {
                    out.write_all(&buf[..read])?;
                    at += read as u64;
                }
            }
        }
        Ok(())
    }
}

#[cold]
fn named(err: io::Error) -> io::Error {
    io::Error::new(err.kind(), format!("temporary file: {err}"))
}

impl Write for Spill {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if !self.is_at_end {
            self.file.seek(SeekFrom::Start(self.len)).map_err(named)?;
        }
        self.is_at_end = true;
        let len = self.file.write(buf).map_err(named)?;
        self.len += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads a part of a spill, which others read, too.
pub(crate) struct SpillReader {
    spill: Rc<RefCell<Spill>>,
    at: u64,
    end: u64,
}

impl SpillReader {
    /// All bytes of `spill`.
    pub(crate) fn new(spill: &Rc<RefCell<Spill>>) -> Self {
        let end = spill.borrow().len();
        Self::of(spill, 0, end)
    }

    /// The bytes `at..end` of `spill`.
    pub(crate) fn of(spill: &Rc<RefCell<Spill>>, at: u64, end: u64) -> Self {
        Self { spill: Rc::clone(spill), at, end }
    }
}

impl Read for SpillReader {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let wanted = buf.len().min(usize::try_from(self.end - self.at).unwrap_or(usize::MAX));
        let len = self.spill.borrow_mut().read_at(self.at, &mut buf[..wanted])?;
        self.at += len as u64;
        Ok(len)
    }
}
