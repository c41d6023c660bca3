//! The index of positions: in the order of the hashes, and `find` on it answers as `find` on the games does.

use std::fs::File;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, DictionaryArray, Float64Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray,
};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use sgfstream_game::{Dialect, Game, GameBoard, Side};

use super::{Scratch, collection, text};

/// Games of several kinds, with setup, handicap, passes and faults.
fn place(name: &str) -> Scratch {
    let place = Scratch::new(name);
    place.write("in/go.sgf", &collection(30));
    let games: [&[u8]; 4] = [
        b"(;GM[11]SZ[5]RE[B+];B[a1];W[b2];B[c3])(;GM[11]SZ[5];B[e5];W[d4])(;GM[11]SZ[5];W[a1];B[b2])",
        b"(;SZ[9]RE[W+1]AB[cc]AW[gg];B[ee];W[])(;SZ[9];AB[gc];AW[cg];W[tt])(;SZ[9];B[cc];W[gg];B[ee])(;SZ[9])",
        b"(;SZ[9];B[cc];W[zz];B[aa])(;GM[2];B[c4];W[c3])(;GM[2];B[e6])(;GM[3];W[e2e4])(;SZ[52];B[aa])",
        b"(;GM[Blokus Duo];B[a1,a2];W[n14])(;GM[18];B[djddgd])(;SZ[9];B[gc];W[cg](;B[ee])(;B[aa]))",
    ];
    for (at, games) in games.iter().enumerate() {
        place.write(&format!("in/other-{at}.sgf"), games);
    }
    let indexed = place.sgfq(&["index", "in", "-o", "games.parquet", "--positions", "positions.parquet"]);
    assert!(indexed.status.success(), "{}", text(&indexed.stderr));
    place
}

/// The games are read twice, for two files, and what was guessed is said once.
#[test]
fn a_guess_is_said_once() {
    let place = Scratch::new("positions-guess");
    let game = |text: &str| [b"(;SZ[9]C[", &*encoding_rs::GBK.encode(text).0, b"];B[aa])"].concat();
    place.write("in/gbk.sgf", &game("黑棋在右上角小飞挂角，白棋一间低夹，黑棋跳出，白棋飞起，双方正常进行。"));
    let indexed = place.sgfq(&["index", "in", "-o", "games.parquet", "--positions", "positions.parquet"]);
    assert!(indexed.status.success(), "{}", text(&indexed.stderr));
    assert_eq!(text(&indexed.stderr).matches("names no charset; read as GBK").count(), 1, "{}", text(&indexed.stderr));
}

#[test]
fn found_in_the_index_as_in_the_games() {
    let place = place("positions-found");
    let mut found = 0;
    for (position, options) in [
        ("in/go.sgf#7@3", &[][..]),
        ("in/go.sgf#7@20", &["--summary"]),
        ("gc cg ee", &["-f", "csv"]),
        ("gc cg ee", &["--exact", "-f", "csv"]),
        ("gg cc", &["--swap-colors", "-f", "csv"]),
        ("cc gg", &["--summary", "--by-move", "2"]),
        ("cc gg", &["--next", "ee", "-f", "csv"]),
        ("cc gg", &["--where", "winner = 'W'"]),
        ("a1 b2", &["-f", "csv"]),
        ("c4", &["--summary"]),
        ("in/other-1.sgf#1", &["-f", "csv"]),
        ("in/other-1.sgf#2@0", &[]),
        ("qq", &["-f", "csv"]),
    ] {
        let ask = |from: &[&str]| {
            let out = place.sgfq(&[&["find", "--position", position][..], options, from].concat());
            (text(&out.stdout), out.status.code())
        };
        let (streamed, indexed) = (ask(&["in"]), ask(&["--index", "positions.parquet"]));
        assert_eq!(indexed, streamed, "{position} {options:?}");
        found += usize::from(streamed.1 == Some(0));
    }
    assert_eq!(found, 12);
    assert_eq!(place.sgfq(&["find", "--position", "aa", "--index", "."]).status.code(), Some(0));
}

