//! The inputs of `corpus/conformance`: the twin and all readers return the same events. A test of
//! `sgfstream-adapt` compares the tree and the problems of one reader with the case, so all of
//! them, and the twin, give what the case expects.

use sgfstream::Code;

use crate::check_steps;
use crate::conformance::{GROUPS, inputs};
use crate::twin::{self, Bounds};

#[test]
fn all_readers_agree_on_each_case() {
    for input in inputs() {
        // The reader of the case transcodes UTF-16. All other readers here get bytes.
        let input = sgfstream::transcode(&input);
        check_steps(
            &input,
            Bounds::default(),
            &twin::parse(&input, Bounds::default()),
        );
    }
}

/// Problems that need small limits or a charset: `bounds.rs` and the tests of charsets have them.
const ELSEWHERE: [Code; 2] = [Code::IdentifierTooLong, Code::BracketInCharacter];

#[test]
fn each_code_of_the_reader_has_a_case() {
    let cases = GROUPS[1].1;
    // The table begins with the codes of the reader. The rest are codes of the checker.
    let codes = Code::ALL
        .iter()
        .take_while(|&&code| code != Code::InvalidBytes);
    for code in codes.filter(|code| !ELSEWHERE.contains(code)) {
        assert!(
            cases.contains(&format!("\"problems\":[{{\"code\":\"{code}\"")),
            "no case begins with the problem `{code}`"
        );
    }
}
