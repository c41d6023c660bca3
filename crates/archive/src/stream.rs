//! Reader with lookahead that remembers its failure.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use crate::fault::Fault;

/// Limit of bytes that can be peeked.
pub(crate) const HEAD: usize = 4096;

/// Size of the buffer for a decoder's input, and for the output of a decoder that feeds an archive.
pub(crate) const WINDOW: usize = 128 << 10;

/// Size of the buffer for a member's unpacked bytes; larger reads bypass it.
pub(crate) const MEMBER_WINDOW: usize = 16 << 10;

/// Source that every layer reads from: a buffered reader with lookahead. A failure is final: once
/// `failed` returns one, no more bytes come.
pub(crate) trait Source: BufRead {
    /// Returns at least `want` bytes (at most [`HEAD`]) without consuming them; fewer at the end or
    /// before a failure.
    fn peek(&mut self, want: usize) -> &[u8];

    /// Returns why the source ended early, if it did.
    fn failed(&self) -> Option<&Fault>;

    /// Returns the bytes consumed so far, from the start of the underlying reader.
    fn position(&self) -> u64;
}

/// Skips a frame of zstd or lz4 that has no data of the file. `len` is the length after its head of
/// 8 bytes.
pub(crate) fn skip_frame(source: &mut dyn Source, len: [u8; 4]) -> io::Result<()> {
    let len = 8 + u64::from(u32::from_le_bytes(len));
    match skip(source, len)? {
        skipped if skipped < len => Err(Fault::truncated("the rest of a skippable frame").into()),
        _ => Ok(()),
    }
}

/// Skips `len` bytes, or up to the end; returns how many.
pub(crate) fn skip(source: &mut dyn Source, len: u64) -> io::Result<u64> {
    let mut left = len;
    while left > 0 {
        let found = source.fill_buf()?.len();
        if found == 0 {
            break;
        }
        let step = (found as u64).min(left);
        source.consume(step as usize);
        left -= step;
    }
    Ok(len - left)
}

/// Reads until `out` is full or the source ends; returns the number of bytes.
pub(crate) fn fill(
    source: &mut dyn Source,
    out: &mut [u8],
    expected: &'static str,
) -> Result<usize, Fault> {
    let mut at = 0;
    while at < out.len() {
        match source.read(&mut out[at..]) {
            Ok(0) => break,
            Ok(len) => at += len,
            Err(err) => return Err(Fault::of(&err, expected)),
        }
    }
    Ok(at)
}

/// Buffered reader. Large reads bypass the buffer.
pub(crate) struct Stream<R> {
    inner: R,
    /// Offset in `inner` of the buffer's start.
    base: u64,
    buf: Vec<u8>,
    at: usize,
    end: usize,
    ended: bool,
    failed: Option<Fault>,
}

impl<R: Read> Stream<R> {
    pub(crate) fn new(inner: R, capacity: usize) -> Self {
        Self {
            inner,
            base: 0,
            buf: vec![0; capacity.max(2 * HEAD)],
            at: 0,
            end: 0,
            ended: false,
            failed: None,
        }
    }

    /// Grows the buffer to `capacity` bytes and keeps its contents.
    pub(crate) fn grow(&mut self, capacity: usize) {
        if self.buf.len() < capacity {
            self.buf.resize(capacity, 0);
        }
    }

    fn pull(&mut self, at: usize) {
        if self.ended {
            return;
        }
        match read_some(&mut self.inner, &mut self.buf[at..]) {
            Ok(0) => self.ended = true,
            Ok(len) => self.end = at + len,
            Err(fault) => self.fail(fault),
        }
    }

    fn fail(&mut self, fault: Fault) {
        self.failed = Some(fault);
        self.ended = true;
    }

    /// Returns the failure, once everything before it has been read.
    fn verdict(&self) -> io::Result<()> {
        match &self.failed {
            Some(fault) if self.at == self.end => Err(fault.to_io()),
            _ => Ok(()),
        }
    }
}

