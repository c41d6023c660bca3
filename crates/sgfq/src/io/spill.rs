//! Buffer of bytes that are read again: in memory up to half a megabyte, then on disk in an unnamed
//! file, which the system removes when the process ends.

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::SpooledTempFile;

use crate::io::temp_file::of_temporary;

/// Maximum bytes in memory.
pub(crate) const MEMORY: usize = 1 << 19;

/// Append-only buffer with random access reads.
pub(crate) struct Spill {
    file: BufWriter<SpooledTempFile>,
    len: u64,
    is_at_end: bool,
    /// Bytes of the file and their offsets, for many small sequential reads; the last used window
    /// is first. There are two windows because comparisons alternate between two places.
    windows: [(u64, Vec<u8>); 2],
}

/// Bytes buffered before they are written to the file.
const PENDING: usize = 32 << 10;

/// Minimum bytes of a read from the file.
const WINDOW: usize = 8 << 10;

impl Default for Spill {
    fn default() -> Self {
        Self {
            file: BufWriter::with_capacity(PENDING, SpooledTempFile::new(MEMORY)),
            len: 0,
            is_at_end: true,
            windows: Default::default(),
        }
    }
}

impl Spill {
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&mut self, at: u64, buf: &mut [u8]) -> io::Result<usize> {
        if buf.len() >= WINDOW {
            return self.read_file(at, buf);
        }
        let end = at + buf.len() as u64;
        let is_held =
            |(from, window): &(u64, Vec<u8>)| *from <= at && end <= from + window.len() as u64;
        if !is_held(&self.windows[0]) {
            self.windows.swap(0, 1);
        }
        if !is_held(&self.windows[0]) {
            let (_, mut window) = std::mem::take(&mut self.windows[0]);
            window.resize(WINDOW, 0);
            let len = self.read_file(at, &mut window)?;
            window.truncate(len);
            self.windows[0] = (at, window);
        }
        let (from, window) = &self.windows[0];
        let held = &window[(at - from) as usize..];
        let len = held.len().min(buf.len());
        buf[..len].copy_from_slice(&held[..len]);
        Ok(len)
    }

    fn read_file(&mut self, at: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.is_at_end = false;
        // Seeking flushes the buffered bytes first.
        of_temporary(self.file.seek(SeekFrom::Start(at)))?;
        of_temporary(self.file.get_mut().read(buf))
    }

    /// Fills `buf` with the bytes from `at` on.
    pub(crate) fn read_exact(&mut self, mut at: u64, mut buf: &mut [u8]) -> io::Result<()> {
        while !buf.is_empty() {
            match self.read_at(at, buf)? {
                0 => return of_temporary(Err(io::ErrorKind::UnexpectedEof.into())),
                len => {
                    at += len as u64;
                    buf = &mut buf[len..];
                }
            }
        }
        Ok(())
    }

    /// Writes `len` bytes from `start` on to `out`.
    pub(crate) fn copy(&mut self, start: u64, len: u64, out: &mut dyn Write) -> io::Result<()> {
        let mut buf = vec![0; len.min(64 << 10) as usize];
        let (mut at, end) = (start, start + len);
        while at < end {
            let wanted = (end - at).min(buf.len() as u64);
            self.read_exact(at, &mut buf[..wanted as usize])?;
            out.write_all(&buf[..wanted as usize])?;
            at += wanted;
        }
        Ok(())
    }

    /// Adds numbers of eight bytes each.
    pub(crate) fn push_numbers<const N: usize>(&mut self, numbers: [u64; N]) -> io::Result<()> {
        self.write_all(numbers.map(u64::to_be_bytes).as_flattened())
    }

    /// Reads numbers that [`push_numbers`](Self::push_numbers) wrote at offset `at`.
    pub(crate) fn numbers<const N: usize>(&mut self, at: u64) -> io::Result<[u64; N]> {
        let mut bytes = [[0; 8]; N];
        self.read_exact(at, bytes.as_flattened_mut())?;
        Ok(bytes.map(u64::from_be_bytes))
    }
}

impl Write for Spill {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if !self.is_at_end {
            of_temporary(self.file.seek(SeekFrom::End(0)))?;
            self.is_at_end = true;
        }
        of_temporary(self.file.write_all(buf))?;
        self.len += buf.len() as u64;
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        of_temporary(self.file.flush())
    }
}

/// Spills that threads write at the same time, each thread its own. A spill is absent while a
/// thread writes it.
#[derive(Default)]
pub(crate) struct Spills(Mutex<Vec<Option<Spill>>>);

impl Spills {
    /// Calls `write` with a spill that no other thread writes now, and its number.
    pub(crate) fn write<T>(&self, write: impl FnOnce(usize, &mut Spill) -> T) -> T {
        let mut spills = self.lock();
        let number = spills.iter().position(Option::is_some);
        let number = number.unwrap_or_else(|| {
            spills.push(None);
            spills.len() - 1
        });
        let mut spill = spills[number].take().unwrap_or_default();
        drop(spills);
        let result = write(number, &mut spill);
        self.lock()[number] = Some(spill);
        result
    }

    /// Returns all spills by number, after the threads have written them. In place of one whose
    /// thread panicked, an empty spill keeps the numbers of the others.
    pub(crate) fn take(&self) -> Vec<Spill> {
        self.lock()
            .drain(..)
            .map(Option::unwrap_or_default)
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Spill>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writers at the same time have spills of their own, and a later writer takes one of them.
    #[test]
    fn spills_keep_their_numbers() {
        let spills = Spills::default();
        spills.write(|first, spill| {
            spill.write_all(b"first").expect("memory");
            spills.write(|second, spill| {
                spill.write_all(b"second").expect("memory");
                assert_eq!((first, second), (0, 1));
            });
        });
        spills.write(|number, spill| assert_eq!((number, spill.len()), (0, 5)));
        let lens: Vec<u64> = spills.take().iter().map(Spill::len).collect();
        assert_eq!(lens, [5, 6]);
    }

    /// After small and large writes with reads between them, in memory and on disk, all bytes are
    /// as written.
    #[test]
    fn bytes_are_those_that_were_written() {
        let (mut spill, mut expected) = (Spill::default(), Vec::new());
        let mut rng = fastrand::Rng::with_seed(1);
        while expected.len() < 3 * MEMORY {
            let len = [
                1,
                40,
                WINDOW,
                PENDING - 1,
                PENDING,
                PENDING + 1,
                3 * PENDING,
            ][rng.usize(..7)];
            let bytes: Vec<u8> = (0..len).map(|_| rng.u8(..)).collect();
            spill.write_all(&bytes).expect("a temporary file");
            expected.extend(bytes);
            for _ in 0..rng.usize(..3) {
                let start = rng.usize(..expected.len());
                let len = rng.usize(..expected.len() - start).min(2 * PENDING);
                let mut out = Vec::new();
                spill
                    .copy(start as u64, len as u64, &mut out)
                    .expect("bytes that were written");
                assert!(
                    out == expected[start..start + len],
                    "{len} bytes at {start} of {}",
                    expected.len()
                );
            }
        }
        assert_eq!(spill.len(), expected.len() as u64);
    }
}
