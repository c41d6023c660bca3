//! Tokens across the borders between blocks of 64 bytes, and between token lists of some thousand
//! bytes: each tail at each place of a block.

use crate::fronts;
use crate::twin::{self, Bounds};

/// Step between the places that a test tries: 1 in the release builds of `.ci/full`. A debug build
/// is some thirty times slower.
const STEP: usize = if cfg!(debug_assertions) { 7 } else { 1 };

/// Ends of games.
const TAILS: [&[u8]; 39] = [
    b")",
    b"))",
    b") )\n",
    b")(;FF[4];B[aa])",
    b")\n\n(;GM[1]FF[4]CA[GBK]C[\x81\x5D];W[bb])",
    b"(;B[aa])(;W[bb](;B[cc])))(;B[dd])",
    b"(;B[aa](;W[bb](;B[cc])))))(;SZ[9])",
    b"(;B[aa](;W[bb](;B[cc])))",
    b"(\n\t;B[aa]\n)\n(\n\t;FF[4])",
    b"( ;GM[1];B[aa])",
    b"(;[aa])(B[bb])",
    b"(;\0CA[none];B[aa])",
    b"(; CA[none];B[aa])",
    b"(;\0CA[none]CA[none]                    LONGNAMEabc[x]                    ",
    b"(\0;B[aa])(;;W[bb])",
    b"(;C[x]\0[y]\0;B[aa])\0(;W[bb])",
    b"(;FF[4]) text (;B[aa])",
    b"AB[aa][bb]\n[cc] [dd];W[ee])",
    b"AB[aa] x[bb][cc];W[ee])",
    b"C[one \\] two \\\\];B[aa]LONG1[x]Black[bb])",
    b"C[\xE9\xBB\x92]N[\xE9\xBB\x92]\nPB[x];B[aa])",
    b"C[\xE9\xBB\x92]n[\xE9\xBB\x92]\nPB[x];B[aa])",
    b"C[\xE9\xBB\x92\\]]N[\xE9\xBB\x92\\\\];B[aa])",
    b"C[\xE9\xBB\x92\\\n]N[\x81\x5D\x81\x5C];B[aa])",
    b"C[\x81\x5C];C[a long comment])",
    b"CA[GBK]C[\x81\x5D;B[aa];W[bb])",
    b"CA[Shift_JIS]C[\x81\x5D;B[aa];W[bb])",
    b"C[\x81\x5C\x5C];B[aa])",
    b"C[\x81\x5C\x5C\x5C];B[aa])",
    b"C[\x81\x5DX];B[aa]C[\x81\x5D X[aa];B[bb])",
    b"CA[GBK]C[\x81\x5D];B[aa]C[\x81\x5D])(;C[\x81\x5D])",
    b"CA[\x81\x5D\xE9]C[\x81\x5D\xE9];B[aa]C[\x81\x5D\xE9])",
    b"CA[\x81\x5D\xE9]CA[GBK]C[\x81\x5D];B[aa]C[\x81\x5D])",
    b"C[(;FF[4];B[aa])",
    b"C[[[[];B[aa]C[a [b] c];W[bb])",
    b"KO;B[aa]\0;W[bb])",
    b"\0",
    b";B[aa];W[bb];B[cc];W[dd];B[ee];W[ff];B[gg];W[hh];B[ii];W[jj];B[kk];W[ll];B[mm];W[nn]C[x];B[oo])",
    b";B[aa]\n;W[bb]\n;B[cc]\r\n;W[dd]\r\n;B[ee] ;W[ff];B[g7];W[hh]\n;B[ii]\n;W[jj]\n;B[kk]\n)",
];

fn check(input: &[u8]) {
    let steps = twin::parse(input, Bounds::default());
    fronts::assert_slice_and_bytes_read(input, &steps);
}

#[test]
fn each_tail_at_each_place() {
    for shift in (0..140).step_by(STEP) {
        for tail in TAILS {
            let spaces = " ".repeat(shift);
            check(&[b"(;C[", spaces.as_bytes(), b"]", tail].concat());
            check(&[b"(;B[aa](;W[bb]C[", spaces.as_bytes(), b"]", tail].concat());
            check(&[spaces.as_bytes(), b"(;", tail].concat());
        }
    }
}

/// A byte that may be half a character, at each place of a block: in a text longer than a block,
/// and after runs of high bytes of all lengths.
#[test]
fn each_half_of_a_character_at_each_place() {
    const HALVES: [&[u8]; 14] = [
        b"\xD4\x5D",
        b"\xD4\x5D\xD4\x5D.",
        b"\xD4\x5Da1",
        b"\xD4\x5D B[aa]",
        b"\xD4\x5D\x5D;B[bb]C[",
        b"\xC4\xE3];B[bb]C[",
        b"\xC4\xE3\xA4\x5D",
        b"\xE9\xBB\x92\x5D",
        b"\xE9\x5C\xD4\x5D",
        b"\xE9\x5C\x5C\n",
        b"\xE9\x5C\x5D",
        b"\xE9\x5C\x5D;B[bb]C[",
        b"\xE9\x5C\x5C\x5D",
        b"\xE9\x5C\x5C\x5D;B[bb]C[",
    ];
    let rest = b"\xC4\xE3\xD4\x5D\xBA\xC3".repeat(14);
    for before in [&b"\xC4"[..], b"\xB1\xED", b"\xD4\x5D", b" "] {
        for shift in (0..70).step_by(STEP) {
            for half in HALVES {
                let before: Vec<u8> = before.iter().copied().cycle().take(shift).collect();
                check(
                    &[
                        b"(;C[",
                        &before[..],
                        half,
                        &rest,
                        b"];W[aa]C[",
                        half,
                        b"];B[aa])",
                    ]
                    .concat(),
                );
            }
        }
    }
}

