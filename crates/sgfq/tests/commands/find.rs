//! Tests of `find`: positions, patterns, sequences, and the next moves.

use serde_json::{Value, json};

use super::{Place, packed, run, sgfq};

/// Six games that reach one position: by other moves, rotated, with swapped colors, with a captured
/// stone.
const SIX: &str = "\
(;GM[1]SZ[9]RE[B+1]DT[1990];B[cc];W[gc];B[gg];W[cg])
(;GM[1]SZ[9]RE[W+1]DT[1992-05-01];B[gg];W[gc];B[cc];W[ee])
(;GM[1]SZ[9]RE[B+R];B[gc];W[gg];B[cg];W[cc])
(;GM[1]SZ[9]RE[W+R];W[cc];B[gc];W[gg];B[ee])
(;GM[1]SZ[9]RE[?];B[ba];W[aa];B[ab];W[];B[cc])
(;GM[1]SZ[13];B[cc];W[gc];B[gg];W[cg](;B[aa])(;B[mm]))
";

fn find(arguments: &[&str]) -> super::Run {
    run(&[&["find"], arguments].concat(), SIX.as_bytes())
}

#[test]
fn games_are_written_as_they_are() {
    let lines: Vec<&str> = SIX.lines().collect();
    let out = find(&["--position", "cc gc gg"]).done();
    assert_eq!(
        out.lines().collect::<Vec<_>>(),
        [lines[0], lines[1], lines[2], lines[5]]
    );
    let out = find(&["--position", "cc gc gg", "--exact"]).done();
    assert_eq!(
        out.lines().collect::<Vec<_>>(),
        [lines[0], lines[1], lines[5]]
    );
    let out = find(&[
        "--position",
        "cc gc gg",
        "--swap-colors",
        "--where",
        "columns = 9",
    ])
    .done();
    assert_eq!(
        out.lines().collect::<Vec<_>>(),
        [lines[0], lines[1], lines[2], lines[3]]
    );
    let out = find(&["--position", "cc gc gg", "--next", "ee"]).done();
    assert_eq!(out.lines().collect::<Vec<_>>(), [lines[1]]);
    let out = find(&["--position", "cc", "--exact", "--mover", "W"]).done();
    assert_eq!(out.lines().collect::<Vec<_>>(), [lines[0], lines[5]]);
    assert_eq!(
        find(&["--position", "cc", "--exact", "--mover", "B"]).nothing(),
        ""
    );
    // At the end of a line, `PL` or the last move determines the player to move.
    let ends =
        "(;SZ[9]AB[cc]PL[W])\n(;SZ[9];B[cc])\n(;SZ[9]AB[cc]PL[B])\n(;SZ[9]HA[2];B[cc]PL[B])\n";
    for (mover, found) in [("W", [0, 1]), ("B", [2, 3])] {
        let out = run(
            &["find", "--position", "cc", "--mover", mover],
            ends.as_bytes(),
        )
        .done();
        let ends: Vec<&str> = ends.lines().collect();
        assert_eq!(out.lines().collect::<Vec<_>>(), found.map(|at| ends[at]));
    }
    // A shape that equals itself with swapped colors matches either player to move.
    let game = "(;SZ[5];B[bb];W[cc];B[bc])\n";
    for (swap, found) in [(&["--swap-colors"][..], game), (&[], "")] {
        let out = run(
            &[&["find", "--pattern", "X./.O", "--mover", "W"], swap].concat(),
            game.as_bytes(),
        );
        assert_eq!(String::from_utf8_lossy(&out.out), found);
    }
    let out = find(&[
        "--position",
        "G7 pass B[C7] pass W[G3]",
        "--swap-colors",
        "--by-move",
        "2",
    ])
    .nothing();
    assert_eq!(out, "");
    // A stone was captured on the way.
    let out = find(&["--position", "ba W[] ab"]).done();
    assert_eq!(out.lines().collect::<Vec<_>>(), [lines[4]]);
}

/// Questions in the players' notation get output in the players' notation.
#[test]
fn answers_are_spelled_as_the_question() {
    for (question, next) in [
        ("cc gc gg", "W[cg]"),
        ("C7 G7 B[G3]", "W[C3]"),
        ("C7, G7, gg", "W[cg]"),
    ] {
        let out = find(&[
            "--position",
            question,
            "--exact",
            "-f",
            "csv",
            "--columns",
            "next",
        ])
        .done();
        assert_eq!(out.lines().nth(1), Some(next), "{question}");
    }
    let out = find(&[
        "--sequence",
        "C7 G7",
        "-f",
        "csv",
        "--columns",
        "next",
        "--coords",
        "sgf",
    ])
    .done();
    assert_eq!(out.lines().nth(1), Some("B[gg]"));
}

