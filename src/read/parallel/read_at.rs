//! Reads bytes at any offset of an input, on several threads at once.

use std::fs::File;
use std::io;

/// Input that several threads can read at any offset.
///
/// ```
/// use sgfstream::internal::ReadAt;
///
/// let mut buf = [0; 4];
/// assert_eq!(b"(;B[aa])"[..].read_at(6, &mut buf)?, 2);
/// assert_eq!(&buf[..2], b"])");
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait ReadAt: Sync {
    /// Reads up to `buf.len()` bytes at `offset`. Returns 0 only at the end of the input.
    ///
    /// # Errors
    ///
    /// Reading fails.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize>;

    /// Fills `buf` with the bytes from `offset` on, as far as the input has them. Returns the
    /// number of bytes.
    ///
    /// ```
    /// use sgfstream::internal::ReadAt;
    ///
    /// let mut buf = [0; 4];
    /// assert_eq!(b"(;B[aa])".read_full(5, &mut buf)?, 3);
    /// assert_eq!(&buf[..3], b"a])");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Reading fails.
    fn read_full(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let mut len = 0;
        while len < buf.len() {
            match self.read_at(offset + len as u64, &mut buf[len..])? {
                0 => break,
                count => len += count,
            }
        }
        Ok(len)
    }
}

impl ReadAt for [u8] {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let from = usize::try_from(offset)
            .unwrap_or(usize::MAX)
            .min(self.len());
        let len = buf.len().min(self.len() - from);
        buf[..len].copy_from_slice(&self[from..from + len]);
        Ok(len)
    }
}

impl<const N: usize> ReadAt for [u8; N] {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self[..].read_at(offset, buf)
    }
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self[..].read_at(offset, buf)
    }
}

/// Returns `Unsupported` on systems without positioned reads.
impl ReadAt for File {
    #[cfg(unix)]
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        retry(|| std::os::unix::fs::FileExt::read_at(self, buf, offset))
    }

    #[cfg(windows)]
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        retry(|| std::os::windows::fs::FileExt::seek_read(self, buf, offset))
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        _ = (offset, buf);
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl<T: ReadAt + ?Sized> ReadAt for &T {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buf)
    }
}

impl<T: ReadAt + Send + ?Sized> ReadAt for std::sync::Arc<T> {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buf)
    }
}

#[cfg(any(unix, windows))]
fn retry(mut read: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match read() {
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source that returns at most three bytes at a time.
    struct ShortReads(&'static [u8]);

    impl ReadAt for ShortReads {
        fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
            let rest = &self.0[(offset as usize).min(self.0.len())..];
            let len = rest.len().min(buf.len()).min(3);
            buf[..len].copy_from_slice(&rest[..len]);
            Ok(len)
        }
    }

    #[test]
    fn a_source_may_give_less_than_is_asked_for() {
        let source = ShortReads(b"0123456789ab");
        let mut buf = [b'.'; 8];
        assert_eq!(
            source.read_full(1, &mut buf).expect("memory can be read"),
            8
        );
        assert_eq!(&buf, b"12345678");
        assert_eq!(
            source.read_full(8, &mut buf).expect("memory can be read"),
            4
        );
        assert_eq!(&buf, b"89ab5678");
    }
}
