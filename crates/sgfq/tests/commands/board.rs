//! Tests of `board` and `--coords`.

use super::{Place, run, sgfq};

/// A game with marks, two variations, and a third one below the second.
const MARKED: &[u8] =
    b"(;SZ[9]AB[cc][dc]AW[ee];B[gg]CR[cc]SQ[ee]TR[ai:ci]MA[aa]LB[hh:A][hb:long][ff:\xe9\xbb\x92]AR[ab:ad]\
    (;W[gf];B[ff])(;W[fg](;B[hf])(;B[fh]C[end])))";

#[test]
fn a_node_with_its_marks() {
    let text = "\
-#1 /1, move 1: B G3, White to play
   A  B  C  D  E  F  G  H  J
9  ×  .  .  .  .  .  .  .  .
8  .  .  .  .  .  .  .  .  .
7  .  .  X○ X  .  .  +  .  .
6  .  .  .  .  .  .  .  .  .
5  .  .  .  .  O□ .  .  .  .
4  .  .  .  .  .  .  .  .  .
3  .  .  +  .  .  . (X) .  .
2  .  .  .  .  .  .  .  A  .
1  △  △  △  .  .  .  .  .  .
circle: C7
square: E5
triangle: A1 B1 C1
cross: A9
label H8: long
label F4: 黒
arrow A8 to A6
next: 0/0 W G4, 1/0 W F3
";
    assert_eq!(run(&["board", "--node", "/1"], MARKED).done(), text);
    assert_eq!(run(&["board", "--move", "1"], MARKED).done(), text);
}

#[test]
fn nodes_on_the_way() {
    let title = |arguments: &[&str]| {
        let arguments: Vec<&str> = ["board"].iter().chain(arguments).copied().collect();
        let out = run(&arguments, MARKED).done();
        (
            out.lines().next().unwrap_or_default().to_owned(),
            out.lines().last().unwrap_or_default().to_owned(),
        )
    };
    let end = "1  .  .  .  .  .  .  .  .  .".replace("  ", " ");
    let end = |first: &str| (first.to_owned(), end.replace("1 .", "1  ."));
    assert_eq!(title(&[]), end("-#1 0/1, move 3: B F4, White to play"));
    assert_eq!(
        title(&["--node", "1.1/0"]),
        end("-#1 1.1/0, move 3: B F2, White to play")
    );
    assert_eq!(title(&["--node", "1/0"]).1, "next: 1.0/0 B H4, 1.1/0 B F2");
    assert_eq!(
        title(&["--move", "0"]),
        (
            "-#1 /0, move 0, Black to play".to_owned(),
            "next: /1 B G3".to_owned()
        )
    );
    assert_eq!(
        title(&["--node", "0/0", "--coords", "sgf"]).1,
        "next: 0/1 B ff"
    );
    for (arguments, sentence) in [
        (["--node", "2/0"], "no node at path 2/0"),
        (["--node", "/7"], "no node at path /7"),
        (["--node", "1.1/1"], "no node at path 1.1/1"),
        (["--move", "4"], "no move 4: the main line has 3 moves"),
    ] {
        let found = run(&[&["board"][..], &arguments].concat(), MARKED);
        assert_eq!(
            (found.err.trim_end(), found.out.len()),
            (&*format!("sgfq: -#1: {sentence}"), 0)
        );
        assert_eq!(found.status, 1);
    }
    assert!(
        run(&["board", "--node", "1"], MARKED)
            .refused()
            .contains("expected a node such as /12, or 1.0/3")
    );
}

