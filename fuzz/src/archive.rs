//! Any bytes as an archive: the visit ends within the caps, with entries and
//! problems, and never panics.
use std::io::Read;
use std::ops::ControlFlow;

use sgfstream::{EventReader, Reader};
use sgfstream_archive::{Caps, EntryName, ReadOptions, visit_reader};

use super::{Choice, Property};

const MOST: u64 = 1 << 20;

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "archive",
    ways: 2,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    let mut caps = Caps::default();
    caps.ratio = 100;
    caps.bytes = choice.one_of(&[MOST, 1 << 12]);
    caps.entries = 1000;
    caps.memory = 64 << 20;
    caps.header = 1 << 16;
    caps.spool = 1 << 20;
    let options = ReadOptions::new(caps);
    let mut given = 0;
    let mut at = data;
    visit_reader(&EntryName::file("fuzzed"), &mut at, &options, |item| {
        if let Ok(entry) = item {
            assert!(!entry.name.to_string().is_empty());
            let mut reader = Reader::new(entry.read.take(MOST));
            while let Ok(Some(_)) = reader.next_event() {
                given += 1;
            }
        }
        ControlFlow::Continue(())
    });
    assert!(given < 100 * MOST);
}
