//! The compiled expression: small, typed, with all names resolved.

use std::borrow::Cow;

use crate::row::{Cell, Column, ColumnType};
use sgfstream_game::value::Date;

use super::dates::Interval;
use super::pattern::Pattern;

/// A value during evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'v> {
    /// Unknown until more of the game is read.
    Open,
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Cow<'v, str>),
    Date(Date),
}

impl Value<'_> {
    /// Returns whether the value is `expected`; unlike in a comparison, NULL equals NULL.
    pub(super) fn is<'v>(&self, expected: &Value<'_>) -> Value<'v> {
        if *self == Value::Open {
            Value::Open
        } else {
            Value::Bool(self == expected)
        }
    }

    /// Returns the value as a cell; NULL if it is unknown.
    pub(super) fn cell(&self) -> Cell<'_> {
        match self {
            Self::Open | Self::Null => Cell::Null,
            Self::Bool(value) => Cell::Bool(*value),
            Self::Int(number) => Cell::Int(*number),
            Self::Float(number) => Cell::Float(*number),
            Self::Text(text) => Cell::Text(text),
            Self::Date(date) => Cell::Date(*date),
        }
    }
}

/// Comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    pub(super) fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    pub(super) fn of_whole(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::Divide => left.checked_div(right),
            Self::Remainder => left.checked_rem(right),
        }
    }

    pub(super) fn of_real(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
            Self::Remainder => left % right,
        }
    }
}

/// Function of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Lower,
    Upper,
    Length,
    Trim,
    /// Returns a part of a text: from a character, counted from 1, with an optional length.
    Substr,
    Abs,
    /// Rounds to a number of decimals, by default 0.
    Round,
    Year,
    Month,
    Day,
    Concat,
    Coalesce,
    /// Converts to this type; NULL if the text cannot be read.
    Cast(ColumnType),
    /// Moves a date by an interval.
    Shift(Interval),
}

/// Role of a player in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Player,
    Opponent,
    /// Color of the player, as the column `winner` names it.
    PlayerColor,
}

/// Fact about the first hit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HitFact {
    Times,
    Move,
    Node,
    Symmetry,
    Colors,
    Next,
    Continuation,
}

impl HitFact {
    /// All facts by name, with their types.
    pub(super) const ALL: [(&str, Self, ColumnType); 7] = [
        ("found", Self::Times, ColumnType::Int),
        ("found_move", Self::Move, ColumnType::Int),
        ("found_node", Self::Node, ColumnType::Text),
        ("symmetry", Self::Symmetry, ColumnType::Text),
        ("colors", Self::Colors, ColumnType::Text),
        ("next", Self::Next, ColumnType::Text),
        ("continuation", Self::Continuation, ColumnType::Text),
    ];
}

#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Constant(Value<'static>),
    Column(&'static Column),
    /// The name of the player or opponent, or the player's color, in the pair that
    /// [`AnyPair`](Self::AnyPair) tries.
    Player(Role),
    /// True if the condition is true for some pair of player and opponent.
    AnyPair(Box<Self>),
    /// The text that answers a question about the game.
    ProbeText(usize),
    /// The truth value that answers a question about the game.
    ProbeTruth(usize),
    /// A fact about the first hit.
    Found(HitFact),
    /// The first moves in canonical orientation, as found by a question.
    Opening(usize),
    /// The text under test, inside of `any()`.
    Given,
    Not(Box<Self>),
    /// Two or more parts.
    And(Vec<Self>),
    /// One or more parts.
    Or(Vec<Self>),
    Compare(Comparison, Box<Self>, Box<Self>),
    /// A value and its two bounds.
    Between(Box<[Self; 3]>),
    In {
        needle: Box<Self>,
        list: Vec<Self>,
    },
    /// Conditions, each with its result.
    Case {
        arms: Vec<(Self, Self)>,
        otherwise: Box<Self>,
    },
    Match(Box<Self>, Pattern),
    IsNull(Box<Self>),
    /// `IS TRUE` or `IS FALSE`.
    Is(Box<Self>, bool),
    Arithmetic(Operator, Box<Self>, Box<Self>),
    Call(Function, Vec<Self>),
}
