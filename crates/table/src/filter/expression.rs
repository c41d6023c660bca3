//! The compiled expression: small, typed, nothing left to look up.

use std::borrow::Cow;

use crate::row::{Cell, Column, ColumnType};
use sgfstream_game::value::Date;

use super::dates::Interval;
use super::pattern::Pattern;

/// A value while it is being worked out.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value<'v> {
    /// More of the game must be read.
    Open,
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Cow<'v, str>),
    Date(Date),
}

impl Value<'_> {
    /// Whether it is `expected`, NULL included.
    pub(super) fn is<'v>(&self, expected: &Value<'_>) -> Value<'v> {
        if *self == Value::Open { Value::Open } else { Value::Bool(self == expected) }
    }

    /// The value as a cell; nothing if it is not known.
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

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
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
pub(super) enum Operator {
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

/// A function of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Lower,
    Upper,
    Length,
    Trim,
    /// Takes part of a text: the place of its first character, from 1, and maybe a length.
    Substr,
    Abs,
    /// Rounds to a number of decimals; 0 without one.
    Round,
    Year,
    Month,
    Day,
    Concat,
    Coalesce,
    /// To this type; nothing where the text says none.
    Cast(ColumnType),
    /// The date so much later or earlier.
    Shift(Interval),
}

/// Role of a player in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Player,
    Opponent,
}

/// Fact about the first place where something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Times,
    Move,
    Node,
    Symmetry,
    Colors,
    Next,
    Continuation,
}

impl Found {
    /// All of them, by their names.
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
pub(super) enum Expression {
    Constant(Value<'static>),
    Column(&'static Column),
    /// The name of the player, or of the opponent, of the pair that [`AnyPair`](Self::AnyPair) tries.
    Player(Role),
    /// True if the condition is true of some player and opponent of the game.
    AnyPair(Box<Self>),
    /// The text of a question about the game.
    ProbeText(usize),
    /// The truth of one.
    ProbeTruth(usize),
    /// A fact about a hit.
    Found(Found),
    /// The first moves, turned, that a question has found.
    Opening(usize),
    /// The text under test, inside `any()`.
    Given,
    Not(Box<Self>),
    /// Two or more.
    And(Vec<Self>),
    /// One or more.
    Or(Vec<Self>),
    Compare(Comparison, Box<Self>, Box<Self>),
    /// A value and its bounds.
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
    /// `IS TRUE` and `IS FALSE`.
    Is(Box<Self>, bool),
    Arithmetic(Operator, Box<Self>, Box<Self>),
    Call(Function, Vec<Self>),
}
