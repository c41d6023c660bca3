//! Checks properties whose values have formats of their own: the root properties, and the game
//! information of FF\[4\] (spec, GI-01 to GI-04).

use sgfstream::{Code, Framing, RawValue};
use sgfstream_game::hex::fits_revision_of_2001;
use sgfstream_game::pentobi::accepts_charset;
use sgfstream_game::value::{BoardSize, LenientValue, Number, Reading, Repair};
use sgfstream_game::{
    Dialect, Game,
    dialect::Version,
    internal::Key,
    property::{Definition, ValueType},
};

use super::Remedy;
use super::finding::found;
use super::values::{Defect, typed, unreadable};

/// Checks a value by its property. Returns `None` if only the type of the value matters.
pub(super) fn judge(
    definition: &Definition,
    dialect: &Dialect,
    ff: u8,
    in_root: bool,
    key: Key,
    raw: &[u8],
) -> Option<Option<Defect>> {
    Some(match key {
        Key::FF => version(raw),
        Key::GM => game(raw),
        Key::SZ => size(dialect.game(), ff, raw),
        Key::ST => {
            in_range(raw, 0..=3, "a number from 0 to 3").map(|defect| defect.of(Code::BadRootValue))
        }
        // Outside the root, `CA` declares no charset. `RootPropertyElsewhere` reports it there.
        Key::CA => charset(dialect.game(), raw).filter(|_| in_root),
        Key::PM => in_range(raw, 0..=2, "0, 1 or 2"),
        Key::HA if dialect.game() == Game::Go => handicap(raw),
        Key::DT | Key::RE | Key::TM => game_info(definition, dialect.game(), raw),
        Key::KM if dialect.game() == Game::Go => game_info(definition, dialect.game(), raw),
        Key::IS if dialect.game() == Game::Hex => setting(raw),
        Key::RU if dialect.game() == Game::Octi => octi_rules(raw),
        _ => return None,
    })
}

/// Checks game information. Malformed game information is corrected or kept, never dropped (spec
/// E-02).
fn game_info(definition: &Definition, game: Game, raw: &[u8]) -> Option<Defect> {
    let strict = definition.parse(game, raw)?;
    // The strict reading takes any Real. It accepts hundredths of a point, as Fox writes a komi
    // (spec ), and more points than a board has, so the lenient reading decides here.
    if definition.id == "KM" && strict.is_ok() {
        let remedy = match definition.read(game, raw)? {
            Reading::Sure(LenientValue { repair: None, .. }) => return None,
            Reading::Sure(LenientValue {
                value,
                repair: Some(repair),
            }) => Some(Remedy::write(repair, value)),
            _ => None,
        };
        let code = Code::MalformedGameInfo;
        return Some(Defect::unexpected(code, "a komi in points", raw, remedy));
    }
    let mut defect = typed(
        raw,
        strict,
        || definition.read(game, raw),
        Code::MalformedGameInfo,
    )?;
    if !raw.is_empty() {
        defect.code = Code::MalformedGameInfo;
        defect.remedy = defect.remedy.filter(|remedy| *remedy != Remedy::DropValue);
    }
    Some(defect)
}

/// Checks `IS`, a keyword with `on` or `off`, in any case (spec H-01, H-19).
fn setting(raw: &[u8]) -> Option<Defect> {
    let is_setting =
        RawValue::new(raw, Framing::Value)
            .compose()
            .is_some_and(|(keyword, state)| {
                let keyword = keyword.unescaped().to_ascii_lowercase();
                let state = state.unescaped().to_ascii_lowercase();
                HEX_SETTINGS
                    .iter()
                    .any(|known| *keyword == *known.as_bytes())
                    && matches!(&*state, b"on" | b"off")
            });
    if is_setting {
        return None;
    }
    Some(Defect::unexpected(
        Code::UnreadableValue,
        "a keyword (`tried`, `marked`, `lastmove`, `headings`, `lock`), `:`, and `on` or `off`",
        raw,
        raw.is_empty().then_some(Remedy::DropValue),
    ))
}

const HEX_SETTINGS: [&str; 5] = ["tried", "marked", "lastmove", "headings", "lock"];

// RU = [version] [":"] [variation {"," variation}]      a colon is required if both are present
/// Checks `RU` of Octi (spec O-14 to O-16). The page's list of variations is open, so that any may
/// follow a `:`, but for the versions, and the game of four players, which it excludes. Like other
/// game information, the value is kept.
fn octi_rules(raw: &[u8]) -> Option<Defect> {
    let text = String::from_utf8_lossy(raw);
    let is_version = |text: &str| matches!(text.trim(), "full" | "fast" | "kids");
    let is_variation = |name: &str| {
        !is_version(name) && !name.trim().starts_with("4-player") && !name.contains(':')
    };
    let is_known = match text.split_once(':') {
        Some((version, variations)) => {
            (version.trim().is_empty() || is_version(version))
                && variations.split(',').all(is_variation)
        }
        None if text.trim().is_empty() || is_version(&text) => true,
        None => {
            let mut names = text.split(',');
            names.clone().all(is_variation)
                && names.any(|name| matches!(name.trim(), "edgeless" | "superprong"))
        }
    };
    if is_known {
        return None;
    }
    Some(Defect::unexpected(
        Code::MalformedGameInfo,
        "`full`, `fast` or `kids`, then `:` and variations separated by `,`",
        raw,
        None,
    ))
}

