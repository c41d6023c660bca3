//! Events of every reader, cut at every byte, against the events of a slow reader, the twin. The
//! inputs are the cases of `corpus/conformance`, the files of `corpus/`, strings, and random bytes.
//! `bounds.rs` has the cases that need small limits, one a line: name, bytes, log of events
//! (`tests/twin/step.rs` defines the log).

#![allow(
    unreachable_pub,
    reason = "modules of a test; several tests share them"
)]

mod borders;
#[rustfmt::skip] // one case, one line
mod bounds;
#[path = "../common/conformance.rs"]
mod conformance;
mod corpus;
mod dropped;
mod every_string;
mod fronts;
mod gaps;
mod generate;
mod laws;
mod limits;
mod random;
mod records;
mod retained;
mod suite;
#[path = "../twin/mod.rs"] // shared with other tests
mod twin;

use sgfstream::FramingPolicy;
use twin::{Bounds, Step};

/// Limits that a short input can exceed.
const SMALL: Bounds = Bounds {
    property: 16,
    identifier: 8,
    lookahead: 64,
};

fn check(input: &[u8], bounds: Bounds, expected: &str) {
    let steps = twin::parse(input, bounds);
    assert_eq!(
        twin::log(&steps),
        expected,
        "the twin, on {}",
        input.escape_ascii()
    );
    check_steps(input, bounds, &steps);
}

/// Checks the events of the twin for `input` against the laws and every reader.
fn check_steps(input: &[u8], bounds: Bounds, steps: &[Step]) {
    laws::assert_hold(input, steps);
    fronts::assert_all_read(input, bounds, steps);
    for framing in [
        FramingPolicy::Value,
        FramingPolicy::Auto,
        FramingPolicy::Whole,
    ] {
        records::assert_games(input, fronts::options(bounds, framing));
    }
}
