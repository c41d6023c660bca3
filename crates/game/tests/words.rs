//! Tests of the tables in `docs/spec/words.md`: each row must be read as it states.

use std::fs;

use sgfstream_game::{Game, property::Definition};

use crate::common;

/// Returns the cells of each row that has `cells` of them.
fn rows(page: &str, cells: usize) -> Vec<Vec<&str>> {
    let rows = page
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let rows = rows.map(|row| {
        row.split(" | ")
            .map(|cell| cell.trim_matches('`'))
            .collect::<Vec<_>>()
    });
    rows.filter(|row| row.len() == cells && row[0].len() == 2)
        .collect()
}

#[test]
fn words_are_read_as_their_table_says() {
    let page = fs::read_to_string(common::root().join("docs/spec/words.md")).expect("a page");
    let read = |ident: &str, text: &str| {
        let definition = Definition::rows(ident.as_bytes())
            .first()
            .expect("in the table of properties");
        let reading = definition
            .read(Game::Go, text.as_bytes())
            .expect("a typed value");
        reading.sure().map(|read| read.value.to_string())
    };
    let known = rows(&page, 4);
    assert!(known.len() > 40, "{}", known.len());
    for row in known {
        assert_eq!(read(row[0], row[1]).as_deref(), Some(row[2]), "{row:?}");
    }
    let unknown = rows(&page, 3);
    assert!(unknown.len() > 3, "{}", unknown.len());
    for row in unknown {
        // A result without a margin is readable, because the winner is clear.
        let found = read(row[0], row[1]).filter(|found| row[0] != "RE" || found.len() > 2);
        assert_eq!(found, None, "{row:?}");
    }
}
