//! Charsets: the names in `CA`, and decoding. Each game tree has its own charset (FF\[4\], "CA"),
//! which the reader determines.

use std::borrow::Cow;
use std::fmt;

use encoding_rs::Encoding;

/// Charset that decodes bytes to text.
///
/// ```
/// use sgfstream::Charset;
///
/// let gbk = Charset::for_label(b"GB2312").expect("a known name");
/// assert_eq!(gbk.decode(b"\xba\xda").0, "黒".replace('黒', "黑"));
/// assert_eq!(Charset::LATIN1.decode(b"\x80").0, "\u{80}");
/// assert!(Charset::for_label(b"klingon").is_none());
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Charset(u8);

/// The numbers 0 and 1 are [`Charset::AUTO`] and [`Charset::LATIN1`], which are not encodings.
macro_rules! charsets {
    ($($name:ident)*) => { [None, None, $(Some(encoding_rs::$name)),*] };
}

/// Encodings by the number of a charset. A charset is a number, because each value carries its
/// charset and should not become larger.
static CHARSETS: [Option<&'static Encoding>; 42] = charsets! {
    UTF_8 WINDOWS_1252 GBK SHIFT_JIS EUC_KR GB18030 BIG5 EUC_JP ISO_2022_JP UTF_16LE UTF_16BE
    WINDOWS_1250 WINDOWS_1251 WINDOWS_1253 WINDOWS_1254 WINDOWS_1255 WINDOWS_1256 WINDOWS_1257 WINDOWS_1258 WINDOWS_874
    ISO_8859_2 ISO_8859_3 ISO_8859_4 ISO_8859_5 ISO_8859_6 ISO_8859_7 ISO_8859_8 ISO_8859_8_I ISO_8859_10 ISO_8859_13
    ISO_8859_14 ISO_8859_15 ISO_8859_16 IBM866 KOI8_R KOI8_U MACINTOSH X_MAC_CYRILLIC X_USER_DEFINED REPLACEMENT
};

impl Charset {
    /// Charset of a game that names no charset: a value is UTF-8 if its bytes are valid UTF-8, else
    /// windows-1252. Windows-1252 extends Latin-1, the default of FF\[4\].
    pub const AUTO: Self = Self(0);
    /// ISO-8859-1, exactly: byte `n` is U+00`n`.
    pub const LATIN1: Self = Self(1);
    /// UTF-8.
    pub const UTF_8: Self = Self(2);
    const GBK: Self = Self(4);

    /// Returns the charset that a `CA` value or the option `--charset` names, if it is known.
    /// Ignores case, blanks around the name and common misspellings (`UTF8`, `ISO8859_1`,
    /// `Shift-JIS`; spec CA-08).
    ///
    /// `ISO-8859-1` is read as windows-1252, which extends it and is the charset of most files with
    /// that label. Only [`Charset::forced`] reads `latin1` exactly ([`Charset::LATIN1`]).
    #[must_use]
    pub fn for_label(label: &[u8]) -> Option<Self> {
        // Nearly all files that name a charset name one of these. Another search takes 370
        // instructions.
        match label {
            b"UTF-8" | b"utf-8" => return Some(Self::UTF_8),
            b"GB2312" | b"gb2312" | b"GBK" => return Some(Self::GBK),
            _ => {}
        }
        if let Some(encoding) = Encoding::for_label(label) {
            return Some(Self::from_encoding(encoding));
        }
        // Misspelled: normalize the name and search again.
        let folded: Vec<u8> = label
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .map(u8::to_ascii_lowercase)
            .collect();
        let encoding = match folded.as_slice() {
            b"utf8" | b"unicode11utf8" => encoding_rs::UTF_8,
            b"iso88591" | b"latin1" | b"isolatin1" | b"ascii" | b"usascii" | b"ansi" => {
                encoding_rs::WINDOWS_1252
            }
            b"iso885915" | b"latin9" => encoding_rs::ISO_8859_15,
            b"iso88592" | b"latin2" => encoding_rs::ISO_8859_2,
            b"shiftjis" | b"sjis" | b"mskanji" | b"cp932" | b"windows31j" | b"windows932"
            | b"ms932" => encoding_rs::SHIFT_JIS,
            b"gb2312" | b"gbk" | b"cp936" | b"ms936" | b"euccn" | b"gb231280" | b"gb"
            | b"windows936" => encoding_rs::GBK,
            b"gb18030" => encoding_rs::GB18030,
            b"big5" | b"big5hkscs" | b"cp950" | b"bigfive" | b"windows950" => encoding_rs::BIG5,
            b"euckr" | b"ksc5601" | b"ksc56011987" | b"cp949" | b"uhc" | b"windows949" => {
                encoding_rs::EUC_KR
            }
            b"eucjp" | b"ujis" => encoding_rs::EUC_JP,
            b"iso2022jp" | b"jis" => encoding_rs::ISO_2022_JP,
            b"windows1250" | b"cp1250" => encoding_rs::WINDOWS_1250,
            b"windows1251" | b"cp1251" => encoding_rs::WINDOWS_1251,
            b"windows1252" | b"cp1252" => encoding_rs::WINDOWS_1252,
            b"koi8r" | b"koi8" => encoding_rs::KOI8_R,
            _ => return None,
        };
        Some(Self::from_encoding(encoding))
    }

