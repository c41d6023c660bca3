//! One test for each numbered line of the checklist from the five seed documents, named after the
//! line: `p_26_…` is line P-26. `lines.tsv` lists for each line what the test asserts and where the
//! code is. A test here compares that table with the names of the tests.

mod gorilla;
mod hex;
mod octi;
mod pentobi_2017;
mod pentobi_board;
mod pentobi_reader;
mod table;

use sgfstream::record::GameReader;
use sgfstream::{Event, Framing, Layout, Property, SliceReader, Writer, encode_property};
use sgfstream_game::value::{BoardSize, ListKind};
use sgfstream_game::{
    BoardCell, Dialect, Facts, Game, GameBoard, Move, Side,
    board::{BoardEffect, Effects, Fault, Violation},
    dialect::{Program, Variant},
    property::ParsedValue,
};

/// Returns the properties of `raw`, in their order.
fn properties(raw: &[u8]) -> Vec<Property<'_>> {
    let property = |event| {
        if let Event::Property(property) = event {
            Some(property)
        } else {
            None
        }
    };
    SliceReader::new(raw)
        .events()
        .flatten()
        .filter_map(property)
        .collect()
}

/// Returns identifiers and values of `raw` as text: `AB[aa][bb]` is `("AB", ["aa", "bb"])`.
fn listed(raw: &str) -> Vec<(String, Vec<String>)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    properties(raw.as_bytes())
        .iter()
        .map(|property| {
            let values = property
                .values()
                .map(|value| text(value.as_bytes()))
                .collect();
            (text(&property.ident().canonical()), values)
        })
        .collect()
}

/// Returns whether `raw` reads without problems.
fn is_clean(raw: &[u8]) -> bool {
    !SliceReader::new(raw)
        .events()
        .flatten()
        .any(|event| matches!(event, Event::Problem(_)))
}

/// Returns the writer's output for `raw`, in its canonical layout.
fn written(raw: &[u8]) -> String {
    let mut writer = Writer::with_layout(Vec::new(), Layout::Canonical);
    for event in SliceReader::new(raw).events().flatten() {
        writer.event(&event).expect("a vector takes everything");
    }
    String::from_utf8(writer.finish().expect("a vector takes everything"))
        .expect("the input was UTF-8")
}

/// Returns a dialect without `SZ`.
fn dialect(game: Game) -> Dialect {
    Dialect::new(game, None)
}

fn pentobi(variant: Variant) -> Dialect {
    dialect(Game::Pentobi(variant))
}

/// Returns a value if it has its dialect's own spelling.
fn as_spelled<T>(read: Result<ParsedValue<T>, Fault>) -> Option<T> {
    read.ok()
        .filter(|read| read.unusual.is_none())
        .map(|read| read.value)
}

/// Returns the canonical spelling of a move; `None` if `raw` is not in the dialect's own spelling.
fn canonical(dialect: &Dialect, raw: &str) -> Option<String> {
    as_spelled(dialect.read_move(raw.as_bytes())).map(|mv| dialect.show_move(&mv).to_string())
}

/// Returns column and row of a point, from 0 at the top left.
fn point(dialect: &Dialect, raw: &str) -> Option<(u16, u16)> {
    as_spelled(dialect.read_point(raw.as_bytes())).map(|field| (field.column, field.row))
}

fn field(dialect: &Dialect, raw: &str) -> BoardCell {
    dialect.parse_point(raw.as_bytes()).expect(raw)
}

/// Replays a record by its own properties; panics if anything is unreadable.
fn replay(raw: &str) -> (GameBoard, Vec<Result<Effects, Violation>>) {
    let (game, program) = detect(raw.as_bytes());
    let size = properties(raw.as_bytes())
        .iter()
        .find(|property| property.ident().is(b"SZ"))
        .and_then(|property| BoardSize::parse(property.first().as_bytes()).ok());
    let mut position =
        GameBoard::new(&Dialect::of_program(game, size, program)).expect("a game with a board");
    let mut results = Vec::new();
    for property in properties(raw.as_bytes()) {
        match position.apply(&property) {
            BoardEffect::Played(_, result) => {
                results.push(result.map_err(|illegal| illegal.reason))
            }
            BoardEffect::SetUp(Err(illegal)) => results.push(Err(illegal.reason)),
            BoardEffect::Misread(fault) => panic!("{raw}: {fault}"),
            _ => {}
        }
    }
    (position, results)
}

/// Returns the owner of the stone on the point that `raw` names.
fn stone(position: &GameBoard, raw: &str) -> Option<Side> {
    position.stone(field(position.dialect(), raw))
}

/// Returns the game and the program of the first record.
fn detect(raw: &[u8]) -> (Game, Program) {
    let mut games = GameReader::new(SliceReader::new(raw));
    let game = games
        .next_game()
        .expect("memory")
        .expect("a game")
        .expect("a short game");
    let facts = Facts::of(game, 0);
    (facts.game, facts.program)
}

fn game_of(raw: &str) -> Game {
    detect(raw.as_bytes()).0
}

/// Returns the cells of a piece, as written.
fn piece_points(dialect: &Dialect, raw: &str) -> Vec<String> {
    let Ok(Move::Piece(piece)) = dialect.parse_move(raw.as_bytes()) else {
        return Vec::new();
    };
    piece
        .fields()
        .iter()
        .map(|&field| dialect.show_point(field).to_string())
        .collect()
}
