//! Texts, lists and nodes of any length are read whole, and games that are too long are reported.

use super::{Place, run};

const MIB: usize = 1 << 20;

/// The problems of the reader in a game that is too long are reported with their positions.
#[test]
fn check_reports_the_problems_of_a_game_that_is_too_long() {
    let text = "x\n".repeat(100_000);
    let input = format!("(;FF[4]GM[1]]C[{text}]\n;C[{text}]]);B[aa]\n(;FF[4]GM[1];B[aa]])");
    let out = run(
        &["check", "-f", "short", "--max-game", "100000"],
        input.as_bytes(),
    );
    let mut found = Vec::new();
    for line in out.text().lines() {
        found.push(line.split_once(']').map_or(line, |(place, _)| place));
    }
    let expected = [
        "-:1:13: error[stray-bracket",
        "-:200002:2: error[stray-bracket",
        "-:200002:4: error[text-after-game",
        "-:200003:19: error[stray-bracket",
    ];
    assert_eq!(found, expected, "{}", out.err);
    assert_eq!(out.status, 1);
}

/// Output of commands for three games, of which the second exceeds the maximum size.
#[test]
fn a_game_that_is_too_long_is_copied_or_passed_over() {
    let (first, last) = ("(;PB[a]DT[2001];B[aa])\n", "(;PB[c]DT[2003];B[cc])\n");
    for rest in [
        format!("C[{}]", "x".repeat(200)),
        ";W[bb]".repeat(40),
        format!("AB{}", "[aa]".repeat(50)),
    ] {
        let long = format!("(;PB[b]DT[2002];B[bb]{rest})\n");
        let games = [first, &long, last].concat();
        let limited = |args: &[&str]| {
            let out = run(&[args, &["--max-game", "100"]].concat(), games.as_bytes());
            (
                out.status,
                out.err,
                String::from_utf8_lossy(&out.out).into_owned(),
            )
        };
        let reported = |out: &str| {
            let err =
                "sgfq: -#2: the game is longer than 100 bytes; raise the limit with --max-game\n";
            (1, err.to_owned(), out.to_owned())
        };
        let others = [first, last].concat();
        for args in [&["cat"][..], &["head", "-n", "9"]] {
            assert_eq!(limited(args), reported(&games), "{args:?}");
        }
        let place = Place::new();
        let rejects = place.text("rejects.sgf");
        for (args, out) in [
            (&["get", "pb", "-f", "csv"][..], "pb\na\nc\n"),
            (&["get", "pb,moves", "-f", "csv"], "pb,moves\na,1\nc,1\n"),
            (&["filter", "pb <> 'x'"], &others),
            (&["filter", "moves > 0"], &others),
            (&["filter", "pb = 'x'", "--rejects", &rejects], ""),
            (&["sort", "pb"], &others),
            (&["dedup"], &others),
            (&["find", "--position", "bb"], ""),
            (&["cat", "--where", "pb <> 'x'"], &others),
            (&["cat", "--sgfs"], &others),
            (&["variations"], &others),
            (&["rewrite", "--where", "pb = 'b'", "--set", "PB=z"], &games),
            (&["index", "-", "-o", "-", "--columns", "pb"], ""),
        ] {
            let (status, err, written) = limited(args);
            assert!(
                err.starts_with(&reported("").1) && status == 1,
                "{args:?} {status} {err}"
            );
            if args[0] != "index" {
                assert_eq!(written, out, "{args:?}");
            }
        }
        assert_eq!(place.read("rejects.sgf"), others);
        for args in [&["tree"][..], &["tree", "-f", "jsonl"], &["board"]] {
            let (status, err, written) = limited(args);
            assert_eq!((status, err), (1, reported("").1), "{args:?}");
            let (first, last) = if args == ["board"] {
                ("-#1 ", "-#3 ")
            } else {
                ("aa", "cc")
            };
            assert!(
                written.contains(first) && written.contains(last),
                "{args:?} {written}"
            );
        }
        // These commands buffer no games.
        for command in ["count", "events"] {
            assert_eq!(limited(&[command]).1, "", "{command}");
        }
        assert_eq!(
            run(&["get", "pb", "-f", "csv"], games.as_bytes()).done(),
            "pb\na\nb\nc\n"
        );
    }
}

/// The number of the game counts from the start of its file in every part.
#[test]
fn a_game_that_is_too_long_is_named_by_its_number() {
    let place = Place::new();
    let games: String = (1..=120)
        .map(|number| {
            format!(
                "(;PB[x]C[{}])\n",
                "x".repeat(if number == 117 { 300_000 } else { 100_000 })
            )
        })
        .collect();
    let file = place.put("x.sgf", games);
    let out = run(
        &[
            "freq",
            "pb",
            "-f",
            "csv",
            "--max-game",
            "200000",
            "-j",
            "2",
            &file,
        ],
        b"",
    );
    assert_eq!((out.status, &*out.out), (1, &b"pb,games\nx,119\n"[..]));
    assert_eq!(
        out.err,
        format!(
            "sgfq: {file}#117: the game is longer than 200000 bytes; raise the limit with --max-game\n"
        )
    );
}

