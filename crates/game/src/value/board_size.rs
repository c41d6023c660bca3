//! SZ: the size of a board, as a number, as `columns:rows` (FF\[4\] properties, spec R-03), or in
//! GoRilla's letters (spec G-12). Each game has its own limits and its own default.

use std::fmt;

use super::lenient::{blanks_or_wide, narrowed, reads};
use super::{LenientValue, Number, Reading, Repair, ValueError, ValueErrorKind};

/// Completes "expected …" in errors.
const EXPECTED: &str = "a board size: a number, or columns:rows of a rectangle";

/// Columns and rows of a board, both at least 1.
///
/// ```
/// use sgfstream_game::value::BoardSize;
///
/// let size = BoardSize::parse(b"19:13").expect("columns, then rows");
/// assert_eq!((size.columns(), size.rows()), (19, 13));
/// assert_eq!(size.to_string(), "19:13");
/// assert!(BoardSize::parse(b"19:19").is_err()); // a square is one number
/// assert_eq!(BoardSize::square(19).to_string(), "19");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardSize {
    columns: u32,
    rows: u32,
}

impl BoardSize {
    /// The largest board that two letters can name points of: Go's limit.
    pub const MAX_TWO_LETTER: u32 = 52;
    /// GoRilla's largest Kropki board (spec G-14).
    pub(crate) const MAX_GORILLA: u32 = 45;

    /// Returns a board of this size; a side of 0 counts as 1.
    #[must_use]
    pub const fn new(columns: u32, rows: u32) -> Self {
        Self {
            columns: if columns == 0 { 1 } else { columns },
            rows: if rows == 0 { 1 } else { rows },
        }
    }

    /// Returns a square board; a side of 0 counts as 1.
    #[must_use]
    pub const fn square(side: u32) -> Self {
        Self::new(side, side)
    }

    /// Returns the number of columns, at least 1.
    #[must_use]
    #[inline]
    pub const fn columns(self) -> u32 {
        self.columns
    }

    /// Returns the number of rows, at least 1.
    #[must_use]
    #[inline]
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// Returns the longer side.
    #[must_use]
    pub const fn longer(self) -> u32 {
        if self.columns > self.rows {
            self.columns
        } else {
            self.rows
        }
    }

    /// Returns whether both sides are equal.
    #[must_use]
    pub const fn is_square(self) -> bool {
        self.columns == self.rows
    }

