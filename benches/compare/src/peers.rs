//! The readers of sgfstream, and the readers of other crates.

use std::ops::ControlFlow;

use pgn_reader::{Outcome, RawComment, RawTag, SanPlus, Skip, Visitor};
use quick_xml::events::Event as XmlEvent;
use sgfstream::EventReader as _;

use crate::formats::{Format, Games};

/// A reader.
pub(crate) struct Peer {
    /// The name of its crate.
    pub(crate) name: &'static str,
    /// Format and kind of reading, such as a stream or a tree.
    pub(crate) reads: &'static str,
    pub(crate) format: Format,
    /// Reads all bytes and counts the events.
    pub(crate) read: fn(&Games) -> u64,
}

pub(crate) const PEERS: [Peer; 9] = [
    Peer { name: "sgfstream", reads: "SGF, events of a slice", format: Format::Sgf, read: slice },
    Peer { name: "sgfstream", reads: "SGF, events of a stream", format: Format::Sgf, read: stream },
    Peer { name: "memchr", reads: "SGF, each `]` and `\\` found", format: Format::SgfEnds, read: memchr2 },
    Peer { name: "simd-csv", reads: "CSV, zero-copy fields", format: Format::Csv, read: simd_csv },
    Peer { name: "csv", reads: "CSV, fields", format: Format::Csv, read: csv },
    Peer { name: "quick-xml", reads: "XML, events of a slice", format: Format::Xml, read: quick_xml },
    Peer { name: "pgn-reader", reads: "PGN, tags, moves and comments", format: Format::Pgn, read: pgn_reader },
    Peer { name: "sgf-parse", reads: "SGF, a tree for a game", format: Format::SgfTree, read: sgf_parse },
    Peer { name: "sgf-parser", reads: "SGF, a tree for a game", format: Format::SgfTree, read: sgf_parser },
];

impl Peer {
    /// The crate's version in `Cargo.lock`.
    pub(crate) fn version(&self) -> &'static str {
        let lock = include_str!("../Cargo.lock");
        let name = format!("name = \"{}\"\nversion = \"", self.name);
        let rest = lock.find(&name).map_or("", |at| &lock[at + name.len()..]);
        rest.split('"').next().unwrap_or("")
    }
}

fn slice(games: &Games) -> u64 {
    let (mut events, mut len) = (0, 0);
    for event in sgfstream::SliceReader::new(games.sgf.as_bytes()).events() {
        let event = event.expect("no limit is set");
        events += 1;
        if let sgfstream::Event::Property(property) = event {
            len += property.as_bytes().len();
        }
    }
    assert!(len > 0);
    events
}

fn stream(games: &Games) -> u64 {
    let (mut events, mut len) = (0, 0);
    let mut reader = sgfstream::Reader::new(games.sgf.as_bytes());
    while let Some(event) = reader.next_event().expect("memory can be read") {
        events += 1;
        if let sgfstream::Event::Property(property) = event {
            len += property.as_bytes().len();
        }
    }
    assert!(len > 0);
    events
}

fn memchr2(games: &Games) -> u64 {
    let (mut found, mut sum) = (0, 0usize);
    for at in memchr::memchr2_iter(b']', b'\\', games.sgf.as_bytes()) {
        found += 1;
        sum = sum.wrapping_add(at);
    }
    assert!(sum > 0);
    found
}

fn simd_csv(games: &Games) -> u64 {
    let (mut fields, mut len) = (0, 0);
    let mut reader = simd_csv::ZeroCopyReaderBuilder::new().has_headers(false).from_reader(games.csv.as_bytes());
    while let Some(record) = reader.read_byte_record().expect("faultless") {
        for field in record.iter() {
            fields += 1;
            len += field.len();
        }
    }
    assert!(len > 0);
    fields
}

fn csv(games: &Games) -> u64 {
    let (mut fields, mut len) = (0, 0);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(games.csv.as_bytes());
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).expect("faultless") {
        for field in &record {
            fields += 1;
            len += field.len();
        }
    }
    assert!(len > 0);
    fields
}

fn quick_xml(games: &Games) -> u64 {
    let (mut events, mut len) = (0, 0);
    let mut reader = quick_xml::Reader::from_reader(games.xml.as_bytes());
    loop {
        match reader.read_event().expect("faultless") {
            XmlEvent::Eof => break,
            event => {
                events += 1;
                len += event.len();
            }
        }
    }
    assert!(len > 0);
    events
}

fn pgn_reader(games: &Games) -> u64 {
    let mut reader = pgn_reader::Reader::new(games.pgn.as_bytes());
    let mut events = 0;
    while let Some(found) = reader.read_game(&mut Count).expect("memory can be read") {
        events += found;
    }
    events
}

/// Counts the callbacks of the PGN reader.
struct Count;

impl Visitor for Count {
    type Tags = u64;
    type Movetext = u64;
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64, u64> {
        ControlFlow::Continue(1)
    }

    fn tag(&mut self, events: &mut u64, _: &[u8], _: RawTag<'_>) -> ControlFlow<u64> {
        *events += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, events: u64) -> ControlFlow<u64, u64> {
        ControlFlow::Continue(events)
    }

    fn san(&mut self, events: &mut u64, _: SanPlus) -> ControlFlow<u64> {
        *events += 1;
        ControlFlow::Continue(())
    }

    // The reader returns a long comment in parts; count it once.
    fn partial_comment(&mut self, _: &mut u64, _: RawComment<'_>) -> ControlFlow<u64> {
        ControlFlow::Continue(())
    }

    fn comment(&mut self, events: &mut u64, _: RawComment<'_>) -> ControlFlow<u64> {
        *events += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, events: &mut u64) -> ControlFlow<u64, Skip> {
        *events += 1;
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, events: &mut u64) -> ControlFlow<u64> {
        *events += 1;
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, events: &mut u64, _: Outcome) -> ControlFlow<u64> {
        *events += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, events: u64) -> u64 {
        events + 1
    }
}

fn sgf_parse(games: &Games) -> u64 {
    let trees = sgf_parse::parse(&games.sgf).expect("faultless");
    let mut nodes = 0;
    for tree in &trees {
        let mut open = vec![tree.as_go_node().expect("Go")];
        while let Some(node) = open.pop() {
            nodes += 1;
            open.extend(node.children.iter());
        }
    }
    nodes
}

/// Reads one game at a time, since this crate reads no collections.
fn sgf_parser(games: &Games) -> u64 {
    let mut nodes = 0;
    for game in &games.sgf_games {
        let tree = sgf_parser::parse(game).expect("faultless");
        let mut open = vec![&tree];
        while let Some(tree) = open.pop() {
            nodes += tree.nodes.len() as u64;
            open.extend(&tree.variations);
        }
    }
    nodes
}
