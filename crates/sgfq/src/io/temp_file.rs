//! Unnamed temporary file, which the system removes when the process ends.

use std::fs::File;
use std::io::{self, Write};

use sgfstream_explore::{ScratchStore, Store};

use crate::report::exit::named;

/// Scratch space in a temporary file.
#[derive(Debug)]
pub(crate) struct TempFile(File);

/// Sorter that writes to a temporary file.
pub(crate) type Sorter<T> = sgfstream_explore::Sorter<T, TempFile>;

/// Records that such a sorter has sorted.
pub(crate) type Sorted<T> = sgfstream_explore::Sorted<T, TempFile>;

/// Names the temporary file in an error.
pub(crate) fn of_temporary<T>(result: io::Result<T>) -> io::Result<T> {
    result.map_err(|err| named("temporary file", &err))
}

impl ScratchStore for TempFile {
    fn create() -> io::Result<Self> {
        Ok(Self(of_temporary(tempfile::tempfile())?))
    }
}

impl Store for TempFile {
    fn size(&self) -> io::Result<u64> {
        of_temporary(self.0.size())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        of_temporary(self.0.read_at(offset, buffer))
    }
}

impl Write for TempFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        of_temporary(self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
