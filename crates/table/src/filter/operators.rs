//! Infix and postfix operators.

use std::borrow::Cow;

use sgfstream_game::value::Rank;

use crate::row::{Column, ColumnType, Probe};

use super::FilterError;
use super::compile::{Compiled, Compiler, Facts, Typed, asking, called, parts_of, power};

use super::expression::{Comparison, Expression, Function, Operator, Role, Value};
use super::pattern::Pattern;
use super::tokens::Token;

/// Operator between two operands, or after one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Infix {
    And,
    Or,
    Is,
    Compare(Comparison),
    Arithmetic(Operator),
    Concat,
    Like { ignore_case: bool },
    Regex { ignore_case: bool },
    Between,
    In,
}

impl Compiler<'_> {
    /// Returns the next operator, its binding power, and whether NOT precedes it.
    pub(super) fn infix(&self) -> Option<(Infix, u8, bool)> {
        let compare = |comparison| Some((Infix::Compare(comparison), power::COMPARE, false));
        let arithmetic = |operator, power| Some((Infix::Arithmetic(operator), power, false));
        let regex = |ignore_case, is_negated| {
            Some((Infix::Regex { ignore_case }, power::COMPARE, is_negated))
        };
        match *self.peek() {
            Token::Sign(sign) => match sign {
                "=" => compare(Comparison::Equal),
                "<>" | "!=" => compare(Comparison::NotEqual),
                "<" => compare(Comparison::Less),
                "<=" => compare(Comparison::LessOrEqual),
                ">" => compare(Comparison::Greater),
                ">=" => compare(Comparison::GreaterOrEqual),
                "+" => arithmetic(Operator::Add, power::SUM),
                "-" => arithmetic(Operator::Subtract, power::SUM),
                "*" => arithmetic(Operator::Multiply, power::PRODUCT),
                "/" => arithmetic(Operator::Divide, power::PRODUCT),
                "%" => arithmetic(Operator::Remainder, power::PRODUCT),
                "||" => Some((Infix::Concat, power::CONCAT, false)),
                "~" | "!~" => regex(false, sign == "!~"),
                "~*" | "!~*" => regex(true, sign == "!~*"),
                _ => None,
            },
            Token::Word(word) => {
                let is_negated = word.eq_ignore_ascii_case("not");
                let range = |infix| Some((infix, power::RANGE, is_negated));
                let word = self.peek_at(usize::from(is_negated));
                match word {
                    _ if word.is("between") => range(Infix::Between),
                    _ if word.is("in") => range(Infix::In),
                    _ if word.is("like") => range(Infix::Like { ignore_case: false }),
                    _ if word.is("ilike") => range(Infix::Like { ignore_case: true }),
                    _ if is_negated => None,
                    _ if word.is("is") => Some((Infix::Is, power::IS, false)),
                    _ if word.is("and") => Some((Infix::And, power::AND, false)),
                    _ if word.is("or") => Some((Infix::Or, power::OR, false)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Compiles an operation, after its left operand and operator.
    pub(super) fn operation(
        &mut self,
        mut left: Typed,
        infix: Infix,
        power: u8,
        mut is_negated: bool,
    ) -> Compiled {
        let start = left.facts.span.start;
        let mut others = match infix {
            Infix::Is => return self.is(left),
            Infix::In => self.list(false)?,
            Infix::Arithmetic(Operator::Add | Operator::Subtract) if self.peek().is("interval") => {
                return self.shifted(left, infix == Infix::Arithmetic(Operator::Subtract));
            }
            Infix::Between => {
                let low = self.expression(power)?;
                self.expect("and")?;
                vec![low, self.expression(power)?]
            }
            _ => {
                let right = self.expression(power)?;
                match infix {
                    Infix::And | Infix::Or => return self.link(infix, left, right),
                    Infix::Arithmetic(operator) => return self.arithmetic(operator, left, right),
                    Infix::Concat => {
                        let text = ColumnType::Text;
                        let both = [self.of_type(left, text)?, self.of_type(right, text)?];
                        return self.call_of(Function::Concat, text, start, both);
                    }
                    _ => vec![right],
                }
            }
        };
        let is_equal = matches!(
            infix,
            Infix::In | Infix::Compare(Comparison::Equal | Comparison::NotEqual)
        );
        if is_equal {
            self.refuse_unknown_values(&left, &others)?;
            name_persons(&mut left, &mut others);
        } else if matches!(infix, Infix::Between | Infix::Compare(_)) {
            self.order_as_ranks(&mut left, &mut others)?;
        }
        let moves = if is_equal {
            self.moves_are(&left, &others)?
        } else {
            None
        };
        let (condition, facts) = match (infix, moves) {
            (_, Some(condition)) => {
                is_negated |= infix == Infix::Compare(Comparison::NotEqual);
                let (_, facts) = parts_of([left].into_iter().chain(others));
                (condition, self.facts(start, facts)?)
            }
            (Infix::Like { ignore_case } | Infix::Regex { ignore_case }, _) => {
                let Some(pattern) = others[0].literal() else {
                    let message = "expected a pattern between single quotes, found an expression";
                    return self.fault(message, &others[0].facts.span);
                };
                let is_like = matches!(infix, Infix::Like { .. });
                let pattern = if is_like {
                    Pattern::like
                } else {
                    Pattern::regex
                }(pattern, ignore_case);
                let text = self.of_type(left, ColumnType::Text)?;
                match pattern {
                    Ok(pattern) => (
                        Expression::Match(Box::new(text.expression), pattern),
                        self.facts(start, [text.facts])?,
                    ),
                    Err(message) => return self.fault(message, &others[0].facts.span),
                }
            }
            _ => {
                let (value, mut others, facts) = self.fitting(left, others)?;
                let mut next =
                    || Box::new(others.pop().unwrap_or(Expression::Constant(Value::Null)));
                let condition = match infix {
                    Infix::Compare(comparison) => {
                        Expression::Compare(comparison, Box::new(value), next())
                    }
                    Infix::Between => {
                        let (high, low) = (next(), next());
                        Expression::Between(Box::new([value, *low, *high]))
                    }
                    _ => Expression::In {
                        needle: Box::new(value),
                        list: others,
                    },
                };
                (condition, facts)
            }
        };
        self.predicate(condition, is_negated, facts)
    }

    /// Returns an error if a column is compared with a text that it never has: `winner = 'Black'`.
    fn refuse_unknown_values(&self, left: &Typed, others: &[Typed]) -> Result<(), FilterError> {
        for other in others {
            for (column, text) in [(left, other), (other, left)] {
                let Expression::Column(column) = column.expression else {
                    continue;
                };
                let Some(literal) = text.literal() else {
                    continue;
                };
                if let Some(hint) = column.refusal_of(literal) {
                    return self.fault(
                        format!("`{}` is never '{literal}'; {hint}", column.name),
                        &text.facts.span,
                    );
                }
            }
        }
        Ok(())
    }

    /// Compares `br` and `wr` with a rank by level: `br >= '3d'` becomes `br_level >= 3`, because
    /// as text 9k would be greater than 3d.
    fn order_as_ranks(
        &mut self,
        left: &mut Typed,
        others: &mut [Typed],
    ) -> Result<(), FilterError> {
        let level_of = |typed: &Typed| match typed.expression {
            Expression::Column(column) if column.name == "br" => Column::find("br_level"),
            Expression::Column(column) if column.name == "wr" => Column::find("wr_level"),
            _ => None,
        };
        let mut all: Vec<&mut Typed> = [left].into_iter().chain(others).collect();
        if !all.iter().any(|typed| level_of(typed).is_some()) {
            return Ok(());
        }
        for typed in &mut all {
            if let Some(level) = level_of(typed) {
                self.wanted.columns.insert(level);
                typed.expression = Expression::Column(level);
            } else if let Some(text) = typed.literal() {
                let Ok(rank) = Rank::parse_lenient(text.as_bytes()) else {
                    return self.fault(
                        format!("expected a rank such as '3d', found '{text}'"),
                        &typed.facts.span,
                    );
                };
                typed.expression = Expression::Constant(Value::Int(rank.value.level()));
            } else {
                continue;
            }
            typed.kind = Some(ColumnType::Int);
        }
        Ok(())
    }

    /// Compiles `x IS [NOT] NULL`, `x IS [NOT] TRUE` and `x IS [NOT] FALSE`, after IS.
    fn is(&mut self, left: Typed) -> Compiled {
        let start = left.facts.span.start;
        let is_negated = self.take("not");
        if self.take("null") {
            let facts = self.facts(start, [left.facts])?;
            return self.predicate(
                Expression::IsNull(Box::new(left.expression)),
                is_negated,
                facts,
            );
        }
        let expected = self.peek().is("true");
        if !expected && !self.peek().is("false") {
            return self.expected("NULL, TRUE or FALSE after IS");
        }
        self.advance();
        let condition = self.condition(left)?;
        let facts = self.facts(start, [condition.facts])?;
        self.predicate(
            Expression::Is(Box::new(condition.expression), expected),
            is_negated,
            facts,
        )
    }

    /// Joins conditions. A chain such as `a AND b AND c` becomes one flat expression, so that its
    /// length does not add depth.
    fn link(&mut self, infix: Infix, left: Typed, right: Typed) -> Compiled {
        let start = left.facts.span.start;
        let (mut left, right) = (self.condition(left)?, self.condition(right)?);
        let mut parts = match (infix, left.expression) {
            (Infix::And, Expression::And(parts)) | (Infix::Or, Expression::Or(parts)) => {
                left.facts.depth -= 1;
                parts
            }
            (_, left) => vec![left],
        };
        let linked = if infix == Infix::And {
            parts.push(other_person(&parts, right.expression));
            Expression::And(parts)
        } else {
            parts.push(right.expression);
            Expression::Or(parts)
        };
        self.typed(linked, ColumnType::Bool, start, [left.facts, right.facts])
    }

    pub(super) fn arithmetic(&mut self, operator: Operator, left: Typed, right: Typed) -> Compiled {
        let start = left.facts.span.start;
        let (left, right) = (self.number(left)?, self.number(right)?);
        let is_whole = |typed: &Typed| typed.kind.is_none_or(|kind| kind == ColumnType::Int);
        let kind = if is_whole(&left) && is_whole(&right) {
            ColumnType::Int
        } else {
            ColumnType::Float
        };
        let (one, other) = (Box::new(left.expression), Box::new(right.expression));
        let result = Expression::Arithmetic(operator, one, other);
        self.typed(result, kind, start, [left.facts, right.facts])
    }

    /// Returns a comparison as a condition. With `any()` it becomes a question about each value of
    /// the property.
    fn predicate(&mut self, condition: Expression, is_negated: bool, mut facts: Facts) -> Compiled {
        let condition = if is_negated {
            Expression::Not(Box::new(condition))
        } else {
            condition
        };
        let Some((ident, _)) = facts.any.take() else {
            return Ok(Typed::new(condition, ColumnType::Bool, facts));
        };
        if let Some((found, span)) = &facts.asks {
            return self.fault(
                format!("any() can only be compared with a constant, found {found}"),
                span,
            );
        }
        let probe = Probe::Any(ident, Box::new(condition));
        let probe = self.wanted.probes.push(probe);
        Ok(asking(
            Expression::ProbeTruth(probe),
            ColumnType::Bool,
            facts,
        ))
    }

    /// Gives a value and those that it is compared with a common type.
    pub(super) fn fitting(
        &mut self,
        mut value: Typed,
        mut others: Vec<Typed>,
    ) -> Result<(Expression, Vec<Expression>, Facts), FilterError> {
        let start = value.facts.span.start;
        for other in &mut others {
            self.fit(&mut value, other)?;
        }
        let (expressions, facts) = parts_of(others);
        let facts = self.facts(start, [value.facts].into_iter().chain(facts))?;
        Ok((value.expression, expressions, facts))
    }

    /// Gives two values a common type, or returns an error.
    fn fit(&self, left: &mut Typed, right: &mut Typed) -> Result<(), FilterError> {
        let (Some(one), Some(other)) = (left.kind, right.kind) else {
            return Ok(());
        };
        if one == other || (one.is_number() && other.is_number()) {
            return Ok(());
        }
        if read_key(left, right) || read_key(right, left) {
            return Ok(());
        }
        for (kind, text) in [(one, &mut *right), (other, &mut *left)] {
            if kind == ColumnType::Date
                && let Some(written) = text.literal()
            {
                text.expression = self.date(written, &text.facts.span)?;
                text.kind = Some(ColumnType::Date);
                return Ok(());
            }
            if kind.is_number() && text.is_raw {
                text.read_as_number();
                return Ok(());
            }
        }
        // The column determines the expected type, so the error points at the constant.
        let (beside, at_fault) = match &left.expression {
            Expression::Constant(_) => (right, left),
            _ => (left, right),
        };
        let written = &self.text[beside.facts.span.clone()];
        let written = if written.len() > 40 {
            "the other side".to_owned()
        } else {
            format!("`{written}`")
        };
        let (wanted, found) = (called(beside.kind), called(at_fault.kind));
        self.fault(
            format!("expected {wanted} to compare with {written}, found {found}"),
            &at_fault.facts.span,
        )
    }

    /// Compiles `move(4) = 'Q16'`, or several such comparisons of which one must hold. Returns
    /// `None` for other comparisons.
    fn moves_are(
        &mut self,
        left: &Typed,
        others: &[Typed],
    ) -> Result<Option<Expression>, FilterError> {
        let mut pairs = Vec::new();
        for other in others {
            match [(left, other), (other, left)]
                .map(|(one, text)| one.move_number.zip(text.literal()))
            {
                [Some((number, text)), _] => pairs.push((number, text, &other.facts.span)),
                [_, Some((number, text))] => pairs.push((number, text, &left.facts.span)),
                _ => return Ok(None),
            }
        }
        // A text needs no probe, so the last probes are for these moves. `MoveIs` replaces them.
        let asked = others
            .iter()
            .chain([left])
            .filter(|typed| typed.move_number.is_some());
        asked.for_each(|_| self.wanted.probes.pop());
        let mut tests = Vec::new();
        for (number, text, span) in pairs {
            tests.push(self.move_is(number, text, span)?);
        }
        Ok(Some(Expression::Or(tests)))
    }
}

/// Cuts the ranks from names that are compared with a player: a player is the person.
fn name_persons(left: &mut Typed, others: &mut [Typed]) {
    let mut all: Vec<&mut Typed> = [left].into_iter().chain(others).collect();
    if !all
        .iter()
        .any(|typed| matches!(typed.expression, Expression::Player(_)))
    {
        return;
    }
    for typed in &mut all {
        if let Expression::Constant(Value::Text(text)) = &mut typed.expression {
            *text = Cow::Owned(Rank::split_name(text).0.to_owned());
        }
    }
}

/// Returns the `next` condition of a chain of AND. If it names another player than an earlier
/// condition does, it asks for the opponent: `player = 'a' AND player = 'b'` finds the games of
/// both.
fn other_person(earlier: &[Expression], next: Expression) -> Expression {
    let Some((role, names)) = named_players(&next) else {
        return next;
    };
    let mut named = earlier
        .iter()
        .filter_map(named_players)
        .filter(|(other, _)| *other == role);
    if !named.any(|(_, others)| others.iter().all(|name| !names.contains(name))) {
        return next;
    }
    let other = if role == Role::Player {
        Role::Opponent
    } else {
        Role::Player
    };
    let list = names
        .into_iter()
        .map(|name| Expression::Constant(Value::Text(Cow::Owned(name.to_owned()))))
        .collect();
    Expression::In {
        needle: Box::new(Expression::Player(other)),
        list,
    }
}

/// Returns the role and the names in a condition such as `player = 'a'` or
/// `opponent IN ('a', 'b')`.
fn named_players<'e>(condition: &'e Expression) -> Option<(Role, Vec<&'e str>)> {
    let (needle, list) = match condition {
        Expression::Compare(Comparison::Equal, left, right) => match **left {
            Expression::Player(_) => (&**left, std::slice::from_ref(&**right)),
            _ => (&**right, std::slice::from_ref(&**left)),
        },
        Expression::In { needle, list } => (&**needle, &**list),
        _ => return None,
    };
    let Expression::Player(role @ (Role::Player | Role::Opponent)) = needle else {
        return None;
    };
    let name = |listed: &'e Expression| match listed {
        Expression::Constant(Value::Text(name)) => Some(name.as_ref()),
        _ => None,
    };
    Some((*role, list.iter().map(name).collect::<Option<_>>()?))
}

/// Reads a quoted text beside the column `key` as a number, because JSON lines have the key as
/// text. Returns whether it is one.
fn read_key(column: &Typed, text: &mut Typed) -> bool {
    let is_key = matches!(&column.expression, Expression::Column(column) if column.name == "key");
    let number = text
        .literal()
        .filter(|_| is_key)
        .and_then(|text| text.parse().ok());
    if let Some(number) = number {
        text.expression = Expression::Constant(Value::Int(number));
        text.kind = Some(ColumnType::Int);
    }
    number.is_some()
}
