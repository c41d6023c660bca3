//! The bytes of the game that is being read, held until it is known what
//! becomes of them: in memory up to a few megabytes, on disk beyond.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

/// Bytes held in memory before they go to disk.
const MEMORY: usize = 8 << 20;

/// Bytes behind the reader that are kept while nothing is wanted: more than a
/// reader ever has in its buffer, so that the next game is among them.
const BEHIND: usize = 4 << 20;

/// What was read and may be wanted again. Offsets are the reader's.
#[derive(Debug, Default)]
pub struct Tape {
    /// The bytes from `base` on; those before `head` are let go of.
    memory: Vec<u8>,
    head: usize,
    base: u64,
    spill: Option<Spill>,
    /// Nothing of the current game is wanted.
    skipping: bool,
    /// The disk could not take it: no fault of the input.
    pub failed: Option<io::Error>,
}

/// The bytes before those in memory.
#[derive(Debug)]
struct Spill {
    file: File,
    start: u64,
    end: u64,
}

impl Tape {
    fn record(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.skipping && self.len() > BEHIND {
            self.release(self.base + (self.memory.len() - BEHIND) as u64);
        } else if !self.skipping && self.len() > MEMORY {
            self.spill_out()?;
        }
        self.memory.extend_from_slice(bytes);
        Ok(())
    }

    /// One past the last byte that was read.
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

    /// Lets go of everything before `offset`.
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
        if self.head > self.memory.len() / 2 && self.head > (64 << 10) {
            self.memory.drain(..self.head);
            self.base += self.head as u64;
            self.head = 0;
        }
    }

    /// Whether the rest of the current game is wanted.
    pub fn skip(&mut self, skipping: bool) {
        self.skipping = skipping;
    }

    /// Writes the bytes `start..end` to `out`. They must be held.
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

/// Reads, and records what it read.
pub struct Recorder<R> {
    inner: R,
    tape: Rc<RefCell<Tape>>,
}

impl<R: Read> Recorder<R> {
    pub fn new(inner: R) -> (Self, Rc<RefCell<Tape>>) {
        let tape = Rc::new(RefCell::new(Tape::default()));
        (Self { inner, tape: Rc::clone(&tape) }, tape)
    }
}

impl<R: Read> Read for Recorder<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buf)?;
        let mut tape = self.tape.borrow_mut();
        if let Err(err) = tape.record(&buf[..len]) {
            tape.failed = Some(err);
            return Err(io::Error::other("temporary file"));
        }
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_comes_back() {
        let bytes: Vec<u8> = (0..30_000_000u32).map(|n| (n % 251) as u8).collect();
        let (mut recorder, tape) = Recorder::new(&bytes[..]);
        let mut buf = vec![0; 1 << 20];
        let mut read = 0u64;
        while let Ok(len @ 1..) = recorder.read(&mut buf) {
            read += len as u64;
            let mut tape = tape.borrow_mut();
            match read {
                0..=5_000_000 => tape.release(read.saturating_sub(100)),
                5_000_001..=25_000_000 => {}
                _ => {}
            }
            assert!(tape.memory.len() <= MEMORY + (2 << 20));
        }
        for (start, end) in [(5_000_000, 30_000_000), (29_999_990, 30_000_000), (9_000_000, 9_000_001), (7, 7)] {
            let mut out = Vec::new();
            tape.borrow_mut().copy(start, end, &mut out).expect("held");
            assert!(out == bytes[start as usize..end as usize]);
        }
        tape.borrow_mut().release(30_000_000);
        assert!(tape.borrow_mut().copy(5, 10, &mut Vec::new()).is_err());
    }

    #[test]
    fn skipped_bytes_do_not_pile_up() {
        let bytes = vec![b'x'; 40 << 20];
        let (mut recorder, tape) = Recorder::new(&bytes[..]);
        tape.borrow_mut().skip(true);
        let mut buf = vec![0; 1 << 20];
        while let Ok(1..) = recorder.read(&mut buf) {
            assert!(tape.borrow().memory.len() <= 12 << 20);
        }
        let mut out = Vec::new();
        let end = bytes.len() as u64;
        tape.borrow_mut().copy(end - (2 << 20), end, &mut out).expect("held");
        assert_eq!(out.len(), 2 << 20);
    }
}
