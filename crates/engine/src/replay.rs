//! The bytes of the game that is being read, kept until the caller decides about it: in memory up to a few megabytes,
//! on disk beyond.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Bytes kept in memory before they go to disk.
const MEMORY: usize = 8 << 20;

/// Bytes before the end that are kept while the game is not: more than a
/// reader ever has in its buffer, so that the next game is among them.
const RECENT: usize = 4 << 20;

/// Bytes that were read and may be asked for again, by their offsets in the input. What is no longer needed must be
/// [released](Self::release).
///
/// ```
/// use std::io::Read;
/// use sgfstream_engine::RecordingReader;
///
/// let mut reader = RecordingReader::new(&b"one two"[..], 0);
/// reader.read_to_end(&mut Vec::new())?;
/// let mut bytes = Vec::new();
/// reader.buffer.copy(4, 7, &mut bytes)?;
/// assert_eq!(bytes, b"two");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct ReplayBuffer {
    /// The bytes from `base` on; those before `head` were released.
    memory: Vec<u8>,
    head: usize,
    base: u64,
    spill: Option<Spill>,
    /// The current game is not needed.
    is_skipping: bool,
    /// No game is needed, from the first byte on.
    keeps_nothing: bool,
    failed: Option<io::Error>,
}

/// The bytes before those in memory.
#[derive(Debug)]
struct Spill {
    file: File,
    start: u64,
    end: u64,
}

impl ReplayBuffer {
    fn record(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.keeps_nothing {
            self.base += bytes.len() as u64;
            return Ok(());
        }
        if self.is_skipping && self.len() > RECENT {
            self.release(self.base + (self.memory.len() - RECENT) as u64);
        } else if !self.is_skipping && self.len() > MEMORY {
            self.spill_out()?;
        }
        // Here, where little more than the start of a game is left to be moved.
        if self.head > self.memory.len() / 2 {
            self.memory.drain(..self.head);
            self.base += self.head as u64;
            self.head = 0;
        }
        self.memory.extend_from_slice(bytes);
        Ok(())
    }

    /// The offset after the last byte that was read.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.base + self.memory.len() as u64
    }

    fn len(&self) -> usize {
        self.memory.len() - self.head
    }

    fn spill_out(&mut self) -> io::Result<()> {
        // The reader still has the last of it, and the next game may begin there; all of it goes, to be read back.
        let start = self.base + self.head as u64;
        let spill = match &mut self.spill {
            Some(spill) => spill,
            None => self.spill.insert(Spill { file: tempfile::tempfile()?, start, end: start }),
        };
        if spill.start == spill.end {
            (spill.start, spill.end) = (start, start);
        }
        spill.file.seek(SeekFrom::Start(spill.end - spill.start))?;
        spill.file.write_all(&self.memory[self.head..])?;
        spill.end = self.base + self.memory.len() as u64;
        self.base = spill.end;
        self.memory.clear();
        self.head = 0;
        Ok(())
    }

    /// Releases everything before `offset`.
    pub fn release(&mut self, offset: u64) {
        if let Some(spill) = &mut self.spill
            && offset >= spill.end
            && spill.start != spill.end
        {
            // The file is written from its start again.
            spill.start = spill.end;
        }
        self.head =
            usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX).clamp(self.head, self.memory.len());
    }

    /// Keeps only the last bytes from now on, or all of them again.
    pub fn skip(&mut self, is_skipping: bool) {
        self.is_skipping = is_skipping;
    }

    /// Why the disk could not take the bytes. Reading failed then, and not because of the input.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.failed.take()
    }

    /// Writes the bytes `start..end` to `out`.
    ///
    /// # Errors
    ///
    /// When `out` fails, or the disk, or the bytes were released.
    pub fn copy(&mut self, start: u64, end: u64, out: &mut dyn Write) -> io::Result<()> {
        let mut at = start;
        if let Some(spill) = &mut self.spill
            && at < spill.end
            && at >= spill.start
        {
            spill.file.seek(SeekFrom::Start(at - spill.start))?;
            let len = spill.end.min(end) - at;
            let copied = io::copy(&mut (&mut spill.file).take(len), out)?;
            if copied != len {
                return Err(io::Error::other(format!("expected {len} bytes in a temporary file, found {copied}")));
            }
            at += len;
        }
        if at < end {
            let within = |offset: u64| offset.checked_sub(self.base).and_then(|within| usize::try_from(within).ok());
            let range = within(at).zip(within(end));
            let bytes = range.and_then(|(from, to)| self.memory.get(from..to));
            out.write_all(bytes.ok_or_else(|| io::Error::other("expected a game in memory, found it gone"))?)?;
        }
        Ok(())
    }
}