#[test]
fn rows_say_where_and_how() {
    let columns = "game,found,found_move,symmetry,colors,next,continuation";
    let out = find(&[
        "--position",
        "cc gc gg",
        "--swap-colors",
        "-f",
        "csv",
        "--columns",
        columns,
    ])
    .done();
    assert_eq!(
        out,
        "game,found,found_move,symmetry,colors,next,continuation\n\
        1,1,3,identity,same,W[cg],W cg\n\
        2,1,3,identity,same,W[ee],W ee\n\
        3,1,3,rotate-90,same,W[cc],W cg\n\
        4,1,3,identity,exchanged,B[ee],W ee\n\
        6,1,3,identity,same,W[cg],W cg\n"
    );
    let out = find(&[
        "--pattern",
        "---/|X./|..",
        "-f",
        "jsonl",
        "--columns",
        "game,found_move,next",
    ])
    .done();
    assert_eq!(out, "{\"game\":6,\"found_move\":5,\"next\":null}\n");
    let out = find(&[
        "--pattern",
        "-----/|...*/|..X.",
        "-f",
        "jsonl",
        "--columns",
        "game,found_move,next",
    ])
    .nothing();
    assert_eq!(out, "");
    let out = find(&[
        "--pattern",
        "----/|.X*",
        "-f",
        "jsonl",
        "--columns",
        "game,found_move,next",
    ])
    .nothing();
    assert_eq!(out, "");
    let out = find(&[
        "--pattern",
        "---/|?X/|X?",
        "-f",
        "jsonl",
        "--columns",
        "game,found_move,next",
    ])
    .done();
    assert_eq!(out, "{\"game\":5,\"found_move\":3,\"next\":null}\n");
    let out = find(&[
        "--sequence",
        "gc gg",
        "--swap-colors",
        "-f",
        "csv",
        "--columns",
        "game,found_move,next",
    ])
    .done();
    assert_eq!(
        out,
        "game,found_move,next\n1,2,B[gg]\n2,2,B[cc]\n3,2,B[cg]\n4,2,W[gg]\n6,3,W[cg]\n"
    );
}

#[test]
fn a_summary_counts_what_was_played_next() {
    let arguments = [
        "--position",
        "cc gc gg",
        "--swap-colors",
        "--where",
        "columns = 9",
        "--summary",
    ];
    let out = find(&[&arguments[..], &["-f", "csv"]].concat()).done();
    assert_eq!(
        out,
        "board,next,count,share,black_wins,white_wins,black_share,black_low,black_high,first_year,last_year,example\n\
        Go 9x9,W ee,2,0.5000,1,1,0.5000,0.0945,0.9055,1992,1992,-#2\n\
        Go 9x9,W cg,2,0.5000,2,0,1.0000,0.3424,1.0000,1990,1990,-#1\n"
    );
    let out = find(&arguments).done();
    assert_eq!(
        out,
        "Go 9x9: 4 found\n\n\
        \x20  a b c d e f g h i\n\
        a  . . . . . . . . .\nb  . . . . . . . . .\nc  . . X . . . O . .\nd  . . . . . . . . .\n\
        e  . . . . A . . . .\nf  . . . . . . . . .\ng  . . B . . . X . .\nh  . . . . . . . . .\n\
        i  . . . . . . . . .\n\n\
        \x20  next  count   share  B wins  W wins  B wins of decided  years  example\n\
        A  W ee      2  50.0 %       1       1  50 % (9-91)        1992   -#2\n\
        B  W cg      2  50.0 %       2       0  100 % (34-100)     1990   -#1\n"
    );
    let out = find(&[&arguments[..], &["--coords", "gtp"]].concat()).done();
    assert!(
        out.contains("\nA  W E5 ") && out.contains("\n5  . . . . A . . . .\n"),
        "{out}"
    );
    let out = find(&[
        "--position",
        "cc gc gg cg",
        "--variations",
        "--summary",
        "-f",
        "jsonl",
    ])
    .done();
    assert!(
        out.contains("\"board\":\"Go 13x13\",\"next\":\"B aa\""),
        "{out}"
    );
    assert!(
        out.contains("\"board\":\"Go 13x13\",\"next\":\"B mm\""),
        "{out}"
    );
    assert_eq!(out.lines().count(), 3);
}

