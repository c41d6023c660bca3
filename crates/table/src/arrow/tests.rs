//! Tests of tables, for games in files.

use std::collections::BTreeMap;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int8Type, Int16Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;

use sgfstream::record::GameReader;
use sgfstream::{Event, SliceReader};
use sgfstream_archive::Input;
use sgfstream_engine::Engine;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{BoardCell, Dialect, Facts, Game, GameBoard};

use super::{PositionOptions, Scan, TableKind};

fn batches(scan: &Scan, files: &[&[u8]]) -> Vec<RecordBatch> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |number: usize| folder.path().join(format!("{number}.sgf"));
    for (number, bytes) in files.iter().enumerate() {
        std::fs::write(path(number), bytes).expect("space");
    }
    let inputs = (0..files.len())
        .map(|number| Input::path(path(number)))
        .collect();
    scan.read(inputs)
        .map(|batch| batch.expect("no failure").rows)
        .collect()
}

/// Returns a cell with a list of numbers.
fn list(column: &dyn Array, row: usize) -> String {
    let cell = match column.data_type() {
        DataType::List(_) => column.as_list::<i32>().value(row),
        _ => column.as_fixed_size_list().value(row),
    };
    match cell.data_type() {
        DataType::Int8 => format!("{:?}", &cell.as_primitive::<Int8Type>().values()[..]),
        _ => format!("{:?}", &cell.as_primitive::<Int16Type>().values()[..]),
    }
}

/// Returns the cells of some columns, row by row.
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
                    DataType::Float64 => {
                        column.as_primitive::<Float64Type>().value(row).to_string()
                    }
                    DataType::Int8 => column.as_primitive::<Int8Type>().value(row).to_string(),
                    DataType::Int16 => column.as_primitive::<Int16Type>().value(row).to_string(),
                    DataType::List(_) | DataType::FixedSizeList(..) => list(column, row),
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
    let scan = Scan::of(TableKind::Comments, None).expect("a scan");
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
fn the_size_of_a_board_is_that_of_the_first_two_nodes() {
    let scan = Scan::of(TableKind::Moves, None).expect("a scan");
    let columns = ["ply", "color", "move", "x", "y", "time_left", "captures"];
    assert_eq!(
        cells(&scan, &[b"(;GM[1];SZ[5]B[ss]BL[12.5];W[])"], &columns),
        ["1 B ss - - 12.5 -", "2 W  - - - 0"]
    );
    assert_eq!(
        cells(&scan, &[b"(;GM[1];;SZ[5]B[ss]BL[12.5];W[])"], &columns),
        ["1 B ss 18 18 12.5 0", "2 W  - - - 0"]
    );
    let columns = [
        "step", "ply", "kind", "color", "move", "x", "y", "is_pass", "is_legal", "captures",
        "changes",
    ];
    let files: &[&[u8]] = &[
        b"(;SZ[5]AB[ab][ba]AW[aa:bb]PL[W];B[cc]W[aa];AE[ab];W[])(;GM[2];B[d3];W[c3])(;B[a];GM[1])",
    ];
    assert_eq!(
        cells(&scan, files, &columns),
        [
            "1 0 AB B ab 0 1 - - - -",
            "2 0 AB B ba 1 0 - - - -",
            "3 0 AW W aa:bb - - - - - 0,0,W 1,0,W 0,1,W 1,1,W",
            "4 0 PL W W - - - - - -",
            "5 1 move B cc 2 2 false true 0 -",
            "6 2 move W aa 0 0 false false 0 -",
            "7 2 AE - ab 0 1 - - - -",
            "8 3 move W  - - true true 0 -",
            "1 0 start -  - - - - - 3,3,W 4,3,B 3,4,B 4,4,W",
            "2 1 move B d3 3 2 false true 0 3,3,B",
            "3 2 move W c3 2 2 false true 0 3,3,W",
            "1 1 move B a - - false false - -",
        ]
    );
    let games = Scan::games("illegal_moves, illegal_moves > 0", None).expect("a scan");
    assert_eq!(cells(&games, files, &["illegal_moves"]), ["1", "0", "1"]);
    let only = Scan::of(TableKind::Moves, Some("illegal_moves = 0")).expect("a scan");
    assert_eq!(cells(&only, files, &["move"]), ["", "d3", "c3"]);
    let columns = ["ply", "color", "move", "x", "y", "time_left", "captures"];
    assert_eq!(
        cells(
            &scan,
            &[b"(;1[a20][b20]GM[Blokus];2[t20,t19])"],
            &columns[..3]
        ),
        ["1 1 a20,b20", "2 2 t20,t19"]
    );
}

