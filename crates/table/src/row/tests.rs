//! Tests of rows, from the bytes of games.

use super::{
    Cell, Column, ColumnSet, FilledRow, GameRow, Probe, Probes, RowReader, write_complete,
};
use crate::filter::Filter;
use sgfstream::SliceReader;

fn row(game: &[u8]) -> GameRow {
    let mut filled = FilledRow::new(ColumnSet::all());
    let mut rows = RowReader::new(SliceReader::new(game), &mut filled);
    rows.next_row().expect("no I/O").expect("a game").clone()
}

fn shown(game: &[u8], column: &str) -> String {
    Column::find(column)
        .expect("a column")
        .get(&row(game))
        .to_string()
}

#[test]
fn columns_of_the_root() {
    for (game, column, value) in [
        (&b"(;FF[4]GM[Blokus Duo])"[..], "variant", "Blokus Duo"),
        (b"(;FF[4]GM[Blokus Duo])", "gm", ""),
        (b"(;)", "variant", "Go"),
        (b"(;)", "gm", "1"),
        (b"(;)", "ff", "1"),
        (b"(;FF[x])", "ff", ""),
        (b"(;FF[5])", "ff", ""),
        (b"(;FF[ 3])", "ff", "3"),
        (b"(;)", "board_width", "19"),
        (b"(;SZ[])", "board_width", "19"),
        (b"(;SZ[9 9])", "board_width", ""),
        (b"(;SZ[100])", "board_width", ""),
        (b"(;SZ[9\xc3\x979])", "board_width", ""),
        (b"(;SZ[0])", "board_height", ""),
        (b"(;SZ[0];B[aa];W[aa])", "illegal_moves", ""),
        (b"(;GM[11])", "board_width", "11"),
        (b"(;GM[11]AP[GoRilla:1])", "board_width", "17"),
        (b"(;GM[40]SZ[NG])", "board_height", "32"),
        (b"(;SZ[15]5A[2];B[hh])", "variant", "Gomoku+Renju"),
        (
            b"(;SZ[13]EV[hex.mc]SO[http://www.littlegolem.net];W[ad])",
            "gm",
            "11",
        ),
        (b"(;GM[Checkers])", "variant", "Checkers"),
        (b"(;SZ[19:13])", "board_height", "13"),
        (b"(;PlayerBlack[Me])", "pb", "Me"),
        (b"(;PB[one]PB[two])", "pb", "one"),
        (b"(;PB[\xba\xda]CA[GBK])", "pb", "黑"),
        (b"(;BR[P9\xe6\xae\xb5]CA[UTF-8])", "br_level", "29"),
        (b"(;WR[3 kyu])", "wr_level", "-3"),
        (b"(;DT[1996-12-27,28,1997-01-03])", "date_min", "1996-12-27"),
        (b"(;DT[1996-12])", "date_max", "1996-12-31"),
        (b"(;RE[White wins by resignation])", "winner", "W"),
        (b"(;RE[White wins by resignation])", "win_by", "resign"),
        (b"(;RE[B+3.5])", "margin", "3.5"),
        (b"(;KM[6,5])", "km", "6.5"),
        (b"(;HA[2])", "ha", "2"),
        (b"(;TM[10 min])", "tm", "600"),
        (b"(;TM[1:00:00])", "tm", "3600"),
        (b"(;OT[5x30 byo-yomi])", "ot_system", "byo-yomi"),
        (b"(;OT[3x 30 sec])", "ot_periods", "3"),
        (b"(;OT[25/600 Canadian])", "ot_time", "600"),
        (b"(;OT[as agreed])", "ot_system", ""),
        (b"(;GM[1]TM[1200]TC[3]TT[60])", "ot_system", "byo-yomi"),
        (b"(;GM[1]TM[1200]TC[3]TT[60])", "ot_periods", "3"),
        (b"(;GM[1]TM[1200]TC[3]TT[60])", "ot_time", "60"),
        (b"(;GM[1]TC[0]TT[0])", "ot_system", ""),
        (
            b"(;GM[1]TE[Kisei 50]RD[2026-05-12]KO[6.5]LT[60]LC[5])",
            "ev",
            "Kisei 50",
        ),
        (b"(;GM[1]TE[1]RD[2026-05-12]KO[6.5]LT[60]LC[5])", "ev", ""),
        (
            b"(;GM[1]TE[Kisei 50]RD[2026-05-12]KO[6.5]LT[60]LC[5])",
            "date_min",
            "2026-05-12",
        ),
        (
            b"(;GM[1]DT[]RD[2026-05-12]DT[2026-05-13])",
            "date_min",
            "2026-05-13",
        ),
        (b"(;GM[1]KO[6.5]KM[7.5])", "komi", "7.5"),
        (b"(;GM[1]KO[6.5]KM[ ])", "komi", "6.5"),
        (b"(;GM[4]KO[6.5])", "komi", ""),
        (b"(;GM[1]LT[60]LC[5]TT[]TC[])", "ot_periods", "5"),
        (b"(;GM[1]LT[60]LC[5]TT[7200]TC[])", "ot_time", "60"),
        (b"(;GM[1]LT[60]LC[5]TT[7200]TC[])", "tm", "7200"),
        (b"(;GM[1]OT[30 simple]TC[3]TT[60])", "ot_time", "30"),
        (b"(;AP[CGoban:3])", "app", "CGoban:3"),
        (b"(;PB[two\nlines])", "pb", "two lines"),
    ] {
        assert_eq!(
            shown(game, column),
            value,
            "{column} of {}",
            String::from_utf8_lossy(game)
        );
    }
}

