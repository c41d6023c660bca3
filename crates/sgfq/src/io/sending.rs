//! Bytes that a worker writes for its unit.

use std::io::{self, Write};

use sgfstream_engine::Out;

/// Bytes that a worker holds before it hands them out.
pub(crate) const FULL: usize = 1 << 20;

/// Writes to the output of a unit, which is handed out when it is full.
pub(crate) struct Sending<'s, 'o, T> {
    out: &'s mut Out<'o, T>,
    bytes: fn(&mut T) -> &mut Vec<u8>,
}

impl<'s, 'o, T> Sending<'s, 'o, T> {
    /// Writes to what `bytes` gives of the output.
    pub(crate) fn new(out: &'s mut Out<'o, T>, bytes: fn(&mut T) -> &mut Vec<u8>) -> Self {
        Self { out, bytes }
    }
}

impl<T> Write for Sending<'_, '_, T> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = buf.len().min(FULL);
        let bytes = (self.bytes)(self.out);
        bytes.extend_from_slice(&buf[..len]);
        if bytes.len() > FULL && !self.out.hand_out() {
            return Err(io::Error::new(io::ErrorKind::BrokenPipe, "cancelled"));
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
