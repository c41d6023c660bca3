//! FG: starts a new print figure, with flags and a name (FF\[4\] properties, spec OP-03).

use std::fmt;

use super::lenient::reads;
use super::{
    Compose, LenientValue, Number, Reading, Repair, SimpleText, ValueError, ValueErrorKind,
};

/// Completes "expected …" in errors.
const EXPECTED: &str = "nothing, or flags, `:`, and a name";

/// Options and name of a print figure.
///
/// ```
/// use sgfstream_game::value::Figure;
///
/// let figure = Figure::parse(b"257:Figure 1").expect("flags and name");
/// assert!(
///     figure.has(Figure::COORDINATES_OFF)
///         && figure.has(Figure::REMOVE_CAPTURES)
///         && !figure.has(Figure::NAME_OFF)
/// );
/// assert_eq!(figure.name.as_str(), "Figure 1");
/// assert_eq!(Figure::parse(b""), Ok(Figure::default()));
/// assert!(Figure::parse(b"Figure 1").is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Figure {
    /// Sum of the flags; `None` for `FG[]`.
    pub flags: Option<u32>,
    /// Name of the figure; empty for `FG[]`.
    pub name: SimpleText,
}

impl Figure {
    /// Flag: print no coordinates.
    pub const COORDINATES_OFF: u32 = 1;
    /// Flag: print no name.
    pub const NAME_OFF: u32 = 2;
    /// Flag: do not list moves that the diagram does not show.
    pub const UNSHOWN_OFF: u32 = 4;
    /// Flag, Go only: remove captured stones.
    pub const REMOVE_CAPTURES: u32 = 256;
    /// Flag, Go only: print no star points.
    pub const STAR_POINTS_OFF: u32 = 512;
    /// Flag: ignore the other flags and use the viewer's defaults.
    pub const DEFAULTS: u32 = 32768;

    /// Parses the value strictly.
    ///
    /// # Errors
    ///
    /// The value is neither empty nor a non-negative number, `:`, and a name.
    // FG = None | Number ":" SimpleText      (FF[4] properties)
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        if raw.is_empty() {
            return Ok(Self::default());
        }
        let halves = Compose::parse(
            raw,
            |flags| flags_of(Number::parse(flags)?, raw),
            |name| Ok(SimpleText::parse(name)),
        )?;
        Ok(Self {
            flags: Some(halves.first),
            name: halves.second,
        })
    }

    /// Reads the value leniently. The result is always sure: a number alone is the flags, and a
    /// text alone is the name (old files, Ver-03). Ignores blanks around the flags; a second `:`
    /// belongs to the name.
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(figure) = Self::parse(raw) {
            return Reading::as_written(figure);
        }
        let name = |raw| Ok(LenientValue::as_written(SimpleText::parse(raw)));
        let flags = |half: &[u8]| {
            let trimmed = half.trim_ascii();
            let value = flags_of(Number::parse(trimmed)?, raw)?;
            Ok(LenientValue {
                value,
                repair: (trimmed.len() < half.len()).then_some(Repair::Blanks),
            })
        };
        match Compose::parse_lenient(raw, flags, name) {
            Ok(read) => Reading::Sure(read.map(|halves| Self {
                flags: Some(halves.first),
                name: halves.second,
            })),
            Err(_) => Reading::repaired(
                Self {
                    flags: None,
                    name: SimpleText::parse(raw),
                },
                Repair::MissingHalf,
            ),
        }
    }

    /// Returns whether the flag is set. [`DEFAULTS`](Self::DEFAULTS) cancels all other flags.
    #[must_use]
    pub fn has(&self, flag: u32) -> bool {
        self.flags.is_some_and(|flags| {
            flags & flag != 0 && (flag == Self::DEFAULTS || flags & Self::DEFAULTS == 0)
        })
    }
}

reads!(Figure);

/// Converts a number to flags, which are not negative.
fn flags_of(number: Number, raw: &[u8]) -> Result<u32, ValueError> {
    u32::try_from(number.get())
        .map_err(|_| ValueError::new(ValueErrorKind::OutOfRange, EXPECTED, raw))
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.flags {
            None if self.name.as_str().is_empty() => Ok(()),
            flags => write!(f, "{}:{}", flags.unwrap_or(0), self.name.composed()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_and_lenient() {
        for (raw, flags, name, repair) in [
            ("", None, "", None),
            ("257:Figure 1", Some(257), "Figure 1", None),
            ("515:", Some(515), "", None),
            ("0:a\\:b", Some(0), "a:b", None),
            ("257", Some(257), "", Some(Repair::MissingHalf)),
            ("257:a:b", Some(257), "a:b", Some(Repair::ExtraColon)),
            (" 1 :a", Some(1), "a", Some(Repair::Blanks)),
            ("Figure 1", None, "Figure 1", Some(Repair::MissingHalf)),
            ("x:y", None, "x:y", Some(Repair::MissingHalf)),
            ("-1:a", None, "-1:a", Some(Repair::MissingHalf)),
        ] {
            let read = Figure::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!(
                (read.value.flags, read.value.name.as_str(), read.repair),
                (flags, name, repair),
                "{raw}"
            );
            assert_eq!(
                Figure::parse(raw.as_bytes()).is_ok(),
                repair.is_none(),
                "{raw}"
            );
        }
    }

    #[test]
    fn o_03_flags() {
        let figure = Figure::parse(b"33025:x").expect("257 and the defaults");
        assert!(
            figure.has(Figure::DEFAULTS)
                && !figure.has(Figure::COORDINATES_OFF)
                && !figure.has(Figure::REMOVE_CAPTURES)
        );
        let figure = Figure::parse(b"515:x").expect("flags");
        assert!(
            figure.has(Figure::COORDINATES_OFF)
                && figure.has(Figure::NAME_OFF)
                && figure.has(Figure::STAR_POINTS_OFF)
        );
    }

    proptest::proptest! {
        #[test]
        fn reads_back(flags: u32, name in ".{0,8}") {
            let written = Figure { flags: Some(flags), name: SimpleText::new(&name) };
            proptest::prop_assert_eq!(Figure::parse(written.to_string().as_bytes()), Ok(written));
        }
    }
}
