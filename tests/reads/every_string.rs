//! Every string of a few symbols.

use sgfstream::FramingPolicy;

use crate::fronts;
use crate::twin::{self, Bounds};

const SYMBOLS: &[u8] = b"();[]\\:Aa\n";

/// Number of symbols: fewer in a debug build, which is some thirty times slower.
const LENGTH: usize = if cfg!(debug_assertions) { 4 } else { 7 };

#[test]
fn every_string_of_the_symbols() {
    let first_symbols: Vec<Option<u8>> = std::iter::once(None)
        .chain(SYMBOLS.iter().copied().map(Some))
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let counted: usize = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                let mine = first_symbols.iter().skip(worker).step_by(threads);
                scope.spawn(move || mine.map(|first| strings_from(*first)).sum::<usize>())
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no string fails"))
            .sum()
    });
    let expected: usize = (0..=LENGTH as u32)
        .map(|length| SYMBOLS.len().pow(length))
        .sum();
    assert_eq!(counted, expected);
}

/// Tries all strings that start with `first`, or the empty string. Returns their number.
fn strings_from(first: Option<u8>) -> usize {
    let Some(first) = first else {
        check(b"");
        return 1;
    };
    let mut count = 0;
    for length in 0..LENGTH {
        let mut digits = vec![0; length];
        let mut input = vec![first; length + 1];
        loop {
            for (byte, digit) in input[1..].iter_mut().zip(&digits) {
                *byte = SYMBOLS[*digit];
            }
            check(&input);
            count += 1;
            let Some(step) = digits.iter().rposition(|digit| digit + 1 < SYMBOLS.len()) else {
                break;
            };
            digits[step] += 1;
            digits[step + 1..].fill(0);
        }
    }
    count
}

fn check(input: &[u8]) {
    let bounds = Bounds::default();
    let steps = twin::parse(input, bounds);
    crate::laws::assert_hold(input, &steps);
    fronts::assert_slice_reads(input, fronts::options(bounds, FramingPolicy::Value), &steps);
}
