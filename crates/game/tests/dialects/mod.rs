//! Every numbered line of the five seed documents' checklist, as a test named
//! after it: `p_26_…` is line P-26. `lines.tsv` says for each line
//! what the test asserts and where the code is; a test here holds that table
//! against the names of the tests.

mod gorilla;
mod hex;
mod octi;
mod pentobi_2017;
mod pentobi_board;
mod pentobi_reader;
mod table;

use sgfstream::{Event, Layout, Property, SliceReader, Writer};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{
    Applied, Detector, Dialect, Fault, Field, Game, GameBoard, Move, Parsed, Played, Reason, Side, Variant, detect,
};

/// The properties of `raw`, in their order.
fn properties(raw: &[u8]) -> Vec<Property<'_>> {
    let property = |event| if let Event::Property(property) = event { Some(property) } else { None };
    SliceReader::new(raw).filter_map(property).collect()
}

/// Identifiers and values of `raw`, as text: `AB[aa][bb]` is `("AB", ["aa", "bb"])`.
fn listed(raw: &str) -> Vec<(String, Vec<String>)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    properties(raw.as_bytes())
        .iter()
        .map(|property| {
            let values = property.values().map(|value| text(value.as_bytes())).collect();
            (text(&property.ident().canonical()), values)
        })
        .collect()
}

/// True if reading `raw` gives no problem.
fn is_clean(raw: &[u8]) -> bool {
    !SliceReader::new(raw).any(|event| matches!(event, Event::Problem(_)))
}

/// Output of the writer for `raw`, in its canonical layout.
fn written(raw: &[u8]) -> String {
    let mut writer = Writer::with_layout(Vec::new(), Layout::Canonical);
    for event in SliceReader::new(raw) {
        writer.event(&event).expect("a vector takes everything");
    }
    String::from_utf8(writer.finish().expect("a vector takes everything")).expect("the input was UTF-8")
}

/// A dialect without `SZ`.
fn dialect(game: Game) -> Dialect {
    Dialect::new(game, None)
}

fn pentobi(variant: Variant) -> Dialect {
    dialect(Game::Pentobi(variant))
}

/// A value that is spelled as its dialect has it.
fn as_spelled<T>(read: Result<Parsed<T>, Fault>) -> Option<T> {
    read.ok().filter(|read| read.unusual.is_none()).map(|read| read.value)
}

/// The canonical spelling of a move, or `None` where the dialect does not spell one so.
fn canonical(dialect: &Dialect, raw: &str) -> Option<String> {
    as_spelled(dialect.read_move(raw.as_bytes())).map(|mv| dialect.show_move(&mv).to_string())
}

/// Column and row of a point, from 0 at the top left.
fn point(dialect: &Dialect, raw: &str) -> Option<(u16, u16)> {
    as_spelled(dialect.read_point(raw.as_bytes())).map(|field| (field.column, field.row))
}

fn field(dialect: &Dialect, raw: &str) -> Field {
    dialect.parse_point(raw.as_bytes()).expect(raw)
}

/// Replays a record by what it says of itself; panics on what cannot be read.
fn replay(raw: &str) -> (GameBoard, Vec<Result<Played, Reason>>) {
    let found = detect(raw.as_bytes());
    let size = properties(raw.as_bytes())
        .iter()
        .find(|property| property.ident().is(b"SZ"))
        .and_then(|property| BoardSize::parse(property.first().as_bytes()).ok());
    let mut position =
        GameBoard::new(&Dialect::of_program(found.game, size, found.program)).expect("a game with a board");
    let mut results = Vec::new();
    for property in properties(raw.as_bytes()) {
        match position.apply(&property) {
            Applied::Played(_, result) => results.push(result.map_err(|illegal| illegal.reason)),
            Applied::SetUp(Err(illegal)) => results.push(Err(illegal.reason)),
            Applied::Misread(fault) => panic!("{raw}: {fault}"),
            _ => {}
        }
    }
    (position, results)
}

/// Whose stone is on the point that `raw` names.
fn stone(position: &GameBoard, raw: &str) -> Option<Side> {
    position.stone(field(position.dialect(), raw))
}

/// Game that the detector finds by properties alone.
fn game_of(raw: &str) -> Game {
    let mut detector = Detector::default();
    for property in properties(raw.as_bytes()) {
        detector.observe(&property);
    }
    detector.finish().game
}

/// The fields of a piece, as they are written.
fn piece_points(dialect: &Dialect, raw: &str) -> Vec<String> {
    let Ok(Move::Piece(piece)) = dialect.parse_move(raw.as_bytes()) else { return Vec::new() };
    piece.fields().iter().map(|&field| dialect.show_point(field).to_string()).collect()
}
