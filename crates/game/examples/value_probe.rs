//! Reads values strictly: takes and returns JSON lines.
//!
//! Input line: `{"type":"Point","raw":"pd","game":1,"size":19,"property":"B"}`. `raw` is the value
//! between its brackets, with one character for each byte (U+0000 to U+00FF). For a list it may
//! contain several values, as `aa][bb`, `[aa][bb]`, or a JSON list of strings. `game` is a value of
//! GM (default: 1). `size` is a side, `"columns:rows"`, or a list of both (default: the game's).
//!
//! Output line: `{"ok":true,"value":…}` or `{"ok":false,"error":"…"}`. Points are `[column,row]`
//! from 0, from the top left; a pass is null; lists are lists.
//!
//! ```console
//! $ echo '{"type":"PointList","raw":"aa:ba"}' | cargo run -q -p sgfstream-game --example value_probe
//! {"ok":true,"value":[[0,0],[1,0]]}
//! ```

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};

use serde_json::Value;
use sgfstream::{Framing, Ident, Property, RawValue};
use sgfstream_game::value::{
    BoardSize, Color, Dates, Double, Figure, GameResult, Komi, ListKind, NoValue, Number,
    PointEntry, PointSet, Real, Time, ValueError, ValueErrorKind,
};
use sgfstream_game::{
    BoardCell, Dialect, Game, Move,
    board::Fault,
    dialect::{Stone, Word},
    property::Definition,
};

fn main() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        // Flush each answer before reading the next question, because the caller may wait for it.
        let written = writeln!(output, "{}", answer(&line)).and_then(|()| output.flush());
        match written {
            Err(err) if err.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
    }
}

/// JSON text, or an error message.
type Json = Result<String, String>;

/// Returns the output line for an input line.
fn answer(line: &[u8]) -> String {
    let read = Question::parse(line)
        .and_then(|question| Ok((question.read()?, question.is_out_of_range.get())));
    match read {
        Ok((value, false)) => format!("{{\"ok\":true,\"value\":{value}}}"),
        Ok((value, true)) => {
            format!("{{\"ok\":true,\"value\":{value},\"note\":\"out of the range of 64 bits\"}}")
        }
        Err(err) => format!("{{\"ok\":false,\"error\":{}}}", text(&err)),
    }
}

/// Parsed input line.
struct Question {
    kind: String,
    /// Values of a list, or a single value.
    values: Vec<Vec<u8>>,
    game: Game,
    dialect: Dialect,
    /// Kind of the list, if the value is a list.
    list_kind: ListKind,
    /// Whether the value is an arrow or line, which has two ends (spec A-10).
    is_line: bool,
    /// Set when a number is legal but larger than its type.
    is_out_of_range: Cell<bool>,
}

impl Question {
    fn parse(line: &[u8]) -> Result<Self, String> {
        let line: Value = serde_json::from_slice(line).map_err(|err| err.to_string())?;
        let kind = line["type"]
            .as_str()
            .ok_or("expected a string `type`")?
            .to_owned();
        let game = match &line["game"] {
            Value::Null => Game::Go,
            Value::Number(number) => {
                Game::for_number(number.as_i64().ok_or("expected a whole number `game`")?)
            }
            Value::String(name) => Game::parse_lenient(name.as_bytes()).value,
            _ => return Err("expected a number or string `game`".to_owned()),
        };
        let dialect = Dialect::new(game, size_of(&line["size"])?);
        // Without a property, the list must not be empty.
        let ident = Ident::new(line["property"].as_str().unwrap_or("").as_bytes());
        let list_kind = match Definition::find(game, 4, &ident.canonical()) {
            Some(found) if found.definition.list_kind == ListKind::Elist => ListKind::Elist,
            _ => ListKind::List,
        };
        let values = match &line["raw"] {
            Value::String(raw) => {
                let raw = latin1(raw)?;
                if is_list(&kind) {
                    values_of(&raw)?
                } else {
                    vec![raw]
                }
            }
            Value::Array(values) if is_list(&kind) => {
                let raw = |value: &Value| {
                    latin1(value.as_str().ok_or("expected strings in the list `raw`")?)
                };
                values.iter().map(raw).collect::<Result<_, String>>()?
            }
            _ => return Err("expected a string `raw`".to_owned()),
        };
        let is_line = ident.is(b"AR") || ident.is(b"LN");
        Ok(Self {
            kind,
            values,
            game,
            dialect,
            list_kind,
            is_line,
            is_out_of_range: Cell::new(false),
        })
    }

