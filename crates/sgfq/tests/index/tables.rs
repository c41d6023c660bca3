//! Tests of the tables: independent of the number of threads, numbered, with bounded memory.

use super::*;

/// The tables have moves and comments of each game before the damage, and none of the damaged game.
#[test]
fn games_before_damage_are_in_the_tables() {
    let scratch = Scratch::new("fault");
    fastrand::seed(4);
    let mut game = Vec::new();
    for number in 0..3000 {
        if number % 30 == 0 {
            game.extend(b"(;GM[1]SZ[19]");
        }
        game.extend(
            format!(
                ";{}[aa]C[{:016x}]",
                ["B", "W"][number % 2],
                fastrand::u64(..)
            )
            .bytes(),
        );
        if number % 30 == 29 {
            game.push(b')');
        }
    }
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(&game).expect("memory");
    let packed = packed.finish().expect("memory");
    scratch.write("in/cut.sgf.gz", &packed[..packed.len() / 2]);
    let output = scratch.sgfq(&[
        "index",
        "in",
        "-o",
        "g.csv",
        "--moves",
        "m.csv",
        "--comments",
        "c.csv",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let rows = |name: &str| {
        scratch
            .read(name)
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            - 1
    };
    let (moves, comments) = (rows("m.csv"), rows("c.csv"));
    assert!(
        comments > 1200 && comments == moves && moves % 30 == 0,
        "{moves} moves, {comments} comments"
    );
}

/// Tests the commands that select and change games.
#[test]
fn the_same_games_for_any_number_of_workers() {
    let scratch = Scratch::new("changed");
    scratch.write("in/huge.sgf", &collection(4_000));
    let small: Vec<_> = (0..700)
        .map(|at| (format!("small-{at}.sgf"), collection(1 + at % 3)))
        .collect();
    let members: Vec<_> = small
        .iter()
        .map(|(name, bytes)| (name.as_str(), &bytes[..200]))
        .collect();
    scratch.write("in/stream.tar", &tar(&members));
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"))
        .expect("a directory")
    {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let file = path.file_name().expect("a file").to_str().expect("UTF-8");
            scratch.write(&format!("in/{file}"), &fs::read(&path).expect("a file"));
        }
    }
    let mut seen: Option<Vec<Vec<u8>>> = None;
    for jobs in ["1", "2", "5"]
        .into_iter()
        .filter(|jobs| *jobs != "2" || common::is_long())
    {
        let mut found = Vec::new();
        for arguments in [
            "moves in",
            "charset -f jsonl in",
            "rewrite --strip comments,markup in",
            "rewrite --utf8 --canonical in",
            "dedup in -o once.sgf --rejects again.sgf",
        ] {
            let arguments: Vec<_> = arguments.split(' ').chain(["-j", jobs]).collect();
            let output = scratch.sgfq(&arguments);
            assert!(
                output.status.code().is_some_and(|code| code < 2),
                "{}",
                text(&output.stderr)
            );
            found.extend([output.stdout, output.stderr]);
        }
        found.extend([scratch.read("once.sgf"), scratch.read("again.sgf")]);
        assert!(
            [0, 2, 4, 6, 10, 11]
                .iter()
                .all(|&at| found[at].len() > 100_000)
        );
        match &seen {
            None => seen = Some(found),
            Some(seen) => {
                for (at, (one, other)) in seen.iter().zip(&found).enumerate() {
                    assert!(
                        one == other,
                        "output {at} depends on the number of workers: -j {jobs}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_same_bytes_for_any_number_of_workers() {
    let scratch = Scratch::new("workers");
    inputs(&scratch);
    let mut seen: Option<Vec<Vec<u8>>> = None;
    for jobs in ["1", "2", "5"]
        .into_iter()
        .filter(|jobs| *jobs != "2" || common::is_long())
    {
        let count = scratch.sgfq(&["count", "-j", jobs, "in"]);
        let stats = scratch.sgfq(&["stats", "-f", "json", "-j", jobs, "in"]);
        let args = [
            "index",
            "-j",
            jobs,
            "in",
            "-o",
            "games.parquet",
            "--moves",
            "moves.parquet",
            "--comments",
            "c.parquet",
        ];
        let index = scratch.sgfq(&args);
        let check = scratch.sgfq(&[
            "check",
            "-j",
            jobs,
            "in",
            "--diag",
            "sarif",
            "--level",
            "error",
            "--legality",
        ]);
        let args = [
            "filter",
            "-j",
            jobs,
            "in",
            "--where",
            "moves > 60",
            "-o",
            "kept.sgf",
            "--rejects",
            "rest.sgf",
        ];
        let filter = scratch.sgfq(&args);
        let get = scratch.sgfq(&["get", "-j", jobs, "all", "in"]);
        // The corpus contains damaged archives.
        for output in [&count, &stats, &index, &check, &filter, &get] {
            assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        }
        let found = vec![
            check.stdout,
            check.stderr,
            filter.stderr,
            get.stdout,
            get.stderr,
            scratch.read("kept.sgf"),
            scratch.read("rest.sgf"),
            count.stdout,
            count.stderr,
            stats.stdout,
            index.stderr,
            scratch.read("games.parquet"),
            scratch.read("moves.parquet"),
            scratch.read("c.parquet"),
        ];
        let _: serde_json::Value = serde_json::from_slice(&found[0]).expect("JSON");
        assert!([3, 5, 6].iter().all(|&at| found[at].len() > 100_000));
        match &seen {
            None => seen = Some(found),
            Some(seen) => {
                for (at, (one, other)) in seen.iter().zip(&found).enumerate() {
                    assert!(
                        one == other,
                        "output {at} depends on the number of workers: -j {jobs}"
                    );
                }
            }
        }
    }
}

/// Blocks and row groups end at fixed rows, however the games were divided among threads.
#[test]
fn the_same_tables_for_any_number_of_workers() {
    let scratch = Scratch::new("equal");
    scratch.write("in/many.sgf", &collection(6_000));
    for number in 0..300 {
        scratch.write(
            &format!("in/small/{number}.sgf"),
            format!("(;C[{number}];B[aa];W[bb]BL[1])").as_bytes(),
        );
    }
    let mut large = Vec::new();
    for game in 0..3 {
        write!(large, "(;PB[{game}]").expect("memory");
        for at in 0..30_000 {
            let (x, y) = (b'a' + (at % 19) as u8, b'a' + (at / 19 % 19) as u8);
            write!(
                large,
                ";{}[{}{}]C[{at}]",
                ['B', 'W'][at % 2],
                char::from(x),
                char::from(y)
            )
            .expect("memory");
        }
        large.push(b')');
    }
    scratch.write("in/large.sgf", &large);
    let mut seen: Option<Vec<Vec<u8>>> = None;
    for jobs in ["1", "2", "3", "16"] {
        let outputs = [
            "-o",
            "g.parquet",
            "--moves",
            "m.parquet",
            "--comments",
            "c.parquet",
        ];
        let parquet = scratch.sgfq(
            &[
                &["index", "-j", jobs, "in", "--row-group", "1000"][..],
                &outputs,
            ]
            .concat(),
        );
        assert_eq!(text(&parquet.stderr), "");
        let arrow = scratch.sgfq(&[
            "index",
            "-j",
            jobs,
            "in",
            "--row-group",
            "1000",
            "-o",
            "g.arrow",
        ]);
        assert_eq!(text(&arrow.stderr), "");
        let found = ["g.parquet", "m.parquet", "c.parquet", "g.arrow"]
            .map(|name| scratch.read(name))
            .to_vec();
        let seen = seen.get_or_insert_with(|| found.clone());
        for (at, (one, other)) in seen.iter().zip(&found).enumerate() {
            assert!(
                one == other,
                "table {at} depends on the number of workers: -j {jobs}"
            );
        }
    }
}

/// Returns the counts of `sgfq count` by name.
fn count(scratch: &Scratch, input: &str, name: &str) -> u64 {
    let output = text(&scratch.sgfq(&["count", input]).stdout);
    let line = output
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .expect("a line");
    line.trim().parse().expect("a number")
}

#[test]
fn parts_are_numbered_as_one_reader_numbers_them() {
    let scratch = Scratch::new("numbers");
    scratch.write("in.sgf", &collection(6_000));
    let whole = scratch.sgfq(&["index", "in.sgf", "-o", "cut.jsonl"]);
    assert_eq!(text(&whole.stderr), "");
    // Because of the condition on the number, one reader reads each whole entry.
    scratch.sgfq(&[
        "index",
        "in.sgf",
        "-o",
        "whole.jsonl",
        "--where",
        "game > 0",
    ]);
    let cut = text(&scratch.read("cut.jsonl"));
    assert!(
        cut == text(&scratch.read("whole.jsonl")),
        "parts change rows"
    );
    assert_eq!(
        cut.lines().count() as u64,
        count(&scratch, "in.sgf", "games")
    );
    let last: serde_json::Value =
        serde_json::from_str(cut.lines().last().expect("a row")).expect("JSON");
    assert_eq!(last["game"], cut.lines().count());
    let moves: u64 = cut
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("JSON")["moves"]
                .as_u64()
                .expect("a number")
        })
        .sum();
    scratch.sgfq(&["index", "in.sgf", "-o", "x.csv", "--moves", "moves.jsonl"]);
    assert_eq!(
        text(&scratch.read("moves.jsonl")).lines().count() as u64,
        moves
    );
}

/// Rows of a game that exceeds the buffer of a worker are emitted before its end, or buffered on
/// disk if a filter may reject it. Both give the same rows.
#[test]
fn games_of_any_size() {
    let scratch = Scratch::new("large");
    let mut games = Vec::new();
    for game in 0..5 {
        write!(games, "(;PB[{game}]C[root]").expect("memory");
        for node in 0..30 {
            write!(
                games,
                "\n;{}[aa]C[{game} {node} {}]",
                ['B', 'W'][node % 2],
                "x".repeat(100_000)
            )
            .expect("memory");
        }
        // A problem between two games counts for the second game.
        games.extend_from_slice([&b")\n"[..], b"))\n", b")x[y]\n"][game % 3]);
    }
    scratch.write("in.sgf", &games);
    let run = |name: &str, more: &[&str]| {
        let outputs = ["games", "moves", "comments"].map(|table| format!("{name}-{table}.jsonl"));
        let [games, moves, comments] = &outputs;
        let args = [
            "index",
            "in.sgf",
            "-o",
            games,
            "--moves",
            moves,
            "--comments",
            comments,
        ];
        assert_eq!(text(&scratch.sgfq(&[&args[..], more].concat()).stderr), "");
        outputs.map(|output| text(&scratch.read(&output)))
    };
    let all = run("all", &["-j", "3"]);
    let errors = all[0]
        .lines()
        .map(|row| serde_json::from_str::<serde_json::Value>(row).expect("JSON")["errors"].clone());
    assert_eq!(errors.collect::<Vec<_>>(), [0, 0, 1, 1, 0]);
    assert_eq!(
        all.each_ref().map(|table| table.lines().count()),
        [5, 150, 155]
    );
    assert!(
        run("waited", &["--where", "game > 0"]) == all,
        "a condition changes rows"
    );
    let odd = run("odd", &["--where", "game in (2, 4)"]);
    let of_odd = |table: &str| -> String {
        let is_odd = |line: &&str| {
            odd[0]
                .lines()
                .any(|row| line.starts_with(row.split_once(',').expect("a key").0))
        };
        table
            .lines()
            .filter(is_odd)
            .map(|line| format!("{line}\n"))
            .collect()
    };
    assert_eq!(odd[0].lines().count(), 2);
    assert!(
        odd == all.each_ref().map(|table| of_odd(table)),
        "a condition keeps other rows"
    );
}

#[test]
fn one_game_of_an_input() {
    let scratch = Scratch::new("one");
    scratch.write(
        "in.sgf",
        b"(;B[aa]C[one])(;B[bb];W[cc]C[two])(;B[dd]C[three])",
    );
    let args = [
        "index",
        "in.sgf#2",
        "-o",
        "g.csv",
        "--columns",
        "game",
        "--moves",
        "m.csv",
        "--comments",
        "c.csv",
    ];
    assert_eq!(text(&scratch.sgfq(&args).stderr), "");
    let rest = |name: &str| -> Vec<String> {
        let table = text(&scratch.read(name));
        table
            .lines()
            .skip(1)
            .map(|line| line.split_once(',').expect("a key").1.to_owned())
            .collect()
    };
    assert_eq!(rest("g.csv"), ["2"]);
    assert_eq!(
        rest("m.csv"),
        [
            "1,1,move,B,bb,1,1,false,true,,,,,,0,",
            "2,2,move,W,cc,2,2,false,true,,,,,,0,"
        ]
    );
    assert_eq!(rest("c.csv"), ["1,2,C,two"]);
}

/// Returns the peak memory of a run over `megabytes` of incompressible comments, in games of
/// `nodes` nodes.
#[cfg(target_os = "linux")]
fn peak_kib(megabytes: usize, nodes: usize, more: &[&str]) -> u64 {
    let scratch = Scratch::new(&format!("peak-{megabytes}-{nodes}-{}", more.len()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_sgfq"))
        .current_dir(&scratch.0)
        .args([
            "index",
            "-",
            "-j1",
            "-o",
            "g.parquet",
            "--moves",
            "m.parquet",
            "--comments",
            "c.parquet",
        ])
        .args(more)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("piped");
    let mut random = fastrand::Rng::with_seed(3);
    let letters: Vec<u8> = (0..1 << 20).map(|_| b'a' + random.u8(0..16)).collect();
    let mut written = 0;
    while written < megabytes << 20 {
        stdin.write_all(b"(;PB[x]").expect("read");
        for _ in 0..nodes {
            let start = random.usize(0..letters.len() - 20_000);
            stdin
                .write_all(&[b";B[aa]C[", &letters[start..start + 20_000], b"]"].concat())
                .expect("read");
        }
        stdin.write_all(b")\n").expect("read");
        written += 20_000 * nodes;
    }
    // The command has read all blocks except the last, so memory use has reached its peak.
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    drop(stdin);
    assert_eq!(
        child.wait().expect("ended").code(),
        Some(i32::from(nodes > 1500))
    );
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("a peak");
    peak.trim()
        .trim_end_matches(" kB")
        .trim()
        .parse()
        .expect("a number")
}

/// Memory is bounded for any number and size of games, selected or not.
#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(debug_assertions, ignore = "measured in release builds, by `.ci/full`")]
fn memory_is_bounded() {
    // 1,500 nodes are 30 MB, within the budget of a game. A game of 9,000 nodes exceeds it and is
    // reported.
    let where_nodes = &["--where", "nodes > 2"][..];
    for (nodes, more) in [
        (4, &[][..]),
        (1500, &[]),
        (1500, where_nodes),
        (9000, &[]),
        (9000, where_nodes),
    ] {
        let peak = peak_kib(160, nodes, more);
        // 48 MiB, the record of a game, and its texts in the table.
        assert!(peak <= 112 * 1024, "{peak} KiB, {nodes} nodes, {more:?}");
    }
}

#[test]
fn conditions_and_columns() {
    let scratch = Scratch::new("columns");
    scratch.write("in.sgf", &collection(2000));
    let args = [
        "index",
        "in.sgf",
        "-o",
        "o.csv",
        "--columns",
        "game,pb,moves",
        "--where",
        "moves > 98",
    ];
    let output = scratch.sgfq(&args);
    assert_eq!(text(&output.stderr), "");
    let csv = text(&scratch.read("o.csv"));
    assert_eq!(csv.lines().next(), Some("key,game,pb,moves"));
    assert!(
        csv.lines().skip(1).count() > 10 && csv.lines().skip(1).all(|line| line.ends_with(",99")),
        "{csv}"
    );
    let wrong = scratch.sgfq(&["index", "in.sgf", "-o", "o.csv", "--columns", "nothing"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        text(&wrong.stderr).starts_with("sgfq: --columns: character 1: unknown column `nothing`")
    );
    let more = [
        "index",
        "in.sgf",
        "-o",
        "m.jsonl",
        "--columns",
        "game, prop('PB'), has('C'), moves / 2",
    ];
    assert_eq!(text(&scratch.sgfq(&more).stderr), "");
    let lines = text(&scratch.read("m.jsonl"));
    let first: serde_json::Value =
        serde_json::from_str(lines.lines().next().expect("a game")).expect("JSON");
    assert!(
        first["has('C')"].is_boolean()
            && first["moves / 2"].is_u64()
            && first["prop('PB')"].is_string(),
        "{first}"
    );
    let twice = scratch.sgfq(&["index", "in.sgf", "-o", "o.csv", "--columns", "pb,km,PB"]);
    assert_eq!(
        text(&twice.stderr),
        "sgfq: --columns: the column `pb` is given twice\n"
    );
    for (name, expected) in [
        ("o", "expected a name that ends in .parquet"),
        ("o.gz", "expected a name that ends in .parquet"),
        (
            "o.xml",
            "this command does not write `xml`; pass -f with `arrow`, `parquet`, `csv`, `tsv`, `jsonl`",
        ),
        (
            "o.parquet.gz",
            "parquet is compressed inside the file; leave out `.gz`",
        ),
    ] {
        let wrong = text(&scratch.sgfq(&["index", "in.sgf", "-o", name]).stderr);
        assert!(wrong.contains(expected), "{name}: {wrong}");
    }
    // `-f` takes precedence over the extension, and without `-o` the table goes to stdout.
    assert_eq!(
        text(
            &scratch
                .sgfq(&["index", "in.sgf", "-f", "csv", "-o", "o.xml"])
                .stderr
        ),
        ""
    );
    assert_eq!(
        scratch.read("o.xml"),
        scratch.sgfq(&["index", "in.sgf", "-f", "csv"]).stdout
    );
}

/// Returns the decompressed bytes of a file.
fn unpacked(bytes: &[u8]) -> String {
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(bytes), &mut text)
        .expect("gzip");
    text
}

/// Compressed lines equal the plain ones for any number of workers.
#[test]
fn lines_with_tabs_and_packed_lines() {
    let scratch = Scratch::new("packed-lines");
    scratch.write("in/a.sgf", &collection(400));
    scratch.write("in/b.sgf", b"(;GM[1]SZ[9]PB[ab]PW[\"c\"]EV[d,e];B[aa])");
    let index = |jobs: &str, output: &str, moves: &str, more: &[&str]| {
        let args = [
            "index",
            "-j",
            jobs,
            "in",
            "--row-group",
            "100",
            "-o",
            output,
            "--moves",
            moves,
        ];
        let output = scratch.sgfq(&[&args[..], more].concat());
        assert_eq!(
            (output.status.code(), &*text(&output.stderr)),
            (Some(0), "")
        );
    };
    index("1", "g.csv", "m.jsonl", &[]);
    let (games, moves) = (text(&scratch.read("g.csv")), text(&scratch.read("m.jsonl")));
    let mut seen: Option<Vec<u8>> = None;
    for jobs in ["1", "3"] {
        index(jobs, "p.csv.gz", "p.jsonl.gz", &[]);
        let packed = scratch.read("p.csv.gz");
        assert!(packed.len() < games.len() / 2 && unpacked(&packed) == games);
        assert!(unpacked(&scratch.read("p.jsonl.gz")) == moves);
        assert!(
            seen.replace(packed.clone())
                .is_none_or(|before| before == packed)
        );
    }
    index(
        "1",
        "g.tsv",
        "m.tsv",
        &["--columns", "pb,pw,ev,board_width"],
    );
    let lines = text(&scratch.read("g.tsv"));
    assert!(lines.starts_with("key\tpb\tpw\tev\tboard_width\n"));
    assert!(lines.contains("\tab\t\"c\"\td,e\t9\n"), "{lines}");
}

/// `-o -` streams the table of games: the rows equal the rows of the files, for any number of
/// threads.
#[test]
fn the_games_go_to_stdout() {
    let scratch = Scratch::new("stdout");
    scratch.write("in/many.sgf", &collection(250));
    scratch.write(
        "in/pair.tar",
        &tar(&[("one.sgf", &collection(60)), ("two.sgf", b"(;GM[1];B[aa])")]),
    );
    let columns = [
        "--columns",
        "pb,moves,errors,date_min,prop('KM')",
        "--row-group",
        "100",
    ];
    let index = |args: &[&str]| {
        let output = scratch.sgfq(&[&["index", "in"][..], &columns, args].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        output.stdout
    };
    for format in ["csv", "tsv", "jsonl"] {
        let name = format!("games.{format}");
        index(&["-o", &name]);
        let streamed = index(&["-o", "-", "-f", format]);
        assert!(
            streamed.len() > 1000 && streamed == scratch.read(&name),
            "{format}"
        );
    }
    index(&["-o", "games.arrow"]);
    let file = scratch.read("games.arrow");
    let file =
        arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(file), None).expect("a file");
    let schema = file.schema();
    let batches: Vec<_> = file.map(|batch| batch.expect("a batch")).collect();
    assert!(batches.len() > 1);
    for jobs in ["1", "2", "5"] {
        let streamed = index(&["-o", "-", "-j", jobs]);
        let stream =
            arrow_ipc::reader::StreamReader::try_new(&streamed[..], None).expect("a stream");
        assert_eq!(stream.schema(), schema);
        let rows: Vec<_> = stream.map(|batch| batch.expect("a batch")).collect();
        let joined = |batches: &[_]| {
            arrow_select::concat::concat_batches(&schema, batches).expect("one schema")
        };
        assert!(
            rows[..rows.len() - 1]
                .iter()
                .all(|batch| batch.num_rows() == 100)
        );
        assert!(joined(&rows) == joined(&batches), "-j {jobs}");
        // The stream is complete: it ends with the end marker, four bytes and a length of 0.
        assert!(streamed.ends_with(&[255, 255, 255, 255, 0, 0, 0, 0]));
    }
    // No files remain except the inputs and the requested files.
    let names: Vec<_> = scratch
        .names()
        .into_iter()
        .filter(|name| !name.starts_with("games."))
        .collect();
    assert!(names.is_empty(), "{names:?}");
}

/// Each table has the format of its own name.
#[test]
fn tables_of_several_formats() {
    let scratch = Scratch::new("formats");
    scratch.write("in.sgf", &collection(300));
    let index = |games: &str, moves: &str| {
        let args = [
            "index",
            "in.sgf",
            "--row-group",
            "64",
            "-o",
            games,
            "--moves",
            moves,
        ];
        assert_eq!(text(&scratch.sgfq(&args).stderr), "");
    };
    index("a.csv", "a.jsonl");
    index("b.arrow", "b.jsonl");
    index("b.csv", "b.parquet");
    index("a.arrow", "a.parquet");
    for format in ["csv", "jsonl", "arrow", "parquet"] {
        assert!(
            scratch.read(&format!("a.{format}")) == scratch.read(&format!("b.{format}")),
            "{format}"
        );
    }
}

#[test]
fn tables_that_need_files_are_not_streamed() {
    let scratch = Scratch::new("no-stream");
    scratch.write("in.sgf", &collection(2));
    for (args, expected) in [
        (
            &["-o", "-", "--moves", "m.csv"][..],
            "sgfq: stdout takes one table; add `-o games.parquet` for the table of games, or leave out --moves\n",
        ),
        (
            &["-o", "-", "-f", "parquet"],
            "sgfq: parquet cannot be written to a pipe; name a file with -o, or choose arrow, csv, tsv or jsonl\n",
        ),
    ] {
        let output = scratch.sgfq(&[&["index", "in.sgf"], args].concat());
        assert_eq!(
            (text(&output.stderr).as_str(), text(&output.stdout).as_str()),
            (expected, ""),
            "{args:?}"
        );
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
    assert!(scratch.names().is_empty(), "{:?}", scratch.names());
}
