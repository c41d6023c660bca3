//! Tests of `dedup`.

use super::{Place, packed, run, sgfq};

const REPORT: &str =
    "game,kept,reason,differing,missing,nodes,comment_bytes,kept_nodes,kept_comment_bytes\n";

/// More complete copies stay at their place. Dropped games are counted and listed in the report.
#[test]
fn the_fullest_copy_stays() {
    let place = Place::new();
    let report = place.text("report.csv");
    let copies = [
        "(;B[pd];W[dp];B[cc])",
        "(;B[pd]C[long comment];W[dp];B[cc])",
        "(;GM[1]B[pd](;W[dp];B[cc])(;W[dd];B[ee]))",
        "(;B[qq];W[aa])",
        "(;B[pd];W[dp](;B[cc]C[short])(;B[dd](;W[bb])(;W[ab])))",
    ];
    let input = copies.join("\n");
    let fullest = run(&["dedup", "--report", &report], input.as_bytes());
    assert_eq!(fullest.text(), format!("{}\n{}\n", copies[3], copies[4]));
    let more = "1 of them has more nodes or comments than the game that stays, see --report";
    assert_eq!(fullest.err, format!("sgfq: 3 games were dropped; {more}\n"));
    let rows = [
        "-#1,-#5,same,0,0,3,0,6,5",
        "-#2,-#5,same,0,0,3,12,6,5",
        "-#3,-#5,same,0,0,5,0,6,5",
    ];
    assert_eq!(
        place.read("report.csv"),
        format!("{REPORT}{}\n", rows.join("\n"))
    );
    // `--keep first` keeps the first game.
    let first = format!("{}\n{}\n", copies[0], copies[3]);
    let keep = run(
        &["dedup", "--prefer", "first", "--report", &report],
        input.as_bytes(),
    );
    assert_eq!(keep.text(), first);
    assert!(
        keep.err
            .starts_with("sgfq: 3 games were dropped; 3 of them have more nodes"),
        "{}",
        keep.err
    );
    assert!(
        place
            .read("report.csv")
            .ends_with("-#5,-#1,same,0,0,6,5,3,0\n")
    );
}

/// The merged game has the content of each copy: variations, comments, and game information that
/// the most complete copy lacks.
#[test]
fn copies_are_merged() {
    let place = Place::new();
    let copies: [&[u8]; 5] = [
        b"(;GM[1]CA[GBK]PB[\xb3\xa3\xea\xbb]EV[Cup]AP[x:1];B[pd];W[dp]C[one];B[cc])",
        b"(;GM[1]PB[Chang Hao]RE[B+R];B[pd]TR[dd];W[dp]C[two \\] 2];B[cc])",
        b"(;B[qq];W[aa])",
        b"(;GM[1];B[pd](;W[dp]TR[aa];B[cc]C[three])(;W[dd];B[ee]))",
        // Equal, but it cannot be joined because it has undecodable bytes.
        b"(;CA[UTF-8];B[qq];W[aa]C[\xff])",
    ];
    let input = copies.join(&b'\n');
    let report = place.text("report.csv");
    let merged = run(&["dedup", "--prefer", "merge", "--report", &report], &input);
    let game = "(;FF[4]CA[UTF-8]GM[1]SZ[19]PB[常昊]EV[Cup]RE[B+R]AP[x:1]\n;B[pd]TR[dd]\n\
        (;W[dp]TR[aa]C[one\n\ntwo \\] 2]\n;B[cc]C[three])\n(;W[dd]\n;B[ee]))\n";
    assert_eq!(merged.out, [game.as_bytes(), copies[4], b"\n"].concat());
    let said = [
        "sgfq: 2 games were merged into others",
        "sgfq: 1 property was left out: the most complete game has another value",
        "sgfq: 1 game stays as it is: a join would lose something of it",
        "sgfq: 1 game was dropped",
    ];
    assert_eq!(
        (merged.err.trim_end().to_owned(), merged.status),
        (said.join("\n"), 0)
    );
    let kept = ["-#1,-#4", "-#2,-#4", "-#3,-#5"];
    assert!(
        place
            .read("report.csv")
            .lines()
            .skip(1)
            .zip(kept)
            .all(|(line, kept)| line.starts_with(kept))
    );
    // The most complete of many stays, and only texts of game information are lost.
    let copies: String = (0..500)
        .map(|copy| format!("(;B[aa]C[text {copy}.](;W[bb])(;W[cc]C[{copy};]))"))
        .collect();
    let merged = run(&["dedup", "--prefer", "merge"], copies.as_bytes());
    assert!(
        (0..500).all(|copy| merged.text().contains(&format!("text {copy}."))
            && merged.text().contains(&format!("{copy};")))
    );
    assert_eq!(
        run(&["count", "-f", "json"], merged.text().as_bytes())
            .done()
            .matches("\"nodes\":3")
            .count(),
        1
    );
    // The game is rotated, so its variations would have to be rotated back.
    let refused = run(&["dedup", "--prefer", "merge", "--by", "symmetric"], b"").refused();
    assert!(
        refused.contains("--prefer merge needs --by exact, found --by symmetric"),
        "{refused}"
    );
}

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
    assert_eq!(
        run(&["dedup", "--by", "symmetric"], games)
            .done()
            .lines()
            .count(),
        4
    );
}

