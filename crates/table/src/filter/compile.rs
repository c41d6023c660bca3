//! SQL's syntax tree to the small typed expression. Names, types and patterns
//! are settled here; what is left can only be true, false or nothing.

use sqlparser::ast::{BinaryOperator, Expr, Spanned, UnaryOperator, Value as Literal, ValueWithSpan};
use sqlparser::tokenizer::Span;

use crate::row::{Column, ColumnSet, ColumnType, Probe, Probes};
use sgfstream::value::Dates;

use super::FilterError;
use super::evaluate::{Subject, Value};
use super::expression::{Comparison, Constant, Expression, Function, Operator};
use super::pattern::Pattern;
use super::tokens;

/// How deep an expression may be compiled.
const MAX_DEPTH: usize = 64;

/// The expression of `text`, the columns it looks at, the questions it asks.
pub(super) fn compile(text: &str) -> Result<(Expression, ColumnSet, Probes), FilterError> {
    let tree = tokens::parse(text)?;
    let mut compiler =
        Compiler { text, columns: ColumnSet::default(), probes: Probes::default(), any: Any::Outside, depth: 0 };
    let expression = compiler.condition(&tree)?;
    Ok((expression, compiler.columns, compiler.probes))
}

/// An expression and its type; NULL has none.
pub(super) struct Typed {
    pub(super) expression: Expression,
    pub(super) kind: Option<ColumnType>,
    /// Text of the game that may be read as a number.
    is_raw: bool,
}

impl Typed {
    pub(super) fn new(expression: Expression, kind: ColumnType) -> Self {
        Self { expression, kind: Some(kind), is_raw: false }
    }

    pub(super) fn raw(expression: Expression) -> Self {
        Self { expression, kind: Some(ColumnType::Text), is_raw: true }
    }

    fn is_number(&self) -> bool {
        self.kind.is_none_or(ColumnType::is_number)
    }
}

/// Whether a comparison with `any()` is being compiled.
enum Any {
    Outside,
    Inside(Option<Vec<u8>>),
}

pub(super) struct Compiler<'t> {
    text: &'t str,
    columns: ColumnSet,
    pub(super) probes: Probes,
    any: Any,
    depth: usize,
}

/// What a type is called in a sentence.
fn called(kind: Option<ColumnType>) -> &'static str {
    match kind {
        None => "NULL",
        Some(ColumnType::Text) => "a text",
        Some(ColumnType::Int | ColumnType::Float) => "a number",
        Some(ColumnType::Date) => "a date",
        Some(ColumnType::Bool) => "a condition",
    }
}

