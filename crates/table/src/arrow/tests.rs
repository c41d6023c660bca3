//! Tables of games that are in files.

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_schema::DataType;

use sgfstream_archive::Input;
use sgfstream_engine::Engine;

use super::Scan;

fn batches(scan: &Scan, files: &[&[u8]]) -> Vec<RecordBatch> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |number: usize| folder.path().join(format!("{number}.sgf"));
    for (number, bytes) in files.iter().enumerate() {
        std::fs::write(path(number), bytes).expect("space");
    }
    let inputs = (0..files.len()).map(|number| Input::path(path(number))).collect();
    scan.read(inputs).map(|batch| batch.expect("no failure").rows).collect()
}

/// The cells of some columns, row by row.
fn cells(scan: &Scan, files: &[&[u8]], columns: &[&str]) -> Vec<String> {
    let mut rows = Vec::new();
    for batch in batches(scan, files) {
        for row in 0..batch.num_rows() {
            let cells = columns.iter().map(|name| {
                let column = batch.column_by_name(name).expect("a column");
                match column.data_type() {
                    _ if column.is_null(row) => "-".to_owned(),
                    DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
                    DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
                    DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_string(),
                    DataType::Boolean => column.as_boolean().value(row).to_string(),
                    other => panic!("{other}"),
                }
            });
            rows.push(cells.collect::<Vec<_>>().join(" "));
        }
    }
    rows
}

#[test]
fn the_ply_of_a_comment_does_not_depend_on_the_order_of_properties() {
    let scan = Scan::comments(None).expect("a scan");
    let files: &[&[u8]] = &[
        b"(;C[root]GC[game];B[aa]C[one];C[two]W[bb]N[name](;B[cc]C[three])(;C[four]B[dd]))",
        b"(;C[root]B[aa];C[more])",
    ];
    assert_eq!(
        cells(&scan, files, &["node", "ply", "property", "text"]),
        [
            "0 0 C root",
            "0 0 GC game",
            "1 1 C one",
            "2 2 C two",
            "2 2 N name",
            "3 3 C three",
            "4 - C four",
            "0 1 C root",
            "1 1 C more",
        ]
    );
}

#[test]
fn the_size_of_a_board_is_that_of_the_root() {
    let scan = Scan::moves(None).expect("a scan");
    let columns = ["ply", "color", "move", "column", "row", "time_left", "captures"];
    assert_eq!(cells(&scan, &[b"(;GM[1];SZ[5]B[ss]BL[12.5];W[])"], &columns), ["1 B ss 18 18 12.5 0", "2 W  - - - 0"]);
    assert_eq!(cells(&scan, &[b"(;1[a20][b20]GM[Blokus];2[t20,t19])"], &columns[..3]), ["1 B a20,b20", "2 W t20,t19"]);
}

#[test]
fn a_scan_is_the_same_for_any_number_of_threads_and_rows_in_a_batch() {
    let games: Vec<Vec<u8>> = (0..300)
        .map(|number| format!("(;PB[{number}]KM[{number}.5];B[aa]C[x](;W[bb])(;W[cc]))").repeat(20).into_bytes())
        .collect();
    let files: Vec<&[u8]> = games.iter().map(Vec::as_slice).collect();
    let scan = Scan::games("game, pb, prop('KM'), has('C'), moves * 2", Some("any('C') = 'x' AND pb <> '7'"));
    let scan = scan.expect("a scan");
    let columns = ["game", "pb", "prop('KM')", "has('C')", "moves * 2"];
    let one = cells(&scan.clone().with_engine(Engine::new().with_threads(1)), &files, &columns);
    assert_eq!((one.len(), &*one[25]), (299 * 20, "6 1 1.5 true 4"));
    let small = scan.with_batch_rows(7).with_engine(Engine::new().with_threads(3));
    assert!(batches(&small, &files).iter().all(|batch| batch.num_rows() <= 7));
    assert!(cells(&small, &files, &columns) == one);
}

#[test]
fn what_cannot_be_read_is_data_and_a_dropped_scan_ends() {
    let scan = Scan::games("", None).expect("a scan");
    assert_eq!(scan.schema().fields().len(), 55);
    let batches: Vec<_> = scan.read(vec![Input::path(Path::new("no/such/file.sgf"))]).collect();
    let batch = batches[0].as_ref().expect("no failure");
    assert_eq!((batches.len(), batch.rows.num_rows(), batch.problems.len()), (1, 0, 1));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.sgf");
    std::fs::write(&path, "(;B[aa];W[bb])".repeat(200_000)).expect("space");
    let mut reading = scan.read(vec![Input::path(&path)]);
    assert!(reading.next().is_some());
    drop(reading);
    let err = Scan::games("pb, winer", None).expect_err("no such column");
    assert!(err.to_string().contains("did you mean `winner`?"));
}
