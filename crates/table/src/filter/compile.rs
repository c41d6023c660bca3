//! Compiles tokens to a small typed expression, which can only be true, false or NULL. Names, types
//! and patterns are resolved here. No expression is deeper than [`MAX_DEPTH`], so functions may
//! recurse over it.

use std::ops::Range;

use crate::find::Query;
use crate::row::{Column, ColumnSet, ColumnType, FilledRow, Probes, nearest};
use sgfstream_game::value::Dates;

use super::FilterError;
use super::dates::{Interval, today};
use super::expression::{Expression, Function, HitFact, Operator, Role, Value};
use super::tokens::{Token, tokens};

/// Number of moves in `first_moves_canonical`, as in `first_moves`.
const FIRST_MOVES: u64 = 8;

/// Maximum depth of an expression, and of the compiler's recursion.
const MAX_DEPTH: usize = 64;

/// SQL words that cannot begin a value here.
const RESERVED: [&str; 18] = [
    "select", "exists", "interval", "array", "row", "and", "or", "in", "between", "like", "ilike",
    "is", "when", "then", "else", "end", "from", "as",
];

/// Words of operators and types, for suggestions.
const WORDS: [&str; 18] = [
    "and", "or", "not", "in", "between", "like", "ilike", "is", "when", "then", "else", "end",
    "as", "int", "float", "text", "date", "null",
];

/// Binding powers of operators; see PostgreSQL's table.
pub(super) mod power {
    pub(in crate::filter) const OR: u8 = 1;
    pub(in crate::filter) const AND: u8 = 2;
    pub(in crate::filter) const NOT: u8 = 3;
    pub(in crate::filter) const IS: u8 = 4;
    pub(in crate::filter) const COMPARE: u8 = 5;
    /// BETWEEN, IN, LIKE.
    pub(in crate::filter) const RANGE: u8 = 6;
    pub(in crate::filter) const CONCAT: u8 = 7;
    pub(in crate::filter) const SUM: u8 = 8;
    pub(in crate::filter) const PRODUCT: u8 = 9;
}

/// Inputs of expressions: columns, and questions about the game.
#[derive(Clone, Debug, Default)]
pub(super) struct RequiredInputs {
    pub(super) columns: ColumnSet,
    pub(super) probes: Probes,
    /// Whether an expression uses numbers that count from the start of the entry.
    pub(super) needs_whole_entries: bool,
}

impl RequiredInputs {
    /// Returns an empty row with these inputs and with `more` columns.
    pub(super) fn row(&self, more: ColumnSet) -> FilledRow {
        let mut columns = self.columns;
        columns.extend(more);
        FilledRow::with_probes(columns, self.probes.clone())
            .needing_whole_entries(self.needs_whole_entries)
    }

    /// Returns whether a column or a question is about a text.
    pub(super) fn ask_text(&self) -> bool {
        self.columns.any(Column::is_of_texts) || self.probes.ask_text()
    }
}

/// Compiles a condition. Returns it with its inputs.
pub(super) fn compile(text: &str) -> Result<(Expression, RequiredInputs), FilterError> {
    let mut compiler = Compiler::new(text, RequiredInputs::default())?;
    compiler.is_condition = true;
    let condition = compiler.expression(0)?;
    if !matches!(compiler.peek(), Token::End) {
        return compiler.expected("an operator or the end of the expression");
    }
    let condition = compiler.condition(condition)?.expression;
    let condition = if compiler.has_player {
        Expression::AnyPair(Box::new(condition))
    } else {
        condition
    };
    let mut wanted = compiler.wanted;
    wanted.needs_whole_entries = wanted.columns.any(Column::counts_in_entry);
    Ok((condition, wanted))
}

/// A value of a compiled list.
pub(super) struct ListItem {
    pub(super) expression: Expression,
    pub(super) column_type: ColumnType,
    /// Place of its source text.
    pub(super) span: Range<usize>,
    /// The columns that it uses.
    pub(super) columns: ColumnSet,
    /// The name after `AS`.
    pub(super) alias: Option<String>,
}