/// The table adds rows in bulk; here the test makes each row by itself. The game has nodes of one
/// move and of many (more than may wait together), texts of any kind, times before and after the
/// move, and a filter that decides only at the end of the game.
#[test]
fn the_rows_of_a_long_game_are_those_of_its_moves() {
    let texts = [
        "", "tt", "aa", "sa", "  ", " a", "a ", "zz", "é", "abc", "ab ", "\\]a",
    ];
    let mut game = String::from("(;SZ[19]");
    let mut rows = Vec::new();
    for ply in 1..=5000 {
        let (color, text) = (["B", "W"][ply % 2], texts[ply * ply % 13 % texts.len()]);
        // One node has more moves than may wait for its time.
        let is_first_of_node = ply % 7 != 3 && !(2000..3100).contains(&ply);
        let time = is_first_of_node
            .then_some(ply % 11)
            .filter(|time| *time < 4);
        if is_first_of_node {
            game += ";";
        }
        let (moved, left) = (
            format!("{color}[{text}]"),
            time.map_or(String::new(), |left| format!("{color}L[{left}]")),
        );
        game += &if ply % 5 == 0 {
            left + &moved
        } else {
            moved + &left
        };
        rows.push((
            is_first_of_node,
            time.map(|left| (color, left)),
            color,
            text.trim().to_owned(),
        ));
    }
    game += "(;B[aa];W[bb])(;W[cc]))";
    rows.extend([
        (true, None, "B", "aa".to_owned()),
        (true, None, "W", "bb".to_owned()),
    ]);
    // The times of a node belong to its moves.
    let mut expected = Vec::new();
    let nodes: Vec<_> = rows.chunk_by(|_, next| !next.0).collect();
    for node in nodes {
        // The times of a node reach only its first 1024 moves, because longer nodes are completed
        // in parts.
        for (number, moves) in node.chunks(1024).enumerate() {
            for (_, _, color, text) in moves {
                let time = node[0].1.filter(|(of, _)| of == color && number == 0);
                let time = time.map_or("-".to_owned(), |(_, left)| left.to_string());
                let ply = expected.len() + 1;
                expected.push(format!("{ply} {ply} move {color} {text} {time}"));
            }
        }
    }
    let columns = ["ply", "step", "kind", "color", "move", "time_left"];
    for filter in [None, Some("moves > 4000")] {
        let scan = Scan::of(TableKind::Moves, filter).expect("a scan");
        assert_eq!(
            cells(&scan, &[game.as_bytes()], &columns),
            expected,
            "{filter:?}"
        );
        let two = [&expected[..], &expected[..]].concat();
        assert_eq!(
            cells(&scan, &[game.repeat(2).as_bytes()], &columns),
            two,
            "{filter:?}"
        );
    }
}