/// FILE@N names the position after move N, as for `find`.
#[test]
fn a_position_is_named_by_its_file_and_move() {
    let place = Place::new();
    let file = place.put(
        "x.sgf",
        "(;GM[1]SZ[9];B[aa];W[bb];B[cc])(;GM[1]SZ[9];B[dd];W[ee])",
    );
    for game in [file.clone(), format!("{file}#2")] {
        let named = run(&["board", &format!("{game}@1")], b"").done();
        assert_eq!(named, run(&["board", "--move", "1", &game], b"").done());
    }
    let literal = place.put("y.sgf@1", "(;GM[1]SZ[9];B[aa];W[bb])");
    assert!(run(&["board", &literal], b"").done().contains("move 2"));
    let both = run(&["board", "--move", "1", &format!("{file}@2")], b"").refused();
    assert!(both.contains("@2 and an option both name a node"), "{both}");
}

#[test]
fn moves_have_numbers() {
    let out = run(&["board", "--numbers"], b"(;SZ[3];B[aa];W[ba];B[cc];W[ab])").done();
    assert_eq!(
        out,
        "-#1 /4, move 4: W A2, Black to play\n   A  B  C\n3  .  O2 .\n2 (O4).  .\n1  .  .  X3\n"
    );
    // MN sets the number of the move in its node, and later moves continue from there.
    let out = run(
        &["board", "--numbers"],
        b"(;SZ[3];B[bb];W[bc];MN[1]B[aa];W[ba];B[cc];W[ab])",
    )
    .done();
    assert_eq!(
        out,
        "-#1 /6, move 6: W A2, Black to play\n   A  B  C\n3  .  O2 .\n2 (O4)X1 .\n1  .  O2 X3\n"
    );
    let out = run(
        &["board", "--numbers=3"],
        b"(;SZ[3];B[aa];W[ba];B[cc];W[ab])",
    )
    .done();
    assert_eq!(
        out,
        "-#1 /4, move 4: W A2, Black to play\n   A  B  C\n3  .  O  .\n2 (O4).  .\n1  .  .  X3\n"
    );
}

#[test]
fn boards_of_other_games() {
    for (game, lines) in [
        (
            "(;GM[11]SZ[3];B[b1];W[c2])",
            &[
                "-#1 /2, move 2: W c2, Black to play",
                "   a b c",
                "1  . X .",
                " 2  . .(O)",
                "  3  . . .",
            ][..],
        ),
        (
            "(;GM[4100]SZ[2];B[b2];W[c3])",
            &[
                "-#1 /2, move 2: W c3, Black to play",
                "    a b",
                " 1  . . c",
                "2  . X .",
                " 3  .(O)",
            ],
        ),
        (
            "(;GM[18]SZ[3]AB[aa];B[aabbcc])",
            &[
                "-#1 /1, move 1: B A3-B2/C1, White to play",
                "   A B C",
                "3  . . .",
                "2  .(X).",
                "1  . .(*)",
            ],
        ),
        (
            "(;GM[2]SZ[4];B[b1])",
            &[
                "-#1 /1, move 1: B b1, White to play",
                "   a b c d",
                "1  .(X). .",
                "2  . X X .",
                "3  . X O .",
                "4  . . . .",
            ],
        ),
        (
            "(;GM[40]SZ[3]AW[bb]AB[ba][ab][cb];B[bc.bccbbaabbc])",
            &[
                "-#1 /1, move 1: B bc.bccbbaabbc, White to play",
                "   a b c",
                "a  . X .",
                "b  X O X",
                "c  .(X).",
            ],
        ),
        (
            "(;GM[19]SZ[3]BO[22]WO[12];B[22+A])",
            &[
                "-#1 /1, move 1: B 22+A, White to play",
                "   1 2 3",
                "3  . . .",
                "2  O(X).",
                "1  . . .",
                "pods: 12 22A",
            ],
        ),
        (
            "(;GM[4]SZ[3];B[ac])",
            &[
                "-#1 /1, move 1: B A1, White to play",
                "   A B C",
                "3  . . .",
                "2  . . .",
                "1 (X). .",
            ],
        ),
    ] {
        let out = run(&["board"], game.as_bytes()).done();
        assert_eq!(out.lines().collect::<Vec<_>>(), lines, "{game}");
    }
    let out = run(&["board"], b"(;GM[Blokus Duo];B[a1,a2,b2])").done();
    assert!(
        out.contains("\n 2 (X X). .") && out.contains("\n 1 (X). . ."),
        "{out}"
    );
}