#[test]
fn rows_are_in_order_and_complete() {
    let place = place("positions-rows");
    let file = File::open(place.0.join("positions.parquet")).expect("a file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let column = reader.metadata().row_group(0).column(0);
    assert!(column.bloom_filter_offset().is_some() && column.column_index_offset().is_some());
    let pairs = reader.metadata().file_metadata().key_value_metadata().expect("metadata").clone();
    assert!(pairs.iter().any(|pair| pair.key == "games" && pair.value.as_deref() == Some("games.parquet")));
    let go = Dialect::new(Game::Go, Some(sgfstream_game::value::BoardSize::square(9)));
    let mut position = GameBoard::new(&go).expect("a board");
    position.keep_hash();
    position.play(Side::Black, &go.parse_move(b"cc").expect("a move")).expect("legal");
    let one = position.hash().expect("it is kept").canonical().0 as i64;
    let (mut hashes, mut next) = (Vec::new(), Vec::new());
    for batch in reader.build().expect("Parquet") {
        let batch = batch.expect("rows");
        let numbers = batch.column(0).as_primitive::<Int64Type>();
        for (row, hash) in numbers.values().iter().enumerate() {
            if *hash == one {
                next.push(batch.column(4).as_string::<i32>().value(row).to_owned());
            }
        }
        hashes.extend_from_slice(numbers.values());
    }
    assert!(hashes.is_sorted());
    // Each game has a row more than moves, but where the board is not known.
    let moves = text(&place.sgfq(&["get", "game", "--where", "columns = 19", "in"]).stdout).lines().count() - 1;
    assert!(moves > 20 && hashes.len() > 40 * moves, "{} {moves}", hashes.len());
    // After `cc` or its like on 9x9: to the opposite corner, turned in one way; no move on the board, and the one after
    // it; a setup.
    next.sort();
    assert_eq!(next.len(), 5, "{next:?}");
    assert!(next[..2] == ["", ""] && next[2..].windows(2).any(|two| two[0] == two[1]), "{next:?}");
}

#[test]
fn what_cannot_be_an_index_is_refused() {
    let place = place("positions-refused");
    let refused = |arguments: &[&str]| {
        let out = place.sgfq(arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        text(&out.stderr)
    };
    let err = refused(&["find", "--position", "aa", "--index", "games.parquet"]);
    assert!(err.contains("expected a file that `sgfq index --positions` wrote, found another"), "{err}");
    let err = refused(&["find", "--position", "aa", "--index", "positions.parquet", "in"]);
    assert!(err.contains("--index: expected no other inputs, found some"), "{err}");
    let err = refused(&["index", "in", "-o", "games.csv", "--positions", "p.parquet"]);
    assert!(err.contains("expected names that end in .parquet, found games.csv"), "{err}");
    let err = refused(&["index", "in", "-o", "g.parquet", "--columns", "pb", "--positions", "p.parquet"]);
    assert!(err.contains("expected `source` among the columns of the games, found none"), "{err}");
    refused(&["find", "--pattern", "X", "--index", "positions.parquet"]);
    refused(&["find", "--position", "aa", "--index", "none.parquet"]);
}

/// Rewrites `name` as another program might, its columns by `change`.
fn rewrite(place: &Scratch, name: &str, change: impl Fn(&str, &ArrayRef) -> ArrayRef) {
    let file = File::open(place.0.join(name)).expect("a file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let pairs = reader.metadata().file_metadata().key_value_metadata().cloned();
    let pairs =
        pairs.map(|pairs| pairs.into_iter().filter(|pair| pair.key != "ARROW:schema" && pair.key != "run").collect());
    let batches: Vec<RecordBatch> = reader.build().expect("Parquet").map(|batch| batch.expect("rows")).collect();
    let batches = batches.iter().map(|batch| {
        let names = batch.schema();
        let columns = names.fields().iter().zip(batch.columns());
        let columns = columns.map(|(field, column)| (field.name().clone(), change(field.name(), column), true));
        RecordBatch::try_from_iter_with_nullable(columns).expect("columns of one length")
    });
    let batches: Vec<RecordBatch> = batches.collect();
    let properties = WriterProperties::builder().set_key_value_metadata(pairs).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batches[0].schema(), Some(properties)).expect("a table");
    batches.iter().for_each(|batch| writer.write(batch).expect("memory"));
    place.write(name, &writer.into_inner().expect("memory"));
}

#[test]
fn tables_that_other_programs_wrote_are_read() {
    let place = place("positions-others");
    let find = || place.sgfq(&["find", "--position", "cc gg", "-f", "csv", "--index", "positions.parquet"]);
    let cat = || place.sgfq(&["get", "source,game", "-f", "csv", "--keys", "games.parquet"]);
    let (found, cats) = (find(), cat());
    assert!(found.status.success() && cats.status.success() && text(&found.stdout).lines().count() > 2);
    let texts =
        |column: &ArrayRef| column.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>();
    let numbers = |column: &ArrayRef| column.as_primitive::<Int64Type>().clone();
    type Change<'c> = (&'c str, &'c str, &'c dyn Fn(&ArrayRef) -> ArrayRef);
    let changes: [Change<'_>; 9] = [
        ("games", "source", &|column| Arc::new(texts(column).into_iter().collect::<LargeStringArray>())),
        ("games", "source", &|column| Arc::new(texts(column).into_iter().collect::<StringViewArray>())),
        ("games", "source", &|column| {
            let texts = texts(column);
            Arc::new(texts.iter().map(Option::as_deref).collect::<DictionaryArray<Int32Type>>())
        }),
        ("games", "source", &|column| {
            let texts = texts(column);
            Arc::new(texts.iter().map(|text| text.as_ref().map(String::as_bytes)).collect::<BinaryArray>())
        }),
        ("games", "game", &|column| Arc::new(numbers(column).unary::<_, Int32Type>(|number| number as i32))),
        ("games", "game", &|column| Arc::new(numbers(column).unary::<_, UInt64Type>(|number| number as u64))),
        ("games", "game", &|column| {
            Arc::new(
                numbers(column).iter().map(|number| number.map(|number| number.to_string())).collect::<StringArray>(),
            )
        }),
        ("games", "key", &|column| Arc::new(numbers(column).unary::<_, UInt64Type>(|number| number as u64))),
        ("positions", "hash", &|column| Arc::new(numbers(column).unary::<_, UInt64Type>(|number| number as u64))),
    ];
    for (at, (table, name, change)) in changes.into_iter().enumerate() {
        let file = format!("{table}.parquet");
        let before = std::fs::read(place.0.join(&file)).expect("a file");
        rewrite(&place, &file, |found, column| if found == name { change(column) } else { column.clone() });
        assert_eq!(find(), found, "{at} {name}");
        assert_eq!(cat(), cats, "{at} {name}");
        place.write(&file, &before);
    }
}

/// A type that is not understood, and an empty cell, are errors that name the column.
#[test]
fn columns_that_are_not_understood_are_named() {
    let place = place("positions-types");
    let real: &dyn Fn(&ArrayRef) -> ArrayRef =
        &|column| Arc::new(vec![1.5; column.len()].into_iter().collect::<Float64Array>());
    let words: &dyn Fn(&ArrayRef) -> ArrayRef = &|column| Arc::new(StringArray::from(vec!["one"; column.len()]));
    let gaps: &dyn Fn(&ArrayRef) -> ArrayRef = &|column| match column.as_primitive_opt::<Int64Type>() {
        Some(numbers) => Arc::new(numbers.iter().map(|_| None).collect::<Int64Array>()),
        None => Arc::new(StringArray::new_null(column.len())),
    };
    for (file, names, change) in [
        ("games.parquet", &["source", "game", "key"][..], real),
        ("games.parquet", &["key"], words),
        ("games.parquet", &["source", "game", "key"], gaps),
        ("positions.parquet", &["hash", "key"], real),
        ("positions.parquet", &["hash", "key"], words),
        ("positions.parquet", &["hash", "key"], gaps),
    ] {
        for &name in names {
            let before = std::fs::read(place.0.join(file)).expect("a file");
            rewrite(&place, file, |found, column| if found == name { change(column) } else { column.clone() });
            let out = place.sgfq(&["find", "--position", "cc gg", "--index", "positions.parquet"]);
            let err = text(&out.stderr);
            assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{file} {name} {err}");
            assert!(err.contains(file) && err.contains(&format!("column `{name}`")), "{err}");
            place.write(file, &before);
        }
    }
}

/// A run that ended between the two files, or wrote only one of them, leaves two that do not belong together.
#[test]
fn a_table_of_another_run_is_no_index() {
    let place = place("positions-stale");
    let find = || place.sgfq(&["find", "--position", "cc gg", "--index", "positions.parquet"]);
    let index = |more: &[&str]| {
        let indexed = place.sgfq(&[&["index", "in", "-o", "games.parquet"][..], more].concat());
        assert!(indexed.status.success(), "{}", text(&indexed.stderr));
    };
    let found = find();
    assert!(found.status.success());
    // The same games.
    index(&[]);
    assert_eq!(find(), found);
    place.write("in/other-0.sgf", b"(;SZ[9];B[cc];W[gg])");
    index(&["--update"]);
    let stale = find();
    assert_eq!((stale.status.code(), stale.stdout.len()), (Some(2), 0));
    let expected =
        "games.parquet: expected the table that was written with positions.parquet, found that of another run";
    assert!(text(&stale.stderr).contains(expected), "{}", text(&stale.stderr));
    index(&["--update", "--positions", "positions.parquet"]);
    assert!(find().stdout.len() > found.stdout.len());
}

/// A flipped bit in the rows of a table is an error, never another answer.
#[test]
fn damaged_tables_are_refused() {
    let place = place("positions-damaged");
    let find = || place.sgfq(&["find", "--position", "cc gg", "-f", "csv", "--index", "positions.parquet"]);
    let cat = || place.sgfq(&["get", "source,game", "-f", "csv", "--keys", "games.parquet"]);
    let (found, cats) = (find(), cat());
    assert!(found.status.success() && cats.status.success());
    for name in ["games.parquet", "positions.parquet"] {
        let before = place.read(name);
        // The metadata is at the end, followed by its length.
        let len =
            before[before.len() - 8..].first_chunk().map(|len| u32::from_le_bytes(*len) as usize).expect("a file");
        let rows = before.len() - 8 - len;
        let (mut damaged, mut refused) = (before.clone(), 0);
        for at in (4..rows).step_by(rows / 12) {
            damaged[at] ^= 1 << (at % 8);
            place.write(name, &damaged);
            for (out, expected) in [(find(), &found), (cat(), &cats)] {
                let err = text(&out.stderr);
                let is_refused = out.status.code() == Some(2) && out.stdout.is_empty();
                assert!(out == *expected || is_refused && err.contains("the file is damaged"), "{name} {at} {err}");
                refused += usize::from(is_refused);
            }
            damaged[at] = before[at];
        }
        assert!(refused > 8, "{name} {refused}");
        place.write(name, &before);
    }
}

/// The rows of a table name games of files that may be others by now.
#[test]
fn files_that_changed_since_are_said() {
    let place = place("positions-changed");
    let find = || place.sgfq(&["find", "--position", "cc gg", "--index", "."]);
    let cat = || place.sgfq(&["cat", "--keys", "games.parquet"]);
    let touch = |name: &str| {
        let file = File::options().append(true).open(place.0.join(name)).expect("a file");
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("a time");
    };
    let before = (find(), cat());
    assert!(before.0.stderr.is_empty() && before.1.status.success());
    // The same bytes.
    touch("in/other-0.sgf");
    assert_eq!((find(), cat()), before);
    let game = place.read("in/other-3.sgf");
    place.write("in/other-3.sgf", &[b"(;SZ[9])", &game[..]].concat());
    let expected = "games.parquet: expected files that are as they were when it was written, found in/other-3.sgf; its";
    for out in [find(), cat()] {
        assert!(text(&out.stderr).contains(expected), "{}", text(&out.stderr));
    }
    std::fs::remove_file(place.0.join("in/go.sgf")).expect("a file");
    assert!(text(&find().stderr).contains("found in/go.sgf and 1 more; its"));
    place.write("in/go.sgf", &collection(30));
    let update = ["index", "--update", "in", "-o", "games.parquet", "--positions", "positions.parquet"];
    assert!(place.sgfq(&update).status.success());
    assert!(find().stderr.is_empty());
    // A file that is new has no rows; a file that no reader looks at is none.
    place.write("in/new.sgf", &collection(1));
    place.write("in/notes.txt", b"none");
    let expected = "games.parquet: expected the files that were there when it was written, found in/new.sgf; their games are \
                    not found: run `sgfq index` again\n";
    assert!(text(&find().stderr).contains(expected), "{}", text(&find().stderr));
    assert!(cat().stderr.is_empty());
}

/// No manifest knows the files of a table that another program wrote.
#[test]
fn files_that_are_newer_than_their_keys_are_said() {
    let place = place("positions-newer");
    let cat = |table: &str| place.sgfq(&["cat", "--keys", table]);
    for table in ["keys.csv", "keys.parquet"] {
        assert!(place.sgfq(&["index", "in", "-o", table]).status.success());
    }
    std::fs::remove_file(place.0.join("keys.parquet.manifest")).expect("a file");
    let file = |name: &str| File::options().append(true).open(place.0.join(name)).expect("a file");
    for table in ["keys.csv", "keys.parquet"] {
        assert!(cat(table).status.success() && cat(table).stderr.is_empty());
        let written = file(table).metadata().and_then(|metadata| metadata.modified()).expect("a time");
        file("in/other-1.sgf").set_modified(written + std::time::Duration::from_secs(1)).expect("a time");
        let expected = format!(
            "sgfq: {table}: expected files that did not change after it was written, found in/other-1.sgf; its rows may name \
             other games now\n"
        );
        assert_eq!(text(&cat(table).stderr), expected);
        file("in/other-1.sgf").set_modified(std::time::SystemTime::UNIX_EPOCH).expect("a time");
    }
}
