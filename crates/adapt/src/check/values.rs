//! Checks one value against its type in the table of properties, in the syntax of the game. A fault
//! becomes a [`Defect`]; points go on to [`points`](super::points).

use sgfstream::{Code, RawValue};
use sgfstream_game::octi::Arrow;
use sgfstream_game::value::{LenientValue, PointEntry, Reading, Repair, ValueError};
use sgfstream_game::{
    BoardCell, Dialect, Game, Move, Side,
    board::Fault,
    property::{Definition, Misspelling, ParsedValue, TypedValue, ValueType},
};

use super::Remedy;
use super::finding::found;

/// Code, message and remedy of a faulty value, without its place.
#[derive(Clone, Debug)]
pub(super) struct Defect {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) remedy: Option<Remedy>,
}

impl Defect {
    #[cold]
    pub(super) fn new(
        code: Code,
        message: impl Into<String>,
        remedy: impl Into<Option<Remedy>>,
    ) -> Self {
        Self {
            code,
            message: message.into(),
            remedy: remedy.into(),
        }
    }

    /// Returns a fault of a value that is not as expected. An empty value has a code of its own.
    #[cold]
    pub(super) fn unexpected(
        code: Code,
        expected: &str,
        raw: &[u8],
        remedy: impl Into<Option<Remedy>>,
    ) -> Self {
        let code = if raw.is_empty() {
            Code::EmptyValue
        } else {
            code
        };
        let message = format!("expected {expected}, found {}", found(raw));
        Self::new(code, message, remedy)
    }

    /// Replaces the code, for properties whose faulty values have a code of their own.
    pub(super) fn of(mut self, code: Code) -> Self {
        self.code = code;
        self
    }
}

/// Points of a value that must be remembered to find repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Read {
    Nothing,
    Field(BoardCell),
    Rectangle(PointEntry),
    Pair(BoardCell, BoardCell),
    /// From a stone of Octi to a point.
    Arrow(Arrow),
}

/// The points of a value, and its fault. A repaired value has both.
pub(super) type ValueRules = (Read, Option<Defect>);

/// Returns whether a value has the form that its property requires, or another one with the same
/// meaning.
pub(crate) fn reads_as(dialect: &Dialect, definition: &Definition, raw: &[u8]) -> bool {
    let defect = judge(
        dialect,
        definition.value_type,
        definition.is_compressible(dialect.game()),
        raw,
    )
    .1;
    defect.is_none_or(|defect| {
        matches!(
            defect.remedy,
            Some(Remedy::Rewrite {
                is_guess: false,
                ..
            })
        )
    })
}

