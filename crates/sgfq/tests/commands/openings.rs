//! Tests of `openings`: the tree of first moves.

use std::collections::BTreeMap;

use serde_json::Value;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Dialect, Game, GameBoard, Side, board::Symmetry};

use super::{Place, packed, run, sgfq};

/// Three move orders to one position, one of them rotated; another board; a game with setup stones.
const GAMES: &str = "\
(;GM[1]SZ[9]RE[B+1]DT[1990];B[cc];W[gc];B[gg];W[ee])
(;GM[1]SZ[9]RE[W+1]DT[1992-05-01];B[gg];W[gc];B[cc])
(;GM[1]SZ[9]RE[B+R];B[gc];W[gg];B[cg];W[])
(;GM[1]SZ[9]RE[W+R];B[ee])
(;GM[1]SZ[13];B[cc])
(;GM[1]SZ[9]AB[cc];W[gc])
";

fn openings(arguments: &[&str]) -> super::Run {
    run(&[&["openings"], arguments].concat(), GAMES.as_bytes())
}

#[test]
fn transpositions_and_turned_games_are_one_line() {
    let out = openings(&["--depth", "3"]).done();
    assert_eq!(
        out,
        "Go 9x9: 4 games\n\
        moves     games   share  B wins  W wins  B wins of decided  years      example\n\
        B gc          3  75.0 %       2       1  67 % (21-94)       1990-1992  -#1\n\
        \x20 W gg        3  75.0 %       2       1  67 % (21-94)       1990-1992  -#1\n\
        \x20   B cg      3  75.0 %       2       1  67 % (21-94)       1990-1992  -#1\n\
        B ee          1  25.0 %       0       1  0 % (0-79)                    -#4\n\
        \n\
        Go 13x13: 1 game\n\
        moves  games    share  B wins  W wins  B wins of decided  years  example\n\
        B kc       1  100.0 %       0       0                            -#5\n\
        \n\
        Not counted: 1 game with stones on the board at the start\n"
    );
    let out = openings(&["-f", "csv", "--where", "columns = 9", "--coords", "gtp"]).done();
    assert_eq!(
        out.lines()
            .map(|line| line.split(',').take(5).collect::<Vec<_>>().join(","))
            .collect::<Vec<_>>(),
        [
            "board,depth,moves,direct,count",
            "Go 9x9,1,B[G7],3,3",
            "Go 9x9,2,B[G7] W[G3],3,3",
            "Go 9x9,3,B[G7] W[G3] B[C3],3,3",
            "Go 9x9,4,B[G7] W[G3] B[C3] W[E5],1,1",
            "Go 9x9,4,B[G7] W[G3] B[C3] W[pass],1,1",
            "Go 9x9,1,B[E5],1,1",
        ]
    );
    let out = openings(&["--top", "1", "--depth", "1", "--where", "columns = 9"]).done();
    assert!(out.contains("\n1 more      1\n"), "{out}");
}

/// Games without an opening are reported and have no table.
#[test]
fn games_without_a_first_move_are_reported() {
    let games = "(;GM[1]SZ[19]RE[B+1];B[zz];W[dd])(;GM[1]SZ[9])";
    for (more, expected) in [
        (&[][..], "Go 19x19: 1 game\n\nGo 9x9: 1 game\n"),
        (
            &["-f", "csv"],
            "board,depth,moves,direct,count,share,black_wins,white_wins,black_share,black_low,black_high,first_year,last_year,example\n",
        ),
        (&["-f", "jsonl"], ""),
    ] {
        let out = run(&[&["openings"], more].concat(), games.as_bytes());
        let message =
            "sgfq: 2 games have no opening: the first move is missing or not on the board\n";
        assert_eq!((out.status, &*out.err), (0, message));
        assert_eq!(String::from_utf8(out.out).expect("UTF-8"), expected);
    }
    let out = run(
        &["openings", "--depth", "1"],
        b"(;GM[1]SZ[19];B[zz])(;GM[1]SZ[19];B[pd])",
    );
    assert_eq!(
        out.err,
        "sgfq: 1 game has no opening: the first move is missing or not on the board\n"
    );
    assert!(
        String::from_utf8(out.out)
            .expect("UTF-8")
            .contains("\nB pd       1  50.0 %")
    );
}

/// Returns the least of the transformed boards of a square, compared cell by cell.
fn canonical(position: &GameBoard, side: u32) -> String {
    let rows: Vec<Vec<char>> = position
        .to_string()
        .lines()
        .map(|row| row.chars().collect())
        .collect();
    let turned = |symmetry: Symmetry| {
        let mut text = vec!['.'; (side * side) as usize];
        for (at, stone) in rows.iter().flatten().enumerate() {
            let (column, row) = symmetry.apply((at as u32 % side, at as u32 / side), (side, side));
            text[(row * side + column) as usize] = *stone;
        }
        text.into_iter().collect::<String>()
    };
    Symmetry::ALL.into_iter().map(turned).min().expect("eight")
}

