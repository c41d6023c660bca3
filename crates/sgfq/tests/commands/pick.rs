//! Tests of `head`, `sample` and `cat`.

use super::{Place, games, run, sgfq};

fn players(out: &str) -> Vec<&str> {
    out.split("PB[")
        .skip(1)
        .filter_map(|rest| rest.split(']').next())
        .collect()
}

#[test]
fn games_by_place() {
    assert_eq!(players(&sgfq(&["head", "-n", "2"]).done()), ["Ada", "Ben"]);
    for (ranges, names) in [
        ("-3", &["Ben", "Cyd", "Dan"][..]),
        ("2-3", &["Ben", "Cyd"]),
        ("4", &["Dan"]),
        ("4,1", &["Ada", "Dan"]),
        ("1-3,2,3-4", &["Ada", "Ben", "Cyd", "Dan"]),
        ("1,-1", &["Ada", "Dan"]),
        ("2-,-3", &["Ben", "Cyd", "Dan"]),
        ("2,-99", &["Ada", "Ben", "Cyd", "Dan"]),
    ] {
        assert_eq!(
            players(&sgfq(&["cat", "--games", ranges]).done()),
            names,
            "{ranges}"
        );
    }
    assert_eq!(
        players(&sgfq(&["head", "-n", "1", "--where", "gm = 11"]).done()),
        ["Cyd"]
    );
    assert_eq!(
        players(
            &sgfq(&[
                "cat",
                "--games",
                "-1",
                "--where",
                "gm = 1 AND moves > 1 AND pb < 'D'"
            ])
            .done()
        ),
        ["Ben"]
    );
    assert_eq!(sgfq(&["cat", "--games", "5-"]).nothing(), "");
    assert_eq!(sgfq(&["head", "-n", "0"]).nothing(), "");
    assert!(
        sgfq(&["cat", "--games", "x"])
            .refused()
            .contains("expected numbers and ranges of games")
    );
    assert!(
        sgfq(&["cat", "--games", "1", "--sgfs"])
            .refused()
            .contains("cannot be used with")
    );
}

#[test]
fn the_first_and_the_other_games_are_all() {
    for number in 0..=5u64 {
        let head = run(
            &["head", "-n", &number.to_string()],
            super::GAMES.as_bytes(),
        )
        .out;
        let rest = sgfq(&["cat", "--games", &format!("{}-", number + 1)]).out;
        let cat = sgfq(&["cat"]).done();
        assert_eq!([&*head, &*rest].concat(), cat.as_bytes(), "{number}");
        if number < 4 {
            assert_eq!(
                [
                    head,
                    sgfq(&["cat", "--games", &format!("-{}", 4 - number)]).out
                ]
                .concat(),
                cat.as_bytes()
            );
        }
    }
}

/// Games selected by number and as last games are written once and in order.
#[test]
fn named_games_and_the_last_keep_their_order() {
    let many: String = (1..=60)
        .map(|number| format!("(;PB[{number}];B[aa])"))
        .collect();
    for (from, to, last) in [
        (1, 3, 5),
        (50, 57, 5),
        (20, 58, 10),
        (30, 90, 1),
        (1, 60, 60),
        (70, 80, 7),
    ] {
        let out = run(
            &["cat", "--games", &format!("{from}-{to},-{last}")],
            many.as_bytes(),
        )
        .done();
        let expected: Vec<String> = (1..=60)
            .filter(|&game| (from..=to).contains(&game) || game > 60 - last)
            .map(|game| game.to_string())
            .collect();
        assert_eq!(players(&out), expected, "{from} {to} {last}");
    }
}

