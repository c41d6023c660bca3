//! Reads events and writes them back as bytes. Shapes: moves and
//! comments.

mod support;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sgfstream::{EventReader, Layout, Options, SliceReader, Writer};
use support::data::{Sample, size};
use support::{throughput, work};

fn write(c: &mut Criterion) {
    for shape in ["moves", "comments"] {
        let sample = Sample::of(shape, size());
        let tally = work::read_slice(&sample.bytes);
        let mut group = c.benchmark_group(format!("write/{shape}"));
        group.throughput(throughput(sample.counts.bytes, tally.events));
        let run = |bytes: &[u8], layout: Layout| {
            let options = Options::default().with_gaps(layout == Layout::AsWritten);
            let mut writer =
                Writer::with_layout(Vec::with_capacity(bytes.len() + bytes.len() / 8), layout);
            SliceReader::with_options(bytes, options)
                .drive(&mut writer)
                .expect("no limit is set");
            writer.finish().expect("writing to memory")
        };

        assert!(
            run(&sample.bytes, Layout::AsWritten) == sample.bytes,
            "{shape}: the output is the input"
        );
        group.bench_function("as written", |b| {
            b.iter(|| {
                assert_eq!(
                    run(black_box(&sample.bytes), Layout::AsWritten).len(),
                    sample.bytes.len()
                )
            });
        });

        let canonical = run(&sample.bytes, Layout::Canonical);
        assert_eq!(work::read_slice(&canonical).nodes, tally.nodes, "{shape}");
        group.bench_function("canonical", |b| {
            b.iter(|| {
                assert_eq!(
                    run(black_box(&sample.bytes), Layout::Canonical).len(),
                    canonical.len()
                )
            });
        });
        group.finish();
    }
}

criterion_group! { name = benches; config = support::short(); targets = write }
criterion_main!(benches);
