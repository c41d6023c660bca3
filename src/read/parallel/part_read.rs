//! Source of the bytes of a part.

use std::io::{self, Read};

use super::read_at::ReadAt;

/// Reader of the bytes of a part, from its start.
pub struct PartRead<'a>(pub(super) Origin<'a>);

pub(super) enum Origin<'a> {
    /// The input from the start of a part on. From `free` on, the reader waits until `turn`
    /// returns: then other workers have read all bytes before the part. So a part that begins at a
    /// wrong border costs one block at most.
    Blocks {
        input: &'a dyn ReadAt,
        at: u64,
        free: u64,
        turn: &'a dyn Fn() -> bool,
    },
    Stream(&'a mut dyn Read),
}

impl PartRead<'_> {
    /// Returns the whole input instead of the part, for `PartReader::from_game`. A stream stays as
    /// it is.
    #[must_use]
    pub fn from_start(mut self) -> Self {
        if let Origin::Blocks { at, .. } = &mut self.0 {
            *at = 0;
        }
        self
    }

    /// Returns up to `len` bytes before the part. The first line of the part may begin there.
    ///
    /// # Errors
    ///
    /// The bytes cannot be read.
    pub fn before(&self, len: usize) -> io::Result<Vec<u8>> {
        let Origin::Blocks { input, at, .. } = &self.0 else {
            return Ok(Vec::new());
        };
        let mut bytes = vec![0; usize::try_from(*at).unwrap_or(len).min(len)];
        let read = input.read_full(at - bytes.len() as u64, &mut bytes)?;
        bytes.truncate(read);
        Ok(bytes)
    }
}

impl Read for PartRead<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Origin::Stream(read) => read.read(buf),
            Origin::Blocks {
                input,
                at,
                free,
                turn,
            } => {
                if *at >= *free {
                    if !turn() {
                        // The part was read already, or the run was cancelled.
                        return Ok(0);
                    }
                    *free = u64::MAX;
                }
                let count = input.read_at(*at, buf)?;
                *at += count as u64;
                Ok(count)
            }
        }
    }
}

impl std::fmt::Debug for PartRead<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartRead").finish_non_exhaustive()
    }
}
