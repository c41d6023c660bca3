//! Reading only while somebody wants more.

use std::io::{self, Read};

/// A reader that ends when nobody wants more.
pub struct Wanted<R, F> {
    pub inner: R,
    pub is_wanted: F,
}

impl<R: Read, F: Fn() -> bool> Read for Wanted<R, F> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if (self.is_wanted)() { self.inner.read(buf) } else { Ok(0) }
    }
}
