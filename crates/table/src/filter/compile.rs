//! The syntax tree to the small typed expression. Names, types and patterns
//! are settled here; what is left can only be true, false or NULL.

use std::ops::Range;
use std::sync::Arc;

use crate::find::Query;
use crate::row::{Column, ColumnSet, ColumnType, Probe, Probes};
use sgfstream_game::value::Dates;

use super::FilterError;
use super::evaluate::{Subject, Value};
use super::expression::{Comparison, Constant, Expression, Found, Function, Operator};
use super::pattern::Pattern;
use super::syntax::{Op, Tree, parse, parse_list};

/// Moves of `first_moves_canonical`, as many as `first_moves` has.
const FIRST_MOVES: u64 = 8;

/// Inputs of expressions: columns, and questions about the game.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    pub(super) columns: ColumnSet,
    pub(super) probes: Probes,
}

/// The condition of `text`, and what it looks at.
pub(super) fn compile(text: &str) -> Result<(Expression, Wanted), FilterError> {
    let tree = parse(text)?;
    let mut compiler = Compiler { text, wanted: Wanted::default(), any: Any::Outside, player: None };
    if !tree.names(&["player", "opponent"]) {
        let expression = compiler.condition(&tree)?;
        return Ok((expression, compiler.wanted));
    }
    // Either colour: the condition with Black as the player, or with White.
    let mut either = Vec::new();
    for is_black in [true, false] {
        compiler.player = Some(is_black);
        either.push(compiler.condition(&tree)?);
    }
    Ok((Expression::Or(either), compiler.wanted))
}

/// A value of a list: its type, the place of its text, the columns it looks at.
pub(super) type Listed = (Expression, ColumnType, Range<usize>, ColumnSet);

/// The values of a list; what they look at is added to `wanted`.
pub(super) fn compile_list(text: &str, wanted: Wanted) -> Result<(Vec<Listed>, Wanted), FilterError> {
    let mut compiler = Compiler { text, wanted, any: Any::Outside, player: None };
    let value = |tree: &Tree| {
        let before = std::mem::take(&mut compiler.wanted.columns);
        let typed = compiler.value(tree)?;
        let columns = compiler.wanted.columns;
        compiler.wanted.columns.extend(before);
        Ok((typed.expression, typed.kind.unwrap_or(ColumnType::Text), tree.span.clone(), columns))
    };
    let values = parse_list(text)?.iter().map(value).collect::<Result<_, FilterError>>()?;
    Ok((values, compiler.wanted))
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

    fn read_as_number(&mut self) {
        let text = std::mem::replace(&mut self.expression, Expression::Constant(Constant::Null));
        *self = Self::new(Expression::Call(Function::Cast(ColumnType::Float), vec![text]), ColumnType::Float);
    }
}

/// Whether a comparison with `any()` is being compiled.
enum Any {
    Outside,
    Inside(Option<Vec<u8>>),
}

pub(super) struct Compiler<'t> {
    text: &'t str,
    pub(super) wanted: Wanted,
    any: Any,
    /// Whether `player` is Black, while that is settled.
    player: Option<bool>,
}

/// The arguments of a comparison of `move(4)` with a text, in either order.
fn move_and_text<'t>(left: &'t Tree, right: &'t Tree) -> Option<(&'t Tree, &'t Tree)> {
    let is_move = |tree: &Tree| matches!(&tree.op, Op::Call(name) if name == "move");
    let (call, text) = if is_move(left) { (left, right) } else { (right, left) };
    let is_pair = is_move(call) && matches!(text.op, Op::Text(_));
    is_pair.then_some((call, text))
}