// HA number >= 2      (spec GI-03)
fn handicap(raw: &[u8]) -> Option<Defect> {
    match Number::parse(raw) {
        Ok(number) if number.get() >= 2 => None,
        Ok(number) => {
            let message = format!("a handicap is at least 2, found {}", found(raw));
            let remedy = (number.get() == 0).then_some(Remedy::DropProperty);
            Some(Defect::new(Code::HandicapTooSmall, message, remedy))
        }
        Err(_) => {
            let number = ValueType::Number;
            let defect = typed(
                raw,
                number.parse(raw)?,
                || number.read(raw),
                Code::MalformedValue,
            )?;
            let remedy = defect
                .remedy
                .filter(|remedy| raw.is_empty() || *remedy != Remedy::DropValue);
            Some(Defect { remedy, ..defect })
        }
    }
}

fn version(raw: &[u8]) -> Option<Defect> {
    let (value, repair) = match Version::read(raw) {
        Reading::Sure(LenientValue { repair: None, .. }) => return None,
        Reading::Sure(LenientValue {
            value,
            repair: Some(repair),
        }) => (value, repair),
        Reading::Guess(LenientValue { value, .. }) => {
            let message = format!("expected `FF` 1 to 4, found {}; read as FF[4]", found(raw));
            let remedy = Remedy::write(Repair::Clipped, value);
            return Some(Defect::new(Code::UnknownVersion, message, remedy));
        }
        Reading::Unknown => (Version::LATEST, Repair::Defaulted),
    };
    let remedy = Remedy::write(repair, value);
    let code = Code::BadRootValue;
    Some(Defect::unexpected(code, "a version, 1 to 4", raw, remedy))
}

fn game(raw: &[u8]) -> Option<Defect> {
    if Game::parse(raw).is_ok() {
        return None;
    }
    let expected = "a number from the list of games, or the name of a dialect";
    let read = Game::respelled(raw);
    let remedy = read.and_then(|read| Some(Remedy::write(read.repair?, read.value)));
    let code = Code::BadRootValue;
    Some(Defect::unexpected(code, expected, raw, remedy))
}

// SZ number | number ":" number, at least 1x1      (spec R-03)
fn size(game: Game, ff: u8, raw: &[u8]) -> Option<Defect> {
    // Pentobi's boards have fixed sizes (spec P-33).
    if game.variant().is_some() {
        return None;
    }
    let err = match game.parse_size(raw) {
        Ok(size) if ff < 4 && !size.is_square() && raw.contains(&b':') => {
            let message = format!("rectangular boards need FF[4], found {}", found(raw));
            return Some(Defect::new(
                Code::NewerFeature,
                message,
                Remedy::StateVersion,
            ));
        }
        Ok(size) if game == Game::Hex && !fits_revision_of_2001(size) => {
            let message = format!(
                "before the revision of 2021, boards had 3 to 26 rows and columns, found {}",
                found(raw)
            );
            return Some(Defect::new(Code::NewerRevision, message, None));
        }
        Ok(_) => return None,
        Err(err) => err,
    };
    if raw.is_empty() {
        return Some(Defect::new(
            Code::EmptyValue,
            err.to_string(),
            Remedy::DropProperty,
        ));
    }
    let max = game.side_max();
    // The format can name the points of such a board, but the game's document excludes its size
    // (spec G-17).
    if BoardSize::parse_up_to(raw, max).is_ok() {
        return Some(Defect::new(
            Code::BoardSizeNotAllowed,
            err.to_string(),
            None,
        ));
    }
    let Some(LenientValue {
        value,
        repair: Some(repair),
    }) = game.read_size(raw).likely()
    else {
        return Some(Defect::new(
            Code::BadRootValue,
            err.to_string(),
            Remedy::DropProperty,
        ));
    };
    let remedy = Remedy::write(repair, value);
    Some(match repair {
        Repair::SquarePair => {
            let expected = "one number for a square board";
            Defect::unexpected(Code::SquareSizePair, expected, raw, remedy)
        }
        Repair::Clipped => {
            let expected = format!("a board size of at most {max}");
            Defect::unexpected(Code::BoardTooLarge, &expected, raw, remedy)
        }
        _ => Defect::new(Code::MalformedValue, err.to_string(), remedy),
    })
}

fn charset(game: Game, raw: &[u8]) -> Option<Defect> {
    let is_pentobi = matches!(game, Game::Pentobi(_));
    (is_pentobi && !accepts_charset(raw.trim_ascii())).then(|| {
        let message = format!("expected `UTF-8` in a Pentobi game, found {}", found(raw));
        Defect::new(Code::CharsetNotAllowed, message, Remedy::StateCharset)
    })
}

fn in_range(raw: &[u8], range: std::ops::RangeInclusive<i64>, expected: &str) -> Option<Defect> {
    match Number::parse(raw) {
        Ok(number) if range.contains(&number.get()) => None,
        _ => Some(unreadable(expected, raw)),
    }
}
