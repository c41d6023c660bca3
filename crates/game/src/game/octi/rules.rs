//! `RU` of Octi (spec O-14 to O-16).

use std::fmt;

use super::super::Fault;

const RULES: &str = "`full`, `fast` or `kids`, then `:` and variations with `,` between";
/// The variations that the page names.
const VARIATIONS: [&str; 2] = ["edgeless", "superprong"];

/// The major variation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OctiVersion {
    /// `full`, the default.
    #[default]
    Full,
    /// `fast`.
    Fast,
    /// `kids`.
    Kids,
}

impl OctiVersion {
    fn of_name(name: &str) -> Option<Self> {
        [Self::Full, Self::Fast, Self::Kids].into_iter().find(|version| version.to_string() == name)
    }
}

impl fmt::Display for OctiVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "full",
            Self::Fast => "fast",
            Self::Kids => "kids",
        })
    }
}

/// The rules of a game: a version and variations on it. The `:` between is part
/// of a SimpleText, no Compose (spec K-06).
///
/// ```
/// use sgfstream_game::octi::{OctiRules, OctiVersion};
///
/// let rules = OctiRules::parse("edgeless,superprong")?;
/// assert_eq!(rules.version, OctiVersion::Full);
/// assert_eq!(rules.variations, ["edgeless", "superprong"]);
/// assert_eq!(OctiRules::parse("fast")?.to_string(), "fast");
/// assert!(OctiRules::parse("huge:edgeless").is_err());
/// # Ok::<(), sgfstream_game::Fault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OctiRules {
    /// Full, fast or kids.
    pub version: OctiVersion,
    /// Further variations, as written: `edgeless`, `superprong`, …
    pub variations: Vec<String>,
}

impl OctiRules {
    // RU = [version] [":"] [variation {"," variation}]      the colon where both are there
    /// Reads a text as the page has it. Variations after `:` may be any: the page does not close their list.
    ///
    /// # Errors
    /// [`Fault::Syntax`] for an unknown version, a second `:`, and a text without `:` that names neither a version nor a
    /// variation of the page.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let rules = Self::parse_lenient(text);
        let is_known = match text.trim().split_once(':') {
            Some((version, rest)) => {
                let version = version.trim();
                !rest.contains(':') && (version.is_empty() || OctiVersion::of_name(version).is_some())
            }
            None => rules.variations.is_empty() || VARIATIONS.iter().any(|name| rules.has(name)),
        };
        if is_known { Ok(rules) } else { Err(Fault::Syntax(RULES)) }
    }

    /// Reads any text: what is no version is a variation.
    #[must_use]
    pub fn parse_lenient(text: &str) -> Self {
        let text = text.trim();
        let (version, variations) = match text.split_once(':') {
            Some((version, variations)) => (version.trim(), variations),
            None if OctiVersion::of_name(text).is_some() => (text, ""),
            None => ("", text),
        };
        let unknown = (!version.is_empty() && OctiVersion::of_name(version).is_none()).then_some(version);
        let variations = variations.split(',').map(str::trim).filter(|name| !name.is_empty());
        Self {
            version: OctiVersion::of_name(version).unwrap_or_default(),
            variations: unknown.into_iter().chain(variations).map(str::to_owned).collect(),
        }
    }

    /// True if this variation is played.
    #[must_use]
    pub fn has(&self, variation: &str) -> bool {
        self.variations.iter().any(|name| name == variation)
    }
}

impl fmt::Display for OctiRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.variations.is_empty() {
            return self.version.fmt(f);
        }
        if self.version != OctiVersion::Full {
            write!(f, "{}:", self.version)?;
        }
        f.write_str(&self.variations.join(","))
    }
}