/// Reads and checks a value of this type.
pub(super) fn judge(
    dialect: &Dialect,
    value_type: ValueType,
    compressible: bool,
    raw: &[u8],
) -> ValueRules {
    match value_type {
        ValueType::SimpleText | ValueType::Text | ValueType::Unknown | ValueType::Action => {
            (Read::Nothing, None)
        }
        ValueType::Point | ValueType::Stone if compressible => judge_entry(dialect, raw),
        ValueType::Point | ValueType::Stone
            if dialect
                .parse_rectangle(value_type == ValueType::Stone, raw)
                .is_some() =>
        {
            (Read::Nothing, None)
        }
        ValueType::Point => judge_parsed(dialect, raw, dialect.read_point(raw), Read::Field),
        ValueType::Stone => {
            judge_parsed(dialect, raw, dialect.read_stone(raw), |stone| match stone {
                sgfstream_game::dialect::Stone::Point(field) => Read::Field(field),
                _ => Read::Nothing,
            })
        }
        ValueType::Move => {
            let read = dialect.read_move(raw);
            if dialect.game() == Game::Hex && read.as_ref().is_ok_and(|read| read.value.is_pass()) {
                let message = "Hex had no `pass` before the revision of 2021";
                return (
                    Read::Nothing,
                    Some(Defect::new(Code::NewerRevision, message, None)),
                );
            }
            judge_parsed(dialect, raw, read, |mv| match mv {
                Move::Place(field) => Read::Field(field),
                _ => Read::Nothing,
            })
        }
        ValueType::Compose(first, second) => judge_compose(dialect, *first, *second, raw),
        ValueType::FIGURE => (
            Read::Nothing,
            judge_typed(value_type, raw, Code::MalformedCompose),
        ),
        ValueType::TERRITORY | ValueType::StopSequence => {
            if compressible && raw.len() <= 5 && !raw.contains(&b'.') {
                return judge_entry(dialect, raw);
            }
            judge_parsed(dialect, raw, dialect.read_territory(raw), |_| Read::Nothing)
        }
        ValueType::Either(one, other) => match judge(dialect, *one, compressible, raw) {
            (read, None) => (read, None),
            _ => judge(dialect, *other, compressible, raw),
        },
        ValueType::AnyColor => {
            let game = dialect.game();
            let is_color = Side::parse(raw).is_ok() && Side::named_in(game, raw).is_some();
            (
                Read::Nothing,
                (!is_color).then(|| unreadable(&colors_of(game), raw)),
            )
        }
        ValueType::Piece => judge_parsed(dialect, raw, dialect.read_move(raw), |_| Read::Nothing),
        // SZ checks its letters itself.
        _ => (
            Read::Nothing,
            judge_typed(value_type, raw, Code::MalformedValue),
        ),
    }
}

fn judge_typed(value_type: ValueType, raw: &[u8], repaired: Code) -> Option<Defect> {
    typed(
        raw,
        value_type.parse(raw)?,
        || value_type.read(raw),
        repaired,
    )
}

/// Returns the fault of a value that the strict reading rejects, with the lenient reading as its
/// remedy.
pub(super) fn typed(
    raw: &[u8],
    strict: Result<TypedValue, ValueError>,
    lenient: impl FnOnce() -> Option<Reading<TypedValue>>,
    repaired: Code,
) -> Option<Defect> {
    let err = strict.err()?;
    if raw.is_empty() {
        return Some(empty(err.to_string()));
    }
    Some(match lenient() {
        Some(Reading::Sure(LenientValue {
            value,
            repair: Some(repair),
        })) => {
            let value = value.to_string();
            // Text with a number that the lenient reading drops may be the margin of a result, as
            // in `5` or `⅓`, so the repair is a guess.
            let has_number = |text: &str| text.contains(char::is_numeric);
            let loses_number = repair.loses_text()
                && has_number(&String::from_utf8_lossy(raw))
                && !has_number(&value);
            // Some values have a meaning but no valid spelling, as the result `B+1R`.
            let is_changed = value.as_bytes() != raw;
            let remedy = Remedy::Rewrite {
                repair,
                value: value.into_bytes(),
                is_guess: loses_number || repair.is_guess(),
            };
            Defect::new(repaired, err.to_string(), is_changed.then_some(remedy))
        }
        // A repair does not drop a value that has a likely meaning.
        Some(Reading::Guess(LenientValue {
            value,
            repair: Some(repair),
        })) if repair != Repair::Defaulted => {
            let remedy = Remedy::Rewrite {
                repair,
                value: value.to_string().into_bytes(),
                is_guess: true,
            };
            Defect::new(Code::UnreadableValue, err.to_string(), remedy)
        }
        _ => Defect::new(Code::UnreadableValue, err.to_string(), Remedy::DropValue),
    })
}

/// Returns the names of a game's colors: "`B` or `W`".
#[cold]
fn colors_of(game: Game) -> String {
    let names: Vec<_> = Side::ALL[..game.colors().into()]
        .iter()
        .map(|side| format!("`{}`", side.name_in(game)))
        .collect();
    names.join(" or ")
}

#[cold]
fn empty(message: String) -> Defect {
    Defect::new(Code::EmptyValue, message, Remedy::DropValue)
}

