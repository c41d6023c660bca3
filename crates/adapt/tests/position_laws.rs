//! Some changes promise to keep the position and the game information at each node: `fix` without
//! guesses, the canonical layout, `upgrade` and `compress`.

use proptest::prelude::*;
use sgfstream::{Options, Severity, transcode};
use sgfstream_adapt::edit::{Rewriter, edit};
use sgfstream_adapt::fix::{FixFilter, fix};

use crate::{common, positions};

/// Reads every seventh of the real files; `.ci/full` reads all.
const STEP: usize = if cfg!(debug_assertions) { 7 } else { 1 };

fn assert_all_keep(bytes: &[u8], name: &str) {
    for level in [Severity::Error, Severity::Warning, Severity::Note] {
        let fixed = fix(
            bytes,
            &FixFilter::from_level(level),
            Options::default(),
            |_, _, _| {},
        );
        positions::assert_kept(bytes, &fixed, &format!("{name}: fix --level {level}"));
    }
    for name_of_edit in ["canonical", "upgrade", "compress"] {
        let written = Rewriter::new(vec![edit(name_of_edit, "").expect("an edit")]).slice(bytes);
        positions::assert_kept(bytes, &written, &format!("{name}: {name_of_edit}"));
    }
}

#[test]
fn real_games_keep_their_positions() {
    common::each_file(STEP, |name, bytes| assert_all_keep(&transcode(bytes), name));
}

#[test]
fn known_cases_keep_their_positions() {
    for case in [
        "(;FF[4]GM[1]SZ[3]AB[aa:cc]AE[bb];W[bb])",
        "(;FF[4]GM[1]SZ[3]AB[aa]AW[aa]AB[aa];W[cc])",
        "(;FF[4]GM[1]SZ[3]AB[aa]AW[aa][bb]AB[cc];W[ca])",
        "(;FF[4]GM[1]PL[]AB[aa]PL[W])",
        "(;FF[4]GM[1]PL[2]AB[aa]PL[1](;W[bb]))",
        "(;FF[4]GM[1];B[aa]PL[B];B[bb])",
        "(;FF[4]GM[1];B[aa]PL[W];W[bb])",
        "(;FF[4]GM[1];B[aa];W[aa]AB[aa]C[x];B[bb])",
        "(;FF[4]GM[1];AW[ab]B[aa]AW[aa]AB[bb];W[cc])",
        "(;FF[4]GM[1]HA[1]KM[6,5];B[aa])",
        "(;FF[4]GM[1]SZ[:9];B[aa])",
        "(;FF[4]GM[1]SZ[foo]KM[6,5];B[aa])",
        "(;FF[4]GM[1]DT[2021-13-01];B[aa])",
        "(;FF[4]GM[1]PB[x]\u{3000}PW[y]\u{a0}\u{feff};B[aa]\u{3000};W[bb])",
        ";F[\n(;GM[)(;GM[1]Fe..0\n..0\n\n.0\n",
        "(;FF[4]GM[1]C[x\n(;FF[",
    ] {
        assert_all_keep(case.as_bytes(), case);
    }
}

/// Generates a property of a node, which often collides with another one.
fn property() -> impl Strategy<Value = String> {
    let point = prop_oneof![4 => "[a-d][a-d]", 1 => " [a-d] [a-d] ", 1 => "[a-d][a-d]:[a-d][a-d]", 1 => "|zz|tt|A1"];
    let values = prop::collection::vec(point, 1..4);
    let setup = (
        prop::sample::select(vec!["AB", "AW", "AE", "AddBlack"]),
        values,
    )
        .prop_map(|(ident, values)| {
            values
                .iter()
                .fold(ident.to_owned(), |all, value| format!("{all}[{value}]"))
        });
    let mv = ("B|W", " ?[a-d] ?[a-d]|tt||[a-d]{4}")
        .prop_map(|(ident, value)| format!("{ident}[{value}]"));
    let info = prop::sample::select(vec![
        "PL[B]",
        "PL[W]",
        "PL[]",
        "PL[2]",
        "KO[]",
        "PB[x]",
        "PB[y]",
        "PW[]",
        "EV[a][b]",
        "HA[0]",
        "HA[1]",
        "HA[3]",
        "KM[6,5]",
        "KM[0]",
        "DT[2021-13-01]",
        "DT[196?]",
        "DT[1996/12/24]",
        "RE[Black resigns]",
        "RE[0-1]",
        "TM[2m30s]",
        "C[a]",
        "C[]",
        "TE[1]BM[1]",
        "MN[1]",
        "BL[3]",
        "N[x]",
        "TR[aa][aa]",
        "VW[]",
        "DD[]",
        "L[aa]",
        "M[bb]",
    ]);
    prop_oneof![4 => setup, 4 => mv, 4 => info.prop_map(str::to_owned)]
}

fn node() -> impl Strategy<Value = String> {
    let blanks = prop_oneof![8 => Just(""), 1 => Just(" \n"), 1 => Just("\u{3000}"), 1 => Just("\u{a0}"), 1 => Just("x")];
    prop::collection::vec((property(), blanks), 0..6).prop_map(|properties| {
        properties
            .iter()
            .fold(";".to_owned(), |all, (one, blanks)| all + one + blanks)
    })
}

fn game() -> impl Strategy<Value = String> {
    let root = prop::sample::select(vec![
        "FF[4]GM[1]",
        "GM[1]",
        "FF[1]GM[1]SZ[4]",
        "FF[4]GM[1]SZ[:9]",
        "FF[3]SZ[foo]",
        "FF[4]SZ[9:9]",
        "FF[4]GM[1]SZ[5][7]",
        "FF[4]GM[1]SZ[4:6]CA[UTF-8]",
        "",
        "FF[4]GM[1]CA[GBK]",
        "FF[4]GM[11]SZ[6]",
        "FF[4]GM[18]",
    ]);
    let nodes = || prop::collection::vec(node(), 0..4).prop_map(|nodes| nodes.concat());
    let variation = prop_oneof![3 => nodes().prop_map(|nodes| format!("(;{nodes})")), 1 => nodes()];
    (
        root,
        node(),
        nodes(),
        prop::collection::vec(variation, 0..3),
    )
        .prop_map(|(root, first, nodes, variations)| {
            format!("(;{root}{}{nodes}{})\n", &first[1..], variations.concat())
        })
}

proptest! {
    #[test]
    fn games_keep_their_positions(games in prop::collection::vec(game(), 1..3), cut in prop::option::of(any::<prop::sample::Index>())) {
        let mut bytes = games.concat().into_bytes();
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        assert_all_keep(&bytes, &bytes.escape_ascii().to_string());
    }
}

/// A node with setup between two moves is left, because no split gives the same board.
#[test]
fn setup_between_moves_stays() {
    for bytes in [
        &b"(;FF[4]GM[1];W[aa]AW[dc]B[dc])\n"[..],
        b"(;FF[4]GM[1];PL[B]B[aa]PL[B])\n",
        b"(;FF[4]GM[1];B[aa]AE[aa]W[aa]AW[bb])\n",
    ] {
        assert_all_keep(bytes, &bytes.escape_ascii().to_string());
    }
}
