//! Tests of `filter` and `--where`.

use std::io::Write as _;

use super::tar::tar;
use super::zstd::zstd;
use super::{Place, common, run, sgfq};

#[test]
fn games_that_match_as_they_were() {
    let out = sgfq(&["filter", "--where", "winner = 'B'"]).done();
    assert_eq!(
        out,
        "(;GM[1]PB[Ada]PW[Ben]RE[B+R]KM[6.5]DT[1990-01-02];B[pd];W[dp]C[a ko])\n"
    );
    let out = sgfq(&["filter", "-v", "--where", "gm = 1"]).done();
    assert_eq!(out, "(;GM[11]PB[Cyd];B[c1];W[swap-pieces])\n");
    let out = sgfq(&[
        "filter",
        "--where",
        "any('C') LIKE '%ko%' OR variations > 1",
    ])
    .done();
    assert_eq!(out.lines().count(), 2);
    assert_eq!(sgfq(&["filter", "--where", "moves > 100"]).nothing(), "");
    // An expression may begin with a minus sign.
    let negative = sgfq(&["filter", "--where", "-moves < -1"]).done();
    assert_eq!(negative, sgfq(&["filter", "--where=moves > 1"]).done());
}

#[test]
fn the_others_go_to_a_file() {
    let place = Place::new();
    let rejects = place.text("no.sgf");
    let out = sgfq(&["filter", "--where", "move(1) = 'pd'", "--rejects", &rejects]).done();
    assert_eq!(out.lines().count(), 2);
    assert_eq!(place.read("no.sgf").lines().count(), 2);
    assert_eq!(place.names(), ["no.sgf"]);
}

#[test]
fn faults_come_before_anything_is_read() {
    let place = Place::new();
    let out = place.text("out.sgf");
    let err = sgfq(&["filter", "--where", "winer = 'B'", "-o", &out]).refused();
    assert!(
        err.contains("did you mean `winner`?") && err.contains("\n  ^^^^^"),
        "{err}"
    );
    assert!(place.names().is_empty());
    for (wrong, message) in [
        ("moves = 'x'", "expected a number"),
        ("moves >", "expected an expression"),
        ("pb ~ '('", "invalid regular expression"),
        (
            "any('C') = pb",
            "any() can only be compared with a constant",
        ),
    ] {
        let err = sgfq(&["filter", "--where", wrong]).refused();
        assert!(err.contains(message) && err.contains('^'), "{err}");
    }
}

#[test]
fn a_broken_game_can_stand_among_others() {
    let broken = b"(;PB[a];B[aa](;W[bb]C[x\\\\\\";
    let out = run(&["filter", "--where", "pb = 'a'"], broken).done();
    assert_eq!(out, "(;PB[a];B[aa](;W[bb]C[x\\\\]))\n");
    assert_eq!(
        run(&["filter", "--where", "pb = 'b'"], b"PB[b];B[aa]").done_or_nothing(),
        ""
    );
    let out = run(&["filter", "--where", "pb = 'b'"], b"x ;PB[b];B[aa]").done_or_nothing();
    assert!(out.is_empty() || out == "(;PB[b];B[aa])\n", "{out}");
}

impl super::Run {
    fn done_or_nothing(self) -> String {
        assert!(self.status < 2, "{}", self.err);
        String::from_utf8(self.out).expect("UTF-8")
    }
}

#[test]
fn a_game_by_its_number() {
    let place = Place::new();
    let file = place.put("x.sgf", super::GAMES);
    let out = run(&["get", "pb", "--where", "true", &format!("{file}#2")], b"").done();
    assert_eq!(out, "pb\nBen\n");
}

