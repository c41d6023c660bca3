//! Rules of Go, which decide the legality of moves.

use crate::value::is_among;

/// Rules that decide which moves are illegal. They never change the effect of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoRules {
    /// Whether suicide is legal (New Zealand, Ing, Tromp-Taylor).
    pub suicide: bool,
    /// Repetitions that are illegal. With `None`, only the simple ko is illegal.
    pub superko: Option<Superko>,
}

/// Kind of repetition that the superko forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Superko {
    /// The stones of an earlier position.
    Positional,
    /// The stones of an earlier position with the same side to move.
    Situational,
}

named_enum! {
    /// Rules by name; rules without a known name are classified by their scoring.
    ///
    /// ```
    /// use sgfstream_game::go::RuleSet;
    ///
    /// assert_eq!(RuleSet::named(b"Japanese (Nihon Ki-in)"), Some(RuleSet::Japanese));
    /// assert_eq!(RuleSet::named(b"koPOSITIONALscoreAREAtaxNONEsui1"), Some(RuleSet::TrompTaylor));
    /// assert_eq!(RuleSet::named(b"koSIMPLEscoreAREAtaxALLsui0"), Some(RuleSet::Area));
    /// assert_eq!(RuleSet::named(b"house rules"), None);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    RuleSet ALL;
    /// The Japanese rules, which score territory and prisoners.
    Japanese "japanese"
    /// The Chinese rules, which score stones and territory.
    Chinese "chinese"
    /// The Korean rules, which score territory and prisoners.
    Korean "korean"
    /// The rules of the American Go Association.
    Aga "aga"
    /// The rules of New Zealand, which allow suicide.
    NewZealand "nz"
    /// Ing's rules, also called Goe.
    Ing "ing"
    /// The rules of Tromp and Taylor.
    TrompTaylor "tromp-taylor"
    /// Other rules that score stones and territory.
    Area "area"
    /// Other rules that score territory and prisoners.
    Territory "territory"
}

/// Names of rules, without `rules`, blanks and punctuation: names from the specification (spec
/// GI-06), servers and KataGo.
const NAMES: [(RuleSet, &str); 9] = [
    (RuleSet::Japanese, "japanese japan jp nihonkiin 日本"),
    (
        RuleSet::Chinese,
        "chinese china cn chineseogs chinesekgs 中国 中國",
    ),
    (RuleSet::Korean, "korean korea kr 韩国 韓国 한국"),
    (RuleSet::Aga, "aga bga"),
    (RuleSet::NewZealand, "nz newzealand"),
    (RuleSet::Ing, "ing goe inggoe 应氏"),
    (RuleSet::TrompTaylor, "tromptaylor"),
    (
        RuleSet::Area,
        "area agabutton oldchinese stonescoring ancientarea",
    ),
    (RuleSet::Territory, "territory ancientterritory"),
];

/// Words that may follow the name of rules.
const WORDS: [&str; 7] = ["ruleset", "rules", "rule", "规则", "規則", "ルール", "룰"];

/// Only this many bytes of an `RU` value are compared with the names.
const NAME_MAX: usize = 256;

/// Returns an `RU` value in lower case, without blanks and punctuation, up to the first bracket:
/// `Japanese (Nihon Ki-in)`.
fn bare_name(rules: &[u8]) -> Vec<u8> {
    let rules = &rules[..rules.len().min(NAME_MAX)];
    let end = rules
        .iter()
        .skip(1)
        .position(|byte| b"([".contains(byte))
        .map_or(rules.len(), |at| at + 1);
    let letters = rules[..end]
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    letters.map(u8::to_ascii_lowercase).collect()
}

fn has(name: &[u8], part: &[u8]) -> bool {
    name.windows(part.len()).any(|window| window == part)
}