/// FF[4] allows game information in any node. The order of a node's properties does not matter.
#[test]
fn game_information_may_follow_the_root() {
    let late =
        b"(;;GM[11];PB[Ada]RE[W+R]GM[2];KM[6.5]W[aa]EV[cup]PB[Eve];PC[too late])(;PW[Ben];B[aa](;PB[x]))(;PB[Cyd])";
    let columns = ["gm", "pb", "pw", "winner", "km", "ev", "pc"];
    let all = columns.map(|name| Column::find(name).expect("a column"));
    let expected = [
        ["1", "Ada", "", "W", "6.5", "cup", ""],
        ["1", "", "Ben", "", "", "", ""],
        ["1", "Cyd", "", "", "", "", ""],
    ];
    // The row at the root equals the row at the end, regardless of other columns.
    for more in [&[][..], &["moves", "hash"]] {
        let more = more
            .iter()
            .map(|name| Column::find(name).expect("a column"));
        let set = ColumnSet::of(all.into_iter().chain(more));
        let mut probes = Probes::default();
        probes.push(Probe::Has(b"EV".to_vec()));
        for probes in [Probes::default(), probes] {
            let mut filled = FilledRow::with_probes(set, probes);
            let mut rows = RowReader::new(SliceReader::new(late), &mut filled);
            let shown = |row: &GameRow| all.map(|column| column.get(row).to_string());
            let mut found = Vec::new();
            while rows.next_root().expect("no I/O") {
                let at_root = shown(rows.row());
                assert_eq!(
                    shown(rows.finish_row().expect("no I/O").expect("short").row()),
                    at_root
                );
                found.push(at_root);
            }
            assert_eq!(found, expected);
        }
    }
    // In a file of merged games, the root and the first nodes have no game information.
    let parted = b"(;GM[1];B[aa];W[bb](;B[cc]PB[Ada]PW[Ben];W[dd]EV[late](;B[ee]EV[later]))(;B[ff]PB[Cyd]KM[5.5]))";
    let mut filled = FilledRow::new(ColumnSet::of(all));
    let mut rows = RowReader::new(SliceReader::new(parted), &mut filled);
    assert!(rows.next_root().expect("no I/O"));
    assert_eq!(
        all.map(|column| column.get(rows.row()).to_string()),
        ["1", "Ada", "Ben", "", "", "", ""]
    );
    // The value of a column does not depend on the other columns.
    for (at, column) in all.into_iter().enumerate() {
        let mut filled = FilledRow::new(ColumnSet::of([column]));
        let mut rows = RowReader::new(SliceReader::new(late), &mut filled);
        for row in &expected {
            assert!(rows.next_root().expect("no I/O"));
            assert_eq!(column.get(rows.row()).to_string(), row[at]);
        }
        assert!(!rows.next_root().expect("no I/O"));
    }
}

