//! Does one kind of work to a file once, so that a profiler sees that work and
//! little else. `tests/instructions.rs` counts its instructions.
//!
//! ```text
//! cargo build --profile measure -p sgfstream-measure --example measure
//! perf record target/measure/examples/measure read games.sgf 50 && perf report
//! valgrind --tool=callgrind target/measure/examples/measure read games.sgf
//! ```
//!
//! The last argument is the number of repetitions. Default: 1.

#[allow(dead_code, unreachable_pub, reason = "shared with the benches")]
#[path = "../../../benches/support/work.rs"]
mod work;

use std::process::ExitCode;

use bytes::Bytes;
use sgfstream::record::GameReader;
use sgfstream::{EventReader, Sink, SliceReader};
use sgfstream_adapt::check::{CheckOptions, InputChecker};
use sgfstream_adapt::edit::{Rewriter, edit};
use sgfstream_adapt::{Count, Stats};

const USAGE: &str = "usage: measure search|read|stream|gaps|pushed|skip|roots|text|values|moves|points|count|stats|check|strip FILE [TIMES]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (Some(name), Some(file)) = (words.first(), words.get(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let times = words
        .get(2)
        .map_or(Some(1), |word| word.parse().ok())
        .unwrap_or(0);
    let Ok(bytes) = std::fs::read(file) else {
        eprintln!("{file}: cannot be read");
        return ExitCode::from(2);
    };
    let bytes = Bytes::from(bytes);
    let mut answer = None;
    for _ in 0..times {
        answer = run(name, std::hint::black_box(&bytes));
    }
    match answer {
        Some(answer) => {
            println!("{answer}");
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Runs the named kind of work. Returns its result: the number of events, or its own count.
fn run(name: &str, bytes: &Bytes) -> Option<u64> {
    Some(match name {
        "search" => work::memchr2(bytes).0,
        "read" => work::read_slice(bytes).events,
        "stream" => work::read_stream(&bytes[..]).events,
        "gaps" => work::read_gaps(&bytes[..]).events,
        "pushed" => work::read_pushed(bytes, 1 << 16).events,
        "skip" => work::skip_games(bytes),
        "roots" => work::read_roots(bytes),
        "text" => work::read_texts(bytes),
        "values" => work::read_values(bytes).0,
        "moves" => sgfstream_measure::read_moves(bytes).points,
        "points" => sgfstream_measure::read_points(bytes).points,
        "count" => driven(bytes, Count::default()).games,
        "stats" => {
            let mut stats = Stats::default();
            stats
                .add_all(&mut GameReader::new(SliceReader::new(bytes)))
                .expect("no limit is set");
            stats.moves
        }
        "check" => {
            let mut findings = 0;
            let checker = InputChecker::new(CheckOptions::default());
            checker
                .check_all(SliceReader::new(bytes), &mut |_| findings += 1)
                .expect("no limit is set");
            findings
        }
        "strip" => {
            let edits = vec![edit("strip", "comments").expect("an edit")];
            let mut rewriter = Rewriter::new(edits);
            rewriter.slice(bytes);
            rewriter.report().changes[0].1
        }
        _ => return None,
    })
}

/// Passes every event to `sink`, and returns it.
fn driven<S: Sink>(bytes: &[u8], mut sink: S) -> S {
    SliceReader::new(bytes)
        .drive(&mut sink)
        .expect("no limit is set");
    sink
}
