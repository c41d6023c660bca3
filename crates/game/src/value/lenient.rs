//! The lenient reading: what the field writes, taken for what it means, and
//! the name of what had to be done for it (spec quirks §2).

use std::borrow::Cow;
use std::fmt;

/// A value, and what was repaired to get it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lenient<T> {
    /// The value.
    pub value: T,
    /// Repair that was needed; none where the strict reading agrees.
    pub repair: Option<Repair>,
}

impl<T> Lenient<T> {
    /// A value that the strict reading gives as well.
    #[must_use]
    pub const fn as_written(value: T) -> Self {
        Self { value, repair: None }
    }

    /// A value that took a repair.
    #[must_use]
    pub const fn repaired(value: T, repair: Repair) -> Self {
        Self { value, repair: Some(repair) }
    }

    /// This repair with another value.
    #[must_use]
    pub fn map<U>(self, into: impl FnOnce(T) -> U) -> Lenient<U> {
        Lenient { value: into(self.value), repair: self.repair }
    }
}

/// Meaning of the bytes of a value, and how certain it is.
///
/// Use [`Sure`](Self::Sure) readings everywhere. Use a [`Guess`](Self::Guess)
/// only where the user asked for guesses, keep it apart in every output, and
/// never write it over what a file says.
///
/// ```
/// use sgfstream_game::value::{Reading, Time};
///
/// assert_eq!(Time::read(b"2m30s").sure().expect("one meaning").value.seconds(), 150.0);
/// assert!(matches!(Time::read(b"30sec, 10x1min"), Reading::Guess(_)));
/// assert_eq!(Time::read(b"as agreed"), Reading::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading<T> {
    /// A reading by the specification, or a spelling with one meaning.
    Sure(Lenient<T>),
    /// One meaning of several, and the likeliest.
    Guess(Lenient<T>),
    /// Not understood.
    Unknown,
}

impl<T> Reading<T> {
    pub(super) const fn as_written(value: T) -> Self {
        Self::Sure(Lenient::as_written(value))
    }

    pub(super) const fn repaired(value: T, repair: Repair) -> Self {
        Self::Sure(Lenient::repaired(value, repair))
    }

    /// A reading that is sure only if `is_sure`.
    pub(super) fn sure_if(is_sure: bool, read: Lenient<T>) -> Self {
        if is_sure { Self::Sure(read) } else { Self::Guess(read) }
    }

    /// The value, if it is sure.
    #[must_use]
    pub fn sure(self) -> Option<Lenient<T>> {
        match self {
            Self::Sure(read) => Some(read),
            Self::Guess(_) | Self::Unknown => None,
        }
    }

    /// The value, sure or guessed.
    #[must_use]
    pub fn likely(self) -> Option<Lenient<T>> {
        match self {
            Self::Sure(read) | Self::Guess(read) => Some(read),
            Self::Unknown => None,
        }
    }

    /// True for a guess.
    #[must_use]
    pub const fn is_guess(&self) -> bool {
        matches!(self, Self::Guess(_))
    }

    /// This reading of another value.
    #[must_use]
    pub fn map<U>(self, into: impl FnOnce(T) -> U) -> Reading<U> {
        match self {
            Self::Sure(read) => Reading::Sure(read.map(into)),
            Self::Guess(read) => Reading::Guess(read.map(into)),
            Self::Unknown => Reading::Unknown,
        }
    }

    /// This reading, as one that took this repair.
    pub(super) fn repaired_by(self, repair: Repair) -> Self {
        let with = |read: Lenient<T>| Lenient::repaired(read.value, repair);
        match self {
            Self::Sure(read) => Self::Sure(with(read)),
            Self::Guess(read) => Self::Guess(with(read)),
            Self::Unknown => Self::Unknown,
        }
    }

    /// This reading, as a guess at most.
    pub(super) fn doubted(self) -> Self {
        self.likely().map_or(Self::Unknown, Self::Guess)
    }
}

/// `FromStr` and `TryFrom<&[u8]>` by the strict `parse`.
macro_rules! parses {
    ($($type:ty),*) => { $(
        impl std::str::FromStr for $type {
            type Err = $crate::value::ValueError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::parse(text.as_bytes())
            }
        }

        impl TryFrom<&[u8]> for $type {
            type Error = $crate::value::ValueError;

            fn try_from(raw: &[u8]) -> Result<Self, Self::Error> {
                Self::parse(raw)
            }
        }
    )* };
}
pub(crate) use parses;

