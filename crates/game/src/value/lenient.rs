//! Lenient readings: they accept the spellings of real files and name the [`Repair`] that was
//! needed (spec quirks §2).

use std::borrow::Cow;
use std::fmt;

/// A value, and the repair that was needed to read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LenientValue<T> {
    /// Value that was read.
    pub value: T,
    /// Repair that was needed; `None` if the strict reading accepts the value.
    pub repair: Option<Repair>,
}

impl<T> LenientValue<T> {
    /// Returns a value that the strict reading accepts.
    #[must_use]
    pub const fn as_written(value: T) -> Self {
        Self {
            value,
            repair: None,
        }
    }

    /// Returns a value that needed `repair`.
    #[must_use]
    pub const fn repaired(value: T, repair: Repair) -> Self {
        Self {
            value,
            repair: Some(repair),
        }
    }

    /// Converts the value and keeps the repair.
    #[must_use]
    pub fn map<U>(self, into: impl FnOnce(T) -> U) -> LenientValue<U> {
        LenientValue {
            value: into(self.value),
            repair: self.repair,
        }
    }
}

/// Result of reading a value leniently, with its certainty.
///
/// Use [`Sure`](Self::Sure) readings everywhere. Use a [`Guess`](Self::Guess) only where the user
/// asked for guesses, mark it as one in every output, and never write it over the text of a file.
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
    /// Follows the specification, or has only one possible meaning.
    Sure(LenientValue<T>),
    /// Has several possible meanings; this is the most likely.
    Guess(LenientValue<T>),
    /// Has no meaning that is likely enough.
    Unknown,
}

impl<T> Reading<T> {
    pub(super) const fn as_written(value: T) -> Self {
        Self::Sure(LenientValue::as_written(value))
    }

    pub(super) const fn repaired(value: T, repair: Repair) -> Self {
        Self::Sure(LenientValue::repaired(value, repair))
    }

    /// Returns a sure reading if `is_sure`, else a guess.
    pub(super) fn sure_if(is_sure: bool, read: LenientValue<T>) -> Self {
        if is_sure {
            Self::Sure(read)
        } else {
            Self::Guess(read)
        }
    }

    /// Returns the value if the reading is sure.
    #[must_use]
    pub fn sure(self) -> Option<LenientValue<T>> {
        match self {
            Self::Sure(read) => Some(read),
            Self::Guess(_) | Self::Unknown => None,
        }
    }

    /// Returns the value if the reading is sure or a guess.
    #[must_use]
    pub fn likely(self) -> Option<LenientValue<T>> {
        match self {
            Self::Sure(read) | Self::Guess(read) => Some(read),
            Self::Unknown => None,
        }
    }

    /// Returns whether the reading is a guess.
    #[must_use]
    pub const fn is_guess(&self) -> bool {
        matches!(self, Self::Guess(_))
    }

    /// Converts the value and keeps the repair and the certainty.
    #[must_use]
    pub fn map<U>(self, into: impl FnOnce(T) -> U) -> Reading<U> {
        match self {
            Self::Sure(read) => Reading::Sure(read.map(into)),
            Self::Guess(read) => Reading::Guess(read.map(into)),
            Self::Unknown => Reading::Unknown,
        }
    }

    /// Replaces the repair.
    pub(super) fn repaired_by(self, repair: Repair) -> Self {
        let with = |read: LenientValue<T>| LenientValue::repaired(read.value, repair);
        match self {
            Self::Sure(read) => Self::Sure(with(read)),
            Self::Guess(read) => Self::Guess(with(read)),
            Self::Unknown => Self::Unknown,
        }
    }

    /// Turns a sure reading into a guess.
    pub(super) fn doubted(self) -> Self {
        self.likely().map_or(Self::Unknown, Self::Guess)
    }
}

/// Implements `FromStr` and `TryFrom<&[u8]>` with the strict `parse`.
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

/// Serializes with `Display` and deserializes with `FromStr`, so that the serialized form is the
/// SGF text.
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

/// Implements [`parses`] and `parse_lenient`, which returns the sure results of `read`.
macro_rules! reads {
    ($type:ty) => {
        impl $type {
            /// Reads the value leniently, as [`read`](Self::read) does, but rejects guesses.
            ///
            /// # Errors
            ///
            /// The value is unknown, or has several possible meanings.
            pub fn parse_lenient(
                raw: &[u8],
            ) -> Result<$crate::value::LenientValue<Self>, $crate::value::ValueError> {
                let several = || $crate::value::ValueError::syntax("a value with one meaning", raw);
                Self::read(raw)
                    .sure()
                    .ok_or_else(|| Self::parse(raw).err().unwrap_or_else(several))
            }
        }

        $crate::value::lenient::parses!($type);
        $crate::value::lenient::serde_as_text!($type);
    };
}
pub(super) use reads;

/// Implements `Display` as the only field does.
macro_rules! shows_inner {
    ($type:ty) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}
pub(crate) use shows_inner;