/// A move counts once, however it is spelled.
#[test]
fn merge_compares_moves_as_hashes_do() {
    for (one, other, merged) in [
        (
            "GM[1]SZ[9];B[cd];W[];B[aa]",
            "GM[1]SZ[9];B[c d];W[tt];B[aa]",
            "GM[1]SZ[9]\n;B[cd]\n;W[]\n;B[aa]",
        ),
        (
            "GM[11]SZ[11];B[c4];W[a1]",
            "GM[11]SZ[11];B[C4];W[aa]",
            "GM[11]SZ[11]\n;B[c4]\n;W[a1]",
        ),
        ("GM[2]SZ[8];B[c4]", "GM[2]SZ[8];B[cd]", "GM[2]SZ[8]\n;B[c4]"),
        (
            "GM[Blokus Duo];B[e8,e9]",
            "GM[Blokus Duo];B[e9,e8]",
            "GM[Blokus Duo]\n;B[e8,e9]",
        ),
    ] {
        let out = run(&["merge"], format!("(;{one})(;{other})").as_bytes()).done();
        assert_eq!(out, format!("(;FF[4]CA[UTF-8]{merged})\n"));
    }
}

#[test]
fn dedup_compares_all_of_a_game() {
    let long = "x".repeat(MIB + 100);
    let (list, shorter) = ("[b2]".repeat(MIB / 4), "[b2]".repeat(50_000));
    for games in [
        [format!("(;B[{long}a])"), format!("(;B[{long}b])")],
        [
            format!("(;GM[40];B[{long}a])"),
            format!("(;GM[40];B[{long}b])"),
        ],
        [format!("(;CO[{long}a])"), format!("(;CO[{long}b])")],
        [
            format!("(;AB[aa]{list}[cc];B[dd])"),
            format!("(;AB[aa]{list}[ee];B[dd])"),
        ],
        [
            format!("(;GM[Blokus];1[a1]{shorter}[a3])"),
            format!("(;GM[Blokus];1[a1]{shorter}[a4])"),
        ],
        [
            format!("(;AB[aa]{list}GM[1];B[dd])"),
            format!("(;AB[aa]{list}GM[2];B[dd])"),
        ],
        [
            format!("(;AB[aa]{list}SZ[9];B[dd])"),
            format!("(;AB[aa]{list}SZ[13];B[dd])"),
        ],
    ] {
        let all = games.join("\n") + "\n";
        let twice = all.clone() + &games[1];
        let out = run(&["dedup", "--by", "symmetric"], twice.as_bytes()).done();
        assert!(out == all, "{} bytes of {}", out.len(), &games[0][..20]);
    }
    // A line of more than 1 MiB has no hash, so its game equals no other, and `dedup` reports it.
    let games = format!("(;GM[1]{})\n", ";B[aa]".repeat(140_000)).repeat(2);
    let out = run(&["dedup", "--by", "symmetric"], games.as_bytes());
    assert_eq!(
        (out.status, &*out.err),
        (
            1,
            "sgfq: 2 positions were not searched or counted; see `sgfq help caps`\n"
        )
    );
    assert!(out.out == games.as_bytes());
}

#[test]
fn columns_have_texts_of_a_megabyte() {
    let name = format!("{}\u{9ed2}", "x".repeat(5000));
    let games = format!("(;CA[UTF-8]PB[{name}a];B[aa])(;CA[UTF-8]PB[{name}b];B[bb])");
    let get = run(&["get", "pb", "-f", "csv"], games.as_bytes()).done();
    assert!(get == format!("pb\n{name}a\n{name}b\n"));
    let freq = run(&["freq", "pb", "-f", "csv"], games.as_bytes()).done();
    assert!(freq == format!("pb,games\n{name}a,1\n{name}b,1\n"));
    let place = Place::new();
    run(
        &["split", "--name", "{pb}", "-d", &place.text("")],
        games.as_bytes(),
    )
    .done();
    assert_eq!(place.names().len(), 2);
    let long = "y".repeat(MIB - 10);
    let games = format!("(;PB[{long}])(;PB[{long}{long}])(;PB[z])");
    let out = run(&["get", "pb", "-f", "jsonl"], games.as_bytes()).done();
    let lengths: Vec<usize> = out
        .lines()
        .map(|line| line.len() - "{'pb':''}".len())
        .collect();
    assert_eq!(lengths, [long.len(), 2 * long.len(), 1]);
    assert!(
        run(&["get", "pw", "-f", "jsonl"], games.as_bytes())
            .done()
            .len()
            < 100
    );
}

