//! Reads every event from a slice, a stream, a file and chunks, for each shape
//! of data, and times the search for `]` and `\` on the same bytes as baseline.
//!
//! Shapes: see `examples/generate`. Throughput is in bytes and in events.

mod support;

use std::hint::black_box;

use bytes::Bytes;
use criterion::{Criterion, criterion_group, criterion_main};
use support::data::{SHAPES, Sample, gbk_as_utf8, size};
use support::{throughput, work};

fn read(c: &mut Criterion) {
    for shape in SHAPES {
        let sample = Sample::of(shape, size());
        let expected = work::read_slice(&sample.bytes);
        assert_eq!(expected.nodes, sample.counts.nodes, "{shape}");

        let mut group = c.benchmark_group(format!("read/{shape}"));
        group.throughput(throughput(sample.counts.bytes, expected.events));
        group.bench_function("slice", |b| {
            b.iter(|| assert_eq!(work::read_slice(black_box(&sample.bytes)), expected));
        });
        let depths = work::read_depths(&sample.bytes);
        assert!(
            depths.0 == expected.events && depths.1 >= expected.nodes,
            "{shape}"
        );
        group.bench_function("slice, depths", |b| {
            b.iter(|| assert_eq!(work::read_depths(black_box(&sample.bytes)), depths));
        });
        group.bench_function("memchr2", |b| {
            b.iter(|| work::memchr2(black_box(&sample.bytes)))
        });
        group.finish();
    }
}

/// Times the other kinds of input, on the shape moves.
fn ways(c: &mut Criterion) {
    let sample = Sample::of("moves", size());
    let expected = work::read_slice(&sample.bytes);
    let file = work::temporary_file("read", &sample.bytes).expect("a file for the bench");
    let chunks = Bytes::from(sample.bytes.clone());

    let mut group = c.benchmark_group("read/moves/way");
    group.throughput(throughput(sample.counts.bytes, expected.events));
    group.bench_function("file", |b| {
        b.iter(|| assert_eq!(work::read_file(black_box(&file)), expected))
    });
    group.bench_function("stream", |b| {
        b.iter(|| assert_eq!(work::read_stream(black_box(&sample.bytes[..])), expected));
    });
    for (name, chunk) in [("pushed 64 KiB", 1 << 16), ("pushed 1 byte", 1)] {
        group.bench_function(name, |b| {
            b.iter(|| assert_eq!(work::read_pushed(black_box(&chunks), chunk), expected));
        });
    }
    group.finish();
    std::fs::remove_file(file).expect("the bench's file");
}

/// Times the GBK sample in GBK and in UTF-8. The difference is the cost of
/// finding value ends by characters.
fn framing(c: &mut Criterion) {
    let gbk = Sample::of("gbk", size()).bytes;
    let utf8 = gbk_as_utf8(&gbk);
    let expected = work::read_slice(&gbk);
    let mut group = c.benchmark_group("read/framing");
    for (name, bytes) in [("gbk", &gbk), ("gbk as utf8", &utf8)] {
        let found = work::read_slice(bytes);
        // In GBK, the reader also returns notes on `]` inside characters.
        assert_eq!(
            (found.nodes, found.properties),
            (expected.nodes, expected.properties),
            "{name}"
        );
        group.throughput(throughput(bytes.len() as u64, found.events));
        group.bench_function(name, |b| {
            b.iter(|| assert_eq!(work::read_slice(black_box(bytes)), found))
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = support::short(); targets = read, ways, framing }
criterion_main!(benches);