/// Parses superko and suicide from KataGo's notation: `koPOSITIONALscoreAREAtaxNONEsui1`.
fn of_katago(name: &[u8]) -> Option<GoRules> {
    let ko = name.strip_prefix(b"ko").filter(|_| has(name, b"score"))?;
    let superko = match ko {
        ko if ko.starts_with(b"positional") => Some(Superko::Positional),
        ko if ko.starts_with(b"situational") => Some(Superko::Situational),
        _ => None,
    };
    Some(GoRules::new(has(name, b"sui1"), superko))
}

impl RuleSet {
    /// Returns the rules that an `RU` value names, in any case: `Japanese`, `New Zealand Rules`,
    /// `tromp-taylor`, `日本规则`, and KataGo's strings. Returns `None` if no known name matches.
    #[must_use]
    pub fn named(rules: &[u8]) -> Option<Self> {
        let name = bare_name(rules);
        if let Some(GoRules { suicide, superko }) = of_katago(&name) {
            if has(&name, b"scoreterritory") {
                let is_japanese = superko.is_none() && !suicide && has(&name, b"taxseki");
                return Some(if is_japanese {
                    Self::Japanese
                } else {
                    Self::Territory
                });
            }
            let is_plain = has(&name, b"taxnone") && !has(&name, b"button1");
            return match (superko, suicide) {
                _ if !has(&name, b"scorearea") => None,
                // KataGo writes Chinese rules with either ko.
                (None | Some(Superko::Positional), false) if is_plain => Some(Self::Chinese),
                (Some(Superko::Positional), true) if is_plain => Some(Self::TrompTaylor),
                (Some(Superko::Situational), false) if is_plain => Some(Self::Aga),
                (Some(Superko::Situational), true) if is_plain => Some(Self::NewZealand),
                _ => Some(Self::Area),
            };
        }
        let bare = WORDS
            .iter()
            .find_map(|word| name.strip_suffix(word.as_bytes()))
            .unwrap_or(&name);
        let bare = std::str::from_utf8(bare).ok()?;
        NAMES
            .iter()
            .find(|(_, names)| is_among(names, bare))
            .map(|&(rules, _)| rules)
    }

    /// Returns the moves that the rules forbid beside the simple ko.
    ///
    /// All other rules, including the Chinese, get the simple ko only. Their texts name no form of
    /// superko, or servers that use the rules do not enforce it.
    const fn go_rules(self) -> GoRules {
        match self {
            Self::Aga => GoRules::new(false, Some(Superko::Situational)),
            Self::NewZealand => GoRules::new(true, Some(Superko::Situational)),
            Self::TrompTaylor => GoRules::new(true, Some(Superko::Positional)),
            Self::Ing => GoRules::new(true, None),
            _ => GoRules::new(false, None),
        }
    }
}

impl GoRules {
    const fn new(suicide: bool, superko: Option<Superko>) -> Self {
        Self { suicide, superko }
    }

