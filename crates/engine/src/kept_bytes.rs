//! The bytes of the game that is being read, kept until the caller decides about it: in the window of the reader, or, of
//! a game that is too long for it, in a temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::PartReader;

/// The bytes of a part from some byte on. Its reader [retains](PartReader::retain) them in its window, up to the limit of a
/// game; a temporary file holds the bytes before the window.
///
/// ```
/// use sgfstream::{EventReader, Options};
/// use sgfstream_engine::{KeptBytes, PartReader};
///
/// let mut input = &b"(;B[aa])(;B[bb])"[..];
/// let mut reader = PartReader::whole(&mut input, Options::default(), None);
/// let mut kept = KeptBytes::of(&mut reader);
/// kept.keep_from(&mut reader, Some(8));
/// while reader.advance()? {}
/// let mut bytes = Vec::new();
/// kept.copy(&reader, 8..16, &mut bytes)?;
/// assert_eq!(bytes, b"(;B[bb])");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct KeptBytes {
    /// The offset of the first byte in the file.
    start: u64,
    overflow: Overflow,
}

/// The bytes before those in the window.
#[derive(Clone, Debug, Default)]
struct Overflow(Arc<Mutex<Spill>>);

#[derive(Debug, Default)]
struct Spill {
    /// `None` until the first byte is written.
    file: Option<File>,
    len: u64,
    failed: Option<io::Error>,
}

impl KeptBytes {
    /// Keeps no byte of `reader` yet.
    #[must_use]
    pub fn of(reader: &mut PartReader<'_>) -> Self {
        let overflow = Overflow::default();
        reader.retain_in(overflow.clone());
        Self { start: u64::MAX, overflow }
    }

    /// Keeps the bytes from the offset `from` on, and releases the bytes before it; without an offset, releases all bytes.
    pub fn keep_from(&mut self, reader: &mut PartReader<'_>, from: Option<u64>) {
        reader.retain(from);
        let (from, start) = (from.unwrap_or(u64::MAX), reader.window().start);
        if from >= start || self.start == u64::MAX {
            self.start = from.max(start);
            // The file is written from its start again.
            self.overflow.spill().len = 0;
        }
    }

    /// Why the disk could not take the bytes. Reading failed then, and not because of the input.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.overflow.spill().failed.take()
    }

    /// Writes these bytes to `out`.
    ///
    /// # Errors
    ///
    /// When `out` fails, or the disk, or the bytes were not kept.
    pub fn copy(&self, reader: &PartReader<'_>, bytes: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
        let in_file = bytes.start..bytes.end.min(reader.window().start);
        let rest = in_file.end.max(bytes.start)..bytes.end;
        if !in_file.is_empty() {
            let from = in_file.start.checked_sub(self.start).ok_or_else(gone)?;
            self.overflow.spill().copy(from, in_file.end - in_file.start, out)?;
        }
        if rest.is_empty() { Ok(()) } else { out.write_all(reader.bytes(rest).ok_or_else(gone)?) }
    }
}

fn gone() -> io::Error {
    io::Error::other("expected a game in memory, found it gone")
}

impl Spill {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile()?),
        };
        file.seek(SeekFrom::Start(self.len))?;
        file.write_all(bytes)?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    fn copy(&mut self, from: u64, len: u64, out: &mut dyn Write) -> io::Result<()> {
        let mut file = self.file.as_ref().ok_or_else(gone)?;
        file.seek(SeekFrom::Start(from))?;
        let copied = io::copy(&mut file.take(len), out)?;
        if copied != len {
            return Err(io::Error::other(format!("expected {len} bytes in a temporary file, found {copied}")));
        }
        Ok(())
    }
}

impl Overflow {
    fn spill(&self) -> MutexGuard<'_, Spill> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Overflow {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let mut spill = self.spill();
        spill.append(buf).map(|()| buf.len()).map_err(|err| {
            spill.failed = Some(err);
            io::Error::other("temporary file")
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sgfstream::{EventReader, Limits, Options};

    use super::*;

    #[test]
    fn long_games_come_back_from_a_file() {
        let long = format!("(;C[{}])", ";B[aa]".repeat(300_000).replace(']', "\\]"));
        let game = format!("(;B[aa]{})", ";W[bb];B[cc]".repeat(100_000));
        let input = [long.as_bytes(), b" \n", game.as_bytes(), b"(;B[dd])", game.as_bytes()].concat();
        let options = Options::default().with_limits(Limits::default().with_game(100_000));
        let mut read = &input[..];
        let mut reader = PartReader::whole(&mut read, options, None);
        let mut kept = KeptBytes::of(&mut reader);
        let mut start = 0;
        let mut games = 0;
        kept.keep_from(&mut reader, Some(0));
        while reader.advance().expect("no error of the disk") {
            let window = reader.window();
            assert!(window.end - window.start < 2 << 20);
            if matches!(reader.event(), sgfstream::Event::VariationEnd(_)) {
                let end = reader.span().end;
                for range in [start..end, start + 1..start + 2, end - 1..end, end..end] {
                    let mut out = Vec::new();
                    kept.copy(&reader, range.clone(), &mut out).expect("kept");
                    assert!(out == input[range.start as usize..range.end as usize]);
                }
                kept.keep_from(&mut reader, Some(end));
                games += 1;
                start = end;
            }
        }
        assert_eq!(games, 4);
        assert!(kept.overflow.spill().file.is_some());
        kept.keep_from(&mut reader, None);
        assert!(kept.copy(&reader, 5..10, &mut Vec::new()).is_err());
    }
}