/// After each row, the board rebuilt from the columns equals the library's board.
#[test]
fn the_rows_of_the_table_of_moves_rebuild_every_board() {
    let columns = ["step", "kind", "color", "x", "y", "changes"];
    let scan = Scan::of(TableKind::Moves, None).expect("a scan");
    for game in [
        "(;SZ[5]AB[aa:cc][ee]AE[bb];W[bb];AW[bb][de][ed]AE[aa];B[ab]W[ee];W[zz];B[ZZ];AB[ZZ][ba:ca]PL[B];B[])",
        "(;SZ[3];B[aa];W[ba];B[bb];W[ab];W[ac];B[cc];W[ca];B[cb];W[bc];B[aa];W[bb])",
        "(;GM[2];B[d3];W[c3];AB[a1][a2]AE[d3];B[c4];W[pass])",
        "(;GM[9];B[b1-b3];W[a7xc7];B[b3-a4];W[c7-e9])",
        "(;GM[18];B[djddgd];W[dadcgd];AB[ca];AA[jj];B[cacbcc])",
        "(;GM[11]SZ[5];B[c2];W[swap-pieces];B[a3];W[b2];AE[a3])",
        "(;GM[40]SZ[9]AW[bb]AB[ba][ab][cb];B[bc.bccbbaabbc];W[dd]TW[])",
        "(;GM[4]SZ[9];B[hh];W[hh];AE[hh];W[ii])",
        "(;GM[Blokus Duo];1[e10,e11,f10];2[j5,j6];AE[e10])",
    ] {
        let mut reader = GameReader::new(SliceReader::new(game.as_bytes()));
        let record = reader
            .next_game()
            .expect("no I/O")
            .expect("a game")
            .expect("a short game");
        let mut position = GameBoard::new(&Facts::of(record, 0).dialect()).expect("a board");
        let mut boards = Vec::new();
        for node in record.nodes() {
            node.properties()
                .for_each(|(_, property)| _ = position.apply(&property));
            boards.push(position.to_string());
        }
        let size = position.size();
        let mut told = vec![vec!['.'; size.columns() as usize]; size.rows() as usize];
        let rows = cells(&scan, &[game.as_bytes()], &columns);
        let mut set = |column: &str, row: &str, stone: &str| {
            let (column, row): (usize, usize) = (
                column.parse().expect("a column"),
                row.parse().expect("a row"),
            );
            let stone = match stone {
                "B" => 'X',
                "W" => 'O',
                "-" => '.',
                "3" => '3',
                "4" => '4',
                _ => '*',
            };
            // Rows name stones off the board first, and then their absence.
            if let Some(field) = told.get_mut(row).and_then(|row| row.get_mut(column)) {
                *field = stone;
            }
        };
        for row in &rows {
            let row: Vec<&str> = row.splitn(6, ' ').collect();
            if row[3] != "-" && (row[2] != "-" || row[1] == "AE") {
                set(row[3], row[4], row[2]);
            }
            for change in row[5].split(' ').filter(|change| change.len() > 1) {
                let change: Vec<&str> = change.split(',').collect();
                set(change[0], change[1], change[2]);
            }
        }
        let shown: String = told
            .into_iter()
            .map(|row| String::from_iter(row) + "\n")
            .collect();
        let last = boards.last().expect("a board").replace(['x', 'o'], "*");
        assert_eq!(shown, last, "{game}\n{rows:#?}");
    }
}

#[test]
fn a_scan_is_the_same_for_any_number_of_threads_and_rows_in_a_batch() {
    let games: Vec<Vec<u8>> = (0..300)
        .map(|number| {
            format!("(;PB[{number}]KM[{number}.5];B[aa]C[x](;W[bb])(;W[cc]))")
                .repeat(20)
                .into_bytes()
        })
        .collect();
    let files: Vec<&[u8]> = games.iter().map(Vec::as_slice).collect();
    let scan = Scan::games(
        "game, pb, prop('KM'), has('C'), moves * 2",
        Some("any('C') = 'x' AND pb <> '7'"),
    );
    let scan = scan.expect("a scan");
    let columns = ["game", "pb", "prop('KM')", "has('C')", "moves * 2"];
    let one = cells(
        &scan.clone().with_engine(Engine::new().with_threads(1)),
        &files,
        &columns,
    );
    assert_eq!((one.len(), &*one[25]), (299 * 20, "6 1 1.5 true 4"));
    let small = scan
        .with_batch_rows(7)
        .with_engine(Engine::new().with_threads(3));
    assert!(
        batches(&small, &files)
            .iter()
            .all(|batch| batch.num_rows() <= 7)
    );
    assert!(cells(&small, &files, &columns) == one);
}

