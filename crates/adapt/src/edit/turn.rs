//! `turn` and `swap-colors`: rotate or mirror the board, or swap the colors of a game.

use std::borrow::Cow;

use sgfstream::record::{GameItem, GameRecord};
use sgfstream::{Framing, Ident, RawValue};
use sgfstream_game::value::{BoardSize, Color, GameResult, Real};
use sgfstream_game::{
    Dialect, Facts, Game,
    board::{Symmetry, index_letter, letter_index},
    property::{Definition, TypedValue, ValueType},
};

use super::{EditContext, EditOutput, GameEdit, PlacedProperty};

/// Edit that rotates or mirrors the board: all points of a Go game (eight symmetries) or of a Hex
/// game (half a turn). Other games are unchanged.
///
/// Only the letters and numbers of points change, so the inverse restores every byte. The exception
/// is full-width letters, which get the spelling of the game. Passes are unchanged. Points that are
/// unreadable or off the board are left, with a note.
pub(super) struct TurnBoard(pub(super) Symmetry);

/// Edit that rotates or mirrors each Go game so that its first move is in the upper right corner,
/// as [`TurnBoard`] does. The next moves of the main line decide between symmetries that turn the
/// first move to the same point.
pub(super) struct TurnToFirstCorner;

impl GameEdit for TurnToFirstCorner {
    fn name(&self) -> &'static str {
        "turn"
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        let size = at
            .size
            .filter(|_| at.game == Game::Go)
            .map(|size| (size.columns(), size.rows()));
        let symmetry = size.map_or(Symmetry::Rotate90, |size| first_corner(game, at, size));
        TurnBoard(symmetry).edit(game, at, out);
    }
}

fn first_corner(game: &GameRecord<'_>, at: &EditContext, size: (u32, u32)) -> Symmetry {
    let (dialect, facts) = (at.dialect(), Facts::of_values(*game, 0));
    let line = game.items(game.main_line());
    let moves = line.filter_map(|item| match item {
        GameItem::Property(_, property) => Some(facts.moves_of(&property)),
        _ => None,
    });
    let fields = moves
        .flatten()
        .filter_map(|played| dialect.parse_move(played.value.as_bytes()).ok()?.point());
    let fields =
        fields.filter(|field| u32::from(field.column) < size.0 && u32::from(field.row) < size.1);
    let symmetries = Symmetry::ALL
        .into_iter()
        .filter(|symmetry| symmetry.size(size) == size);
    Symmetry::to_upper_right(symmetries, fields, size)
}

/// Position of the points in a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A point, or a rectangle of two.
    Points,
    /// A move: a point, never two.
    Move,
    /// A point and a text.
    Label,
    /// Two points in a fixed order.
    Pair,
}

fn shape(value_type: ValueType) -> Option<Shape> {
    match value_type {
        ValueType::Point | ValueType::Stone | ValueType::TERRITORY => Some(Shape::Points),
        ValueType::Move => Some(Shape::Move),
        ValueType::LABEL => Some(Shape::Label),
        ValueType::POINT_PAIR => Some(Shape::Pair),
        _ => None,
    }
}

/// Rotates or mirrors the points of a value on a `board` of Go or Hex. Returns passes and values
/// without points unchanged, and `None` if a point is unreadable or off the board.
///
/// ```
/// use sgfstream_adapt::edit::turn_value;
/// use sgfstream_game::{Game, board::Symmetry, property::ValueType, value::BoardSize};
///
/// let turn = |value_type, value| {
///     turn_value(Symmetry::Rotate90, Game::Go, BoardSize::square(19), value_type, value)
/// };
/// assert_eq!(turn(ValueType::Move, b"pd").as_deref(), Some(&b"pp"[..]));
/// assert_eq!(turn(ValueType::LABEL, b"pd:dp").as_deref(), Some(&b"pp:dp"[..]));
/// assert_eq!(turn(ValueType::Text, b"pd").as_deref(), Some(&b"pd"[..]));
/// assert_eq!(turn(ValueType::Point, b"zz"), None);
/// ```
#[must_use]
pub fn turn_value(
    symmetry: Symmetry,
    game: Game,
    board: BoardSize,
    value_type: ValueType,
    value: &[u8],
) -> Option<Cow<'_, [u8]>> {
    let shape = match shape(value_type) {
        Some(shape) if symmetry != Symmetry::Identity => shape,
        _ => return Some(value.into()),
    };
    let (turn, size) = (TurnBoard(symmetry), (board.columns(), board.rows()));
    let dialect = Dialect::of_any_program(game, Some(board));
    let (turned, is_no_point) = match game {
        Game::Hex => (
            turn.lettered(value, shape, size),
            value.iter().all(|byte| !byte.is_ascii_digit()),
        ),
        _ => {
            let turned = turn.pairs(value, shape, size);
            let turned =
                turned.or_else(|| turn.pairs(&narrow(&dialect, value, shape)?, shape, size));
            (
                turned,
                dialect.parse_move(value).is_ok_and(|mv| mv.is_pass()),
            )
        }
    };
    turned.map(Cow::Owned).or(is_no_point.then(|| value.into()))
}

