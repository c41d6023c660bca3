//! Generated collections: one seed gives one collection, of the requested size,
//! and the reader counts what the generator wrote.

#[path = "../../benches/support/shapes.rs"]
mod shapes;

use sgfstream::{Event, EventReader, Severity, SliceReader};
use shapes::{Amount, Counts, Shape, write_collection};

fn collection(shape: Shape, amount: Amount, seed: u64) -> (Vec<u8>, Counts) {
    let mut bytes = Vec::new();
    let counts = write_collection(&mut bytes, shape, amount, seed).expect("writing to memory");
    (bytes, counts)
}

/// Returns the counts of the reader, and its worst problem.
fn read(bytes: &[u8]) -> (Counts, Option<Severity>) {
    let mut reader = SliceReader::new(bytes);
    let mut counts = Counts {
        bytes: bytes.len() as u64,
        ..Counts::default()
    };
    let mut worst = None;
    while let Some(Ok(event)) = reader.events().next() {
        match event {
            Event::VariationStart { .. } => counts.games = reader.game(),
            Event::NodeStart { .. } => counts.nodes += 1,
            Event::Property(property) if property.ident().is(b"B") || property.ident().is(b"W") => {
                counts.moves += property.value_count();
            }
            Event::Problem(problem) => worst = worst.max(Some(problem.severity())),
            _ => {}
        }
    }
    (counts, worst)
}

#[test]
fn the_reader_finds_what_was_written() {
    for (name, shape) in Shape::ALL {
        for seed in 1..4 {
            let (bytes, written) = collection(shape, Amount::Bytes(100_000), seed);
            let (found, worst) = read(&bytes);
            assert_eq!(found, written, "{name}, seed {seed}");
            assert!(
                worst <= Some(Severity::Note),
                "{name}, seed {seed}: {worst:?}"
            );
            assert!(
                (100_000..150_000).contains(&bytes.len()),
                "{name}: {} bytes",
                bytes.len()
            );
        }
    }
}

#[test]
fn a_seed_gives_the_same_bytes() {
    for (name, shape) in Shape::ALL {
        assert_eq!(Shape::parse(name), Some(shape));
        let amount = Amount::Games(3);
        let (bytes, counts) = collection(shape, amount, 7);
        assert_eq!(counts.games, 3, "{name}");
        assert_eq!(collection(shape, amount, 7).0, bytes, "{name}");
        assert_ne!(collection(shape, amount, 8).0, bytes, "{name}");
    }
}