#[cold]
pub(super) fn unreadable(expected: &str, raw: &[u8]) -> Defect {
    Defect::unexpected(Code::UnreadableValue, expected, raw, Remedy::DropValue)
}

/// Checks a point or a rectangle of points, each written as two letters.
#[inline]
fn judge_entry(dialect: &Dialect, raw: &[u8]) -> ValueRules {
    match dialect.read_entry(raw) {
        Ok(read) if !read.value.lower_right().is_on(dialect.size()) => {
            (Read::Nothing, Some(off_board(dialect, raw)))
        }
        read => judge_parsed(dialect, raw, read, |entry| match entry.as_point() {
            Some(point) => Read::Field(point.into()),
            None => Read::Rectangle(entry),
        }),
    }
}

/// Checks a value in the game's own syntax, as the dialect reads it.
#[inline]
fn judge_parsed<T>(
    dialect: &Dialect,
    raw: &[u8],
    read: Result<ParsedValue<T>, Fault>,
    of: impl FnOnce(T) -> Read,
) -> ValueRules {
    match read {
        Ok(ParsedValue {
            value,
            unusual: None,
        }) => (of(value), None),
        Ok(ParsedValue {
            value,
            unusual: Some(unusual),
        }) => (of(value), Some(misspelled(raw, *unusual))),
        Err(Fault::Undefined) => (Read::Nothing, None),
        Err(fault) => (Read::Nothing, Some(unread(dialect, raw, fault))),
    }
}

/// Returns the finding about a value that has a meaning, but not in the spelling of the dialect.
#[cold]
fn misspelled(
    raw: &[u8],
    Misspelling {
        fault,
        repair,
        respelled,
    }: Misspelling,
) -> Defect {
    let remedy = Remedy::Rewrite {
        repair,
        value: respelled,
        is_guess: false,
    };
    Defect::new(
        Code::MalformedValue,
        format!("{fault}, found {}", found(raw)),
        remedy,
    )
}

#[cold]
fn unread(dialect: &Dialect, raw: &[u8], fault: Fault) -> Defect {
    match fault {
        fault if raw.is_empty() => empty(format!("{fault}, found an empty value")),
        Fault::OffBoard => off_board(dialect, raw),
        Fault::NoCell(gap) => {
            let defect = off_board(dialect, raw);
            Defect {
                message: format!("{}, {gap}", defect.message),
                ..defect
            }
        }
        fault => {
            // A rectangle that this reader does not read may have a meaning, so a repair leaves it.
            let is_rectangle = raw.contains(&b':') && !dialect.game().has_two_letter_points();
            let remedy = (!is_rectangle).then_some(Remedy::DropValue);
            Defect::new(
                Code::UnreadableValue,
                format!("{fault}, found {}", found(raw)),
                remedy,
            )
        }
    }
}

#[cold]
fn off_board(dialect: &Dialect, raw: &[u8]) -> Defect {
    let (columns, rows) = (dialect.size().columns(), dialect.size().rows());
    let board = match dialect.game() {
        Game::Havannah => format!("hexagonal board with sides of {columns}"),
        _ => format!("{columns}x{rows} board"),
    };
    let point = format!("a point on a {board}");
    Defect::unexpected(Code::PointOffBoard, &point, raw, Remedy::DropValue)
}