    fn read(&self) -> Json {
        if matches!(self.kind.as_str(), "PointList" | "StoneList") {
            return self.points();
        }
        let values = || self.values.iter().map(Vec::as_slice);
        for (list_kind, name) in [(ListKind::List, "List("), (ListKind::Elist, "Elist(")] {
            if let Some(kind) = self
                .kind
                .strip_prefix(name)
                .and_then(|rest| rest.strip_suffix(')'))
            {
                let read = values_in(list_kind, values())?
                    .into_iter()
                    .map(|raw| self.value(kind, raw))
                    .collect::<Result<Vec<_>, _>>()?;
                return Ok(list(read));
            }
        }
        self.value(&self.kind, values().next().unwrap_or_default())
    }

    /// Reads one value.
    fn value(&self, kind: &str, raw: &[u8]) -> Json {
        match kind {
            "Label" => self.composed("Point", "SimpleText", raw),
            "Figure" if raw.is_empty() => Ok("null".to_owned()),
            "Figure" => {
                let figure = said(Figure::parse(raw))?;
                Ok(format!(
                    "[{},{}]",
                    figure.flags.unwrap_or(0),
                    text(&figure.name)
                ))
            }
            kind => match kind
                .strip_prefix("Compose(")
                .and_then(|rest| rest.strip_suffix(')'))
            {
                // One level: the format has no composed value in another.
                Some(halves) => match halves.split_once(',') {
                    Some((first, second)) => self.composed(first.trim(), second.trim(), raw),
                    None => Err(format!("expected two types in `{kind}`")),
                },
                None => self.plain(kind, raw),
            },
        }
    }

    /// Reads a value that is neither composed nor a list.
    fn plain(&self, kind: &str, raw: &[u8]) -> Json {
        match kind {
            "None" => said(NoValue::parse(raw)).map(|_| "null".to_owned()),
            "Number" => self.number(Number::parse(raw), raw),
            "Real" => self.number(Real::parse(raw), raw),
            "Komi" => self.number(Komi::parse(raw), raw),
            "Time" => self.number(Time::parse(raw), raw),
            "Double" => said(Double::parse(raw)).map(|double| double.to_string()),
            "Color" => said(Color::parse(raw)).map(|color| text(&color.to_string())),
            "Text" => Ok(text(&value_of(raw).text())),
            "SimpleText" | "Overtime" => Ok(text(&value_of(raw).simple_text())),
            "Point" => point(&self.dialect, raw),
            "Stone" => stone(&self.dialect, raw),
            "Move" => play(&self.dialect, raw),
            "Date" => {
                let dates = said(Dates::parse(raw))?;
                Ok(list(
                    dates.as_slice().iter().map(|date| text(&date.to_string())),
                ))
            }
            "Result" if self.game == Game::Backgammon => {
                said(GameResult::parse_backgammon(raw)).map(|result| text(&result.to_string()))
            }
            "Result" => said(GameResult::parse(raw)).map(|result| text(&result.to_string())),
            "BoardSize" => {
                let size = said(self.game.parse_size(raw))?;
                Ok(format!("[{},{}]", size.columns(), size.rows()))
            }
            "Application" => {
                let halves = halves_of(raw)?;
                Ok(list(halves.map(|half| text(&half.simple_text()))))
            }
            "Game" => said(Game::parse(raw)).map(|game| text(&game.to_string())),
            _ => Err(format!("expected a known type, found `{kind}`")),
        }
    }

    fn composed(&self, first: &str, second: &str, raw: &[u8]) -> Json {
        // Errors of the halves are reported separately.
        let [before, after] = halves_of(raw)?.map(RawValue::as_bytes);
        if self.is_line && before == after {
            return Err("expected two points, found one twice".to_owned());
        }
        Ok(format!(
            "[{},{}]",
            self.plain(first, before)?,
            self.plain(second, after)?
        ))
    }

