//! Text and SimpleText as owned values. [`RawValue`] decodes them, and `Display` prints them with
//! escapes (FF\[4\] basics, spec T-01 to T-11, S-01). Any bytes are a valid text, so nothing here
//! returns an error.

use std::fmt::{self, Write as _};

use sgfstream::{Charset, Framing, RawValue};

/// Text of several lines, as in C and GC. Lines end with LF.
///
/// ```
/// use sgfstream_game::value::Text;
///
/// let text = Text::parse(b"one\\]\r\ntwo");
/// assert_eq!(text.as_str(), "one]\ntwo");
/// assert_eq!(text.to_string(), "one\\]\ntwo"); // escaped again
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text(String);

/// Text of one line, as in names, ranks and labels.
///
/// ```
/// use sgfstream_game::value::SimpleText;
///
/// let text = SimpleText::parse(b"Fujisawa\nShuko");
/// assert_eq!(text.as_str(), "Fujisawa Shuko");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SimpleText(String);

impl Text {
    /// Returns a `Text`. Line breaks become LF, and other white space becomes spaces.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(settled(text, '\n'))
    }

    /// Decodes bytes whose charset is unknown: as UTF-8 if they are valid, or were before they were
    /// cut, else as windows-1252.
    #[must_use]
    pub fn parse(raw: &[u8]) -> Self {
        Self::read(RawValue::new(raw, Framing::Value), Charset::AUTO)
    }

    /// Decodes a value in the charset of its game.
    #[must_use]
    pub fn read(raw: RawValue<'_>, charset: Charset) -> Self {
        Self(raw.with_charset(charset).text().into_owned())
    }

    /// Returns the text, without escapes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl SimpleText {
    /// Returns a `SimpleText`. Line breaks and other white space become spaces.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(settled(text, ' '))
    }

    /// Decodes bytes whose charset is unknown: as UTF-8 if they are valid, or were before they were
    /// cut, else as windows-1252.
    #[must_use]
    pub fn parse(raw: &[u8]) -> Self {
        Self::read(RawValue::new(raw, Framing::Value), Charset::AUTO)
    }

    /// Decodes a value in the charset of its game.
    #[must_use]
    pub fn read(raw: RawValue<'_>, charset: Charset) -> Self {
        Self(raw.with_charset(charset).simple_text().into_owned())
    }

    /// Returns the text, without escapes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Displays the text as half of a composed value, in which `:` is escaped too (spec K-02).
    #[must_use]
    pub fn composed(&self) -> impl fmt::Display + '_ {
        Escaped {
            text: &self.0,
            colon: true,
        }
    }
}

/// Implements `FromStr` and `From<&[u8]>` for types that accept any bytes.
macro_rules! reads_any {
    ($($type:ty),*) => { $(
        impl std::str::FromStr for $type {
            type Err = std::convert::Infallible;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Ok(Self::parse(text.as_bytes()))
            }
        }

        impl From<&[u8]> for $type {
            fn from(raw: &[u8]) -> Self {
                Self::parse(raw)
            }
        }

        super::lenient::serde_as_text!($type);
    )* };
}
pub(super) use reads_any;

reads_any!(Text, SimpleText);

/// Replaces each line break (spec T-03) by `line_break`, and other white space by spaces (spec
/// T-06).
fn settled(text: &str, line_break: char) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' | '\n' => {
                let partner = if character == '\r' { '\n' } else { '\r' };
                characters.next_if_eq(&partner);
                out.push(line_break);
            }
            '\t' | '\x0B' | '\x0C' | '\0' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

/// Displays a text with the escapes that a writer must add (spec T-02).
struct Escaped<'a> {
    text: &'a str,
    colon: bool,
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.text.chars() {
            if matches!(character, ']' | '\\') || (self.colon && character == ':') {
                f.write_char('\\')?;
            }
            f.write_char(character)?;
        }
        Ok(())
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Escaped {
            text: &self.0,
            colon: false,
        }
        .fmt(f)
    }
}

impl fmt::Display for SimpleText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Escaped {
            text: &self.0,
            colon: false,
        }
        .fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t_10_worked_example() {
        let raw = b"wo\\\nrd\na\\]b\\\\\\:c\td";
        assert_eq!(Text::parse(raw).as_str(), "word\na]b\\:c d");
        assert_eq!(SimpleText::parse(raw).as_str(), "word a]b\\:c d");
    }

    #[test]
    fn utf_8_else_windows_1252() {
        assert_eq!(SimpleText::parse(b"\xC3\xA9").as_str(), "é");
        assert_eq!(SimpleText::parse(b"\xE9\x80").as_str(), "é€");
    }

    #[test]
    fn k_02_colons_are_escaped_in_halves_only() {
        let text = SimpleText::new("a:b]\\");
        assert_eq!(text.to_string(), "a:b\\]\\\\");
        assert_eq!(text.composed().to_string(), "a\\:b\\]\\\\");
    }

    proptest::proptest! {
        #[test]
        fn reads_back(text in "[a-c\\]\\\\:\r\n\t é黒]{0,16}|.{0,16}") {
            let written = Text::new(&text);
            proptest::prop_assert_eq!(&Text::parse(written.to_string().as_bytes()), &written);
            let written = SimpleText::new(&text);
            proptest::prop_assert_eq!(&SimpleText::parse(written.to_string().as_bytes()), &written);
            proptest::prop_assert_eq!(&SimpleText::parse(written.composed().to_string().as_bytes()), &written);
        }
    }
}