    /// Parses the value strictly, for any game. Sides are at least 1, and a square is a single
    /// number.
    ///
    /// # Errors
    ///
    /// The syntax differs, a side is below 1 or beyond 32 bits, or a square is written as a pair
    /// (SGFC 47).
    // Size = Number | Number ":" Number      (FF[4] properties, SZ)
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        let Some(colon) = raw.iter().position(|&byte| byte == b':') else {
            return side(raw, raw).map(Self::square);
        };
        let size = Self::new(side(&raw[..colon], raw)?, side(&raw[colon + 1..], raw)?);
        if size.is_square() {
            return Err(ValueError::syntax("a square board size as one number", raw));
        }
        Ok(size)
    }

    /// Parses the value strictly, for a game whose sides are at most `max` (52 for Go and for all
    /// games with two-letter points).
    ///
    /// # Errors
    ///
    /// The same as for [`parse`](Self::parse), and [`OutOfRange`](ValueErrorKind::OutOfRange) if a
    /// side is longer than `max` (SGFC 50).
    pub fn parse_up_to(raw: &[u8], max: u32) -> Result<Self, ValueError> {
        let size = Self::parse(raw)?;
        if size.longer() > max {
            return Err(ValueError::new(
                ValueErrorKind::OutOfRange,
                "a board within the limit of its game",
                raw,
            ));
        }
        Ok(size)
    }

    /// Parses GoRilla's letters: `NG` is 39 columns and 32 rows, `N` is 39x39. Letters count from 0
    /// in `a`–`z`, `A`–`Z`, so each is one less than the same letter as a coordinate (spec G-12,
    /// G-13).
    ///
    /// ```
    /// use sgfstream_game::value::BoardSize;
    ///
    /// assert_eq!(BoardSize::parse_letters(b"NG"), Ok(BoardSize::new(39, 32)));
    /// assert_eq!(BoardSize::parse_letters(b"N"), Ok(BoardSize::square(39)));
    /// ```
    ///
    /// # Errors
    ///
    /// The value does not have one or two letters, or a side is outside 1..=45.
    pub fn parse_letters(raw: &[u8]) -> Result<Self, ValueError> {
        let expected = "a board size: one or two letters";
        let side = |byte: u8| match byte {
            b'a'..=b'z' => Ok(u32::from(byte - b'a')),
            b'A'..=b'Z' => Ok(u32::from(byte - b'A') + 26),
            _ => Err(ValueError::syntax(expected, raw)),
        };
        let (columns, rows) = match *raw {
            [both] => (side(both)?, side(both)?),
            [columns, rows] => (side(columns)?, side(rows)?),
            _ => return Err(ValueError::syntax(expected, raw)),
        };
        let range = 1..=Self::MAX_GORILLA;
        if range.contains(&columns) && range.contains(&rows) {
            Ok(Self { columns, rows })
        } else {
            Err(ValueError::new(
                ValueErrorKind::OutOfRange,
                "a board of 1 to 45 lines",
                raw,
            ))
        }
    }

    /// Reads the value leniently, for any game: ignores blanks around the sides and accepts `19:19`
    /// and `19x19` (SGFC 47, spec Q-65). The sides have no limit.
    ///
    /// ```
    /// use sgfstream_game::value::{BoardSize, Reading};
    ///
    /// assert_eq!(
    ///     BoardSize::read(b"13 x 9").sure().map(|read| read.value),
    ///     Some(BoardSize::new(13, 9))
    /// );
    /// assert_eq!(BoardSize::read(b"9 9"), Reading::Unknown);
    /// ```
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        Self::read_up_to(raw, u32::MAX)
    }

    /// Reads the value leniently, for a game whose sides are at most `max`. Ignores blanks around
    /// the sides and accepts `19:19` and `19x19` (SGFC 47, spec Q-65). A longer side is clipped to
    /// `max`, as a guess (SGFC 50). Two numbers that only a blank separates are unknown.
    #[must_use]
    pub(crate) fn read_up_to(raw: &[u8], max: u32) -> Reading<Self> {
        if let Ok(size) = Self::parse_up_to(raw, max) {
            return Reading::as_written(size);
        }
        let bytes = narrowed(raw);
        let mut repair = blanks_or_wide(&bytes, raw);
        let mut side_of = |part: &[u8]| {
            let read = Number::read(part).likely()?;
            repair = read
                .repair
                .filter(|&other| other != Repair::Blanks)
                .unwrap_or(repair);
            u32::try_from(read.value.get().min(i64::from(u32::MAX)))
                .ok()
                .filter(|&side| side > 0)
        };
        let pair = match bytes.iter().position(|&byte| Self::is_separator(byte)) {
            None => side_of(&bytes).map(|side| (side, side)),
            Some(at) => side_of(&bytes[..at])
                .zip(side_of(&bytes[at + 1..]))
                .inspect(|(columns, rows)| {
                    if bytes[at] != b':' {
                        repair = Repair::Separator;
                    } else if columns == rows {
                        repair = Repair::SquarePair;
                    }
                }),
        };
        let Some((columns, rows)) = pair else {
            return Reading::Unknown;
        };
        let max = max.max(1);
        if columns > max || rows > max {
            repair = Repair::Clipped;
        }
        let size = Self::new(columns.min(max), rows.min(max));
        Reading::sure_if(
            repair != Repair::Clipped,
            LenientValue::repaired(size, repair),
        )
    }

    /// Returns whether the lenient reading accepts `byte` between columns and rows.
    #[must_use]
    pub const fn is_separator(byte: u8) -> bool {
        matches!(byte, b':' | b'x' | b'X' | b'*' | b',')
    }
}

reads!(BoardSize);

/// Parses one side: a Number of at least 1.
fn side(part: &[u8], raw: &[u8]) -> Result<u32, ValueError> {
    let out_of_range =
        || ValueError::new(ValueErrorKind::OutOfRange, "a board of at least 1x1", raw);
    match Number::parse(part) {
        Ok(number) => u32::try_from(number.get())
            .ok()
            .filter(|&side| side > 0)
            .ok_or_else(out_of_range),
        Err(err) if err.kind == ValueErrorKind::OutOfRange => Err(out_of_range()),
        Err(_) => Err(ValueError::syntax(EXPECTED, raw)),
    }
}

