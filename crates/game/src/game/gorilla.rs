//! GoRilla's rules for SGF (spec G-01 to G-30): sizes, identifiers, and its own properties. The modules of
//! the games read its moves, and contain the differences of [`Program::Gorilla`](super::Program).

use std::borrow::Cow;
use std::fmt;

use crate::value::{BoardSize, Number};

use super::{Fault, Game};

/// Returns the size of a board without `SZ`: 19 for Go, 17 for Hex (spec G-05, G-06). GoRilla's page names no other
/// default.
#[must_use]
pub const fn gorilla_default_size(game: Game) -> Option<BoardSize> {
    match game {
        Game::Go => Some(BoardSize::square(19)),
        Game::Hex => Some(BoardSize::square(17)),
        _ => None,
    }
}

/// Removes digits and lowercase letters from an identifier, as GoRilla does with old versions (spec G-22). Use it only
/// if the user asks for it, because Pentobi's `A1` and `1L` would lose their meaning.
///
/// ```
/// use sgfstream_game::gorilla::stripped;
///
/// assert_eq!(&*stripped(b"Black"), b"B");
/// assert_eq!(&*stripped(b"B1"), b"B");
/// assert_eq!(&*stripped(b"1L"), b"L");
/// ```
#[must_use]
pub fn stripped(ident: &[u8]) -> Cow<'_, [u8]> {
    if ident.iter().all(u8::is_ascii_uppercase) {
        return Cow::Borrowed(ident);
    }
    Cow::Owned(ident.iter().copied().filter(u8::is_ascii_uppercase).collect())
}

/// Returns the identifier that GoRilla writes for an old one: `MA` for `M`, `LB` for `L`, `SQ` for `SL` (spec G-24).
#[must_use]
pub fn converted(ident: &[u8]) -> &[u8] {
    match ident {
        b"M" => b"MA",
        b"L" => b"LB",
        b"SL" => b"SQ",
        other => other,
    }
}

/// Markup properties that GoRilla displays (spec G-23).
pub const GORILLA_MARKUP: [&str; 7] = ["TR", "CR", "SQ", "MA", "LB", "TB", "TW"];

/// Mark of a place in a collection, as GoRilla stores it (spec G-25 to G-30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// `XS`, in a root node: the game to show when the file is opened.
    Game,
    /// `XV`: the node to show when the user first goes to its game.
    Node,
    /// `XP`: the game's primary position.
    Position,
    /// `XB`: a bookmark.
    Bookmark(Bookmark),
}

impl Mark {
    /// Parses the mark of a property; `None` if the property is not a mark.
    ///
    /// ```
    /// use sgfstream_game::gorilla::{Bookmark, Mark};
    ///
    /// assert_eq!(Mark::parse(b"XB", b"2"), Some(Ok(Mark::Bookmark(Bookmark { place: Some(2) }))));
    /// assert_eq!(Mark::parse(b"XS", b""), Some(Ok(Mark::Game)));
    /// assert!(Mark::parse(b"XB", b"two").is_some_and(|read| read.is_err()));
    /// assert_eq!(Mark::parse(b"XX", b""), None);
    /// ```
    #[must_use]
    pub fn parse(ident: &[u8], raw: &[u8]) -> Option<Result<Self, Fault>> {
        let empty = |mark| if raw.is_empty() { Ok(mark) } else { Err(Fault::Syntax("an empty value")) };
        Some(match ident {
            b"XS" => empty(Self::Game),
            b"XV" => empty(Self::Node),
            b"XP" => empty(Self::Position),
            b"XB" => Bookmark::parse(raw).map(Self::Bookmark),
            _ => return None,
        })
    }

    /// Returns whether the mark is allowed in a root node only (spec G-26).
    #[must_use]
    pub const fn is_root_only(self) -> bool {
        matches!(self, Self::Game)
    }
}

/// Bookmark, a value of `XB`, with its place in the list of bookmarks, if it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bookmark {
    /// The number; `None` for `XB[]`.
    pub place: Option<i64>,
}

impl Bookmark {
    /// Parses a value of `XB`.
    ///
    /// # Errors
    /// Returns [`Fault::Syntax`] if the value is neither empty nor a number.
    pub fn parse(raw: &[u8]) -> Result<Self, Fault> {
        if raw.is_empty() {
            return Ok(Self { place: None });
        }
        let number = Number::parse(raw).map_err(|_| Fault::Syntax("nothing, or a number"))?;
        Ok(Self { place: Some(number.get()) })
    }

    /// Sorts bookmarks in the order of GoRilla's list: empty ones first, in the order of the file, then the others by
    /// number. It numbers the empty ones so that they stay first (spec G-30).
    ///
    /// ```
    /// use sgfstream_game::gorilla::Bookmark;
    ///
    /// let mut list: Vec<_> = [Some(2), None, Some(1), None].map(|place| Bookmark { place }).into();
    /// Bookmark::arrange(&mut list);
    /// assert_eq!(list.iter().map(|mark| mark.place).collect::<Vec<_>>(), [-1, 0, 1, 2].map(Some));
    /// ```
    pub fn arrange(bookmarks: &mut [Self]) {
        bookmarks.sort_by_key(|bookmark| bookmark.place.map_or(i64::MIN, |place| place.max(i64::MIN + 1)));
        let empty = bookmarks.iter().take_while(|bookmark| bookmark.place.is_none()).count();
        let first = bookmarks.get(empty).and_then(|bookmark| bookmark.place).unwrap_or(1 + empty as i64);
        for (before, bookmark) in bookmarks[..empty].iter_mut().rev().enumerate() {
            bookmark.place = Some(first.saturating_sub(1 + before as i64));
        }
    }
}

impl fmt::Display for Bookmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.map_or(Ok(()), |place| place.fmt(f))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookmarks_without_numbers() {
        let mut list = vec![Bookmark { place: None }; 3];
        Bookmark::arrange(&mut list);
        assert_eq!(list.iter().map(|mark| mark.place).collect::<Vec<_>>(), [1, 2, 3].map(Some));
        let mut extreme = [Some(i64::MIN), None].map(|place| Bookmark { place });
        Bookmark::arrange(&mut extreme);
        assert_eq!(extreme[0].place, Some(i64::MIN));
        Bookmark::arrange(&mut []);
    }

    #[test]
    fn only_three_are_converted() {
        for (old, new) in [("M", "MA"), ("L", "LB"), ("SL", "SQ"), ("MA", "MA"), ("LB", "LB"), ("B", "B")] {
            assert_eq!(converted(old.as_bytes()), new.as_bytes());
        }
    }
}