    /// Returns a number as JSON. A number beyond the range of its type is still legal; its digits
    /// are JSON without the plus and leading zeros.
    fn number<T: std::fmt::Display>(&self, read: Result<T, ValueError>, raw: &[u8]) -> Json {
        match read {
            Ok(number) => Ok(number.to_string()),
            Err(err) if err.kind == ValueErrorKind::OutOfRange => {
                self.is_out_of_range.set(true);
                let (sign, digits) = match raw {
                    [b'-', digits @ ..] => ("-", digits),
                    [b'+', digits @ ..] => ("", digits),
                    digits => ("", digits),
                };
                Ok(format!(
                    "{sign}{}",
                    String::from_utf8_lossy(digits).trim_start_matches('0')
                ))
            }
            Err(err) => Err(err.to_string()),
        }
    }

    /// Returns all points of the values, with rectangles expanded.
    fn points(&self) -> Json {
        let entries = values_in(self.list_kind, self.values.iter().map(Vec::as_slice))?;
        if !self.game.has_two_letter_points() {
            return points(&self.dialect, &entries);
        }
        let (mut seen, mut points) = (PointSet::new(), Vec::new());
        for raw in entries {
            let entry = said(PointEntry::parse(raw))?;
            if !entry.lower_right().is_on(self.dialect.size()) {
                return Err("expected a point on the board".to_owned());
            }
            for point in entry.points() {
                if !seen.insert(point) {
                    return Err("expected each point once".to_owned());
                }
                points.push(format!("[{},{}]", point.column(), point.row()));
            }
        }
        Ok(list(points))
    }
}

/// Returns the values of a list. The text of an empty list gives none.
fn values_in<'a>(
    kind: ListKind,
    values: impl Iterator<Item = &'a [u8]>,
) -> Result<Vec<&'a [u8]>, String> {
    let values: Vec<_> = values.collect();
    if kind != ListKind::Elist {
        return if values.is_empty() {
            Err("expected at least one value".to_owned())
        } else {
            Ok(values)
        };
    }
    match values[..] {
        [] => Err("expected at least one value".to_owned()),
        [[]] => Ok(Vec::new()),
        _ if values.contains(&&b""[..]) => Err("expected no empty value beside others".to_owned()),
        _ => Ok(values),
    }
}

fn is_list(kind: &str) -> bool {
    matches!(kind, "PointList" | "StoneList")
        || kind.starts_with("List(")
        || kind.starts_with("Elist(")
}

/// Parses the size; returns `None` for the game's default.
fn size_of(size: &Value) -> Result<Option<BoardSize>, String> {
    let side = |value: &Value| {
        value
            .as_u64()
            .and_then(|side| u32::try_from(side).ok())
            .filter(|&side| side > 0)
    };
    let read = match size {
        Value::Null => return Ok(None),
        Value::Number(_) => side(size).map(BoardSize::square),
        // `19:19` is not a legal value of SZ, but its meaning is clear.
        Value::String(text) => BoardSize::parse_lenient(text.as_bytes())
            .ok()
            .map(|read| read.value),
        Value::Array(sides) => match sides.as_slice() {
            [columns, rows] => side(columns)
                .zip(side(rows))
                .map(|(columns, rows)| BoardSize::new(columns, rows)),
            _ => None,
        },
        _ => None,
    };
    read.map(Some)
        .ok_or_else(|| format!("expected a board `size`, found `{size}`"))
}

/// Converts characters to bytes.
fn latin1(raw: &str) -> Result<Vec<u8>, String> {
    raw.chars()
        .map(|c| u8::try_from(c).map_err(|_| format!("expected bytes in `raw`, found `{c}`")))
        .collect()
}

/// Splits `aa][bb` or `[aa][bb]` into values.
fn values_of(raw: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let bracketed = if raw.starts_with(b"[") {
        raw.to_vec()
    } else {
        [b"[", raw, b"]"].concat()
    };
    let property = [b"X", bracketed.as_slice()].concat();
    let property = Property::parse(&property, Framing::Value)
        .ok_or("expected values between brackets in `raw`")?;
    Ok(property
        .values()
        .map(|value| value.as_bytes().to_vec())
        .collect())
}

