//! The page of all tables has the contents of their schemas.

use std::fmt::Write as _;

use arrow_schema::{DataType, Field};
use sgfstream_table::arrow::{PositionOptions, Scan, TableKind};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tables.md");

const HEAD: &str = "# The tables

`sgfq index`, Python and Spark return these tables. `key`, a hash of `source!member@offset`, joins all of them except `problems`. A game has another key under another path.

- A missing value is null, and so is a value that does not exist: the winner of a game without a result, the legality of setup, the captures in a game whose board the program does not know. Lists contain no nulls.
- Columns and rows of points count from 0, from the upper left corner.
- `lines` and `positions` encode colors and winners as numbers, for use as arrays:

| column | in `lines` and `positions` | in the other tables |
|---|---|---|
| `color`, `to_play` | 1 for Black, 2 for White; 1 to 4 in games of three or four colors | `B` or `W`; `1` to `4` |
| `winner` | the same for players; 0 for a draw; null if uncertain | `B` or `W`; `1` to `4`; `draw`, `void`, `unknown` |

How a game ended is in `win_by`: `score`, `resign`, `time` or `forfeit`. For example, `winner = 'B' AND win_by = 'resign'` selects the games that Black won by resignation.

A test writes this page: `SGF_RECORD=1 cargo test -p sgfstream-table --test tables page`.
";

#[test]
fn the_page_of_tables_is_what_schemas_say() {
    let mut options = PositionOptions::new(19);
    (options.liberties, options.superko) = (true, true);
    (options.analysis, options.ownership) = (true, true);
    let games = Scan::games("all", None).expect("columns");
    let schema = |kind| Scan::of(kind, None).expect("no condition").schema().clone();
    let tables = [
        (
            "games",
            "a row for each game",
            "`sgfq index -o`, `sgfstream.scan`",
            games.schema().clone(),
        ),
        (
            "moves",
            "a row for each move of a main line, and for each setup value between moves",
            "`sgfq index --moves`, `sgfstream.moves`",
            schema(TableKind::Moves),
        ),
        (
            "comments",
            "a row for each comment or name of a node",
            "`sgfq index --comments`, `sgfstream.comments`",
            schema(TableKind::Comments),
        ),
        (
            "lines",
            "a row for each game, with its main line as numbers",
            "`sgfstream.lines`",
            schema(TableKind::Lines { legality: false }),
        ),
        (
            "positions",
            "a row for each position before a move, on boards of one size",
            "`sgfstream.positions`",
            schema(TableKind::Positions(options)),
        ),
        (
            "problems",
            "a row for each file or member that was not read to its end",
            "`sgfstream.problems`",
            Scan::problems().schema().clone(),
        ),
    ];
    let (mut page, mut seen) = (HEAD.to_owned(), Vec::new());
    for (name, about, from, schema) in tables {
        let (same, own): (Vec<_>, Vec<_>) = schema
            .fields()
            .iter()
            .partition(|field| seen.contains(*field));
        seen.extend(schema.fields().iter().cloned());
        write!(page, "\n## `{name}`: {about}\n\nFrom {from}.").expect("memory");
        if !same.is_empty() {
            let names: Vec<_> = same
                .iter()
                .map(|field| format!("`{}`", field.name()))
                .collect();
            write!(page, " As above: {}.", names.join(", ")).expect("memory");
        }
        page += "\n\n| column | type | unit | meaning |\n|---|---|---|---|\n";
        for field in own {
            let (meaning, unit) = meaning_and_unit(&field.metadata()["description"]);
            writeln!(
                page,
                "| `{}` | {} | {unit} | {meaning} |",
                field.name(),
                type_of(field),
            )
            .expect("memory");
        }
    }
    if std::env::var_os("SGF_RECORD").is_some() {
        std::fs::write(PAGE, &page).expect("a page");
    }
    let known = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert_eq!(
        known, page,
        "docs/tables.md is out of date; record it with SGF_RECORD=1"
    );
}

/// Returns the type in words.
fn type_of(field: &Field) -> String {
    match field.data_type() {
        DataType::Utf8 => "text".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        DataType::Date32 => "date".to_owned(),
        DataType::List(item) => format!("list of {}", type_of(item)),
        DataType::FixedSizeList(item, _) => format!("fixed-length list of {}", type_of(item)),
        other => format!("{other}").to_lowercase(),
    }
}

/// Returns the meaning and the unit of a description, which may end in `(type)` or `(type, unit)`.
fn meaning_and_unit(description: &str) -> (&str, &str) {
    let types = ["text", "int", "float", "date", "bool"];
    let Some((meaning, end)) = description
        .strip_suffix(')')
        .and_then(|description| description.rsplit_once(" ("))
    else {
        return (description, "");
    };
    let (kind, unit) = end.split_once(", ").unwrap_or((end, ""));
    if types.contains(&kind) {
        (meaning, unit)
    } else {
        (description, "")
    }
}
