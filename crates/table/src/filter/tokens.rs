//! Text to SQL's syntax tree, with bounds on its size and depth, so that no
//! expression can exhaust the stack.

use sqlparser::ast::Expr;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Span, Token, TokenWithSpan, Tokenizer};

use super::FilterError;

/// Words and signs of an expression, those of lists not counted: each can make
/// the tree one deeper.
const MAX_SIGNS: usize = 1000;

/// Bytes of an expression.
const MAX_LEN: usize = 1 << 20;

/// How deep the parser may go: parentheses, NOT, signs.
const MAX_DEPTH: usize = 32;

/// The syntax tree of `text`.
pub(super) fn parse(text: &str) -> Result<Expr, FilterError> {
    let nowhere = Span::empty();
    if text.len() > MAX_LEN {
        return Err(FilterError::new("expected an expression of at most 1 MiB, found a longer one", text, nowhere));
    }
    let dialect = PostgreSqlDialect {};
    let tokens = Tokenizer::new(&dialect, text)
        .tokenize_with_location()
        .map_err(|err| FilterError::new(sentence(&err.message), text, point(err.location)))?;
    let is_sign = |token: &&TokenWithSpan| {
        !matches!(token.token, Token::Whitespace(_) | Token::Comma | Token::Number(..) | Token::SingleQuotedString(_))
    };
    let signs: Vec<&TokenWithSpan> = tokens.iter().filter(is_sign).collect();
    if let Some(first) = signs.get(MAX_SIGNS) {
        let message = format!("expected at most {MAX_SIGNS} words and signs, found one more");
        return Err(FilterError::new(message, text, first.span));
    }
    if signs.is_empty() && tokens.iter().all(|token| matches!(token.token, Token::Whitespace(_))) {
        return Err(FilterError::new("expected an expression, found nothing", text, nowhere));
    }
    let mut parser = Parser::new(&dialect).with_recursion_limit(MAX_DEPTH).with_tokens_with_locations(tokens);
    let expression = parser.parse_expr().map_err(|err| fault(&err, text))?;
    let rest = parser.peek_token();
    match rest.token {
        Token::EOF => Ok(expression),
        token => {
            let message = format!("expected an operator or the end of the expression, found `{token}`");
            Err(FilterError::new(message, text, rest.span))
        }
    }
}

fn fault(err: &ParserError, text: &str) -> FilterError {
    match err {
        ParserError::RecursionLimitExceeded => {
            let message = format!("expected at most {MAX_DEPTH} levels, found one more");
            FilterError::new(message, text, Span::empty())
        }
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => {
            let (message, at) = located(message);
            let at = at.unwrap_or_else(|| {
                // The parser gives no place where the text ended too early.
                let line = text.lines().count().max(1) as u64;
                let column = text.lines().last().unwrap_or("").chars().count() as u64 + 1;
                Location { line, column }
            });
            FilterError::new(sentence(message), text, point(at))
        }
    }
}

/// `Expected: …, found: x at Line: 1, Column: 7` as its message and its place.
fn located(message: &str) -> (&str, Option<Location>) {
    let Some((what, place)) = message.rsplit_once(" at Line: ") else {
        return (message, None);
    };
    let Some((line, column)) = place.split_once(", Column: ") else {
        return (message, None);
    };
    match (line.parse(), column.trim().parse()) {
        (Ok(line), Ok(column)) => (what, Some(Location { line, column })),
        _ => (message, None),
    }
}

/// A message of the parser in the words of the house.
fn sentence(message: &str) -> String {
    let message = message.strip_prefix("sql parser error: ").unwrap_or(message);
    match message.strip_prefix("Expected: ").and_then(|rest| rest.split_once(", found: ")) {
        Some((expected, found)) if found.trim() == "EOF" => format!("expected {expected}, found the end"),
        Some((expected, found)) => format!("expected {expected}, found `{}`", found.trim()),
        None => {
            let mut chars = message.chars();
            chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
        }
    }
}

fn point(at: Location) -> Span {
    Span::new(at, Location { line: at.line, column: at.column + 1 })
}