/// Checks two values with `:` between them. The property decides their types; the rules for the `:`
/// are the same for all (spec K-01 to K-04).
fn judge_compose(dialect: &Dialect, first: ValueType, second: ValueType, raw: &[u8]) -> ValueRules {
    let Some((before, after)) = RawValue::new(raw, sgfstream::Framing::Value).compose() else {
        return (Read::Nothing, Some(no_colon(first, second, raw)));
    };
    let (read, defect) = judge(dialect, first, false, before.as_bytes());
    let (read_after, defect_after) = judge(dialect, second, false, after.as_bytes());
    let read = match (read, read_after) {
        (Read::Field(from), Read::Field(to)) => Read::Pair(from, to),
        (read, _) => read,
    };
    let halves = defect
        .map(|defect| in_half(defect, |value| [value, b":", after.as_bytes()].concat()))
        .or_else(|| {
            defect_after
                .map(|defect| in_half(defect, |value| [before.as_bytes(), b":", value].concat()))
        });
    let defect = halves.or_else(|| {
        respelled_compose(first, second, raw).map(|(repair, value)| {
            let message = format!(
                "expected one `:`, found a second one without a backslash in {}",
                found(raw)
            );
            Defect::new(
                Code::MalformedCompose,
                message,
                Remedy::Rewrite {
                    repair,
                    value,
                    is_guess: false,
                },
            )
        })
    });
    if defect.is_none() && first == ValueType::Stone && dialect.game() == Game::Octi {
        return match Arrow::parse(dialect.size(), raw) {
            Ok(arrow) => (Read::Arrow(arrow), None),
            // The arrow ends where it begins (spec O-28).
            Err(_) => {
                let message = format!(
                    "the arrow starts and ends at the same point: {}",
                    found(raw)
                );
                (
                    Read::Nothing,
                    Some(Defect::new(Code::OnePointLine, message, Remedy::DropValue)),
                )
            }
        };
    }
    (read, defect)
}

#[cold]
fn no_colon(first: ValueType, second: ValueType, raw: &[u8]) -> Defect {
    if raw.is_empty() {
        return empty(format!("expected {first}:{second}, found an empty value"));
    }
    let message = format!(
        "expected {first}:{second}, found {} without `:`",
        found(raw)
    );
    match respelled_compose(first, second, raw) {
        Some((repair, value)) => Defect::new(
            Code::MalformedCompose,
            message,
            Remedy::Rewrite {
                repair,
                value,
                is_guess: false,
            },
        ),
        None => Defect::new(Code::MissingColon, message, Remedy::DropValue),
    }
}

/// Repairs a composed value that has too many or no `:`: escapes further colons, and adds a missing
/// one after a text. Returns `None` if the value is correct or has no repair.
pub(crate) fn respelled_compose(
    first: ValueType,
    second: ValueType,
    raw: &[u8],
) -> Option<(Repair, Vec<u8>)> {
    // A cut value may end with a `\`, which escapes nothing.
    let (raw, _) = RawValue::new(raw, sgfstream::Framing::Value).closing();
    let split = |raw| RawValue::new(raw, sgfstream::Framing::Value).compose();
    let Some((before, after)) = split(raw) else {
        let are_texts = first.is_text() && second.is_text();
        return (are_texts && !raw.is_empty()).then(|| (Repair::MissingHalf, [raw, b":"].concat()));
    };
    split(after.as_bytes())?;
    Some((
        Repair::ExtraColon,
        [before.as_bytes(), b":", &escaped_colons(after.as_bytes())].concat(),
    ))
}

/// Extends the finding and remedy of one half to the whole value.
fn in_half(mut defect: Defect, whole: impl FnOnce(&[u8]) -> Vec<u8>) -> Defect {
    if defect.code == Code::MalformedValue {
        defect.code = Code::MalformedCompose;
    }
    if let Some(Remedy::Rewrite { value, .. }) = &mut defect.remedy {
        *value = whole(value);
    }
    defect
}

/// Escapes each `:` that has no backslash before it.
fn escaped_colons(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len() + 4);
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        match byte {
            b'\\' => {
                out.push(byte);
                out.extend(raw.get(at + 1));
                at += 2;
                continue;
            }
            b':' => out.extend(b"\\:"),
            byte => out.push(byte),
        }
        at += 1;
    }
    out
}

/// Returns whether values of this type contain Text or SimpleText.
#[inline]
pub(crate) fn has_text(value_type: ValueType) -> bool {
    match value_type {
        ValueType::SimpleText | ValueType::Text => true,
        ValueType::Compose(_, second) => second.is_text(),
        ValueType::FIGURE | ValueType::NUMBER_OR_NAME => true,
        _ => false,
    }
}
