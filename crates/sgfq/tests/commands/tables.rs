//! Tests of `get`, `freq` and `moves`.

use super::{Place, packed, run, sgfq};

#[test]
fn columns_as_tables() {
    let out = sgfq(&["get", "pb,re,moves"]).done();
    assert_eq!(
        out,
        "pb   re     moves\nAda  B+R        2\nBen  W+3.5      2\nCyd             2\nDan  0          2\n"
    );
    let out = sgfq(&["get", "PB,km,date_min", "-f", "csv", "--where", "gm = 1"]).done();
    assert_eq!(out, "pb,km,date_min\nAda,6.5,1990-01-02\nBen,,\nDan,,\n");
    let out = sgfq(&["get", "game,variant,moves,km", "-f", "jsonl"]).done();
    assert_eq!(
        out.lines().next(),
        Some("{\"game\":1,\"variant\":\"Go\",\"moves\":2,\"km\":6.5}")
    );
    let err = sgfq(&["get", "pb,movs"]).refused();
    assert!(err.contains("did you mean `moves`?"), "{err}");
    assert!(
        sgfq(&["get", "--columns"])
            .done()
            .lines()
            .any(|line| line.starts_with("canonical_hash "))
    );
    assert_eq!(run(&["get", "pb"], b"no games").nothing(), "pb\n");
}

#[test]
fn csv_quotes_and_tables_are_clean() {
    let games = "(;PB[a,\"b\\]\nc]PW[\u{1b}[31mred])".as_bytes();
    assert_eq!(
        run(&["get", "pb", "-f", "csv"], games).done(),
        "pb\n\"a,\"\"b] c\"\n"
    );
    assert_eq!(run(&["get", "pw"], games).done(), "pw\n\\u{1b}[31mred\n");
}

#[test]
fn places_of_games() {
    let place = Place::new();
    let file = place.put("x.sgf", super::GAMES);
    let out = run(
        &[
            "get",
            "source,member,game,offset,length",
            "-f",
            "csv",
            &file,
        ],
        b"",
    )
    .done();
    assert_eq!(
        out.lines().nth(1),
        Some(format!("{file},,1,16,69").as_str())
    );
}

/// The key of a game is the same in the tables, in rows of `get`, and in conditions.
#[test]
fn keys_find_games() {
    let place = Place::new();
    let file = place.put("x.sgf", super::GAMES);
    let rows = |arguments: &[&str]| run(&[arguments, &["-f", "jsonl", &file]].concat(), b"").done();
    let keys = rows(&["get", "key,pb"]);
    assert_eq!(rows(&["index", "--columns", "pb,key"]), keys);
    let all = rows(&["index"]);
    for row in keys.lines() {
        let key = row.split('"').nth(3).expect("a text").to_owned();
        assert!(
            all.contains(&format!("\"key\":\"{key}\"")),
            "{key} in {all}"
        );
        for condition in [
            format!("key = {key}"),
            format!("key = '{key}'"),
            format!("key IN ('0', '{key}')"),
        ] {
            assert_eq!(
                rows(&["get", "key,pb", "--where", &condition]).trim_end(),
                row,
                "{condition}"
            );
        }
    }
    let second = run(&["get", "key", "-f", "csv", &format!("{file}#2")], b"").done();
    let all = run(&["get", "key", "-f", "csv", &file], b"").done();
    assert_eq!(second.lines().nth(1), all.lines().nth(2));
    assert!(
        sgfq(&["get", "key", "--where", "key = 'x'"])
            .refused()
            .contains("expected a number")
    );
    assert!(sgfq(&["get", "--list"]).done().starts_with("key "));
}

#[test]
fn frequencies_of_values() {
    assert_eq!(sgfq(&["freq", "variant"]).done(), "3  Go\n1  Hex\n");
    assert_eq!(
        sgfq(&[
            "freq",
            "winner",
            "-n",
            "1",
            "-f",
            "csv",
            "--where",
            "winner IS NOT NULL"
        ])
        .done(),
        "winner,games\nB,1\n"
    );
    assert!(
        sgfq(&["freq", "winner", "-f", "jsonl"])
            .done()
            .contains("{\"winner\":null,\"games\":1}")
    );
}

