//! `charset`, `--charset detect`, `diff`.

use super::{Place, run};

#[test]
fn a_line_for_each_game() {
    let games = b"(;CA[UTF-8]C[\xe9])(;CA[Shift_JIS]C[\x95\x5c\x8e\xa6\x83\x5d])(;C[x])";
    let out = run(&["charset"], games).done();
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["game", "declared", "valid", "detected", "confidence", "framing"]);
    assert_eq!(lines[1], ["-#1", "UTF-8", "no", "windows-1252", "low", "either"]);
    assert_eq!(lines[2][..3], ["-#2", "Shift_JIS", "yes"]);
    assert_eq!(lines[2][5], "whole");
    assert_eq!(lines[3], ["-#3", "-", "ascii", "-", "-", "either"]);
    assert!(run(&["charset", "-f", "jsonl"], games).done().contains("\"declared\":null"));
}

#[test]
fn detection_is_for_games_that_say_nothing() {
    let text = "黒番の先手が右上の星に打ち、白は左下の小目に構えた。";
    let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode(text);
    let games = [b"(;PB[", &*sjis, b"])(;CA[UTF-8]PB[", "é".as_bytes(), b"])"].concat();
    let out = run(&["get", "charset,charset_source,pb", "--charset", "detect", "-f", "csv"], &games).done();
    assert_eq!(out, format!("charset,charset_source,pb\nShift_JIS,detected,{text}\nUTF-8,declared,é\n"));
    let out = run(&["rewrite", "--charset", "detect", "--utf8"], &games).done();
    assert_eq!(out, format!("(;CA[UTF-8]PB[{text}])(;CA[UTF-8]PB[é])"));
}

#[test]
fn where_games_part() {
    let place = Place::new();
    let one = place.put("1.sgf", b"(;GM[1]SZ[19]PB[x]CA[windows-1252]C[\xe9];B[pd];W[tt];B[qq])");
    let same = place.put("2.sgf", "( ;PlayerBlack[x]GM[1]\nSZ[19]C[\u{e9}]CA[UTF-8];B[p d];W[];B[qq])");
    let other = place.put("3.sgf", "(;GM[1]SZ[19]PB[x]C[\u{e9}];B[pd];W[];B[qr])");
    let turned = place.put("4.sgf", "(;GM[1]SZ[19]PB[x]C[\u{e9}];B[pp];W[];B[cq])");
    assert_eq!(run(&["diff", &one, &same], b"").done(), "");
    let out = run(&["diff", &one, &other], b"").nothing();
    assert!(
        out.starts_with("game 1, node 3: ") && out.contains("expected `B[qq]`") && out.contains("found `B[qr]`"),
        "{out}"
    );
    assert!(out.contains("line 1, column 51 (byte 50)"), "{out}");
    assert_eq!(run(&["diff", "--symmetry", &one, &turned], b"").done(), format!("{one} turned: rotate-90\n"));
    assert!(run(&["diff", &one, &turned], b"").nothing().contains("node 1"));
    let out = run(&["diff", "--ignore", "comments", &one, &place.put("5.sgf", "(;GM[1]SZ[19]PB[x];B[pd];W[tt])")], b"");
    let out = out.nothing();
    assert!(out.contains("expected a node with `B[qq]`") && out.contains("found the end of a variation"), "{out}");
}
