//! Checks a 7z header before it is parsed: the unpacked size of its list of members, and whether it is encrypted.

use std::io::{Read, Seek, SeekFrom};

use crate::caps::Caps;
use crate::disk::Disk;
use crate::fault::Fault;
use crate::problem::ArchiveErrorKind;

// Property ids of 7zFormat.txt.
const HEADER: u64 = 0x01;
const PACK_INFO: u64 = 0x06;
const UNPACK_INFO: u64 = 0x07;
const FOLDER: u64 = 0x0b;
const UNPACK_SIZES: u64 = 0x0c;
const ENCODED_HEADER: u64 = 0x17;

const LZMA: &[u8] = &[3, 1, 1];
const LZMA2: &[u8] = &[0x21];
const PPMD: &[u8] = &[3, 4, 1];
const AES: &[u8] = &[6, 0xf1, 7, 1];

pub(crate) fn encrypted() -> Fault {
    Fault::new(ArchiveErrorKind::Encrypted, "encrypted archives are not supported")
}

/// Rejects an archive whose list of members exceeds the cap.
pub(crate) fn check(disk: &mut Disk, caps: &Caps) -> Result<(), Fault> {
    // Signature 6, version 2, checksum 4; then for the header: offset 8, size 8, checksum 4.
    let start = read_at(disk, 0, 32)?;
    let word = |at: usize| start[at..at + 8].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
    let (offset, size) = (word(12), word(20));
    if size == 0 {
        return match offset {
            // Without a header, the archive is empty or was never finished.
            0 if disk.len() <= 32 => Ok(()),
            _ => Err(Fault::truncated("the header of a 7z archive")),
        };
    }
    let at = offset.checked_add(32).filter(|at| at.checked_add(size).is_some_and(|end| end <= disk.len()));
    let at = at.ok_or_else(|| Fault::truncated("the header of a 7z archive"))?;
    let large = |size: u64| {
        let message = format!("the list of members has {size} bytes, and may have {} (cap `header`)", caps.header);
        Fault::new(ArchiveErrorKind::Cap, message)
    };
    if size > caps.header {
        return Err(large(size));
    }
    let header = read_at(disk, at, size)?;
    let mut cursor = Cursor { bytes: &header };
    match cursor.number() {
        Some(HEADER) => Ok(()),
        Some(ENCODED_HEADER) => {
            let unpacked = cursor.encoded(caps)?.ok_or_else(|| Fault::damaged("a 7z header", "other bytes"))?;
            if unpacked > caps.header { Err(large(unpacked)) } else { Ok(()) }
        }
        _ => Err(Fault::damaged("a 7z header", "other bytes")),
    }
}

/// Rejects a method that needs a password, or more memory than the cap.
pub(crate) fn check_coder(method: &[u8], properties: &[u8], caps: &Caps) -> Result<(), Fault> {
    let word =
        || properties.get(1..5).map(|bytes| bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)));
    let memory = match method {
        AES => return Err(encrypted()),
        LZMA | PPMD => word().unwrap_or(0),
        // The size is 2 or 3, shifted.
        LZMA2 => properties.first().map_or(0, |&byte| (2 | u64::from(byte) & 1) << (byte.min(40) / 2 + 11)),
        _ => 0,
    };
    if memory > caps.memory {
        return Err(Fault::too_large(caps.memory));
    }
    Ok(())
}

fn read_at(disk: &mut Disk, at: u64, len: u64) -> Result<Vec<u8>, Fault> {
    let fault = |err: std::io::Error| Fault::of(&err, "the header of a 7z archive");
    disk.seek(SeekFrom::Start(at)).map_err(fault)?;
    let mut bytes = vec![0; len as usize];
    disk.read_exact(&mut bytes).map_err(fault)?;
    Ok(bytes)
}