/// More values than fit in memory before sorting: each is counted once on any number of threads.
#[test]
fn values_are_counted_however_many_there_are() {
    let name = |number: usize| format!("{number:0>150}");
    let mut games: String = (0..40_000)
        .map(|number| format!("(;PB[{}])", name(number % 30_000)))
        .collect();
    games += "(;)(;)";
    for threads in ["1", "3"] {
        let out = run(
            &["freq", "pb", "-f", "csv", "-j", threads],
            games.as_bytes(),
        )
        .done();
        let rows = |numbers: std::ops::Range<usize>, games: u8| -> String {
            numbers
                .map(|number| format!("{},{games}\n", name(number)))
                .collect()
        };
        // Among equal counts, games without a name come first.
        let expected = format!(
            "pb,games\n,2\n{}{}",
            rows(0..10_000, 2),
            rows(10_000..30_000, 1)
        );
        assert!(
            out == expected,
            "{threads} threads: {} lines, {:.400}",
            out.lines().count(),
            out
        );
    }
}

#[test]
fn whatever_selects_can_be_printed() {
    let out = sgfq(&[
        "get",
        "pb, prop('KM'), has('C'), move(1), moves * 2, re || ','",
        "-f",
        "csv",
    ])
    .done();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[0],
        "pb,prop('KM'),has('C'),move(1),moves * 2,\"re || ','\""
    );
    assert_eq!(lines[1], "Ada,6.5,true,pd,4,\"B+R,\"");
    let out = sgfq(&[
        "get",
        "game + 1, move(2)",
        "-f",
        "jsonl",
        "--where",
        "has('C')",
    ])
    .done();
    assert_eq!(out, "{\"game + 1\":2,\"move(2)\":\"dp\"}\n");
    assert_eq!(sgfq(&["freq", "length(pb) > 2"]).done(), "4  true\n");
    assert_eq!(
        sgfq(&["freq", "prop('KM')", "-n", "1"]).done(),
        "3  (none)\n"
    );
    let err = sgfq(&["freq", "pb,pw"]).refused();
    assert!(err.contains("expected one column, found 2"), "{err}");
    let place = Place::new();
    let parts = place.text("parts");
    sgfq(&["split", "--name", "{prop('KM')}", "-d", &parts]).done();
    assert_eq!(place.read("parts/6.5.sgf").lines().count(), 1);
}

#[test]
fn main_lines_as_text() {
    let out = sgfq(&["moves"]).done();
    assert_eq!(
        out,
        "B[pd] W[dp]\nB[dd] W[pp]\nB[c1] W[swap-pieces]\nB[pd] W[dp]\n"
    );
    assert_eq!(
        sgfq(&["moves", "--plain", "-n", "1"]).done(),
        "pd\ndd\nc1\npd\n"
    );
    let game = b"(;B[aa]1[x]GM[1];W[];2[y])(;1[a1,b1]GM[Blokus];2[c1])(;)";
    assert_eq!(
        run(&["moves", "--plain"], game).done(),
        "aa pass\na1,b1 c1\n\n"
    );
    let out = sgfq(&["rewrite", "--main-line"]).done();
    assert!(out.contains("RE[W+3.5];B[dd];W[pp])"), "{out}");
}

