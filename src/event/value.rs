//! Values of a property: their bytes, and the conversions that every type of value needs.

use std::borrow::Cow;
use std::fmt;

use crate::base::{Charset, Limits};
use crate::scan::{Framing, ValueEnd, restart_in_value, value_end};

use super::text::{Breaks, compose_split, read_text, unescape};

/// Value of a property: the bytes without the brackets, and with escapes as written.
///
/// A value has the charset of its game, as far as the reader knew it at that point: `CA` may come
/// later in the root node. To decode with another charset, use
/// [`with_charset`](Self::with_charset).
///
/// ```
/// use sgfstream::{Charset, Framing, RawValue};
///
/// let value = RawValue::new(b"wo\\\nrd\na\\]b\\\\\\:c\td", Framing::Value);
/// assert_eq!(value.text(), "word\na]b\\:c d");
/// assert_eq!(value.simple_text(), "word a]b\\:c d");
///
/// let gbk = Charset::for_label(b"GBK").expect("a known name");
/// assert_eq!(RawValue::new(b"\xba\xda", Framing::Value).with_charset(gbk).text(), "黑");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RawValue<'a> {
    bytes: &'a [u8],
    framing: Framing,
    charset: Charset,
}

impl<'a> RawValue<'a> {
    /// Returns a value of these bytes, in [`Charset::AUTO`].
    #[must_use]
    #[inline(always)]
    pub const fn new(bytes: &'a [u8], framing: Framing) -> Self {
        Self {
            bytes,
            framing,
            charset: Charset::AUTO,
        }
    }

    /// Sets the charset that decodes the value.
    #[must_use]
    #[inline(always)]
    pub const fn with_charset(self, charset: Charset) -> Self {
        Self { charset, ..self }
    }

    /// Returns the bytes as written.
    #[must_use]
    #[inline(always)]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Closes a value that the end of input cut: returns the bytes to keep, and the bytes to write
    /// after them, up to the `]`. A reader then finds the end at that `]`, whatever follows. A
    /// value that was not cut keeps all of its bytes.
    ///
    /// Three endings need care. A last `\` would escape the `]`, so it is dropped. Half a character
    /// would take the `]` as its other half, so a blank is added. If the value ends with bytes that
    /// look like the start of a game, a reader would assume that the `]` before that game was lost.
    /// So an escaped line break is added, which is not part of the text.
    ///
    /// ```
    /// use sgfstream::{Framing, RawValue};
    ///
    /// assert_eq!(RawValue::new(b"cut off\\", Framing::Value).closing(), (&b"cut off"[..], "]"));
    /// assert_eq!(
    ///     RawValue::new(b"x\n(;FF[4", Framing::Value).closing(),
    ///     (&b"x\n(;FF[4"[..], "\\\n]")
    /// );
    /// ```
    #[must_use]
    pub fn closing(self) -> (&'a [u8], &'static str) {
        let (kept, end) = self.closing_in_line();
        if restart_in_value(kept, &Limits::default()).is_none() {
            return (kept, end);
        }
        // In some charsets, the `\` would be the second byte of a character.
        let text = |bytes| RawValue { bytes, ..self }.text().into_owned();
        let escapes = kept.last().is_none_or(|&byte| byte < 0x80)
            || text(&[kept, b"\\\n"].concat()) == text(kept);
        (kept, if escapes { "\\\n]" } else { " \\\n]" })
    }

    fn closing_in_line(self) -> (&'a [u8], &'static str) {
        let (content, framing) = (self.bytes, self.framing);
        if content
            .last()
            .is_none_or(|&byte| byte < 0x80 && byte != b'\\')
        {
            return (content, "]");
        }
        let without = content.strip_suffix(b"\\").unwrap_or(content);
        for (kept, end) in [(content, "]"), (without, "]"), (content, " ]")] {
            let closed = [kept, end.as_bytes()].concat();
            let found = value_end(&closed, 0, 0, true, framing);
            if matches!(found, ValueEnd::Found { at, .. } if at + 1 == closed.len()) {
                return (kept, end);
            }
        }
        (without, " ]")
    }