#[test]
fn unreadable_files_are_data_and_a_dropped_scan_ends() {
    let scan = Scan::games("", None).expect("a scan");
    assert_eq!(scan.schema().fields().len(), 63);
    let batches: Vec<_> = scan
        .read(vec![Input::path(Path::new("no/such/file.sgf"))])
        .collect();
    let batch = batches[0].as_ref().expect("no failure");
    assert_eq!(
        (batches.len(), batch.rows.num_rows(), batch.problems.len()),
        (1, 0, 1)
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large.sgf");
    std::fs::write(&path, "(;B[aa];W[bb])".repeat(200_000)).expect("space");
    let mut reading = scan.read(vec![Input::path(&path)]);
    assert!(reading.next().is_some());
    drop(reading);
    let err = Scan::games("pb, winer", None).expect_err("no such column");
    assert!(err.to_string().contains("did you mean `winner`?"));
}

#[test]
fn a_line_has_the_setup_and_the_moves_as_numbers() {
    let scan = Scan::of(TableKind::Lines { legality: false }, None).expect("a scan");
    let files: &[&[u8]] = &[
        b"(;SZ[5]RE[W+2.5]KM[6.5]HA[2]RU[NZ]AB[aa][ee];AW[ba]AE[aa];B[cc]W[];B[tt];W[x](;B[dd])(;B[ab]))",
        b"(;B[aa];AB[bb];W[cc])",
        b"(;GM[6]AB[a])",
    ];
    let columns = [
        "board_width",
        "black",
        "white",
        "moves",
        "colors",
        "winner",
        "margin",
        "komi",
        "handicap",
        "rules",
    ];
    assert_eq!(
        cells(&scan, files, &columns),
        [
            "5 [24] [1] [12, -1, -1, -2, 18] [1, 2, 1, 2, 1] 2 2.5 6.5 2 NZ",
            "19 [] [] [0, 40] [1, 2] - - - - -",
            "26 - - [] [] - - - - -",
        ]
    );
    assert_eq!(
        cells(&scan, files, &["has_later_setup", "is_legal"]),
        ["false -", "true -", "false -"]
    );
    let scan = Scan::of(TableKind::Lines { legality: true }, None).expect("a scan");
    let legal: &[&[u8]] = &[
        b"(;B[aa];W[bb])",
        b"(;B[aa];W[aa])",
        b"(;AW[ab][ba];B[aa])",
        b"(;GM[3];B[e4])",
    ];
    assert_eq!(
        cells(&scan, legal, &["is_legal"]),
        ["true", "false", "false", "-"]
    );
}

#[test]
fn a_position_is_the_board_before_a_move() {
    let options = PositionOptions {
        history: 2,
        ..PositionOptions::new(3)
    };
    let scan = Scan::of(TableKind::Positions(options), None).expect("a scan");
    let files: &[&[u8]] = &[
        b"(;SZ[3]RE[B+1]AB[ba]AW[aa];B[ab];W[cc];B[];AE[ba](;W[x];B[bb])(;W[bb]))",
        b"(;SZ[3]AB[ba][ab][ac]AW[ca][bb];B[bc];W[cb];W[aa];B[ab])",
        b"(;SZ[5];B[aa])",
    ];
    let columns = ["ply", "color", "move", "stones", "last", "ko", "winner"];
    assert_eq!(
        cells(&scan, files, &columns),
        [
            "1 1 3 [2, 1, 0, 0, 0, 0, 0, 0, 0] [-2, -2] -1 1",
            "2 2 8 [0, 1, 0, 1, 0, 0, 0, 0, 0] [3, -2] -1 1",
            "3 1 -1 [0, 1, 0, 1, 0, 0, 0, 0, 2] [8, 3] -1 1",
            "4 2 -2 [0, 0, 0, 1, 0, 0, 0, 0, 2] [-1, 8] -1 1",
            "1 1 7 [0, 1, 2, 1, 2, 0, 1, 0, 0] [-2, -2] -1 -",
            "2 2 5 [0, 1, 2, 1, 2, 0, 1, 1, 0] [7, -2] -1 -",
            "3 2 0 [0, 1, 2, 1, 2, 2, 1, 1, 0] [5, 7] -1 -",
            "4 1 3 [2, 0, 2, 1, 2, 2, 1, 1, 0] [0, 5] 1 -",
        ]
    );
}

#[test]
fn a_ko_is_given_to_the_side_that_it_forbids() {
    let scan = Scan::of(
        TableKind::Positions(PositionOptions {
            history: 0,
            ..PositionOptions::new(4)
        }),
        None,
    )
    .expect("a scan");
    let files: &[&[u8]] = &[b"(;SZ[4]AB[ba][ab][bc]AW[ca][bb][db][cc];B[cb];W[dd];B[da])"];
    assert_eq!(
        cells(&scan, files, &["move", "ko"]),
        ["6 -1", "15 5", "3 -1"]
    );
}

/// Compares boards updated move by move with boards read as a whole.
#[test]
fn positions_are_those_of_a_replay() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut game = String::from("(;SZ[5]");
    for ply in 0..3000 {
        let point = [(); 2].map(|()| char::from(b'a' + random.u8(..5)));
        match random.u8(..40) {
            0 => game += ";AE[aa:cc]",
            1 => game += &format!(";AW[{}{}]", point[0], point[1]),
            2 => game += ";B[]",
            _ => game += &format!(";{}[{}{}]", ['B', 'W'][ply % 2], point[0], point[1]),
        }
    }
    game.push(')');
    let scan = Scan::of(TableKind::Positions(PositionOptions::new(5)), None).expect("a scan");
    let rows = cells(&scan, &[game.as_bytes()], &["stones"]);
    let mut position =
        GameBoard::new(&Dialect::new(Game::Go, Some(BoardSize::square(5)))).expect("a board");
    let mut expected = Vec::new();
    for event in SliceReader::new(game.as_bytes()).events().flatten() {
        let Event::Property(property) = event else {
            continue;
        };
        if property.ident() == "B" || property.ident() == "W" {
            let fields = (0..25).map(|at| position.stone(BoardCell::new(at % 5, at / 5)));
            let stones: Vec<_> = fields
                .map(|side| side.map_or(0, |side| side.index() + 1))
                .collect();
            expected.push(format!("{stones:?}"));
        }
        let _ = position.apply(&property);
    }
    assert!(expected.len() > 2500 && rows == expected);
}