/// A column is as wide as on the screen: a character of Chinese, Japanese or Korean takes two
/// cells.
#[test]
fn columns_align_by_what_is_seen() {
    let games = "(;GM[1]CA[UTF-8]PB[李昌鎬]PW[x])(;GM[1]PB[Go]PW[조치훈]BR[9p, Honinbo])";
    let table = run(&["get", "pb,pw,br_level"], games.as_bytes()).done();
    assert_eq!(
        table,
        "pb      pw      br_level\n李昌鎬  x\nGo      조치훈        29\n"
    );
}
/// The first 200 games, or fewer with a MiB of text, determine the widths of the columns, for any
/// number of parts and workers.
#[test]
fn the_first_rows_settle_the_widths() {
    let place = Place::new();
    let check = |name: &str, names: &dyn Fn(usize) -> (String, String), settling: usize| {
        let rows: Vec<[String; 3]> = (1..=12_000)
            .map(|game| {
                let (black, white) = names(game);
                [black, white, game.to_string()]
            })
            .collect();
        let game = |[black, white, _]: &[String; 3]| {
            format!("(;GM[1]PB[{black}]PW[{white}]C[{}])\n", "-".repeat(300))
        };
        let file = place.put(name, rows.iter().map(game).collect::<String>());
        let rows = [&[["pb", "pw", "game"].map(str::to_owned)], &rows[..]].concat();
        let width = |at: usize| {
            rows[..=settling]
                .iter()
                .map(|row| row[at].len().min(4096))
                .max()
                .unwrap_or(0)
        };
        let line = |[black, white, game]: &[String; 3]| {
            format!(
                "{black:<0$}  {white:<1$}  {game:>2$}\n",
                width(0),
                width(1),
                width(2)
            )
        };
        let expected: String = rows.iter().map(line).collect();
        for more in [&["-j", "1"][..], &["-j", "4"]] {
            let table = run(&[&["get", "pb,pw,game", &file], more].concat(), b"").done();
            assert!(table == expected, "{name} {more:?}: {:.300}", table);
        }
    };
    // Game 200 has the longest names of the first 200, and later games have longer ones.
    check(
        "rows.sgf",
        &|game| {
            (
                "b".repeat(if game < 200 { 3 } else { game - 191 }.min(40)),
                "w".repeat(game / 150),
            )
        },
        200,
    );
    // Thirty-five names of 30,000 bytes exceed a MiB, together with the names next to them.
    // Thirty-five names of 29,930 bytes are slightly shorter.
    for (name, len, settling) in [("over.sgf", 30_000, 35), ("under.sgf", 29_930, 36)] {
        check(
            name,
            &|game| {
                (
                    "b".repeat(if game <= 60 { len } else { 3 }),
                    "w".repeat(game % 40),
                )
            },
            settling,
        );
    }
}

/// The extension of the output selects the format of rows, and `.gz` compresses it.
#[test]
fn the_name_of_an_output_says_its_format() {
    let place = Place::new();
    let game = b"(;GM[1]SZ[9]PB[\"a\"]EV[d,e];B[aa])";
    let get = |name: &str, more: &[&str]| {
        run(
            &[&["get", "pb,ev,board_width", "-o", &place.text(name)], more].concat(),
            game,
        )
        .done();
        std::fs::read(place.path(name)).expect("a file")
    };
    let unpacked = |bytes: &[u8]| {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(bytes), &mut text)
            .expect("gzip");
        text
    };
    let csv = &b"pb,ev,board_width\n\"\"\"a\"\"\",\"d,e\",9\n"[..];
    let tsv = &b"pb\tev\tboard_width\n\"a\"\td,e\t9\n"[..];
    assert_eq!(get("x.csv", &[]), csv);
    assert_eq!(get("x.TSV", &[]), tsv);
    assert_eq!(get("x.txt", &["-f", "tsv"]), tsv);
    assert_eq!(unpacked(&get("x.csv.gz", &[])), csv);
    assert_eq!(
        unpacked(&get("x.jsonl.gz", &[])),
        b"{\"pb\":\"\\\"a\\\"\",\"ev\":\"d,e\",\"board_width\":9}\n"
    );
    assert_eq!(
        get("x.csv", &["-f", "table"]),
        b"pb   ev   board_width\n\"a\"  d,e            9\n"
    );

    // The same for games: the extension describes the contents.
    run(&["cat", "-o", &place.text("x.sgf.gz")], game).done();
    assert_eq!(
        run(&["cat", &place.text("x.sgf.gz")], b"")
            .done()
            .as_bytes(),
        [&game[..], b"\n"].concat()
    );
}