impl fmt::Display for BoardSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_square() {
            self.columns.fmt(f)
        } else {
            write!(f, "{}:{}", self.columns, self.rows)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict() {
        for (raw, columns, rows) in [
            ("19", 19, 19),
            ("1", 1, 1),
            ("+9", 9, 9),
            ("52", 52, 52),
            ("19:13", 19, 13),
            ("1:2", 1, 2),
            ("013:9", 13, 9),
        ] {
            assert_eq!(
                BoardSize::parse(raw.as_bytes()),
                Ok(BoardSize { columns, rows }),
                "{raw}"
            );
        }
        for raw in [
            "",
            "0",
            "-19",
            "19:19",
            "19:019",
            "0:5",
            "5:0",
            "19:",
            ":19",
            "19:13:9",
            "19x13",
            "19 ",
            "19: 13",
            "NG",
            "19.0",
            "99999999999999999999",
        ] {
            assert!(BoardSize::parse(raw.as_bytes()).is_err(), "{raw:?}");
        }
        assert!(BoardSize::parse_up_to(b"52", 52).is_ok());
        for raw in ["53", "52:53", "53:1"] {
            let err = BoardSize::parse_up_to(raw.as_bytes(), 52).expect_err(raw);
            assert_eq!(err.kind, ValueErrorKind::OutOfRange, "{raw}");
        }
    }

    #[test]
    fn gorilla_letters() {
        for (raw, columns, rows) in [
            ("NG", 39, 32),
            ("N", 39, 39),
            ("t", 19, 19),
            ("T", 45, 45),
            ("bT", 1, 45),
        ] {
            assert_eq!(
                BoardSize::parse_letters(raw.as_bytes()),
                Ok(BoardSize { columns, rows }),
                "{raw}"
            );
        }
        for raw in ["", "a", "U", "NGN", "N1", "Na", "19"] {
            assert!(BoardSize::parse_letters(raw.as_bytes()).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn lenient() {
        for (raw, columns, rows, repair) in [
            ("19", 19, 19, None),
            ("19:13", 19, 13, None),
            ("19:19", 19, 19, Some(Repair::SquarePair)),
            ("19x19", 19, 19, Some(Repair::Separator)),
            ("19*13", 19, 13, Some(Repair::Separator)),
            (" 19 ", 19, 19, Some(Repair::Blanks)),
            ("13 x 9", 13, 9, Some(Repair::Separator)),
            ("１９", 19, 19, Some(Repair::FullWidth)),
            ("size 9", 9, 9, Some(Repair::Junk)),
        ] {
            let read = BoardSize::read_up_to(raw.as_bytes(), 52).sure();
            assert_eq!(
                read,
                Some(LenientValue {
                    value: BoardSize { columns, rows },
                    repair
                }),
                "{raw:?}"
            );
        }
        for (raw, columns, rows) in [
            ("60", 52, 52),
            ("60:13", 52, 13),
            ("99999999999999999999", 52, 52),
        ] {
            let size = LenientValue::repaired(BoardSize { columns, rows }, Repair::Clipped);
            assert_eq!(
                BoardSize::read_up_to(raw.as_bytes(), 52),
                Reading::Guess(size),
                "{raw:?}"
            );
        }
        for raw in [
            "", "0", "-12", "big", "19:", "x", "9 9", "1 9", "19 19", "9×9", "9 by 9", "9;9",
            "9 9:9",
        ] {
            assert_eq!(
                BoardSize::read_up_to(raw.as_bytes(), 52),
                Reading::Unknown,
                "{raw:?}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn reads_back(columns in 1u32.., rows in 1u32..) {
            let size = BoardSize { columns, rows };
            proptest::prop_assert_eq!(BoardSize::parse(size.to_string().as_bytes()), Ok(size));
        }

        #[test]
        fn any_bytes(raw in "[0-9x: +-]{0,9}") {
            let strict = BoardSize::parse_up_to(raw.as_bytes(), 52);
            let lenient = BoardSize::read_up_to(raw.as_bytes(), 52);
            if let Ok(value) = strict {
                proptest::prop_assert_eq!(lenient, Reading::as_written(value));
            }
        }
    }
}