    /// Returns the charset that a caller forces by name, as [`for_label`](Self::for_label) does.
    /// But `latin1`, `ISO-8859-1` and similar names are exact, with one character for each byte.
    #[must_use]
    pub fn forced(label: &[u8]) -> Option<Self> {
        let folded: Vec<u8> = label
            .iter()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .map(u8::to_ascii_lowercase)
            .collect();
        if matches!(
            folded.as_slice(),
            b"latin1" | b"iso88591" | b"l1" | b"isolatin1"
        ) {
            return Some(Self::LATIN1);
        }
        Self::for_label(label)
    }

    /// Returns the charset of an `encoding_rs` encoding.
    pub(crate) fn from_encoding(encoding: &'static Encoding) -> Self {
        // The list contains every encoding; a test checks this.
        CHARSETS
            .iter()
            .position(|&found| found == Some(encoding))
            .map_or(Self::AUTO, |at| Self(at as u8))
    }

    /// Returns the `encoding_rs` encoding, if the charset is one.
    pub(crate) fn encoding(self) -> Option<&'static Encoding> {
        CHARSETS[usize::from(self.0)]
    }

    /// Returns the number of the charset in this version.
    pub(crate) fn number(self) -> u8 {
        self.0
    }

    /// Returns the charset of this number.
    pub(crate) fn of_number(number: u8) -> Option<Self> {
        (usize::from(number) < CHARSETS.len()).then_some(Self(number))
    }

    /// Returns the name in the spelling of the WHATWG list; `ISO-8859-1` for exact Latin-1, `auto`
    /// for [`AUTO`](Self::AUTO).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.encoding() {
            Some(encoding) => encoding.name(),
            None if self == Self::LATIN1 => "ISO-8859-1",
            None => "auto",
        }
    }

    /// Returns whether `[`, `\` or `]` can be the second byte of a character (spec Q-70), so that a
    /// bytewise reader may cut a character in two.
    #[must_use]
    pub fn has_structural_trail_bytes(self) -> bool {
        let Some(encoding) = self.encoding() else {
            return false;
        };
        [
            encoding_rs::SHIFT_JIS,
            encoding_rs::GBK,
            encoding_rs::GB18030,
            encoding_rs::BIG5,
        ]
        .contains(&encoding)
    }

    /// Returns false for UTF-16 and ISO-2022-JP, whose bytes must be transcoded before they are
    /// scanned.
    pub(crate) fn is_scannable(self) -> bool {
        !self.is_wide() && self.encoding() != Some(encoding_rs::ISO_2022_JP)
    }

    /// Returns whether the charset is UTF-16.
    pub(crate) fn is_wide(self) -> bool {
        self.encoding().is_some_and(|encoding| {
            [encoding_rs::UTF_16LE, encoding_rs::UTF_16BE].contains(&encoding)
        })
    }

    /// Encodes `text` in this charset; [`AUTO`](Self::AUTO) encodes to UTF-8. Returns `None` if the
    /// charset lacks a character.
    #[must_use]
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        if text.is_ascii() || self == Self::AUTO {
            return Some(text.as_bytes().to_vec());
        }
        match self.encoding() {
            None => encoding_rs::mem::is_str_latin1(text)
                .then(|| encoding_rs::mem::encode_latin1_lossy(text).into_owned()),
            Some(encoding) => {
                let (bytes, _, is_lossy) = encoding.encode(text);
                (!is_lossy).then(|| bytes.into_owned())
            }
        }
    }

    /// Decodes `bytes`, and returns whether some of them are invalid in this charset; each invalid
    /// sequence becomes U+FFFD. Borrows if nothing changes. A byte order mark is text like any
    /// other. Bytes of 0x80 and more are never ISO-2022-JP: a game that declares it but contains
    /// such bytes was transcoded to UTF-8, as [`transcode`](crate::transcode) does, and is decoded
    /// as [`AUTO`](Self::AUTO).
    ///
    /// ```
    /// use sgfstream::Charset;
    ///
    /// let charset = Charset::for_label(b"ISO-2022-JP").expect("its name is known");
    /// assert_eq!(charset.decode(b"\x1B$B9u\x1B(B").0, "黒");
    /// assert_eq!(charset.decode("黒".as_bytes()).0, "黒");
    /// ```
    #[must_use]
    pub fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        // The encoding would do the same, but takes three times as long for a short value.
        if self.is_utf8_first()
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            return (Cow::Borrowed(text), false);
        }
        match self.encoding() {
            // A charset of seven bits: bytes with the eighth bit were transcoded from it.
            Some(encoding) if encoding == encoding_rs::ISO_2022_JP && !bytes.is_ascii() => {
                Self::AUTO.decode(bytes)
            }
            Some(encoding) => encoding.decode_without_bom_handling(bytes),
            None if self == Self::AUTO && is_damaged_utf8(bytes) => {
                encoding_rs::UTF_8.decode_without_bom_handling(bytes)
            }
            // Decoded as `CA[ISO-8859-1]` is: files without `CA` contain quotation marks of
            // Windows, but no control characters.
            None if self == Self::AUTO => {
                encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes)
            }
            None => (encoding_rs::mem::decode_latin1(bytes), false),
        }
    }

    /// Returns the charset of a value in a game of this charset: UTF-8 if the value is valid UTF-8
    /// and has a character of three or more bytes, otherwise this charset. Programs put such values
    /// into games of other charsets. Text in another charset hardly ever has this form: of 21,100
    /// values in real games that declare one, two have it, and both are UTF-8.
    ///
    /// ```
    /// use sgfstream::Charset;
    ///
    /// let gbk = Charset::for_label(b"GBK").expect("its name is known");
    /// assert_eq!(gbk.for_value("九段".as_bytes()), Charset::UTF_8);
    /// assert_eq!(gbk.for_value(b"\xbe\xc5\xb6\xce"), gbk);
    /// // Two bytes, which are a character in GBK as well.
    /// assert_eq!(gbk.for_value("î".as_bytes()), gbk);
    /// ```
    #[must_use]
    pub fn for_value(self, value: &[u8]) -> Self {
        let is_fixed = self.is_utf8_first() || self == Self::LATIN1;
        // The first byte of such a character.
        if is_fixed
            || !value.iter().any(|&byte| byte >= 0xE0)
            || std::str::from_utf8(value).is_err()
        {
            return self;
        }
        Self::UTF_8
    }

    /// Returns whether valid UTF-8 is decoded as UTF-8.
    pub(crate) fn is_utf8_first(self) -> bool {
        self == Self::AUTO || self == Self::UTF_8
    }
}