impl<R> Stream<R> {
    /// Returns the reader; the bytes in the buffer are lost.
    pub(crate) fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read + Seek> Stream<R> {
    /// Seeks to `offset`, inside the buffer if possible.
    pub(crate) fn seek_to(&mut self, offset: u64) -> Result<(), Fault> {
        let within = offset
            .checked_sub(self.base)
            .filter(|within| *within <= self.end as u64);
        if let (Some(within), None) = (within, &self.failed) {
            self.at = within as usize;
            return Ok(());
        }
        self.inner
            .seek(SeekFrom::Start(offset))
            .map_err(|err| Fault::unreadable(&err))?;
        (self.base, self.at, self.end) = (offset, 0, 0);
        (self.ended, self.failed) = (false, None);
        Ok(())
    }
}

fn read_some(inner: &mut impl Read, out: &mut [u8]) -> Result<usize, Fault> {
    loop {
        match inner.read(out) {
            Ok(len) => return Ok(len),
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            Err(err) => return Err(Fault::of_system(&err)),
        }
    }
}

impl<R: Read> Read for Stream<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        if self.at < self.end {
            let len = out.len().min(self.end - self.at);
            out[..len].copy_from_slice(&self.buf[self.at..self.at + len]);
            self.at += len;
            return Ok(len);
        }
        if out.len() >= self.buf.len() && !self.ended {
            match read_some(&mut self.inner, out) {
                Ok(0) => self.ended = true,
                Ok(len) => {
                    // The empty buffer now begins after these bytes.
                    self.base += (self.end + len) as u64;
                    self.at = 0;
                    self.end = 0;
                    return Ok(len);
                }
                Err(fault) => self.fail(fault),
            }
        }
        let found = self.fill_buf()?;
        let len = found.len().min(out.len());
        out[..len].copy_from_slice(&found[..len]);
        self.consume(len);
        Ok(len)
    }
}

impl<R: Read> BufRead for Stream<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.end {
            self.base += self.end as u64;
            self.at = 0;
            self.end = 0;
            self.pull(0);
        }
        self.verdict()?;
        Ok(&self.buf[self.at..self.end])
    }

    fn consume(&mut self, len: usize) {
        self.at = (self.at + len).min(self.end);
    }
}

impl<R: Read> Source for Stream<R> {
    fn peek(&mut self, want: usize) -> &[u8] {
        while self.end - self.at < want && !self.ended {
            if self.at > 0 {
                self.buf.copy_within(self.at..self.end, 0);
                self.base += self.at as u64;
                self.end -= self.at;
                self.at = 0;
            }
            self.pull(self.end);
        }
        &self.buf[self.at..self.end]
    }

    fn failed(&self) -> Option<&Fault> {
        self.failed.as_ref()
    }

    fn position(&self) -> u64 {
        self.base + self.at as u64
    }
}

/// The next `left` bytes of a source: a member of an archive. If the source ends before them, the
/// member is truncated.
pub(crate) struct Part<'a> {
    inner: &'a mut dyn Source,
    left: u64,
    failed: Option<Fault>,
}

impl<'a> Part<'a> {
    pub(crate) fn new(inner: &'a mut dyn Source, len: u64) -> Self {
        Self {
            inner,
            left: len,
            failed: None,
        }
    }

    fn keep(&mut self, result: io::Result<usize>) -> io::Result<usize> {
        let fault = match result {
            Ok(0) => Fault::truncated(format_args!("{} more bytes of the member", self.left)),
            Ok(len) => return Ok(len),
            Err(err) => Fault::of(&err, "the bytes of a member"),
        };
        self.failed = Some(fault.clone());
        Err(fault.into())
    }
}

impl Read for Part<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let Some(fault) = &self.failed {
            return Err(fault.to_io());
        }
        let len = (out.len() as u64).min(self.left) as usize;
        if len == 0 {
            return Ok(0);
        }
        let result = self.inner.read(&mut out[..len]);
        let len = self.keep(result)?;
        self.left -= len as u64;
        Ok(len)
    }
}

impl BufRead for Part<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Some(fault) = &self.failed {
            return Err(fault.to_io());
        }
        if self.left == 0 {
            return Ok(&[]);
        }
        let result = self.inner.fill_buf().map(<[u8]>::len);
        self.keep(result)?;
        // The buffer is filled, so this does not read.
        let found = self.inner.fill_buf()?;
        Ok(&found[..(found.len() as u64).min(self.left) as usize])
    }

    fn consume(&mut self, len: usize) {
        let len = (len as u64).min(self.left);
        self.left -= len;
        self.inner.consume(len as usize);
    }
}

impl Source for Part<'_> {
    fn peek(&mut self, want: usize) -> &[u8] {
        let want = (want as u64).min(self.left) as usize;
        let found = self.inner.peek(want);
        &found[..(found.len() as u64).min(self.left) as usize]
    }

    fn failed(&self) -> Option<&Fault> {
        self.failed.as_ref()
    }

    fn position(&self) -> u64 {
        self.inner.position()
    }
}