/// Column names of the previous version are still accepted.
#[test]
fn old_names_of_columns() {
    let game = b"(;GM[1]SZ[9:5];B[aa])";
    let by = |columns: &str, expression: &str| {
        run(&["get", columns, "-f", "csv", "--where", expression], game).done()
    };
    let expected = "byte_offset,board_width,board_height\n0,9,5\n";
    assert_eq!(
        by("byte_offset,board_width,board_height", "board_width = 9"),
        expected
    );
    assert_eq!(
        by(
            "offset,columns,rows",
            "columns = 9 AND rows = 5 AND offset = 0"
        ),
        expected
    );
}

/// `stats --html -` writes the same page to stdout as to a file.
#[test]
fn pages_go_to_stdout() {
    let place = Place::new();
    let games = place.put("x.sgf", "(;GM[1]SZ[19]PB[Go Seigen]RE[B+R];B[pd];W[dd])");
    let page = place.text("page.html");
    assert_eq!(run(&["stats", "--html", &page, &games], b"").done(), "");
    let written = run(&["stats", "--html", "-", &games], b"").done();
    assert!(
        written == place.read("page.html") && written.contains("Go Seigen") && written.len() > 5000
    );
}

/// A table of an input that breaks names the input.
#[test]
fn tables_name_broken_inputs() {
    let place = Place::new();
    let gz = std::fs::read(crate::packed("one.sgf.gz")).expect("a file");
    let broken = place.put("broken.sgf.gz", &gz[..gz.len() - 6]);
    let whole = place.put("x.sgf", "(;GM[1];B[aa])");
    let table = place.text("t.parquet");
    let problems = || {
        let file = std::fs::File::open(&table).expect("a table");
        let reader =
            parquet::file::serialized_reader::SerializedFileReader::new(file).expect("a table");
        let metadata = parquet::file::reader::FileReader::metadata(&reader)
            .file_metadata()
            .key_value_metadata();
        let pairs = metadata.expect("metadata").iter();
        pairs
            .filter(|pair| pair.key == "sgfq.problems")
            .map(|pair| pair.value.clone().expect("a value"))
            .collect()
    };
    run(&["index", "-o", &table, &whole], b"").done();
    assert_eq!(problems(), Vec::<String>::new());
    run(&["index", "-o", &table, &whole, &broken], b"").refused();
    let names: Vec<String> = problems();
    assert_eq!(names.len(), 1);
    let names: Vec<String> = serde_json::from_str(&names[0]).expect("a list");
    assert!(
        names.len() == 1 && names[0].starts_with(&broken),
        "{names:?}"
    );
}

/// Sorts rows of CSV by the number at the end of each, slowly: rows without a number come last, and
/// equal rows keep their order.
fn slowly_sorted(csv: &str, is_reversed: bool) -> Vec<&str> {
    let mut rows: Vec<&str> = csv.lines().skip(1).collect();
    let number = |row: &str| {
        row.rsplit(',')
            .next()
            .and_then(|cell| cell.parse::<f64>().ok())
    };
    rows.sort_by(|&left, &right| match (number(left), number(right)) {
        (Some(left), Some(right)) if is_reversed => right.total_cmp(&left),
        (Some(left), Some(right)) => left.total_cmp(&right),
        (left, right) => left.is_none().cmp(&right.is_none()),
    });
    rows
}