#[test]
fn games_and_the_others_are_all_games_once() {
    common::each_file(301, |name, bytes| {
        let place = Place::new();
        let (input, yes, no) = (
            place.put("in.sgf", bytes),
            place.text("yes.sgf"),
            place.text("no.sgf"),
        );
        let all = run(
            &[
                "get",
                "hash,nodes,moves,comment_bytes,pb,pw,re",
                "-f",
                "jsonl",
                &input,
            ],
            b"",
        );
        for expression in ["moves % 2 = 0", "length(pb) % 2 = 0"] {
            let run = run(
                &[
                    "filter",
                    "--where",
                    expression,
                    "-o",
                    &yes,
                    "--rejects",
                    &no,
                    &input,
                ],
                b"",
            );
            assert!(run.status < 2, "{name}: {}", run.err);
            let rows = |path: &str| {
                let run = super::run(
                    &[
                        "get",
                        "hash,nodes,moves,comment_bytes,pb,pw,re",
                        "-f",
                        "jsonl",
                        path,
                    ],
                    b"",
                );
                String::from_utf8(run.out)
                    .expect("UTF-8")
                    .lines()
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            let mut parts = [rows(&yes), rows(&no)].concat();
            let mut whole: Vec<String> = String::from_utf8(all.out.clone())
                .expect("UTF-8")
                .lines()
                .map(str::to_owned)
                .collect();
            parts.sort();
            whole.sort();
            assert_eq!(parts, whole, "{name}: {expression}");
        }
    });
}

#[test]
fn carets_mark_the_error() {
    let err = sgfq(&[
        "filter",
        "--where",
        "gm = 1 AND winer = 'B'",
        "no/such/file.sgf",
    ])
    .refused();
    let lines: Vec<&str> = err.lines().collect();
    let (text, caret) = (lines[lines.len() - 2], lines[lines.len() - 1]);
    assert_eq!(caret.find('^'), text.find("winer"), "{err}");
    assert!(!err.contains("no/such"), "nothing is read first: {err}");
    for command in [
        &["head"][..],
        &["cat", "--games", "-9"],
        &["sample"],
        &["cat", "--games", "1"],
        &["cat"],
        &["get", "pb"],
        &["freq", "pb"],
    ] {
        let err = sgfq(&[command, &["--where", "movs > 2", "no/such/file.sgf"]].concat()).refused();
        assert!(
            err.contains("did you mean `moves`?") && !err.contains("no/such"),
            "{command:?}: {err}"
        );
    }
}

#[test]
fn nothing_matched() {
    for command in [
        &["filter"][..],
        &["head"],
        &["cat", "--games", "-9"],
        &["sample"],
        &["cat"],
        &["get", "pb"],
        &["freq", "pb"],
    ] {
        let status = sgfq(&[command, &["--where", "moves > 1000"]].concat()).status;
        assert_eq!(status, 1, "{command:?}");
    }
}

#[test]
fn commands_chain() {
    let filtered = sgfq(&["filter", "--where", "gm = 1 AND moves > 1"]).done();
    let rewritten = run(
        &["rewrite", "--strip", "comments", "--utf8"],
        filtered.as_bytes(),
    )
    .done();
    assert!(!rewritten.contains("ko") && rewritten.contains("CA[UTF-8]"));
    let stats = run(&["count"], rewritten.as_bytes()).done();
    assert!(stats.contains("games\t3\n"), "{stats}");
    let place = Place::new();
    let file = place.put("all.sgf", super::GAMES);
    let command = env!("CARGO_BIN_EXE_sgfq");
    let script = format!(
        "{command} filter --where \"winner='B' AND moves>1\" {file} | {command} rewrite --strip comments --utf8 | {command} stats -f json"
    );
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("\"games\":1"),
        "{text}"
    );
}

#[test]
fn a_game_by_its_number_in_every_command() {
    let place = Place::new();
    let file = place.put("x.sgf", super::GAMES);
    let second = format!("{file}#2");
    let out = |arguments: &[&str]| run(&[arguments, &[&second]].concat(), b"").done();
    let game = "(;GM[1]PB[Ben]PW[Cyd]RE[W+3.5];B[dd](;W[pp])(;W[dp];B[qq]))";
    assert_eq!(out(&["rewrite"]), game);
    assert_eq!(
        out(&["fix"]),
        "(;GM[1]PB[Ben]PW[Cyd]RE[W+3.5];B[dd](;W[pp])(;W[dp];B[qq]))"
    );
    for command in [
        &["cat"][..],
        &["head"],
        &["cat", "--games", "-1"],
        &["cat", "--games", "1"],
        &["sample"],
        &["dedup"],
        &["filter", "--where", "true"],
    ] {
        assert_eq!(out(command), format!("{game}\n"), "{command:?}");
    }
    assert_eq!(out(&["moves"]), "B[dd] W[pp]\n");
    assert_eq!(out(&["freq", "pb"]), "1  Ben\n");
    assert!(out(&["count"]).contains("games\t1\n"));
    assert!(out(&["stats", "-f", "json"]).contains("\"games\":1"));
    assert!(out(&["rewrite", "--main-line"]).contains("PB[Ben]"));
    assert_eq!(out(&["events"]).matches("variation_start").count(), 3);
    assert!(out(&["tree", "-f", "jsonl"]).contains("Ben"));
    assert_eq!(out(&["charset"]).lines().count(), 2);
    let archive = place.put(
        "two.zip",
        std::fs::read(super::packed("two.zip")).expect("a file"),
    );
    let out = run(&["rewrite", &format!("{archive}!two.sgf#1")], b"").done();
    assert!(out.starts_with('(') && out.ends_with(')'), "{out}");
    assert!(
        run(&["rewrite", &format!("{file}#9")], b"")
            .refused()
            .contains("game 9")
    );
}

