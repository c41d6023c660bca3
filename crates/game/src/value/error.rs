//! Errors of values. The strict readings give them; the lenient
//! ones too, where nothing could be made of the bytes.

use std::fmt;

/// How many characters of a faulty value an error keeps: values may be long.
const SHOWN: usize = 40;

/// In which way a value is not what its type asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ValueErrorKind {
    /// The value is empty and its type is not None (spec V-08).
    Empty,
    /// The bytes do not fit the grammar of the type.
    Syntax,
    /// The grammar holds, the number or date is out of range.
    OutOfRange,
    /// A point that is not on the board (spec Q-09).
    OffBoard,
    /// A point that a list already has (spec PT-04).
    Duplicate,
    /// A rectangle of one point, or with its corners in another order
    /// (spec PT-04, PT-05).
    Rectangle,
    /// Too many values, or too few, for the kind of list (spec I-09).
    Count,
}

/// A value that is not what its type asks for: what was expected, and the
/// beginning of what was found.
///
/// ```
/// use sgfstream_game::value::{Number, ValueErrorKind};
///
/// let err = Number::parse(b"5 stones").expect_err("not a Number");
/// assert_eq!(err.kind(), ValueErrorKind::Syntax);
/// assert_eq!(err.to_string(), "expected a number: a sign or none, then digits, found `5 stones`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    kind: ValueErrorKind,
    expected: &'static str,
    found: Box<str>,
}

impl ValueError {
    /// An error of this kind. `expected` continues the sentence "expected …";
    /// of `found`, the beginning is kept.
    #[must_use]
    #[cold]
    pub fn new(kind: ValueErrorKind, expected: &'static str, found: &[u8]) -> Self {
        let start = &found[..found.len().min(SHOWN * 4)];
        let text = String::from_utf8_lossy(start);
        let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
        if start.len() < found.len() || text.chars().nth(SHOWN).is_some() {
            shown.push('…');
        }
        Self { kind, expected, found: shown.into() }
    }

    /// Syntax, or Empty where there are no bytes.
    #[must_use]
    #[cold]
    pub fn syntax(expected: &'static str, found: &[u8]) -> Self {
        let kind = if found.is_empty() { ValueErrorKind::Empty } else { ValueErrorKind::Syntax };
        Self::new(kind, expected, found)
    }

    /// In which way the value is wrong.
    #[must_use]
    pub const fn kind(&self) -> ValueErrorKind {
        self.kind
    }

    /// Expectation of its type, to follow the word "expected".
    #[must_use]
    pub const fn expected(&self) -> &'static str {
        self.expected
    }

    /// The beginning of what was found.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.found
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.found.is_empty() {
            write!(f, "expected {}, found an empty value", self.expected)
        } else {
            write!(f, "expected {}, found `{}`", self.expected, self.found)
        }
    }
}

impl std::error::Error for ValueError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut_short() {
        let err = ValueError::syntax("a point", &[b'x'; 1 << 20]);
        assert_eq!(err.found().chars().count(), SHOWN + 1);
        assert!(err.found().ends_with('…'));
        assert_eq!(ValueError::syntax("a point", b"").to_string(), "expected a point, found an empty value");
        assert_eq!(ValueError::syntax("a point", b"a\nb").found(), "a b");
    }
}
