//! Function calls: SQL's functions of values, and questions about the game that no column answers.

use std::ops::Range;

use crate::find::{MoveList, Pattern, Query, is_move_of_some_game};
use crate::row::{ColumnType, Probe, nearest};

use super::FilterError;
use super::compile::{Compiled, Compiler, Facts, Typed, asking};
use super::expression::{Comparison, Expression, Function, Value};

/// Values, their common type, and the facts of each.
type OneType = (Vec<Expression>, Option<ColumnType>, Vec<Facts>);

/// Arms of the CASE being parsed. The last result may be the one of ELSE.
#[derive(Default)]
struct Case {
    conditions: Vec<Expression>,
    facts: Vec<Facts>,
    results: Vec<Typed>,
}

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
        let mut arguments = self.list(true)?;
        match (name, arguments.len()) {
            ("coalesce", _) => return self.coalesce(arguments, start),
            ("substr", 2 | 3) | ("round", 1 | 2) => {
                return self.with_numbers(name, arguments, start);
            }
            ("substr", _) | (_, 0 | 2..) => {
                let expected = if name == "substr" {
                    "a text, a start from 1 and an optional length"
                } else {
                    "one argument"
                };
                let span = self.facts(start, [])?.span;
                let message = format!("`{name}` takes {expected}; found {}", arguments.len());
                return self.fault(message, &span);
            }
            _ => {}
        }
        let argument = arguments.remove(0);
        let (function, of, kind) = match name {
            "lower" => (Function::Lower, ColumnType::Text, ColumnType::Text),
            "upper" => (Function::Upper, ColumnType::Text, ColumnType::Text),
            "trim" => (Function::Trim, ColumnType::Text, ColumnType::Text),
            "length" => (Function::Length, ColumnType::Text, ColumnType::Int),
            "year" => (Function::Year, ColumnType::Date, ColumnType::Int),
            "month" => (Function::Month, ColumnType::Date, ColumnType::Int),
            "day" => (Function::Day, ColumnType::Date, ColumnType::Int),
            "abs" => {
                let number = self.number(argument)?;
                let kind = number.kind.unwrap_or(ColumnType::Int);
                let facts = self.facts(start, [number.facts])?;
                return Ok(Typed::new(
                    Expression::Call(Function::Abs, vec![number.expression]),
                    kind,
                    facts,
                ));
            }
            "move" => return self.move_of(&argument, start),
            "opening" | "pattern" | "position" | "sequence" => {
                return self.found(name, &argument, start);
            }
            _ => return self.question(name, &argument, start),
        };
        let (argument, facts) = self.of_type(argument, of)?;
        let facts = self.facts(start, [facts])?;
        Ok(Typed::new(
            Expression::Call(function, vec![argument]),
            kind,
            facts,
        ))
    }

    // case = "CASE" [ expression ] "WHEN" expression "THEN" expression { "WHEN" … } [ "ELSE"
    // expression ] "END"
    pub(super) fn case(&mut self, start: usize) -> Compiled {
        let operand = if self.peek().is("when") {
            None
        } else {
            Some(self.expression(0)?)
        };
        let mut case = Case::default();
        self.expect("when")?;
        loop {
            let asked = self.expression(0)?;
            self.add_condition(&mut case, operand.as_ref(), asked)?;
            self.expect("then")?;
            case.results.push(self.expression(0)?);
            if !self.take("when") {
                break;
            }
        }
        if self.take("else") {
            case.results.push(self.expression(0)?);
        }
        self.expect("end")?;
        self.end_case(case, start)
    }

    fn add_condition(
        &mut self,
        case: &mut Case,
        operand: Option<&Typed>,
        asked: Typed,
    ) -> Result<(), FilterError> {
        let (condition, facts) = match operand {
            Some(operand) => self.equals(operand.clone(), asked)?,
            None => self.condition(asked)?,
        };
        case.conditions.push(condition);
        case.facts.push(facts);
        Ok(())
    }

    fn end_case(&mut self, case: Case, start: usize) -> Compiled {
        case.results
            .iter()
            .try_for_each(|result| self.refuse_any(result))?;
        let (mut results, kind, more) = self.one_type(case.results, "CASE")?;
        let facts = self.facts(start, case.facts.into_iter().chain(more))?;
        let otherwise = if results.len() > case.conditions.len() {
            results.pop()
        } else {
            None
        };
        let otherwise = Box::new(otherwise.unwrap_or(Expression::Constant(Value::Null)));
        let arms = case.conditions.into_iter().zip(results).collect();
        let case = Typed::new(
            Expression::Case { arms, otherwise },
            ColumnType::Bool,
            facts,
        );
        Ok(Typed { kind, ..case })
    }

    /// Returns the condition of an arm: the operand of CASE equals this value.
    fn equals(&mut self, operand: Typed, value: Typed) -> Result<(Expression, Facts), FilterError> {
        self.refuse_any(&operand)?;
        self.refuse_any(&value)?;
        if let Some((number, text)) = operand.move_number.zip(value.literal()) {
            return Ok((
                self.move_is(number, text, &value.facts.span)?,
                operand.facts,
            ));
        }
        let (operand, mut values, facts) = self.fitting(operand, vec![value])?;
        let value = Box::new(values.remove(0));
        Ok((
            Expression::Compare(Comparison::Equal, Box::new(operand), value),
            facts,
        ))
    }

    /// Returns values that have one type, with this type.
    fn one_type(&self, list: Vec<Typed>, place: &str) -> Result<OneType, FilterError> {
        let mut kind: Option<ColumnType> = None;
        let (mut values, mut facts) = (Vec::new(), Vec::new());
        for value in list {
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
            values.push(value.expression);
            facts.push(value.facts);
        }
        Ok((values, kind, facts))
    }

    /// Returns the first value that is not NULL. The values must have one type.
    fn coalesce(&self, arguments: Vec<Typed>, start: usize) -> Compiled {
        let (values, kind, facts) = self.one_type(arguments, "`coalesce`")?;
        let facts = self.facts(start, facts)?;
        match kind {
            Some(kind) => Ok(Typed::new(
                Expression::Call(Function::Coalesce, values),
                kind,
                facts,
            )),
            None => self.fault("`coalesce` needs at least one value", &facts.span),
        }
    }

    /// Compiles `substr(pb, 1, 3)` and `round(komi, 1)`, in which numbers follow the first value.
    fn with_numbers(&mut self, name: &str, arguments: Vec<Typed>, start: usize) -> Compiled {
        let (mut values, mut all_facts, count) = (Vec::new(), Vec::new(), arguments.len());
        let (function, mut kind) = match name {
            "substr" => (Function::Substr, ColumnType::Text),
            _ => (Function::Round, ColumnType::Float),
        };
        for (at, argument) in arguments.into_iter().enumerate() {
            let (value, facts) = match function {
                Function::Substr if at == 0 => self.of_type(argument, ColumnType::Text)?,
                _ => {
                    let number = self.number(argument)?;
                    kind = number
                        .kind
                        .filter(|_| function == Function::Round && count == 1)
                        .unwrap_or(kind);
                    (number.expression, number.facts)
                }
            };
            values.push(value);
            all_facts.push(facts);
        }
        let facts = self.facts(start, all_facts)?;
        Ok(Typed::new(Expression::Call(function, values), kind, facts))
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
                asking(Expression::ProbeText(probe), ColumnType::Text, facts).raw()
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
        Ok(asking(Expression::ProbeText(probe), ColumnType::Text, facts).with_move(number))
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