/// Appends a game on one line, with variations.
fn random_game(out: &mut String, depth: u32) {
    out.push('(');
    for node in 0..fastrand::u32(1..4) {
        out.push(';');
        if depth == 0 && node == 0 {
            out.push_str(
                ["GM[1]", "SZ[9]PB[Ada]", "KM[6.5]RE[B+R]", "GM[11]", ""][fastrand::usize(0..5)],
            );
        }
        for _ in 0..fastrand::u32(0..3) {
            let properties = [
                "B[aa]",
                "W[bb]",
                "C[a ko)]",
                "C[x\\]);]",
                "TW[aa][bb]",
                "N[(;]",
                "KM[7]",
                "C[z]",
            ];
            out.push_str(properties[fastrand::usize(0..properties.len())]);
        }
    }
    if depth < 4 {
        (0..fastrand::u32(0..3)).for_each(|_| random_game(out, depth + 1));
    }
    out.push(')');
}

/// Expressions that select different games.
const EXPRESSIONS: [&str; 16] = [
    "TRUE",
    "has('C')",
    "NOT has('TW')",
    "any('C') LIKE '%ko%'",
    "any('N') = '(;'",
    "prop('KM') = 7",
    "prop('C') IS NULL",
    "move(1) = 'aa'",
    "move(2) IS NOT NULL",
    "length > 40",
    "length % 2 = 0 AND has('C')",
    "moves > 1",
    "pb = 'Ada' OR has('TW')",
    "gm = 1",
    "errors = 0",
    "CASE WHEN km = 6.5 THEN has('N') ELSE has('C') END",
];

/// Appends an uncompressed member and its entry in the directory at the end.
fn put_in_zip(zip: &mut Vec<u8>, directory: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    let start = zip.len() as u32;
    let (mut crc, size) = (flate2::Crc::new(), bytes.len() as u32);
    crc.update(bytes);
    // Version 2.0, no flags, stored, no date.
    let mut head = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0];
    [crc.sum(), size, size, name.len() as u32]
        .iter()
        .for_each(|number| head.extend(number.to_le_bytes()));
    zip.extend([b"PK\x03\x04", &*head, name.as_bytes(), bytes].concat());
    directory.extend(
        [
            b"PK\x01\x02\x14\0",
            &*head,
            &[0; 10],
            &start.to_le_bytes(),
            name.as_bytes(),
        ]
        .concat(),
    );
}

/// Creates a directory and archives with these members.
pub(super) fn containers(place: &Place, members: &[(&str, impl AsRef<[u8]>)]) -> Vec<String> {
    let folder = place.path("folder");
    std::fs::create_dir(&folder).expect("a directory");
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in members {
        std::fs::write(folder.join(name), text.as_ref()).expect("disk space");
        put_in_zip(&mut zip, &mut directory, name, text.as_ref());
    }
    let count = members.len() as u8;
    let (size, start) = (directory.len() as u32, zip.len() as u32);
    zip.extend(directory);
    zip.extend(
        [
            b"PK\x05\x06\0\0\0\0",
            &[count, 0, count, 0][..],
            &size.to_le_bytes(),
            &start.to_le_bytes(),
            &[0; 2],
        ]
        .concat(),
    );
    let tar = tar(&members
        .iter()
        .map(|(name, text)| (*name, text.as_ref()))
        .collect::<Vec<_>>());
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&tar).expect("memory");
    let zstd = zstd(&tar);
    vec![
        folder.to_string_lossy().into_owned(),
        place.put("x.zip", zip),
        place.put("x.tar", tar),
        place.put("x.tar.gz", packed.finish().expect("memory")),
        place.put("x.tar.zst", zstd),
    ]
}

