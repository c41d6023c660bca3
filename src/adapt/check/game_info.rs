//! Properties whose value has a format of its own: the root's, and the
//! game-info of FF\[4\] (spec, GI-01 to GI-04).

use crate::base::Code;
use crate::game::pentobi::accepts_charset;
use crate::game::{Dialect, Game, gorilla};
use crate::value::{BoardSize, Dates, GameResult, Komi, Lenient, Number, Repair, Time};

use super::Remedy;
use super::context::side_max;
use super::finding::found;
use super::values::{Verdict, is_out_of_range, typed, unreadable};

/// Judges a value by its property. `None`: nothing but its type counts.
pub(super) fn judge(dialect: &Dialect, ff: u8, id: &[u8], raw: &[u8]) -> Option<Option<Verdict>> {
    Some(match id {
        b"FF" => version(raw),
        b"GM" => game(raw),
        b"SZ" => size(dialect, ff, raw),
        b"ST" => in_range(raw, 0..=3, "a sum of 1 and 2: 0 to 3").map(|verdict| verdict.of(Code::BadRootValue)),
        b"CA" => charset(dialect.game(), raw),
        b"PM" => in_range(raw, 0..=2, "0, 1 or 2"),
        b"HA" if dialect.game() == Game::Go => handicap(raw),
        b"DT" => game_info(raw, typed(raw, Dates::parse(raw), || Dates::read(raw), Code::MalformedGameInfo)),
        b"RE" => game_info(raw, result(dialect.game(), raw)),
        b"TM" => game_info(raw, typed(raw, Time::parse(raw), || Time::read(raw), Code::MalformedGameInfo)),
        b"KM" if dialect.game() == Game::Go => game_info(raw, komi(raw)),
        _ => return None,
    })
}

/// Faulty game-info is corrected or kept, never dropped (spec E-02).
fn game_info(raw: &[u8], verdict: Option<Verdict>) -> Option<Verdict> {
    let mut verdict = verdict?;
    if !raw.is_empty() {
        verdict.code = Code::MalformedGameInfo;
        verdict.remedy = verdict.remedy.filter(|remedy| *remedy != Remedy::DropValue);
    }
    Some(verdict)
}

fn result(game: Game, raw: &[u8]) -> Option<Verdict> {
    let strict = match game {
        Game::Backgammon => GameResult::parse_backgammon(raw),
        _ => GameResult::parse(raw),
    };
    typed(raw, strict, || GameResult::read(raw), Code::MalformedGameInfo)
}

/// A Real, and none of the hundredths that Fox writes (spec ).
fn komi(raw: &[u8]) -> Option<Verdict> {
    let strict = Komi::parse(raw);
    match (&strict, Komi::parse_lenient(raw)) {
        (Ok(_), Ok(Lenient { value, repair: Some(repair) })) => {
            let message = format!("expected a komi in points, found {}", found(raw));
            let remedy = Remedy::Rewrite { repair, value: value.to_string().into_bytes() };
            Some(Verdict::new(Code::MalformedGameInfo, message, Some(remedy)))
        }
        _ => typed(raw, strict, || Komi::read(raw), Code::MalformedGameInfo),
    }
}

// HA number >= 2      (spec GI-03)
fn handicap(raw: &[u8]) -> Option<Verdict> {
    match Number::parse(raw) {
        Ok(number) if number.get() >= 2 => None,
        Ok(_) => {
            let message = format!("expected a handicap of 2 or more, found {}", found(raw));
            Some(Verdict::new(Code::HandicapTooSmall, message, Some(Remedy::DropProperty)))
        }
        strict => typed(raw, strict, || Number::read(raw), Code::MalformedValue),
    }
}