/// Serialization by `Display`, and deserialization by `FromStr`: a value is its text in SGF.
macro_rules! serde_as_text {
    ($type:ty) => {
        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text: String = serde::Deserialize::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(super) use serde_as_text;

/// [`parses`], and `parse_lenient` by what is sure in `read`.
macro_rules! reads {
    ($type:ty) => {
        impl $type {
            /// The lenient reading, as far as it is sure: [`read`](Self::read)
            /// without its guesses.
            ///
            /// # Errors
            ///
            /// Not understood, or several meanings.
            pub fn parse_lenient(raw: &[u8]) -> Result<$crate::value::Lenient<Self>, $crate::value::ValueError> {
                let several = || $crate::value::ValueError::syntax("a value with one meaning", raw);
                Self::read(raw).sure().ok_or_else(|| Self::parse(raw).err().unwrap_or_else(several))
            }
        }

        $crate::value::lenient::parses!($type);
        $crate::value::lenient::serde_as_text!($type);
    };
}
pub(super) use reads;

/// One row for each repair: variant, name, what was done.
macro_rules! repairs {
    ($($variant:ident $name:literal $message:literal)*) => {
        /// Repair of a value by a lenient reading. Where it did several things,
        /// the one that changes the meaning most is named.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Repair {
            $(#[doc = concat!("`", $name, "`: ", $message, ".")] $variant,)*
        }

        impl Repair {
            /// Every repair.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its stable kebab-case name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Description of the repair, as a sentence.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)* }
            }
        }
    };
}

repairs! {
    Blanks "blanks" "white space removed"
    Case "case" "capital and small letters exchanged"
    FullWidth "full-width" "full-width characters read as ASCII"
    Junk "junk" "characters that have no place in the value removed"
    Dropped "dropped" "text dropped where the value should be empty"
    Defaulted "defaulted" "nothing readable; the default taken"
    Clipped "clipped" "out of range; the nearest value in range taken"
    DecimalPoint "decimal-point" "digits missing before or after the decimal point supplied"
    DecimalComma "decimal-comma" "decimal comma read as a point"
    ThousandsComma "thousands-comma" "commas between thousands removed"
    Exponent "exponent" "exponent worked out"
    Fraction "fraction" "fraction worked out"
    Words "words" "words read as a value"
    Unit "unit" "unit of time worked out in seconds"
    Scale "scale" "hundredths read as points"
    MissingHalf "missing-half" "second half of a composed value supplied"
    ExtraColon "extra-colon" "second colon taken as part of the text after the first"
    SquarePair "square-pair" "square size written as a pair"
    Separator "separator" "other separator read as the right one"
    SortedCorners "sorted-corners" "corners of a rectangle put in order"
    OnePointRectangle "one-point-rectangle" "rectangle of one point read as the point"
    Backslash "backslash" "backslash before the closing bracket escaped"
    Spelling "spelling" "other spelling read as the right one"
    DateForm "date-form" "date written in another form"
    TimeOfDay "time-of-day" "time of day dropped from a date"
    Name "name" "name read as its number"
}

impl Repair {
    /// True if what is written says more than the value does: other words, a
    /// time of day, a comment. A writer that replaces the value keeps the old
    /// text elsewhere.
    #[must_use]
    pub const fn loses_text(self) -> bool {
        matches!(self, Self::Junk | Self::Dropped | Self::TimeOfDay | Self::Clipped | Self::Defaulted)
    }

    /// True for a reading that had to choose between several meanings.
    pub const fn is_guess(self) -> bool {
        matches!(self, Self::Clipped | Self::Scale | Self::Defaulted)
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// White space as FF\[4\] counts it, and the byte 0x00.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0)
}

/// `raw` without white space; borrowed where there was none.
pub(crate) fn without_blanks(raw: &[u8]) -> Cow<'_, [u8]> {
    if raw.iter().any(|&byte| is_blank(byte)) {
        Cow::Owned(raw.iter().copied().filter(|&byte| !is_blank(byte)).collect())
    } else {
        Cow::Borrowed(raw)
    }
}

/// True if blanks between digits separate groups of three (`1 000`), or
/// there are none: blanks may separate two numbers.
pub(super) fn is_grouped(raw: &[u8]) -> bool {
    let mut groups = raw.trim_ascii().split(|&byte| is_blank(byte)).filter(|group| !group.is_empty());
    let first_ends = groups.next().is_none_or(|first| first.last().is_none_or(|byte| !byte.is_ascii_digit()));
    let mut follows_digit = !first_ends;
    groups.all(|group| {
        let begins = group[0].is_ascii_digit();
        let digits = group.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_fine = !(follows_digit && begins) || digits == 3;
        follows_digit = group.last().is_some_and(u8::is_ascii_digit);
        is_fine
    })
}

/// `raw` with full-width forms (U+FF01 to U+FF5E, in UTF-8) and the ideographic
/// space as their ASCII twins, as converted Asian files have them (spec Q-67).
pub(crate) fn narrowed(raw: &[u8]) -> Cow<'_, [u8]> {
    let is_wide = |bytes: &[u8]| match bytes {
        [0xEF, 0xBC, low @ 0x81..=0xBF, ..] => Some(low - 0x81 + b'!'),
        [0xEF, 0xBD, low @ 0x80..=0x9E, ..] => Some(low - 0x80 + b'`'),
        [0xE3, 0x80, 0x80, ..] => Some(b' '),
        _ => None,
    };
    if !raw.iter().any(|byte| matches!(byte, 0xEF | 0xE3)) {
        return Cow::Borrowed(raw);
    }
    let mut out = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        match is_wide(&raw[at..]) {
            Some(narrow) => {
                out.push(narrow);
                at += 3;
            }
            None => {
                out.push(raw[at]);
                at += 1;
            }
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_case_and_unique() {
        let mut names: Vec<_> = Repair::ALL.iter().map(|repair| repair.as_str()).collect();
        assert!(names.iter().all(|name| name.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase())));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Repair::ALL.len());
    }

    #[test]
    fn full_width_is_narrowed() {
        assert_eq!(&*narrowed("６．５　ｘ～黒".as_bytes()), "6.5 x~黒".as_bytes());
        assert!(matches!(narrowed(b"6.5"), Cow::Borrowed(_)));
    }
}
