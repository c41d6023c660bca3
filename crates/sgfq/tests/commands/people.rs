//! Tests of `players` and `grep`.

use std::collections::BTreeMap;

use super::{Place, run};

const GAMES: &[u8] =
    b"(;PB[Ada]PW[Ben]RE[B+R]DT[1990-01-02])(;PB[Ben]PW[Ada]RE[W+1]DT[1995])(;PB[Ada]PW[Cyd]RE[0])\
    (;PB[Ada]PW[Ada]RE[W+R])(;GM[22]P1[Ada]P2[Ben]P3[Cyd]P4[Dan]RE[2+5])(;PB[ ])";

#[test]
fn records_of_players() {
    let out = run(&["players"], GAMES).done();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 5, "{out}");
    let cells: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(
        cells[..13],
        [
            "Ada", "5", "3", "2", "2", "1", "67", "21", "94", "1990", "1995", "3", "Ben"
        ]
    );
    let out = run(
        &[
            "players",
            "-f",
            "jsonl",
            "--where",
            "player = 'Cyd'",
            "--sort",
            "name",
            "-n",
            "1",
        ],
        GAMES,
    )
    .done();
    // Cyd plays White in one game and is the third of four players in another.
    let expected = "{\"player\":\"Ada\",\"games\":2,\"black\":1,\"white\":0,\"won\":0,\"lost\":1,\"share\":0.0,\"share_low\":0.0,\
        \"share_high\":0.7935,\"first\":null,\"last\":null,\"opponents\":3,\"most_frequent\":\"Cyd (2), Ben (1), Dan (1)\"}\n";
    assert_eq!(out, expected);
    let first =
        |order: &str| run(&["players", "-f", "csv", "-n", "1", "--sort", order], GAMES).done();
    for (order, name) in [
        ("won", "\nAda,"),
        ("share", "\nAda,"),
        ("opponents", "\nAda,"),
        ("last", "\nAda,"),
    ] {
        assert!(first(order).contains(name), "{order}: {}", first(order));
    }
    assert_eq!(run(&["players"], b"(;B[aa])").done().lines().count(), 1);
}

/// The games of two persons: all, by color, and one by one. Ranks and aliases do not matter.
#[test]
fn games_of_two_persons() {
    let place = Place::new();
    let games = "(;PB[Ada 9p]PW[Ben (5d)]RE[B+R]DT[1990-01-02]EV[Cup])(;PB[Ben]PW[Ada]RE[W+1]DT[1985])(;PB[Ada]PW[Cyd]RE[0])\
        (;PB[Ada]PW[Ada]RE[W+R])(;GM[22]P1[Ada]P2[Ben]P3[Cyd]P4[Dan]RE[2+5])(;PB[Ben]PW[Ada]RE[0])(;PB[阿达]PW[Ben]RE[W+R]DT[1991])";
    let file = place.put("x.sgf", games);
    let names = place.put("names.tsv", "Ada\t阿达\n");
    let pair = |more: &[&str]| {
        let asked = [
            "players",
            "-f",
            "csv",
            "--player",
            "Ada 1d",
            "--against",
            "Ben",
            "--aliases",
            &names,
        ];
        run(&[&asked, more, &[&*file]].concat(), b"")
            .done()
            .replace(&file, "x")
    };
    let expected = "player,against,color,games,black,white,won,lost,share,share_low,share_high,first,last,dt,re,ev,reference\n\
        Ada,Ben,,5,2,2,2,2,0.5,0.15,0.85,1985,1991,,,,\n\
        Ada,Ben,B,2,2,0,1,1,0.5,0.0945,0.9055,1990,1991,,,,\n\
        Ada,Ben,W,2,0,2,1,0,1,0.2065,1,1985,1985,,,,\n\
        Ada,Ben,W,1,0,1,1,0,1,0.2065,1,1985,1985,1985,W+1,,x#2\n\
        Ada,Ben,B,1,1,0,1,0,1,0.2065,1,1990,1990,1990-01-02,B+R,Cup,x#1\n\
        Ada,Ben,B,1,1,0,0,1,0,0,0.7935,1991,1991,1991,W+R,,x#7\n\
        Ada,Ben,,1,0,0,0,1,0,0,0.7935,,,,2+5,,x#5\n\
        Ada,Ben,W,1,0,1,0,0,,,,,,,0,,x#6\n";
    assert_eq!(pair(&[]), expected);
    // The first rows need no list of games.
    assert_eq!(
        pair(&["--top", "1", "--where", "re = '0'"]).lines().nth(1),
        Some("Ada,Ben,,1,0,1,0,0,,,,,,,,,")
    );
    for more in [&["--sort", "won"][..], &["--openings", "2"]] {
        let refused = run(
            &[
                &["players", "--player", "Ada", "--against", "Ben"],
                more,
                &[&*file],
            ]
            .concat(),
            b"",
        );
        assert_eq!(refused.status, 2, "{}", refused.err);
    }
    assert_eq!(run(&["players", "--against", "Ben", &file], b"").status, 2);
    // A root with game information below it is several games with one reference.
    let parted = super::arrange::PARTED;
    let rows = run(
        &[
            "players",
            "-f",
            "csv",
            "--player",
            "Ada",
            "--against",
            "Ben",
        ],
        parted,
    )
    .done();
    assert!(
        rows.lines()
            .nth(1)
            .is_some_and(|row| row.starts_with("Ada,Ben,,1,")),
        "{rows}"
    );
}

