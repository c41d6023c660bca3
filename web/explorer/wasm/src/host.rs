//! The memory that the page and the module share, and the function that the module imports from the
//! page.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Address and length of the last answer, and the number of games read so far, which the page
/// shows.
pub(crate) static HEAD: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

thread_local! {
    /// Bytes from the page.
    pub(crate) static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Reads `len` bytes of a volume of the open file. JavaScript reserves a buffer, writes the
    /// bytes into it, and returns their number. The number is smaller at the end, and `u32::MAX` if
    /// JavaScript cannot read the file.
    safe fn read(volume: u32, at: f64, len: u32) -> u32;

    /// Takes a batch of games: `len` bytes at `at`.
    safe fn send(at: u32, len: u32);
}

/// Passes a batch of games to JavaScript.
pub(crate) fn send_batch(batch: &[u8]) {
    send(batch.as_ptr() as usize as u32, batch.len() as u32);
}

/// Returns bytes of a volume, or `None` if the page cannot read them.
pub(crate) fn bytes_of(volume: u32, at: u64, len: u32) -> Option<Vec<u8>> {
    let found = read(volume, at as f64, len);
    let bytes = INPUT.take();
    (found != u32::MAX && bytes.len() == found as usize).then_some(bytes)
}

/// Publishes the number of games read so far.
pub(crate) fn show_games(games: u32) {
    HEAD[2].store(games, Relaxed);
}
