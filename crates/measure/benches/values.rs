//! Reads collections and also splits, decodes or types their values.
//! Shapes: moves for typed moves; comments, utf8, gbk, sjis and value for text.

#[path = "../../../benches/support/mod.rs"]
mod support;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use support::data::{Sample, size};
use support::{throughput, work};

fn moves(c: &mut Criterion) {
    let sample = Sample::of("moves", size());
    let events = work::read_slice(&sample.bytes).events;
    let expected = sgfstream_measure::read_moves(&sample.bytes);
    assert_eq!(
        (expected.points + expected.passes, expected.faults),
        (sample.counts.moves, 0)
    );
    assert_eq!(sgfstream_measure::read_points(&sample.bytes), expected);

    let mut group = c.benchmark_group("values/moves");
    group.throughput(throughput(sample.counts.bytes, events));
    group.bench_function("Dialect", |b| {
        b.iter(|| {
            assert_eq!(
                sgfstream_measure::read_moves(black_box(&sample.bytes)),
                expected
            )
        });
    });
    group.bench_function("Point", |b| {
        b.iter(|| {
            assert_eq!(
                sgfstream_measure::read_points(black_box(&sample.bytes)),
                expected
            )
        });
    });
    group.finish();
}

fn texts(c: &mut Criterion) {
    for shape in ["comments", "utf8", "gbk", "sjis", "value"] {
        let sample = Sample::of(shape, size());
        let events = work::read_slice(&sample.bytes).events;
        let mut group = c.benchmark_group(format!("values/{shape}"));
        group.throughput(throughput(sample.counts.bytes, events));

        let split = work::read_values(&sample.bytes);
        assert!(
            split.0 >= sample.counts.moves && split.1 < sample.counts.bytes,
            "{shape}"
        );
        group.bench_function("split", |b| {
            b.iter(|| assert_eq!(work::read_values(black_box(&sample.bytes)), split));
        });

        let text = work::read_texts(&sample.bytes);
        assert!(text > 0, "{shape}");
        group.bench_function("text", |b| {
            b.iter(|| assert_eq!(work::read_texts(black_box(&sample.bytes)), text));
        });
        group.finish();
    }
}

criterion_group! { name = benches; config = support::short(); targets = moves, texts }
criterion_main!(benches);