#[test]
fn games_that_cannot_be_drawn_say_why() {
    for (game, sentence) in [
        (
            "(;GM[3];W[e2e4])",
            "no board for Chess; its moves are kept as text",
        ),
        (
            "(;GM[40];B[aa])",
            "Kropki has no default board size; add `SZ`",
        ),
        (
            "(;GM[4100];B[a1])",
            "Havannah has no default board size; add `SZ`",
        ),
        (
            "(;GM[11]SZ[1000];B[a1])",
            "the board is larger than 64x64: 1000",
        ),
        (
            "(;GM[19]SZ[12];B[11])",
            "Octi boards of size 12 cannot be replayed",
        ),
        (
            "(;GM[1]SZ[x];B[aa])",
            "`SZ` cannot be read, so the size of the board is unknown",
        ),
    ] {
        for format in ["text", "svg"] {
            let found = run(&["board", "-f", format], game.as_bytes());
            assert_eq!(found.err, format!("sgfq: -#1: {sentence}\n"), "{game}");
            assert_eq!((found.status, found.out.len()), (1, 0), "{game}");
        }
    }
    // All other boards are drawn nevertheless.
    let found = run(&["board"], b"(;GM[3])(;SZ[2];B[aa];W[zz])");
    assert_eq!(found.status, 1);
    let out = String::from_utf8(found.out).expect("UTF-8");
    assert_eq!(
        out,
        "-#2 /2, move 2: W zz, Black to play\n   A B\n2  X .\n1  . .\nnot on this board: 1 value of moves and setup\n"
    );
    assert_eq!(run(&["board"], b"").status, 1);
}

#[test]
fn boards_of_any_shape() {
    let out = run(
        &["board"],
        b"(;SZ[52];B[aa];W[ZZ])(;SZ[1:52];B[ac])(;SZ[52:1];B[aa])",
    )
    .done();
    let boards: Vec<&str> = out.split("\n\n").collect();
    assert!(
        boards[0].starts_with("-#1 /2, move 2: W BB1, Black to play\n"),
        "{out}"
    );
    assert!(
        boards[1].contains("\n    A\n52  .\n51  .\n50 (X)\n"),
        "{out}"
    );
    assert!(
        boards[2].ends_with("\n1 (X) . .") || boards[2].contains("\n1 (X). . ."),
        "{out}"
    );
    assert!(
        boards
            .iter()
            .all(|board| board.lines().all(|line| line == line.trim_end()))
    );
}

#[test]
fn references_come_in_the_order_of_their_file() {
    let place = Place::new();
    let file = place.put("two.sgf", "(;SZ[2];B[aa])(;SZ[2];B[bb])");
    let [one, two] = [1, 2].map(|number| format!("{file}#{number}"));
    let out = run(&["board", &two, &one], b"").done();
    let titles: Vec<&str> = out.lines().filter(|line| line.contains("move")).collect();
    assert_eq!(
        titles,
        [
            format!("{one} /1, move 1: B A2, White to play"),
            format!("{two} /1, move 1: B B1, White to play")
        ]
    );
}

#[test]
fn chosen_games_keep_their_numbers() {
    let out = run(
        &["board", "--where", "pb = 'Ben'"],
        b"(;PB[Ada]SZ[2];B[aa])(;PB[Ben]SZ[2];B[bb])",
    )
    .done();
    assert_eq!(
        out,
        "-#2 /1, move 1: B B1, White to play\n   A B\n2  . .\n1  .(X)\n"
    );
}

