//! The timed functions. Each does one thing to bytes, as a user of the library
//! would write it, and returns a result that the caller can check.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::task::Poll;

use bytes::Bytes;
use sgfstream::{Event, EventReader, Options, PushReader, Reader, SliceReader};

/// Counts of events. It counts no more kinds: an event takes two nanoseconds,
/// and a match on all kinds would add half of that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of events.
    pub events: u64,
    pub nodes: u64,
    pub properties: u64,
    /// Bytes of all properties, so that the optimizer cannot skip them.
    pub bytes: u64,
}

impl Tally {
    /// Adds the counts of `other`.
    pub fn add(&mut self, other: Self) {
        self.events += other.events;
        self.nodes += other.nodes;
        self.properties += other.properties;
        self.bytes += other.bytes;
    }

    #[inline(always)]
    fn take(&mut self, event: &Event<'_>) {
        self.events += 1;
        match event {
            Event::NodeStart { .. } => self.nodes += 1,
            Event::Property(property) => {
                self.properties += 1;
                self.bytes += property.as_bytes().len() as u64;
            }
            _ => {}
        }
    }
}

/// Counts every event of a slice.
#[inline(never)]
pub fn read_slice(bytes: &[u8]) -> Tally {
    let mut tally = Tally::default();
    for event in SliceReader::new(bytes).events() {
        let event = event.expect("no limit is set");
        tally.take(&event);
    }
    tally
}

/// Counts every event of a slice and adds up the depths of nodes. The compiler
/// optimizes a reader less if its caller also asks for the depth.
#[inline(never)]
pub fn read_depths(bytes: &[u8]) -> (u64, u64) {
    let mut reader = SliceReader::new(bytes);
    let (mut events, mut depths) = (0, 0);
    while let Some(Ok(event)) = reader.events().next() {
        events += 1;
        if let Event::NodeStart { .. } = event {
            depths += reader.depth();
        }
    }
    (events, depths)
}

/// Counts every event of a stream. The reader has a buffer: pass the file itself.
#[inline(never)]
pub fn read_stream(inner: impl Read) -> Tally {
    let mut tally = Tally::default();
    let mut reader = Reader::new(inner);
    while let Some(event) = reader.next_event().expect("the input can be read") {
        tally.take(&event);
    }
    tally
}

/// Counts every event of a stream, and the bytes between events.
#[inline(never)]
pub fn read_gaps(inner: impl Read) -> Tally {
    let mut tally = Tally::default();
    let mut reader = Reader::with_options(inner, Options::default().with_gaps(true));
    while let Some(event) = reader.next_event().expect("the input can be read") {
        tally.take(&event);
    }
    tally
}

/// Counts every event of a file.
pub fn read_file(path: &Path) -> Tally {
    read_stream(File::open(path).expect("the file is there"))
}

/// Counts every event of pushed chunks.
#[inline(never)]
pub fn read_pushed(bytes: &Bytes, chunk: usize) -> Tally {
    let mut tally = Tally::default();
    let mut reader = PushReader::new();
    let mut rest = bytes.clone();
    while !rest.is_empty() {
        reader.feed(rest.split_to(chunk.min(rest.len())));
        while let Poll::Ready(Some(Ok(event))) = reader.next_event() {
            tally.take(&event);
        }
    }
    reader.finish();
    while let Poll::Ready(Some(Ok(event))) = reader.next_event() {
        tally.take(&event);
    }
    tally
}

/// Counts the games, and skips each at its first byte.
#[inline(never)]
pub fn skip_games(bytes: &[u8]) -> u64 {
    let mut reader = SliceReader::new(bytes);
    while let Some(Ok(event)) = reader.events().next() {
        if let Event::VariationStart { .. } = event {
            reader.skip_game();
        }
    }
    reader.game()
}

/// Counts every event of root nodes, and skips the rest of each game.
#[inline(never)]
pub fn read_roots(bytes: &[u8]) -> u64 {
    let mut reader = SliceReader::new(bytes);
    let (mut nodes, mut values) = (0, 0);
    while let Some(Ok(event)) = reader.events().next() {
        match event {
            Event::VariationStart { .. } if reader.depth() == 1 => nodes = 0,
            Event::NodeStart { .. } => {
                nodes += 1;
                if nodes == 2 {
                    reader.skip_game();
                }
            }
            Event::Property(property) => values += property.as_bytes().len() as u64,
            _ => {}
        }
    }
    values
}

/// Skips each variation beside the main line at its first byte, and counts
/// them.
#[inline(never)]
pub fn skip_variations(bytes: &[u8]) -> u64 {
    let mut reader = SliceReader::new(bytes);
    let mut skipped = 0;
    while let Some(Ok(event)) = reader.events().next() {
        if matches!(event, Event::VariationStart { .. }) && reader.depth() > 1 {
            skipped += 1;
            reader.skip_variation();
        }
    }
    skipped
}

/// Decodes every value as text, and counts the characters.
#[inline(never)]
pub fn read_texts(bytes: &[u8]) -> u64 {
    let mut len = 0;
    for event in SliceReader::new(bytes).events() {
        let event = event.expect("no limit is set");
        match event {
            Event::Property(property) => {
                for value in property.values() {
                    len += value.text().len() as u64;
                }
            }
            // `decode` returns a long value in pieces.
            Event::PropertyPart(part) => len += part.content().text().len() as u64,
            _ => {}
        }
    }
    len
}

/// Splits every property into values, and counts the bytes between brackets.
#[inline(never)]
pub fn read_values(bytes: &[u8]) -> (u64, u64) {
    let (mut values, mut len) = (0, 0);
    for event in SliceReader::new(bytes).events() {
        let event = event.expect("no limit is set");
        match event {
            Event::Property(property) => {
                for value in property.values() {
                    values += 1;
                    len += value.as_bytes().len() as u64;
                }
            }
            Event::PropertyPart(part) => {
                values += u64::from(part.is_value_start());
                len += part.content().as_bytes().len() as u64;
            }
            _ => {}
        }
    }
    (values, len)
}

/// The baseline of every ratio: finds each `]` and `\` by a vectorized search and
/// adds up their positions.
#[inline(never)]
pub fn memchr2(bytes: &[u8]) -> (u64, u64) {
    let (mut found, mut sum) = (0, 0u64);
    for at in memchr::memchr2_iter(b']', b'\\', bytes) {
        found += 1;
        sum = sum.wrapping_add(at as u64);
    }
    (found, sum)
}

/// Reads the bytes and does nothing else.
#[inline(never)]
pub fn sum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        sum ^ u64::from_le_bytes(word)
    })
}

/// Writes bytes to a file in the directory for temporary files.
pub fn temporary_file(name: &str, bytes: &[u8]) -> io::Result<std::path::PathBuf> {
    let path = std::env::temp_dir().join(format!("sgfstream-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes)?;
    Ok(path)
}