/// Limits below and above the number of rows, and above the number of keys in memory, over files
/// and a large archive.
#[test]
fn the_first_sorted_rows_are_those_of_all_rows() {
    let mut random = fastrand::Rng::with_seed(63);
    let mut games = String::new();
    for number in 0..30_000 {
        let komi = match random.u8(..4) {
            0 => String::new(),
            _ => format!("KM[{}]", f64::from(random.i16(-40..40)) / 2.0),
        };
        let comment = "x".repeat(random.usize(..200));
        games += &format!(
            "(;GM[1]PB[name {}]{komi}GN[{number}]C[{comment}])",
            random.u8(..50)
        );
        games += if random.bool() { "\n" } else { " junk " };
    }
    let place = Place::new();
    let (file, zip) = (
        place.put("games.sgf", &games),
        packed("two.zip").to_string_lossy().into_owned(),
    );
    for columns in ["gn,game,reference,errors,km", "gn,pb,km"] {
        let all = run(&["get", columns, "-f", "csv", &file, &zip], b"").done();
        for (reverse, limit) in [
            (false, 0),
            (true, 7),
            (false, 1000),
            (true, 1001),
            (false, 29_000),
            (true, 90_000),
        ] {
            let limit_text = limit.to_string();
            let mut arguments = vec![
                "get",
                columns,
                "-f",
                "csv",
                "--sort",
                "km",
                "--limit",
                &limit_text,
            ];
            arguments.extend(reverse.then_some("--reverse"));
            let [one, two] = ["1", "2"].map(|jobs| {
                run(&[&arguments[..], &["-j", jobs, &file, &zip]].concat(), b"").done()
            });
            assert!(one == two, "{arguments:?}");
            let expected = slowly_sorted(&all, reverse);
            let expected = &expected[..limit.min(expected.len())];
            assert!(
                one.lines().skip(1).eq(expected.iter().copied()),
                "{arguments:?}: {one:.300}"
            );
        }
        let first: String = all.split_inclusive('\n').take(6).collect();
        assert_eq!(
            run(
                &["get", columns, "-f", "csv", "--limit", "5", &file, &zip],
                b""
            )
            .done(),
            first
        );
    }
    // `sort` has the same order, also for texts, several columns, and columns that are not printed.
    let sorted = run(
        &[
            "sort",
            "pb,moves - km",
            "--where",
            "km > -10",
            "--reverse",
            &file,
        ],
        b"",
    )
    .done();
    let order = [
        "--sort",
        "pb,moves - km",
        "--reverse",
        "--where",
        "km > -10",
    ];
    for format in ["table", "csv", "tsv", "jsonl"] {
        let expected = run(&["get", "gn,prop('C')", "-f", format], sorted.as_bytes()).done();
        let found = run(
            &[&["get", "gn,prop('C')", "-f", format, &file], &order[..]].concat(),
            b"",
        )
        .done();
        assert!(found == expected, "{format}: {found:.300}");
    }
}

#[test]
fn order_and_number_of_rows_are_options() {
    let rows = |more: &[&str]| {
        sgfq(&[&["get", "pb", "-f", "csv"], more].concat())
            .done()
            .replace('\n', " ")
    };
    assert_eq!(rows(&["--sort", "km", "--limit", "2"]), "pb Ada Ben ");
    assert_eq!(
        rows(&["--sort", "pb", "--reverse", "--limit", "2"]),
        "pb Dan Cyd "
    );
    assert_eq!(rows(&["--sort", "-gm", "--limit", "1"]), "pb Cyd ");
    assert_eq!(
        rows(&["--limit", "2", "--where", "gm = 1 AND pb <> 'Ada'"]),
        "pb Ben Dan "
    );
    assert_eq!(rows(&["--limit", "0"]), "pb ");
    let all = sgfq(&["get", "all", "-f", "jsonl", "--sort", "pb", "--reverse"]).done();
    assert!(
        all.starts_with("{\"key\":") && all.matches("\"pb\":").count() == 4,
        "{all}"
    );
    let err = sgfq(&["get", "pb", "--sort", "movs"]).refused();
    assert!(
        err.contains("--sort: ") && err.contains("did you mean `moves`?"),
        "{err}"
    );
    assert!(
        sgfq(&["get", "pb", "--reverse"])
            .refused()
            .contains("--sort")
    );
}
