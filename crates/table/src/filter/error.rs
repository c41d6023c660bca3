//! Errors in expressions, with their place.

use std::fmt;
use std::ops::Range;

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
    place: Option<Place>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// The line of the expression.
    text: String,
    /// From 1; told only where there are several.
    line: Option<usize>,
    /// In characters, from 1.
    column: usize,
    /// In characters.
    len: usize,
}

impl FilterError {
    /// A fault in these bytes of the expression.
    pub(crate) fn new(message: impl Into<String>, expression: &str, span: Range<usize>) -> Self {
        let start = expression[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let text = expression[start..].lines().next().unwrap_or("");
        let len = expression[span.start..span.end.min(start + text.len()).max(span.start)].chars().count();
        let place = Place {
            text: text.to_owned(),
            line: (expression.lines().count() > 1).then(|| expression[..start].lines().count() + 1),
            column: expression[start..span.start].chars().count() + 1,
            len: len.max(1),
        };
        Self { message: message.into(), place: Some(place) }
    }

    /// A fault of the whole.
    pub(super) fn nowhere(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None }
    }

    /// The sentence, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The column in its line, in characters from 1, where it is known.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.column)
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Place { text, line, column, len }) = &self.place else {
            return f.write_str(&self.message);
        };
        if let Some(line) = line {
            write!(f, "line {line}, ")?;
        }
        // An expression from a shell may hold anything; tabs keep their width.
        let text: String = text.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        writeln!(f, "column {column}: {}", self.message)?;
        writeln!(f, "  {text}")?;
        write!(f, "  {:indent$}{:^<len$}", "", "", indent = column - 1)
    }
}

impl std::error::Error for FilterError {}