#[test]
fn columns_of_the_nodes() {
    let game = b"  (;AB[dd]B[aa];W[];B[tt](;W[bb]C[1234](;B[cc]))(;W[dd]GC[56])) ";
    for (column, value) in [
        ("moves", "5"),
        ("nodes", "6"),
        ("variations", "3"),
        ("depth", "3"),
        ("comment_bytes", "6"),
        ("first_moves", "aa pass pass bb cc"),
        ("byte_offset", "2"),
        ("length", "61"),
        ("errors", "0"),
    ] {
        assert_eq!(shown(game, column), value, "{column}");
    }
}

#[test]
fn first_players() {
    for (game, side) in [
        (&b"(;PL[W];B[aa])"[..], "W"),
        (b"(;;AB[aa]PL[white];B[bb])", "W"),
        (b"(;B[aa]PL[W])", "B"),
        (b"(;;W[aa];PL[B])", "W"),
        (b"(;GM[Blokus];3[a1])", "3"),
        // If the record does not name the first player, the rules decide.
        (b"(;)", "B"),
        (b"(;HA[2])", "W"),
        (b"(;HA[0])", "B"),
        (b"(;GM[3])", ""),
    ] {
        assert_eq!(
            shown(game, "to_play"),
            side,
            "{}",
            String::from_utf8_lossy(game)
        );
    }
}

#[test]
fn forms_of_a_handicap() {
    for (game, form) in [
        (&b"(;HA[2]AB[aa][bb];W[cc])"[..], "stones"),
        (b"(;HA[2];B[aa];B[bb];W[cc])", "moves"),
        (
            b"(;HA[9];B[aa];B[ba];B[ca];B[da];B[ea];B[fa];B[ga];B[ha];B[ia];W[cc])",
            "moves",
        ),
        (b"(;HA[3];B[aa];B[bb];W[cc])", "none"),
        (b"(;HA[2];W[cc])", "none"),
        (b"(;HA[2];C[x];AB[aa][bb];W[cc])", "stones"),
        (b"(;HA[2];W[cc];AB[aa][bb])", "none"),
        (b"(;HA[0]AB[aa])", ""),
        (b"(;AB[aa])", ""),
    ] {
        assert_eq!(
            shown(game, "handicap_form"),
            form,
            "{}",
            String::from_utf8_lossy(game)
        );
    }
}

#[test]
fn game_and_size_may_follow_the_moves_of_a_root() {
    assert_eq!(shown(b"(;1[a1]2[b2]GM[Blokus])", "moves"), "2");
    assert_eq!(shown(b"(;1[a1]2[b2])", "moves"), "0");
    assert_eq!(shown(b"(;P0[id \"x\"]GM[27];P0[0 Start P0])", "moves"), "1");
    assert_eq!(shown(b"(;BLUE[a1][a2]GM[Blokus];RED[b1,b2])", "moves"), "2");
}

#[test]
fn problems_belong_to_their_game() {
    let mut filled = FilledRow::new(ColumnSet::all());
    let mut rows = RowReader::new(
        SliceReader::new(b"(;B[aa](;W[bb]);B[cc])(;B[dd])"),
        &mut filled,
    );
    assert_eq!(
        rows.next_row().expect("no I/O").and_then(|row| row.errors),
        Some(1)
    );
    assert_eq!(
        rows.next_row().expect("no I/O").and_then(|row| row.errors),
        Some(0)
    );
}

#[test]
fn problems_after_the_last_game_are_not_those_of_the_next_file() {
    let mut filled = FilledRow::new(ColumnSet::all());
    let mut rows = RowReader::new(SliceReader::new(b"(;B[aa]) \x00;;; ]] ("), &mut filled);
    while rows.next_row().expect("no I/O").is_some() {}
    filled.set_input("next".to_owned(), None);
    let mut rows = RowReader::new(SliceReader::new(b"(;B[bb])"), &mut filled);
    let row = rows.next_row().expect("no I/O").expect("a game");
    assert_eq!(
        (row.errors, row.warnings, row.source.as_deref()),
        (Some(0), Some(0), Some("next"))
    );
}

