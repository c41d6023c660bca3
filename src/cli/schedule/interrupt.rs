//! Ctrl-C.

use std::io::{self, Read};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static PRESSED: AtomicBool = AtomicBool::new(false);

/// The wish of the person at the keyboard to stop. The first Ctrl-C is a wish,
/// which commands fulfil by stopping where they can; the second ends the
/// process on the spot.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Interrupt;

impl Interrupt {
    /// Listens from now on.
    pub(in crate::cli) fn listen() -> Self {
        static ONCE: OnceLock<()> = OnceLock::new();
        ONCE.get_or_init(|| {
            // Where there is nothing to listen to, Ctrl-C does what it does.
            _ = ctrlc::set_handler(|| {
                if PRESSED.swap(true, Relaxed) {
                    std::process::exit(130);
                }
            });
        });
        Self
    }

    pub(in crate::cli) fn is_pressed(self) -> bool {
        PRESSED.load(Relaxed)
    }
}

/// A reader that ends when nobody wants more.
pub(super) struct Wanted<R, F> {
    pub(super) inner: R,
    pub(super) is_wanted: F,
}

impl<R: Read, F: Fn() -> bool> Read for Wanted<R, F> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if (self.is_wanted)() { self.inner.read(buf) } else { Ok(0) }
    }
}
