//! Events of the reader for an input, one case a line: name, bytes, log of
//! events (`tests/twin/step.rs` says how a log is written). Each case runs
//! through the naive twin and through every front and every split.

#![allow(unreachable_pub, reason = "modules of a test; several tests share them")]

mod borders;
mod corpus;
mod dropped;
mod every_string;
mod fronts;
mod gaps;
mod generate;
mod laws;
mod random;
mod retained;
#[path = "../twin/mod.rs"] // shared with other tests
mod twin;

use sgfstream::Code;
use twin::{Bounds, Step};

/// Bounds that a short input can pass.
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

/// Holds what the twin says of `input` against the laws and every reader.
fn check_steps(input: &[u8], bounds: Bounds, steps: &[Step]) {
    laws::assert_hold(input, steps);
    fronts::assert_all_read(input, bounds, steps);
}

/// Problems that other fixtures show, where text or encodings are tested.
const ELSEWHERE: [Code; 1] = [Code::BracketInCharacter];

#[test]
fn each_code_has_its_fixture() {
    let fixtures = include_str!("cases/problems.rs");
    // The table begins with what the reader says; the rest is the checker's.
    let of_reader = Code::ALL.iter().take_while(|&&code| code != Code::InvalidBytes);
    for code in of_reader.filter(|code| !ELSEWHERE.contains(code)) {
        let name = code.as_str().replace('-', "_");
        let line = fixtures.lines().find(|line| line.starts_with(&format!("reads!({name}, ")));
        let line = line.unwrap_or_else(|| panic!("expected a fixture `{name}` for the code, found none"));
        assert!(line.contains(&format!("!{code}@")), "the fixture `{name}` does not show its code");
    }
}