#[test]
fn games_without_moves_are_all_kept() {
    assert_eq!(
        run(&["dedup"], b"(;C[a])(;C[b])(;AB[aa])(;AB[aa])").done(),
        "(;C[a])\n(;C[b])\n(;AB[aa])\n"
    );
}

#[test]
fn twice_is_once() {
    let once = sgfq(&["dedup"]).done();
    assert_eq!(run(&["dedup"], once.as_bytes()).done(), once);
}

/// Parts of a file and members of an archive are read in parallel.
#[test]
fn near_duplicates_do_not_depend_on_the_number_of_workers() {
    let place = Place::new();
    let comment = "x".repeat(2000);
    let changed = |at: usize| {
        game(
            &[(at % 20, "ss"), (7, ["aa", "bb", "cc"][at % 3])],
            20 + at % 5,
        )
    };
    let games: String = (0..3000)
        .map(|at| format!("(;C[{comment}]{}", &changed(at)[1..]))
        .collect();
    let large = place.put("large.sgf", &games);
    for input in [large.as_str(), &packed("two.zip").to_string_lossy()] {
        let with = |jobs: &str| {
            let report = place.text(&format!("report-{jobs}"));
            let out = sgfq(&["dedup", "--near=1", "-j", jobs, "--report", &report, input]).out;
            (
                String::from_utf8(out),
                place.read(&format!("report-{jobs}")),
            )
        };
        let one = with("1");
        assert!(one == with("4"), "{input}");
        let last = one.1.lines().last().expect("a head");
        assert!(
            input != large || last.starts_with(&format!("{large}#3000,{large}#")),
            "{last}"
        );
    }
}

/// Returns a game of `length` moves, with the moves at some places replaced.
fn game(changes: &[(usize, &str)], length: usize) -> String {
    let moves = (0..length).map(|at| {
        let point = format!(
            "{}{}",
            char::from(b'a' + (at % 9) as u8),
            char::from(b'a' + (at / 9) as u8)
        );
        let point = changes
            .iter()
            .find(|change| change.0 == at)
            .map_or(point, |change| change.1.to_owned());
        format!(";{}[{point}]", if at % 2 == 0 { 'B' } else { 'W' })
    });
    format!("({})", moves.collect::<String>())
}

#[test]
fn near_duplicates_and_why() {
    let place = Place::new();
    let whole = game(&[], 40);
    let games = [
        game(&[], 30), // the beginning of the next
        whole.clone(), // stays
        whole.replacen("(;", "(;C[again]", 1),
        game(&[(7, "hb")], 40),             // one coordinate
        game(&[(7, "qq")], 40),             // one move
        game(&[(7, "qq"), (33, "rr")], 40), // two
        game(&[(3, "qq")], 25),             // shorter, and one move
        game(&[], 19),                      // too short to be told apart
        whole.replacen("(;", "(;SZ[13]", 1),
        whole.replacen("(;", "(;AB[ss]", 1),
        "(;C[no moves])".to_owned(),
    ];
    let file = place.put("games.sgf", games.join("\n"));
    let [report, rejects] = ["report.csv", "rejects.sgf"].map(|name| place.text(name));
    let arguments = [
        "dedup",
        "--near",
        "--prefer",
        "first",
        "--report",
        &report,
        "--rejects",
        &rejects,
        &file,
    ];
    let kept = run(&arguments, b"").done();
    let stay = [1, 5, 7, 8, 9, 10].map(|at: usize| format!("{}\n", games[at]));
    assert_eq!(kept, stay.concat());
    let rows = [
        (1, "prefix,0,10,30,0"),
        (3, "same,0,0,40,5"),
        (4, "coordinate,1,0,40,0"),
        (5, "moves,1,0,40,0"),
        (7, "moves,1,15,25,0"),
    ];
    let rows: String = rows
        .iter()
        .map(|(game, why)| format!("{file}#{game},{file}#2,{why},40,0\n"))
        .collect();
    assert_eq!(place.read("report.csv"), format!("{REPORT}{rows}"));
    assert_eq!(
        place.read("rejects.sgf"),
        [0, 2, 3, 4, 6]
            .map(|at: usize| format!("{}\n", games[at]))
            .concat()
    );
    // With two different moves, lines of 30 and more moves are compared; with none, only beginnings
    // of other lines are dropped.
    assert_eq!(
        run(&["dedup", "--near=2", &file], b"")
            .done()
            .lines()
            .count(),
        6
    );
    assert_eq!(
        run(&["dedup", "--near=0", &file], b"")
            .done()
            .lines()
            .count(),
        8
    );
    // Of equal lines, the most complete one stays, and near lines are dropped for it.
    let fullest = run(&["dedup", "--near", &file], b"").done();
    assert_eq!(fullest.lines().next(), Some(&*games[2]));
    // The output has no near duplicates left.
    let again = run(&["dedup", "--near"], kept.as_bytes()).done();
    assert_eq!(again, kept);
}