/// Name of a type in a sentence.
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
    pub(super) fn fault<T>(&self, message: impl Into<String>, span: &Range<usize>) -> Result<T, FilterError> {
        Err(FilterError::new(message, self.text, span.clone()))
    }

    fn condition(&mut self, tree: &Tree) -> Result<Expression, FilterError> {
        self.of_type(tree, ColumnType::Bool)
    }

    /// The expression of `tree`, which must be of this type.
    pub(super) fn of_type(&mut self, tree: &Tree, wanted: ColumnType) -> Result<Expression, FilterError> {
        let typed = self.value(tree)?;
        match typed.kind {
            Some(kind) if kind != wanted => {
                self.fault(format!("expected {}, found {}", called(Some(wanted)), called(Some(kind))), &tree.span)
            }
            _ => Ok(typed.expression),
        }
    }

    /// A comparison with `any()` becomes a question about each value of the
    /// property.
    pub(super) fn value(&mut self, tree: &Tree) -> Result<Typed, FilterError> {
        if self.is_inside_any() || !tree.is_predicate() || !tree.has_any {
            return self.plain_value(tree);
        }
        self.any = Any::Inside(None);
        let typed = self.plain_value(tree);
        let Any::Inside(ident) = std::mem::replace(&mut self.any, Any::Outside) else {
            return typed;
        };
        let test = typed?.expression;
        let Some(ident) = ident else {
            return self.fault("expected an identifier between single quotes in any()", &tree.span);
        };
        let test = move |text: &str| match test.evaluate(Subject::Given(text)) {
            Value::Bool(value) => Some(value),
            _ => None,
        };
        let probe = self.wanted.probes.push(Probe::Any(ident, Arc::new(test)));
        Ok(Typed::new(Expression::ProbeTruth(probe), ColumnType::Bool))
    }

    fn plain_value(&mut self, tree: &Tree) -> Result<Typed, FilterError> {
        let constant = |constant, kind| Ok(Typed::new(Expression::Constant(constant), kind));
        let condition = match (&tree.op, &*tree.parts) {
            (Op::Null, _) => {
                return Ok(Typed { expression: Expression::Constant(Constant::Null), kind: None, is_raw: false });
            }
            (Op::Bool(value), _) => Expression::Constant(Constant::Bool(*value)),
            (Op::Number(digits), _) => {
                return match (digits.parse(), digits.parse::<f64>()) {
                    (Ok(number), _) => constant(Constant::Int(number), ColumnType::Int),
                    (_, Ok(number)) if number.is_finite() => constant(Constant::Float(number), ColumnType::Float),
                    _ => self.fault(format!("expected a number, found `{digits}`"), &tree.span),
                };
            }
            (Op::Text(text), _) => return constant(Constant::Text(text.clone()), ColumnType::Text),
            (Op::Date, [Tree { op: Op::Text(text), span, .. }]) => return self.date(text, span),
            (Op::Name(name), _) => return self.column(name, &tree.span),
            (Op::Plus, [inner]) => return self.number(inner),
            (Op::Minus, [inner]) => {
                let zero = Typed::new(Expression::Constant(Constant::Int(0)), ColumnType::Int);
                return Ok(arithmetic(Operator::Subtract, zero, self.number(inner)?));
            }
            (Op::Arithmetic(operator), [left, right]) => {
                let left = self.number(left)?;
                return Ok(arithmetic(*operator, left, self.number(right)?));
            }
            (Op::Concat, [left, right]) => {
                let parts = vec![self.of_type(left, ColumnType::Text)?, self.of_type(right, ColumnType::Text)?];
                return Ok(Typed::new(Expression::Call(Function::Concat, parts), ColumnType::Text));
            }
            (Op::Case { has_operand }, parts) => return self.case(*has_operand, parts),
            (Op::Cast(to), [value]) => return self.cast(value, *to),
            (Op::Call(name), arguments) => return self.call(name, arguments, tree),
            (Op::Not | Op::Negated, [inner]) => Expression::Not(Box::new(self.condition(inner)?)),
            (Op::And, parts) => Expression::And(self.conditions(parts)?),
            (Op::Or, parts) => Expression::Or(self.conditions(parts)?),
            (Op::Compare(Comparison::Equal), [left, right])
                if let Some((number, text)) = move_and_text(left, right) =>
            {
                self.move_is(number, text)?
            }
            (Op::Compare(Comparison::NotEqual), [left, right])
                if let Some((number, text)) = move_and_text(left, right) =>
            {
                Expression::Not(Box::new(self.move_is(number, text)?))
            }
            (Op::In, [needle, list @ ..]) if list.iter().all(|text| move_and_text(needle, text).is_some()) => {
                let pairs = list.iter().filter_map(|text| move_and_text(needle, text));
                let mut tests =
                    pairs.map(|(number, text)| self.move_is(number, text)).collect::<Result<Vec<_>, _>>()?;
                if tests.len() == 1 { tests.remove(0) } else { Expression::Or(tests) }
            }
            (Op::Compare(comparison), [left, right]) => {
                let [left, right] = self.pair(left, right)?;
                Expression::Compare(*comparison, left, right)
            }
            (Op::Between, [value, low, high]) => {
                let mut list = self.fitting(value, &[low, high])?.into_iter();
                let mut next = || list.next().unwrap_or(Expression::Constant(Constant::Null));
                Expression::Between(Box::new([next(), next(), next()]))
            }
            (Op::In, [needle, list @ ..]) => {
                let mut list = self.fitting(needle, &list.iter().collect::<Vec<_>>())?;
                Expression::In { needle: Box::new(list.remove(0)), list }
            }
            (Op::IsNull, [inner]) => Expression::IsNull(Box::new(self.value(inner)?.expression)),
            (Op::Is(value), [inner]) => Expression::Is(Box::new(self.condition(inner)?), *value),
            (Op::Like { ignore_case }, [text, pattern]) => {
                let text = self.of_type(text, ColumnType::Text)?;
                self.matches(text, Pattern::like(self.pattern_text(pattern)?, *ignore_case), pattern)?
            }
            (Op::Regex { ignore_case }, [text, pattern]) => {
                let text = self.of_type(text, ColumnType::Text)?;
                self.matches(text, Pattern::regex(self.pattern_text(pattern)?, *ignore_case), pattern)?
            }
            _ => return self.fault("expected a value or condition, found something else", &tree.span),
        };
        Ok(Typed::new(condition, ColumnType::Bool))
    }

    fn date(&self, text: &str, span: &Range<usize>) -> Result<Typed, FilterError> {
        match Dates::parse(text.as_bytes()).map(|dates| dates.as_slice().to_vec()) {
            Ok(dates) if dates.len() == 1 => {
                Ok(Typed::new(Expression::Constant(Constant::Date(dates[0].first_day())), ColumnType::Date))
            }
            _ => self.fault(format!("expected a date such as '1990-12-24', '1990-12' or '1990', found '{text}'"), span),
        }
    }

    fn column(&mut self, name: &str, span: &Range<usize>) -> Result<Typed, FilterError> {
        let name = match self.player {
            Some(is_black) if name.eq_ignore_ascii_case("player") => {
                if is_black {
                    "pb"
                } else {
                    "pw"
                }
            }
            Some(is_black) if name.eq_ignore_ascii_case("opponent") => {
                if is_black {
                    "pw"
                } else {
                    "pb"
                }
            }
            _ => name,
        };
        if name.eq_ignore_ascii_case("first_moves_canonical") && !self.is_inside_any() {
            let probe = self.wanted.probes.push_query(Query::opening(FIRST_MOVES), false);
            return Ok(Typed::new(Expression::Opening(probe), ColumnType::Text));
        }
        if ["player", "opponent"].iter().any(|player| name.eq_ignore_ascii_case(player)) {
            let message = format!("expected a column, found `{name}`, which only a condition can have");
            return self.fault(message, span);
        }
        let found = Found::ALL.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
        if let (Some(&(_, found, kind)), Some(_)) = (found, self.wanted.probes.finder()) {
            return Ok(Typed::new(Expression::Found(found), kind));
        }
        let Some(column) = Column::find(name) else {
            let hint = match Column::nearest(name) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("a text needs single quotes: '{name}'"),
            };
            return self.fault(format!("expected a column, found `{name}`; {hint}"), span);
        };
        if self.is_inside_any() {
            let message = format!("expected a constant beside any(), found the column `{}`", column.name);
            return self.fault(message, span);
        }
        self.wanted.columns.insert(column);
        Ok(Typed::new(Expression::Column(column), column.column_type))
    }

    fn conditions(&mut self, parts: &[Tree]) -> Result<Vec<Expression>, FilterError> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    fn pair(&mut self, left: &Tree, right: &Tree) -> Result<[Box<Expression>; 2], FilterError> {
        let mut one = self.value(left)?;
        let mut other = self.value(right)?;
        self.fit(&mut one, left, &mut other, right)?;
        Ok([Box::new(one.expression), Box::new(other.expression)])
    }

    /// A value, then those that it is compared with.
    fn fitting(&mut self, value: &Tree, others: &[&Tree]) -> Result<Vec<Expression>, FilterError> {
        let mut typed = self.value(value)?;
        let mut list = vec![Expression::Constant(Constant::Null)];
        for tree in others {
            let mut other = self.value(tree)?;
            self.fit(&mut typed, value, &mut other, tree)?;
            list.push(other.expression);
        }
        list[0] = typed.expression;
        Ok(list)
    }

    /// Makes the types of two values one, where there is a way.
    fn fit(&self, left: &mut Typed, left_tree: &Tree, right: &mut Typed, right_tree: &Tree) -> Result<(), FilterError> {
        let (Some(one), Some(other)) = (left.kind, right.kind) else {
            return Ok(());
        };
        if one == other || (one.is_number() && other.is_number()) {
            return Ok(());
        }
        for (kind, text, tree) in [(one, &mut *right, right_tree), (other, &mut *left, left_tree)] {
            if kind == ColumnType::Date
                && let Expression::Constant(Constant::Text(written)) = &text.expression
            {
                *text = self.date(&written.clone(), &tree.span)?;
                return Ok(());
            }
            if kind.is_number() && text.is_raw {
                text.read_as_number();
                return Ok(());
            }
        }
        // The column says which type is expected; the constant is at fault.
        let (wanted, beside, found, tree) = match &left.expression {
            Expression::Constant(_) => (other, right_tree, one, left_tree),
            _ => (one, left_tree, other, right_tree),
        };
        let beside = &self.text[beside.span.clone()];
        let beside = if beside.len() > 40 { "the other side".to_owned() } else { format!("`{beside}`") };
        let (wanted, found) = (called(Some(wanted)), called(Some(found)));
        self.fault(format!("expected {wanted} to compare with {beside}, found {found}"), &tree.span)
    }

    pub(super) fn number(&mut self, tree: &Tree) -> Result<Typed, FilterError> {
        let mut typed = self.value(tree)?;
        if typed.is_raw {
            typed.read_as_number();
        }
        if typed.is_number() {
            return Ok(typed);
        }
        self.fault(format!("expected a number, found {}", called(typed.kind)), &tree.span)
    }

    fn pattern_text<'p>(&self, tree: &'p Tree) -> Result<&'p str, FilterError> {
        match &tree.op {
            Op::Text(text) => Ok(text),
            _ => self.fault("expected a pattern between single quotes, found an expression", &tree.span),
        }
    }

    fn matches(
        &self,
        text: Expression,
        pattern: Result<Pattern, String>,
        tree: &Tree,
    ) -> Result<Expression, FilterError> {
        match pattern {
            Ok(pattern) => Ok(Expression::Match(Box::new(text), pattern)),
            Err(message) => self.fault(message, &tree.span),
        }
    }

    fn case(&mut self, has_operand: bool, parts: &[Tree]) -> Result<Typed, FilterError> {
        let (operand, parts) = parts.split_at(usize::from(has_operand));
        let (arms, otherwise) = parts.split_at(parts.len() - 1);
        let results: Vec<&Tree> = arms.iter().skip(1).step_by(2).chain(otherwise).collect();
        let conditions: Vec<&Tree> = arms.iter().step_by(2).collect();
        let (operand, conditions) = match operand {
            [operand] if conditions.iter().all(|text| move_and_text(operand, text).is_some()) => {
                let pairs = conditions.iter().filter_map(|text| move_and_text(operand, text));
                (None, pairs.map(|(number, text)| self.move_is(number, text)).collect::<Result<_, _>>()?)
            }
            [operand] => {
                let mut list = self.fitting(operand, &conditions)?;
                (Some(Box::new(list.remove(0))), list)
            }
            _ => (None, conditions.into_iter().map(|tree| self.condition(tree)).collect::<Result<_, _>>()?),
        };
        let (mut results, kind) = self.one_type(&results, "CASE")?;
        let otherwise = Box::new(results.pop().unwrap_or(Expression::Constant(Constant::Null)));
        let arms = conditions.into_iter().zip(results).collect();
        Ok(Typed { expression: Expression::Case { operand, arms, otherwise }, kind, is_raw: false })
    }

    /// Values of one type, and that type.
    pub(super) fn one_type(
        &mut self,
        values: &[&Tree],
        place: &str,
    ) -> Result<(Vec<Expression>, Option<ColumnType>), FilterError> {
        let mut kind: Option<ColumnType> = None;
        let mut expressions = Vec::new();
        for tree in values {
            let typed = self.value(tree)?;
            match (kind, typed.kind) {
                (None, found) => kind = found,
                (Some(_), None) => {}
                (Some(one), Some(other)) if one == other => {}
                (Some(one), Some(other)) if one.is_number() && other.is_number() => kind = Some(ColumnType::Float),
                _ => return self.fault(format!("expected values of one type in {place}, found several"), &tree.span),
            }
            expressions.push(typed.expression);
        }
        Ok((expressions, kind))
    }

    /// `any('C')`.
    pub(super) fn any_of(&mut self, ident: Vec<u8>, span: &Range<usize>) -> Result<Typed, FilterError> {
        match &mut self.any {
            Any::Inside(known @ None) => *known = Some(ident),
            Any::Inside(Some(known)) if *known == ident => {}
            Any::Inside(Some(_)) => return self.fault("expected one property in any(), found another", span),
            Any::Outside => {
                let ident = String::from_utf8_lossy(&ident);
                let message = format!("expected a comparison of any('{ident}') with a constant, found it alone");
                return self.fault(message, span);
            }
        }
        Ok(Typed::new(Expression::Given, ColumnType::Text))
    }

    pub(super) fn is_inside_any(&self) -> bool {
        matches!(self.any, Any::Inside(_))
    }
}

fn arithmetic(operator: Operator, left: Typed, right: Typed) -> Typed {
    let is_whole = |typed: &Typed| typed.kind.is_none_or(|kind| kind == ColumnType::Int);
    let kind = if is_whole(&left) && is_whole(&right) { ColumnType::Int } else { ColumnType::Float };
    Typed::new(Expression::Arithmetic(operator, Box::new(left.expression), Box::new(right.expression)), kind)
}