/// Takes one row for each repair: variant, name, message.
macro_rules! repairs {
    ($($variant:ident $name:literal $message:literal)*) => {
        /// Repair that a lenient reading made. If it made several, this is the one that changes the
        /// meaning most.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Repair {
            $(#[doc = concat!("`", $name, "`: ", $message, ".")] $variant,)*
        }

        impl Repair {
            /// All repairs.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the stable kebab-case name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns a description of the repair, as a sentence.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)* }
            }
        }
    };
}

repairs! {
    Blanks "blanks" "white space removed"
    Case "case" "letter case corrected"
    FullWidth "full-width" "full-width characters read as ASCII"
    Junk "junk" "stray characters removed"
    Dropped "dropped" "text dropped where the value should be empty"
    Defaulted "defaulted" "unreadable; replaced by the default"
    Clipped "clipped" "out of range; replaced by the nearest allowed value"
    DecimalPoint "decimal-point" "missing digits before or after the decimal point inserted"
    DecimalComma "decimal-comma" "decimal comma read as a point"
    ThousandsComma "thousands-comma" "commas between thousands removed"
    Exponent "exponent" "exponent calculated"
    Fraction "fraction" "fraction calculated"
    Words "words" "words read as a value"
    Unit "unit" "unit of time converted to seconds"
    Scale "scale" "hundredths read as points"
    MissingHalf "missing-half" "second half of a composed value inserted"
    ExtraColon "extra-colon" "second colon taken as part of the text after the first"
    SquarePair "square-pair" "square size written as a pair"
    Separator "separator" "separator corrected"
    SortedCorners "sorted-corners" "corners of a rectangle reordered"
    OnePointRectangle "one-point-rectangle" "rectangle of one point read as the point"
    MoveTime "move-time" "evaluation and time of a move removed"
    Backslash "backslash" "backslash before the closing bracket escaped"
    Spelling "spelling" "spelling corrected"
    DateForm "date-form" "date written in another form"
    TimeOfDay "time-of-day" "time of day dropped from a date"
    Name "name" "name read as its number"
    Repeated "repeated" "points that the node already has removed"
}

impl Repair {
    /// Returns whether the value lacks a part of the text: other words, a time of day, a comment. A
    /// writer that replaces the text must keep the old text elsewhere.
    #[must_use]
    pub const fn loses_text(self) -> bool {
        matches!(
            self,
            Self::Junk
                | Self::Dropped
                | Self::TimeOfDay
                | Self::MoveTime
                | Self::Clipped
                | Self::Defaulted
        )
    }

    /// Returns whether the repair had to choose between several meanings.
    pub const fn is_guess(self) -> bool {
        matches!(self, Self::Clipped | Self::Scale | Self::Defaulted)
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Returns whether `byte` is white space of FF\[4\], or the byte 0x00.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0)
}

/// Removes the white space of `raw`. Borrows `raw` if it has no white space.
pub(crate) fn without_blanks(raw: &[u8]) -> Cow<'_, [u8]> {
    if raw.iter().any(|&byte| is_blank(byte)) {
        Cow::Owned(
            raw.iter()
                .copied()
                .filter(|&byte| !is_blank(byte))
                .collect(),
        )
    } else {
        Cow::Borrowed(raw)
    }
}

/// Returns whether all blanks between digits separate groups of three (`1 000`). Other blanks may
/// separate two numbers.
pub(super) fn is_grouped(raw: &[u8]) -> bool {
    let mut groups = raw
        .trim_ascii()
        .split(|&byte| is_blank(byte))
        .filter(|group| !group.is_empty());
    let first_ends = groups
        .next()
        .is_none_or(|first| first.last().is_none_or(|byte| !byte.is_ascii_digit()));
    let mut follows_digit = !first_ends;
    groups.all(|group| {
        let begins = group[0].is_ascii_digit();
        let is_fine = !(follows_digit && begins) || digits(group) == 3;
        follows_digit = group.last().is_some_and(u8::is_ascii_digit);
        is_fine
    })
}

/// Counts the digits at the start of `bytes`.
pub(super) fn digits(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
}

/// Returns the repair of a value that differs from its strict form by blanks or wide characters.
/// `narrow` is the value with narrow characters.
pub(crate) fn blanks_or_wide(narrow: &[u8], raw: &[u8]) -> Repair {
    if narrow.len() < raw.len() {
        Repair::FullWidth
    } else {
        Repair::Blanks
    }
}

/// Replaces full-width forms (U+FF01 to U+FF5E, in UTF-8) and the ideographic space by their ASCII
/// counterparts. Converted Asian files contain them (spec Q-67).
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
        assert!(names.iter().all(|name| {
            name.bytes()
                .all(|byte| byte == b'-' || byte.is_ascii_lowercase())
        }));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Repair::ALL.len());
    }

    #[test]
    fn full_width_is_narrowed() {
        assert_eq!(
            &*narrowed("６．５　ｘ～黒".as_bytes()),
            "6.5 x~黒".as_bytes()
        );
        assert!(matches!(narrowed(b"6.5"), Cow::Borrowed(_)));
    }
}
