//! Players and colors of Pentobi's properties by variant, and the identifiers of older versions
//! (spec P-15 to P-24).

use std::borrow::Cow;

use sgfstream::Ident;

use super::super::{Game, Side, Variant};

/// Player or color that a property describes, or both if each player has one color. Both count
/// from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subject {
    /// The player, if the property names one.
    pub player: Option<u8>,
    /// The color, if the property names one.
    pub color: Option<u8>,
}

/// Returns the player or color of `ident`: a move (`B`, `1`), a setup (`A1`), a name, rank or team
/// (`PB`, `P1`, `BR`, `1R`, `BT`, `1T`), time or moves left (`BL`, `1L`, `OB`, `O1`). Returns
/// `None` for other identifiers, and for identifiers that the variant does not have.
///
/// ```
/// use sgfstream_game::dialect::Variant;
/// use sgfstream_game::pentobi::{Subject, subject};
///
/// let two_player = Variant::BlokusTwoPlayer;
/// assert_eq!(subject(two_player, b"PB"), Some(Subject { player: Some(1), color: None }));
/// assert_eq!(subject(two_player, b"1"), Some(Subject { player: None, color: Some(1) }));
/// assert_eq!(subject(two_player, b"3L"), Some(Subject { player: None, color: Some(3) }));
/// ```
#[must_use]
pub fn subject(variant: Variant, ident: &[u8]) -> Option<Subject> {
    let mark = subject_mark(ident)?;
    let number = Side::parse(&[mark]).ok()?.color();
    let is_letter = mark.is_ascii_alphabetic();
    let (players, colors) = (variant.players(), variant.colors());
    let subject = match (is_letter, players, colors) {
        (true, 2, 2) => Subject {
            player: Some(number),
            color: Some(number),
        },
        (true, 2, _) => Subject {
            player: Some(number),
            color: None,
        },
        (false, 2, 4) => Subject {
            player: None,
            color: Some(number),
        },
        (false, 3 | 4, _) if number <= colors => {
            // Blokus Three-Player: the players play the fourth color in turn.
            Subject {
                player: Some(number).filter(|&number| number <= players),
                color: Some(number),
            }
        }
        _ => return None,
    };
    Some(subject)
}

/// Returns the letter or digit of a player or color in an identifier.
const fn subject_mark(ident: &[u8]) -> Option<u8> {
    match *ident {
        [mark @ (b'B' | b'W' | b'1'..=b'4')]
        | [b'A' | b'P' | b'O', mark @ (b'B' | b'W' | b'1'..=b'4')]
        | [
            mark @ (b'B' | b'W' | b'1'..=b'4'),
            b'L' | b'R' | b'T' | b'S',
        ] => Some(mark),
        _ => None,
    }
}

/// Returns whether an identifier names a player or color that the variant does not have: `4` in a
/// game of three colors; `YELLOW` in a game of two; `B`, `BL` and `PB` in a game of four (spec P-15
/// to P-18, P-24). In games of two colors, the numbers of moves and setup are old, not foreign
/// (spec P-22).
///
/// ```
/// use sgfstream_game::dialect::Variant;
/// use sgfstream_game::pentobi::is_foreign;
///
/// assert!(
///     is_foreign(Variant::BlokusTrigonThreePlayer, b"4") && is_foreign(Variant::Blokus, b"B")
/// );
/// assert!(!is_foreign(Variant::Blokus, b"4") && !is_foreign(Variant::BlokusDuo, b"1"));
/// ```
#[must_use]
pub fn is_foreign(variant: Variant, ident: &[u8]) -> bool {
    let has_color = |variant| {
        Game::Pentobi(variant)
            .move_ids()
            .contains(Ident::new(ident))
    };
    if has_color(Variant::Blokus) && !has_color(variant) {
        return true;
    }
    let subject = subject(variant, ident);
    let is_known = match ident {
        [b'P', _] => name_idents(variant)
            .iter()
            .any(|name| name.as_bytes() == ident),
        [_] | [b'A', _] => subject.is_some_and(|subject| subject.color.is_some()),
        _ => subject.is_some(),
    };
    !is_known && subject_mark(ident).is_some() && canonical_ident(variant, ident) == ident
}

/// Returns the identifiers of the players' names (spec P-24).
#[must_use]
pub const fn name_idents(variant: Variant) -> &'static [&'static str] {
    match variant.players() {
        2 => &["PB", "PW"],
        3 => &["P1", "P2", "P3"],
        _ => &["P1", "P2", "P3", "P4"],
    }
}

/// Returns the identifier that a current version writes for `ident`. The color names of versions
/// before 0.2 become `1` to `4` (spec P-21). In games of two colors they become `B` and `W`, as do
/// the numbers that 12.0 wrote there (spec P-22). Other identifiers stay the same.
///
/// ```
/// use sgfstream_game::dialect::Variant;
/// use sgfstream_game::pentobi::canonical_ident;
///
/// assert_eq!(&*canonical_ident(Variant::Blokus, b"GREEN"), b"4");
/// assert_eq!(&*canonical_ident(Variant::BlokusDuo, b"GREEN"), b"W");
/// assert_eq!(&*canonical_ident(Variant::CallistoTwoPlayer, b"A2"), b"AW");
/// assert_eq!(&*canonical_ident(Variant::BlokusTwoPlayer, b"1L"), b"1L");
/// ```
#[must_use]
pub fn canonical_ident(variant: Variant, ident: &[u8]) -> Cow<'_, [u8]> {
    Cow::Borrowed(match (variant.colors() == 2, ident) {
        (true, b"A1") => b"AB",
        (true, b"A2") => b"AW",
        (_, b"B" | b"W") => ident,
        _ => Game::Pentobi(variant)
            .move_ids()
            .color(Ident::new(ident))
            .map_or(ident, |color| variant.move_ident(color)),
    })
}
