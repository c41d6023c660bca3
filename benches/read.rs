//! Every event, through every way in, for each shape of data; beside it the
//! search for `]` and `\` over the same bytes, that all ratios speak of.
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
        assert_eq!((expected.games, expected.nodes), (sample.counts.games, sample.counts.nodes), "{shape}");

        let mut group = c.benchmark_group(format!("read/{shape}"));
        group.throughput(throughput(sample.counts.bytes, expected.events));
        group.bench_function("slice", |b| {
            b.iter(|| assert_eq!(work::read_slice(black_box(&sample.bytes)), expected));
        });
        group.bench_function("memchr2", |b| b.iter(|| work::memchr2(black_box(&sample.bytes))));
        group.finish();
    }
}

/// The other ways in, over moves.
fn ways(c: &mut Criterion) {
    let sample = Sample::of("moves", size());
    let expected = work::read_slice(&sample.bytes);
    let file = work::temporary_file("read", &sample.bytes).expect("a file for the bench");
    let chunks = Bytes::from(sample.bytes.clone());

    let mut group = c.benchmark_group("read/moves/way");
    group.throughput(throughput(sample.counts.bytes, expected.events));
    group.bench_function("file", |b| b.iter(|| assert_eq!(work::read_file(black_box(&file)), expected)));
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

/// The text of the GBK sample in both charsets: what framing by characters
/// costs.
fn framing(c: &mut Criterion) {
    let gbk = Sample::of("gbk", size()).bytes;
    let utf8 = gbk_as_utf8(&gbk);
    let expected = work::read_slice(&gbk);
    let mut group = c.benchmark_group("read/framing");
    for (name, bytes) in [("gbk", &gbk), ("gbk as utf8", &utf8)] {
        let found = work::read_slice(bytes);
        // In GBK there are notes too, on how values were framed.
        assert_eq!((found.nodes, found.properties), (expected.nodes, expected.properties), "{name}");
        group.throughput(throughput(bytes.len() as u64, found.events));
        group.bench_function(name, |b| b.iter(|| assert_eq!(work::read_slice(black_box(bytes)), found)));
    }
    group.finish();
}

criterion_group! { name = benches; config = support::short(); targets = read, ways, framing }
criterion_main!(benches);