/// A streamed table is not padded to the longest text, and no cell is truncated.
#[test]
fn a_table_is_not_as_wide_as_a_long_text() {
    let long = "y".repeat(MIB / 2);
    let games = format!("(;PB[{long}]PW[a])").repeat(3) + &"(;PB[z]PW[b])".repeat(500);
    let out = run(&["get", "pb,pw"], games.as_bytes()).done();
    assert!(
        out.len() < 10 * MIB && out.lines().nth(1) == Some(&format!("{long}  a")),
        "{}",
        out.len()
    );
}

#[test]
fn questions_are_about_all_of_a_value() {
    let filter =
        |expression: &str, games: &str| run(&["filter", "--where", expression], games.as_bytes());
    for len in [5000, MIB + 10, 3 * MIB] {
        let long = "x ".repeat(len / 2);
        for ident in ["GC", "C"] {
            let games = format!("(;B[aa];{ident}[{long}needle])\n");
            for expression in [
                format!("prop('{ident}') LIKE '%needle'"),
                format!("any('{ident}') LIKE '%needle'"),
            ] {
                assert!(
                    filter(&expression, &games).done() == games,
                    "{expression} {len}"
                );
            }
        }
        let games = format!("(;B[aa];B[{long}needle])\n");
        assert!(filter("move(2) LIKE '%needle'", &games).done() == games);
    }
    let games = format!("(;C[{}needle])(;C[a]C[needle])\n", "x ".repeat(3 * MIB));
    assert_eq!(
        filter("any('C') LIKE '%needle'", &games)
            .done()
            .lines()
            .count(),
        2
    );
    let list = format!("(;LB{}[aa:needle];B[aa])\n", "[aa:x]".repeat(MIB / 5));
    assert!(filter("any('LB') = 'aa:needle'", &list).done() == list);
}

#[test]
fn comments_are_whole() {
    let place = Place::new();
    let long = "comment ".repeat(3 * MIB / 8) + "end";
    let file = place.put(
        "x.sgf",
        format!("(;C[a];C[{long}]B[aa];W[bb]C[{long}{long}])"),
    );
    let (games, comments) = (place.text("x.csv"), place.text("c.jsonl"));
    run(
        &["index", "-o", &games, "--comments", &comments, &file],
        b"",
    )
    .done();
    let rows = place.read("c.jsonl");
    let rows = rows
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let rows: Vec<_> = rows
        .map(|row| {
            (
                row["ply"].as_u64(),
                row["text"].as_str().expect("a text").to_owned(),
            )
        })
        .collect();
    assert_eq!(rows.len(), 3);
    assert!(
        rows[1] == (Some(1), long.clone()),
        "{:?} {}",
        rows[1].0,
        rows[1].1.len()
    );
    assert!(
        rows[2].1 == long.repeat(2) && rows[2].0 == Some(2),
        "{:?} {}",
        rows[2].0,
        rows[2].1.len()
    );
}

/// The charset of a root is known before its texts are written.
#[test]
fn trees_are_written_whole() {
    let game = |text: &[u8]| {
        [
            b"(;B[]PB[",
            text,
            b"]",
            "B[]".repeat(150_000).as_bytes(),
            b"))".repeat(20).as_slice(),
        ]
        .concat()
    };
    let out = run(&["tree", "-f", "jsonl"], &game(b"x")).done();
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        value["tree"][0]["nodes"][0].as_array().map(Vec::len),
        Some(150_002)
    );
    let out = run(&["tree", "-f", "jsonl"], b"(;PB[\xba\xda]B[aa]CA[GBK])").done();
    assert!(out.contains("\u{9ed1}"), "{out}");
    // Faults of the root do not change that.
    for format in ["text", "jsonl"] {
        let out = run(
            &["tree", "-f", format],
            b"(;PB[\xba\xda]Xb[aa] x CA[GBK]PW[\xba\xda])",
        )
        .done();
        assert_eq!(out.matches('\u{9ed1}').count(), 2, "{out}");
        let out = run(
            &["tree", "-f", format, "--where", "game = 2"],
            b"(;)(;PB[\xba\xda] x CA[GBK])",
        )
        .done();
        assert!(
            out.contains('\u{9ed1}') && (format == "jsonl" || out.contains("game 2 ")),
            "{out}"
        );
    }
}