#[test]
fn selected_games_keep_their_bytes() {
    fastrand::seed(3);
    let mut games = Vec::new();
    let mut members = [
        ("a.sgf", String::new()),
        ("b.sgf", String::new()),
        ("c.sgf", String::new()),
    ];
    for (_, text) in &mut members {
        for _ in 0..20 {
            let mut game = String::new();
            random_game(&mut game, 0);
            *text += &game;
            *text += " text\n";
            games.push(game);
        }
        // The last game is truncated in the middle and gets its `)`.
        let cut = "(;GM[1];C[a ko](;B[aa](;W[bb]C[z";
        *text += cut;
        games.push(format!("{cut}])))"));
    }
    let place = Place::new();
    for container in containers(&place, &members) {
        for (at, expression) in EXPRESSIONS.iter().enumerate() {
            slices_are_written(&container, &games, expression, ["1", "3"][at % 2]);
        }
    }
}

/// Checks that each command writes these games of `input`, unchanged and in order, and that the
/// rejected games are all the other ones.
fn slices_are_written(input: &str, games: &[String], expression: &str, jobs: &str) {
    let place = Place::new();
    let no = place.text("no.sgf");
    let lines = |text: String, command: &[&str]| -> Vec<String> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut left = games.iter();
        for line in &lines {
            assert!(
                left.any(|game| game == line),
                "{command:?} {input} {expression}: {line}"
            );
        }
        lines
    };
    let out = |command: &[&str]| {
        let run = run(&[command, &["--where", expression, input]].concat(), b"");
        assert!(run.status < 2, "{command:?} {expression}: {}", run.err);
        lines(String::from_utf8(run.out).expect("UTF-8"), command)
    };
    let chosen = out(&["filter", "-j", jobs, "--rejects", &no]);
    let mut all = [chosen.clone(), lines(place.read("no.sgf"), &["rejects"])].concat();
    let mut expected = games.to_vec();
    all.sort();
    expected.sort();
    assert_eq!(all, expected, "{input} {expression}");
    assert_eq!(
        out(&["filter", "-v"]).len(),
        games.len() - chosen.len(),
        "{expression}"
    );
    for command in [
        &["cat"][..],
        &["cat", "--games", "1-"],
        &["head", "-n", "99"],
        &["cat", "--games", "2-3,-99"],
    ] {
        assert_eq!(out(command), chosen, "{command:?} {input} {expression}");
    }
    assert!(out(&["sample", "-n", "3"]).len() <= 3);
    let parts = place.text("parts");
    let split = run(
        &[
            "split", "-n", "99", "-d", &parts, "--where", expression, input,
        ],
        b"",
    );
    assert_eq!(split.status, i32::from(chosen.is_empty()), "{}", split.err);
    if !chosen.is_empty() {
        assert_eq!(
            lines(place.read("parts/000001.sgf"), &["split"]),
            chosen,
            "{input} {expression}"
        );
    }
}

#[test]
fn problems_count_for_their_own_file() {
    let place = Place::new();
    let (one, two) = (
        place.put("1.sgf", "(;B[aa]) ]]] ;;( x"),
        place.put("2.sgf", "(;B[bb])"),
    );
    let out = run(
        &[
            "get",
            "errors,warnings",
            "-f",
            "csv",
            "--where",
            "source LIKE '%2.sgf'",
            &one,
            &two,
        ],
        b"",
    )
    .done();
    assert_eq!(out, "errors,warnings\n0,0\n");
}

/// A selected game has the same events, numbers, places and findings as without a filter.
#[test]
fn a_filter_that_is_true_changes_nothing() {
    common::each_file(101, |name, bytes| {
        for command in [
            &["events"][..],
            &["tree"],
            &["check", "-f", "jsonl", "--all", "-q"],
        ] {
            let all = run(command, bytes);
            let chosen = run(&[command, &["--where", "TRUE"]].concat(), bytes);
            assert!(all.out == chosen.out, "{command:?} {name}");
        }
    });
}