/// A game counts once for each next move, regardless of the number of transforms and places of a
/// match. In variations, each place counts, but the result of the game counts once.
#[test]
fn a_game_counts_once_for_each_next_move() {
    let summary = |games: &str, more: &[&str]| {
        let arguments = [
            &["find", "--pattern", "X?/??", "--summary", "-f", "csv"],
            more,
        ]
        .concat();
        let out = run(&arguments, games.as_bytes()).done();
        out.lines()
            .skip(1)
            .map(|line| line.split(',').take(6).collect::<Vec<_>>().join(","))
            .collect::<Vec<_>>()
    };
    // One stone matches in eight transforms, each of two stones in four; one next move is inside
    // the pattern.
    assert_eq!(
        summary("(;GM[1]SZ[9]RE[B+1];B[ee])", &[]),
        ["Go,end,1,1.0000,1,0"]
    );
    let two = "(;GM[1]SZ[9]RE[B+1];B[aa];B[gg])(;GM[1]SZ[9]RE[W+1];B[ee];W[ef])";
    assert_eq!(
        summary(two, &[]),
        ["Go,end,2,1.0000,1,1", "Go,\"W 2,1\",1,0.5000,0"]
    );
    let tree = "(;GM[1]SZ[9]RE[B+1];B[aa](;W[gg])(;W[gh]))";
    assert_eq!(
        summary(tree, &["--variations", "--exact"]),
        ["Go,end,2,1.0000,1,0"]
    );
}

#[test]
fn a_position_may_come_from_a_file() {
    let place = Place::new();
    let file = place.put("six.sgf", SIX);
    let lines: Vec<&str> = SIX.lines().collect();
    let out = find(&["--position", &format!("{file}#2@3")]).done();
    assert_eq!(
        out.lines().collect::<Vec<_>>(),
        [lines[0], lines[1], lines[2]]
    );
    let out = find(&["--position", &file]).done();
    assert_eq!(out.lines().collect::<Vec<_>>(), [lines[0], lines[2]]);
    let out = find(&["--position", &format!("{file}@9")]).refused();
    assert_eq!(
        out,
        format!("sgfq: --position: no game in {file} has a board and 9 moves\n")
    );
    let member = format!("{}!one.sgf", packed("two.zip").display());
    let [whole, first] = [member.clone(), format!("{member}@1")].map(|name| {
        run(
            &[
                "find",
                "-f",
                "csv",
                "--columns",
                "found_move",
                "--position",
                &name,
                &member,
            ],
            b"",
        )
        .done()
    });
    assert_eq!((&*first, whole == first), ("found_move\n1\n", false));
    let out = find(&["--position", "none.sgf"]).refused();
    assert_eq!(
        out,
        "sgfq: --position: no such file: none.sgf; write a file or moves such as `Q16 D4`\n"
    );
    let pattern = place.put("corner.txt", "# a corner\n---\n|? X\n|X ?\n");
    let out = find(&["--pattern", &pattern]).done();
    assert_eq!(out.lines().collect::<Vec<_>>(), [lines[4]]);
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let input = packed("two.zip").to_string_lossy().into_owned();
    for arguments in [
        &["--pattern", ".X", "--summary", "-f", "csv"][..],
        &["--pattern", ".X", "-f", "csv"],
        &["--position", "", "--summary"],
    ] {
        let with = |jobs: &str| sgfq(&[&["find", "-j", jobs, &input], arguments].concat()).out;
        assert_eq!(
            String::from_utf8(with("1")),
            String::from_utf8(with("4")),
            "{arguments:?}"
        );
    }
}

