//! Rules of Octi, `RU` (spec O-14 to O-16).

use std::fmt;

use super::super::Fault;

const RULES: &str = "`full`, `fast` or `kids`, then `:` and variations separated by `,`";
/// The variations that the page names.
const VARIATIONS: [&str; 2] = ["edgeless", "superprong"];

/// Major variation of the game.
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

/// Rules of a game: a version and its variations. The `:` between them belongs to a SimpleText and is not a Compose
/// (spec K-06).
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
    /// Version: full, fast or kids.
    pub version: OctiVersion,
    /// Variations, as written: `edgeless`, `superprong`, …
    pub variations: Vec<String>,
}

impl OctiRules {
    // RU = [version] [":"] [variation {"," variation}]      a colon is required if both are present
    /// Parses a text by the page. Any variation may follow a `:`, because the page's list is open.
    ///
    /// # Errors
    /// Returns [`Fault::Syntax`] for an unknown version, a second `:`, and a text without `:` that is neither a version
    /// nor a variation of the page.
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

    /// Reads any text; a word that is not a version becomes a variation.
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

    /// Returns whether the rules include this variation.
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
