//! Reads real archives with the slice reader and with the twin parser, and compares. The
//! environment variable `SGF_CORPUS` names a directory with archives or files. A debug build reads
//! every fiftieth file.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use sgfstream::FramingPolicy;
use sgfstream_archive::{self as archive, Input};

use crate::twin::{self, Bounds, Kind};
use crate::{fronts, records};

#[test]
fn real_archives_read_as_the_twin_says() {
    let Some(path) = std::env::var_os("SGF_CORPUS") else {
        println!("skipped: SGF_CORPUS names no directory of real archives");
        return;
    };
    let take = if cfg!(debug_assertions) { 50 } else { 1 };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let counts = Mutex::new(BTreeMap::<&str, u64>::new());
    let (sender, receiver) = std::sync::mpsc::sync_channel::<(String, Vec<u8>)>(64);
    let receiver = Mutex::new(receiver);
    let failed = Mutex::new(Vec::new());
    let mut problems = Vec::new();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let job = receiver.lock().expect("no thread dies").recv();
                    let Ok((name, bytes)) = job else { break };
                    let Ok(found) = std::panic::catch_unwind(|| compare(&bytes)) else {
                        failed.lock().expect("no thread dies").push(name);
                        continue;
                    };
                    let mut counts = counts.lock().expect("no thread dies");
                    found
                        .iter()
                        .for_each(|(kind, count)| *counts.entry(kind).or_default() += count);
                }
            });
        }
        let mut seen = 0;
        archive::visit(
            &[Input::path(path)],
            &archive::ReadOptions::default(),
            |item| {
                match item {
                    Ok(entry) => {
                        seen += 1;
                        if seen % take == 0 {
                            let mut bytes = Vec::new();
                            entry
                                .read
                                .read_to_end(&mut bytes)
                                .expect("the archive is whole");
                            sender
                                .send((entry.name.to_string(), bytes))
                                .expect("a thread reads");
                        }
                    }
                    Err(problem) => problems.push(problem.to_string()),
                }
                if failed.lock().expect("no thread dies").len() < 10 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            },
        );
        drop(sender);
    });
    let counts = counts.into_inner().expect("no thread dies");
    println!("{counts:#?}");
    assert_eq!(failed.into_inner().expect("no thread dies"), [""; 0]);
    assert_eq!(problems, [""; 0]);
    assert!(
        counts.get("files").is_some_and(|files| *files > 0),
        "expected files under SGF_CORPUS, found 0"
    );
}

/// Counts the events of the twin for `bytes`, and asserts that the slice reader agrees.
fn compare(bytes: &[u8]) -> BTreeMap<&'static str, u64> {
    let bounds = Bounds::default();
    let input = sgfstream::transcode(bytes);
    let steps = twin::parse(&input, bounds);
    fronts::assert_slice_reads_once(
        &input,
        fronts::options(bounds, FramingPolicy::Value),
        &steps,
    );
    records::assert_games(&input, fronts::options(bounds, FramingPolicy::Auto));
    let mut counts = BTreeMap::from([("files", 1), ("bytes", bytes.len() as u64)]);
    let mut depth = 0;
    for step in &steps {
        let (kind, count) = match &step.kind {
            Kind::VariationStart { .. } => {
                depth += 1;
                (if depth == 1 { "games" } else { "variations" }, 1)
            }
            Kind::VariationEnd { .. } => {
                depth -= 1;
                continue;
            }
            Kind::NodeStart { .. } => ("nodes", 1),
            Kind::Property { values, .. } => {
                *counts.entry("values").or_default() += values.len() as u64;
                ("properties", 1)
            }
            Kind::Part { value, first, .. } => {
                *counts.entry("values").or_default() += u64::from(*first);
                ("properties", u64::from(*first && *value == 0))
            }
            Kind::Problem(code) => (*code, 1),
        };
        *counts.entry(kind).or_default() += count;
    }
    counts
}
