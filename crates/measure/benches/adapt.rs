//! Consumers of events: counting, trees. Shapes: moves, comments and deep.

#[path = "../../../benches/support/mod.rs"]
mod support;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sgfstream::{EventReader, SliceReader};
use sgfstream_adapt::{Count, Games};
use support::data::{Sample, size};
use support::{throughput, work};

fn count(c: &mut Criterion) {
    for shape in ["moves", "comments", "deep"] {
        let sample = Sample::of(shape, size());
        let events = work::read_slice(&sample.bytes).events;
        let mut group = c.benchmark_group(format!("adapt/{shape}"));
        group.throughput(throughput(sample.counts.bytes, events));
        let run = |bytes: &[u8]| {
            let mut count = Count::default();
            SliceReader::new(bytes)
                .drive(&mut count)
                .expect("no limit is set");
            (count.games, count.nodes, count.moves())
        };
        let expected = (
            sample.counts.games,
            sample.counts.nodes,
            sample.counts.moves,
        );
        assert_eq!(run(&sample.bytes), expected, "{shape}");
        group.bench_function("count", |b| {
            b.iter(|| assert_eq!(run(black_box(&sample.bytes)), expected))
        });
        group.finish();
    }
}

fn trees(c: &mut Criterion) {
    for shape in ["moves", "comments", "deep"] {
        let sample = Sample::of(shape, size());
        let events = work::read_slice(&sample.bytes).events;
        let mut group = c.benchmark_group(format!("adapt/{shape}"));
        group.throughput(throughput(sample.counts.bytes, events));
        let run = |bytes: &[u8]| {
            let mut games = Games::new(SliceReader::new(bytes));
            let mut nodes = 0;
            while let Some(tree) = games.next_game().expect("within the limits") {
                nodes += tree.node_count() as u64;
            }
            nodes
        };
        assert_eq!(run(&sample.bytes), sample.counts.nodes, "{shape}");
        group.bench_function("trees", |b| {
            b.iter(|| assert_eq!(run(black_box(&sample.bytes)), sample.counts.nodes))
        });
        group.finish();
    }
}

criterion_group! { name = benches; config = support::short(); targets = count, trees }
criterion_main!(benches);
