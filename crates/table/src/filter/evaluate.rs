//! Evaluates expressions for a game. Besides SQL's three logical values there is a fourth for
//! results that are not known yet, so that the root of a game may already decide.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::row::{Cell, ColumnType, FilledRow, SEATS};
use sgfstream_game::value::{Date, Dates, Real};

use super::expression::{Comparison, Expression, Function, HitFact, Operator, Role, Value};

/// Maximum length of a text made by `||`, in bytes. Longer texts become NULL, as overflows of
/// numbers do.
const JOINED_MAX: usize = 16 << 20;

/// A player and an opponent; `None` for a name that the game lacks.
#[derive(Clone, Copy, Default)]
pub(crate) struct PlayerPair<'v> {
    player: Option<&'v str>,
    opponent: Option<&'v str>,
    color: Option<&'static str>,
}

/// Subject of an evaluation.
#[derive(Clone, Copy)]
pub(crate) enum Subject<'v> {
    /// A game, read to its end or not, and the pair of names to try.
    Game {
        filled: &'v FilledRow,
        at_end: bool,
        pair: PlayerPair<'v>,
    },
    /// A text, inside of `any()`.
    Given(&'v str),
}

impl<'v> Subject<'v> {
    /// Returns a game whose row is filled, at its end or before.
    pub(super) fn game(filled: &'v FilledRow, at_end: bool) -> Self {
        Self::Game {
            filled,
            at_end,
            pair: PlayerPair::default(),
        }
    }

    /// Returns this game once for each pair of its players.
    fn pairs(self) -> Vec<Self> {
        let Self::Game { filled, at_end, .. } = self else {
            return vec![self];
        };
        let persons: Vec<_> = filled.row().persons().into_iter().zip(SEATS).collect();
        let (two, more) = persons.split_at(2);
        let named: Vec<_> = more
            .iter()
            .copied()
            .filter(|(name, _)| name.is_some())
            .collect();
        let mut seats = Vec::with_capacity(2);
        if named.is_empty() || two.iter().any(|(name, _)| name.is_some()) {
            seats.push(two.to_vec());
        }
        match named.len() {
            0 => {}
            1 => seats.push(vec![named[0], (None, named[0].1)]),
            _ => seats.push(named),
        }
        let mut pairs = Vec::new();
        for seats in seats {
            for (at, &(player, color)) in seats.iter().enumerate() {
                for (other, &(opponent, _)) in seats.iter().enumerate() {
                    if other != at {
                        let pair = PlayerPair {
                            player,
                            opponent,
                            color: Some(color),
                        };
                        pairs.push(Self::Game {
                            filled,
                            at_end,
                            pair,
                        });
                    }
                }
            }
        }
        pairs
    }

    /// Returns an answer about a game if it is known. `is_in_root` says that the root determines
    /// it; otherwise it is known at the end.
    fn ask(self, is_in_root: bool, answer: impl FnOnce(&'v FilledRow) -> Value<'v>) -> Value<'v> {
        match self {
            Self::Game { at_end: false, .. } if !is_in_root => Value::Open,
            Self::Game { filled, .. } => answer(filled),
            Self::Given(_) => Value::Null,
        }
    }

    /// Returns the value for a fact that was not found: open before the end of the game, NULL at
    /// the end.
    fn unknown(self) -> Value<'v> {
        if let Self::Game { at_end: false, .. } = self {
            Value::Open
        } else {
            Value::Null
        }
    }
}

