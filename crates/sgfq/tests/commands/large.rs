//! Reads a large file in parts. The output equals that for the whole file, with its numbers of
//! games and lines, for any number of threads.

use std::fmt::Write;

use sgfstream::SliceReader;
use sgfstream_adapt::check;
use sgfstream_table::row::{Column, ColumnSet, FilledRow, RowReader};

use super::{Place, common, run};

/// Returns the last of these numbers of threads, or all of them in a long run.
fn jobs<'n>(all: &[&'n str]) -> Vec<&'n str> {
    all[if common::is_long() { 0 } else { all.len() - 1 }..].to_vec()
}

/// Returns some three blocks of games. Some share a line, some have problems, or unparseable bytes
/// after them. FF, GM and CA differ from the moves of the first game only far from it.
fn large() -> String {
    let mut text = String::new();
    for number in 0..22_000 {
        let (ff, gm) = if number < 12_000 {
            (4, 1)
        } else {
            (4 - number % 2, 1 + number % 3)
        };
        let charset = if number % 8_000 == 7_999 {
            "CA[UTF-8]"
        } else {
            ""
        };
        write!(
            text,
            "(;FF[{ff}]GM[{gm}]{charset}SZ[19]KM[{}]C[{}]",
            number % 13,
            "comment ".repeat(25)
        )
        .expect("memory");
        for turn in 0..number % 7 {
            let fault = if (number + turn) % 11 == 0 { "zz" } else { "" };
            write!(
                text,
                ";{}[{}a{fault}]",
                ["B", "W"][turn % 2],
                char::from(b'a' + turn as u8)
            )
            .expect("memory");
        }
        text.push_str(match number % 10 {
            3 => ")",
            4 => ")\r\n",
            5 => ") junk ]\n",
            6 => "))\n",
            7 => ";B[bb)]\r)\r",
            _ => ")\n",
        });
    }
    text
}

#[test]
fn findings_have_the_lines_and_games_of_the_file() {
    let place = Place::new();
    let bytes = large().into_bytes();
    let file = place.put("large.sgf", &bytes);
    let mut expected = Vec::new();
    check::check(&bytes[..], |finding, at| {
        let severity = finding.severity;
        expected.push(format!(
            "{} {} {} {} {} {severity}",
            finding.game, finding.path, at.line, at.column, finding.code
        ));
    })
    .expect("from memory");
    assert!(expected.len() > 5_000, "{}", expected.len());
    let check = |form: &str, jobs: &str| {
        run(
            &["check", "--level", "note", "-f", form, "-j", jobs, &file],
            b"",
        )
    };
    let mut summary = None;
    for jobs in jobs(&["1", "2", "5"]) {
        let out = check("jsonl", jobs);
        let found = out
            .out
            .split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| {
                let line: serde_json::Value = serde_json::from_slice(line).expect("JSON");
                let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
                let (path, code, severity) = (text("path"), text("code"), text("severity"));
                format!(
                    "{} {path} {} {} {code} {severity}",
                    line["game"], line["line"], line["column"]
                )
            });
        let found: Vec<_> = found.collect();
        let differs = expected
            .iter()
            .zip(&found)
            .find(|(expected, found)| expected != found);
        assert_eq!(differs, None, "-j {jobs}");
        assert_eq!(found.len(), expected.len(), "-j {jobs}");
        assert_eq!(
            &out.err,
            summary.get_or_insert(out.err.clone()),
            "-j {jobs}: the summary"
        );
    }
    for form in ["text", "sarif"] {
        let first = check(form, "1");
        assert!(first.out == check(form, "3").out, "{form}");
    }
}

#[test]
fn rows_have_the_numbers_of_the_file() {
    let place = Place::new();
    let bytes = large().into_bytes();
    let file = place.put("large.sgf", &bytes);
    let names = ["game", "byte_offset", "errors", "warnings", "moves"];
    let columns = names.map(|name| Column::find(name).expect("a column"));
    let mut filled = FilledRow::new(ColumnSet::of(columns));
    let mut rows = RowReader::new(SliceReader::new(&bytes), &mut filled);
    let mut expected = format!("{}\n", names.join(","));
    while let Some(row) = rows.next_row().expect("from memory") {
        let cells = columns.map(|column| column.get(row).to_string());
        expected.push_str(&format!("{}\n", cells.join(",")));
    }
    for jobs in jobs(&["1", "2", "5"]) {
        let out = run(
            &["get", &names.join(","), "-f", "csv", "-j", jobs, &file],
            b"",
        )
        .done();
        assert!(out == expected, "-j {jobs}");
        let rows = run(
            &["get", &names.join(","), "-f", "jsonl", "-j", jobs, &file],
            b"",
        )
        .done();
        let rows = rows.lines().map(|line| {
            let row: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(line).expect("JSON");
            row.values()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(",")
        });
        assert!(
            rows.eq(expected.lines().skip(1).map(str::to_owned)),
            "-j {jobs}"
        );
    }
    let table = |jobs: &str| run(&["get", "errors,pb,game", "-j", jobs, &file], b"").done();
    assert!(table("1") == table("5"));
}

#[test]
fn games_are_those_of_the_file() {
    let place = Place::new();
    let file = place.put("large.sgf", large());
    for expression in ["moves % 2 = 0", "game % 3 = 1", "errors > 0"] {
        let filter =
            |jobs: &str| run(&["filter", "--where", expression, "-j", jobs, &file], b"").done();
        let first = filter("1");
        assert!(
            first.len() > 100_000
                && jobs(&["2", "5"])
                    .into_iter()
                    .all(|jobs| first == filter(jobs)),
            "{expression}"
        );
    }
}

/// A game requested by number has the same place and row as in the whole file.
#[test]
fn a_game_by_its_number_keeps_its_place() {
    let place = Place::new();
    let file = place.put(
        "x.sgf",
        "(;FF[4]GM[1])\njunk )\n(;FF[4]GM[1]SZ[19]\n;B[zz])\n(;FF[4]GM[1];W[zz])",
    );
    let one = format!("{file}#2");
    let all = run(&["check", "-f", "jsonl", "--level", "note", &file], b"").out;
    let all = String::from_utf8(all).expect("UTF-8");
    let found = run(&["check", "-f", "jsonl", &one], b"").out;
    let found = String::from_utf8(found)
        .expect("UTF-8")
        .replace("x.sgf#2", "x.sgf");
    let point = found
        .lines()
        .find(|line| line.contains("point-off-board"))
        .expect("a finding");
    assert!(
        all.lines().any(|line| line == point) && point.contains("\"line\":4"),
        "{point}"
    );
    assert!(!found.contains("several-games"), "{found}");
    let row = |input: &str| {
        run(
            &[
                "get",
                "game,byte_offset,errors,warnings,moves",
                "-f",
                "csv",
                input,
            ],
            b"",
        )
        .done()
    };
    assert_eq!(row(&one).lines().nth(1), row(&file).lines().nth(2));
}
