//! Skips games and variations without reading inside. Shapes: moves,
//! comments and wide.

mod support;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use support::data::{Sample, size};
use support::{throughput, work};

fn skip(c: &mut Criterion) {
    for shape in ["moves", "comments", "wide"] {
        let sample = Sample::of(shape, size());
        let events = work::read_slice(&sample.bytes).events;
        let mut group = c.benchmark_group(format!("skip/{shape}"));
        // Events of the whole input, so that the figures compare with `read`.
        group.throughput(throughput(sample.counts.bytes, events));

        assert_eq!(
            work::skip_games(&sample.bytes),
            sample.counts.games,
            "{shape}"
        );
        group.bench_function("games", |b| {
            b.iter(|| {
                assert_eq!(
                    work::skip_games(black_box(&sample.bytes)),
                    sample.counts.games
                )
            });
        });

        let variations = work::skip_variations(&sample.bytes);
        assert_eq!(variations > 0, shape != "moves", "{shape}");
        group.bench_function("variations", |b| {
            b.iter(|| assert_eq!(work::skip_variations(black_box(&sample.bytes)), variations));
        });
        group.finish();
    }
}

criterion_group! { name = benches; config = support::short(); targets = skip }
criterion_main!(benches);
