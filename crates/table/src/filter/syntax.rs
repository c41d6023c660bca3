//! Tokens to a syntax tree, by the binding powers of PostgreSQL's operators.
//! The tree is never deeper than [`MAX_DEPTH`], so whatever walks it may
//! recurse.

use std::ops::Range;

use crate::row::ColumnType;

use super::FilterError;
use super::expression::{Comparison, Operator};
use super::tokens::{Token, tokens};

/// Levels of a tree, and of the parser that builds it.
const MAX_DEPTH: usize = 64;

/// How strongly an operator binds its operands; see PostgreSQL's table.
mod power {
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const NOT: u8 = 3;
    pub(super) const IS: u8 = 4;
    pub(super) const COMPARE: u8 = 5;
    /// BETWEEN, IN, LIKE.
    pub(super) const RANGE: u8 = 6;
    pub(super) const CONCAT: u8 = 7;
    pub(super) const SUM: u8 = 8;
    pub(super) const PRODUCT: u8 = 9;
}

/// Operation of a node of the tree on its parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    /// `DATE '…'`; the part is the text.
    Date,
    Name(String),
    /// `NOT x`.
    Not,
    /// The NOT of `x NOT IN …`: unlike [`Not`](Self::Not), it belongs to the
    /// comparison.
    Negated,
    Minus,
    Plus,
    And,
    Or,
    Compare(Comparison),
    Arithmetic(Operator),
    Concat,
    /// A text and a pattern.
    Like {
        ignore_case: bool,
    },
    Regex {
        ignore_case: bool,
    },
    /// A value and its two bounds.
    Between,
    /// A value and its candidates.
    In,
    IsNull,
    Is(bool),
    /// Pairs of a condition (of a candidate, if the first part is an operand)
    /// and a value, and the value of ELSE.
    Case {
        has_operand: bool,
    },
    Call(String),
    Cast(ColumnType),
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) op: Op,
    pub(super) parts: Vec<Tree>,
    /// The bytes it is made of.
    pub(super) span: Range<usize>,
    depth: usize,
    /// True if it depends on the value that `any()` gives.
    pub(super) has_any: bool,
}

impl Tree {
    /// True if one of these names is in it.
    pub(super) fn names(&self, names: &[&str]) -> bool {
        let is_one = |name: &String| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        matches!(&self.op, Op::Name(name) if is_one(name)) || self.parts.iter().any(|part| part.names(names))
    }

    /// True for what compares: a test of `any()` reaches as far as one.
    pub(super) fn is_predicate(&self) -> bool {
        matches!(
            self.op,
            Op::Negated | Op::Compare(_) | Op::Like { .. } | Op::Regex { .. } | Op::Between | Op::In | Op::IsNull
        )
    }
}

/// The syntax tree of `text`.
pub(super) fn parse(text: &str) -> Result<Tree, FilterError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, level: 0 };
    let tree = parser.expression(0)?;
    match parser.peek() {
        Token::End => Ok(tree),
        _ => parser.expected("an operator or the end of the expression"),
    }
}

/// The syntax trees of expressions with commas between them.
pub(super) fn parse_list(text: &str) -> Result<Vec<Tree>, FilterError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, level: 0 };
    let mut list = vec![parser.expression(0)?];
    while parser.take(",") {
        list.push(parser.expression(0)?);
    }
    match parser.peek() {
        Token::End => Ok(list),
        _ => parser.expected("a comma or the end of the columns"),
    }
}

struct Parser<'t> {
    text: &'t str,
    /// The last is [`Token::End`].
    tokens: Vec<(Token<'t>, Range<usize>)>,
    at: usize,
    level: usize,
}

type Parsed = Result<Tree, FilterError>;