/// Returns whether invalid bytes are damaged UTF-8: at least two characters have the form of three
/// or four bytes, which happens only by chance in other charsets, and there are not more damaged
/// places than such characters.
#[cold]
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut characters, mut faults) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        characters += chunk
            .valid()
            .chars()
            .filter(|&character| character >= '\u{800}')
            .count();
        faults += usize::from(!chunk.invalid().is_empty());
    }
    characters >= 2 && faults <= characters
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Charset({})", self.name())
    }
}

/// Error: the name of a charset or a code is unknown.
///
/// ```
/// use sgfstream::{Charset, UnknownName};
///
/// assert_eq!("KOI8-X".parse::<Charset>(), Err(UnknownName));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName;

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name is unknown")
    }
}

impl std::error::Error for UnknownName {}

/// Parses a name as [`Charset::for_label`] does.
impl std::str::FromStr for Charset {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::for_label(name.as_bytes()).ok_or(UnknownName)
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Origin of a game's charset; a later variant takes precedence over an earlier one.
///
/// ```
/// use sgfstream::{CharsetSource, EventReader, SliceReader};
///
/// let mut reader = SliceReader::new(b"(;CA[GBK]C[\xba\xda])");
/// while reader.advance()? {}
/// assert_eq!(
///     (reader.charset().name(), reader.place().charset_source),
///     ("GBK", CharsetSource::Declared)
/// );
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum CharsetSource {
    /// No evidence: a value is UTF-8 if its bytes are valid UTF-8, else Latin-1.
    #[default]
    Default,
    /// The bytes do not fit the charset that `CA` names, and suggest another one. `CA` does not
    /// override it.
    Overruled,
    /// The text suggests the charset. This is good enough to display text, but not to write it.
    Guessed,
    /// The text can hardly be in another charset, or the dialect has its own default (Pentobi:
    /// UTF-8, spec P-06).
    Detected,
    /// A byte order mark precedes the game.
    Bom,
    /// The game's `CA` names it.
    Declared,
    /// The caller set it.
    Forced,
}

impl CharsetSource {
    pub(crate) const ALL: [Self; 7] = [
        Self::Default,
        Self::Overruled,
        Self::Guessed,
        Self::Detected,
        Self::Bom,
        Self::Declared,
        Self::Forced,
    ];