/// More games than fit in memory give the same list on two threads, with their numbers in the file.
#[test]
fn many_games_of_two_persons() {
    let games: String = (0..20_000)
        .map(|at| format!("(;PB[Ada]PW[Ben]RE[B+R]DT[{}])\n", 1000 + at % 997))
        .collect();
    let place = Place::new();
    let file = place.put("x.sgf", games);
    let rows = |jobs: &str| {
        run(
            &[
                "players",
                "-f",
                "tsv",
                "-j",
                jobs,
                "--player",
                "Ben",
                "--against",
                "Ada",
                &file,
            ],
            b"",
        )
        .done()
    };
    let found = rows("2");
    assert_eq!(found, rows("1"));
    let mut numbers: Vec<u32> = Vec::new();
    let mut years: Vec<&str> = Vec::new();
    for row in found.lines().skip(3) {
        let (_, number) = row.rsplit_once('#').expect("a reference");
        numbers.push(number.parse().expect("a number"));
        years.push(row.split('\t').nth(13).expect("a date"));
    }
    assert!(years.is_sorted());
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(1..=20_000));
}

/// Openings do not depend on the orientation of the games. Each game of a player is in one opening,
/// except games that begin with stones. Each game of a branching game tree counts. A root with game
/// information has no other games below it.
#[test]
fn records_of_games_that_part_in_variations() {
    let parted = String::from_utf8_lossy(super::arrange::PARTED).into_owned();
    let records = |games: &str| {
        let out = run(
            &["players", "-f", "csv", "--sort", "name"],
            games.as_bytes(),
        )
        .done();
        let first = |line: &str| line.split(',').take(6).collect::<Vec<_>>().join(",");
        out.lines().skip(1).map(first).collect::<Vec<_>>()
    };
    assert_eq!(
        records(&parted),
        ["Ada,2,1,1,1,1", "Ben,1,0,1,0,1", "Cyd,1,1,0,1,0"]
    );
    let plain = format!("{parted}(;PB[Ben]PW[Cyd]RE[W+R];B[aa](;W[bb]PB[Dan])(;W[cc]))");
    assert_eq!(
        records(&plain),
        ["Ada,2,1,1,1,1", "Ben,2,1,1,0,2", "Cyd,2,1,1,2,0"]
    );
    // A row describes the main line.
    let out = run(&["get", "pb,pw,winner", "-f", "csv"], parted.as_bytes());
    assert_eq!(out.done(), "pb,pw,winner\nAda,Ben,B\n");
    // Names are decoded in the charset of the game.
    let in_gbk = b"(;GM[1];B[aa](;W[bb]PB[\xba\xda])(;W[cc]PB[\xb0\xd7]))";
    let out = run(
        &["players", "--charset", "GBK", "-f", "csv", "--sort", "name"],
        in_gbk,
    )
    .done();
    assert!(
        out.contains("\n\u{767d},1,") && out.contains("\n\u{9ed1},1,"),
        "{out}"
    );
}

