//! Times readers of SGF, XML, CSV and PGN in one run. Each reads the same games in
//! its own format.
//!
//! ```text
//! cd benches/compare
//! cargo run --release -- --json ../compare.json      # then: python3 ../draw.py
//! ```
//!
//! The generator writes the games. If a peer has a streaming reader, the benchmark
//! times that, and otherwise the peer's tree. An event is one item that the reader
//! returns: a node or property, an element or text, a field, a tag or move. The
//! benchmark checks that every reader returns as many events as `formats` wrote.

mod formats;
mod peers;
#[expect(dead_code, reason = "the generator is a module of its example, which needs more of it")]
#[path = "../../support/shapes.rs"]
mod shapes;

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use formats::Games;
use peers::{PEERS, Peer};
use serde_json::json;
use shapes::{Amount, Shape, write_collection};

/// Bytes of SGF in a piece. The best time of each piece counts.
const PIECE: u64 = 500_000;

fn main() {
    let options = Options::parse();
    let mut tables = Vec::new();
    for shape in ["moves", "comments"] {
        let pieces: Vec<Games> = (0..options.pieces).map(|seed| Games::of(generate(shape, seed))).collect();
        let mut racers: Vec<Racer> = PEERS.iter().map(|peer| Racer::new(peer, &pieces)).collect();
        for _ in 0..options.rounds {
            for (at, piece) in pieces.iter().enumerate() {
                racers.iter_mut().for_each(|racer| racer.run(at, piece));
            }
        }
        let moves: u64 = pieces.iter().map(|piece| piece.moves).sum();
        println!("\n{shape}: {moves} moves, best of {} rounds for each piece\n", options.rounds);
        println!("| reader | reads | MB | GB/s | M events/s | M moves/s |");
        println!("|---|---|--:|--:|--:|--:|");
        let rows: Vec<_> = racers.iter().map(|racer| racer.row(moves)).collect();
        tables.push(json!({ "shape": shape, "moves": moves, "rows": rows }));
    }
    if let Some(path) = options.json {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
        let all = json!({
            "command": "cd benches/compare && cargo run --release -- --json ../compare.json",
            "machine": machine(),
            "seconds": seconds,
            "tables": tables,
        });
        std::fs::write(&path, format!("{all:#}\n")).unwrap_or_else(|err| panic!("{path}: {err}"));
    }
}

/// One reader and its times.
struct Racer {
    peer: &'static Peer,
    /// Seconds for each piece.
    best: Vec<f64>,
    bytes: usize,
    events: u64,
}

impl Racer {
    /// Reads every piece once and checks the number of events.
    fn new(peer: &'static Peer, pieces: &[Games]) -> Self {
        let (mut bytes, mut events) = (0, 0);
        for piece in pieces {
            bytes += peer.format.bytes(piece).len();
            let found = (peer.read)(piece);
            assert_eq!(found, peer.format.expected(piece), "{}: everything is found", peer.name);
            events += found;
        }
        Self { peer, best: vec![f64::INFINITY; pieces.len()], bytes, events }
    }

    fn run(&mut self, at: usize, piece: &Games) {
        let start = Instant::now();
        let found = std::hint::black_box((self.peer.read)(piece));
        self.best[at] = self.best[at].min(start.elapsed().as_secs_f64());
        assert_eq!(found, self.peer.format.expected(piece), "{}", self.peer.name);
    }

    /// Prints the row, and returns it as JSON.
    fn row(&self, moves: u64) -> serde_json::Value {
        let seconds: f64 = self.best.iter().sum();
        let gigabytes = self.bytes as f64 / seconds / 1e9;
        let [events, moves] = [self.events, moves].map(|count| count as f64 / seconds / 1e6);
        let (name, version, reads) = (self.peer.name, self.peer.version(), self.peer.reads);
        let megabytes = self.bytes as f64 / 1e6;
        println!("| {name} {version} | {reads} | {megabytes:.1} | {gigabytes:.3} | {events:.1} | {moves:.1} |");
        json!({
            "name": name, "version": version, "reads": reads, "bytes": self.bytes,
            "gigabytes_a_second": gigabytes, "million_events_a_second": events, "million_moves_a_second": moves,
        })
    }
}

struct Options {
    rounds: u32,
    pieces: u64,
    json: Option<String>,
}

impl Options {
    fn parse() -> Self {
        let mut options = Self { rounds: 15, pieces: 8, json: None };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let value = words.next().unwrap_or_else(|| panic!("expected a value after `{word}`"));
            let number =
                || value.parse().unwrap_or_else(|_| panic!("expected a number after `{word}`, found `{value}`"));
            match word.as_str() {
                "--rounds" => options.rounds = number(),
                "--pieces" => options.pieces = u64::from(number()),
                "--json" => options.json = Some(value.clone()),
                _ => panic!("expected --rounds N, --pieces N or --json FILE, found `{word}`"),
            }
        }
        options
    }
}

fn generate(shape: &str, seed: u64) -> Vec<u8> {
    let shape = Shape::parse(shape).expect("a shape of the generator");
    let mut bytes = Vec::new();
    write_collection(&mut bytes, shape, Amount::Bytes(PIECE), seed).expect("writing to memory");
    bytes
}

fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    format!("{}, {}, one core", model.unwrap_or(std::env::consts::ARCH), std::env::consts::OS)
}
