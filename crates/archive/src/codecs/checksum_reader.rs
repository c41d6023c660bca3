//! Compares unpacked bytes with the size and checksum that an archive states.

use std::io::{self, Read};

use crate::fault::Fault;

/// Reader that compares its bytes with a stated size and checksum.
pub(crate) struct ChecksumReader<R> {
    inner: R,
    crc: flate2::Crc,
    count: u64,
    stated: Option<(Option<u32>, u64)>,
}

impl<R: Read> ChecksumReader<R> {
    /// Returns a reader. `stated` are the checksum and size, if they are known beforehand.
    pub(crate) fn new(inner: R, stated: Option<(Option<u32>, u64)>) -> Self {
        Self {
            inner,
            crc: flate2::Crc::new(),
            count: 0,
            stated,
        }
    }

    /// Returns the checksum and size of the bytes so far.
    pub(crate) fn seen(&self) -> (u32, u64) {
        (self.crc.sum(), self.count)
    }
}

impl<R: Read> Read for ChecksumReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = match self.stated {
            // Reading one byte more than stated is enough to find surplus bytes.
            Some((_, size)) => {
                (out.len() as u64).min((size - self.count.min(size)).max(1)) as usize
            }
            None => out.len(),
        };
        let len = self.inner.read(&mut out[..len])?;
        self.count += len as u64;
        self.crc.update(&out[..len]);
        if let Some((crc, size)) = self.stated {
            if self.count > size {
                return Err(Fault::damaged(
                    format_args!("a member of {size} bytes"),
                    "a longer one",
                )
                .into());
            }
            if len == 0 && !out.is_empty() {
                if self.count < size {
                    return Err(Fault::truncated(format_args!(
                        "{} more bytes of the member",
                        size - self.count
                    ))
                    .into());
                }
                if let Some(crc) = crc.filter(|crc| *crc != self.crc.sum()) {
                    return Err(Fault::damaged(
                        format_args!("checksum {crc:08x}"),
                        format_args!("{:08x}", self.crc.sum()),
                    )
                    .into());
                }
            }
        }
        Ok(len)
    }
}