/// The last bytes of a text decide whether its `]` ends it, also after enough blocks to make the
/// reader search for the end.
#[test]
fn each_end_of_a_text_at_each_place() {
    const ENDS: [&[u8]; 16] = [
        b"]",
        b"[x]",
        b"[23456789]",
        b"[234567890]",
        b"\\]]",
        b"\\\\]",
        b"\\a[b]",
        b"\xC4]",
        b"\xC4]C[\xC4\xE3]",
        b"\xC4\\]]",
        b"\xD4\x5Da]",
        b"\xD4\x5DB]",
        b"\\\xD4\x5D",
        b"(;FF[4];B[aa]",
        b"(;FF[4]",
        b"(;[4]",
    ];
    // After short values, token lists are longer.
    let short = ";N[x]BM[1]".repeat(40);
    // At each place of a block that vectors read, and of a block that a search skips.
    for shift in (60..130).chain(500..570).step_by(STEP) {
        let text = "a".repeat(shift);
        for end in ENDS {
            for root in ["", "CA[GBK]"] {
                let before = format!("(;{root}{short}C[");
                check(&[before.as_bytes(), text.as_bytes(), end, b"N[x];B[aa])"].concat());
            }
            check(&[b"(;W[cc]C[x\\]", text.as_bytes(), end].concat());
        }
    }
}

/// Inputs longer than a token list, in bytes or in marks.
#[test]
fn inputs_longer_than_a_token_list() {
    let text = "a word ".repeat(700);
    let escapes = "\\] ".repeat(1500);
    let list = "[aa]".repeat(1200);
    let empty = "[]".repeat(2500);
    let nodes = ";".repeat(5000);
    let deep = ["(;B[aa]".repeat(800), ")".repeat(801)].concat();
    let wide = "(;B[aa])".repeat(700);
    let blanks = " \n".repeat(1500);
    for shift in [0, 1, 7, 30, 58, 59, 60, 61, 62, 63] {
        let spaces = " ".repeat(shift);
        for long in [
            format!("C[{text}];W[bb])"),
            format!("C[{escapes}];W[bb])"),
            format!("AB{list};W[bb])"),
            format!("AB{empty};W[bb])"),
            format!("AB[aa]{blanks}[bb]{blanks};W[bb](;B[cc])(;W[dd]))"),
            format!("{nodes};W[bb])"),
            format!("{deep})(;B[aa])"),
            format!("{wide})(;B[aa])"),
            format!("{blanks}({blanks};B[cc]){blanks}(;W[dd])){blanks}(;B[ee])"),
        ] {
            check(format!("(;C[{spaces}]{long}").as_bytes());
        }
    }
}

/// A token list that goes on in the next games reads each by its own declarations: the framing of
/// its values, letters of its identifiers, and its charset.
#[test]
fn lists_over_games_of_other_declarations() {
    const ROOTS: [&[u8]; 9] = [
        b"(;FF[4]CA[UTF-8]",
        b"(;FF[4]GM[1]CA[GBK]",
        b"(;CA[Shift_JIS]FF[4]",
        b"(;CA[ISO-8859-1]",
        b"(;FF[3]White[x]",
        b"(;GaMe[1]FF[4]",
        b"(;",
        b"(;C[\xE9\xBB\x92]",
        b"(;CA[none]",
    ];
    const PIECES: [&[u8]; 17] = [
        b"C[\x83\x5C];text that goes on to here]",
        b"C[\xC4\xE3\xD4\x5D]",
        b"C[\xC4\xE3]",
        b"C[\xE9\x5C]]",
        b"C[caf\xC3\xA9]",
        b"C[\x83\x5C]N[\xE9]",
        b";Black[aa]",
        b";B[aa]White[bb]",
        b";W[bb]",
        b";AB[aa][bb]C[x]",
        b"(;B[cc])",
        b"(;B[cc](;Comment[\xE9]))",
        b"C[a \\] b]",
        b";B[aa];W[bb];B[cc];W[dd];B[ee];W[ff];B[gg];W[hh]",
        b";C[a text of many bytes, which is longer than a block of sixty-four]",
        b";C[\xC4\xE3]LB[aa:\xE9]",
        b"\n",
    ];
    const BETWEEN: [&[u8]; 6] = [b"", b"\n", b"\r\n\r\n", b" text ", b")", b"\0"];
    let mut rng = fastrand::Rng::with_seed(41);
    let mut pick = |from: &[&'static [u8]]| from[rng.usize(..from.len())];
    for archive in 0..if cfg!(debug_assertions) { 300 } else { 3000 } {
        let mut input = Vec::new();
        for game in 0..archive % 12 + 2 {
            input.extend_from_slice(pick(&ROOTS));
            for _ in 0..game % 7 {
                input.extend_from_slice(pick(&PIECES));
            }
            input.push(b')');
            input.extend_from_slice(pick(&BETWEEN));
        }
        check(&input);
        fronts::assert_detected_alike(&input);
    }
}
