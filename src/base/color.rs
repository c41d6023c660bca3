//! Black and White.

/// A side of a game of two. Its reading from bytes is in [`value`](crate::value).
///
/// ```
/// use sgfstream::value::Color;
///
/// assert_eq!(Color::parse(b"W"), Ok(Color::White));
/// assert!(Color::parse(b"w").is_err());
/// assert_eq!(Color::White.other().to_string(), "B");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// `B`.
    Black = 1,
    /// `W`.
    White,
}
