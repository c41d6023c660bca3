// Counts the moves of files: the program of README.md.

use sgfstream::{Event, EventReader, Reader, Sink};
use sgfstream_adapt::Count;

/// Counts the moves of a file, and prints its problems.
fn count_moves(path: &str) -> Result<u64, sgfstream::Error> {
    let mut reader = Reader::open(path)?;
    let mut count = Count::default();
    while reader.advance()? {
        let event = reader.event();
        if let Event::Problem(problem) = event {
            eprintln!("{path}: {}: {problem}", reader.position_of(problem.span.start));
        }
        count.take(&event, &reader.place());
    }
    Ok(count.moves())
}

fn main() -> Result<(), sgfstream::Error> {
    for path in std::env::args().skip(1) {
        println!("{path}: {} moves", count_moves(&path)?);
    }
    Ok(())
}