#[test]
fn a_sample_is_the_same_for_its_seed() {
    let many: String = (0..500)
        .map(|number| format!("(;PB[{number}];B[aa])"))
        .collect();
    let sample = |seed: &str| run(&["sample", "-n", "20", "--seed", seed], many.as_bytes()).done();
    let one = sample("1");
    assert_eq!(one, sample("1"));
    assert_ne!(one, sample("2"));
    let names: Vec<u32> = players(&one)
        .iter()
        .map(|name| name.parse().expect("a number"))
        .collect();
    assert_eq!(names.len(), 20);
    assert!(
        names.windows(2).all(|pair| pair[0] < pair[1]),
        "in the order of the input, each once: {names:?}"
    );
    assert_eq!(
        players(&run(&["sample", "-n", "900"], many.as_bytes()).done()).len(),
        500
    );
}

#[test]
fn games_joined() {
    let place = Place::new();
    let (one, other) = (
        place.put("1.sgf", "junk (;B[aa]\n;W[bb]) junk"),
        place.put("2.sgf", "(;C[a\r\nb\\\nc])"),
    );
    assert_eq!(
        run(&["cat", &one, &other], b"").done(),
        "(;B[aa]\n;W[bb])\n(;C[a\r\nb\\\nc])\n"
    );
    assert_eq!(
        run(&["cat", "--sgfs", &one, &other], b"").done(),
        "(;B[aa];W[bb])\n(;C[a\rb\\\rc])\n"
    );
    let out = place.text("all.sgf");
    run(&["cat", "-o", &out, &one, &other, &one], b"").done();
    assert_eq!(games(&place.path("all.sgf")), 3);
    assert_eq!(place.names(), ["1.sgf", "2.sgf", "all.sgf"]);
    // An output that is an input is refused, as cat and cp do.
    let refused = run(&["cat", "-o", &one, &one, &other], b"").refused();
    assert!(
        refused.contains("output would overwrite input"),
        "{refused}"
    );
    assert_eq!(games(&place.path("1.sgf")), 1);
}

#[test]
fn a_pipe_that_closes_is_a_polite_goodbye() {
    let place = Place::new();
    let file = place.put(
        "many.sgf",
        "(;C[some text to fill a pipe])\n".repeat(50_000),
    );
    let script = format!("{} cat {file} | head -n 1", env!("CARGO_BIN_EXE_sgfq"));
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .output()
        .expect("a shell");
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Returns the files below a directory with their contents.
fn tree(place: &Place, directory: &str) -> Vec<(String, String)> {
    let (mut found, mut directories) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(place.path(&directory)).expect("a directory") {
            let entry = entry.expect("an entry");
            let name = format!("{directory}/{}", entry.file_name().to_string_lossy());
            match entry.path().is_dir() {
                true => directories.push(name),
                false => {
                    let bytes = std::fs::read(entry.path()).expect("a file");
                    found.push((name, String::from_utf8_lossy(&bytes).into_owned()));
                }
            }
        }
    }
    found.sort();
    found
}

/// Creates inputs of several kinds in `in`. Each file has a game of Ada and other games.
fn inputs() -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.path("in/sub")).expect("disk space");
    for (name, own) in [
        ("in/a.sgf", "aa"),
        ("in/sub/a.SGF", "bb"),
        ("in/sub/b.sgf", "cc"),
    ] {
        place.put(
            name,
            format!("text (;PB[Ada];B[{own}]) (;PB[Ben];B[dd]) (;PB[Ada]C[]];B[{own}];W[ee])"),
        );
    }
    place.put("in/none.sgf", "(;PB[Ben];B[dd])");
    std::fs::copy(super::packed("two.zip"), place.path("in/two.zip")).expect("disk space");
    std::fs::copy(super::packed("one.sgf.gz"), place.path("in/one.sgf.gz")).expect("disk space");
    place
}