impl GameEdit for TurnBoard {
    fn name(&self) -> &'static str {
        "turn"
    }

    fn context(&self, at: &mut EditContext) {
        if self.turns(at) && self.0.exchanges_sides() {
            at.size = at
                .size
                .map(|size| BoardSize::new(size.rows(), size.columns()));
        }
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        if let Some(size) = at.size.filter(|_| self.turns(at)) {
            // The size may be in the second node.
            let is_size = |ident: Ident<'_>| self.0.exchanges_sides() && ident.is(b"SZ");
            let shape_of = |ident: Ident<'_>| shape(at.definition(ident)?.value_type);
            let wants = |ident: Ident<'_>, _| is_size(ident) || shape_of(ident).is_some();
            for placed in PlacedProperty::wanted(*game, wants) {
                let is_changed = if is_size(placed.property.ident()) {
                    out.edit_values(&placed, |value| exchanged(at.game, value.as_bytes()))
                } else {
                    self.edit_points(&placed, size, at, out)
                };
                out.count(u64::from(is_changed));
            }
        } else if self.0 != Symmetry::Identity && game.root().is_some() {
            let note = match self.turns(at) {
                true => "games were not rotated: the size of their board is unknown",
                false => {
                    "games were not rotated: only Go and Hex boards rotate, and Hex boards not by a quarter"
                }
            };
            out.note_cut(note, game.root().map_or(0, |root| root.start()));
        }
    }
}

impl TurnBoard {
    fn turns(&self, at: &EditContext) -> bool {
        at.game == Game::Go || (at.game == Game::Hex && Symmetry::HEX.contains(&self.0))
    }

    fn edit_points(
        &self,
        placed: &PlacedProperty<'_>,
        board: BoardSize,
        at: &EditContext,
        out: &mut EditOutput,
    ) -> bool {
        let Some(found) = at.definition(placed.property.ident()) else {
            return false;
        };
        let mut is_changed = false;
        for value in placed.property.values() {
            match turn_value(self.0, at.game, board, found.value_type, value.as_bytes()) {
                Some(Cow::Owned(turned)) => {
                    out.edits.replace(placed.value_span(value), turned);
                    is_changed = true;
                }
                Some(Cow::Borrowed(_)) => {}
                None => out.note_cut(
                    "points are unchanged: they are invalid or not on the board",
                    placed.node,
                ),
            }
        }
        is_changed
    }

    /// Transforms points of two letters each. Blanks keep their places.
    fn pairs(&self, value: &[u8], shape: Shape, size: (u32, u32)) -> Option<Vec<u8>> {
        let wanted = match shape {
            Shape::Points | Shape::Pair => 4,
            Shape::Move | Shape::Label => 2,
        };
        let mut places = [0; 5];
        let mut letters = 0;
        let mut colon = None;
        for (at, &byte) in value.iter().enumerate() {
            match byte {
                b':' if shape == Shape::Label => break,
                b':' if colon.is_none() && letters == 2 && wanted == 4 => colon = Some(at),
                byte if byte.is_ascii_whitespace() => {}
                byte if byte.is_ascii_alphabetic() && letters < 4 => {
                    places[letters] = at;
                    letters += 1;
                }
                // It is not a point.
                _ => return None,
            }
        }
        let is_rectangle = colon.is_some() && letters == 4;
        if !(is_rectangle || (letters == 2 && colon.is_none())) {
            return None;
        }
        // On a board of up to 26 lines, capitals stand for lowercase letters, except in rectangles,
        // which may extend beyond the board.
        let folds = size.0.max(size.1) <= 26 && !(is_rectangle && shape == Shape::Points);
        let letter = |place: usize| {
            if folds {
                value[place].to_ascii_lowercase()
            } else {
                value[place]
            }
        };
        let coordinate = |place: usize| letter_index(letter(places[place])).map(u32::from);
        let point = |place: usize| Some((coordinate(place)?, coordinate(place + 1)?));
        let is_on = |point: &(u32, u32)| point.0 < size.0 && point.1 < size.1;
        let mut turned = [(0, 0); 2];
        for (at, turned) in turned[..letters / 2].iter_mut().enumerate() {
            *turned = self.0.apply(point(at * 2).filter(is_on)?, size);
        }
        if is_rectangle && shape == Shape::Points {
            turned = self.corners(point(0)?, point(2)?, turned);
        }
        let mut out = value.to_vec();
        for (at, (column, row)) in turned[..letters / 2].iter().enumerate() {
            for (place, index) in [(at * 2, column), (at * 2 + 1, row)] {
                let (place, turned) = (places[place], index_letter(*index as u16)? as u8);
                out[place] = if letter(place) == value[place] {
                    turned
                } else {
                    turned.to_ascii_uppercase()
                };
            }
        }
        Some(out)
    }