impl Expression {
    /// Evaluates the expression. It recurses, but the compiler bounds the depth.
    pub(crate) fn evaluate<'v>(&'v self, subject: Subject<'v>) -> Value<'v> {
        match self {
            Self::Constant(Value::Text(text)) => Value::Text(Cow::Borrowed(text)),
            Self::Constant(constant) => constant.clone(),
            Self::Column(column) => subject.ask(column.is_in_root(), |filled| {
                match column.get(filled.row()) {
                    Cell::Null => Value::Null,
                    Cell::Text(text) => Value::Text(Cow::Borrowed(text)),
                    Cell::Int(number) => Value::Int(number),
                    Cell::Float(number) => Value::Float(number),
                    Cell::Date(date) => Value::Date(date),
                    Cell::Bool(value) => Value::Bool(value),
                }
            }),
            Self::Player(role) => {
                let Subject::Game { pair, .. } = subject else {
                    return Value::Null;
                };
                let name = match role {
                    Role::Player => pair.player,
                    Role::Opponent => pair.opponent,
                    Role::PlayerColor => pair.color,
                };
                name.map_or(Value::Null, |name| Value::Text(Cow::Borrowed(name)))
            }
            Self::AnyPair(condition) => together(
                subject
                    .pairs()
                    .into_iter()
                    .map(|subject| condition.evaluate(subject)),
                true,
            ),
            Self::ProbeText(probe) => {
                subject.ask(true, |filled| match filled.probes.text(*probe) {
                    Some(text) => Value::Text(Cow::Borrowed(text)),
                    None => subject.unknown(),
                })
            }
            Self::ProbeTruth(probe) => subject.ask(true, |filled| {
                match (filled.probes.truth(*probe), subject.unknown()) {
                    (Some(true), _) => Value::Bool(true),
                    (Some(false), Value::Null) => Value::Bool(false),
                    (_, unknown) => unknown,
                }
            }),
            Self::Opening(probe) => subject.ask(false, |filled| {
                let text = filled.probes.opening_text(*probe);
                text.map_or(Value::Null, |text| Value::Text(text.into()))
            }),
            Self::Found(found) => subject.ask(false, |filled| of_hit(*found, filled)),
            Self::Given => match subject {
                Subject::Given(text) => Value::Text(Cow::Borrowed(text)),
                Subject::Game { .. } => Value::Null,
            },
            Self::Not(inner) => match inner.evaluate(subject) {
                Value::Bool(value) => Value::Bool(!value),
                other => other,
            },
            Self::And(parts) => together(parts.iter().map(|part| part.evaluate(subject)), false),
            Self::Or(parts) => together(parts.iter().map(|part| part.evaluate(subject)), true),
            Self::Compare(comparison, left, right) => compare(
                *comparison,
                &left.evaluate(subject),
                &right.evaluate(subject),
            ),
            Self::Between(parts) => {
                let [value, low, high] = parts.each_ref().map(|part| part.evaluate(subject));
                let bounds = [
                    (low, Comparison::GreaterOrEqual),
                    (high, Comparison::LessOrEqual),
                ];
                together(
                    bounds.map(|(bound, comparison)| compare(comparison, &value, &bound)),
                    false,
                )
            }
            Self::In { needle, list } => {
                let needle = needle.evaluate(subject);
                let is_equal =
                    |each: &'v Self| compare(Comparison::Equal, &needle, &each.evaluate(subject));
                together(list.iter().map(is_equal), true)
            }
            Self::Case { arms, otherwise } => {
                for (condition, result) in arms {
                    match condition.evaluate(subject) {
                        Value::Bool(true) => return result.evaluate(subject),
                        Value::Open => return Value::Open,
                        _ => {}
                    }
                }
                otherwise.evaluate(subject)
            }
            Self::Match(text, pattern) => match text.evaluate(subject) {
                Value::Text(text) => Value::Bool(pattern.matches(&text)),
                Value::Open => Value::Open,
                _ => Value::Null,
            },
            Self::IsNull(inner) => inner.evaluate(subject).is(&Value::Null),
            Self::Is(inner, expected) => inner.evaluate(subject).is(&Value::Bool(*expected)),
            Self::Arithmetic(operator, left, right) => {
                calculate(*operator, &left.evaluate(subject), &right.evaluate(subject))
            }
            Self::Call(function, arguments) => call(*function, arguments, subject),
        }
    }
}