#[test]
fn a_directory_of_chosen_games() {
    let place = inputs();
    let (out, input) = (place.text("out"), place.text("in"));
    let chosen = ["filter", "pb <> 'Ben'", "-d", &out, &input];
    assert_eq!(run(&chosen, b"").done(), "6 files\n");
    let found = tree(&place, "out");
    let names: Vec<&str> = found.iter().map(|(name, _)| &**name).collect();
    let expected = [
        "a.sgf",
        "one.sgf",
        "sub/a.sgf",
        "sub/b.sgf",
        "two.zip/one.sgf",
        "two.zip/two.sgf",
    ];
    assert_eq!(names, expected.map(|name| format!("out/{name}")));
    assert_eq!(found[2].1, "(;PB[Ada];B[bb])\n(;PB[Ada]C[]];B[bb];W[ee])\n");
    // Neither a file nor an input is replaced.
    let before = tree(&place, "in");
    for directory in [&out, &input] {
        let err = run(&["filter", "TRUE", "-d", directory, &input], b"").refused();
        assert!(err.contains("a.sgf: the file exists already"), "{err}");
    }
    assert_eq!((tree(&place, "in"), tree(&place, "out")), (before, found));
    // A run without a directory gives the same games, for any arrangement of the inputs.
    let inputs = [
        &*place.text("in/sub"),
        &place.text("in/*.sgf"),
        &place.text("in/two.zip"),
        &place.text("in/a.sgf#2"),
        "-",
    ];
    for (number, filter) in ["TRUE", "moves > 1", "game = 2", "pb = 'Ben'"]
        .into_iter()
        .enumerate()
    {
        let out = place.text(&format!("out {number}"));
        for invert in [&[][..], &["-v"]] {
            let out = format!("{out}{}", invert.len());
            let all = run(
                &[&["filter", filter], invert, &inputs].concat(),
                super::GAMES.as_bytes(),
            );
            let files = run(
                &[&["filter", filter, "-d", &out], invert, &inputs].concat(),
                super::GAMES.as_bytes(),
            );
            assert_eq!((files.status, &files.err), (all.status, &all.err));
            let mut games: Vec<&str> = all.text().lines().collect();
            let found = tree(&place, &out[place.text("").len()..]);
            let mut kept: Vec<&str> = found.iter().flat_map(|(_, text)| text.lines()).collect();
            games.sort_unstable();
            kept.sort_unstable();
            assert_eq!(kept, games, "{filter} {invert:?}");
        }
    }
    let names: Vec<String> = tree(&place, "out 00")
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let expected = [
        "a-2.sgf",
        "a-3.sgf",
        "a.sgf",
        "b.sgf",
        "none.sgf",
        "one.sgf",
        "stdin.sgf",
        "two.sgf",
    ];
    assert_eq!(names, expected.map(|name| format!("out 00/{name}")));
}

/// The directory may be inside an input, because its files are not read again.
#[test]
fn a_directory_inside_its_input() {
    let place = inputs();
    let (out, input) = (place.text("in/zzz"), place.text("in"));
    assert_eq!(
        run(&["filter", "TRUE", "-d", &out, &input], b"").done(),
        "7 files\n"
    );
    assert_eq!(tree(&place, "in/zzz").len(), 7);
}

#[test]
fn a_directory_of_games_that_are_there_once() {
    let place = inputs();
    let (out, input) = (place.text("out"), place.text("in"));
    let report = place.text("report.csv");
    let unique = run(&["dedup", &input], b"").done();
    let run = run(&["dedup", "-d", &out, "--report", &report, &input], b"");
    assert_eq!(run.text(), "5 files\n");
    let found = tree(&place, "out");
    let mut kept: Vec<&str> = found.iter().flat_map(|(_, text)| text.lines()).collect();
    let mut games: Vec<&str> = unique.lines().collect();
    kept.sort_unstable();
    games.sort_unstable();
    assert_eq!(kept, games);
    assert!(
        place.read("report.csv").contains("in/sub/a.SGF#2,"),
        "{}",
        place.read("report.csv")
    );
    for option in ["--report", "--rejects"] {
        let err = super::run(
            &[
                "dedup",
                "-d",
                &out,
                option,
                &place.text("out/new.csv"),
                &input,
            ],
            b"",
        )
        .refused();
        assert!(err.contains("the file is in"), "{err}");
    }
}
