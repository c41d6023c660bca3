//! Every value type on any bytes. The lenient parser accepts each value of the
//! strict parser without a change, and a printed value parses as the same value.
//! Points, moves and stones of every game, and a board that plays all of them.
use std::fmt::{Debug, Display};

use sgfstream::{Framing, RawValue, escape_text};
use sgfstream_game::value::{
    BoardSize, Color, Dates, Double, Figure, GameResult, Komi, LenientValue, NoValue, Number,
    OvertimeSystem, PointEntry, Rank, Real, Time, ValueError,
};
use sgfstream_game::{
    Dialect, Game, GameBoard, Move, Side,
    dialect::{Program, Stone, Variant},
};

use super::{Choice, Property};

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "values",
    ways: 4,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    match choice.below(4) {
        0 => numbers(data),
        1 => facts(data),
        2 => texts_and_points(data),
        _ => dialects(data, choice),
    }
}

fn numbers(raw: &[u8]) {
    law(raw, NoValue::parse, NoValue::parse_lenient);
    law(raw, Number::parse, Number::parse_lenient);
    law(raw, Real::parse, Real::parse_lenient);
    law(raw, Double::parse, Double::parse_lenient);
    law(raw, Color::parse, Color::parse_lenient);
    // The spelling decides the scale: `375` means 7.5, and a komi of 375 prints as `375`, too.
    let _ = Komi::parse_lenient(raw).map(|read| read.value.to_string());
    law(raw, Time::parse, Time::parse_lenient);
    let _ = Rank::parse(raw);
}

fn facts(raw: &[u8]) {
    law(raw, Dates::parse, Dates::parse_lenient);
    law(raw, GameResult::parse, GameResult::parse_lenient);
    law(raw, Figure::parse, Figure::parse_lenient);
    law(raw, BoardSize::parse, BoardSize::parse_lenient);
    let _ = GameResult::parse_backgammon(raw).map(|result| result.to_string());
    let _ = BoardSize::parse_letters(raw);
    let _ = OvertimeSystem::parse(&String::from_utf8_lossy(raw));
}

fn texts_and_points(raw: &[u8]) {
    // The raw form of a text parses as the text.
    let text = RawValue::new(raw, Framing::Value).text();
    let written = escape_text(&text);
    assert_eq!(
        RawValue::new(written.as_bytes(), Framing::Value).text(),
        text
    );

    law(raw, PointEntry::parse, PointEntry::parse_lenient);
}

fn law<T: Debug + Display + PartialEq>(
    raw: &[u8],
    strict: impl Fn(&[u8]) -> Result<T, ValueError>,
    lenient: impl Fn(&[u8]) -> Result<LenientValue<T>, ValueError>,
) {
    let loose = lenient(raw);
    if let Ok(value) = strict(raw) {
        let loose = loose.as_ref().expect("the strict reading takes it");
        assert_eq!(
            (&loose.value, loose.repair),
            (&value, None),
            "{}",
            raw.escape_ascii()
        );
        let shown = value.to_string();
        assert_eq!(
            strict(shown.as_bytes()),
            Ok(value),
            "{} shown as {shown}",
            raw.escape_ascii()
        );
    }
    if let Ok(LenientValue { value, .. }) = loose {
        let shown = value.to_string();
        let again =
            lenient(shown.as_bytes()).unwrap_or_else(|err| panic!("{}: {err}", raw.escape_ascii()));
        assert_eq!(again.value.to_string(), shown, "{}", raw.escape_ascii());
    }
}

fn dialects(raw: &[u8], mut choice: Choice) {
    let pentobi = Variant::ALL.iter().copied().map(Game::Pentobi);
    let games: Vec<Game> = Game::NUMBERED
        .iter()
        .copied()
        .chain(pentobi)
        .chain([Game::Other])
        .collect();
    let game = choice.one_of(&games);
    let program = choice.one_of(&[
        Program::Standard,
        Program::Gorilla,
        Program::LittleGolem,
        Program::HexGui,
    ]);
    let size = choice.one_of(&[
        None,
        Some(BoardSize::square(5)),
        Some(BoardSize::new(30, 7)),
    ]);
    let dialect = Dialect::of_program(game, size, program);
    let mut position = GameBoard::new(&dialect).ok();
    for (index, value) in raw.split(|&byte| byte == b' ').enumerate() {
        let side = Side::ALL[index % 4];
        if let Ok(field) = dialect.parse_point(value) {
            let shown = dialect.show_point(field).to_string();
            assert_eq!(
                dialect.parse_point(shown.as_bytes()),
                Ok(field),
                "{game:?} {program:?} {shown}"
            );
        }
        if let Ok(stone) = dialect.parse_stone(value) {
            let shown = dialect.show_stone(&stone).to_string();
            if !matches!(stone, Stone::Raw(_)) || value.is_ascii() {
                let again = dialect.parse_stone(shown.as_bytes());
                assert_eq!(again.as_ref(), Ok(&stone), "{game:?} {program:?} {shown}");
            }
            if let (Some(position), 0) = (&mut position, index % 3) {
                let _ = position.set_up((index % 2 == 0).then_some(side), &stone);
            }
        }
        if let Ok(mv) = dialect.parse_move(value) {
            let shown = dialect.show_move(&mv).to_string();
            // A move that no page defines prints as text, which need not parse.
            if !matches!(mv, Move::Raw(_)) || value.is_ascii() {
                assert_eq!(
                    dialect.parse_move(shown.as_bytes()).as_ref(),
                    Ok(&mv),
                    "{game:?} {program:?} {shown}"
                );
            }
            if let Some(position) = &mut position {
                let _ = position.play(side, &mv);
                let _ = position.winner();
            }
        }
        let _ = dialect.parse_territory(value);
    }
}
