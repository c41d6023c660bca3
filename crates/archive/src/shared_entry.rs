//! An entry that is kept for several references, in a temporary file or where it is.

use std::any::Any;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// An entry that several references name. It can be read at any place, and by several threads.
#[derive(Debug)]
pub struct SharedEntry {
    /// The temporary file, or the file itself.
    file: Arc<Mutex<File>>,
    start: u64,
    len: u64,
    /// How reading it ended.
    failed: Option<(io::ErrorKind, String)>,
    games: Vec<u64>,
    notes: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl SharedEntry {
    pub(crate) fn new(
        file: Arc<Mutex<File>>,
        start: u64,
        len: u64,
        failed: Option<(io::ErrorKind, String)>,
        games: Vec<u64>,
    ) -> Self {
        Self { file, start, len, failed, games, notes: OnceLock::new() }
    }

    /// Bytes in it.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The games that are asked for, in order, each once.
    #[must_use]
    pub fn games(&self) -> &[u64] {
        &self.games
    }

    /// Notes that a reader has made of the entry, or makes now, for those that read it after.
    pub fn notes<T: Any + Send + Sync>(&self, note: impl FnOnce() -> T) -> Option<&T> {
        self.notes.get_or_init(|| Box::new(note())).downcast_ref()
    }

    /// Reads the bytes from `offset` on; 0 at the end of the entry.
    ///
    /// # Errors
    ///
    /// When reading fails, or at the end of an entry that could not be unpacked to its end.
    pub fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let left = self.len.saturating_sub(offset);
        let len = usize::try_from(left).unwrap_or(usize::MAX).min(buf.len());
        if len == 0 && !buf.is_empty() {
            return match &self.failed {
                Some((kind, text)) => Err(io::Error::new(*kind, text.clone())),
                None => Ok(0),
            };
        }
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.start + offset))?;
        file.read(&mut buf[..len])
    }
}

/// An entry from its start.
pub(crate) struct FromStart<'e>(&'e SharedEntry, u64);

impl<'e> FromStart<'e> {
    pub(crate) fn new(entry: &'e SharedEntry) -> Self {
        Self(entry, 0)
    }
}

impl Read for FromStart<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.0.read_at(self.1, buf)?;
        self.1 += len as u64;
        Ok(len)
    }
}