impl Compiler<'_> {
    pub(super) fn fault<T>(&self, message: impl Into<String>, span: Span) -> Result<T, FilterError> {
        Err(FilterError::new(message, self.text, span))
    }

    fn condition(&mut self, tree: &Expr) -> Result<Expression, FilterError> {
        let typed = self.value(tree)?;
        match typed.kind {
            None | Some(ColumnType::Bool) => Ok(typed.expression),
            kind => self.fault(format!("expected a condition, found {}", called(kind)), tree.span()),
        }
    }

    pub(super) fn value(&mut self, tree: &Expr) -> Result<Typed, FilterError> {
        if self.depth >= MAX_DEPTH {
            return self.fault(format!("expected at most {MAX_DEPTH} levels, found one more"), Span::empty());
        }
        self.depth += 1;
        let typed = self.value_or_any(tree);
        self.depth -= 1;
        typed
    }

    /// A comparison with `any()` becomes a question about each value of the
    /// property.
    fn value_or_any(&mut self, tree: &Expr) -> Result<Typed, FilterError> {
        if !matches!(self.any, Any::Outside) || !is_predicate(tree) || !mentions_any(tree, 0) {
            return self.plain_value(tree);
        }
        self.any = Any::Inside(None);
        let typed = self.plain_value(tree);
        let Any::Inside(ident) = std::mem::replace(&mut self.any, Any::Outside) else {
            return typed;
        };
        let test = typed?.expression;
        let Some(ident) = ident else {
            return self.fault("expected an identifier between single quotes in any()", tree.span());
        };
        let test = move |text: &str| match test.evaluate(Subject::Given(text)) {
            Value::Bool(value) => Some(value),
            _ => None,
        };
        let probe = self.probes.push(Probe::Any(ident, std::sync::Arc::new(test)));
        Ok(Typed::new(Expression::ProbeTruth(probe), ColumnType::Bool))
    }

    fn plain_value(&mut self, tree: &Expr) -> Result<Typed, FilterError> {
        let condition = |expression| Ok(Typed::new(expression, ColumnType::Bool));
        let negated =
            |expression, negated| condition(if negated { Expression::Not(Box::new(expression)) } else { expression });
        match tree {
            Expr::Nested(inner) => self.value(inner),
            Expr::Value(literal) => self.literal(literal),
            Expr::Identifier(name) => self.column(&name.value, name.span),
            Expr::TypedString(typed) => match typed.value.clone().into_string() {
                Some(text) => self.date(&text, typed.value.span),
                None => self.unknown(tree),
            },
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => negated(self.condition(expr)?, true),
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
                let zero = Typed::new(Expression::Constant(Constant::Int(0)), ColumnType::Int);
                let number = self.number(expr)?;
                Ok(arithmetic(Operator::Subtract, zero, number))
            }
            Expr::UnaryOp { op: UnaryOperator::Plus, expr } => self.number(expr),
            Expr::BinaryOp { left, op, right } => self.binary(tree, left, op, right),
            Expr::AnyOp { left, compare_op, right, .. } => self.any_on_the_right(left, compare_op, right),
            Expr::IsNull(inner) => condition(Expression::IsNull(Box::new(self.value(inner)?.expression))),
            Expr::IsNotNull(inner) => negated(Expression::IsNull(Box::new(self.value(inner)?.expression)), true),
            Expr::IsUnknown(inner) => condition(Expression::IsNull(Box::new(self.condition(inner)?))),
            Expr::IsNotUnknown(inner) => negated(Expression::IsNull(Box::new(self.condition(inner)?)), true),
            Expr::IsTrue(inner) => condition(Expression::Is(Box::new(self.condition(inner)?), true)),
            Expr::IsNotTrue(inner) => negated(Expression::Is(Box::new(self.condition(inner)?), true), true),
            Expr::IsFalse(inner) => condition(Expression::Is(Box::new(self.condition(inner)?), false)),
            Expr::IsNotFalse(inner) => negated(Expression::Is(Box::new(self.condition(inner)?), false), true),
            Expr::Between { expr, negated: not, low, high } => {
                let from = self.compare(Comparison::GreaterOrEqual, expr, low)?;
                let to = self.compare(Comparison::LessOrEqual, expr, high)?;
                negated(Expression::And(vec![from, to]), *not)
            }
            Expr::InList { expr, list, negated: not } => {
                let mut needle = self.value(expr)?;
                let mut candidates = Vec::with_capacity(list.len());
                for candidate in list {
                    let mut other = self.value(candidate)?;
                    self.fit(&mut needle, expr, &mut other, candidate)?;
                    candidates.push(other.expression);
                }
                negated(Expression::In { needle: Box::new(needle.expression), list: candidates }, *not)
            }
            Expr::Like { negated: not, expr, pattern, escape_char, any: false } => {
                negated(self.like(expr, pattern, escape_char.as_deref(), false)?, *not)
            }
            Expr::ILike { negated: not, expr, pattern, escape_char, any: false } => {
                negated(self.like(expr, pattern, escape_char.as_deref(), true)?, *not)
            }
            Expr::Function(function) => self.function(function, tree),
            Expr::Cast { expr, data_type, .. } => self.cast(expr, data_type, tree),
            Expr::Extract { field, expr, .. } => self.date_part(&field.to_string(), expr),
            _ => self.unknown(tree),
        }
    }

    pub(super) fn unknown<T>(&self, tree: &Expr) -> Result<T, FilterError> {
        self.fault("expected a value or condition, found something that filters do not have", tree.span())
    }

    fn literal(&mut self, literal: &ValueWithSpan) -> Result<Typed, FilterError> {
        let typed = |constant, kind| Ok(Typed::new(Expression::Constant(constant), kind));
        match &literal.value {
            Literal::Number(digits, _) => match (digits.parse::<i64>(), digits.parse::<f64>()) {
                (Ok(number), _) => typed(Constant::Int(number), ColumnType::Int),
                (_, Ok(number)) if number.is_finite() => typed(Constant::Float(number), ColumnType::Float),
                _ => self.fault(format!("expected a number, found `{digits}`"), literal.span),
            },
            Literal::SingleQuotedString(text) | Literal::EscapedStringLiteral(text) => {
                typed(Constant::Text(text.clone()), ColumnType::Text)
            }
            Literal::Boolean(value) => typed(Constant::Bool(*value), ColumnType::Bool),
            Literal::Null => Ok(Typed { expression: Expression::Constant(Constant::Null), kind: None, is_raw: false }),
            other => self.fault(format!("expected a text between single quotes, found `{other}`"), literal.span),
        }
    }

    fn date(&self, text: &str, span: Span) -> Result<Typed, FilterError> {
        match Dates::parse(text.as_bytes()).map(|dates| dates.as_slice().to_vec()) {
            Ok(dates) if dates.len() == 1 => {
                Ok(Typed::new(Expression::Constant(Constant::Date(dates[0].first_day())), ColumnType::Date))
            }
            _ => self.fault(format!("expected a date such as '1990-12-24', '1990-12' or '1990', found '{text}'"), span),
        }
    }

    fn column(&mut self, name: &str, span: Span) -> Result<Typed, FilterError> {
        if let Some(column) = Column::find(name) {
            if let Any::Inside(_) = self.any {
                return self
                    .fault(format!("expected a constant beside any(), found the column `{}`", column.name), span);
            }
            self.columns.insert(column);
            return Ok(Typed::new(Expression::Column(column), column.column_type));
        }
        let lowercase = name.to_lowercase();
        let near = Column::all()
            .iter()
            .map(|column| (strsim::damerau_levenshtein(column.name, &lowercase), column.name))
            .min()
            .filter(|(distance, near)| distance * 3 <= near.len().max(lowercase.len()));
        let hint = match near {
            Some((_, near)) => format!("did you mean `{near}`?"),
            None => format!("text stands in single quotes: '{name}'"),
        };
        self.fault(format!("expected a column, found `{name}`; {hint}"), span)
    }

    fn binary(&mut self, tree: &Expr, left: &Expr, op: &BinaryOperator, right: &Expr) -> Result<Typed, FilterError> {
        let condition = |expression| Ok(Typed::new(expression, ColumnType::Bool));
        let comparison = |comparison| Some(comparison);
        let compared = match op {
            BinaryOperator::Eq => comparison(Comparison::Equal),
            BinaryOperator::NotEq => comparison(Comparison::NotEqual),
            BinaryOperator::Lt => comparison(Comparison::Less),
            BinaryOperator::LtEq => comparison(Comparison::LessOrEqual),
            BinaryOperator::Gt => comparison(Comparison::Greater),
            BinaryOperator::GtEq => comparison(Comparison::GreaterOrEqual),
            _ => None,
        };
        if let Some(comparison) = compared {
            return condition(self.compare(comparison, left, right)?);
        }
        let operator = match op {
            BinaryOperator::Plus => Some(Operator::Add),
            BinaryOperator::Minus => Some(Operator::Subtract),
            BinaryOperator::Multiply => Some(Operator::Multiply),
            BinaryOperator::Divide => Some(Operator::Divide),
            BinaryOperator::Modulo => Some(Operator::Remainder),
            _ => None,
        };
        if let Some(operator) = operator {
            let left = self.number(left)?;
            let right = self.number(right)?;
            return Ok(arithmetic(operator, left, right));
        }
        match op {
            BinaryOperator::And => condition(Expression::And(self.chain(tree, op)?)),
            BinaryOperator::Or => condition(Expression::Or(self.chain(tree, op)?)),
            BinaryOperator::StringConcat => {
                let parts = vec![self.text_value(left)?, self.text_value(right)?];
                Ok(Typed::new(Expression::Call(Function::Concat, parts), ColumnType::Text))
            }
            BinaryOperator::PGRegexMatch => condition(self.regex(left, right, false)?),
            BinaryOperator::PGRegexIMatch => condition(self.regex(left, right, true)?),
            BinaryOperator::PGRegexNotMatch => condition(not(self.regex(left, right, false)?)),
            BinaryOperator::PGRegexNotIMatch => condition(not(self.regex(left, right, true)?)),
            BinaryOperator::PGLikeMatch => condition(self.like(left, right, None, false)?),
            BinaryOperator::PGILikeMatch => condition(self.like(left, right, None, true)?),
            BinaryOperator::PGNotLikeMatch => condition(not(self.like(left, right, None, false)?)),
            BinaryOperator::PGNotILikeMatch => condition(not(self.like(left, right, None, true)?)),
            _ => self.fault(format!("expected an operator that filters have, found `{op}`"), tree.span()),
        }
    }

    /// The conditions of a chain of one operator: `a AND b AND c` leans to the
    /// left, as deep as it is long.
    fn chain(&mut self, tree: &Expr, operator: &BinaryOperator) -> Result<Vec<Expression>, FilterError> {
        let mut links = Vec::new();
        let mut spine = tree;
        while let Expr::BinaryOp { left, op, right } = spine
            && op == operator
        {
            links.push(&**right);
            spine = left;
        }
        links.push(spine);
        links.into_iter().rev().map(|link| self.condition(link)).collect()
    }

    fn compare(&mut self, comparison: Comparison, left: &Expr, right: &Expr) -> Result<Expression, FilterError> {
        let mut one = self.value(left)?;
        let mut other = self.value(right)?;
        self.fit(&mut one, left, &mut other, right)?;
        Ok(Expression::Compare(comparison, Box::new(one.expression), Box::new(other.expression)))
    }

    /// Makes the types of two values one, where there is a way.
    fn fit(&self, left: &mut Typed, left_tree: &Expr, right: &mut Typed, right_tree: &Expr) -> Result<(), FilterError> {
        let (Some(one), Some(other)) = (left.kind, right.kind) else {
            return Ok(());
        };
        if one == other || (one.is_number() && other.is_number()) {
            return Ok(());
        }
        for (date, text, tree) in [(one, &mut *right, right_tree), (other, &mut *left, left_tree)] {
            if date == ColumnType::Date
                && let Expression::Constant(Constant::Text(written)) = &text.expression
            {
                *text = self.date(&written.clone(), tree.span())?;
                return Ok(());
            }
        }
        for (number, text) in [(one, &mut *right), (other, &mut *left)] {
            if number.is_number() && text.is_raw {
                let inner = std::mem::replace(&mut text.expression, Expression::Constant(Constant::Null));
                text.expression = Expression::Call(Function::Cast(ColumnType::Float), vec![inner]);
                (text.kind, text.is_raw) = (Some(ColumnType::Float), false);
                return Ok(());
            }
        }
        // The column says what is wanted; what stands beside it is at fault.
        let (wanted, beside, found, tree) = match &left.expression {
            Expression::Constant(_) => (other, right_tree, one, left_tree),
            _ => (one, left_tree, other, right_tree),
        };
        let beside = beside.to_string();
        let beside = if beside.len() > 40 { "the other side".to_owned() } else { format!("`{beside}`") };
        let (wanted, found) = (called(Some(wanted)), called(Some(found)));
        self.fault(format!("expected {wanted} to compare with {beside}, found {found}"), tree.span())
    }

    fn number(&mut self, tree: &Expr) -> Result<Typed, FilterError> {
        let mut typed = self.value(tree)?;
        if typed.is_raw {
            typed.expression = Expression::Call(Function::Cast(ColumnType::Float), vec![typed.expression]);
            (typed.kind, typed.is_raw) = (Some(ColumnType::Float), false);
        }
        if typed.is_number() {
            return Ok(typed);
        }
        self.fault(format!("expected a number, found {}", called(typed.kind)), tree.span())
    }

    pub(super) fn number_expression(&mut self, tree: &Expr) -> Result<Typed, FilterError> {
        self.number(tree)
    }

    pub(super) fn text_value(&mut self, tree: &Expr) -> Result<Expression, FilterError> {
        let typed = self.value(tree)?;
        match typed.kind {
            None | Some(ColumnType::Text) => Ok(typed.expression),
            kind => self.fault(format!("expected a text, found {}", called(kind)), tree.span()),
        }
    }

    pub(super) fn date_value(&mut self, tree: &Expr) -> Result<Expression, FilterError> {
        let typed = self.value(tree)?;
        match typed.kind {
            None | Some(ColumnType::Date) => Ok(typed.expression),
            kind => self.fault(format!("expected a date, found {}", called(kind)), tree.span()),
        }
    }

    fn pattern_text(&self, tree: &Expr) -> Result<String, FilterError> {
        match tree {
            Expr::Value(ValueWithSpan {
                value: Literal::SingleQuotedString(text) | Literal::EscapedStringLiteral(text),
                ..
            }) => Ok(text.clone()),
            _ => self.fault("expected a pattern between single quotes, found an expression", tree.span()),
        }
    }

    fn like(
        &mut self,
        text: &Expr,
        pattern: &Expr,
        escape: Option<&Expr>,
        ignore_case: bool,
    ) -> Result<Expression, FilterError> {
        let text = self.text_value(text)?;
        let like = self.pattern_text(pattern)?;
        let escape = match escape {
            None => Some('\\'),
            Some(tree) => {
                let escape = self.pattern_text(tree)?;
                let mut chars = escape.chars();
                match (chars.next(), chars.next()) {
                    (escape, None) => escape,
                    _ => return self.fault("expected one character as escape, found more", tree.span()),
                }
            }
        };
        match Pattern::like(&like, escape, ignore_case) {
            Ok(pattern) => Ok(Expression::Match(Box::new(text), pattern)),
            Err(message) => self.fault(message, pattern.span()),
        }
    }

    fn regex(&mut self, text: &Expr, pattern: &Expr, ignore_case: bool) -> Result<Expression, FilterError> {
        let text = self.text_value(text)?;
        let regex = self.pattern_text(pattern)?;
        match Pattern::regex(&regex, ignore_case) {
            Ok(pattern) => Ok(Expression::Match(Box::new(text), pattern)),
            Err(message) => self.fault(message, pattern.span()),
        }
    }

    /// `'x' = ANY('C')`: the parser takes this `any` for SQL's own.
    fn any_on_the_right(&mut self, left: &Expr, operator: &BinaryOperator, right: &Expr) -> Result<Typed, FilterError> {
        let call = Expr::Function(super::functions::any_call(right));
        let turned = Expr::BinaryOp { left: Box::new(left.clone()), op: operator.clone(), right: Box::new(call) };
        self.value(&turned)
    }

    /// `any('C')`.
    pub(super) fn any_of(&mut self, ident: Vec<u8>, span: Span) -> Result<Typed, FilterError> {
        let shown = String::from_utf8_lossy(&ident).into_owned();
        match &mut self.any {
            Any::Inside(known @ None) => *known = Some(ident),
            Any::Inside(Some(known)) if *known == ident => {}
            Any::Inside(Some(_)) => return self.fault("expected one property in any(), found another", span),
            Any::Outside => {
                let message = format!("expected a comparison of any('{shown}') with a constant, found it alone");
                return self.fault(message, span);
            }
        }
        Ok(Typed::new(Expression::Given, ColumnType::Text))
    }

    pub(super) fn is_inside_any(&self) -> bool {
        matches!(self.any, Any::Inside(_))
    }
}

