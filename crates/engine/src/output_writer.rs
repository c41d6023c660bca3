//! Writes a worker's bytes to its output.

use std::io::{self, Write};

use crate::job::Out;

/// Bytes of an output at which a worker hands it out.
pub const OUTPUT_FULL: usize = 1 << 20;

/// Empties the bytes of an output for [`Job::reuse`](crate::Job::reuse). They keep as much memory
/// as outputs usually need.
pub fn empty_again(bytes: &mut Vec<u8>) {
    bytes.clear();
    bytes.shrink_to(2 * OUTPUT_FULL);
}

/// Writer to the output of a [`Job`](crate::Job). It hands out the output when it has more than
/// [`OUTPUT_FULL`] bytes.
///
/// ```
/// use sgfstream_archive::Input;
/// use sgfstream_engine::{Engine, Out, OutputWriter, each_part};
/// use std::io::Write;
///
/// // The names of the entries, one in a line.
/// let job = each_part(
///     || (),
///     |_| None,
///     |(), part, out: &mut Out<'_, Vec<u8>>| {
///         writeln!(OutputWriter::new(out, |bytes| bytes), "{}", part.name())?;
///         Ok(part.reader().finish()?)
///     },
/// );
///
/// let mut names = Vec::new();
/// Engine::new().run(&[Input::parse("../../corpus/go-ff4.sgf")], &job, |result| {
///     names.extend_from_slice(&result.output);
///     Ok(())
/// })?;
/// assert_eq!(names, b"../../corpus/go-ff4.sgf\n");
/// # Ok::<(), anyhow::Error>(())
/// ```
pub struct OutputWriter<'s, 'o, T> {
    out: &'s mut Out<'o, T>,
    bytes: fn(&mut T) -> &mut Vec<u8>,
}

impl<'s, 'o, T> OutputWriter<'s, 'o, T> {
    /// Returns a writer to the bytes of the output that `bytes` selects.
    pub fn new(out: &'s mut Out<'o, T>, bytes: fn(&mut T) -> &mut Vec<u8>) -> Self {
        Self { out, bytes }
    }

    /// Returns the output, for adding to it in another way.
    pub fn out(&mut self) -> &mut Out<'o, T> {
        self.out
    }
}

impl<T> Write for OutputWriter<'_, '_, T> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = buf.len().min(OUTPUT_FULL);
        let bytes = (self.bytes)(self.out);
        bytes.extend_from_slice(&buf[..len]);
        if bytes.len() > OUTPUT_FULL && !self.out.hand_out() {
            return Err(io::Error::new(io::ErrorKind::BrokenPipe, "cancelled"));
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<T> std::fmt::Debug for OutputWriter<'_, '_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OutputWriter").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_that_is_used_again_is_empty() {
        let mut bytes = vec![b'x'; 5 * OUTPUT_FULL];
        empty_again(&mut bytes);
        assert!(bytes.is_empty() && bytes.capacity() < 5 * OUTPUT_FULL);
    }
}
