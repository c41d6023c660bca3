//! Many references into a file: the file is read once, and the output contains its games in the
//! order of the file.

use std::fmt::Write;

use super::inputs::run_in;
use super::tar::tar;
#[cfg(unix)]
use super::timed;
use super::{Place, Run, run};

/// Returns games with problems, several on a line, with bytes between them, and some without an
/// end.
fn collection(games: usize) -> String {
    let mut text = String::new();
    for number in 1..=games {
        write!(
            text,
            "(;FF[4]GM[1]PB[player {number}]SZ[19]KM[6{}]",
            [".5", ",5"][number % 2]
        )
        .expect("memory");
        (0..number % 5).for_each(|turn| {
            write!(text, ";{}[{}a]", ["B", "W"][turn % 2], ["z", "c"][turn % 2]).expect("memory")
        });
        text.push_str([")", ")\n", ") junk ]\r\n", "))\n", ";B[bb)]\r)\r", ")\n\n"][number % 6]);
    }
    text
}

/// Commands under test, each with its format of output.
const COMMANDS: [&[&str]; 7] = [
    &["cat"],
    &["cat", "--sgfs"],
    &["filter", "--where", "moves > 1"],
    &[
        "get",
        "source,member,game,offset,length,pb,errors,warnings,moves",
        "-f",
        "csv",
    ],
    &["check", "--level", "note", "-f", "jsonl", "-q"],
    &["check", "--level", "note", "-f", "text", "-q"],
    &["rewrite", "--strip", "KM"],
];