#[test]
fn a_sample_is_the_same_for_any_condition_and_number_of_threads() {
    let game = format!("(;SZ[9]PB[x]{})", ";B[aa];W[bb]".repeat(2000));
    let files: Vec<&[u8]> = vec![game.as_bytes(); 3];
    let columns = ["ply", "move"];
    let options = PositionOptions {
        sample: 0.1,
        seed: 4,
        every: 2,
        ..PositionOptions::new(9)
    };
    let scan = |condition| Scan::of(TableKind::Positions(options), condition).expect("a scan");
    let whole = PositionOptions {
        every: 2,
        ..PositionOptions::new(9)
    };
    let all = cells(
        &Scan::of(TableKind::Positions(whole), None).expect("a scan"),
        &files,
        &columns,
    );
    assert_eq!((all.len(), &*all[1]), (6000, "3 0"));
    // Keys depend on file names, so use the same name.
    let scratch = tempfile::tempdir().expect("a folder");
    let path = scratch.path().join("games.sgf");
    std::fs::write(&path, game.repeat(3)).expect("space");
    let keys = |scan: Scan| {
        let batches = scan
            .read(vec![Input::path(&path)])
            .map(|batch| batch.expect("no failure").rows);
        let column = |batch: &RecordBatch, name| {
            batch
                .column_by_name(name)
                .expect("a column")
                .as_primitive::<Int64Type>()
                .values()
                .to_vec()
        };
        let pairs = batches.map(|batch| {
            column(&batch, "key")
                .into_iter()
                .zip(column(&batch, "ply"))
                .collect::<Vec<_>>()
        });
        pairs.collect::<Vec<_>>().concat()
    };
    let sample = keys(scan(None).with_engine(Engine::new().with_threads(1)));
    assert!((400..800).contains(&sample.len()), "{}", sample.len());
    assert!(keys(scan(None).with_engine(Engine::new().with_threads(3))) == sample);
    // The condition is decided only at the end, so rows wait.
    assert!(keys(scan(Some("moves > 3999 AND pb = 'x'"))) == sample);
    assert!(keys(scan(Some("moves > 4000"))).is_empty());
}

