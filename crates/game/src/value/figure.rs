//! FG: starts a new print figure, with flags and a name (FF\[4\] properties, spec OP-03).

use std::fmt;

use sgfstream::{Framing, RawValue, escape_compose_text};

use super::lenient::reads;
use super::{LenientValue, Number, Reading, Repair, ValueError, ValueErrorKind};

/// Completes "expected …" in errors.
const EXPECTED: &str = "nothing, or flags, `:`, and a name";

/// Options and name of a print figure.
///
/// ```
/// use sgfstream_game::value::Figure;
///
/// let figure = Figure::parse(b"257:Figure 1").expect("flags and name");
/// assert_eq!((figure.flags, &*figure.name), (Some(257), "Figure 1"));
/// assert_eq!(Figure::parse(b""), Ok(Figure::default()));
/// assert!(Figure::parse(b"Figure 1").is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Figure {
    /// Sum of the flags; `None` for `FG[]`.
    pub flags: Option<u32>,
    /// Name of the figure; empty for `FG[]`.
    pub name: String,
}

impl Figure {
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
        match RawValue::new(raw, Framing::Value).compose() {
            Some((flags, name)) if name.compose().is_none() => Ok(Self {
                flags: Some(flags_of(Number::parse(flags.as_bytes())?, raw)?),
                name: name.simple_text().into_owned(),
            }),
            _ => Err(ValueError::syntax("two values separated by one `:`", raw)),
        }
    }

    /// Reads the value leniently. The result is always sure: a number alone is the flags, and a
    /// text alone is the name (old files, Ver-03). Ignores blanks around the flags; a second `:`
    /// belongs to the name.
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(figure) = Self::parse(raw) {
            return Reading::as_written(figure);
        }
        let value = RawValue::new(raw, Framing::Value);
        let (flags, name, repair) = match value.compose() {
            None => (value, None, Some(Repair::MissingHalf)),
            Some((flags, name)) => {
                let repair = name.compose().map(|_| Repair::ExtraColon);
                (flags, Some(name), repair)
            }
        };
        let trimmed = flags.as_bytes().trim_ascii();
        let has_blanks = trimmed.len() < flags.as_bytes().len();
        let number = Number::parse(trimmed).and_then(|number| flags_of(number, raw));
        let (flags, name, repair) = match number {
            Ok(flags) => (
                Some(flags),
                name,
                repair.or(has_blanks.then_some(Repair::Blanks)),
            ),
            Err(_) => (None, Some(value), Some(Repair::MissingHalf)),
        };
        let name = name.map_or_else(String::new, |name| name.simple_text().into_owned());
        Reading::Sure(LenientValue {
            value: Self { flags, name },
            repair,
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
            None if self.name.is_empty() => Ok(()),
            flags => {
                let name = escape_compose_text(&self.name);
                write!(f, "{}:{name}", flags.unwrap_or(0))
            }
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
                (read.value.flags, &*read.value.name, read.repair),
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

    proptest::proptest! {
        #[test]
        fn reads_back(flags: u32, name in ".{0,8}") {
            let name = name.replace(|c: char| c.is_control(), " ");
            let written = Figure { flags: Some(flags), name };
            proptest::prop_assert_eq!(Figure::parse(written.to_string().as_bytes()), Ok(written));
        }
    }
}