/// Returns the references in the order of the output: by file (as first named), by `members`, and
/// by game, each once.
fn in_order(references: &[String], members: &[&str]) -> Vec<String> {
    let key = |reference: &String| {
        let (name, game) = reference
            .rsplit_once('#')
            .map_or((&**reference, 0), |(name, game)| (name, number(game)));
        let (file, member) = name.split_once('!').unwrap_or((name, ""));
        let first = references.iter().position(|other| other.starts_with(file));
        (first, members.iter().position(|name| *name == member), game)
    };
    let number_of_whole =
        |reference: &String| reference.split_once('#').map(|(name, _)| name.to_owned());
    let is_in_whole = |reference: &String| {
        number_of_whole(reference).is_some_and(|name| references.contains(&name))
    };
    let mut sorted: Vec<String> = references
        .iter()
        .filter(|reference| !is_in_whole(reference))
        .cloned()
        .collect();
    sorted.sort_by_key(key);
    sorted.dedup();
    sorted
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

/// Compares the output for `references` with the concatenated outputs for each of `expected`.
fn assert_as_one_by_one(place: &Place, references: &[String], expected: &[String]) {
    let list = place.put("list", references.join("\n"));
    for command in COMMANDS {
        let together = run(&[command, &["--files-from", &list]].concat(), b"");
        let arguments: Vec<&str> = references.iter().map(|reference| &**reference).collect();
        let as_arguments = run(&[command, &arguments].concat(), b"");
        let mut alone = Run {
            status: 0,
            out: Vec::new(),
            err: String::new(),
        };
        for (at, reference) in expected.iter().enumerate() {
            let one = run(&[command, &[reference]].concat(), b"");
            let header = if command.contains(&"csv") && at > 0 {
                one.out
                    .iter()
                    .position(|&b| b == b'\n')
                    .map_or(0, |at| at + 1)
            } else {
                0
            };
            // If a filter selects no game of one file, the command still succeeds, without a note.
            if command[0] == "filter" {
                alone.err += &one.err.replace("sgfq: no game matches\n", "");
            } else {
                alone.status = alone.status.max(one.status);
                alone.err += &one.err;
            }
            alone.out.extend_from_slice(&one.out[header..]);
        }
        let (expected, found) = (
            String::from_utf8_lossy(&alone.out),
            String::from_utf8_lossy(&together.out),
        );
        let differs = expected
            .lines()
            .zip(found.lines())
            .find(|(expected, found)| expected != found);
        assert_eq!(differs, None, "{command:?}");
        assert!(
            alone.out == together.out && as_arguments.out == together.out,
            "{command:?}"
        );
        assert_eq!(
            (together.status, &*together.err),
            (alone.status, &*alone.err),
            "{command:?}"
        );
    }
}

#[test]
fn games_of_a_file_in_any_order() {
    let place = Place::new();
    let file = place.put("x.sgf", collection(60));
    // A byte order mark and UTF-16 affect all games after them.
    let marked = place.put("bom.sgf", format!("\u{feff}{}", collection(7)));
    let wide = collection(5)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect::<Vec<u8>>();
    let wide = place.put("wide.sgf", [&b"\xff\xfe"[..], &wide].concat());
    let mut references: Vec<String> = (1..=60)
        .step_by(4)
        .map(|game| format!("{file}#{game}"))
        .collect();
    references.extend([3, 1, 7].map(|game| format!("{marked}#{game}")));
    references.extend([5, 2].map(|game| format!("{wide}#{game}")));
    references.push(references[1].clone());
    fastrand::seed(11);
    fastrand::shuffle(&mut references);
    // A whole file between the references is read in its place.
    let (first, second) = references.split_at(3);
    let whole = std::slice::from_ref(&file);
    let expected = [&in_order(first, &[]), whole, &in_order(second, &[])].concat();
    assert_as_one_by_one(&place, &[first, whole, second].concat(), &expected);
}

#[test]
fn games_of_members_in_any_order() {
    let place = Place::new();
    let members = [("a.sgf", 9), ("deep/b.sgf", 1), ("c.sgf", 30)]
        .map(|(name, games)| (name, collection(games)));
    let tar = tar(&members
        .each_ref()
        .map(|(name, text)| (*name, text.as_bytes())));
    let archive = place.put("x.tar", &tar);
    let other = place.put("y.tar", &tar);
    let zip = place.put(
        "two.zip",
        std::fs::read(super::packed("two.zip")).expect("a file"),
    );
    let mut references = Vec::new();
    for (member, games) in [
        ("c.sgf", &[29, 4, 30, 5, 12][..]),
        ("a.sgf", &[9, 1]),
        ("deep/b.sgf", &[1]),
    ] {
        references.extend(
            games
                .iter()
                .map(|game| format!("{archive}!{member}#{game}")),
        );
        references.push(format!("{other}!{member}#{}", games[0]));
    }
    references
        .extend(["two.sgf#1", "two.sgf", "one.sgf#1"].map(|member| format!("{zip}!{member}")));
    fastrand::seed(5);
    fastrand::shuffle(&mut references);
    let expected = in_order(
        &references,
        &["a.sgf", "deep/b.sgf", "c.sgf", "one.sgf", "two.sgf"],
    );
    assert_eq!(expected.len(), references.len() - 1);
    assert_as_one_by_one(&place, &references, &expected);
    // A missing game or member is reported after its file, or after the other games of its member.
    references.insert(2, format!("{archive}!none.sgf#1"));
    references.insert(5, format!("{archive}!a.sgf#99"));
    let list = place.put("list", references.join("\n"));
    let run = run(&["get", "pb", "-f", "csv", "--files-from", &list], b"");
    assert_eq!(run.status, 2);
    let said = format!(
        "sgfq: {archive}!a.sgf: no game 99: the file has 9 games\nsgfq: {archive}: no member `none.sgf` in the archive\n"
    );
    assert_eq!(run.err, said);
}

/// A hundred times as many references take about a hundred times as long, not ten thousand times.
#[cfg(unix)]
#[test]
#[cfg_attr(debug_assertions, ignore = "measured in release builds, by `.ci/full`")]
fn many_games_of_a_file_take_linear_time() {
    let text =
        "(;GM[1]C[a comment, so that there is something to read]B[aa];W[bb])\n".repeat(100_000);
    let wide = "(;GM[1]C[a comment]B[aa];W[bb])\n"
        .repeat(20_000)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect::<Vec<u8>>();
    for (bytes, games) in [
        (text.into_bytes(), 100_000),
        ([&b"\xff\xfe"[..], &wide].concat(), 20_000),
    ] {
        assert_linear(&bytes, games);
    }
}

#[cfg(unix)]
fn assert_linear(bytes: &[u8], games: u32) {
    let place = Place::new();
    let file = place.put("x.sgf", bytes);
    let step = games as usize / 2000;
    let mut games: Vec<String> = (1..=games)
        .step_by(step)
        .map(|game| format!("{file}#{game}"))
        .collect();
    fastrand::seed(3);
    fastrand::shuffle(&mut games);
    let time = |games: &[String]| {
        let list = place.put("list", games.join("\n"));
        let (out, time) = timed(&place, &["cat", "--files-from", &list]);
        assert_eq!(out.lines().count(), games.len());
        time
    };
    let (few, many) = (time(&games[..20]), time(&games));
    assert!(many < 25 * few, "20 games {few:?}, 2,000 games {many:?}");
}

/// `reference` names a game so that `cat` finds it, for any name of file and member, and in any
/// part of a file.
#[test]
fn references_of_tables_find_their_games() {
    let place = Place::new();
    let inside = [
        "a#2.sgf",
        "b!c.sgf",
        "*?[x].sgf",
        " d .sgf",
        "deep/@e.sgf",
        "\u{9ed2}.sgf",
        "-",
    ];
    let members = inside.map(|name| (name, collection(3)));
    let tar = tar(&members
        .each_ref()
        .map(|(name, text)| (*name, text.as_bytes())));
    for name in ["x.tar", "y!z.tar", "#1.tar"] {
        place.put(name, &tar);
    }
    for name in [
        "x.sgf",
        "x, \"y\".sgf",
        "z.sgf#3",
        "z.tar!a.sgf",
        "@list.sgf",
        "[a].sgf",
        " x.sgf",
        "\u{9ed2}.sgf",
    ] {
        place.put(name, collection(4));
    }
    // Read in several parts, so that the numbers of its games become final late.
    place.put(
        "huge.sgf",
        format!("(;GM[1]C[{}])\n", "x".repeat(400)).repeat(10_000),
    );
    let all = ["--all-files", "."];
    let expected = run_in(
        &place,
        &[&["cat", "--where", "length != 411"][..], &all].concat(),
        b"",
    )
    .done();
    let where_of = ["--where", "length != 411"];
    let listed = run_in(
        &place,
        &[&["get", "reference", "-f", "jsonl"][..], &where_of, &all].concat(),
        b"",
    )
    .done();
    let names = |rows: &str| -> Vec<String> {
        let rows = rows
            .lines()
            .map(|row| serde_json::from_str::<serde_json::Value>(row).expect("JSON"));
        rows.map(|row| row["reference"].as_str().expect("a text").to_owned())
            .collect()
    };
    let references = names(&listed);
    assert!(references.len() > 80, "{}", references.len());
    place.put("list", references.join("\n"));
    assert!(
        run_in(&place, &["cat", "@list"], b"").out == expected.as_bytes(),
        "{references:?}"
    );
    // One by one, as arguments.
    for reference in references.iter().step_by(7) {
        let found = run_in(
            &place,
            &["get", "reference", "-f", "jsonl", "--all-files", reference],
            b"",
        )
        .done();
        assert_eq!(names(&found), [reference.as_str()]);
    }
    for (jobs, format) in [("1", "jsonl"), ("3", "jsonl"), ("3", "csv")] {
        let columns = ["--columns", "source,game,reference", "-j", jobs];
        let index = ["index", "huge.sgf", "-o", "-", "-f", format];
        let rows = run_in(&place, &[&index[..], &columns].concat(), b"").done();
        let (wanted, end) = match format {
            "csv" => (
                "huge.sgf,9999,huge.sgf#9999\n",
                "huge.sgf,10000,huge.sgf#10000\n",
            ),
            _ => (
                "\"game\":9999,\"reference\":\"huge.sgf#9999\"}",
                "\"huge.sgf#10000\"}\n",
            ),
        };
        assert!(
            rows.contains(wanted) && rows.ends_with(end),
            "{jobs} {format}: {}",
            &rows[rows.len() - 200..]
        );
        let get = [
            "get",
            "reference,game,reference",
            "-f",
            format,
            "-j",
            jobs,
            "huge.sgf",
        ];
        let rows = run_in(&place, &get, b"").done();
        let end = match format {
            "csv" => "huge.sgf#10000,10000,huge.sgf#10000\n",
            _ => "{\"reference\":\"huge.sgf#10000\",\"game\":10000}\n",
        };
        assert!(
            rows.ends_with(end),
            "{jobs} {format}: {}",
            &rows[rows.len() - 200..]
        );
    }
}