struct Cursor<'a> {
    bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn take(&mut self, len: u64) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(usize::try_from(len).ok()?)?;
        self.bytes = rest;
        Some(taken)
    }

    /// Parses a number. The leading ones of its first byte are the number of bytes that follow; its other bits are the
    /// highest of the number.
    fn number(&mut self) -> Option<u64> {
        let first = self.take(1)?[0];
        let more = first.leading_ones();
        let low = self.take(more.into())?.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        let high = u64::from(first) & (0x7f >> more.min(7));
        Some(if more < 8 { low | high << (8 * more) } else { low })
    }

    /// Returns the largest unpacked size of an encoded header's streams; `None` if this is not such a header.
    fn encoded(&mut self, caps: &Caps) -> Result<Option<u64>, Fault> {
        let mut properties = Vec::new();
        let size = self.sizes(&mut properties);
        for (method, properties) in properties {
            check_coder(method, properties, caps)?;
        }
        Ok(size)
    }

    fn sizes(&mut self, coders: &mut Vec<(&'a [u8], &'a [u8])>) -> Option<u64> {
        let mut id = self.number()?;
        if id == PACK_INFO {
            let (_position, streams) = (self.number()?, self.number()?);
            loop {
                id = self.number()?;
                match id {
                    0 => break,
                    9 => (0..streams).try_for_each(|_| self.number().map(drop))?,
                    // Checksums: which of them exist, and their values.
                    _ => self.digests(streams)?,
                }
            }
            id = self.number()?;
        }
        if id != UNPACK_INFO || self.number()? != FOLDER {
            return None;
        }
        let (folders, external) = (self.number()?, self.number()?);
        if external != 0 {
            return None;
        }
        let mut outputs = 0u64;
        for _ in 0..folders {
            outputs = outputs.checked_add(self.folder(coders)?)?;
        }
        if self.number()? != UNPACK_SIZES {
            return None;
        }
        let mut largest = 0;
        for _ in 0..outputs {
            largest = largest.max(self.number()?);
        }
        Some(largest)
    }

    fn digests(&mut self, streams: u64) -> Option<()> {
        let all = self.number()? != 0;
        let defined = match all {
            true => streams,
            false => self.take(streams.div_ceil(8))?.iter().map(|byte| u64::from(byte.count_ones())).sum(),
        };
        self.take(defined.checked_mul(4)?).map(drop)
    }

    /// Parses a chain of coders; returns the number of its outputs.
    fn folder(&mut self, coders: &mut Vec<(&'a [u8], &'a [u8])>) -> Option<u64> {
        let (mut inputs, mut outputs) = (0u64, 0u64);
        for _ in 0..self.number()? {
            let flags = self.take(1)?[0];
            let method = self.take(u64::from(flags & 0x0f))?;
            let (ins, outs) = if flags & 0x10 != 0 { (self.number()?, self.number()?) } else { (1, 1) };
            inputs = inputs.checked_add(ins)?;
            outputs = outputs.checked_add(outs)?;
            let mut properties: &[u8] = &[];
            if flags & 0x20 != 0 {
                let len = self.number()?;
                properties = self.take(len)?;
            }
            coders.push((method, properties));
        }
        let pairs = outputs.checked_sub(1)?;
        for _ in 0..pairs {
            let (_input, _output) = (self.number()?, self.number()?);
        }
        let packed = inputs.checked_sub(pairs)?;
        if packed > 1 {
            (0..packed).try_for_each(|_| self.number().map(drop))?;
        }
        Some(outputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (bytes, value) in [
            (&[0x7f][..], 0x7f),
            (&[0x80, 0xff], 0xff),
            (&[0x81, 0x00], 0x100),
            (&[0xc1, 0x34, 0x12], 0x11234),
            (&[0xff, 1, 0, 0, 0, 0, 0, 0, 0x80], 0x8000_0000_0000_0001),
            (&[0xfe, 1, 0, 0, 0, 0, 0, 2], 0x02_0000_0000_0001),
        ] {
            assert_eq!(Cursor { bytes }.number(), Some(value), "{bytes:02x?}");
        }
        assert_eq!(Cursor { bytes: &[0xc0, 1] }.number(), None);
    }
}