/// Compares the counts with an independent count from the output of `moves`, with boards compared
/// cell by cell.
#[test]
fn counts_are_those_of_the_boards() {
    let input = packed("two.zip").to_string_lossy().into_owned();
    let games = [
        GAMES.to_owned(),
        "(;SZ[9];B[cc];W[gc];B[gg];W[ee];B[aa])(;SZ[9];B[ab];W[ba])(;SZ[9];W[hb])".to_owned(),
    ]
    .concat();
    let plain: String = games
        .lines()
        .filter(|line| !line.contains("SZ[13]") && !line.contains("AB["))
        .collect();
    let moves = run(&["moves"], plain.as_bytes()).done();
    let mut boards: BTreeMap<(usize, String), u64> = BTreeMap::new();
    for line in moves.lines() {
        let dialect = Dialect::new(Game::Go, Some(BoardSize::square(9)));
        let mut position = GameBoard::new(&dialect).expect("Go has a board");
        for (number, played) in line
            .split(' ')
            .filter(|word| !word.is_empty())
            .take(4)
            .enumerate()
        {
            let side = if played.starts_with('B') {
                Side::Black
            } else {
                Side::White
            };
            let played = dialect
                .parse_move(played[2..].trim_end_matches(']').as_bytes())
                .expect("a move");
            position.play(side, &played).expect("legal");
            *boards
                .entry((number + 1, canonical(&position, 9)))
                .or_default() += 1;
        }
    }
    let mut expected: Vec<(usize, u64)> = boards
        .into_iter()
        .map(|((depth, _), count)| (depth, count))
        .collect();
    let out = run(&["openings", "-f", "jsonl"], plain.as_bytes()).done();
    let number = |line: &str, name: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\":")).expect("a member");
        rest.split([',', '}'])
            .next()
            .expect("a number")
            .parse::<u64>()
            .expect("a number")
    };
    let mut found: Vec<(usize, u64)> = out
        .lines()
        .map(|line| (number(line, "depth") as usize, number(line, "count")))
        .collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
    let with = |jobs: &str| sgfq(&["openings", "-j", jobs, &input]).out;
    assert_eq!(String::from_utf8(with("1")), String::from_utf8(with("4")));
}

/// The statistics count lines while they read, and `openings` counts positions. Both must agree.
#[test]
fn statistics_have_the_same_openings() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
    let hex = "(;GM[11]SZ[5]RE[W+];B[a1];W[b2])(;GM[11]SZ[5]RE[B+];B[e5];W[d4])";
    let games = [GAMES, hex].concat();
    for (input, depth) in [("-", 1), ("-", 4), (corpus, 3)] {
        let depth_text = depth.to_string();
        let row = |board: &str, moves: &str, row: &Value| {
            let names = [
                "count",
                "black_wins",
                "white_wins",
                "black_low",
                "black_high",
                "first_year",
                "last_year",
            ];
            format!(
                "{board}: {moves} {}",
                names.map(|name| row[name].to_string()).join(" ")
            )
        };
        let openings = run(
            &["openings", "-f", "jsonl", "--depth", &depth_text, input],
            games.as_bytes(),
        )
        .out;
        let (mut found, mut boards) = (Vec::new(), Vec::new());
        for line in String::from_utf8(openings).expect("UTF-8").lines() {
            let line: Value = serde_json::from_str(line).expect("JSON");
            if line["depth"] == 1 || line["depth"] == depth {
                let [board, moves] =
                    ["board", "moves"].map(|name| line[name].as_str().expect("text"));
                found.push(row(board, moves, &line));
                boards.push(board.to_owned());
            }
        }
        let stats = [
            "stats",
            "-f",
            "json",
            "--top",
            "0",
            "--opening-moves",
            &depth_text,
            input,
        ];
        let stats: Value =
            serde_json::from_slice(&run(&stats, games.as_bytes()).out).expect("JSON");
        let mut expected = Vec::new();
        for board in stats["openings"]["boards"].as_array().expect("a list") {
            let name = board["board"].as_str().expect("text");
            let name = if name == "Octi" { "Octi 9x9" } else { name };
            // The statistics include the first moves of games without a known board.
            let lists = ["first_moves", "lines"]
                .into_iter()
                .take(if depth == 1 { 1 } else { 2 });
            for line in lists.flat_map(|list| board[list].as_array().expect("a list")) {
                let moves = line["moves"].as_array().expect("a list").iter();
                let moves =
                    moves.map(|played| played.as_str().expect("text").replacen(' ', "[", 1) + "]");
                if boards.iter().any(|board| board == name) {
                    expected.push(row(name, &moves.collect::<Vec<_>>().join(" "), line));
                }
            }
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert!(found.len() > 3, "{input}");
        assert_eq!(found, expected, "{input}");
    }
}