/// Compiles a list of values. Adds their inputs to `wanted`.
pub(super) fn compile_list(
    text: &str,
    wanted: RequiredInputs,
) -> Result<(Vec<ListItem>, RequiredInputs), FilterError> {
    let mut compiler = Compiler::new(text, wanted)?;
    let mut list = Vec::new();
    loop {
        let before = std::mem::take(&mut compiler.wanted.columns);
        let typed = compiler.expression(0)?;
        compiler.refuse_any(&typed)?;
        let columns = compiler.wanted.columns;
        compiler.wanted.columns.extend(before);
        let alias = if compiler.take("AS") {
            Some(compiler.name()?)
        } else {
            None
        };
        let column_type = typed.kind.unwrap_or(ColumnType::Text);
        list.push(ListItem {
            expression: typed.expression,
            column_type,
            span: typed.facts.span,
            columns,
            alias,
        });
        if !compiler.take(",") {
            break;
        }
    }
    match compiler.peek() {
        Token::End => Ok((list, compiler.wanted)),
        _ => compiler.expected("a comma or the end of the columns"),
    }
}

/// An expression with its type; NULL has no type.
#[derive(Clone)]
pub(super) struct Typed {
    pub(super) expression: Expression,
    pub(super) kind: Option<ColumnType>,
    /// Text of the game that may be read as a number.
    pub(super) is_raw: bool,
    /// The number of the move, if the expression is one, such as `move(4)`.
    pub(super) move_number: Option<u64>,
    pub(super) facts: Facts,
}

/// Facts about an expression that operators need.
#[derive(Clone, Default)]
pub(super) struct Facts {
    /// Place of the expression in the source.
    pub(super) span: Range<usize>,
    pub(super) depth: usize,
    /// The property of an `any()` that has no comparison yet, and the place of the `any()`.
    pub(super) any: Option<(Vec<u8>, Range<usize>)>,
    /// The first question about the game, in words for a message, and its place.
    pub(super) asks: Option<(String, Range<usize>)>,
}

impl Typed {
    pub(super) fn new(expression: Expression, kind: ColumnType, facts: Facts) -> Self {
        Self {
            expression,
            kind: Some(kind),
            is_raw: false,
            move_number: None,
            facts,
        }
    }

    /// Returns the text, if the expression is just a quoted text.
    pub(super) fn literal(&self) -> Option<&str> {
        match &self.expression {
            Expression::Constant(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn read_as_number(&mut self) {
        let text = std::mem::replace(&mut self.expression, Expression::Constant(Value::Null));
        self.expression = Expression::Call(Function::Cast(ColumnType::Float), vec![text]);
        (self.kind, self.is_raw) = (Some(ColumnType::Float), false);
    }
}

/// Returns the name of a type for messages.
pub(super) fn called(kind: Option<ColumnType>) -> &'static str {
    match kind {
        None => "NULL",
        Some(ColumnType::Text) => "a text",
        Some(ColumnType::Int | ColumnType::Float) => "a number",
        Some(ColumnType::Date) => "a date",
        Some(ColumnType::Bool) => "a condition",
    }
}

pub(super) struct Compiler<'t> {
    pub(super) text: &'t str,
    /// The last token is [`Token::End`].
    tokens: Vec<(Token<'t>, Range<usize>)>,
    at: usize,
    level: usize,
    pub(super) wanted: RequiredInputs,
    /// Whether `player` and `opponent` are allowed.
    is_condition: bool,
    has_player: bool,
}

pub(super) type Compiled = Result<Typed, FilterError>;

impl<'t> Compiler<'t> {
    fn new(text: &'t str, wanted: RequiredInputs) -> Result<Self, FilterError> {
        Ok(Self {
            text,
            tokens: tokens(text)?,
            at: 0,
            level: 0,
            wanted,
            is_condition: false,
            has_player: false,
        })
    }

    pub(super) fn peek(&self) -> &Token<'t> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> &Token<'t> {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].0
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.at].1.clone()
    }

    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn take(&mut self, word_or_sign: &str) -> bool {
        let is_next = self.peek().is(word_or_sign);
        if is_next {
            self.advance();
        }
        is_next
    }