#[test]
fn openings_of_players() {
    let mut random = fastrand::Rng::with_seed(11);
    let starts = [
        "qd dc pq cp",
        "pd dp pp dd",
        "qd dc pq cp nc",
        "pd dd",
        "jj",
        "",
    ];
    let (mut plain, mut turned, mut counts) =
        (String::new(), String::new(), BTreeMap::<&str, u64>::new());
    for _ in 0..120 {
        let names = [["Ada", "Ben"], ["Ben", "Cyd"], ["Cyd", "Ada"]][random.usize(..3)];
        let (result, has_setup) = (["B+R", "W+2", "0"][random.usize(..3)], random.u8(..10) == 0);
        let (flips, columns, rows) = (random.bool(), random.bool(), random.bool());
        let start = starts[random.usize(..starts.len())];
        let head = format!(
            "(;SZ[19]PB[{}]PW[{}]RE[{result}]{}",
            names[0],
            names[1],
            if has_setup { "AB[aa]" } else { "" }
        );
        for (games, is_turned) in [(&mut plain, false), (&mut turned, true)] {
            games.push_str(&head);
            for (ply, word) in start.split_whitespace().enumerate() {
                let [column, row] = *word.as_bytes() else {
                    panic!("expected a point")
                };
                let flip = |at: u8, is_flipped: bool| {
                    if is_turned && is_flipped {
                        b'a' + b's' - at
                    } else {
                        at
                    }
                };
                let (column, row) = (flip(column, columns), flip(row, rows));
                let (column, row) = if is_turned && flips {
                    (row, column)
                } else {
                    (column, row)
                };
                *games += &format!(
                    ";{}[{}{}]",
                    ["B", "W"][ply % 2],
                    char::from(column),
                    char::from(row)
                );
            }
            games.push_str(")\n");
        }
        for name in names {
            *counts.entry(name).or_default() += u64::from(!has_setup);
        }
    }
    for depth in ["1", "4", "16"] {
        let rows = |games: &str| {
            run(
                &["players", "--openings", depth, "-f", "tsv"],
                games.as_bytes(),
            )
            .done()
        };
        let all = rows(&plain);
        assert_eq!(rows(&turned), all, "{depth}");
        let mut found = BTreeMap::<&str, u64>::new();
        for cells in all
            .lines()
            .skip(1)
            .map(|line| line.split('\t').collect::<Vec<_>>())
        {
            *found.entry(cells[0]).or_default() += cells[3].parse::<u64>().expect("a number");
        }
        assert_eq!(found, counts, "{depth}: {all}");
        let of_ben = run(
            &[
                "players",
                "--openings",
                depth,
                "--player",
                "Ben",
                "-f",
                "tsv",
            ],
            plain.as_bytes(),
        )
        .done();
        assert!(
            all.lines()
                .filter(|line| line.starts_with("Ben\t"))
                .eq(of_ben.lines().skip(1)),
            "{of_ben}"
        );
    }
    assert_eq!(
        run(
            &["players", "--player", "Ben", "-f", "csv"],
            plain.as_bytes()
        )
        .done()
        .lines()
        .count(),
        2
    );
}

/// More pairs than fit in memory give the same result in separate files on two threads.
#[test]
fn records_of_more_players_than_are_held() {
    let (mut games, mut expected) = (String::new(), BTreeMap::<String, (u64, u64)>::new());
    for game in 0..40_000_u64 {
        let names = [game % 977, game.wrapping_mul(7919) % 30_011]
            .map(|number| format!("Player with a name of some length {number:06}"));
        games += &format!("(;PB[{}]PW[{}]RE[B+R])", names[0], names[1]);
        if names[0] == names[1] {
            expected.entry(names[0].clone()).or_default().0 += 1;
            continue;
        }
        for (seat, name) in names.into_iter().enumerate() {
            let record = expected.entry(name).or_default();
            *record = (record.0 + 1, record.1 + u64::from(seat == 0));
        }
    }
    let out = run(
        &["players", "-f", "tsv", "-j", "2", "--sort", "name"],
        games.as_bytes(),
    )
    .done();
    let found = out.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        (
            cells[0].to_owned(),
            (
                cells[1].parse().expect("a number"),
                cells[4].parse().expect("a number"),
            ),
        )
    });
    assert!(found.eq(expected), "{} lines", out.lines().count());
}

