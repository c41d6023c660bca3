//! Property identifiers (PropIdent): the bytes as written, and their canonical form without
//! lowercase letters (spec I-02).

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Identifier of a property.
///
/// Comparisons use the canonical form, so that `AddBlack` of an old file equals `AB`.
///
/// ```
/// use sgfstream::Ident;
///
/// let ident = Ident::new(b"AddBlack");
/// assert_eq!(ident.as_str(), "AddBlack");
/// assert_eq!(&*ident.canonical(), b"AB");
/// assert!(ident == "AB" && ident == b"AB" && ident.is("AB") && ident == Ident::new(b"AB"));
/// assert!(ident != "AW");
/// ```
#[derive(Clone, Copy, Eq)]
pub struct Ident<'a>(&'a [u8]);

impl<'a> Ident<'a> {
    /// Returns an identifier of these bytes, which should be ASCII letters and digits.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes as written, including lowercase letters.
    #[must_use]
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Returns the identifier as written, as text. If its bytes are not UTF-8, the text is empty,
    /// but a reader never returns such an identifier.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        std::str::from_utf8(self.0).unwrap_or_default()
    }

    /// Removes lowercase letters from the identifier. Borrows an identifier without lowercase
    /// letters.
    #[must_use]
    pub fn canonical(self) -> Cow<'a, [u8]> {
        if self.has_lowercase() {
            Cow::Owned(
                self.0
                    .iter()
                    .copied()
                    .filter(|byte| !byte.is_ascii_lowercase())
                    .collect(),
            )
        } else {
            Cow::Borrowed(self.0)
        }
    }

    /// Returns whether the canonical form is `canonical`. Allocates nothing.
    #[must_use]
    #[inline]
    pub fn is(self, canonical: impl AsRef<[u8]>) -> bool {
        let canonical = canonical.as_ref();
        self.0 == canonical || (self.0.len() > canonical.len() && self.is_when_folded(canonical))
    }

    #[cold]
    fn is_when_folded(self, canonical: &[u8]) -> bool {
        self.0
            .iter()
            .filter(|byte| !byte.is_ascii_lowercase())
            .eq(canonical)
    }

    /// Returns whether the identifier contains lowercase letters, which FF\[4\] does not have
    /// (SGFC 16).
    pub(crate) fn has_lowercase(self) -> bool {
        self.0.iter().any(u8::is_ascii_lowercase)
    }
}

impl<'a> From<&'a str> for Ident<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text.as_bytes())
    }
}

impl PartialEq for Ident<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.canonical() == other.canonical()
    }
}

impl Hash for Ident<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

/// Implements `ident == $other` for the types that an identifier is compared with.
macro_rules! equal_by_is {
    ($([$($generics:tt)*] $other:ty),+ $(,)?) => {
        $(impl<$($generics)*> PartialEq<$other> for Ident<'_> {
            #[inline]
            fn eq(&self, other: &$other) -> bool {
                self.is(other)
            }
        })+
    };
}

equal_by_is!([] [u8], [] &[u8], [] str, [] &str, [const N: usize] [u8; N], [const N: usize] &[u8; N]);

impl fmt::Display for Ident<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.0))
    }
}

impl fmt::Debug for Ident<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ident({self})")
    }
}
