//! Property identifiers (PropIdent): the bytes as written and their canonical
//! form, in which lowercase letters are dropped (spec I-02).

use std::borrow::Cow;
use std::fmt;

/// The identifier of a property, as it stands in the input.
///
/// ```
/// use sgfstream::Ident;
///
/// let ident = Ident::new(b"AddBlack");
/// assert_eq!(ident.as_bytes(), b"AddBlack");
/// assert_eq!(&*ident.canonical(), b"AB");
/// assert!(ident.is(b"AB"));
/// assert!(Ident::new(b"1L").is(b"1L"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ident<'a>(&'a [u8]);

impl<'a> Ident<'a> {
    /// An identifier of these bytes; they should be ASCII letters and digits.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes as written, lowercase letters included.
    #[must_use]
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The identifier as readers take it: without lowercase letters. Borrowed
    /// unless there were any.
    #[must_use]
    pub fn canonical(self) -> Cow<'a, [u8]> {
        if self.has_lowercase() {
            Cow::Owned(self.0.iter().copied().filter(|byte| !byte.is_ascii_lowercase()).collect())
        } else {
            Cow::Borrowed(self.0)
        }
    }

    /// True if the canonical form is `canonical`. Allocates nothing.
    #[must_use]
    #[inline]
    pub fn is(self, canonical: &[u8]) -> bool {
        self.0 == canonical || (self.0.len() > canonical.len() && self.is_when_folded(canonical))
    }

    #[cold]
    fn is_when_folded(self, canonical: &[u8]) -> bool {
        self.0.iter().filter(|byte| !byte.is_ascii_lowercase()).eq(canonical)
    }

    /// True if lowercase letters were written; FF\[4\] has none (SGFC 16).
    #[must_use]
    pub fn has_lowercase(self) -> bool {
        self.0.iter().any(u8::is_ascii_lowercase)
    }
}

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
