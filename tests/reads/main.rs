//! Events of the reader for an input, one case a line: name, bytes, log of
//! events (`tests/twin/step.rs` defines the log). Each case runs through the
//! naive twin, and through every reader, cut at every byte.

#![allow(unreachable_pub, reason = "modules of a test; several tests share them")]

mod borders;
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
#[path = "../twin/mod.rs"] // shared with other tests
mod twin;

use sgfstream::{Code, FramingPolicy};
use twin::{Bounds, Step};

/// Limits that a short input can exceed.
const SMALL: Bounds = Bounds { property: 16, identifier: 8, lookahead: 64 };

macro_rules! reads {
    ($name:ident, small, $input:expr, $log:expr) => {
        #[test]
        fn $name() {
            crate::check($input, crate::SMALL, $log);
        }
    };
    ($name:ident, $input:expr, $log:expr) => {
        #[test]
        fn $name() {
            crate::check($input, crate::Bounds::default(), $log);
        }
    };
}

#[rustfmt::skip] // one case, one line
mod cases;

fn check(input: &[u8], bounds: Bounds, expected: &str) {
    let steps = twin::parse(input, bounds);
    assert_eq!(twin::log(&steps), expected, "the twin, on {}", input.escape_ascii());
    check_steps(input, bounds, &steps);
}

/// Checks the events of the twin for `input` against the laws and every reader.
fn check_steps(input: &[u8], bounds: Bounds, steps: &[Step]) {
    laws::assert_hold(input, steps);
    fronts::assert_all_read(input, bounds, steps);
    for framing in [FramingPolicy::Value, FramingPolicy::Auto, FramingPolicy::Whole] {
        records::assert_games(input, fronts::options(bounds, framing));
    }
}

/// Problems that the tests of text or encodings cover.
const ELSEWHERE: [Code; 1] = [Code::BracketInCharacter];

#[test]
fn each_code_has_its_fixture() {
    let fixtures = include_str!("cases/problems.rs");
    // The table begins with the codes of the reader. The rest are codes of the checker.
    let of_reader = Code::ALL.iter().take_while(|&&code| code != Code::InvalidBytes);
    for code in of_reader.filter(|code| !ELSEWHERE.contains(code)) {
        let name = code.as_str().replace('-', "_");
        let line = fixtures.lines().find(|line| line.starts_with(&format!("reads!({name}, ")));
        let line = line.unwrap_or_else(|| panic!("expected a fixture `{name}` for the code, found none"));
        assert!(line.contains(&format!("!{code}@")), "the fixture `{name}` does not show its code");
    }
}
