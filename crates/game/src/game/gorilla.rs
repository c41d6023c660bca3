//! GoRilla's identifiers (spec G-22 to G-24). The modules of the games read its moves, and contain
//! the differences of [`Program::Gorilla`](super::Program).

use std::borrow::Cow;

/// Removes digits and lowercase letters from an identifier, as GoRilla does with old versions (spec
/// G-22). Use it only if the user asks for it, because Pentobi's `A1` and `1L` would lose their
/// meaning.
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
    Cow::Owned(
        ident
            .iter()
            .copied()
            .filter(u8::is_ascii_uppercase)
            .collect(),
    )
}

/// Returns the identifier that GoRilla writes for an old one: `MA` for `M`, `LB` for `L`, `SQ` for
/// `SL` (spec G-24).
#[must_use]
pub fn converted(ident: &[u8]) -> &[u8] {
    match ident {
        b"M" => b"MA",
        b"L" => b"LB",
        b"SL" => b"SQ",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_three_are_converted() {
        for (old, new) in [
            ("M", "MA"),
            ("L", "LB"),
            ("SL", "SQ"),
            ("MA", "MA"),
            ("LB", "LB"),
            ("B", "B"),
        ] {
            assert_eq!(converted(old.as_bytes()), new.as_bytes());
        }
    }
}