/// A problem before the first node of a variation stands above it, and the node keeps its
/// indentation.
#[test]
fn problems_in_a_tree_have_a_line() {
    let out = run(&["tree"], b"(;B[aa](W[bb])(;W[cc]))").done();
    let lines: Vec<_> = out
        .lines()
        .skip_while(|line| !line.contains("game 1"))
        .map(str::trim_end)
        .collect();
    assert_eq!(
        (lines[0], lines[2], lines[3]),
        ("  game 1 ;B[aa]", "    ;W[bb]", "    ;W[cc]"),
        "{out}"
    );
    assert!(
        lines[1].starts_with("  1:9: error[missing-semicolon]"),
        "{out}"
    );
}

#[test]
fn moves_are_printed_whole() {
    let long = "x".repeat(10_000);
    assert!(run(&["moves"], format!("(;B[{long}])").as_bytes()).done() == format!("B[{long}]\n"));
    let long = "x".repeat(2 * MIB);
    assert!(run(&["moves"], format!("(;B[{long}])").as_bytes()).done() == format!("B[{long}]\n"));
    let out = run(
        &["moves", "--max-game", "1000000"],
        format!("(;B[a];B[{long}])(;B[b])").as_bytes(),
    );
    assert_eq!((out.status, &*out.out), (1, &b"B[b]\n"[..]), "{}", out.err);
    assert_eq!(
        run(
            &["moves", "-n", "1"],
            format!("(;B[a];B[{}])", "x".repeat(2 * MIB)).as_bytes()
        )
        .done(),
        "B[a]\n"
    );
}

#[test]
fn json_has_nothing_that_a_terminal_obeys() {
    let game = "(;CA[UTF-8\u{9b}]PB[a\u{9b}b\u{202e}c\u{1b}[31md])".as_bytes();
    let escaped = "a\\u009bb\\u202ec\\u001b[31md";
    assert_eq!(
        run(&["get", "pb", "-f", "jsonl"], game).done(),
        format!("{{\"pb\":\"{escaped}\"}}\n")
    );
    assert_eq!(
        run(&["freq", "pb", "-f", "jsonl"], game).done(),
        format!("{{\"pb\":\"{escaped}\",\"games\":1}}\n")
    );
    let out = run(&["charset", "-f", "jsonl"], game).done();
    assert!(
        out.contains("UTF-8\\u009b") && !out.contains('\u{9b}'),
        "{out}"
    );
    // A file or a program gets the text unchanged.
    let text = "a\u{9b}b\u{202e}c\u{1b}[31md";
    assert_eq!(
        run(&["get", "pb", "-f", "csv"], game).done(),
        format!("pb\n{text}\n")
    );
    assert_eq!(
        run(&["freq", "pb", "-f", "csv"], game).done(),
        format!("pb,games\n{text},1\n")
    );
}

#[test]
fn help_names_the_limit_of_a_game() {
    let help = run(&["help", "caps"], b"").done();
    assert!(
        help.contains("--cap-bytes") && help.contains("--max-game"),
        "{help}"
    );
}

/// A game without its `)` may hide the games after it, so each command names it, also if it passes
/// over the game.
#[test]
fn a_long_game_that_is_not_closed_is_named() {
    let place = Place::new();
    let many = b"(;US[a];B[cc])\n".repeat(9_000);
    let cut = [b"(;GM[1];B[dd])\n(;GM[1];B[aa](;W[bb]\n", &many[..]].concat();
    let file = place.put("cut.sgf", &cut);
    let closed = place.put("closed.sgf", [&cut[..], b"))"].concat());
    let short = place.put("short.sgf", &cut[..60_000]);
    let table = place.path("x.parquet").display().to_string();
    for arguments in [
        &["count"][..],
        &["stats"],
        &["get", "game"],
        &["get", "all"],
        &["filter", "--where", "pb = 'x'"],
        &["index", "-o", &table],
        &["check", "--summary"],
        &["fix"],
        &["rewrite", "--strip", "C"],
        &["cat"],
        &["moves"],
        &["find", "--sequence", "dd", "--summary"],
        &["openings"],
        &["freq", "pb"],
        &["players"],
        &["dedup"],
        &["tree"],
        &["variations"],
    ] {
        for threads in ["-j1", "-j2"] {
            let named = run(&[arguments, &[threads, &file]].concat(), b"");
            let line = format!(
                "sgfq: {file}#2: the game is not closed in 135021 bytes, so it may hide other games"
            );
            assert!(
                named.err.lines().any(|other| other == line),
                "{arguments:?} {threads}: {}",
                named.err
            );
            assert_eq!(named.status, 1, "{arguments:?} {threads}");
            for other in [&closed, &short] {
                let read = run(&[arguments, &[threads, other]].concat(), b"");
                assert!(
                    !read.err.contains("not closed in"),
                    "{arguments:?} {threads}: {}",
                    read.err
                );
            }
        }
    }
}
