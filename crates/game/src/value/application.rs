//! AP: the program that wrote the record, as `name:version` (FF\[4\] properties, spec R-05).

use std::fmt;

use super::lenient::reads;
use super::{Compose, LenientValue, Reading, SimpleText, ValueError};

/// Name and version of the program that wrote a record.
///
/// ```
/// use sgfstream_game::value::{Application, Repair};
///
/// let application = Application::parse(b"a\\:b:1.0").expect("composed"); // spec K-05
/// assert_eq!((application.name.as_str(), application.version.as_str()), ("a:b", "1.0"));
/// assert_eq!(application.to_string(), "a\\:b:1.0");
/// let read = Application::parse_lenient(b"foxwq")?;
/// assert_eq!((read.value.name.as_str(), read.repair), ("foxwq", Some(Repair::MissingHalf)));
/// # Ok::<(), sgfstream_game::value::ValueError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Application {
    /// Name of the program, without its version.
    pub name: SimpleText,
    /// Version of the program; empty if the record gives only a name.
    pub version: SimpleText,
}

impl Application {
    /// Parses the value strictly.
    ///
    /// # Errors
    ///
    /// The value has no `:`, or more than one.
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        let text = |raw| Ok(SimpleText::parse(raw));
        Compose::parse(raw, text, text).map(Self::from)
    }

    /// Reads the value leniently. The result is always sure: without a `:` the version is empty,
    /// and a second `:` belongs to the version (spec K-03, K-04, Q-65).
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        let text = |raw| Ok(LenientValue::as_written(SimpleText::parse(raw)));
        Compose::parse_lenient(raw, text, text)
            .map_or(Reading::Unknown, |read| Reading::Sure(read.map(Self::from)))
    }
}

reads!(Application);

impl From<Compose<SimpleText, SimpleText>> for Application {
    fn from(halves: Compose<SimpleText, SimpleText>) -> Self {
        Self {
            name: halves.first,
            version: halves.second,
        }
    }
}

impl fmt::Display for Application {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name.composed(), self.version.composed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Repair;

    /// Spec Q-65.
    #[test]
    fn parse_common_variant() {
        for (raw, name, version, repair) in [
            ("CGoban:3", "CGoban", "3", None),
            ("name", "name", "", Some(Repair::MissingHalf)),
            ("", "", "", Some(Repair::MissingHalf)),
            ("a:b:c", "a", "b:c", Some(Repair::ExtraColon)),
            (
                "Some: app:1.0",
                "Some",
                " app:1.0",
                Some(Repair::ExtraColon),
            ),
        ] {
            let read = Application::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!(
                (read.value.name.as_str(), read.value.version.as_str()),
                (name, version),
                "{raw}"
            );
            assert_eq!(read.repair, repair, "{raw}");
            assert_eq!(
                Application::parse(raw.as_bytes()).is_ok(),
                repair.is_none(),
                "{raw}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn reads_back(name in ".{0,8}", version in "[0-9.:\\]\\\\]{0,8}") {
            let written = Application { name: SimpleText::new(&name), version: SimpleText::new(&version) };
            proptest::prop_assert_eq!(Application::parse(written.to_string().as_bytes()), Ok(written));
        }
    }
}