#[test]
fn lines_of_texts() {
    let place = Place::new();
    let games = "(;C[first\nsecond line\n]GM[1];B[aa]N[line]C[LINE](;W[bb]C[a line \\] too])(;W[cc];C[no]B[dd]GC[line\nline]))(;PB[line])\
        (;C[caf\u{e9} line]CA[ISO-8859-1])";
    let bytes: Vec<u8> = games.chars().map(|char| char as u8).collect();
    let file = place.put("x.sgf", bytes);
    let out = run(&["grep", "line", &file], b"").done();
    let expected = [
        "#1 /0 move 0 C: second line",
        "#1 /1 move 1 N: line",
        "#1 0/0 move 2 C: a line ] too",
        "#1 1/1 GC: line",
        "#1 1/1 GC: line",
        "#3 /0 move 0 C: caf\u{e9} line",
    ];
    assert_eq!(out, expected.map(|line| format!("{file}{line}\n")).concat());
    assert_eq!(
        run(&["grep", "-i", "^line$", "--in", "c", &file], b"")
            .text()
            .lines()
            .count(),
        1
    );
    assert_eq!(
        run(&["grep", "-F", "a line ]", &file], b"")
            .text()
            .lines()
            .count(),
        1
    );
    let one = run(&["grep", "line", &format!("{file}#3"), "-f", "csv"], b"").done();
    assert_eq!(
        one,
        format!("file,game,node,move,property,text\n{file}#3,3,/0,0,C,caf\u{e9} line\n")
    );
    let chosen = run(
        &["grep", "line", "--in", "PB,C", "--where", "game = 2", &file],
        b"",
    )
    .done();
    assert_eq!(chosen, format!("{file}#2 /0 move 0 PB: line\n"));
    let none = run(&["grep", "nowhere", &file], b"");
    assert_eq!((none.status, none.text()), (1, ""));
    assert!(
        run(&["grep", "(", &file], b"")
            .refused()
            .ends_with("invalid regular expression `(`: unclosed group\n")
    );
    // The node of a match can be drawn.
    run(&["board", &format!("{file}#1"), "--node", "1/1"], b"").done();
}

/// The numbers of games do not depend on the parts of a file.
#[test]
fn lines_of_many_games() {
    let games: String = (1..=60_000)
        .map(|game| format!("(;GM[1]SZ[19]C[game {game} is here];B[aa];W[bb])\n"))
        .collect();
    let (one, two) = (
        run(&["grep", "-j1", "game .*7 is"], games.as_bytes()),
        run(&["grep", "-j2", "game .*7 is"], games.as_bytes()),
    );
    assert!(one.text() == two.text());
    let expected = (1..=60_000)
        .filter(|game| game % 10 == 7)
        .map(|game| format!("-#{game} /0 move 0 C: game {game} is here\n"));
    assert!(one.done() == expected.collect::<String>());
}

/// The extension of the output file selects the format like `-f`, and an unsupported format is an
/// error.
#[test]
fn the_name_of_the_output_selects_its_format() {
    let place = Place::new();
    let game = place.put(
        "g.sgf",
        "(;FF[4]GM[1]SZ[9]PB[Ada]PW[Ben]KM[6,5];B[aa]C[Ada plays];W[bb])",
    );
    for (arguments, name, start) in [
        (&["get", "pb"][..], "g.csv", "pb\nAda\n"),
        (&["get", "pb"], "g.txt", "pb\nAda\n"),
        (&["players"], "p.jsonl", "{\"player\":\"Ada\""),
        (&["freq", "pb"], "f.tsv", "pb\tgames\n"),
        (&["openings"], "o.csv", "board,"),
        (&["grep", "plays"], "g.jsonl", "{\"file\""),
        (&["charset"], "c.jsonl", "{\"schema\""),
        (&["count"], "c.json", "{\"schema\""),
        (&["stats"], "s.json", "{"),
        (&["stats", "--title", "Club"], "s.html", "<!"),
        (&["tree"], "t.jsonl", "{\"schema\""),
        (&["board"], "b.svg", "<svg"),
        (&["find", "--position", "aa"], "f.csv", "source,"),
        (
            &["find", "--position", "aa", "--summary"],
            "f.tsv",
            "board\t",
        ),
        (&["check", "--fail-on", "never"], "c.sarif", "{"),
        (&["check", "--fail-on", "never"], "c.JSONL", "{\"schema\""),
    ] {
        let out = place.text(name);
        run(
            &[
                arguments,
                &["-q"][..usize::from(arguments[0] == "check")],
                &["-o", &out, &game],
            ]
            .concat(),
            b"",
        )
        .done();
        let text = place.read(name);
        assert!(
            text.starts_with(start),
            "{arguments:?} {name}: {}",
            &text[..text.len().min(200)]
        );
        let wrong = place.text("x.parquet");
        let said = run(&[arguments, &["-o", &wrong, &game]].concat(), b"").refused();
        assert!(
            said.contains("does not write `parquet`; pass -f with `"),
            "{said}"
        );
        assert!(!place.path("x.parquet").exists());
    }
}