/// Returns a fact about the first hit.
fn of_hit(found: HitFact, filled: &FilledRow) -> Value<'_> {
    let Some(finder) = filled.finder() else {
        return Value::Null;
    };
    let Some(hit) = finder.hits().first() else {
        return Value::Null;
    };
    match found {
        HitFact::Times => Value::Int(finder.hits().len() as i64),
        HitFact::Move => Value::Int(hit.ply as i64),
        HitFact::Node => Value::Text(hit.node.as_str().into()),
        HitFact::Symmetry => Value::Text(hit.transform.symmetry.as_str().into()),
        HitFact::Colors => Value::Text(
            if hit.transform.is_exchanged {
                "exchanged"
            } else {
                "same"
            }
            .into(),
        ),
        HitFact::Next if hit.next.is_empty() => Value::Null,
        HitFact::Next => Value::Text(hit.next.as_str().into()),
        HitFact::Continuation => Value::Text(
            hit.continuation_text(finder.query(), finder.coordinates)
                .into(),
        ),
    }
}

/// Joins conditions by AND (`decisive` is false) or OR (`decisive` is true). A condition with the
/// value `decisive` decides alone.
fn together<'v>(conditions: impl IntoIterator<Item = Value<'v>>, decisive: bool) -> Value<'v> {
    let (mut open, mut null) = (false, false);
    for condition in conditions {
        match condition {
            Value::Bool(value) if value == decisive => return Value::Bool(decisive),
            Value::Bool(_) => {}
            Value::Open => open = true,
            _ => null = true,
        }
    }
    match (open, null) {
        (true, _) => Value::Open,
        (_, true) => Value::Null,
        _ => Value::Bool(!decisive),
    }
}

fn compare<'v>(comparison: Comparison, left: &Value<'v>, right: &Value<'v>) -> Value<'v> {
    match order(left, right) {
        Ok(order) => Value::Bool(comparison.holds(order)),
        Err(undecided) => undecided,
    }
}

/// Returns the order of two values, or the value of their comparison if they have no order.
fn order<'v>(left: &Value<'v>, right: &Value<'v>) -> Result<Ordering, Value<'v>> {
    let undecided = Err(Value::Null);
    let numbers = |left: f64, right: f64| left.partial_cmp(&right).ok_or(Value::Null);
    match (left, right) {
        (Value::Open, _) | (_, Value::Open) => Err(Value::Open),
        (Value::Null, _) | (_, Value::Null) => undecided,
        (Value::Int(left), Value::Int(right)) => Ok(left.cmp(right)),
        (Value::Int(left), Value::Float(right)) => numbers(*left as f64, *right),
        (Value::Float(left), Value::Int(right)) => numbers(*left, *right as f64),
        (Value::Float(left), Value::Float(right)) => numbers(*left, *right),
        (Value::Text(left), Value::Text(right)) => Ok(left.cmp(right)),
        (Value::Date(left), Value::Date(right)) => Ok(left.cmp(right)),
        (Value::Bool(left), Value::Bool(right)) => Ok(left.cmp(right)),
        // The compiler rejects all other pairs.
        _ => undecided,
    }
}

/// Computes an arithmetic operation. Whole numbers stay whole, as in SQL. A division by zero or an
/// overflow gives NULL.
fn calculate<'v>(operator: Operator, left: &Value<'v>, right: &Value<'v>) -> Value<'v> {
    let number = |value: &Value<'v>| match value {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    };
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => operator
            .of_whole(*left, *right)
            .map_or(Value::Null, Value::Int),
        (Value::Open, _) | (_, Value::Open) => Value::Open,
        _ => {
            match number(left)
                .zip(number(right))
                .map(|(left, right)| operator.of_real(left, right))
            {
                Some(result) if result.is_finite() => Value::Float(result),
                _ => Value::Null,
            }
        }
    }
}

