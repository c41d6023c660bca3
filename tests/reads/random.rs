//! Random inputs: single symbols, and pieces of files put together.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::twin::{self, Bounds};
use crate::{SMALL, check_steps};

const SYMBOLS: [u8; 11] = *b"();[]\\:Aa\n\xE9";

/// What real files are made of, whole and broken.
const PIECES: [&[u8]; 44] = [
    b"(",
    b")",
    b";",
    b"[",
    b"]",
    b"\\",
    b":",
    b"\n",
    b"\r",
    b" ",
    b"\0",
    b"A",
    b"a",
    b"1",
    b"@",
    b"\xE9",
    b"(;",
    b"(;)",
    b"()",
    b"((",
    b"FF[4]",
    b"GM[1]",
    b"\n(;GM[1]",
    b"\r\n(;FF[3]",
    b";B[aa]",
    b";W[]",
    b"AB[aa][bb]",
    b"Black[cc]",
    b"small[dd]",
    b"KO",
    b"C[one ",
    b"\\]",
    b"\\\\",
    b"\r\n",
    b"\r\n\r\n",
    b"\xEF\xBB\xBF",
    b"\xE9\xBB\x92",
    b"CA[none]",
    b"ABCDEFGHIJ",
    b"LONGNAMEabc[x]",
    b"                    ",
    b"0123456789abcdef",
    b"text of many words",
    b"FileFormat[4]",
];

fn check(input: &[u8], bounds: Bounds) {
    let steps = twin::parse(input, bounds);
    check_steps(input, bounds, &steps);
}

fn config() -> ProptestConfig {
    let cases = if cfg!(debug_assertions) { 400 } else { 20_000 };
    // What fails becomes a case with a name.
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn symbols(input in vec(select(SYMBOLS.to_vec()), 0..40)) {
        check(&input, Bounds::default());
        check(&input, SMALL);
    }

    #[test]
    fn pieces(input in vec(select(PIECES.to_vec()), 0..16)) {
        let input = input.concat();
        check(&input, Bounds::default());
        check(&input, SMALL);
    }

    #[test]
    fn pieces_of_a_game(input in vec(select(PIECES.to_vec()), 0..16)) {
        let input = [b"(;", input.concat().as_slice()].concat();
        check(&input, Bounds::default());
        check(&input, SMALL);
    }

    #[test]
    fn any_bytes(input in vec(any::<u8>(), 0..60)) {
        check(&input, SMALL);
    }
}
