//! Tests of the data file of points, moves and stones, and of the table in `lines.tsv` against the
//! names of the tests.

use super::*;
use sgfstream_game::dialect::Program;

/// Cells: game, program, size, kind, raw, canonical (`!` for invalid).
#[test]
fn every_row_of_the_data_file() {
    let rows = include_str!("../dialects.tsv")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut count = 0;
    for line in rows {
        let cells: Vec<_> = line.split('\t').collect();
        let &[game, size, kind, raw, expected] = &cells[..] else {
            panic!("five cells: {line}")
        };
        let (game, program) = game.split_once('/').unwrap_or((game, ""));
        let program = match program {
            "" => Program::Standard,
            "gorilla" => Program::Gorilla,
            "littlegolem" => Program::LittleGolem,
            other => panic!("{other}"),
        };
        let game = Game::parse(game.as_bytes()).expect(line);
        let size = if size == "-" {
            None
        } else {
            Some(BoardSize::parse(size.as_bytes()).expect(line))
        };
        let dialect = Dialect::of_program(game, size, program);
        let raw = if raw == "-" { "" } else { raw };
        let bytes = raw.as_bytes();
        let found = match kind {
            "point" => as_spelled(dialect.read_point(bytes))
                .map(|field| dialect.show_point(field).to_string()),
            "move" => {
                as_spelled(dialect.read_move(bytes)).map(|mv| dialect.show_move(&mv).to_string())
            }
            "pass" => as_spelled(dialect.read_move(bytes)).map(|mv| mv.is_pass().to_string()),
            "stone" => as_spelled(dialect.read_stone(bytes))
                .map(|stone| dialect.show_stone(&stone).to_string()),
            "territory" => {
                as_spelled(dialect.read_territory(bytes)).map(|territory| territory.to_string())
            }
            "at" => as_spelled(dialect.read_point(bytes))
                .map(|field| format!("{},{}", field.column, field.row)),
            other => panic!("{other}"),
        };
        let found = found.unwrap_or_else(|| "!".to_owned());
        let expected = if expected == "-" { "" } else { expected };
        assert_eq!(found, expected, "{line}");
        count += 1;
    }
    assert!(count > 150, "{count}");
}

/// Lines of the checklist: the number in each document, and the numbers that it skips, or that say
/// nothing about the bytes of a game: the name and media type of a file, the document's author.
const LINES: [(&str, u32, &[u32]); 5] = [
    ("P", 55, &[4, 5, 49]),
    ("PO", 10, &[1]),
    ("G", 30, &[]),
    ("H", 25, &[]),
    ("O", 32, &[]),
];

const SOURCES: [&str; 6] = [
    include_str!("gorilla.rs"),
    include_str!("hex.rs"),
    include_str!("octi.rs"),
    include_str!("pentobi_2017.rs"),
    include_str!("pentobi_board.rs"),
    include_str!("pentobi_reader.rs"),
];

/// Returns the names of the tests in the sources.
fn tests() -> Vec<&'static str> {
    let lines = SOURCES.iter().flat_map(|source| source.lines());
    let name = |line: &'static str| line.strip_prefix("fn ")?.split('(').next();
    lines
        .filter_map(name)
        .filter(|name| {
            name.split('_')
                .nth(1)
                .is_some_and(|part| part.parse::<u32>().is_ok())
        })
        .collect()
}

#[test]
fn every_line_has_its_test_and_its_row() {
    let cells = |line: &'static str| {
        let mut cells = line.split('\t');
        Some((cells.next()?, cells.next()?, cells.next()?))
    };
    let rows: Vec<(&str, &str, &str)> = include_str!("lines.tsv")
        .lines()
        .filter_map(cells)
        .collect();
    let tests = tests();
    let mut expected = Vec::new();
    for (document, count, missing) in LINES {
        for number in (1..=count).filter(|number| !missing.contains(number)) {
            expected.push(format!("{document}-{number:02}"));
        }
    }
    assert_eq!(rows.iter().map(|row| row.0).collect::<Vec<_>>(), expected);
    assert_eq!(tests.len(), expected.len());
    for (line, place, name) in rows {
        let prefix = format!("{}_", line.to_lowercase().replace('-', "_"));
        assert!(name.starts_with(&prefix), "{line}: {name}");
        assert!(tests.contains(&name), "{line}: no test `{name}`");
        for file in place.split(", ") {
            let path = format!("{}/../../{}", env!("CARGO_MANIFEST_DIR"), file);
            assert!(std::path::Path::new(&path).exists(), "{line}: {path}");
        }
    }
}
