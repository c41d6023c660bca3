//! The memory that the page and the module share, and the one function that the page has for the module.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Address and length of the last answer, and the number of games so far, which the page shows while they are read.
pub(crate) static HEAD: [AtomicU32; 3] = [const { AtomicU32::new(0) }; 3];

thread_local! {
    /// Bytes from the page.
    pub(crate) static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Reads `len` bytes of a volume of the file that is open. JavaScript writes them into the buffer that it reserves, and
    /// returns how many there were: fewer at the end, or `u32::MAX` if they cannot be read.
    safe fn read(volume: u32, at: f64, len: u32) -> u32;
}

/// Returns bytes of a volume; none if they cannot be read.
pub(crate) fn bytes_of(volume: u32, at: u64, len: u32) -> Option<Vec<u8>> {
    let found = read(volume, at as f64, len);
    let bytes = INPUT.take();
    (found != u32::MAX && bytes.len() == found as usize).then_some(bytes)
}

/// Shows how many games were read so far.
pub(crate) fn show_games(games: u32) {
    HEAD[2].store(games, Relaxed);
}