    pub(super) fn expect(&mut self, word_or_sign: &str) -> Result<(), FilterError> {
        if self.take(word_or_sign) {
            Ok(())
        } else {
            self.expected(&format!("`{word_or_sign}`"))
        }
    }

    /// Parses a name after AS.
    fn name(&mut self) -> Result<String, FilterError> {
        let name = match self.peek() {
            Token::Word(word) => (*word).to_owned(),
            Token::Name(name) => name.clone(),
            _ => return self.expected("a name after AS"),
        };
        self.advance();
        Ok(name)
    }

    pub(super) fn expected<T>(&self, what: &str) -> Result<T, FilterError> {
        let span = self.span();
        let found = match self.peek() {
            Token::End => "the end of the expression".to_owned(),
            _ => format!("`{}`", &self.text[span.clone()]),
        };
        let hint = match self.peek() {
            Token::Sign("==") => "; write `=`",
            Token::Sign("&&" | "&") => "; write AND",
            Token::Sign("|") => "; write OR",
            Token::Sign("!") => "; write NOT",
            Token::Word(word) if word.eq_ignore_ascii_case("interval") => {
                "; an INTERVAL follows a date and `+` or `-`"
            }
            _ => "",
        };
        let near = match self.peek() {
            Token::Word(word) if hint.is_empty() => {
                nearest(word, WORDS).filter(|near| !word.eq_ignore_ascii_case(near))
            }
            _ => None,
        };
        let near = near.map_or_else(String::new, |near| {
            format!("; did you mean {}?", near.to_uppercase())
        });
        self.fault(format!("expected {what}, found {found}{hint}{near}"), &span)
    }

    pub(super) fn fault<T>(
        &self,
        message: impl Into<String>,
        span: &Range<usize>,
    ) -> Result<T, FilterError> {
        Err(FilterError::new(message, self.text, span.clone()))
    }

    /// Returns the facts of the expression that begins at `start` and ends before the current
    /// token, from the facts of its parts.
    pub(super) fn facts(
        &self,
        start: usize,
        parts: impl IntoIterator<Item = Facts>,
    ) -> Result<Facts, FilterError> {
        let span = start..self.tokens[self.at.saturating_sub(1)].1.end;
        let mut facts = Facts {
            span,
            ..Facts::default()
        };
        for part in parts {
            facts.depth = facts.depth.max(part.depth);
            facts.asks = facts.asks.or(part.asks);
            match (&facts.any, part.any) {
                (Some((known, _)), Some((other, span))) if *known != other => {
                    return self.fault(
                        "all any() in one comparison must name the same property",
                        &span,
                    );
                }
                (None, any) => facts.any = any,
                _ => {}
            }
        }
        facts.depth += 1;
        if facts.depth > MAX_DEPTH {
            self.too_deep(&facts.span)
        } else {
            Ok(facts)
        }
    }

    fn too_deep<T>(&self, span: &Range<usize>) -> Result<T, FilterError> {
        self.fault(
            format!("the expression has more than {MAX_DEPTH} nested levels"),
            span,
        )
    }

    // expression = operand { operator-that-binds-more-than-`power` … }
    pub(super) fn expression(&mut self, power: u8) -> Compiled {
        if self.level == MAX_DEPTH {
            return self.too_deep(&self.span());
        }
        self.level += 1;
        let mut left = self.operand()?;
        while let Some((infix, own_power, is_negated)) = self.infix()
            && own_power > power
        {
            self.at += 1 + usize::from(self.peek().is("not"));
            left = self.operation(left, infix, own_power, is_negated)?;
        }
        self.level -= 1;
        Ok(left)
    }