#[test]
fn one_picture() {
    let place = Place::new();
    let svg = place.text("one.svg");
    run(
        &["board", "-f", "svg", "-o", &svg, "--numbers"],
        b"(;SZ[9];B[aa];W[bb]LB[cc:<a&b>])",
    )
    .done();
    let picture = place.read("one.svg");
    assert!(
        picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width="),
        "{picture}"
    );
    assert!(
        picture.trim_end().ends_with("</svg>") && picture.contains("&lt;a&amp;b&gt;</text>"),
        "{picture}"
    );
    assert_eq!(picture.matches("<circle class=\"black\"").count(), 1);
    assert_eq!(picture.matches("<circle class=\"white\"").count(), 1);
    let err = run(&["board", "-f", "svg"], b"(;B[aa])(;B[bb])").refused();
    assert!(
        err.contains("a picture shows one game, and -#2 is another"),
        "{err}"
    );
}

#[test]
fn both_spellings_in_outputs() {
    let games = b"(;B[pd];W[dp];B[tt])(;SZ[9];B[pd];W[ai])(;GM[11];B[c1])";
    let moves = |arguments: &[&str]| {
        run(
            &[&["moves", "--coords", "gtp"][..], arguments].concat(),
            games,
        )
        .done()
    };
    assert_eq!(moves(&[]), "B[Q16] W[D4] B[pass]\nB[pd] W[A1]\nB[c1]\n");
    assert_eq!(moves(&["--plain"]), "Q16 D4 pass\npd A1\nc1\n");
    let get = ["get", "first_moves,move(2)", "-f", "csv", "--coords", "gtp"];
    assert_eq!(
        run(&get, games).done(),
        "first_moves,move(2)\nQ16 D4 pass,D4\npd A1,A1\nc1,\n"
    );
    let stats = run(
        &["stats", "--coords", "gtp"],
        &b"(;B[pd];W[dp];B[pp];W[dd])".repeat(2),
    )
    .done();
    assert!(
        stats.contains("B Q16  W D4  B Q4  W D16")
            && stats.contains("\n 19 ")
            && stats.contains(" S T\n"),
        "{stats}"
    );
    let json = run(
        &["stats", "-f", "json", "--depth", "2", "--coords", "gtp"],
        b"(;B[pd];W[dp])(;B[pd];W[dp])",
    )
    .done();
    assert!(json.contains("[\"B Q16\",\"W D4\"]"), "{json}");
}