#[test]
fn problems_are_rows() {
    let batches: Vec<_> = Scan::problems()
        .read(vec![Input::parse("no/such.zip!x")])
        .collect();
    let rows = &batches[0].as_ref().expect("no failure").rows;
    let cell = |name| {
        rows.column_by_name(name)
            .expect("a column")
            .as_string::<i32>()
            .value(0)
            .to_owned()
    };
    assert_eq!(
        (rows.num_rows(), cell("source"), cell("code")),
        (1, "no/such.zip".into(), "not-found".into())
    );
    assert_eq!(cell("message"), "no such file or directory");
}

/// Returns scans of all tables with rows for games for which `condition` is true.
fn scans(condition: &str) -> [Scan; 5] {
    let condition = Some(condition);
    [
        Scan::games("pb", condition),
        Scan::of(TableKind::Moves, condition),
        Scan::of(TableKind::Comments, condition),
        Scan::of(TableKind::Lines { legality: false }, condition),
        Scan::of(TableKind::Positions(PositionOptions::new(19)), condition),
    ]
    .map(|scan| scan.expect("a condition"))
}

/// A scan that reads the nodes of a game meets the problems in them.
#[test]
fn games_that_their_root_refuses_are_skipped() {
    let file = tempfile::Builder::new()
        .suffix(".sgf")
        .tempfile()
        .expect("a file");
    std::fs::write(
        file.path(),
        b"(;GM[1]PB[a];B[aa];W[bb] stray )(;GM[1]PB[b]KM[5];B[cc])",
    )
    .expect("space");
    let read = |scan: &Scan| {
        let mut scanning = scan.read(vec![Input::path(file.path())]);
        let rows: usize = scanning
            .by_ref()
            .map(|batch| batch.expect("no failure").rows.num_rows())
            .sum();
        let progress = scanning.monitor().progress();
        (rows > 0, progress.games, progress.problems)
    };
    for (condition, expected) in [
        ("pb = 'a' AND length > 0", (true, 2, 1)),
        ("pb = 'b'", (true, 2, 0)),
        ("pb = 'c'", (false, 2, 0)),
        ("pb = 'c' AND moves > 0", (false, 2, 0)),
        // The root does not decide it.
        ("moves < 0", (false, 2, 1)),
    ] {
        for scan in scans(condition) {
            let found = read(&scan);
            let names = scan
                .schema()
                .fields()
                .iter()
                .map(|field| field.name().clone())
                .collect::<Vec<_>>();
            let has_comments = names.iter().any(|name| name == "text");
            let expected = if has_comments {
                (false, expected.1, expected.2)
            } else {
                expected
            };
            assert_eq!(found, expected, "{condition}: {names:?}");
        }
    }
}

