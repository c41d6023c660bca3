//! The splits of a plan, in order, have the rows and problems of the whole inputs. This holds for
//! any size, any number of threads, and conditions on the number of a game.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_schema::DataType;

use sgfstream_archive::Input;
use sgfstream_engine::{Engine, Split};
use sgfstream_table::arrow::{Scan, ScanBatches, TableKind};

#[path = "../../../tests/common/zip.rs"]
mod zip;

/// Returns games of about 1 KB each, with faults in them and between them.
fn games(name: &str, count: usize) -> String {
    let mut out = String::new();
    for at in 0..count {
        let end = [")\n", "))\n", ") text\n", "\n"][if at % 20 < 4 { at % 20 } else { 0 }];
        let moves = ";B[dd];W[pp];B[dp];W[zz]C[x]".repeat(28 + at % 3);
        write!(out, "(;GM[1]FF[4]PB[{name} {at}]{moves}{end}").expect("memory");
    }
    out
}

/// Returns every row as text, and every problem.
fn rows(scanning: ScanBatches) -> Vec<String> {
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for batch in scanning {
        let batch = batch.expect("no failure");
        problems.extend(batch.problems.iter().map(ToString::to_string));
        for row in 0..batch.rows.num_rows() {
            let mut text = String::new();
            for column in batch.rows.columns() {
                match column.data_type() {
                    _ if column.is_null(row) => text.push('-'),
                    DataType::Utf8 => text.push_str(column.as_string::<i32>().value(row)),
                    DataType::Int64 => {
                        write!(text, "{}", column.as_primitive::<Int64Type>().value(row))
                            .expect("memory");
                    }
                    other => panic!("{other}"),
                }
                text.push(' ');
            }
            rows.push(text);
        }
    }
    rows.extend(problems);
    rows
}

#[test]
fn the_splits_of_a_plan_give_the_rows_of_the_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a 100%\t.sgf"), games("plain", 8_000)).expect("space");
    let members: Vec<_> = (0..30)
        .map(|at| {
            (
                format!("{at}.sgf"),
                games(&format!("zip {at}"), 90).into_bytes(),
            )
        })
        .collect();
    fs::write(path("b.zip"), zip::zip(&members)).expect("space");
    let wide = games("wide", 300)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect::<Vec<_>>();
    fs::write(path("c.sgf"), [&[0xFF, 0xFE], &wide[..]].concat()).expect("space");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let inputs = [
        Input::path(folder.path()),
        Input::path(root.join("corpus/packed")),
        Input::path(root.join("crates/archive/tests/archives")),
        Input::path(path("missing.sgf")),
        Input::parse(path("b.zip!7.sgf#3").to_str().expect("UTF-8")),
    ];
    let columns = "source, member, game, offset, errors, warnings, pb, moves";
    let scans = [
        Scan::games(columns, None),
        Scan::games(columns, Some("game % 7 = 3 OR errors > 0")),
        Scan::of(TableKind::Comments, Some("moves > 100")),
    ];
    for (scan, is_long) in scans.into_iter().zip([true, true, false]) {
        let scan = scan.expect("a scan");
        let mut whole = rows(scan.read(inputs.to_vec()));
        assert!(whole.len() > 900, "{}", whole.len());
        whole.sort_unstable();
        for (size, threads) in [(1, 1), (700_000, 3), (3_000_017, 2), (u64::MAX, 1)] {
            if !is_long && threads == 1 {
                continue;
            }
            let engine = Engine::new().with_threads(threads);
            let plan = engine.plan(&inputs, size).expect("files");
            let count = plan.splits.len();
            assert!(
                if size > 1 << 40 {
                    count == 1
                } else {
                    count > 2
                },
                "{size}: {count}"
            );
            let scan = scan.clone().with_engine(engine);
            let mut all: Vec<_> = plan.problems.iter().map(ToString::to_string).collect();
            for split in &plan.splits {
                // A split travels as text.
                let text = split.to_string();
                let split: Split = text.parse().expect("a split");
                assert_eq!(split.to_string(), text);
                all.extend(rows(scan.read_split(&split)));
            }
            all.sort_unstable();
            let first = all.iter().zip(&whole).find(|(one, other)| one != other);
            assert!(
                all == whole,
                "{size}, {threads} threads: {} {} {first:?}",
                all.len(),
                whole.len()
            );
        }
    }
}

/// If a file was replaced after the plan, there is no panic, and games that begin elsewhere have no
/// rows.
#[test]
fn a_file_that_changed_since_the_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.sgf");
    fs::write(&path, games("old", 8_000)).expect("space");
    let plan = Engine::new()
        .plan(&[Input::path(&path)], 1)
        .expect("a file");
    assert!(plan.splits.len() > 2);
    for (games, condition) in [
        (games("another", 9_000), None),
        (games("short", 10), None),
        (games("x", 10), Some("game > 1")),
    ] {
        fs::write(&path, games).expect("space");
        let scan = Scan::games("game, pb", condition).expect("a scan");
        for split in &plan.splits[1..] {
            let rows = rows(scan.read_split(split));
            let said = format!("{}: no game begins at byte", path.display());
            assert!(rows.len() == 1 && rows[0].starts_with(&said), "{rows:?}");
        }
    }
    fs::remove_file(&path).expect("there");
    let rows = rows(
        Scan::games("", None)
            .expect("a scan")
            .read_split(&plan.splits[0]),
    );
    assert!(
        rows.len() == 1 && rows[0].ends_with("no such file or directory"),
        "{rows:?}"
    );
    assert!(
        "no split".parse::<Split>().is_err() && Engine::new().plan(&[Input::Stdin], 1).is_err()
    );
}
