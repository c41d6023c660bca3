//! Viewer settings of `IS` (spec H-18 to H-20).

use std::fmt;

use sgfstream::RawValue;

use super::super::Fault;

const SETTING: &str = "a keyword (`tried`, `marked`, `lastmove`, `headings`, `lock`), `:`, and `on` or `off`";

/// Subject of a viewer setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SettingKey {
    /// `tried`: mark future moves that have been tried.
    Tried,
    /// `marked`: show good and bad move marks.
    Marked,
    /// `lastmove`: mark the last cell played.
    LastMove,
    /// `headings`: show column and row headings.
    Headings,
    /// `lock`: accept no new moves.
    Lock,
}

impl SettingKey {
    const ALL: [Self; 5] = [Self::Tried, Self::Marked, Self::LastMove, Self::Headings, Self::Lock];

    /// Returns the keyword.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tried => "tried",
            Self::Marked => "marked",
            Self::LastMove => "lastmove",
            Self::Headings => "headings",
            Self::Lock => "lock",
        }
    }
}

/// Viewer setting, one value of `IS`: on or off. Case is ignored (spec H-01).
///
/// ```
/// use sgfstream::{Framing, RawValue};
/// use sgfstream_game::hex::{Setting, SettingKey};
///
/// let setting = Setting::parse(RawValue::new(b"Tried:ON", Framing::Value))?;
/// assert_eq!((setting.key, setting.on), (SettingKey::Tried, true));
/// assert_eq!(setting.to_string(), "tried:on");
/// # Ok::<(), sgfstream_game::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setting {
    /// Subject of the setting.
    pub key: SettingKey,
    /// `true` for `on`.
    pub on: bool,
}

impl Setting {
    /// Parses one value of `IS`.
    ///
    /// # Errors
    /// Returns [`Fault::Syntax`] for another keyword, or another state than `on` or `off`.
    pub fn parse(raw: RawValue<'_>) -> Result<Self, Fault> {
        let fault = Fault::Syntax(SETTING);
        let (key, state) = raw.compose().ok_or(fault)?;
        let (key, state) = (key.unescaped(), state.unescaped());
        let key = SettingKey::ALL.into_iter().find(|known| key.eq_ignore_ascii_case(known.as_str().as_bytes()));
        let on = match state.to_ascii_lowercase().as_slice() {
            b"on" => true,
            b"off" => false,
            _ => return Err(fault),
        };
        Ok(Self { key: key.ok_or(fault)?, on })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.key.as_str(), if self.on { "on" } else { "off" })
    }
}