/// With `legality` each move is replayed; without it, most are converted directly.
#[test]
fn moves_of_lines_are_the_same_whether_they_are_played_or_not() {
    let letters = || (0..=255_u8).filter(u8::is_ascii_alphanumeric);
    let points: String = letters()
        .flat_map(|one| letters().map(move |other| [one, other].map(char::from)))
        .map(|[one, other]| format!(";B[{one}{other}]"))
        .collect();
    let sides = [1, 2, 9, 18, 19, 20, 25, 26, 27, 52].map(|side| (side, side));
    let sides = sides
        .into_iter()
        .chain([(13, 20), (26, 27), (27, 26), (1, 26), (9, 19)]);
    let mut files: Vec<_> = sides
        .map(|(columns, rows)| format!("(;SZ[{columns}:{rows}]{points})").into_bytes())
        .collect();
    files.extend([
        b"(;GM[2];B[aa];W[bb])".to_vec(),
        b"(;GM[11]SZ[11];B[aa];W[bb])".to_vec(),
        b"(;SZ[9]AB[aa][bb]AW[cc];W[dd];W[];B[tt];AB[ee];B[ff](;W[gg];B[hh])(;W[ii]))(;SZ[9]B[aa];W[bb])".to_vec(),
    ]);
    let files: Vec<_> = files.iter().map(|file| &file[..]).collect();
    let read = |legality| {
        let scan = Scan::of(TableKind::Lines { legality }, None).expect("a scan");
        cells(
            &scan,
            &files,
            &[
                "board_width",
                "board_height",
                "black",
                "white",
                "moves",
                "colors",
            ],
        )
    };
    let (found, played) = (read(false), read(true));
    assert_eq!(found.len(), files.len() + 1);
    for (found, played) in found.iter().zip(&played) {
        assert_eq!(found, played);
    }
    assert_eq!(
        found[files.len() - 1],
        "9 9 [0, 10] [20] [30, -1, -1, 50, 60, 70] [2, 2, 1, 1, 2, 1]"
    );
}

#[test]
fn illegal_moves_of_a_game_are_those_of_its_rows_in_the_table_of_moves() {
    let read = |scan: Result<Scan, _>| -> Vec<RecordBatch> {
        let scan = scan.expect("a scan");
        scan.read(vec![Input::path("../../corpus")])
            .map(|batch| batch.expect("no failure").rows)
            .collect()
    };
    let keys = |batch: &RecordBatch| batch["key"].as_primitive::<Int64Type>().clone();
    let mut expected = BTreeMap::new();
    for batch in read(Scan::of(TableKind::Moves, None)) {
        for (row, legal) in batch["is_legal"].as_boolean().iter().enumerate() {
            *expected.entry(keys(&batch).value(row)).or_insert(0) +=
                i64::from(legal == Some(false));
        }
    }
    let mut illegal = 0;
    for batch in read(Scan::games("source, illegal_moves", None)) {
        for (row, found) in batch["illegal_moves"]
            .as_primitive::<Int64Type>()
            .iter()
            .enumerate()
        {
            let source = batch["source"].as_string::<i32>().value(row);
            let expected = expected.get(&keys(&batch).value(row)).copied().unwrap_or(0);
            assert!(
                found.is_none_or(|found| found == expected),
                "{source}: {found:?}, {expected} rows"
            );
            illegal += found.unwrap_or(0);
        }
    }
    assert!(illegal > 0);
}

#[test]
fn positions_have_the_analysis_of_the_node_before() {
    let game = b"(;GM[1]SZ[5]SBKV[40];B[aa]SBKV[60];W[bb];B[cc]LZ[KataGo 47.2 593\nmove Q16 visits 481 winrate 4720 scoreMean -0.3 pv Q16 D4 info move D4 visits 112 pv D4];W[dd])";
    let options = PositionOptions {
        analysis: true,
        history: 0,
        ..PositionOptions::new(5)
    };
    let scan = Scan::of(TableKind::Positions(options), None).expect("a scan");
    let moves = Scan::of(TableKind::Moves, None).expect("a scan");
    let columns = ["winrate", "score_lead", "visits"];
    let expected = cells(&moves, &[game], &columns);
    assert_eq!(
        cells(&scan, &[game], &columns),
        ["0.4 - -", "0.6 - -", "- - -", &expected[2]]
    );
    assert_eq!(expected[2], "0.472 - 593");
    let plain = Scan::of(TableKind::Positions(PositionOptions::new(5)), None).expect("a scan");
    assert!(
        plain
            .schema()
            .fields()
            .iter()
            .all(|field| !columns.contains(&field.name().as_str()))
    );
}