fn text(text: &str) -> String {
    Value::from(text).to_string()
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

fn said<T, E: ToString>(read: Result<T, E>) -> Result<T, String> {
    read.map_err(|err| err.to_string())
}

/// Returns a move as JSON: null for a pass, a text for a word, a point for a placed stone, a list
/// of points for other moves, and the canonical text for a move without points.
fn play(dialect: &Dialect, raw: &[u8]) -> Json {
    let read = said(dialect.parse_move(raw))?;
    Ok(match &read {
        Move::Pass => "null".to_owned(),
        Move::Word(Word::TakeBlack) => text("take-black"),
        Move::Word(word) => text(word.as_str()),
        Move::Place(at) => field(*at),
        Move::Step { from, to, .. } => list([field(*from), field(*to)]),
        Move::Shot { from, to, arrow } => list([field(*from), field(*to), field(*arrow)]),
        Move::Piece(piece) => list(piece.fields().iter().copied().map(field)),
        Move::Dots(dots) => match (dots.dot(), dots.borders()) {
            (Some(dot), []) => field(dot),
            (dot, borders) => {
                let borders = borders
                    .iter()
                    .map(|border| list(border.points().iter().copied().map(field)));
                let dot = dot.map_or("null".to_owned(), field);
                format!("{{\"dot\":{dot},\"borders\":{}}}", list(borders))
            }
        },
        Move::Raw(raw) => text(&value_of(raw).text()),
        other => text(&dialect.show_move(other).to_string()),
    })
}

fn value_of(raw: &[u8]) -> RawValue<'_> {
    RawValue::new(raw, Framing::Value)
}

/// Returns the halves of a composed value.
fn halves_of(raw: &[u8]) -> Result<[RawValue<'_>; 2], String> {
    match value_of(raw).compose() {
        Some((first, second)) if second.compose().is_none() => Ok([first, second]),
        _ => Err("expected two values separated by one `:`".to_owned()),
    }
}

/// Returns a stone as JSON: its point, the points of its piece, or its canonical text.
fn stone(dialect: &Dialect, raw: &[u8]) -> Json {
    Ok(match said(dialect.parse_stone(raw))? {
        Stone::Point(at) => field(at),
        Stone::Piece(piece) => list(piece.fields().iter().copied().map(field)),
        other => text(&dialect.show_stone(&other).to_string()),
    })
}

/// Returns a point as JSON; in a game without documented points, its text.
fn point(dialect: &Dialect, raw: &[u8]) -> Json {
    match dialect.parse_point(raw) {
        Err(Fault::Undefined) => Ok(text(&value_of(raw).text())),
        read => said(read).map(field),
    }
}

/// Returns the points of a list in a game whose points are not two letters.
fn points(dialect: &Dialect, values: &[&[u8]]) -> Json {
    let mut seen = BTreeSet::new();
    let mut points = Vec::new();
    for raw in values {
        let colon = raw.iter().position(|&byte| byte == b':');
        let (from, to) = match colon {
            _ if !dialect.has_points() => {
                points.push(point(dialect, raw)?);
                continue;
            }
            None => {
                let at = said(dialect.parse_point(raw))?;
                (at, at)
            }
            Some(colon) => {
                let from = said(dialect.parse_point(&raw[..colon]))?;
                let to = said(dialect.parse_point(&raw[colon + 1..]))?;
                if from == to || from.row > to.row || from.column > to.column {
                    return Err(
                        "expected the upper left and the lower right corner of two points or more"
                            .to_owned(),
                    );
                }
                (from, to)
            }
        };
        for row in from.row..=to.row {
            for column in from.column..=to.column {
                let at = BoardCell::new(column, row);
                // Points repeat in Backgammon: an entry for each checker.
                if !seen.insert(at) && dialect.game() != Game::Backgammon {
                    return Err("expected each point once".to_owned());
                }
                points.push(field(at));
            }
        }
        if points.len() > 1 << 20 {
            return Err("expected a list of a million points at most".to_owned());
        }
    }
    Ok(list(points))
}

fn field(at: BoardCell) -> String {
    format!("[{},{}]", at.column, at.row)
}