#[test]
fn both_spellings_in_expressions() {
    let games = b"(;B[pd];W[])(;SZ[9];B[cg];W[tt])(;B[dp];W[pd])(;GM[11];B[c3])(;C[none])";
    let chosen = |text: &str| {
        let out = run(&["get", "game", "--where", text, "-f", "csv"], games);
        String::from_utf8(out.out)
            .expect("UTF-8")
            .lines()
            .skip(1)
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (text, games) in [
        ("move(1) = 'Q16'", "1"),
        ("move(1) = 'q16'", "1"),
        ("'pd' = move(1)", "1"),
        ("move(1) = 'C3'", "2 4"),
        ("move(1) = 'cg'", "2"),
        ("move(1) <> 'Q16'", "2 3 4"),
        ("move(1) IN ('Q16', 'D4')", "1 3"),
        ("move(1) NOT IN ('Q16')", "2 3 4"),
        (
            "CASE move(1) WHEN 'Q16' THEN 1 WHEN 'D4' THEN 2 ELSE 0 END = 2",
            "3",
        ),
        ("move(2) = 'pass'", "1 2"),
        ("move(2) = ''", "1 2"),
        ("move(1) LIKE 'p%'", "1"),
        ("move(1) = move(1)", "1 2 3 4"),
    ] {
        assert_eq!(chosen(text), games, "{text}");
    }
    for text in [
        "move(1) = 'Q0'",
        "move(1) <> '16Q'",
        "move(1) IN ('pd', 'hello')",
    ] {
        let err = sgfq(&["filter", "--where", text]).refused();
        assert!(
            err.contains("expected a move such as 'pd', 'Q16' or 'e3-c3', found '"),
            "{err}"
        );
    }
}

/// Prints comments of the node, and shows a problem without its answer.
#[test]
fn comments_and_answers() {
    let game =
        b"(;SZ[3]N[Problem <1>]C[Black to play.\nWhere\\] ?];B[bb]C[Right.](;W[aa])(;W[cc]))";
    let root = ["board", "--move", "0"];
    let out = run(&root, game).done();
    assert!(
        out.ends_with("next: /1 B B2\n") && !out.contains("Where"),
        "{out}"
    );
    let out = run(&[&root[..], &["--comment", "--no-next"]].concat(), game).done();
    assert!(
        out.ends_with("\nProblem <1>\nBlack to play.\nWhere] ?\n"),
        "{out}"
    );
    let out = run(&["board", "--move", "1", "--comment", "--no-next"], game).done();
    assert!(
        out.ends_with("\nRight.\n") && !out.contains("next: "),
        "{out}"
    );
}

/// A crop contains the columns and rows of stones and marks, and the requested margin. Its cells
/// equal the whole board there.
#[test]
fn a_crop_is_a_part_of_the_board() {
    for number in 0..200usize {
        let (margin, count) = (number % 4, number % 3);
        let stone = |nth: usize| ((number * 7 + nth * 5) % 19, (number * 11 + nth * 3) % 19);
        let sgf = |(column, row): (usize, usize)| {
            format!(
                "{0}{1}",
                (b'a' + column as u8) as char,
                (b'a' + row as u8) as char
            )
        };
        let mark = stone(9);
        let stones: Vec<_> = (0..=count).map(stone).collect();
        let game = format!(
            "(;SZ[19]AW[{}]LB[{}:x])",
            stones
                .iter()
                .map(|&at| sgf(at))
                .collect::<Vec<_>>()
                .join("]["),
            sgf(mark)
        );
        let shown: Vec<_> = stones.iter().chain([&mark]).copied().collect();
        let ends = |at: fn(&(usize, usize)) -> usize| {
            let places = shown.iter().map(at);
            (
                places.clone().min().unwrap_or(0).saturating_sub(margin),
                (places.max().unwrap_or(0) + margin).min(18),
            )
        };
        let ((left, right), (top, low)) = (ends(|at| at.0), ends(|at| at.1));
        let whole = run(&["board"], game.as_bytes()).done();
        let crop = run(&["board", &format!("--crop={margin}")], game.as_bytes()).done();
        let part = |line: &str| {
            format!(
                "{}{}",
                &line[..4],
                &line[4 + 2 * left..(5 + 2 * right).min(line.len())]
            )
        };
        let lines: Vec<&str> = whole.lines().collect();
        let rows = (top..=low).map(|row| part(lines[2 + row]).trim_end().to_owned());
        let expected: Vec<String> = [lines[0].to_owned(), part(lines[1])]
            .into_iter()
            .chain(rows)
            .collect();
        let narrow = |line: &str| line.chars().filter(|char| *char != ' ').collect::<String>();
        assert_eq!(
            crop.lines().map(narrow).collect::<Vec<_>>(),
            expected.iter().map(|line| narrow(line)).collect::<Vec<_>>(),
            "{game}"
        );
    }
}

/// `VW` names the visible points until the next `VW`.
#[test]
fn a_view_is_a_crop() {
    let game = b"(;SZ[9]AB[bb][gg]VW[aa:cb];B[cc];W[dd]VW[dd];B[ee]VW[])";
    let view = |node: &str| run(&["board", "--crop", "--no-next", "--node", node], game).done();
    assert_eq!(
        view("/0"),
        "-#1 /0, move 0, Black to play\n   A B C\n9  . . .\n8  . X .\nnot shown: 1 stone\n"
    );
    assert_eq!(
        view("/1"),
        "-#1 /1, move 1: B C7, White to play\n   A B C\n9  . . .\n8  . X .\nnot shown: 2 stones\n"
    );
    assert_eq!(
        view("/2"),
        "-#1 /2, move 2: W D6, Black to play\n   D\n6 (O)\nnot shown: 3 stones\n"
    );
    assert_eq!(view("/3").lines().count(), 11);
    // A board without stones and marks is drawn whole, and a crop does not use the view of the game
    // before.
    let both = run(
        &["board", "--crop", "--move", "0"],
        b"(;SZ[9]VW[aa])(;SZ[9])",
    )
    .done();
    assert_eq!(both.lines().count(), 3 + 1 + 11);
    // Cells of other boards.
    let hex = run(&["board", "--crop=1"], b"(;GM[11]SZ[9];B[d4];W[e5])").done();
    assert_eq!(
        hex,
        "-#1 /2, move 2: W e5, Black to play\n   c d e f\n3  . . . .\n 4  . X . .\n  5  . .(O).\n   6  . . . .\n"
    );
    let svg = |arguments: &[&str]| {
        run(
            &[&["board", "-f", "svg", "--move", "0"], arguments].concat(),
            game,
        )
        .done()
    };
    assert!(
        svg(&[]).contains("M47.8 ") && svg(&["--crop"]).matches("<text").count() == 3 + 2 + 1,
        "{}",
        svg(&["--crop"])
    );
}

/// Each game gets a file, equal to the output for the game alone.
#[test]
fn a_file_for_each_game() {
    let place = Place::new();
    std::fs::create_dir(place.path("in")).expect("disk space");
    place.put(
        "in/x.sgf",
        "(;SZ[9];B[aa])(;SZ[9];B[bb])(;GM[1]SZ[99])(;SZ[9];B[cc])",
    );
    place.put("in/y.sgf", "(;SZ[9];B[dd])");
    let input = place.text("in");
    for (format, extension) in [("svg", "svg"), ("text", "txt")] {
        let out = place.text(format);
        let run_of = |arguments: &[&str]| run(&[&["board", "-f", format], arguments].concat(), b"");
        let all = run_of(&["-d", &out, &input]);
        assert_eq!((all.status, all.text()), (1, "4 files\n"), "{}", all.err);
        for (name, game) in [
            ("x", "x.sgf#1"),
            ("x-2", "x.sgf#2"),
            ("x-4", "x.sgf#4"),
            ("y", "y.sgf#1"),
        ] {
            let one = run_of(&[&format!("{input}/{game}")]).done();
            assert_eq!(
                place.read(&format!("{format}/{name}.{extension}")),
                one,
                "{game}"
            );
        }
        let err = run_of(&["-d", &out, &input]).refused();
        assert!(err.contains("the file exists already"), "{err}");
    }
}

/// Little Golem numbers the cells of each column of Havannah from one, so the number of a column's
/// last cell is below it.
#[test]
fn columns_of_havannah_end_with_their_numbers() {
    let game = b"(;GM[4100]SO[http://www.littlegolem.net]SZ[3];W[c1];B[d2];W[e3])";
    let board = [
        "-#1 /3, move 3: W e3, Black to play",
        "     a b c",
        "  1  . . O d",
        " 2  . . . . e",
        "3  . . . X .",
        " 4  . . . .",
        "  5  . .(O)",
    ];
    let out = run(&["board"], game).done();
    assert_eq!(
        out.lines().map(str::trim_end).collect::<Vec<_>>(),
        [&board[..], &["       4 3"]].concat(),
        "{out}"
    );
    let svg = run(&["board", "-f", "svg"], game).done();
    assert!(
        svg.contains(">4</text>") && svg.matches(">3</text>").count() == 2,
        "{svg}"
    );
    // A board that is numbered by rows needs no such numbers.
    assert_eq!(
        run(&["board"], b"(;GM[Havannah]SZ[3];W[c1])")
            .done()
            .lines()
            .count(),
        7
    );
}