fn version(raw: &[u8]) -> Option<Verdict> {
    match Number::parse(raw) {
        Ok(number) if (1..=4).contains(&number.get()) => None,
        Ok(number) if number.get() > 4 => {
            let message = format!("expected FF 1 to 4, found {}; read as FF[4]", found(raw));
            let remedy = Remedy::Rewrite { repair: Repair::Clipped, value: b"4".to_vec() };
            Some(Verdict::new(Code::UnknownVersion, message, Some(remedy)))
        }
        _ => Some(bad_root("a version, 1 to 4", raw, "4")),
    }
}

fn game(raw: &[u8]) -> Option<Verdict> {
    if Game::parse(raw).is_ok() {
        return None;
    }
    let expected = "a number of the list of games, or a name that a dialect's document has";
    let read = Game::parse_lenient(raw);
    let spelling = match (read.repair, read.value) {
        (None, _) => return Some(unreadable(expected, raw).of(Code::BadRootValue)),
        (_, Game::Pentobi(variant)) => variant.name().to_owned(),
        (_, game) => game.number().map_or_else(|| game.name().to_owned(), |number| number.to_string()),
    };
    Some(bad_root(expected, raw, &spelling))
}

fn bad_root(expected: &str, raw: &[u8], value: &str) -> Verdict {
    let message = format!("expected {expected}, found {}", found(raw));
    let remedy = Remedy::Rewrite { repair: Repair::Defaulted, value: value.as_bytes().to_vec() };
    let code = if raw.is_empty() { Code::EmptyValue } else { Code::BadRootValue };
    Verdict::new(code, message, Some(remedy))
}

// SZ number | number ":" number, at least 1x1      (spec R-03)
fn size(dialect: &Dialect, ff: u8, raw: &[u8]) -> Option<Verdict> {
    let game = dialect.game();
    if matches!(game, Game::Pentobi(_)) || (game == Game::Kropki && gorilla::gorilla_size(raw).is_ok()) {
        return None;
    }
    let max = side_max(game);
    let strict = BoardSize::parse_up_to(raw, max);
    let err = match strict {
        Ok(size) if ff < 4 && !size.is_square() => {
            let message = format!("expected a square board below FF[4], found {}", found(raw));
            return Some(Verdict::new(Code::NewerFeature, message, Some(Remedy::StateVersion)));
        }
        Ok(_) => return None,
        Err(err) => err,
    };
    if raw.is_empty() {
        return Some(Verdict::new(Code::EmptyValue, err.to_string(), Some(Remedy::DropProperty)));
    }
    let Ok(Lenient { value, repair: Some(repair) }) = BoardSize::parse_lenient_up_to(raw, max) else {
        return Some(Verdict::new(Code::BadRootValue, err.to_string(), Some(Remedy::DropProperty)));
    };
    let code = match repair {
        Repair::SquarePair => Code::SquareSizePair,
        Repair::Clipped => Code::BoardTooLarge,
        _ => Code::MalformedValue,
    };
    let message = match code {
        Code::SquareSizePair => format!("expected one number for a square board, found {}", found(raw)),
        Code::BoardTooLarge => format!("expected a board of at most {max} lines a side, found {}", found(raw)),
        _ => err.to_string(),
    };
    debug_assert!(code != Code::BoardTooLarge || is_out_of_range(&err) || raw.len() > 2);
    Some(Verdict::new(code, message, Some(Remedy::Rewrite { repair, value: value.to_string().into_bytes() })))
}

fn charset(game: Game, raw: &[u8]) -> Option<Verdict> {
    let is_pentobi = matches!(game, Game::Pentobi(_));
    (is_pentobi && !accepts_charset(Some(raw.trim_ascii()))).then(|| {
        let message = format!("expected `UTF-8` in a game of Pentobi's, found {}", found(raw));
        Verdict::new(Code::CharsetNotAllowed, message, Some(Remedy::StateCharset))
    })
}

fn in_range(raw: &[u8], range: std::ops::RangeInclusive<i64>, expected: &str) -> Option<Verdict> {
    match Number::parse(raw) {
        Ok(number) if range.contains(&number.get()) => None,
        _ => Some(unreadable(expected, raw)),
    }
}
