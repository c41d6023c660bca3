//! The compiled expression: small, typed, nothing left to look up.

use crate::row::{Column, ColumnType};

use super::evaluate::Value;
use super::pattern::Pattern;

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

/// A function of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Lower,
    Upper,
    Length,
    Abs,
    Year,
    Month,
    Day,
    Concat,
    Coalesce,
    /// To this type; nothing where the text says none.
    Cast(ColumnType),
}

/// Fact about the first place where something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Times,
    Move,
    Symmetry,
    Colors,
    Next,
    Continuation,
}

impl Found {
    /// All of them, by their names.
    pub(super) const ALL: [(&str, Self, ColumnType); 6] = [
        ("found", Self::Times, ColumnType::Int),
        ("found_move", Self::Move, ColumnType::Int),
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
    Match(Box<Self>, Pattern),
    IsNull(Box<Self>),
    /// `IS TRUE` and `IS FALSE`.
    Is(Box<Self>, bool),
    Arithmetic(Operator, Box<Self>, Box<Self>),
    Call(Function, Vec<Self>),
}
