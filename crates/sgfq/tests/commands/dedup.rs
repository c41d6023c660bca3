//! `dedup`.

use super::{Place, run, sgfq};

#[test]
fn each_game_once() {
    let place = Place::new();
    let rejects = place.text("twice.sgf");
    let out = sgfq(&["dedup", "--rejects", &rejects]).done();
    assert_eq!(out.lines().count(), 3);
    assert!(place.read("twice.sgf").contains("PB[Dan]"));
}

#[test]
fn a_turned_board_is_the_same_if_it_is_asked_for() {
    let games =
        b"(;B[pd];W[dp];B[cc])(;B[pp];W[dd];B[qc])(;SZ[13];B[dd])(;GM[11];B[a1])(;GM[11];B[k11])(;GM[11];B[k1])";
    assert_eq!(run(&["dedup"], games).done().lines().count(), 6);
    assert_eq!(run(&["dedup", "--by", "symmetric"], games).done().lines().count(), 4);
}

#[test]
fn games_without_moves_are_all_kept() {
    assert_eq!(run(&["dedup"], b"(;C[a])(;C[b])(;AB[aa])(;AB[aa])").done(), "(;C[a])\n(;C[b])\n(;AB[aa])\n");
}

#[test]
fn twice_is_once() {
    let once = sgfq(&["dedup"]).done();
    assert_eq!(run(&["dedup"], once.as_bytes()).done(), once);
}