impl<'t> Parser<'t> {
    fn peek(&self) -> &Token<'t> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &Token<'t> {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].0
    }

    fn span(&self) -> Range<usize> {
        self.tokens[self.at].1.clone()
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn take(&mut self, word_or_sign: &str) -> bool {
        let is_next = self.peek().is(word_or_sign);
        if is_next {
            self.advance();
        }
        is_next
    }

    fn expect(&mut self, word_or_sign: &str) -> Result<(), FilterError> {
        if self.take(word_or_sign) { Ok(()) } else { self.expected(&format!("`{word_or_sign}`")) }
    }

    fn expected<T>(&self, what: &str) -> Result<T, FilterError> {
        let span = self.span();
        let found = match self.peek() {
            Token::End => "the end".to_owned(),
            _ => format!("`{}`", &self.text[span.clone()]),
        };
        Err(FilterError::new(format!("expected {what}, found {found}"), self.text, span))
    }

    fn tree(&self, op: Op, parts: Vec<Tree>, start: usize) -> Parsed {
        let span = start..self.tokens[self.at.saturating_sub(1)].1.end;
        let depth = 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        let has_any = match &op {
            // The result of a test of any() is an ordinary condition for these.
            Op::Is(_) | Op::Case { .. } => false,
            Op::Call(name) if name == "any" => true,
            _ => parts.iter().any(|part| part.has_any),
        };
        Ok(Tree { op, parts, span, depth, has_any })
    }

    fn too_deep(&self, span: Range<usize>) -> FilterError {
        FilterError::new(format!("expected at most {MAX_DEPTH} levels, found one more"), self.text, span)
    }

    // expression = operand { operator-that-binds-more-than-`power` … }
    fn expression(&mut self, power: u8) -> Parsed {
        if self.level == MAX_DEPTH {
            return Err(self.too_deep(self.span()));
        }
        self.level += 1;
        let mut left = self.operand()?;
        while let Some(infix) = self.infix()
            && infix.power > power
        {
            self.at += infix.words;
            left = self.operation(left, infix)?;
        }
        self.level -= 1;
        Ok(left)
    }

    // operand = literal | name | call | "(" expression ")" | ( "NOT" | "-" | "+" ) expression
    fn operand(&mut self) -> Parsed {
        let start = self.span().start;
        let token = self.peek().clone();
        let op = match token {
            Token::Number(digits) => Op::Number(digits.to_owned()),
            Token::Text(text) => Op::Text(text),
            Token::Name(name) => Op::Name(name),
            Token::Sign("(") => {
                self.advance();
                let inner = self.expression(0)?;
                self.expect(")")?;
                return Ok(inner);
            }
            Token::Sign(sign @ ("-" | "+")) => {
                self.advance();
                let inner = self.expression(power::PRODUCT)?;
                return self.tree(if sign == "-" { Op::Minus } else { Op::Plus }, vec![inner], start);
            }
            Token::Word(word) => return self.word(word, start),
            Token::Sign(_) | Token::End => return self.expected("an expression"),
        };
        self.advance();
        self.tree(op, Vec::new(), start)
    }

    fn word(&mut self, word: &str, start: usize) -> Parsed {
        let word = word.to_lowercase();
        let is_call = self.peek_at(1).is("(");
        let is_text = matches!(self.peek_at(1), Token::Text(_));
        match word.as_str() {
            "select" | "exists" | "interval" | "array" | "row" | "and" | "or" | "in" | "between" | "like" | "ilike"
            | "is" | "when" | "then" | "else" | "end" | "from" | "as" => return self.expected("a value or condition"),
            _ => self.advance(),
        }
        let leaf = match word.as_str() {
            "null" => Op::Null,
            "true" => Op::Bool(true),
            "false" => Op::Bool(false),
            "not" => {
                let inner = self.expression(power::NOT)?;
                return self.tree(Op::Not, vec![inner], start);
            }
            "case" => return self.case(start),
            "date" if is_text => {
                let text = self.operand()?;
                return self.tree(Op::Date, vec![text], start);
            }
            "cast" if is_call => {
                self.expect("(")?;
                let value = self.expression(0)?;
                self.expect("as")?;
                let to = self.type_name()?;
                self.expect(")")?;
                return self.tree(Op::Cast(to), vec![value], start);
            }
            _ if is_call => {
                let arguments = self.list(true)?;
                return self.tree(Op::Call(word), arguments, start);
            }
            _ => Op::Name(self.text[start..self.tokens[self.at - 1].1.end].to_owned()),
        };
        self.tree(leaf, Vec::new(), start)
    }

    // list = "(" [ expression { "," expression } ] ")"
    fn list(&mut self, may_be_empty: bool) -> Result<Vec<Tree>, FilterError> {
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

    // case = "CASE" [ operand ] { "WHEN" expression "THEN" expression } [ "ELSE" expression ] "END"
    fn case(&mut self, start: usize) -> Parsed {
        let has_operand = !self.peek().is("when");
        let mut parts = Vec::new();
        if has_operand {
            parts.push(self.expression(0)?);
        }
        self.expect("when")?;
        loop {
            parts.push(self.expression(0)?);
            self.expect("then")?;
            parts.push(self.expression(0)?);
            if !self.take("when") {
                break;
            }
        }
        let null = self.tree(Op::Null, Vec::new(), start)?;
        parts.push(if self.take("else") { self.expression(0)? } else { null });
        self.expect("end")?;
        self.tree(Op::Case { has_operand }, parts, start)
    }

    fn type_name(&mut self) -> Result<ColumnType, FilterError> {
        let Token::Word(name) = *self.peek() else { return self.expected("INT, FLOAT, TEXT or DATE") };
        let kind = match name.to_lowercase().as_str() {
            "int" | "integer" | "bigint" => ColumnType::Int,
            "float" | "double" | "real" => ColumnType::Float,
            "text" | "varchar" | "string" => ColumnType::Text,
            "date" => ColumnType::Date,
            _ => return self.expected("INT, FLOAT, TEXT or DATE"),
        };
        self.advance();
        Ok(kind)
    }

    /// The operator that comes next, if one does.
    fn infix(&self) -> Option<Infix> {
        let compare = |comparison| (power::COMPARE, Op::Compare(comparison), false);
        let arithmetic = |power, operator| (power, Op::Arithmetic(operator), false);
        let pattern = |ignore_case, negated| (power::COMPARE, Op::Regex { ignore_case }, negated);
        let like = |ignore_case, negated| (power::RANGE, Op::Like { ignore_case }, negated);
        let mut words = 1;
        let (power, op, negated) = match *self.peek() {
            Token::Sign(sign) => match sign {
                "=" | "==" => compare(Comparison::Equal),
                "<>" | "!=" => compare(Comparison::NotEqual),
                "<" => compare(Comparison::Less),
                "<=" => compare(Comparison::LessOrEqual),
                ">" => compare(Comparison::Greater),
                ">=" => compare(Comparison::GreaterOrEqual),
                "+" => arithmetic(power::SUM, Operator::Add),
                "-" => arithmetic(power::SUM, Operator::Subtract),
                "*" => arithmetic(power::PRODUCT, Operator::Multiply),
                "/" => arithmetic(power::PRODUCT, Operator::Divide),
                "%" => arithmetic(power::PRODUCT, Operator::Remainder),
                "||" => (power::CONCAT, Op::Concat, false),
                "~" => pattern(false, false),
                "~*" => pattern(true, false),
                "!~" => pattern(false, true),
                "!~*" => pattern(true, true),
                _ => return None,
            },
            Token::Word(word) => {
                let negated = word.eq_ignore_ascii_case("not");
                let Token::Word(word) = *self.peek_at(usize::from(negated)) else { return None };
                words += usize::from(negated);
                match word.to_lowercase().as_str() {
                    "between" => (power::RANGE, Op::Between, negated),
                    "in" => (power::RANGE, Op::In, negated),
                    "like" => like(false, negated),
                    "ilike" => like(true, negated),
                    _ if negated => return None,
                    "is" => (power::IS, Op::Is(true), false),
                    "and" => (power::AND, Op::And, false),
                    "or" => (power::OR, Op::Or, false),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Infix { power, op, negated, words })
    }

    /// An operation whose left operand and operator are read.
    fn operation(&mut self, left: Tree, infix: Infix) -> Parsed {
        let Infix { power, mut op, mut negated, .. } = infix;
        let start = left.span.start;
        // `a AND b AND c` is one node with three parts, however long it is.
        let is_link = matches!(op, Op::And | Op::Or) && left.op == op;
        let mut parts = if is_link { left.parts } else { vec![left] };
        match &mut op {
            Op::Is(_) => {
                negated = self.take("not");
                op = match self.peek() {
                    word if word.is("null") => Op::IsNull,
                    word if word.is("true") => Op::Is(true),
                    word if word.is("false") => Op::Is(false),
                    _ => return self.expected("NULL, TRUE or FALSE after IS"),
                };
                self.advance();
            }
            Op::In => parts.extend(self.list(false)?),
            Op::Between => {
                parts.push(self.expression(power)?);
                self.expect("and")?;
                parts.push(self.expression(power)?);
            }
            _ => parts.push(self.expression(power)?),
        }
        // The NOT of `IS NOT TRUE` is one of a condition, not of a comparison.
        let not = if matches!(op, Op::Is(_)) { Op::Not } else { Op::Negated };
        let tree = self.tree(op, parts, start)?;
        if negated { self.tree(not, vec![tree], start) } else { Ok(tree) }
    }
}

/// An operator between two operands, or after one.
struct Infix {
    power: u8,
    op: Op,
    negated: bool,
    /// Tokens of the operator.
    words: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree with parentheses around every operation.
    fn shown(tree: &Tree, text: &str) -> String {
        let parts: Vec<String> = tree.parts.iter().map(|part| shown(part, text)).collect();
        match &tree.op {
            Op::Null | Op::Bool(_) | Op::Number(_) | Op::Text(_) | Op::Name(_) => text[tree.span.clone()].to_owned(),
            op => format!("({op:?} {})", parts.join(" ")),
        }
    }

    #[test]
    fn operators_bind_as_in_postgresql() {
        for (text, expected) in [
            ("a OR b AND NOT c = d", "(Or a (And b (Not (Compare(Equal) c d))))"),
            ("a AND b AND c OR d", "(Or (And a b c) d)"),
            ("a - b - c", "(Arithmetic(Subtract) (Arithmetic(Subtract) a b) c)"),
            ("a + b * -c", "(Arithmetic(Add) a (Arithmetic(Multiply) b (Minus c)))"),
            ("a || 'x' LIKE 'y'", "(Like { ignore_case: false } (Concat a 'x') 'y')"),
            ("a = b IS NOT TRUE", "(Not (Is(true) (Compare(Equal) a b)))"),
            ("a NOT BETWEEN 1 AND 2 AND b", "(And (Negated (Between a 1 2)) b)"),
            ("NOT a IN (1, 2)", "(Not (In a 1 2))"),
            ("a ~ 'x' = TRUE", "(Compare(Equal) (Regex { ignore_case: false } a 'x') TRUE)"),
            ("a IS NOT NULL AND b", "(And (Negated (IsNull a)) b)"),
            ("CASE WHEN a THEN 1 ELSE 2 END + 1", "(Arithmetic(Add) (Case { has_operand: false } a 1 2) 1)"),
        ] {
            let tree = parse(text).unwrap_or_else(|err| panic!("{err}"));
            assert_eq!(shown(&tree, text), expected, "{text}");
            assert_eq!(tree.span, 0..text.len(), "{text}");
        }
    }
}