#[test]
fn a_report_of_equal_games() {
    let place = Place::new();
    let report = place.text("report.csv");
    let games = b"(;B[pd];W[dp];B[cc])(;B[pp];W[dd];B[qc])(;B[pd];W[dp];B[cc])";
    let kept = run(&["dedup", "--by", "symmetric", "--report", &report], games).done();
    assert_eq!(kept, "(;B[pd];W[dp];B[cc])\n");
    let rows = "-#2,-#1,turned,0,0,3,0,3,0\n-#3,-#1,same,0,0,3,0,3,0\n";
    assert_eq!(place.read("report.csv"), format!("{REPORT}{rows}"));
    assert_eq!(
        run(&["dedup", "--report", &report], games).done(),
        run(&["dedup"], games).done()
    );
}

#[test]
fn near_duplicates_on_a_turned_board() {
    let turned = |game: &str| {
        let letter = |byte: u8| char::from(b's' - (byte - b'a'));
        let bytes = game.as_bytes();
        let is_point =
            |at: usize| at > 0 && bytes[at - 1].is_ascii_lowercase() != (bytes[at - 1] == b'[');
        let mut out = String::new();
        for (at, &byte) in bytes.iter().enumerate() {
            out.push(if byte.is_ascii_lowercase() && is_point(at) {
                letter(byte)
            } else {
                char::from(byte)
            });
        }
        out
    };
    let games = format!("{}\n{}\n", game(&[], 30), turned(&game(&[(9, "ss")], 28)));
    assert_eq!(run(&["dedup", "--near"], games.as_bytes()).done(), games);
    assert_eq!(
        run(&["dedup", "--near", "--by", "symmetric"], games.as_bytes())
            .done()
            .lines()
            .count(),
        1
    );
}

#[test]
fn games_with_one_signature() {
    let place = Place::new();
    let turned = |at: usize| {
        format!(
            "{}{}",
            char::from(b's' - (at / 9) as u8),
            char::from(b'a' + (at % 9) as u8)
        )
    };
    let moves: Vec<(usize, String)> = (0..80).map(|at| (at, turned(at))).collect();
    let moves: Vec<(usize, &str)> = moves.iter().map(|(at, point)| (*at, &**point)).collect();
    let other = [(10, "ss")];
    let games = [
        game(&[], 80),
        game(&other, 75),
        game(&moves, 80),
        game(&[], 60),
        game(&other, 60),
    ];
    let file = place.put("in.sgf", games.join("\n"));
    let report = place.text("report");
    let out = run(&["dedup", "--by", "dyer", "--report", &report, &file], b"").done();
    // Games that lack the last of the six moves are compared as a whole.
    assert_eq!(
        out,
        [&games[0], &games[2], &games[3], &games[4]]
            .map(|game| format!("{game}\n"))
            .concat()
    );
    assert_eq!(
        place.read("report"),
        format!(
            "game,kept,reason,differing,missing,nodes,comment_bytes,kept_nodes,kept_comment_bytes\n\
             {file}#2,{file}#1,signature,,,75,0,80,0\n"
        )
    );
    assert_eq!(
        run(&["dedup", "--by", "dyer_canonical", &file], b"")
            .done()
            .lines()
            .count(),
        3
    );
    let said = run(&["dedup", "--by", "dyer", "--prefer", "merge", &file], b"").refused();
    assert!(
        said.contains("--prefer merge needs --by exact, found --by dyer"),
        "{said}"
    );
}
