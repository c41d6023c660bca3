//! Sparse members of tar archives: pieces that are stored, and holes between
//! them that read as NUL bytes.

use std::collections::VecDeque;
use std::io::{self, Read};

use crate::fault::Fault;
use crate::stream::{Source, skip};
use crate::tar_header::BLOCK;

/// Limit on the memory of a map; far more pieces than files have.
const MOST_PIECES: usize = 1 << 16;

/// Which pieces of a file are stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseMap {
    /// Offset and length, in order.
    pieces: VecDeque<(u64, u64)>,
    /// Length of the file with its holes.
    pub(crate) size: u64,
    /// The map comes before the stored bytes (pax format 1.0).
    pub(crate) is_before_data: bool,
}

impl SparseMap {
    pub(crate) fn push(&mut self, offset: u64, len: u64) -> Result<(), Fault> {
        if self.pieces.len() == MOST_PIECES {
            return Err(Fault::damaged(format!("a sparse file of at most {MOST_PIECES} pieces"), "more"));
        }
        self.pieces.push_back((offset, len));
        Ok(())
    }

    /// Reads the map that comes before the bytes: decimal numbers, one a
    /// line, the count of pieces first, filled up to a block.
    pub(crate) fn read_front(&mut self, source: &mut dyn Source) -> Result<(), Fault> {
        let mut read = 0;
        let count = line(source, &mut read)?;
        for _ in 0..count {
            let (offset, len) = (line(source, &mut read)?, line(source, &mut read)?);
            self.push(offset, len)?;
        }
        let fill = read.next_multiple_of(BLOCK as u64) - read;
        skip(source, fill).map(drop).map_err(|err| Fault::of(&err, "the map of a sparse file"))
    }
}

fn line(source: &mut dyn Source, read: &mut u64) -> Result<u64, Fault> {
    let mut value = 0u64;
    loop {
        let mut byte = [0];
        source.read_exact(&mut byte).map_err(|err| Fault::of(&err, "the map of a sparse file"))?;
        *read += 1;
        value = match byte[0] {
            b'\n' => return Ok(value),
            digit @ b'0'..=b'9' => value.checked_mul(10).and_then(|value| value.checked_add((digit - b'0').into())),
            _ => None,
        }
        .ok_or_else(|| Fault::damaged("a number in the map of a sparse file", "other bytes"))?;
    }
}

/// The file with its holes, from its stored bytes.
pub(crate) struct Holes<'a> {
    stored: &'a mut dyn Source,
    map: SparseMap,
    at: u64,
    /// Stored bytes of the piece at hand that are still to come.
    left: u64,
}

impl<'a> Holes<'a> {
    pub(crate) fn new(stored: &'a mut dyn Source, map: SparseMap) -> Self {
        Self { stored, map, at: 0, left: 0 }
    }
}

impl Read for Holes<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.left > 0 {
                let len = (out.len() as u64).min(self.left) as usize;
                let len = self.stored.read(&mut out[..len])?;
                if len == 0 && !out.is_empty() {
                    return Err(Fault::truncated(format!("{} more bytes of a sparse file", self.left)).into());
                }
                self.left -= len as u64;
                self.at += len as u64;
                return Ok(len);
            }
            let next = self.map.pieces.front().map_or(self.map.size, |piece| piece.0);
            if next > self.at {
                let len = (out.len() as u64).min(next - self.at) as usize;
                out[..len].fill(0);
                self.at += len as u64;
                return Ok(len);
            }
            match self.map.pieces.pop_front() {
                None => return Ok(0),
                Some((offset, len)) if offset == self.at => self.left = len,
                Some(_) => return Err(Fault::damaged("pieces of a sparse file in order", "others").into()),
            }
        }
    }
}