    /// Returns the corners of a rectangle in the order in which the input has them: usually upper
    /// left and lower right.
    fn corners(
        &self,
        first: (u32, u32),
        second: (u32, u32),
        turned: [(u32, u32); 2],
    ) -> [(u32, u32); 2] {
        let mut falls = (first.0 > second.0, first.1 > second.1);
        if self.0.exchanges_sides() {
            falls = (falls.1, falls.0);
        }
        let [one, other] = turned;
        let order = |falls: bool, one: u32, other: u32| {
            if falls {
                (one.max(other), one.min(other))
            } else {
                (one.min(other), one.max(other))
            }
        };
        let columns = order(falls.0, one.0, other.0);
        let rows = order(falls.1, one.1, other.1);
        [(columns.0, rows.0), (columns.1, rows.1)]
    }

    /// Rotates points by half a turn, in letters and a number or in Go's two letters. The corners
    /// of a rectangle change places.
    fn lettered(&self, value: &[u8], shape: Shape, size: (u32, u32)) -> Option<Vec<u8>> {
        if self.0 == Symmetry::Identity {
            return None;
        }
        let text = std::str::from_utf8(value).ok()?;
        let turned = |text| half_turned(text, size);
        let Some((first, second)) = text.split_once(':') else {
            return Some(turned(text)?.into_bytes());
        };
        let first = turned(first)?;
        Some(match shape {
            Shape::Points => format!("{}:{first}", turned(second)?).into_bytes(),
            Shape::Pair => format!("{first}:{}", turned(second)?).into_bytes(),
            Shape::Label => format!("{first}:{second}").into_bytes(),
            Shape::Move => return None,
        })
    }
}

/// Returns a value with full-width letters in the spelling of the dialect.
fn narrow(dialect: &Dialect, value: &[u8], shape: Shape) -> Option<Vec<u8>> {
    if value.is_ascii() {
        return None;
    }
    let point = |raw: &[u8]| {
        Some(
            dialect
                .show_point(dialect.parse_point(raw).ok()?)
                .to_string()
                .into_bytes(),
        )
    };
    let halves = RawValue::new(value, Framing::Value)
        .compose()
        .map(|(one, other)| (one.as_bytes(), other.as_bytes()));
    match (shape, halves) {
        (Shape::Move, _) => point(value),
        (Shape::Points, _) => Some(
            dialect
                .read_entry(value)
                .ok()?
                .value
                .to_string()
                .into_bytes(),
        ),
        (Shape::Label, Some((at, text))) => Some([&point(at)?, &b":"[..], text].concat()),
        (Shape::Pair, Some((from, to))) => Some([point(from)?, point(to)?].join(&b':')),
        (Shape::Label | Shape::Pair, None) => None,
    }
}

/// Returns a point of a Hex board after half a turn, in the same case and form.
fn half_turned(text: &str, (columns, rows): (u32, u32)) -> Option<String> {
    let dialect = Dialect::of_any_program(Game::Hex, Some(BoardSize::new(columns, rows)));
    let field = dialect
        .parse_point(text.to_ascii_lowercase().as_bytes())
        .ok()?;
    let turned = Symmetry::Rotate180.turn(field, (columns, rows));
    let is_pair = text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let letter = |index: u16| index_letter(index).filter(char::is_ascii_lowercase);
    let turned = match is_pair {
        true => [letter(turned.column)?, letter(turned.row)?]
            .into_iter()
            .collect(),
        false => dialect.show_point(turned).to_string(),
    };
    let is_upper = !text.bytes().any(|byte| byte.is_ascii_lowercase());
    Some(if is_upper {
        turned.to_ascii_uppercase()
    } else {
        turned
    })
}

/// Exchanges the sides of a board size, such as `19:13` to `13:19`, and keeps the separator.
fn exchanged(game: Game, raw: &[u8]) -> Option<Vec<u8>> {
    let size = game.read_size(raw).sure()?.value;
    let wanted = BoardSize::new(size.rows(), size.columns());
    let at = raw.iter().position(|&byte| BoardSize::is_separator(byte));
    let turned = at.map(|at| [&raw[at + 1..], &raw[at..=at], &raw[..at]].concat());
    let is_wanted = |raw: &Vec<u8>| {
        game.read_size(raw)
            .sure()
            .is_some_and(|read| read.value == wanted)
    };
    (!size.is_square()).then(|| {
        turned
            .filter(is_wanted)
            .unwrap_or_else(|| wanted.to_string().into_bytes())
    })
}