#[test]
fn invalid_queries_are_refused() {
    for (arguments, message) in [
        (
            &["--pattern", ".X/.Z"][..],
            "--pattern: character 5: expected `X`, `O`, `.`, `x`, `o`, `?`, `*` or 1 to 9, found `Z`\n  .X/.Z\n      ^",
        ),
        (
            &["--position", "pd dpp"],
            "--position: character 4: expected a move such as `pd`, `Q16` or `B[pd]`, found `dpp`\n  pd dpp\n     ^^^",
        ),
        (
            &["--position", "pd,dp"],
            "--position: character 1: expected moves separated by blanks, such as `pd dp`, found `pd,dp`\n  pd,dp\n  ^^^^^",
        ),
        (
            &["--sequence", ""],
            "--sequence: character 1: no moves are given; write moves such as `pd qf nc`\n  \n  ^",
        ),
        (
            &["--position", "", "--next", "aa bb"],
            "--next: character 1: expected one move, found 2\n  aa bb\n  ^^^^^",
        ),
        (
            &["--position", "", "--where", "winer = 'B'"],
            "--where: character 1: unknown column `winer`; did you mean `winner`?\n  winer = 'B'\n  ^^^^^",
        ),
    ] {
        assert_eq!(find(arguments).refused(), format!("sgfq: {message}\n"));
    }
    assert!(
        find(&[])
            .refused()
            .contains("--position <POSITION>|--pattern <PATTERN>|--sequence <MOVES>")
    );
}

/// Words and pieces are moves of a sequence. They match by equality, in the symmetries of their
/// game.
#[test]
fn words_and_pieces_are_moves() {
    let games = b"(;FF[4]GM[11]SZ[5];B[c1];W[b2];B[a1];W[swap-pieces];B[d4])\
        (;FF[4]GM[Blokus Duo];B[e8,e9,f9,d10,e10];W[i4,h5,i5,j5,i6])\
        (;FF[4]GM[19];B[33+A];W[37+E];B[33-34])\
        (;FF[4]GM[9];B[b1-b3];W[a2-c2])\
        (;FF[4]GM[11]SZ[13]SO[https://www.littlegolem.net];W[gg];B[swap];W[jg];B[resign])";
    for (moves, game) in [
        ("a1 swap-pieces", "1"),
        ("B[a1] W[swap-pieces] B[d4]", "1"),
        ("swap-pieces", ""),
        ("W[swap-pieces]", "1"),
        ("e10,e8,e9,f9,d10 i4,h5,i5,j5,i6", "2"),
        ("33+A 37+E 33-34", "3"),
        ("33+A 37+D", ""),
        ("b1-b3 a2-c2", "4"),
        ("g1-g3", "4"),
        ("d1-b3", ""),
        ("gg swap", "5"),
        ("W[gg] B[swap]", "5"),
        ("B[gg] W[swap]", ""),
        ("jg resign", "5"),
    ] {
        for more in [
            &[][..],
            &["--interleaved"],
            &["--anywhere"],
            &["--anywhere", "--interleaved"],
        ] {
            // A game of Hex begins with either color, and so does a list without colors.
            let game = if moves == "swap-pieces" { "1" } else { game };
            let arguments = [
                &[
                    "find",
                    "--columns",
                    "game",
                    "-f",
                    "csv",
                    "--sequence",
                    moves,
                    "-",
                ],
                more,
            ]
            .concat();
            let found = run(&arguments, games);
            let expected = if game.is_empty() {
                "game\n".to_owned()
            } else {
                format!("game\n{game}\n")
            };
            assert_eq!(
                (found.status, found.out),
                (i32::from(game.is_empty()), expected.into_bytes()),
                "{moves} {more:?}"
            );
        }
        let condition = format!("sequence('{moves}')");
        let counted = run(&["count", "-f", "json", "--where", &condition, "-"], games);
        let counted: serde_json::Value = serde_json::from_slice(&counted.out).expect("JSON");
        assert_eq!(
            counted["games"] == 1,
            !(game.is_empty() && moves != "swap-pieces"),
            "{condition}"
        );
    }
    for (position, next, game) in [
        ("W[gg]", "swap", "5"),
        ("c1 b2 a1", "swap-pieces", "1"),
        ("e8,e9,f9,d10,e10", "i6,i4,h5,i5,j5", "2"),
        ("33+A", "37+E", "3"),
        ("b1-b3", "a2-c2", "4"),
        ("b1-b3", "a2-b2", ""),
    ] {
        let found = run(
            &[
                "find",
                "--columns",
                "game",
                "-f",
                "csv",
                "--position",
                position,
                "--next",
                next,
                "-",
            ],
            games,
        );
        let lines: Vec<&[u8]> = found.out.split(|&byte| byte == b'\n').collect();
        assert_eq!(lines[1], game.as_bytes(), "{position} {next}");
    }
}

