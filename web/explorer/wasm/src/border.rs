//! The functions that JavaScript calls. Arguments and results are numbers. Bytes go in by the buffer that [`reserve`] makes,
//! and those of an answer are found by the address and the length in the table of [`head`].

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::archive::{Archive, Kind};
use crate::host::{HEAD, INPUT};
use crate::volume::Volume;

thread_local! {
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ARCHIVE: RefCell<Archive> = const { RefCell::new(Archive::None) };
}

/// Keeps an answer until the next one; the result is its kind.
fn keep((kind, bytes): (Kind, Vec<u8>)) -> u32 {
    ANSWER.with_borrow_mut(|kept| {
        *kept = bytes;
        HEAD[0].store(kept.as_ptr() as usize as u32, Relaxed);
        HEAD[1].store(kept.len() as u32, Relaxed);
    });
    kind as u32
}

/// The address of the table, which never changes.
#[unsafe(no_mangle)]
pub extern "C" fn head() -> *const AtomicU32 {
    HEAD.as_ptr()
}

/// The address of so many bytes, to be written before the next call.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; len];
        input.as_mut_ptr()
    })
}

/// Opens a file, whose name is the buffer, and reads the games in it. Its bytes are those of volumes, from 0 on, that the page gives;
/// their lengths come before the name, eight bytes each.
#[unsafe(no_mangle)]
pub extern "C" fn open(volumes: usize, is_named: bool) -> u32 {
    let input = INPUT.take();
    let (lens, name) = input.split_at(input.len().min(volumes * 8));
    let (lens, _) = lens.as_chunks();
    let volumes = (0..).zip(lens).map(|(number, &len)| (Volume::new(number), u64::from_le_bytes(len))).collect();
    ARCHIVE.with_borrow_mut(|archive| keep(archive.open(name, volumes, is_named)))
}

/// Ends the reading. The buffer is the names of the inputs, with a zero after each.
#[unsafe(no_mangle)]
pub extern "C" fn finish() -> u32 {
    ARCHIVE.with_borrow_mut(|archive| keep(archive.finish(&INPUT.take())))
}

/// Answers a question: the buffer begins with its name, of so many bytes, and the rest is an object of JSON.
#[unsafe(no_mangle)]
pub extern "C" fn ask(name: usize) -> u32 {
    let input = INPUT.take();
    let (name, asked) = input.split_at(name.min(input.len()));
    ARCHIVE.with_borrow_mut(|archive| keep(archive.ask(name, asked)))
}

/// The next games of the export that was asked for last.
#[unsafe(no_mangle)]
pub extern "C" fn part() -> u32 {
    ARCHIVE.with_borrow_mut(|archive| keep(archive.part()))
}