#[test]
fn a_complete_game_has_what_its_file_lacks() {
    for (games, complete) in [
        (
            &b"(;B[aa](;C[a];W[bb](;B[cc]))(;W[cc]))"[..],
            &b"(;B[aa](;C[a];W[bb](;B[cc]))(;W[cc]))"[..],
        ),
        (
            b"(;B[aa](;C[a];W[bb](;B[cc](;B[dd",
            b"(;B[aa](;C[a];W[bb](;B[cc](;B[dd]))))",
        ),
        (b"(;C[a];B[bb", b"(;C[a];B[bb])"),
        // After the cut, the rest looks like another game.
        (b"(;C[a];C[a\n(;GM[1", b"(;C[a];C[a\n(;GM[1\\\n])"),
        (b"(;C[a];AB[aa]\n[bb\\", b"(;C[a];AB[aa]\n[bb])"),
    ] {
        let mut filled = FilledRow::new(ColumnSet::default());
        let mut rows = RowReader::new(SliceReader::new(games), &mut filled);
        assert!(rows.next_root().expect("no I/O"));
        rows.read_rest().expect("no I/O").expect("short");
        let mut written = Vec::new();
        write_complete(&rows.game().expect("it was read"), &mut written).expect("memory");
        assert_eq!(written, complete);
    }
}

#[test]
fn moves_of_old_pentobi_games_are_lists_of_points() {
    let old = b"(;GM[Blokus];1[a20][b20];2[t20][t19])";
    assert_eq!(
        row(old).hash,
        row(b"(;GM[Blokus];1[a20,b20];2[t20,t19])").hash
    );
    assert_ne!(
        row(old).hash,
        row(b"(;GM[Blokus];1[a20][b19];2[t20][t19])").hash
    );
    assert_eq!(
        (shown(old, "moves"), shown(old, "first_moves")),
        ("2".into(), "a20,b20 t20,t19".into())
    );
}

#[test]
fn a_pass_is_called_a_pass() {
    assert_eq!(
        shown(b"(;SZ[19];B[pd];W[tt];B[])", "first_moves"),
        "pd pass pass"
    );
    assert_eq!(shown(b"(;SZ[21];B[pd];W[tt])", "first_moves"), "pd tt");
}

#[test]
fn the_same_line_has_the_same_hash() {
    let hash = |game: &[u8]| row(game).hash;
    let canonical = |game: &[u8]| row(game).canonical_hash;
    let one = b"(;GM[1]SZ[19]PB[x]C[comment];B[pd];W[dp];B[](;W[qq]))";
    let same = b"(;FF[4];Black[pd]C[other] ; W[d\np]LB[aa:1];B[tt](;W[qq])(;W[cc]))";
    assert_eq!(hash(one), hash(same));
    assert!(hash(one).is_some());
    assert_ne!(hash(one), hash(b"(;GM[1]SZ[13];B[pd];W[dp];B[];W[qq])"));
    assert_ne!(hash(one), hash(b"(;GM[1];B[pd];W[dp];B[];B[qq])"));
    assert_eq!(
        canonical(b"(;SZ[9];B[cd];AB[aa:ab])"),
        canonical(b"(;SZ[9];B[gf];AB[ii][ih])")
    );
    assert_ne!(
        canonical(b"(;SZ[9];B[cd];AB[aa:ab])"),
        canonical(b"(;SZ[9];B[gf];AB[ii][hi])")
    );
    assert_eq!(
        canonical(b"(;SZ[13:9];B[aa];W[mb])"),
        canonical(b"(;SZ[9:13];B[aa];W[bm])")
    );
    assert_eq!(
        canonical(b"(;GM[11];B[A2];W[swap-pieces])"),
        canonical(b"(;GM[11];B[k10];W[swap-pieces])")
    );
    assert_ne!(canonical(b"(;GM[11];B[a2])"), canonical(b"(;GM[11];B[b1])"));
    assert_eq!(hash(b"(;PB[x];C[no move])"), None);
    // Setup comes before the moves of its node, in any order.
    assert_eq!(
        hash(b"(;AB[dd][pp]AW[dp]B[aa])"),
        hash(b"(;B[aa]AW[dp]AB[pp][dd])")
    );
}

