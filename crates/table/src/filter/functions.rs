//! Calls: SQL's functions of values, and the questions that no column
//! answers.

use sqlparser::ast::{
    DataType, Expr, Function as Call, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments, Ident,
    ObjectName, Spanned, Value as Literal, ValueWithSpan,
};

use crate::row::{ColumnType, Probe};

use super::FilterError;
use super::compile::{Compiler, Typed};
use super::expression::{Expression, Function};

/// What there is, for those who look for something else.
const NAMES: &str = "abs, any, cast, coalesce, day, has, length, lower, month, move, prop, upper, year";

/// The arguments of a call, if they are plain.
pub(super) fn arguments(call: &Call) -> Option<Vec<&Expr>> {
    let FunctionArguments::List(list) = &call.args else {
        return None;
    };
    let plain = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expression)) => Some(expression),
        _ => None,
    };
    let is_plain = list.clauses.is_empty()
        && list.duplicate_treatment.is_none()
        && call.over.is_none()
        && call.filter.is_none()
        && call.within_group.is_empty();
    is_plain.then(|| list.args.iter().map(plain).collect())?
}

/// The call `any(argument)`.
pub(super) fn any_call(argument: &Expr) -> Call {
    // `ANY('C')` keeps its parentheses.
    let argument = match argument {
        Expr::Nested(inner) => (**inner).clone(),
        other => other.clone(),
    };
    Call {
        name: ObjectName::from(vec![Ident::new("any")]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment: None,
            args: vec![FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))],
            clauses: Vec::new(),
        }),
        filter: None,
        null_treatment: None,
        over: None,
        within_group: Vec::new(),
    }
}

