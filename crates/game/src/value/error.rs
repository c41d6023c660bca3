//! Errors of values. Strict readings return them; lenient readings do too if they cannot interpret
//! the bytes.

use std::fmt;

/// Characters of an invalid value to keep in an error, because values can be long.
const SHOWN: usize = 40;

/// Returns the beginning of `bytes` for use in a message.
#[must_use]
pub fn shown(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(SHOWN * 4)];
    let text = String::from_utf8_lossy(start);
    let mut shown: String = text
        .chars()
        .take(SHOWN)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if start.len() < bytes.len() || text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Kind of a [`ValueError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ValueErrorKind {
    /// The value is empty, but its type is not None (spec V-08).
    Empty,
    /// The bytes do not fit the grammar of the type.
    Syntax,
    /// The syntax is right, but the number or date is out of range.
    OutOfRange,
    /// The point is not on the board (spec Q-09).
    OffBoard,
    /// The rectangle has one point, or its corners are in the wrong order (spec PT-04, PT-05).
    Rectangle,
}

/// Error for a value that its type does not allow, with the expected form and the start of the
/// value.
///
/// ```
/// use sgfstream_game::value::{Number, ValueErrorKind};
///
/// let err = Number::parse(b"5 stones").expect_err("not a Number");
/// assert_eq!(err.kind, ValueErrorKind::Syntax);
/// assert_eq!(err.to_string(), "expected a number such as `12` or `-3`, found `5 stones`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValueError {
    /// Kind of the error.
    pub kind: ValueErrorKind,
    /// Expected form; it completes the sentence "expected …".
    pub expected: &'static str,
    /// Start of the invalid value.
    pub found: Box<str>,
}

impl ValueError {
    /// Returns an error of this kind. `expected` completes the sentence "expected …". Only the
    /// start of `found` is kept.
    #[must_use]
    #[cold]
    pub fn new(kind: ValueErrorKind, expected: &'static str, found: &[u8]) -> Self {
        Self {
            kind,
            expected,
            found: shown(found).into(),
        }
    }

    /// Returns a `Syntax` error, or an `Empty` error if `found` is empty.
    #[must_use]
    #[cold]
    pub fn syntax(expected: &'static str, found: &[u8]) -> Self {
        let kind = if found.is_empty() {
            ValueErrorKind::Empty
        } else {
            ValueErrorKind::Syntax
        };
        Self::new(kind, expected, found)
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
        assert_eq!(err.found.chars().count(), SHOWN + 1);
        assert!(err.found.ends_with('…'));
        assert_eq!(
            ValueError::syntax("a point", b"").to_string(),
            "expected a point, found an empty value"
        );
        assert_eq!(ValueError::syntax("a point", b"a\nb").found.as_ref(), "a b");
    }
}