    /// Returns the rules that an `RU` value names: a name of a [`RuleSet`], or a string of KataGo
    /// (`koPOSITIONALscoreAREAtaxNONEsui1`). With any other value, suicide is illegal and only the
    /// simple ko applies.
    ///
    /// ```
    /// use sgfstream_game::go::{GoRules, Superko};
    ///
    /// assert!(
    ///     GoRules::named(b"NZ").suicide && GoRules::named(b"koSIMPLEscoreAREAtaxALLsui1").suicide
    /// );
    /// assert_eq!(GoRules::named(b"New Zealand Rules"), GoRules::named(b"NZ"));
    /// assert_eq!(GoRules::named(b"Tromp Taylor").superko, Some(Superko::Positional));
    /// assert_eq!(GoRules::named(b"Japanese"), GoRules::default());
    /// ```
    #[must_use]
    pub fn named(rules: &[u8]) -> Self {
        let of_katago = of_katago(&bare_name(rules));
        of_katago
            .or_else(|| RuleSet::named(rules).map(RuleSet::go_rules))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_servers_and_programs() {
        let nz = GoRules::new(true, Some(Superko::Situational));
        let tromp_taylor = GoRules::new(true, Some(Superko::Positional));
        let ing = GoRules::new(true, None);
        let plain = GoRules::default();
        for (name, rules) in [
            ("NZ", nz),
            (" nz ", nz),
            ("New Zealand", nz),
            ("New Zealand Rules", nz),
            ("new_zealand", nz),
            ("Tromp-Taylor", tromp_taylor),
            ("Tromp Taylor", tromp_taylor),
            ("tromp-taylor rules", tromp_taylor),
            ("koPOSITIONALscoreAREAtaxNONEsui1", tromp_taylor),
            (
                "koPOSITIONALscoreAREAtaxNONEsui0",
                GoRules {
                    suicide: false,
                    ..tromp_taylor
                },
            ),
            (
                "koSITUATIONALscoreAREAtaxNONEsui0whbN",
                GoRules {
                    suicide: false,
                    ..nz
                },
            ),
            ("koSIMPLEscoreTERRITORYtaxSEKIsui0", plain),
            ("koSIMPLEscoreAREAtaxALLsui1button1", ing),
            ("koSPIGHTscoreAREAtaxNONEsui1", ing),
            ("Ing", ing),
            ("ING rules", ing),
            ("GOE", ing),
            (
                "AGA",
                GoRules {
                    suicide: false,
                    ..nz
                },
            ),
            (
                "AGA rules",
                GoRules {
                    suicide: false,
                    ..nz
                },
            ),
            ("Chinese", plain),
            ("Japanese", plain),
            ("Korean", plain),
            ("korean", plain),
            ("kore", plain),
            ("", plain),
            ("rules", plain),
        ] {
            assert_eq!(GoRules::named(name.as_bytes()), rules, "{name}");
        }
    }

    #[test]
    fn sets_of_rules() {
        use RuleSet::{
            Aga, Area, Chinese, Ing, Japanese, Korean, NewZealand, Territory, TrompTaylor,
        };
        for (name, rules) in [
            ("Japanese", Some(Japanese)),
            ("Japanese (Nihon Ki-in)", Some(Japanese)),
            ("jp", Some(Japanese)),
            ("日本规则", Some(Japanese)),
            ("日本ルール", Some(Japanese)),
            ("Chinese rules", Some(Chinese)),
            ("chinese-ogs", Some(Chinese)),
            ("中国规则", Some(Chinese)),
            ("Korean Rule", Some(Korean)),
            ("한국룰", Some(Korean)),
            ("AGA", Some(Aga)),
            ("Ing [Goe", Some(Ing)),
            ("Ing (SST)", Some(Ing)),
            ("Old Chinese", Some(Area)),
            ("(Japanese)", Some(Japanese)),
            ("new_zealand", Some(NewZealand)),
            ("koSIMPLEscoreTERRITORYtaxSEKIsui0", Some(Japanese)),
            ("koSIMPLEscoreTERRITORYtaxALLsui0", Some(Territory)),
            ("koPOSITIONALscoreAREAtaxNONEsui0whbN", Some(Chinese)),
            ("koSIMPLEscoreAREAtaxNONEsui0", Some(Chinese)),
            ("koPOSITIONALscoreAREAtaxNONEsui1", Some(TrompTaylor)),
            ("koSITUATIONALscoreAREAtaxNONEsui0whbN-1", Some(Aga)),
            ("koSITUATIONALscoreAREAtaxNONEsui1", Some(NewZealand)),
            ("koSITUATIONALscoreAREAtaxNONEsui0button1", Some(Area)),
            ("koSIMPLEscoreAREAtaxNONEsui1", Some(Area)),
            ("koSIMPLEscore", None),
            ("Uchikomi", None),
            ("W wins jigo", None),
            ("(", None),
            ("", None),
        ] {
            assert_eq!(RuleSet::named(name.as_bytes()), rules, "{name}");
        }
        for (rules, names) in NAMES {
            for name in names.split(' ') {
                assert_eq!(RuleSet::named(name.as_bytes()), Some(rules), "{name}");
            }
        }
    }
}