fn call<'v>(function: Function, arguments: &'v [Expression], subject: Subject<'v>) -> Value<'v> {
    if function == Function::Coalesce {
        for argument in arguments {
            match argument.evaluate(subject) {
                Value::Null => {}
                value => return value,
            }
        }
        return Value::Null;
    }
    if function == Function::Concat {
        let mut text = String::new();
        for argument in arguments {
            match argument.evaluate(subject) {
                Value::Text(part) if text.len() + part.len() <= JOINED_MAX => text.push_str(&part),
                Value::Open => return Value::Open,
                _ => return Value::Null,
            }
        }
        return Value::Text(text.into());
    }
    let Some(argument) = arguments.first() else {
        return Value::Null;
    };
    let mut numbers = [None; 2];
    for (argument, number) in arguments[1..].iter().zip(&mut numbers) {
        *number = match argument.evaluate(subject) {
            Value::Int(value) => Some(value),
            Value::Float(value) => Some(value as i64),
            Value::Open => return Value::Open,
            _ => return Value::Null,
        };
    }
    let part = |part: Option<u8>| part.map_or(Value::Null, |part| Value::Int(i64::from(part)));
    match (function, argument.evaluate(subject)) {
        (_, Value::Open) => Value::Open,
        (Function::Lower, Value::Text(text)) => Value::Text(text.to_lowercase().into()),
        (Function::Upper, Value::Text(text)) => Value::Text(text.to_uppercase().into()),
        (Function::Length, Value::Text(text)) => Value::Int(text.chars().count() as i64),
        (Function::Trim, Value::Text(text)) => Value::Text(text.trim().to_owned().into()),
        (Function::Substr, Value::Text(text)) => {
            Value::Text(characters(&text, numbers[0].unwrap_or(1), numbers[1]))
        }
        (Function::Round, Value::Int(number)) if numbers[0].is_none() => Value::Int(number),
        (Function::Round, Value::Int(number)) => rounded(number as f64, numbers[0].unwrap_or(0)),
        (Function::Round, Value::Float(number)) => rounded(number, numbers[0].unwrap_or(0)),
        (Function::Abs, Value::Int(number)) => number.checked_abs().map_or(Value::Null, Value::Int),
        (Function::Abs, Value::Float(number)) => Value::Float(number.abs()),
        (Function::Year, Value::Date(date)) => Value::Int(i64::from(date.year())),
        (Function::Month, Value::Date(date)) => part(date.month()),
        (Function::Day, Value::Date(date)) => part(date.day()),
        (Function::Shift(interval), Value::Date(date)) => {
            interval.after(date).map_or(Value::Null, Value::Date)
        }
        (Function::Cast(to), value) => cast(value, to),
        _ => Value::Null,
    }
}

/// Returns at most `length` characters from character `from`, counted from 1. Positions before the
/// text count toward `length`, as in SQL.
fn characters(text: &str, from: i64, length: Option<i64>) -> Cow<'static, str> {
    let end = length.map_or(i64::MAX, |length| from.saturating_add(length.max(0)));
    let from = from.max(1);
    let count = usize::try_from(end.saturating_sub(from)).unwrap_or(0);
    text.chars()
        .skip((from - 1) as usize)
        .take(count)
        .collect::<String>()
        .into()
}

fn rounded(number: f64, decimals: i64) -> Value<'static> {
    let factor = 10f64.powi(decimals.clamp(-300, 300) as i32);
    let rounded = (number * factor).round() / factor;
    if rounded.is_finite() {
        Value::Float(rounded)
    } else {
        Value::Float(number)
    }
}

fn cast(value: Value<'_>, to: ColumnType) -> Value<'_> {
    let float = |text: &str| {
        Real::parse_lenient(text.as_bytes())
            .ok()
            .map(|read| read.value.get())
    };
    match (value, to) {
        (Value::Int(number), ColumnType::Float) => Value::Float(number as f64),
        (Value::Float(number), ColumnType::Int) => Value::Int(number.round() as i64),
        (Value::Text(text), ColumnType::Float) => float(&text).map_or(Value::Null, Value::Float),
        (Value::Text(text), ColumnType::Int) => {
            float(&text).map_or(Value::Null, |number| Value::Int(number.round() as i64))
        }
        (Value::Text(text), ColumnType::Date) => first_day(&text).map_or(Value::Null, Value::Date),
        (Value::Int(number), ColumnType::Text) => Value::Text(number.to_string().into()),
        (Value::Float(number), ColumnType::Text) => Value::Text(number.to_string().into()),
        (Value::Date(date), ColumnType::Text) => Value::Text(date.to_string().into()),
        (Value::Bool(value), ColumnType::Text) => Value::Text(value.to_string().into()),
        (value, _) => value,
    }
}

/// Returns the first day of a text, which is read leniently like DT.
pub(super) fn first_day(text: &str) -> Option<Date> {
    let dates = Dates::parse_lenient(text.as_bytes()).ok()?.value;
    Some(dates.as_slice().first()?.first_day())
}
