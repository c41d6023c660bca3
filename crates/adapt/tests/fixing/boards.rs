//! A fix keeps the boards, except for guesses.

use sgfstream::record::GameReader;
use sgfstream::{Options, Severity, SliceReader};
use sgfstream_adapt::check::Finding;
use sgfstream_adapt::fix::{FixFilter, Outcome, fix};
use sgfstream_game::{Facts, GameBoard};

use super::{fixed, with_borders};
use crate::common;

/// Returns the board at the end of each node of the main line. It plays property by property, and
/// shares no code with the repairs.
pub(super) fn boards(input: &[u8]) -> Vec<String> {
    let (mut boards, mut games) = (Vec::new(), GameReader::new(SliceReader::new(input)));
    while let Some(game) = games.next_game().expect("no limit is set") {
        let game = game.expect("the game is short");
        let dialect = Facts::of(game, 0).dialect();
        let Ok(mut board) = GameBoard::new(&dialect) else {
            continue;
        };
        for node in game.main_line_nodes() {
            for (_, property) in node.properties() {
                _ = board.apply(&property);
            }
            boards.push(format!("{}\n{board}", dialect.size()));
            boards.dedup();
        }
    }
    boards
}

/// Repairs that are not guesses keep the board of every node.
#[test]
fn a_repair_that_is_no_guess_keeps_all_boards() {
    let choice = FixFilter::from_level(Severity::Note);
    for (input, expected) in [
        (
            "(;FF[4]GM[1]SZ[3]AB[aa:cc]AE[bb];W[bb])",
            "(;FF[4]GM[1]SZ[3]AB[aa:ca][ab:ac][cb:cc][bc]AE[bb]XK[AB: bb];W[bb])",
        ),
        (
            "(;FF[4]GM[1]SZ[3]AB[aa]AW[aa][bb];B[cc])",
            "(;FF[4]GM[1]SZ[3]AW[aa][bb]XK[AB: aa];B[cc])",
        ),
        (
            "(;FF[4]GM[1]SZ[3]AE[aa:cc]AB[bb];W[aa])",
            "(;FF[4]GM[1]SZ[3]AE[aa:ca][ab:ac][cb:cc][bc]AB[bb]XK[AE: bb];W[aa])",
        ),
        (
            "(;FF[4]GM[1]SZ[3]AB[aa]AW[bb]AB[aa];W[cc])",
            "(;FF[4]GM[1]SZ[3]AB[aa]AW[bb];W[cc])",
        ),
        (
            "(;FF[4]GM[1]SZ[3]AB[aa]AW[aa]AB[aa];W[cc])",
            "(;FF[4]GM[1]SZ[3]AB[aa]AW[aa]AB[aa];W[cc])",
        ),
        ("(;FF[4];AP[edax:1];B[aa])", "(;FF[4];AP[edax:1];B[aa])"),
        ("(;FF[4]GM[1]SZ[:9];B[aa])", "(;FF[4]GM[1]SZ[:9];B[aa])"),
        ("(;FF[4]GM[1]SZ[foo];B[aa])", "(;FF[4]GM[1]SZ[foo];B[aa])"),
        ("(;FF[4]GM[1]SZ[9:9];B[ aa ])", "(;FF[4]GM[1]SZ[9];B[aa])"),
        (
            "(;FF[4]GM[1]SZ[9]AB[c  e][aa];B[ bb ])",
            "(;FF[4]GM[1]SZ[9]AB[ce][aa];B[bb])",
        ),
    ] {
        let output = fixed(input.as_bytes(), &choice);
        assert_eq!(String::from_utf8_lossy(&output), expected, "{input}");
    }
    let mut games = 0;
    common::each_file(16, |name, bytes| {
        let is_left = |_: usize, _: &Finding, _: Outcome| {};
        let output = fix(bytes, &FixFilter::default(), Options::default(), is_left);
        // A node that a repair splits has an additional board.
        let (before, after) = (
            boards(&with_borders(bytes, &FixFilter::default())),
            boards(&output),
        );
        let mut rest = after.iter();
        assert!(
            before.iter().all(|board| rest.any(|other| other == board)),
            "{name}"
        );
        assert_eq!(before.last(), after.last(), "{name}");
        games += 1;
    });
    assert!(games > 50);
}
