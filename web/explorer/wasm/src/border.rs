//! The functions that JavaScript calls. Arguments and results are numbers. JavaScript writes bytes
//! into the buffer that [`reserve`] returns, and finds an answer by the address and length in the
//! table of [`head`].

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::archive::{Archive, Kind};
use crate::host::{HEAD, INPUT};
use crate::volume::Volume;

thread_local! {
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ARCHIVE: RefCell<Archive> = const { RefCell::new(Archive::None) };
}

/// Keeps an answer until the next one, and returns its kind.
fn keep((kind, bytes): (Kind, Vec<u8>)) -> u32 {
    ANSWER.with_borrow_mut(|kept| {
        *kept = bytes;
        HEAD[0].store(kept.as_ptr() as usize as u32, Relaxed);
        HEAD[1].store(kept.len() as u32, Relaxed);
    });
    kind as u32
}

/// Returns the address of the table, which never changes.
#[unsafe(no_mangle)]
pub extern "C" fn head() -> *const AtomicU32 {
    HEAD.as_ptr()
}

/// Returns the address of `len` bytes, which JavaScript writes before the next call.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; len];
        input.as_mut_ptr()
    })
}

/// Opens a file and reads its games. The buffer contains the length of each volume, in eight bytes,
/// and then the name of the file. The page supplies the bytes of the volumes, which count from 0.
#[unsafe(no_mangle)]
pub extern "C" fn open(volumes: usize, is_named: bool) -> u32 {
    let input = INPUT.take();
    let (lens, name) = input.split_at(input.len().min(volumes * 8));
    let (lens, _) = lens.as_chunks();
    let volumes = (0..)
        .zip(lens)
        .map(|(number, &len)| (Volume::new(number), u64::from_le_bytes(len)))
        .collect();
    ARCHIVE.with_borrow_mut(|archive| keep(archive.open(name, volumes, is_named)))
}

/// Makes this module pass its games to JavaScript in batches instead of indexing them.
#[unsafe(no_mangle)]
pub extern "C" fn split() {
    ARCHIVE.with_borrow_mut(Archive::split);
}

/// Indexes a batch of games that another module has read. The buffer contains the batch.
#[unsafe(no_mangle)]
pub extern "C" fn append() -> u32 {
    ARCHIVE.with_borrow_mut(|archive| keep(archive.append(&INPUT.take())))
}

/// Ends the reading. The buffer contains the names of the inputs, each followed by a zero.
/// `is_partial` says that another module could not read an input.
#[unsafe(no_mangle)]
pub extern "C" fn finish(is_partial: bool) -> u32 {
    ARCHIVE.with_borrow_mut(|archive| keep(archive.finish(&INPUT.take(), is_partial)))
}

/// Answers a question. The buffer contains its name, of `name` bytes, and then a JSON object.
#[unsafe(no_mangle)]
pub extern "C" fn ask(name: usize) -> u32 {
    let input = INPUT.take();
    let (name, asked) = input.split_at(name.min(input.len()));
    ARCHIVE.with_borrow_mut(|archive| keep(archive.ask(name, asked)))
}

/// Returns the next games of the last export.
#[unsafe(no_mangle)]
pub extern "C" fn part() -> u32 {
    ARCHIVE.with_borrow_mut(|archive| keep(archive.part()))
}
