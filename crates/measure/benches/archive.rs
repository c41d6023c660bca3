//! Reads every event of one collection as an unpacked file, a compressed file and
//! members of a tar file. Shape: moves.
//!
//! Throughput counts unpacked bytes.

#[path = "../../../benches/support/mod.rs"]
mod support;

use std::hint::black_box;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use sgfstream_archive::{self as archive, Input};
use support::data::{Sample, size};
use support::throughput;
use support::work::{self, Tally};

fn unpack(c: &mut Criterion) {
    let sample = Sample::of("moves", size() / 2);
    let expected = work::read_slice(&sample.bytes);
    let inputs = [
        ("plain", sample.bytes.clone()),
        ("gz", gz(&sample.bytes)),
        (
            "zst",
            zstd::encode_all(&sample.bytes[..], 3).expect("compressing in memory"),
        ),
        ("tar", tar(&sample.bytes)),
        (
            "tar.zst",
            zstd::encode_all(&tar(&sample.bytes)[..], 3).expect("compressing in memory"),
        ),
    ];
    let mut group = c.benchmark_group("archive/moves");
    group.throughput(throughput(sample.counts.bytes, expected.events));
    for (name, bytes) in inputs {
        let file =
            work::temporary_file(&format!("archive.{name}"), &bytes).expect("a file for the bench");
        group.bench_function(name, |b| {
            b.iter(|| assert_eq!(read(black_box(&file)), expected))
        });
        std::fs::remove_file(file).expect("the bench's file");
    }
    group.finish();
}

fn read(path: &Path) -> Tally {
    let mut total = Tally::default();
    archive::visit(
        &[Input::path(path)],
        &archive::ReadOptions::default(),
        |item| match item {
            Ok(entry) => {
                total.add(work::read_stream(entry.read));
                ControlFlow::Continue(())
            }
            Err(problem) => panic!("{problem}"),
        },
    );
    total
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("compressing in memory");
    encoder.finish().expect("compressing in memory")
}

/// A tar file with each game as a member: header (name, mode, ids, size,
/// time, sum, kind, magic), bytes, zeros up to the next block of 512.
fn tar(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    // The only `)` of each of these games is its last byte. A newline follows it.
    for (index, member) in bytes
        .trim_ascii_end()
        .split_inclusive(|&byte| byte == b')')
        .enumerate()
    {
        let mut header = [0; 512];
        let fields: [(usize, String); 8] = [
            (0, format!("games/{index}.sgf")),
            (100, "0000644\0".into()),
            (108, "0000000\0".into()),
            (116, "0000000\0".into()),
            (124, format!("{:011o}\0", member.len())),
            (136, "00000000000\0".into()),
            (148, "        0".into()),
            (257, "ustar\x0000".into()),
        ];
        for (at, text) in fields {
            header[at..at + text.len()].copy_from_slice(text.as_bytes());
        }
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        out.extend_from_slice(&header);
        out.extend_from_slice(member);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

criterion_group! { name = benches; config = support::short(); targets = unpack }
criterion_main!(benches);