/// A search that can match on no board of its inputs says so.
#[test]
fn queries_that_fit_nowhere_are_reported() {
    let go = b"(;GM[1]SZ[9];B[cc];W[gg])";
    let place = super::Place::new();
    place.put("go.sgf", go);
    place.put("hex.sgf", "(;GM[11]SZ[9];B[c3])");
    place.put("unknown.sgf", "(;GM[3];B[e2e4])");
    for (arguments, reason) in [
        (
            &["--sequence", "gg swap", "go.sgf"][..],
            "`swap` is not a move on any board that was searched",
        ),
        (
            &["--sequence", "33+A", "go.sgf"],
            "`33+A` is not a move on any board that was searched",
        ),
        (
            &["--position", "cc", "--next", "swap", "go.sgf"],
            "`swap` is not a move on any board that was searched",
        ),
        (
            &["--pattern", "X.........O", "go.sgf"],
            "the pattern fits on no board that was searched",
        ),
        (
            &["--position", "hex.sgf", "go.sgf"],
            "no game that was searched has the board of the position, Hex 9x9",
        ),
        (
            &["--position", "cc", "unknown.sgf"],
            "no game that was searched has a known board",
        ),
    ] {
        let run = super::inputs::run_in(&place, &[&["find"], arguments].concat(), b"");
        assert_eq!(
            (run.status, run.err),
            (1, format!("sgfq: {reason}\n")),
            "{arguments:?}"
        );
    }
}

/// Moves that are outside all searched boards find nothing, and the reason is reported.
#[test]
fn moves_off_all_boards_are_reported() {
    let more = [
        &["--position"][..],
        &["--summary", "--position"],
        &["-f", "csv", "--sequence"],
    ];
    for (moves, word) in [
        ("R20", "R20"),
        ("cc zz", "zz"),
        ("N13 Q16 R20", "Q16"),
        ("cc G1,D4", "G1,D4"),
    ] {
        for (more, jobs) in more.iter().flat_map(|more| [(more, "-j1"), (more, "-j4")]) {
            let run = find(&[*more, &[moves, jobs]].concat());
            let said = format!("sgfq: `{word}` is not a move on any board that was searched\n");
            assert_eq!((run.status, run.err), (1, said), "{moves} {more:?}");
        }
    }
    let next = find(&["--position", "cc", "--next", "R20"]);
    assert_eq!(
        (next.status, &*next.err),
        (
            1,
            "sgfq: `R20` is not a move on any board that was searched\n"
        )
    );
    // N13 is on one of the boards, and no game has it.
    find(&["--position", "N13"]).nothing();
    assert_eq!(
        find(&["--position", "cc, gc, gg,"]).done(),
        find(&["--position", "cc gc gg"]).done()
    );
}

#[test]
fn uncounted_hits_are_reported() {
    // A board with more hits than the limit.
    let stones: String = (0..19)
        .flat_map(|row| (0..19).map(move |column| (row, column)))
        .map(|(row, column)| {
            format!(
                ";{}[{}{}]",
                if (row + column) % 2 == 0 { 'B' } else { 'W' },
                char::from(b'a' + column),
                char::from(b'a' + row)
            )
        })
        .collect();
    let run = run(
        &["find", "--pattern", "x?", "--swap-colors"],
        format!("(;{stones})").as_bytes(),
    );
    assert_eq!((run.status, run.err.lines().count()), (0, 0), "{}", run.err);
    let all = super::run(
        &[
            "find",
            "--pattern",
            "x?",
            "--swap-colors",
            "--summary",
            "-f",
            "csv",
        ],
        format!("(;SZ[52]{stones})").as_bytes(),
    );
    assert_eq!(all.status, 1);
    assert!(
        all.err
            .ends_with("positions were not searched or counted; see `sgfq help caps`\n"),
        "{}",
        all.err
    );
    let large = super::run(
        &["find", "--position", "", "-f", "csv"],
        b"(;GM[11]SZ[65];B[a1])",
    );
    let said = "sgfq: 1 position was not searched or counted; see `sgfq help caps`\n";
    assert_eq!((large.status, &*large.err), (1, said));
    // Patterns cannot represent the stacks of Octi.
    let octi = super::run(
        &["find", "--pattern", "X", "-f", "csv"],
        b"(;GM[19];B[33+A])(;GM[1];B[aa])",
    );
    assert_eq!(
        (
            octi.status,
            &*octi.err,
            octi.out.iter().filter(|byte| **byte == b'\n').count()
        ),
        (1, said, 2)
    );
    // A game that another condition rejects needs no search.
    let games = b"(;GM[19];B[33+A])(;GM[1];B[aa])";
    for (condition, status) in [
        ("gm = 1", 0),
        ("moves < 9", 1),
        ("gm = 19", 1),
        ("gm = 1 OR moves > 1", 0),
    ] {
        for more in [&["-f", "csv"][..], &["--summary", "-f", "csv"], &[]] {
            let run = super::run(
                &[&["find", "--pattern", "X", "--where", condition], more].concat(),
                games,
            );
            assert_eq!(
                (run.status, &*run.err),
                (status, if status == 0 { "" } else { said }),
                "{condition} {more:?}"
            );
        }
    }
}