/// The signature has the moves 20, 40, 60, 31, 51 and 71, in this order.
#[test]
fn a_signature_of_six_moves() {
    let point = |ply: usize, turned: bool| {
        let (column, row) = if turned {
            (18 - ply / 19, ply % 19)
        } else {
            (ply % 19, ply / 19)
        };
        format!(
            "{}{}",
            (b'a' + column as u8) as char,
            (b'a' + row as u8) as char
        )
    };
    let game = |len: usize, turned: bool| -> String {
        let moves: String = (1..=len)
            .map(|ply| format!(";{}[{}]", ["W", "B"][ply % 2], point(ply, turned)))
            .collect();
        format!("(;SZ[19]{moves})")
    };
    let signature = |plies: [usize; 6], turned: bool| plies.map(|ply| point(ply, turned)).concat();
    let plies = [20, 40, 60, 31, 51, 71];
    let (plain, turned) = (game(80, false), game(80, true));
    assert_eq!(shown(plain.as_bytes(), "dyer"), signature(plies, false));
    assert_eq!(shown(turned.as_bytes(), "dyer"), signature(plies, true));
    let least = shown(plain.as_bytes(), "dyer_canonical");
    assert_eq!(least, shown(turned.as_bytes(), "dyer_canonical"));
    assert!(
        least <= signature(plies, false) && least <= signature(plies, true),
        "{least}"
    );
    // Missing moves, a pass, which symmetries do not change, and the spelling of points.
    assert_eq!(
        shown(game(20, false).as_bytes(), "dyer"),
        point(20, false) + "??????????"
    );
    assert_eq!(shown(b"(;B[aa])", "dyer_canonical"), "????????????");
    let passed = plain.replacen(&format!("[{}]", point(40, false)), "[]", 1);
    assert_eq!(&shown(passed.as_bytes(), "dyer")[2..4], "tt");
    assert_eq!(
        shown(passed.as_bytes(), "dyer_canonical")
            .matches("tt")
            .count(),
        1
    );
    let spelled = plain.replacen(&point(31, false), &point(31, false).to_uppercase(), 1);
    assert_eq!(
        shown(spelled.as_bytes(), "dyer"),
        shown(plain.as_bytes(), "dyer")
    );
    assert_eq!(shown(b"(;GM[11];B[a1])", "dyer"), "");
}

#[test]
fn questions() {
    let condition = Filter::parse("any('C') LIKE '%ko%'").expect("a condition");
    let (mut probes, ko) = (condition.row(ColumnSet::default()).probes, 0);
    let fourth = probes.push(Probe::Move(4));
    let komi = probes.push(Probe::First(b"KM".to_vec()));
    let territory = probes.push(Probe::Has(b"TW".to_vec()));
    let game = b"(;B[aa]C[nothing];W[bb];KM[6.5]B[cc](;W[dd]C[a ko])(;TW[aa]KM[7]))(;C[no];B[ee])";
    let mut filled = FilledRow::with_probes(ColumnSet::default(), probes);
    let mut rows = RowReader::new(SliceReader::new(game), &mut filled);
    rows.next_row().expect("no I/O").expect("a game");
    let found = &rows.filled().probes;
    assert_eq!(
        (found.text(fourth), found.text(komi)),
        (Some("dd"), Some("6.5"))
    );
    assert_eq!(
        (found.truth(territory), found.truth(ko)),
        (Some(true), Some(true))
    );
    rows.next_row().expect("no I/O").expect("another");
    let found = &rows.filled().probes;
    assert_eq!((found.text(fourth), found.text(komi)), (None, None));
    assert_eq!(
        (found.truth(territory), found.truth(ko)),
        (Some(false), Some(false))
    );
}