/// A reader that records what it reads.
#[derive(Debug)]
pub struct RecordingReader<R> {
    inner: R,
    /// Bytes that it has read.
    pub buffer: ReplayBuffer,
}

impl<R: Read> RecordingReader<R> {
    /// Records what is read of `inner`, whose first byte is at `offset` of the input.
    pub fn new(inner: R, offset: u64) -> Self {
        Self { inner, buffer: ReplayBuffer { base: offset, ..ReplayBuffer::default() } }
    }

    /// A reader that keeps nothing: for those that may ask for bytes, and do not.
    pub fn keeping_nothing(inner: R, offset: u64) -> Self {
        Self { inner, buffer: ReplayBuffer { base: offset, keeps_nothing: true, ..ReplayBuffer::default() } }
    }
}

impl<R: Read> Read for RecordingReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buf)?;
        if let Err(err) = self.buffer.record(&buf[..len]) {
            self.buffer.failed = Some(err);
            return Err(io::Error::other("temporary file"));
        }
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_bytes_come_back() {
        let bytes: Vec<u8> = (0..30_000_000u32).map(|n| (n % 251) as u8).collect();
        let mut reader = RecordingReader::new(&bytes[..], 0);
        let mut buf = vec![0; 1 << 20];
        let mut read = 0u64;
        while let Ok(len @ 1..) = reader.read(&mut buf) {
            read += len as u64;
            let buffer = &mut reader.buffer;
            match read {
                0..=5_000_000 => buffer.release(read.saturating_sub(100)),
                5_000_001..=25_000_000 => {}
                _ => {}
            }
            assert!(buffer.memory.len() <= MEMORY + (2 << 20));
        }
        for (start, end) in [(5_000_000, 30_000_000), (29_999_990, 30_000_000), (9_000_000, 9_000_001), (7, 7)] {
            let mut out = Vec::new();
            reader.buffer.copy(start, end, &mut out).expect("held");
            assert!(out == bytes[start as usize..end as usize]);
        }
        reader.buffer.release(30_000_000);
        assert!(reader.buffer.copy(5, 10, &mut Vec::new()).is_err());
    }

    #[test]
    fn nothing_is_kept_where_nothing_is_needed() {
        let bytes = [b'x'; 100_000];
        let mut reader = RecordingReader::keeping_nothing(&bytes[..], 7);
        for is_skipping in [true, false] {
            reader.buffer.skip(is_skipping);
            reader.read_exact(&mut [0; 50_000]).expect("as many bytes");
            reader.buffer.release(10);
        }
        assert_eq!(reader.buffer.memory.capacity(), 0);
        assert_eq!(reader.buffer.end(), 100_007);
        assert!(reader.buffer.copy(100_006, 100_007, &mut Vec::new()).is_err());
    }

    #[test]
    fn skipped_bytes_do_not_pile_up() {
        let bytes = vec![b'x'; 40 << 20];
        let mut reader = RecordingReader::new(&bytes[..], 0);
        reader.buffer.skip(true);
        let mut buf = vec![0; 1 << 20];
        while let Ok(1..) = reader.read(&mut buf) {
            assert!(reader.buffer.memory.len() <= 12 << 20);
        }
        assert!(reader.buffer.spill.is_none(), "nothing goes to disk");
        let mut out = Vec::new();
        let end = bytes.len() as u64;
        reader.buffer.copy(end - (2 << 20), end, &mut out).expect("held");
        assert_eq!(out.len(), 2 << 20);
    }
}
