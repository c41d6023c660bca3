//! What is wrong with an expression, and where.

use std::fmt;

use sqlparser::tokenizer::Span;

/// An expression that cannot be used. Shows its line with a caret under the
/// place.
///
/// ```
/// use sgfstream_table::filter::Filter;
///
/// let err = Filter::parse("moves > 200 AND winer = 'B'").expect_err("no such column");
/// let shown = err.to_string();
/// assert_eq!(shown.lines().next(), Some("column 17: expected a column, found `winer`; did you mean `winner`?"));
/// assert_eq!(shown.lines().last(), Some("                  ^^^^^"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    message: String,
    /// The line of the expression.
    text: String,
    /// Lines are told only where there are several.
    line: Option<u64>,
    /// In characters, from 1; 0 where it is not known.
    column: u64,
    /// In characters.
    len: u64,
}

impl FilterError {
    pub(super) fn new(message: impl Into<String>, expression: &str, span: Span) -> Self {
        let lines = expression.lines().count();
        let line = span.start.line.max(1);
        let text = expression.lines().nth(line as usize - 1).unwrap_or("").to_owned();
        let same_line = span.end.line == span.start.line;
        let len = if same_line { span.end.column.saturating_sub(span.start.column) } else { 1 };
        Self {
            message: message.into(),
            text,
            line: (lines > 1 && span.start.line > 0).then_some(line),
            column: if span.start.line == 0 { 0 } else { span.start.column },
            len: len.max(1),
        }
    }

    /// The sentence, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The column in its line, in characters from 1, where it is known.
    #[must_use]
    pub fn column(&self) -> Option<u64> {
        (self.column > 0).then_some(self.column)
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        if self.column == 0 {
            return f.write_str(&self.message);
        }
        let indent = self.column as usize - 1;
        // What comes from a shell may hold anything; tabs keep their width.
        let text: String = self.text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        let carets = (self.len as usize).min(text.chars().count().saturating_sub(indent)).max(1);
        writeln!(f, "column {}: {}", self.column, self.message)?;
        writeln!(f, "  {text}")?;
        write!(f, "  {:indent$}{:^<carets$}", "", "")
    }
}

impl std::error::Error for FilterError {}