#[test]
fn ownership_is_that_of_marks_or_of_a_board_after_two_passes() {
    const UNKNOWN: &str = "[-1, -1, -1, -1, -1, -1, -1, -1, -1]";
    let owners = |game: &[u8]| {
        let options = PositionOptions {
            ownership: true,
            history: 0,
            ..PositionOptions::new(3)
        };
        let scan = Scan::of(TableKind::Positions(options), None).expect("a scan");
        let rows = cells(&scan, &[game], &["ownership"]);
        assert!(rows.windows(2).all(|pair| pair[0] == pair[1]));
        rows.into_iter().next().expect("a position")
    };
    for (game, expected) in [
        // X X .    1 1 0
        // . X .    0 1 0: the region around the stones touches both
        // . . O    0 0 2
        (
            &b"(;GM[1]SZ[3];B[aa];W[cc];B[ba];W[];B[bb];W[];B[])"[..],
            "[1, 1, 0, 0, 1, 0, 0, 0, 2]",
        ),
        (
            b"(;GM[1]SZ[3]AB[ba][bb][bc];B[];W[])",
            "[1, 1, 1, 1, 1, 1, 1, 1, 1]",
        ),
        (b"(;GM[1]SZ[3];B[];W[])", "[0, 0, 0, 0, 0, 0, 0, 0, 0]"),
        // One pass, or a move after two passes: nobody agreed that the game was over.
        (b"(;GM[1]SZ[3];B[aa];W[])", UNKNOWN),
        (b"(;GM[1]SZ[3];B[];W[];B[aa])", UNKNOWN),
        // Marks overrule stones: the white stone is dead. A later node with marks overrules an
        // earlier one.
        (
            b"(;GM[1]SZ[3]AB[ba][bb][bc]AW[ca];B[]TW[aa];W[]TB[aa:ac][ca:cc])",
            "[1, 1, 1, 1, 1, 1, 1, 1, 1]",
        ),
        (
            b"(;GM[1]SZ[3]AB[ba]AW[bc];B[bb]TB[ca]TW[zz])",
            "[0, 1, 1, 0, 1, 0, 0, 2, 0]",
        ),
        (b"(;GM[11]SZ[3];B[a1])", UNKNOWN),
    ] {
        assert_eq!(owners(game), expected, "{}", String::from_utf8_lossy(game));
    }
}

#[test]
fn readers_share_games_by_their_keys() {
    // Keys depend on file names, so use the same name.
    let file = tempfile::Builder::new()
        .suffix(".sgf")
        .tempfile()
        .expect("a file");
    let games: String = (0..40)
        .map(|number| format!("(;SZ[9]C[{number}];B[aa];W[bb])"))
        .collect();
    std::fs::write(file.path(), games).expect("space");
    let read = |share| {
        let options = PositionOptions {
            share,
            ..PositionOptions::new(9)
        };
        let scan = Scan::of(TableKind::Positions(options), None).expect("a scan");
        let batches = scan
            .read(vec![Input::path(file.path())])
            .map(|batch| batch.expect("no failure").rows);
        let keys = |batch: RecordBatch| {
            batch
                .column(0)
                .as_primitive::<Int64Type>()
                .values()
                .to_vec()
        };
        batches.flat_map(keys).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = (0..3).flat_map(|reader| read((reader, 3))).collect();
    let mut expected = read((0, 1));
    assert_eq!(expected.len(), 80);
    all.sort_unstable();
    expected.sort_unstable();
    assert!(all == expected);
    assert!((0..3).all(|reader| read((reader, 3)).len() > 10));
}