#[test]
fn a_root_is_enough_for_its_columns() {
    let wanted = ColumnSet::of([Column::find("pb").expect("a column")]);
    let mut filled = FilledRow::new(wanted);
    let mut rows = RowReader::new(
        SliceReader::new(b"(;PB[x];B[aa](;C[\x80]))(;PB[y])"),
        &mut filled,
    );
    assert_eq!(
        rows.next_row()
            .expect("no I/O")
            .expect("a game")
            .pb
            .as_deref(),
        Some("x")
    );
    assert_eq!(rows.games().span().end, 21);
    let second = rows.next_row().expect("no I/O").expect("a game");
    assert_eq!((second.pb.as_deref(), second.moves), (Some("y"), None));
    assert!(rows.next_row().expect("no I/O").is_none());
    assert_eq!(
        Column::find("nodes").map(|column| column.get(rows.row())),
        Some(Cell::Null)
    );
}

/// Each line has spellings of one game. No two lines share a hash.
#[test]
fn spellings_of_one_game_have_one_hash() {
    let lines: &[&[&str]] = &[
        &[
            "(;GM[Blokus];1[b20,a20])",
            "(;GM[Blokus];1[a20,b20])",
            "(;GM[Blokus];1[A20, b20])",
            "(;GM[Blokus];BLUE[b20][a20])",
        ],
        &["(;GM[Blokus];1[a20,c20])"],
        &["(;GM[Blokus];1[x20,a20])"],
        &["(;GM[Blokus];1[a20,x20])"],
        &[
            "(;GM[Blokus Duo]AB[e8,e9][a1])",
            "(;GM[Blokus Duo]AB[a1][E9,e8])",
        ],
        &[
            "(;B[pd];W[DP])",
            "(;B[p d];W[dp])",
            "(;B[\u{ff50}\u{ff44}];W[ d\np])",
        ],
        &[
            "(;B[pd];W[])",
            "(;B[PD];W[tt])",
            "(;B[pd];W[pass])",
            "(;B[pd];W[ PASS ])",
        ],
        &["(;SZ[21];B[pd];W[tt])", "(;SZ[21];B[pd];W[TT])"],
        &["(;AB[aa:cb])", "(;AB[aa:bb][ca][cb][aa])", "(;AB[aa :cb])"],
        &["(;AB[aa:bb];AB[ca:cb])"],
        &["(;GM[2];B[c4])", "(;GM[2];B[cd])", "(;GM[2];B[C4])"],
        &["(;GM[2];B[PA])", "(;GM[2];B[])", "(;GM[2];B[pass])"],
        &["(;GM[2]AB[c4])", "(;GM[2]AB[cd])"],
        &["(;GM[9];B[e1-e3])", "(;GM[9];B[E1-e3++])"],
        &["(;GM[9];B[e1:e3])"],
        &[
            "(;GM[11];B[c4])",
            "(;GM[11];B[cd])",
            "(;GM[11]AP[GoRilla:1]SZ[11];B[c 4])",
        ],
        &["(;GM[11]AP[GoRilla:1];B[c4])", "(;GM[11]SZ[17];B[c4])"],
        &[
            "(;GM[11];B[c4];W[swap-pieces])",
            "(;GM[11];B[c4];W[SWAP-Pieces])",
        ],
        &["(;GM[Unlur];B[c4];W[])"],
        &["(;GM[Unlur];B[c4];W[pass])"],
        &["(;GM[19];B[46DC-56])", "(;GM[19];B[46CD-56])"],
        &["(;GM[19]BO[33];B[33+A])"],
        &["(;GM[19]BO[53];B[33+A])"],
        &["(;GM[3];W[Bc4])"],
        &["(;GM[3];W[bc4])"],
        &["(;GM[3];W[b c4])"],
        &["(;GM[3]AW[K e1])"],
        &["(;GM[3]AW[k e1])"],
        &["(;GM[41];B[aa])"],
        &["(;GM[42];B[aa])"],
        &["(;PL[b];B[aa])", "(;PL[B];B[aa])"],
    ];
    let mut seen = std::collections::HashMap::new();
    for (number, line) in lines.iter().enumerate() {
        for game in *line {
            let hash = row(game.as_bytes()).hash.expect("a line");
            assert_eq!(*seen.entry(hash).or_insert(number), number, "{game}");
        }
        let hashes: std::collections::HashSet<_> =
            line.iter().map(|game| row(game.as_bytes()).hash).collect();
        assert_eq!(hashes.len(), 1, "{line:?}");
    }
}