impl Compiler<'_> {
    pub(super) fn function(&mut self, call: &Call, tree: &Expr) -> Result<Typed, FilterError> {
        let name = call.name.to_string().to_lowercase();
        let Some(arguments) = arguments(call) else {
            return self.unknown(tree);
        };
        if name == "coalesce" {
            return self.coalesce(&arguments, tree);
        }
        let known = NAMES.split(", ").any(|known| known == name);
        if !known {
            let message = format!("expected a function, found `{name}`; there are {NAMES}");
            return self.fault(message, call.name.span());
        }
        let &[argument] = arguments.as_slice() else {
            return self.fault(format!("expected one argument of `{name}`, found {}", arguments.len()), tree.span());
        };
        let of_text = |function, kind, text| Ok(Typed::new(Expression::Call(function, vec![text]), kind));
        match name.as_str() {
            "lower" => of_text(Function::Lower, ColumnType::Text, self.text_value(argument)?),
            "upper" => of_text(Function::Upper, ColumnType::Text, self.text_value(argument)?),
            "length" => of_text(Function::Length, ColumnType::Int, self.text_value(argument)?),
            "abs" => {
                let number = self.number_expression(argument)?;
                Ok(Typed::new(
                    Expression::Call(Function::Abs, vec![number.expression]),
                    number.kind.unwrap_or(ColumnType::Int),
                ))
            }
            "year" | "month" | "day" => self.date_part(&name, argument),
            "move" => self.move_of(argument),
            _ => self.question(&name, argument, tree),
        }
    }

    fn question(&mut self, name: &str, argument: &Expr, tree: &Expr) -> Result<Typed, FilterError> {
        let Expr::Value(ValueWithSpan { value: Literal::SingleQuotedString(written), span }) = argument else {
            let message =
                format!("expected an identifier between single quotes, such as {name}('C'), found an expression");
            return self.fault(message, argument.span());
        };
        let ident: Vec<u8> = written.bytes().filter(|byte| !byte.is_ascii_lowercase()).collect();
        if ident.is_empty() || !written.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let message = format!("expected an identifier with a capital letter or digit, found '{written}'");
            return self.fault(message, *span);
        }
        if name == "any" {
            return self.any_of(ident, tree.span());
        }
        self.no_question_inside_any(tree)?;
        Ok(if name == "has" {
            let probe = self.probes.push(Probe::Has(ident));
            Typed::new(Expression::ProbeTruth(probe), ColumnType::Bool)
        } else {
            let probe = self.probes.push(Probe::First(ident));
            Typed::raw(Expression::ProbeText(probe))
        })
    }

    fn move_of(&mut self, argument: &Expr) -> Result<Typed, FilterError> {
        let number = match argument {
            Expr::Value(ValueWithSpan { value: Literal::Number(digits, _), .. }) => digits.parse::<u64>().ok(),
            _ => None,
        };
        match number {
            Some(0) => self.fault("expected the number of a move, from 1, found 0", argument.span()),
            Some(number) => {
                self.no_question_inside_any(argument)?;
                let probe = self.probes.push(Probe::Move(number));
                Ok(Typed::new(Expression::ProbeText(probe), ColumnType::Text))
            }
            None => self.fault("expected the number of a move, found something else", argument.span()),
        }
    }

    fn no_question_inside_any(&self, tree: &Expr) -> Result<(), FilterError> {
        if self.is_inside_any() {
            return self.fault("expected a constant beside any(), found a question about the game", tree.span());
        }
        Ok(())
    }

    fn coalesce(&mut self, arguments: &[&Expr], tree: &Expr) -> Result<Typed, FilterError> {
        let mut kind: Option<ColumnType> = None;
        let mut values = Vec::new();
        for &argument in arguments {
            let typed = self.value(argument)?;
            match (kind, typed.kind) {
                (None, found) => kind = found,
                (Some(_), None) => {}
                (Some(one), Some(other)) if one == other => {}
                (Some(one), Some(other)) if one.is_number() && other.is_number() => kind = Some(ColumnType::Float),
                _ => return self.fault("expected values of one type in `coalesce`, found several", argument.span()),
            }
            values.push(typed.expression);
        }
        match kind {
            Some(kind) => Ok(Typed::new(Expression::Call(Function::Coalesce, values), kind)),
            None => self.fault("expected values in `coalesce`, found none", tree.span()),
        }
    }

    pub(super) fn date_part(&mut self, part: &str, argument: &Expr) -> Result<Typed, FilterError> {
        let function = match part.to_lowercase().as_str() {
            "year" => Function::Year,
            "month" => Function::Month,
            "day" => Function::Day,
            _ => return self.fault("expected YEAR, MONTH or DAY, found another part of a date", argument.span()),
        };
        let date = self.date_value(argument)?;
        Ok(Typed::new(Expression::Call(function, vec![date]), ColumnType::Int))
    }

    pub(super) fn cast(&mut self, argument: &Expr, to: &DataType, tree: &Expr) -> Result<Typed, FilterError> {
        let kind = match to {
            DataType::Int(_) | DataType::Integer(_) | DataType::BigInt(_) | DataType::SmallInt(_) => ColumnType::Int,
            DataType::Float(_)
            | DataType::Double(_)
            | DataType::DoublePrecision
            | DataType::Real
            | DataType::Numeric(_)
            | DataType::Decimal(_) => ColumnType::Float,
            DataType::Text | DataType::Varchar(_) | DataType::String(_) | DataType::Char(_) => ColumnType::Text,
            DataType::Date => ColumnType::Date,
            other => {
                let message = format!("expected INT, FLOAT, TEXT or DATE, found `{other}`");
                return self.fault(message, tree.span());
            }
        };
        let value = self.value(argument)?;
        let possible = match (value.kind, kind) {
            (None | Some(ColumnType::Text), _) | (_, ColumnType::Text) => true,
            (Some(from), to) => from == to || (from.is_number() && to.is_number()),
        };
        if !possible {
            return self.fault("expected a value that can be cast, found another", argument.span());
        }
        Ok(Typed::new(Expression::Call(Function::Cast(kind), vec![value.expression]), kind))
    }
}