/// Returns more positions on a board than the limit.
fn many() -> String {
    let letter = |at: usize| char::from(b'a' + at as u8);
    (0..20_000)
        .map(|number: usize| {
            let point = |at: usize| format!("{}{}", letter(at % 19), letter(at / 19 % 19));
            format!(
                "(;W[];B[{}];W[{}];B[{}])",
                point(number),
                point(number / 361),
                point(number * 131)
            )
        })
        .collect()
}

/// Each game counts once, regardless of its uncounted moves and of the parts of the input.
#[test]
fn uncounted_games_are_reported() {
    let games = many();
    let counted = |arguments: &[&str], input: &str| {
        let out = run(
            &[&["openings"], arguments, &["-f", "csv"]].concat(),
            input.as_bytes(),
        );
        assert_eq!(
            (
                out.status,
                String::from_utf8_lossy(&out.out).lines().count()
            ),
            (1, 10_001)
        );
        let rest = out
            .err
            .strip_prefix("sgfq: Go 19x19: the openings of ")
            .expect("the board");
        let (count, rest) = rest.split_once(' ').expect("a count");
        assert_eq!(rest, "games were not all counted; see `sgfq help caps`\n");
        count.parse::<usize>().expect("a number")
    };
    let left_out = counted(&[], &games);
    assert!((10_000..20_000).contains(&left_out), "{left_out}");
    let place = Place::new();
    let halves =
        games.split_at(games.len() / 2 + games[games.len() / 2..].find('(').expect("a game"));
    let [one, other] = [halves.0, halves.1]
        .map(|games| place.put(if games == halves.0 { "1" } else { "2" }, games));
    let of_two = counted(&["-j2", &one, &other], "");
    assert!((10_000..20_000).contains(&of_two), "{of_two}");
}

/// The positions of a board do not depend on the games before.
#[test]
fn boards_do_not_take_the_space_of_others() {
    let small = "(;SZ[9];B[cc];W[gc])(;SZ[13];B[cc])(;SZ[9];B[ee])";
    let place = Place::new();
    let (large, small) = (place.put("large", many()), place.put("small", small));
    let tables = |inputs: [&str; 2]| {
        let out = run(&[&["openings", "-f", "csv"], &inputs[..]].concat(), b"");
        assert_eq!((out.status, out.err.lines().count()), (1, 1), "{}", out.err);
        String::from_utf8(out.out).expect("UTF-8")
    };
    let found = tables([&large, &small]);
    assert_eq!(found, tables([&small, &large]));
    let of_9 = found
        .lines()
        .filter(|line| line.starts_with("Go 9x9,"))
        .count();
    let of_13 = found
        .lines()
        .filter(|line| line.starts_with("Go 13x13,"))
        .count();
    assert_eq!((of_9, of_13), (3, 1));
}

/// Returns games of random moves on a small board, so that positions repeat.
fn random_games(count: u32) -> String {
    let mut seed = 3u32;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % below
    };
    let mut games = String::new();
    for _ in 0..count {
        let results = ["RE[B+R]", "RE[W+R]", ""];
        games += &format!("(;SZ[3]{}", results[random(3) as usize]);
        let mut free: Vec<String> = "abc"
            .chars()
            .flat_map(|column| "abc".chars().map(move |row| format!("{column}{row}")))
            .collect();
        for number in 0..random(5) {
            let point = free.remove(random(free.len() as u32) as usize);
            games += &format!(";{}[{point}]", if number % 2 == 0 { "B" } else { "W" });
        }
        games += ")\n";
    }
    games
}