/// A board's continuations do not depend on the games before. Dropped continuations of other boards
/// are reported.
#[test]
fn boards_do_not_take_the_space_of_others() {
    let field = |at: usize| format!("{}{}", char::from(b'a' + (at % 14) as u8), at / 14 + 1);
    let moves = (0..300_usize)
        .flat_map(|one| (0..50).map(move |other| (one % 196, (one / 196 * 50 + other) % 196)));
    let large: String = moves
        .map(|(one, other)| {
            format!(
                "(;GM[Blokus Duo];B[{},{},{}])",
                field(one),
                field(other),
                field((one + other) % 196)
            )
        })
        .collect();
    let place = Place::new();
    let (large, small) = (
        place.put("large", large),
        place.put("small", "(;SZ[9];B[cc])(;SZ[9];B[ee])"),
    );
    let summary = |inputs: [&str; 2]| {
        let out = run(
            &[
                &["find", "--position", "", "--summary", "-f", "csv"],
                &inputs[..],
            ]
            .concat(),
            b"",
        );
        assert_eq!((out.status, out.err.lines().count()), (1, 1), "{}", out.err);
        assert!(
            out.err
                .starts_with("sgfq: Blokus Duo: the continuations of "),
            "{}",
            out.err
        );
        String::from_utf8(out.out).expect("UTF-8")
    };
    let found = summary([&large, &small]);
    assert_eq!(found, summary([&small, &large]));
    assert_eq!(
        found
            .lines()
            .filter(|line| line.starts_with("Go 9x9,"))
            .count(),
        2
    );
}

/// Remarks of all lines, as text and as JSON. An index gives the same.
#[test]
fn remarks_about_a_position() {
    let games = "(;SZ[9]PB[Ada]PW[Finn];B[cc];W[gg]C[Try a.\nNot b.]LB[cg:a][gc:b](;B[gc]BM[1])(;B[ee]))(;SZ[9];B[gg];W[cc]N[pair])";
    let out = run(
        &["find", "--said", "--position", "cc gg", "-f", "jsonl"],
        games.as_bytes(),
    )
    .done();
    let rows: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let part = |name: &str| rows.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(part("game"), [1, 1, 2]);
    assert_eq!(part("node"), ["/2", "0/0", "/2"]);
    assert_eq!(rows[0]["comment"], "Try a.\nNot b.");
    assert_eq!(
        rows[0]["labels"],
        json!([{"label": "a", "point": "C3", "sgf": "cg"}, {"label": "b", "point": "G7", "sgf": "gc"}])
    );
    assert_eq!(
        (&rows[1]["add"], &rows[1]["judgments"]),
        (&json!("B[gc]"), &json!(["mistake (BM)"]))
    );
    assert_eq!(
        (&rows[2]["name"], &rows[2]["symmetry"]),
        (&json!("pair"), &json!("rotate-180"))
    );
    let text = run(
        &["find", "--said", "--position", "cc gg", "-f", "table"],
        games.as_bytes(),
    )
    .done();
    assert!(
        text.starts_with("-#1 /2 move 2: Ada - Finn\n    Try a.\n    Not b.\n    a = C3, b = G7\n"),
        "{text}"
    );
    let place = Place::new();
    let (file, index) = (place.put("games.sgf", games), place.text("x.idx"));
    let search = [
        "find",
        "--said",
        "--position",
        "cc gg",
        "-f",
        "jsonl",
        &file,
    ];
    let indexed = [&search[..], &["--index", &index]].concat();
    assert_eq!(run(&indexed, b"").done(), run(&search, b"").done());
}
