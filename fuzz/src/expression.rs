//! Any text as an expression: the parser refuses it with a short message that shows the place, or
//! any game can be tested.

use sgfstream::SliceReader;
use sgfstream_table::filter::{Filter, FilterError, Selection};
use sgfstream_table::row::{ColumnSet, RowReader};

use super::{Choice, Property};

/// Games that the expressions test.
const GAMES: &[u8] =
    b"(;FF[4]GM[1]SZ[9]PB[Ada]PW[Ben]RE[B+1.5]DT[1990-12-24,25]KM[6.5]HA[2]AB[aa][bb];W[cc]C[a ko];B[dd])\
    (;GM[11]PB[];B[c1];W[swap-pieces])(;KM[x]DT[?]RE[\xff];W[tt](;B[zz])(;N[b]))(;(";

/// Maximum length of a text. Other tests measure long and simple expressions.
const LONGEST: usize = 2048;

/// Maximum length of a regular expression.
const LONGEST_REGEX: usize = 128;

/// Maximum characters of a message: a line of two windows of sixty characters, and the expected
/// token.
const MESSAGE: usize = 800;

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "expression",
    ways: 32,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    let is_filter = choice.below(2) == 0;
    let kind = choice.below(8);
    // Compiling a pattern takes longer than everything else, so patterns have limits of their own.
    let is_first = choice.below(2) == 0;
    let most = if kind == 3 { LONGEST_REGEX } else { LONGEST };
    let text = String::from_utf8_lossy(&data[..data.len().min(most)]);
    let quoted = || text.replace('\'', "''");
    // The text alone, or as a text inside of an expression.
    let expression = match kind {
        0 => text.to_string(),
        1 => format!("pb = '{}' AND moves > 1", quoted()),
        2 if is_first => format!("pb LIKE '{}'", quoted()),
        2 => format!("moves > 9 OR any('C') ILIKE '{}'", quoted()),
        3 if is_first => format!("pw ~ '{}'", quoted()),
        3 => format!("moves > 9 OR any('N') !~* '{}'", quoted()),
        4 => format!("has('{0}') OR prop('{0}') IS NULL", quoted()),
        5 => format!("position('{0}') OR opening('{0}')", quoted()),
        6 => format!("CAST('{0}' AS FLOAT) > 1 OR date_min < '{0}'", quoted()),
        _ => format!("{text} AS \"{}\"", text.replace('"', "\"\"")),
    };
    let result = if is_filter {
        Filter::parse(&expression).map(|filter| chosen(&filter))
    } else {
        Selection::parse(&expression, None).map(|selection| selected(&selection))
    };
    result.unwrap_or_else(|err| shown(&err, &expression));
}

/// Checks that the error is short, and that its carets are below the line of the text.
fn shown(err: &FilterError, text: &str) {
    let shown = err.to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        !err.message().is_empty() && shown.chars().count() <= MESSAGE,
        "{shown}"
    );
    let Some(column) = err.column() else { return };
    assert!(
        (1..=text.chars().count() + 1).contains(&column),
        "column {column} of `{text}`"
    );
    let [.., line, carets] = &lines[..] else {
        panic!("expected a line and its carets, found `{shown}`")
    };
    assert!(
        carets.trim_start().bytes().all(|byte| byte == b'^') && carets.contains('^'),
        "{shown}"
    );
    assert!(
        carets.chars().count() <= line.chars().count() + 1,
        "{shown}"
    );
    assert!(
        !shown.contains(|char: char| char.is_control() && char != '\n'),
        "{}",
        shown.escape_debug()
    );
}

fn chosen(filter: &Filter) {
    let mut filled = filter.row(ColumnSet::default());
    let mut rows = RowReader::new(SliceReader::new(GAMES), &mut filled);
    while rows.next_root().expect("memory can be read") {
        let first = rows.decide(filter).expect("memory can be read");
        assert_eq!(
            rows.decide(filter).expect("memory can be read"),
            first,
            "{filter:?}"
        );
    }
}

fn selected(selection: &Selection) {
    let mut filled = selection.row();
    let mut rows = RowReader::new(SliceReader::new(GAMES), &mut filled);
    while rows.next_row().expect("memory can be read").is_some() {
        for column in selection.columns() {
            assert!(!column.name.is_empty() && !column.description().is_empty());
            _ = column.cell(rows.filled(), |cell| cell.to_string());
        }
    }
}
