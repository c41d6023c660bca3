//! Anything as an archive: it ends, within its caps, with entries and
//! problems, and never with a panic.
#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use sgfstream::Reader;
use sgfstream_archive::{Caps, EntryName, Flow, Item, Options, visit_reader};

const MOST: u64 = 1 << 20;

fuzz_target!(|data: &[u8]| {
    let options = Options {
        caps: Caps {
            ratio: 100,
            bytes: MOST,
            entries: 1000,
            memory: 64 << 20,
            header: 1 << 16,
            spool: 1 << 20,
            ..Caps::default()
        },
        ..Options::default()
    };
    let mut given = 0;
    let mut at = data;
    visit_reader(&EntryName::file("fuzzed"), &mut at, &options, &mut |item| {
        if let Item::Entry(entry) = item {
            assert!(!entry.name.to_string().is_empty());
            let mut reader = Reader::new(entry.read.take(MOST));
            while let Ok(Some(_)) = reader.next() {
                given += 1;
            }
        }
        Flow::Go
    });
    assert!(given < 100 * MOST);
});
