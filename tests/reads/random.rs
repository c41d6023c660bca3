//! Random inputs: single symbols, and pieces of files put together.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::twin::{self, Bounds};
use crate::{SMALL, check_steps, fronts, laws};

const SYMBOLS: [u8; 11] = *b"();[]\\:Aa\n\xE9";

/// Pieces of real files, whole and broken.
pub(crate) const PIECES: [&[u8]; 51] = [
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
    b"(;FF[4]GM[1]",
    b"(;GM[1]SZ[9])",
    b"\n(;FF[4])",
    b"(;PB[a]SZ[9]",
    b"\n(;SZ[9]",
    b"\n(;EV[x]PB[a]PW[b]",
    b"PW[b]RE[0]",
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

/// Whole pieces of real files, which make blocks of 64 bytes without
/// faults.
const PLAIN: [&[u8]; 23] = [
    b";B[aa]",
    b";W[bb]",
    b";B[cc]",
    b";W[dd]",
    b"\n;B[ee]",
    b"\r\n;W[ff]",
    b"(;W[gg]",
    b"\n(;B[hh]",
    b"(\n\t;W[ii]",
    b")",
    b")\n",
    b"C[a word]",
    b"C[a long comment of many words, and \\] in it, and one [ more: it ends here]",
    b"C[\xE9\xBB\x92]",
    b"\nN[\xE9\x5D]",
    b"AB[aa][bb][cc] [dd]\n[ee][ff]",
    b"LB[aa:1]TR[bb]",
    b"(;AB[aa]",
    b"1[j10,k11]",
    b"CA[GBK]",
    b"C[\xC4\xE3\xD4\x5D\xBA\xC3 \xD4\x5Da1.\\\n\xE9\x5C\xD4\x5D\xC4\xE3\xA4\x5D\xBA\xC3\xC4\xE3]",
    b"C[\x83\x5C\x83\x5D\xBA\xD0\x83\x5D\x95\x5C\x5C\n\x81\x40 a\\]\x83\x5D\x8E\xE8\x83\x5C]",
    b"PB[\xB1\xED\xB4\xEF]",
];

fn check(input: &[u8], bounds: Bounds) {
    let steps = twin::parse(input, bounds);
    check_steps(input, bounds, &steps);
}

fn config() -> ProptestConfig {
    let cases = if cfg!(debug_assertions) { 400 } else { 20_000 };
    // Turn a failing input into a case with a name.
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
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

proptest! {
    // Try few inputs of many blocks, because one takes as long as many short inputs.
    #![proptest_config(ProptestConfig { cases: config().cases / 10, ..config() })]

    #[test]
    fn long_games(
        shift in 0usize..64,
        input in vec(prop_oneof![40 => select(PLAIN.to_vec()), 1 => select(PIECES.to_vec())], 20..90),
    ) {
        check_long(shift, &input);
    }

    #[test]
    fn long_games_with_many_faults(
        shift in 0usize..64,
        input in vec(prop_oneof![6 => select(PLAIN.to_vec()), 1 => select(PIECES.to_vec())], 20..60),
    ) {
        check_long(shift, &input);
    }
}

/// Checks events and skips of a game of many blocks.
fn check_long(shift: usize, pieces: &[&[u8]]) {
    let input = [
        b"(;C[",
        " ".repeat(shift).as_bytes(),
        b"]",
        pieces.concat().as_slice(),
    ]
    .concat();
    let steps = twin::parse(&input, Bounds::default());
    laws::assert_hold(&input, &steps);
    fronts::assert_slice_and_bytes_read(&input, &steps);
}

/// Skips pass strays, but stop at a fault after which the parentheses no longer show the end of a
/// variation.
#[test]
fn a_skip_past_a_fault_ends_where_reading_does() {
    const FAULTS: [&[u8]; 12] = [
        b"text",
        b":-)",
        b"lower[x]",
        b"[x]",
        b"]",
        b"\0",
        b");W[cc]",
        b"()",
        b"((",
        b"\n(;FF[4]GM[1]",
        b"C[lost)\n(;FF[4]",
        b"C[\xC4\xE3\xD4])]",
    ];
    let plain: &[u8] = &b";B[aa];W[bb]".repeat(12);
    for fault in FAULTS {
        check_long(
            0,
            &[b"(;B[aa]", plain, fault, plain, b")", plain, b")(;GM[1])"],
        );
    }
}