    // operand = literal | name | call | "(" expression ")" | ( "NOT" | "-" ) expression
    fn operand(&mut self) -> Compiled {
        let span = self.span();
        let start = span.start;
        match self.peek().clone() {
            Token::Number(digits) => self.number_of(digits, &span),
            Token::Text(text) => {
                self.advance();
                self.constant(Value::Text(text.into()), ColumnType::Text, start)
            }
            Token::Name(name) => {
                self.advance();
                self.column(&name, start)
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.expression(0)?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Sign("-") => {
                self.advance();
                let inner = self.expression(power::PRODUCT)?;
                let zero = self.constant(Value::Int(0), ColumnType::Int, start)?;
                self.arithmetic(Operator::Subtract, zero, inner)
            }
            Token::Word(word) => self.word(word, start),
            Token::Sign(_) | Token::End => self.expected("an expression"),
        }
    }

    fn number_of(&mut self, digits: &str, span: &Range<usize>) -> Compiled {
        self.advance();
        match (digits.parse(), digits.parse::<f64>()) {
            (Ok(number), _) => self.constant(Value::Int(number), ColumnType::Int, span.start),
            (_, Ok(number)) if number.is_finite() => {
                self.constant(Value::Float(number), ColumnType::Float, span.start)
            }
            _ => self.fault(format!("expected a number, found `{digits}`"), span),
        }
    }

    fn constant(&self, value: Value<'static>, kind: ColumnType, start: usize) -> Compiled {
        self.typed(Expression::Constant(value), kind, start, [])
    }

    /// Returns an expression that begins at `start` and ends before the current token, with the
    /// facts of its parts.
    pub(super) fn typed(
        &self,
        expression: Expression,
        kind: ColumnType,
        start: usize,
        parts: impl IntoIterator<Item = Facts>,
    ) -> Compiled {
        Ok(Typed::new(expression, kind, self.facts(start, parts)?))
    }

    /// Returns the call of a function, like [`typed`](Self::typed).
    pub(super) fn call_of(
        &self,
        function: Function,
        kind: ColumnType,
        start: usize,
        arguments: impl IntoIterator<Item = Typed>,
    ) -> Compiled {
        let (values, facts) = parts_of(arguments);
        self.typed(Expression::Call(function, values), kind, start, facts)
    }

    fn word(&mut self, written: &str, start: usize) -> Compiled {
        let word = written.to_lowercase();
        let is_call = self.peek_at(1).is("(");
        if RESERVED.contains(&word.as_str()) {
            return self.expected("a value or condition");
        }
        self.advance();
        match word.as_str() {
            "null" => Ok(Typed {
                kind: None,
                ..self.constant(Value::Null, ColumnType::Bool, start)?
            }),
            "true" | "false" => self.constant(Value::Bool(word == "true"), ColumnType::Bool, start),
            "not" => self.not(start),
            "date" if matches!(self.peek(), Token::Text(_)) => self.day(start),
            "current_date" => self.current_date(start),
            "case" => self.case(start),
            "cast" if is_call => self.cast(start),
            _ if is_call => self.call(&word, start),
            _ => self.column(written, start),
        }
    }

    fn not(&mut self, start: usize) -> Compiled {
        let inner = self.expression(power::NOT)?;
        let Typed {
            expression, facts, ..
        } = self.condition(inner)?;
        let negated = Expression::Not(Box::new(expression));
        self.typed(negated, ColumnType::Bool, start, [facts])
    }

    /// Parses `DATE '1990-12-24'`, after DATE.
    fn day(&mut self, start: usize) -> Compiled {
        let (token, span) = (self.peek().clone(), self.span());
        let Token::Text(text) = token else {
            return self.expected("a date between single quotes");
        };
        self.advance();
        self.typed(self.date(&text, &span)?, ColumnType::Date, start, [])
    }

    /// Parses `date + INTERVAL '7 days'`, from INTERVAL on.
    pub(super) fn shifted(&mut self, date: Typed, is_back: bool) -> Compiled {
        let start = date.facts.span.start;
        let date = self.of_type(date, ColumnType::Date)?;
        self.advance();
        let (token, span) = (self.peek().clone(), self.span());
        let Token::Text(text) = token else {
            return self.expected("an interval such as '7 days'");
        };
        let interval = match Interval::parse(&text) {
            Ok(interval) if is_back => interval.negated(),
            Ok(interval) => interval,
            Err(message) => return self.fault(message, &span),
        };
        self.advance();
        let constant = match date.expression {
            Expression::Constant(Value::Date(date)) => Some(date),
            _ => None,
        };
        let mut shifted =
            self.call_of(Function::Shift(interval), ColumnType::Date, start, [date])?;
        // Compute a constant here, instead of for each game.
        if let Some(date) = constant {
            shifted.expression = match interval.after(date) {
                Some(date) => Expression::Constant(Value::Date(date)),
                None => {
                    let message = "the date is outside the years 1 to 9999";
                    return self.fault(message, &shifted.facts.span);
                }
            };
        }
        Ok(shifted)
    }

    /// Parses CURRENT_DATE, which is the same for all games of a run.
    fn current_date(&self, start: usize) -> Compiled {
        match today() {
            Some(date) => self.constant(Value::Date(date), ColumnType::Date, start),
            None => self.fault(
                "this platform has no clock for CURRENT_DATE",
                &self.facts(start, [])?.span,
            ),
        }
    }

    // list = "(" [ expression { "," expression } ] ")"
    pub(super) fn list(&mut self, may_be_empty: bool) -> Result<Vec<Typed>, FilterError> {
        let mut list = Vec::new();
        self.expect("(")?;
        if may_be_empty && self.take(")") {
            return Ok(list);
        }
        loop {
            list.push(self.expression(0)?);
            if !self.take(",") {
                self.expect(")")?;
                return Ok(list);
            }
        }
    }

    fn cast(&mut self, start: usize) -> Compiled {
        self.expect("(")?;
        let value = self.expression(0)?;
        self.expect("as")?;
        let kinds = [
            ("int", ColumnType::Int),
            ("float", ColumnType::Float),
            ("text", ColumnType::Text),
            ("date", ColumnType::Date),
        ];
        let Some(&(_, kind)) = kinds.iter().find(|(name, _)| self.peek().is(name)) else {
            return self.expected("INT, FLOAT, TEXT or DATE");
        };
        self.advance();
        self.expect(")")?;
        let is_possible = match (value.kind, kind) {
            (None | Some(ColumnType::Text), _) | (_, ColumnType::Text) => true,
            (Some(from), to) => from == to || (from.is_number() && to.is_number()),
        };
        if !is_possible {
            return self.fault("this value cannot be cast to the type", &value.facts.span);
        }
        self.call_of(Function::Cast(kind), kind, start, [value])
    }

    /// Returns the expression as a condition, in which every `any()` has its comparison.
    pub(super) fn condition(&self, typed: Typed) -> Compiled {
        self.refuse_any(&typed)?;
        self.of_type(typed, ColumnType::Bool)
    }

    pub(super) fn refuse_any(&self, typed: &Typed) -> Result<(), FilterError> {
        let Some((ident, span)) = &typed.facts.any else {
            return Ok(());
        };
        let ident = String::from_utf8_lossy(ident);
        self.fault(
            format!("any('{ident}') must be compared with a constant"),
            span,
        )
    }

    /// Returns the expression, which must have this type.
    pub(super) fn of_type(&self, typed: Typed, wanted: ColumnType) -> Compiled {
        match typed.kind {
            Some(kind) if kind != wanted => {
                let message = format!(
                    "expected {}, found {}",
                    called(Some(wanted)),
                    called(Some(kind))
                );
                self.fault(message, &typed.facts.span)
            }
            _ => Ok(typed),
        }
    }

    pub(super) fn number(&self, mut typed: Typed) -> Compiled {
        if typed.is_raw {
            typed.read_as_number();
        }
        if typed.kind.is_none_or(ColumnType::is_number) {
            return Ok(typed);
        }
        self.fault(
            format!("expected a number, found {}", called(typed.kind)),
            &typed.facts.span,
        )
    }

    pub(super) fn date(&self, text: &str, span: &Range<usize>) -> Result<Expression, FilterError> {
        match Dates::parse(text.as_bytes()).map(|dates| dates.as_slice().to_vec()) {
            Ok(dates) if dates.len() == 1 => {
                Ok(Expression::Constant(Value::Date(dates[0].first_day())))
            }
            _ => self.fault(
                format!(
                    "expected a date such as '1990-12-24', '1990-12' or '1990', found '{text}'"
                ),
                span,
            ),
        }
    }

    fn column(&mut self, name: &str, start: usize) -> Compiled {
        let mut facts = self.facts(start, [])?;
        let roles = [
            ("player", Role::Player),
            ("opponent", Role::Opponent),
            ("player_color", Role::PlayerColor),
        ];
        if let Some((name, role)) = roles
            .into_iter()
            .find(|(role, _)| role.eq_ignore_ascii_case(name))
        {
            if !self.is_condition {
                let message = format!("`{name}` can only be used in a condition");
                return self.fault(message, &facts.span);
            }
            self.has_player = true;
            for column in ["pb", "pw", "p1", "p2", "p3", "p4"]
                .into_iter()
                .filter_map(Column::find)
            {
                self.wanted.columns.insert(column);
            }
            facts.asks = Some((format!("`{name}`"), facts.span.clone()));
            return Ok(Typed::new(
                Expression::Player(role),
                ColumnType::Text,
                facts,
            ));
        }
        if name.eq_ignore_ascii_case("first_moves_canonical") {
            let probe = self
                .wanted
                .probes
                .push_query(Query::opening(FIRST_MOVES), false);
            return Ok(asking(Expression::Opening(probe), ColumnType::Text, facts));
        }
        let found = HitFact::ALL
            .iter()
            .find(|(known, ..)| known.eq_ignore_ascii_case(name));
        if let (Some(&(_, found, kind)), Some(_)) = (found, self.wanted.probes.finder()) {
            return Ok(asking(Expression::Found(found), kind, facts));
        }
        let Some(column) = Column::find(name) else {
            let others = [
                "current_date",
                "player",
                "opponent",
                "player_color",
                "first_moves_canonical",
            ];
            let hint = match nearest(
                name,
                Column::all().iter().map(|column| column.name).chain(others),
            ) {
                _ if name.eq_ignore_ascii_case("ply") => {
                    "`moves` is the number of moves".to_owned()
                }
                _ if ["comment", "comments"]
                    .iter()
                    .any(|word| name.eq_ignore_ascii_case(word)) =>
                {
                    "`any('C')` tests each comment".to_owned()
                }
                _ if name.eq_ignore_ascii_case("rank") => {
                    "`br_level` and `wr_level` are ranks as numbers".to_owned()
                }
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("see `sgfq get --list`, or quote text as '{name}'"),
            };
            return self.fault(format!("unknown column `{name}`; {hint}"), &facts.span);
        };
        self.wanted.columns.insert(column);
        facts.asks = Some((format!("the column `{}`", column.name), facts.span.clone()));
        Ok(Typed::new(
            Expression::Column(column),
            column.column_type,
            facts,
        ))
    }
}

/// Returns the expressions and the facts of several expressions.
pub(super) fn parts_of(all: impl IntoIterator<Item = Typed>) -> (Vec<Expression>, Vec<Facts>) {
    all.into_iter()
        .map(|typed| (typed.expression, typed.facts))
        .unzip()
}

/// Returns an expression that asks a question about the game.
pub(super) fn asking(expression: Expression, kind: ColumnType, facts: Facts) -> Typed {
    let asks = Some(("a question about the game".to_owned(), facts.span.clone()));
    Typed::new(expression, kind, Facts { asks, ..facts })
}
