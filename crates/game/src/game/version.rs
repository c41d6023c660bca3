//! The version of the format, FF (spec Ver-01).

use crate::value::{LenientValue, Number, Reading, Repair, ValueError};

/// Version of the format, FF\[1\] to FF\[4\].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u8);

impl Version {
    /// Version of a record without `FF`.
    pub const DEFAULT: Self = Self(1);
    /// Current version.
    pub const LATEST: Self = Self(4);

    /// Returns the number, 1 to 4.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Parses the value strictly.
    ///
    /// # Errors
    ///
    /// The value is not a number from 1 to 4.
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        let number = Number::parse(raw)?.get();
        let is_version = (1..=i64::from(Self::LATEST.0)).contains(&number);
        is_version
            .then_some(Self(number as u8))
            .ok_or_else(|| ValueError::syntax("a version, 1 to 4", raw))
    }

    /// Reads the value leniently. A number beyond 4 becomes 4, as a guess (SGFC 46).
    ///
    /// ```
    /// use sgfstream_game::dialect::Version;
    /// use sgfstream_game::value::Reading;
    ///
    /// assert_eq!(Version::read(b"3").sure().map(|read| read.value.number()), Some(3));
    /// assert!(Version::read(b"5").is_guess());
    /// assert_eq!(Version::read(b"x"), Reading::Unknown);
    /// ```
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        match Number::read(raw).likely() {
            Some(read) if read.value.get() > i64::from(Self::LATEST.0) => {
                Reading::Guess(LenientValue::repaired(Self::LATEST, Repair::Clipped))
            }
            Some(read) if read.value.get() > 0 => {
                Reading::Sure(read.map(|number| Self(number.get() as u8)))
            }
            _ => Reading::Unknown,
        }
    }

    /// Returns the version to read a record by. An invalid version counts as the latest (SGFC 18).
    #[must_use]
    pub fn of_record(raw: Option<&[u8]>) -> Self {
        let read = |raw| {
            Self::read(raw)
                .likely()
                .map_or(Self::LATEST, |read| read.value)
        };
        raw.map_or(Self::DEFAULT, read)
    }
}

crate::value::shows_inner!(Version);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_versions_are_the_latest() {
        for (raw, sure, number) in [
            ("1", Some(1), 1),
            ("4", Some(4), 4),
            (" 3\n", Some(3), 3),
            ("5", None, 4),
            ("99999999999999999999", None, 4),
            ("0", None, 4),
            ("-1", None, 4),
            ("x", None, 4),
            ("", None, 4),
        ] {
            let read = Version::read(raw.as_bytes()).sure();
            assert_eq!(read.map(|read| read.value.number()), sure, "{raw:?}");
            assert_eq!(
                Version::of_record(Some(raw.as_bytes())).number(),
                number,
                "{raw:?}"
            );
        }
        assert_eq!(Version::of_record(None).number(), 1);
    }
}