    /// Returns the framing of the bytes.
    #[must_use]
    pub const fn framing(self) -> Framing {
        self.framing
    }

    /// Returns the charset that decodes the text.
    #[must_use]
    pub const fn charset(self) -> Charset {
        self.charset
    }

    /// Returns whether the value is `[]`.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the bytes without escapes and soft line breaks, with hard breaks as LF and other
    /// white space as spaces. This is the Text reading before decoding (spec T-07).
    #[must_use]
    pub fn unescaped(self) -> Cow<'a, [u8]> {
        unescape(self.bytes, Breaks::Keep)
    }

    /// Decodes the value as Text (spec T-01 to T-11): removes escapes and soft line breaks, and
    /// converts each hard break to one LF and other white space to one space each. Borrows if
    /// nothing changes.
    ///
    /// Invalid bytes become U+FFFD; [`try_text`](Self::try_text) returns whether there were any.
    #[must_use]
    pub fn text(self) -> Cow<'a, str> {
        self.try_text().0
    }

    /// Returns [`text`](Self::text), and whether some bytes were invalid in the charset.
    #[must_use]
    pub fn try_text(self) -> (Cow<'a, str>, bool) {
        read_text(self.bytes, self.charset, self.framing, Breaks::Keep)
    }

    /// Decodes the value as SimpleText: like [`text`](Self::text), with a space for each hard line
    /// break (spec S-01).
    #[must_use]
    pub fn simple_text(self) -> Cow<'a, str> {
        self.try_simple_text().0
    }

    /// Returns [`simple_text`](Self::simple_text), and whether some bytes were invalid in the
    /// charset.
    #[must_use]
    pub fn try_simple_text(self) -> (Cow<'a, str>, bool) {
        read_text(self.bytes, self.charset, self.framing, Breaks::Space)
    }

    /// Splits a Compose value at its first unescaped `:` into two halves (spec K-01). Returns
    /// `None` if there is no such `:`.
    ///
    /// ```
    /// use sgfstream::{Framing, RawValue};
    ///
    /// let value = RawValue::new(b"a\\:b:1:2", Framing::Value);
    /// let (name, version) = value.compose().expect("composed");
    /// assert_eq!(name.simple_text(), "a:b");
    /// assert_eq!(version.as_bytes(), b"1:2");
    /// ```
    #[must_use]
    pub fn compose(self) -> Option<(Self, Self)> {
        let colon = compose_split(self.bytes)?;
        Some((
            Self {
                bytes: &self.bytes[..colon],
                ..self
            },
            Self {
                bytes: &self.bytes[colon + 1..],
                ..self
            },
        ))
    }
}

/// Prints the [text](RawValue::text).
impl fmt::Display for RawValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl fmt::Debug for RawValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawValue({})", String::from_utf8_lossy(self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader finds the end of a closed value, whatever follows.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn a_closed_value_ends_at_its_bracket() {
        for framing in [
            Framing::Value,
            Framing::Pairs,
            Framing::ShiftJis,
            Framing::Auto,
        ] {
            let pieces: [&[u8]; 6] = [b"\\", b"\\]", b"\xd0", b"\x95", b"a", b"\xc3\xa9"];
            for number in 0..pieces.len().pow(4) {
                let content: Vec<u8> = (0..4)
                    .flat_map(|place| {
                        pieces[number / pieces.len().pow(place) % pieces.len()].to_vec()
                    })
                    .collect();
                let is_cut = matches!(
                    value_end(&content, 0, 0, true, framing),
                    ValueEnd::Missing { .. }
                );
                if !is_cut {
                    continue;
                }
                let (kept, end) = RawValue::new(&content, framing).closing();
                for after in [&b""[..], b";B[aa]", b"AB[cd]", b"\n)", b"[x]"] {
                    let closed = [kept, end.as_bytes(), after].concat();
                    let len = kept.len() + end.len() - 1;
                    let found = value_end(&closed, 0, 0, true, framing);
                    let is_there = matches!(found, ValueEnd::Found { at, .. } if at == len);
                    assert!(is_there, "{framing:?} {content:x?} {after:?}: {found:?}");
                }
            }
        }
    }
}