/// The tree after a position begins with the counts of `find`.
#[test]
fn trees_from_positions() {
    let place = Place::new();
    let games = place.put("games.sgf", random_games(600));
    let tree = |arguments: &[&str], games: &str| {
        run(
            &[
                &["openings", "-f", "csv", "--depth", "3"],
                arguments,
                &[games],
            ]
            .concat(),
            b"",
        )
    };
    for position in ["aa", "bb", "ab", "bb aa", "bb aa cc", "aa cc", "cb ab bc"] {
        let all = tree(&["--from", position], &games).done();
        // Columns after the name: counts, results, example.
        let counts = |row: &str, name: usize| {
            row.split(',')
                .skip(name)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let first = all.lines().filter(|row| row.starts_with("Go 3x3,1,"));
        let first: Vec<_> = first
            .map(|row| {
                (
                    row.split(',')
                        .nth(2)
                        .unwrap_or_default()
                        .replace(['[', ']'], " ")
                        .trim()
                        .to_owned(),
                    counts(row, 4),
                )
            })
            .collect();
        let summary = run(
            &[
                "find",
                "--position",
                position,
                "--summary",
                "-f",
                "csv",
                &games,
            ],
            b"",
        )
        .done();
        let found = summary.lines().skip(1).map(|row| {
            (
                row.split(',').nth(1).unwrap_or_default().to_owned(),
                counts(row, 2),
            )
        });
        let mut found: Vec<_> = found.filter(|(next, _)| next != "end").collect();
        let mut first = first;
        first.sort();
        found.sort();
        assert_eq!(first, found, "{position}");
        assert!(!first.is_empty());
        // In any orientation of the games.
        for way in ["rotate-90", "mirror-rows", "transpose"] {
            let turned = place.put(
                "turned.sgf",
                run(&["rewrite", "--turn", way, &games], b"").out,
            );
            let turned = tree(&["--from", position], &turned)
                .done()
                .replace("turned.sgf", "games.sgf");
            assert_eq!(turned, all, "{way} {position}");
        }
    }
    // The tree from the empty board is the tree of all games.
    let empty = place.put("empty.sgf", "(;SZ[3];B[aa])");
    assert_eq!(
        tree(&["--from", &format!("{empty}@0")], &games).done(),
        tree(&[], &games).done()
    );
    // The table shows the board in the spelling of the question.
    let table = run(
        &[
            "openings", "--from", "B2 A3", "--depth", "1", "--top", "1", &games,
        ],
        b"",
    )
    .done();
    assert!(
        table.contains("\n3  O . .\n2  . X .\n") && table.contains("\nB "),
        "{table}"
    );
    assert_eq!(
        tree(&["--from", "aa bb cc ab ac ba"], &games)
            .nothing()
            .lines()
            .count(),
        1
    );
    let none = tree(&["--from", "R20"], &games);
    assert!(
        none.status == 1 && none.err.contains("`R20` is not a move on any board"),
        "{}",
        none.err
    );
    assert!(
        tree(&["--from", "no.sgf"], &games)
            .refused()
            .contains("--from: no such file: no.sgf")
    );
}

/// For a position that is also reached by other move orders, the table shows how many games came
/// from the position above it.
#[test]
fn games_by_other_orders_are_counted_separately() {
    let games = random_games(400);
    // Returns the boards of a line, one for each of its moves.
    let boards = |line: &str| {
        let dialect = Dialect::new(Game::Go, Some(BoardSize::square(3)));
        let mut position = GameBoard::new(&dialect).expect("Go has a board");
        let board = |played: &str| {
            let side = if played.starts_with('B') {
                Side::Black
            } else {
                Side::White
            };
            let played = dialect
                .parse_move(played[2..].trim_end_matches(']').as_bytes())
                .expect("a move");
            _ = position.play(side, &played);
            canonical(&position, 3)
        };
        line.split(' ')
            .filter(|word| !word.is_empty())
            .map(board)
            .collect::<Vec<_>>()
    };
    let moves = run(&["moves"], games.as_bytes()).text().to_owned();
    let lines: Vec<Vec<String>> = moves.lines().map(boards).collect();
    let out = run(&["openings", "-f", "jsonl"], games.as_bytes()).done();
    let (mut above, mut transposed) = (Vec::new(), 0);
    for row in out.lines() {
        let row: Value = serde_json::from_str(row).expect("JSON");
        let depth = row["depth"].as_u64().expect("a number") as usize;
        above.truncate(depth - 1);
        above.push(
            boards(row["moves"].as_str().expect("text"))
                .pop()
                .expect("a board"),
        );
        let has = |line: &&Vec<String>| line.get(depth - 1) == above.last();
        let came = |line: &&Vec<String>| depth == 1 || line.get(depth - 2) == above.get(depth - 2);
        let all = lines.iter().filter(has);
        let direct = all.clone().filter(came).count();
        assert_eq!(
            (&row["direct"], &row["count"]),
            (&direct.into(), &all.count().into()),
            "{row}"
        );
        transposed += u64::from(row["direct"] != row["count"]);
    }
    let table = run(&["openings", "--top", "0"], games.as_bytes()).done();
    assert_eq!(table.matches(" (here ").count() as u64, transposed);
    assert!(
        transposed > 3 && table.contains("\nhere: games that came from the position above"),
        "{table}"
    );
}