/// Identifiers of Black, each with its counterpart of White behind it.
const PAIRS: &str = "B W AB AW TB TW BL WL OB OW PB PW BR WR BT WT BS WS GB GW Black White \
    AddBlack AddWhite PlayerBlack PlayerWhite";

/// Swaps Black and White: moves, setup, territory, players, times, the player to move, the result,
/// and the signs of komi and of `V`. Points, handicap and texts are unchanged.
pub(super) fn swap_colors(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    if at.game != Game::Go {
        return out.note_cut(
            "colors were swapped in Go games only",
            game.root().map_or(0, |root| root.start()),
        );
    }
    let has_side = |ident: &[u8]| matches!(ident, b"PL" | b"RE" | b"KM" | b"V");
    let wants = |ident: Ident<'_>, _| other_name(ident).is_some() || has_side(&ident.canonical());
    for placed in PlacedProperty::wanted(*game, wants) {
        match other_name(placed.property.ident()) {
            Some(other) => {
                out.rename(&placed, other);
                out.count(1);
            }
            None => swap_values(&placed, at, out),
        }
    }
}

/// Returns the identifier of the other color.
fn other_name(ident: Ident<'_>) -> Option<&'static [u8]> {
    let other = |name: &[u8]| {
        let mut names = PAIRS.split(' ');
        let at = names.position(|known| known.as_bytes() == name)?;
        Some(PAIRS.split(' ').nth(at ^ 1)?.as_bytes())
    };
    other(ident.as_bytes()).or_else(|| other(&ident.canonical()))
}

fn swap_values(placed: &PlacedProperty<'_>, at: &EditContext, out: &mut EditOutput) {
    let Some(found) = at.definition(placed.property.ident()) else {
        return;
    };
    let mut is_changed = false;
    for value in placed.property.values() {
        match swapped(found, value.with_charset(at.charset), at) {
            Some(swapped) if swapped == value.as_bytes() => {}
            Some(swapped) => {
                out.edits.replace(placed.value_span(value), swapped);
                is_changed = true;
            }
            None => {
                let note =
                    "a result, komi, player to move or value of a node is unchanged: it is invalid";
                out.note_cut(note, placed.node);
            }
        }
    }
    out.count(u64::from(is_changed));
}

/// Returns the value for the other side, in the spelling of the original if that has one meaning; a
/// draw is unchanged. Returns `None` if the value cannot be read completely.
fn swapped(definition: &Definition, value: RawValue<'_>, at: &EditContext) -> Option<Vec<u8>> {
    let (raw, text) = (value.as_bytes(), value.simple_text());
    if text.trim().is_empty() {
        return Some(raw.to_vec());
    }
    let read = definition.read(at.game, text.as_bytes())?.sure()?;
    let is_exact = read
        .repair
        .is_none_or(|repair| !repair.loses_text() && !repair.is_guess());
    let written = match &read.value {
        TypedValue::Color(old) => {
            color_letter(raw, old.other()).unwrap_or_else(|| old.other().to_string().into())
        }
        TypedValue::Result(GameResult::Win { winner, margin }) => {
            match color_letter(raw, winner.other()) {
                // Words after the plus stay, unless they name a color.
                Some(written) if !says_color(text.get(1..).unwrap_or_default()) => {
                    return Some(written);
                }
                _ => GameResult::Win {
                    winner: winner.other(),
                    margin: *margin,
                }
                .to_string()
                .into_bytes(),
            }
        }
        TypedValue::Result(_) => raw.to_vec(),
        number => match (number.real()?, raw) {
            (0.0, _) => raw.to_vec(),
            (_, [b'-', rest @ ..]) if read.repair.is_none() => rest.to_vec(),
            (_, [b'+', rest @ ..]) if read.repair.is_none() => [b"-", rest].concat(),
            (_, _) if read.repair.is_none() => [b"-", raw].concat(),
            (number, _) => Real::new(-number)?.to_string().into_bytes(),
        },
    };
    is_exact.then_some(written)
}

fn says_color(text: &str) -> bool {
    let text = text.to_lowercase();
    ["black", "white", "黑", "黒", "白"]
        .iter()
        .any(|color| text.contains(color))
}

/// Replaces the leading color letter of a value with the one of `color`.
fn color_letter(raw: &[u8], color: Color) -> Option<Vec<u8>> {
    let letter = match (raw.first()?, color) {
        (b'B' | b'W', Color::Black) => b'B',
        (b'B' | b'W', Color::White) => b'W',
        (b'b' | b'w', Color::Black) => b'b',
        (b'b' | b'w', Color::White) => b'w',
        _ => return None,
    };
    let rest = &raw[1..];
    (rest.is_empty() || rest[0] == b'+').then(|| [&[letter], rest].concat())
}
