//! Function calls: SQL's functions of values, and questions about the game that no column answers.

use std::ops::Range;

use crate::find::{MoveList, Pattern, Query, is_move_of_some_game};
use crate::row::{ColumnType, Probe, nearest};

use super::FilterError;
use super::compile::{Compiled, Compiler, Typed, asking, parts_of};
use super::expression::{Comparison, Expression, Function, Value};

/// Names of all functions.
const NAMES: [&str; 20] = [
    "abs", "any", "cast", "coalesce", "day", "has", "length", "lower", "month", "move", "opening",
    "pattern", "position", "prop", "round", "sequence", "substr", "trim", "upper", "year",
];

impl Compiler<'_> {
    /// Parses a call, after the name of the function.
    pub(super) fn call(&mut self, name: &str, start: usize) -> Compiled {
        if !NAMES.contains(&name) {
            let hint = match nearest(name, NAMES) {
                _ if ["count", "max", "min", "sum", "avg"].contains(&name) => {
                    "an expression is evaluated per game; `sgfq freq` and `sgfq index` count games"
                        .to_owned()
                }
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the functions are {}", NAMES.join(", ")),
            };
            let message = format!("unknown function `{name}`; {hint}");
            return self.fault(message, &(start..start + name.len()));
        }
        let arguments = self.list(true)?;
        let count = arguments.len();
        let is_counted = match name {
            "coalesce" => true,
            "substr" => matches!(count, 2 | 3),
            "round" => matches!(count, 1 | 2),
            _ => count == 1,
        };
        if !is_counted {
            let expected = if name == "substr" {
                "a text, a start from 1 and an optional length"
            } else {
                "one argument"
            };
            let message = format!("`{name}` takes {expected}; found {count}");
            return self.fault(message, &self.facts(start, [])?.span);
        }
        // The type of the first argument, `None` for a number, and the type of the result.
        let (function, of, kind) = match name {
            "lower" => (Function::Lower, Some(ColumnType::Text), ColumnType::Text),
            "upper" => (Function::Upper, Some(ColumnType::Text), ColumnType::Text),
            "trim" => (Function::Trim, Some(ColumnType::Text), ColumnType::Text),
            "substr" => (Function::Substr, Some(ColumnType::Text), ColumnType::Text),
            "length" => (Function::Length, Some(ColumnType::Text), ColumnType::Int),
            "year" => (Function::Year, Some(ColumnType::Date), ColumnType::Int),
            "month" => (Function::Month, Some(ColumnType::Date), ColumnType::Int),
            "day" => (Function::Day, Some(ColumnType::Date), ColumnType::Int),
            "abs" => (Function::Abs, None, ColumnType::Int),
            "round" => (Function::Round, None, ColumnType::Float),
            "coalesce" => return self.coalesce(arguments, start),
            "move" => return self.move_of(&arguments[0], start),
            "opening" | "pattern" | "position" | "sequence" => {
                return self.found(name, &arguments[0], start);
            }
            _ => return self.question(name, &arguments[0], start),
        };
        let mut values = Vec::new();
        for (at, argument) in arguments.into_iter().enumerate() {
            values.push(match of.filter(|_| at == 0) {
                Some(of) => self.of_type(argument, of)?,
                None => self.number(argument)?,
            });
        }
        // A number alone keeps its type.
        let kind = match &values[..] {
            [number] if of.is_none() => number.kind.unwrap_or(kind),
            _ => kind,
        };
        self.call_of(function, kind, start, values)
    }

    // case = "CASE" [ expression ] "WHEN" expression "THEN" expression { "WHEN" … } [ "ELSE"
    // expression ] "END"
    pub(super) fn case(&mut self, start: usize) -> Compiled {
        let operand = if self.peek().is("when") {
            None
        } else {
            Some(self.expression(0)?)
        };
        let (mut conditions, mut results) = (Vec::new(), Vec::new());
        self.expect("when")?;
        loop {
            let asked = self.expression(0)?;
            conditions.push(match &operand {
                Some(operand) => self.equals(operand.clone(), asked)?,
                None => self.condition(asked)?,
            });
            self.expect("then")?;
            results.push(self.expression(0)?);
            if !self.take("when") {
                break;
            }
        }
        if self.take("else") {
            results.push(self.expression(0)?);
        }
        self.expect("end")?;
        results
            .iter()
            .try_for_each(|result| self.refuse_any(result))?;
        let kind = self.one_type(&results, "CASE")?;
        let (conditions, facts) = parts_of(conditions);
        let (mut results, more) = parts_of(results);
        let otherwise = if results.len() > conditions.len() {
            results.pop()
        } else {
            None
        };
        let otherwise = Box::new(otherwise.unwrap_or(Expression::Constant(Value::Null)));
        let arms = conditions.into_iter().zip(results).collect();
        let case = Expression::Case { arms, otherwise };
        let facts = facts.into_iter().chain(more);
        Ok(Typed {
            kind,
            ..self.typed(case, ColumnType::Bool, start, facts)?
        })
    }

    /// Returns the condition of an arm: the operand of CASE equals this value.
    fn equals(&mut self, operand: Typed, value: Typed) -> Compiled {
        self.refuse_any(&operand)?;
        self.refuse_any(&value)?;
        let (is_equal, facts) = match operand.move_number.zip(value.literal()) {
            Some((number, text)) => (
                self.move_is(number, text, &value.facts.span)?,
                operand.facts,
            ),
            None => {
                let (operand, mut values, facts) = self.fitting(operand, vec![value])?;
                let value = Box::new(values.remove(0));
                let is_equal = Expression::Compare(Comparison::Equal, Box::new(operand), value);
                (is_equal, facts)
            }
        };
        Ok(Typed::new(is_equal, ColumnType::Bool, facts))
    }

    /// Returns the type of values that must have one type.
    fn one_type(&self, values: &[Typed], place: &str) -> Result<Option<ColumnType>, FilterError> {
        let mut kind: Option<ColumnType> = None;
        for value in values {
            kind = match (kind, value.kind) {
                (Some(one), Some(other)) if one == other => kind,
                (Some(one), Some(other)) if one.is_number() && other.is_number() => {
                    Some(ColumnType::Float)
                }
                (Some(_), Some(_)) => {
                    return self.fault(
                        format!("the values in {place} must have one type"),
                        &value.facts.span,
                    );
                }
                (known, found) => known.or(found),
            };
        }
        Ok(kind)
    }

    /// Returns the first value that is not NULL. The values must have one type.
    fn coalesce(&self, arguments: Vec<Typed>, start: usize) -> Compiled {
        let kind = self.one_type(&arguments, "`coalesce`")?;
        let first = self.call_of(
            Function::Coalesce,
            kind.unwrap_or(ColumnType::Bool),
            start,
            arguments,
        )?;
        match kind {
            Some(_) => Ok(first),
            None => self.fault("`coalesce` needs at least one value", &first.facts.span),
        }
    }

    fn question(&mut self, name: &str, argument: &Typed, start: usize) -> Compiled {
        let Some(written) = argument.literal() else {
            let message = format!(
                "expected an identifier between single quotes, such as {name}('C'), found an expression"
            );
            return self.fault(message, &argument.facts.span);
        };
        let ident: Vec<u8> = written
            .bytes()
            .filter(|byte| !byte.is_ascii_lowercase())
            .collect();
        if ident.is_empty() || !written.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let message =
                format!("expected an identifier with a capital letter or digit, found '{written}'");
            return self.fault(message, &argument.facts.span);
        }
        let mut facts = self.facts(start, [])?;
        Ok(match name {
            "any" => {
                facts.any = Some((ident, facts.span.clone()));
                Typed::new(Expression::Given, ColumnType::Text, facts)
            }
            "has" => {
                let probe = self.wanted.probes.push(Probe::Has(ident));
                asking(Expression::ProbeTruth(probe), ColumnType::Bool, facts)
            }
            _ => {
                let probe = self.wanted.probes.push(Probe::First(ident));
                Typed {
                    is_raw: true,
                    ..asking(Expression::ProbeText(probe), ColumnType::Text, facts)
                }
            }
        })
    }

    fn move_of(&mut self, argument: &Typed, start: usize) -> Compiled {
        let number = match argument.expression {
            Expression::Constant(Value::Int(0)) => {
                return self.fault("moves are numbered from 1, found 0", &argument.facts.span);
            }
            Expression::Constant(Value::Int(number)) => number.unsigned_abs(),
            _ => {
                return self.fault(
                    "expected the number of a move, such as move(1)",
                    &argument.facts.span,
                );
            }
        };
        let facts = self.facts(start, [])?;
        let probe = self.wanted.probes.push(Probe::Move(number));
        Ok(Typed {
            move_number: Some(number),
            ..asking(Expression::ProbeText(probe), ColumnType::Text, facts)
        })
    }

    /// Compiles `move(4) = 'Q16'`. The text is a move in the spelling of the file or of players.
    pub(super) fn move_is(
        &mut self,
        number: u64,
        written: &str,
        span: &Range<usize>,
    ) -> Result<Expression, FilterError> {
        if !is_move_of_some_game(written.as_bytes()) {
            let message = format!(
                "expected a move such as 'pd', 'Q16' or 'e3-c3', found '{written}'; to match other text, use LIKE"
            );
            return self.fault(message, span);
        }
        let probe = self
            .wanted
            .probes
            .push(Probe::MoveIs(number, written.to_owned()));
        Ok(Expression::ProbeTruth(probe))
    }

    /// Compiles `position('pd dp')`, `opening` (the same after exactly as many moves), `sequence`
    /// and `pattern('X.O')`.
    fn found(&mut self, name: &str, argument: &Typed, start: usize) -> Compiled {
        let (what, example) = if name == "pattern" {
            ("rows", "X.O")
        } else {
            ("moves", "pd dp")
        };
        let Some(text) = argument.literal() else {
            let message = format!(
                "expected {what} between single quotes, such as {name}('{example}'), found an expression"
            );
            return self.fault(message, &argument.facts.span);
        };
        let query = match name {
            "pattern" => Pattern::parse(text).map(Query::pattern),
            "sequence" => Query::sequence(text, false, false),
            _ => Query::position_after(text),
        };
        let query = match query {
            Ok(query) => query,
            Err(err) => return self.fault(err.message(), &argument.facts.span),
        };
        let facts = self.facts(start, [])?;
        let by_move =
            (name == "opening").then(|| MoveList::parse(text).map_or(0, |list| list.len() as u64));
        let probe = self.wanted.probes.push_query(query.by_move(by_move), false);
        Ok(asking(
            Expression::ProbeTruth(probe),
            ColumnType::Bool,
            facts,
        ))
    }
}