    /// Returns `default`, `overruled`, `guessed`, `detected`, `bom`, `declared` or `forced`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Overruled => "overruled",
            Self::Guessed => "guessed",
            Self::Detected => "detected",
            Self::Bom => "bom",
            Self::Declared => "declared",
            Self::Forced => "forced",
        }
    }
}

impl fmt::Display for CharsetSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_field() {
        for (label, name) in [
            ("UTF-8", "UTF-8"),
            ("utf8", "UTF-8"),
            (" utf-8 ", "UTF-8"),
            ("UTF_8", "UTF-8"),
            ("ISO-8859-1", "windows-1252"),
            ("ISO8859_1", "windows-1252"),
            ("latin-1", "windows-1252"),
            ("Windows-1252", "windows-1252"),
            ("GB2312", "GBK"),
            ("gb2312", "GBK"),
            ("GBK", "GBK"),
            ("gbk", "GBK"),
            ("GB18030", "gb18030"),
            ("BIG5", "Big5"),
            ("Shift_JIS", "Shift_JIS"),
            ("Shift-JIS", "Shift_JIS"),
            ("SJIS", "Shift_JIS"),
            ("EUC-JP", "EUC-JP"),
            ("EUC-KR", "EUC-KR"),
            ("KS_C_5601-1987", "EUC-KR"),
            ("koi8-r", "KOI8-R"),
            ("windows-1251", "windows-1251"),
            ("us-ascii", "windows-1252"),
            ("windows-874", "windows-874"),
        ] {
            assert_eq!(
                Charset::for_label(label.as_bytes()).map(Charset::name),
                Some(name),
                "{label}"
            );
        }
    }

    #[test]
    fn every_encoding_has_a_number() {
        let encodings = CHARSETS.iter().flatten();
        assert!(
            encodings
                .clone()
                .all(|encoding| Charset::from_encoding(encoding).encoding() == Some(encoding))
        );
        // 38 encodings with names, the replacement, and UTF-16 in two byte orders, as in the WHATWG
        // list.
        assert_eq!(encodings.count(), 40);
    }

    #[test]
    fn text_of_no_charset_has_the_quotation_marks_of_windows() {
        assert_eq!(Charset::AUTO.decode(b"O\x92Neil caf\xe9").0, "O’Neil café");
        assert_eq!(Charset::AUTO.decode("’é".as_bytes()).0, "’é");
        // A server has replaced a byte of a name with `?`.
        assert_eq!(
            Charset::AUTO.decode(b"\xe5\xb0\x3f\xe8\xaa\xa0\xe4\xb8\x96"),
            ("\u{fffd}?誠世".into(), true)
        );
    }

    #[test]
    fn forced_latin1_is_one_character_a_byte() {
        let all: Vec<u8> = (0..=255).collect();
        let charset = Charset::forced(b"latin1").expect("known");
        let (text, faulty) = charset.decode(&all);
        assert!(!faulty);
        assert!(text.chars().map(u32::from).eq(0..=255));
    }
}
