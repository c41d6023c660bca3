//! Errors in expressions, with their place.

use std::fmt;
use std::ops::Range;

/// Error in an expression. Displays the line, with carets under the place.
///
/// ```
/// use sgfstream_table::filter::Filter;
///
/// let err = Filter::parse("moves > 200 AND winer = 'B'").expect_err("no such column");
/// let shown = err.to_string();
/// assert_eq!(
///     shown.lines().next(),
///     Some("character 17: unknown column `winer`; did you mean `winner`?")
/// );
/// assert_eq!(shown.lines().last(), Some("                  ^^^^^"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    message: String,
    place: Option<Place>,
}

/// Maximum number of characters shown before and after the start of the error, and of a message.
const SHOWN: usize = 60;
const MESSAGE: usize = 300;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// The part of the line around the error, and the line of carets below it.
    window: String,
    carets: String,
    /// Line from 1; `None` if the expression has only one.
    line: Option<usize>,
    /// Column from 1, in characters.
    column: usize,
}

/// Replaces control characters with blanks, because an expression from a shell may contain any
/// bytes. A tab keeps its width.
fn shown(char: char) -> char {
    if char.is_control() { ' ' } else { char }
}

impl FilterError {
    /// Returns an error about these bytes of the expression.
    pub(crate) fn new(message: impl Into<String>, expression: &str, span: Range<usize>) -> Self {
        let start = expression[..span.start]
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        let text = expression[start..].lines().next().unwrap_or("");
        let len = expression[span.start..span.end.min(start + text.len()).max(span.start)]
            .chars()
            .count();
        let before = expression[start..span.start].chars().count();
        let skipped = before.saturating_sub(SHOWN);
        let mut chars = text.chars().skip(skipped).map(shown);
        let mut window: String = if skipped > 0 {
            "…".to_owned()
        } else {
            String::new()
        };
        let indent = window.chars().count() + before - skipped;
        window.extend(chars.by_ref().take(before - skipped + SHOWN));
        if chars.next().is_some() {
            window.push('…');
        }
        let place = Place {
            window,
            carets: " ".repeat(indent) + &"^".repeat(len.clamp(1, SHOWN)),
            line: (expression.lines().count() > 1).then(|| expression[..start].lines().count() + 1),
            column: before + 1,
        };
        Self {
            place: Some(place),
            ..Self::nowhere(message)
        }
    }

    /// Returns an error about the whole expression.
    pub(super) fn nowhere(message: impl Into<String>) -> Self {
        let mut message: String = message.into().chars().map(shown).collect();
        if let Some((end, _)) = message.char_indices().nth(MESSAGE) {
            message.truncate(end);
            message.push('…');
        }
        Self {
            message,
            place: None,
        }
    }

    /// Returns the message without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the column in the line, in characters from 1, if known.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.column)
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Place {
            window,
            carets,
            line,
            column,
        }) = &self.place
        else {
            return f.write_str(&self.message);
        };
        if let Some(line) = line {
            write!(f, "line {line}, ")?;
        }
        write!(
            f,
            "character {column}: {}\n  {window}\n  {carets}",
            self.message
        )
    }
}

impl std::error::Error for FilterError {}

#[cfg(test)]
mod tests {
    use crate::filter::Filter;

    #[test]
    fn a_fault_far_in_a_long_line_shows_the_line_around_it() {
        let long = "x".repeat(70_000);
        let after = Filter::parse(&format!("pb = '{long}' AND ) {long}"))
            .expect_err("`)`")
            .to_string();
        let within = Filter::parse(&format!("{long} = 1"))
            .expect_err("no such column")
            .to_string();
        let short = Filter::parse("pb = ) AND pw = 'y'")
            .expect_err("`)`")
            .to_string();
        for (shown, marked) in [(&after, ")"), (&within, "x"), (&short, ")")] {
            assert!(shown.chars().count() < 600, "{shown}");
            let [_, line, carets] = shown.lines().collect::<Vec<_>>()[..] else {
                panic!("{shown}")
            };
            let at = carets.find('^').expect("carets");
            assert!(
                line.chars()
                    .skip(at)
                    .collect::<String>()
                    .starts_with(marked),
                "{shown}"
            );
        }
        assert!(
            after.starts_with("character 70013: ") && after.contains("  …xxx"),
            "{after}"
        );
        assert_eq!(short.lines().nth(1), Some("  pb = ) AND pw = 'y'"));
    }

    #[test]
    fn a_fault_that_quotes_control_characters_shows_blanks() {
        let shown = Filter::parse("pb = \"\u{1b}[31m\nx\" AND pw = \u{7}")
            .expect_err("no such column")
            .to_string();
        assert!(
            !shown.contains(|char: char| char.is_control() && char != '\n')
                && shown.lines().count() == 3,
            "{shown}"
        );
    }
}