fn not(expression: Expression) -> Expression {
    Expression::Not(Box::new(expression))
}

fn arithmetic(operator: Operator, left: Typed, right: Typed) -> Typed {
    let is_whole = |typed: &Typed| typed.kind.is_none_or(|kind| kind == ColumnType::Int);
    let kind = if is_whole(&left) && is_whole(&right) { ColumnType::Int } else { ColumnType::Float };
    Typed::new(Expression::Arithmetic(operator, Box::new(left.expression), Box::new(right.expression)), kind)
}

/// True for what compares: `any()` reaches as far as one of these.
fn is_predicate(tree: &Expr) -> bool {
    match tree {
        Expr::BinaryOp { op, .. } => !matches!(op, BinaryOperator::And | BinaryOperator::Or),
        Expr::Between { .. } | Expr::InList { .. } | Expr::Like { .. } | Expr::ILike { .. } | Expr::IsNull(_) => true,
        _ => false,
    }
}

/// True if `any()` is called in `tree`. Looks no deeper than can be compiled.
fn mentions_any(tree: &Expr, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let inside = |inner: &Expr| mentions_any(inner, depth + 1);
    match tree {
        Expr::Function(function) => {
            function.name.to_string().eq_ignore_ascii_case("any")
                || super::functions::arguments(function).is_some_and(|arguments| arguments.into_iter().any(inside))
        }
        Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } | Expr::IsNull(inner) => inside(inner),
        Expr::Cast { expr, .. } | Expr::Extract { expr, .. } => inside(expr),
        Expr::BinaryOp { left, right, .. } => inside(left) || inside(right),
        Expr::Between { expr, low, high, .. } => inside(expr) || inside(low) || inside(high),
        Expr::InList { expr, list, .. } => inside(expr) || list.iter().any(inside),
        Expr::Like { expr, .. } | Expr::ILike { expr, .. } => inside(expr),
        _ => false,
    }
}
