//! Rules of Go: which moves count as illegal.

/// Moves that count as illegal. They never change what a move does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoRules {
    /// Suicide is legal (New Zealand, Ing, Tromp-Taylor).
    pub suicide: bool,
    /// Positions that may not come again. `None`: only the simple ko is forbidden.
    pub superko: Option<Superko>,
}

/// Which repetitions the superko forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Superko {
    /// The stones of an earlier position.
    Positional,
    /// The stones of an earlier position with the same side to move.
    Situational,
}

/// Names of rules, without `rules`, blanks, and signs, that allow suicide or forbid more than the simple ko.
///
/// The texts of other rules, the Chinese among them, do not name a form of the superko, or servers that name them do
/// not enforce one.
const NAMED: [(&str, GoRules); 6] = [
    ("nz", GoRules::new(true, Some(Superko::Situational))),
    ("newzealand", GoRules::new(true, Some(Superko::Situational))),
    ("tromptaylor", GoRules::new(true, Some(Superko::Positional))),
    ("aga", GoRules::new(false, Some(Superko::Situational))),
    ("ing", GoRules::new(true, None)),
    ("goe", GoRules::new(true, None)),
];

/// Bytes of a longer `RU` value are not compared with the names.
const NAME_MAX: usize = 256;

impl GoRules {
    const fn new(suicide: bool, superko: Option<Superko>) -> Self {
        Self { suicide, superko }
    }

    /// The rules that an `RU` value names: those of the specification (spec GI-06), as servers spell them
    /// (`New Zealand Rules`, `tromp-taylor`), and KataGo's strings (`koPOSITIONALscoreAREAtaxNONEsui1`). All other values
    /// mean no suicide and the simple ko.
    ///
    /// ```
    /// use sgfstream_game::go::{GoRules, Superko};
    ///
    /// assert!(GoRules::named(b"NZ").suicide && GoRules::named(b"koSIMPLEscoreAREAtaxALLsui1").suicide);
    /// assert_eq!(GoRules::named(b"New Zealand Rules"), GoRules::named(b"NZ"));
    /// assert_eq!(GoRules::named(b"Tromp Taylor").superko, Some(Superko::Positional));
    /// assert_eq!(GoRules::named(b"Japanese"), GoRules::default());
    /// ```
    #[must_use]
    pub fn named(rules: &[u8]) -> Self {
        let letters = rules.iter().take(NAME_MAX).filter(|byte| byte.is_ascii_alphanumeric());
        let name: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
        let has = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
        if name.starts_with(b"ko") && has(b"score") {
            let superko = match &name[2..] {
                ko if ko.starts_with(b"positional") => Some(Superko::Positional),
                ko if ko.starts_with(b"situational") => Some(Superko::Situational),
                _ => None,
            };
            return Self::new(has(b"sui1"), superko);
        }
        let bare = [&b"rules"[..], b"rule", b"ruleset"].iter().find_map(|word| name.strip_suffix(*word));
        let bare = bare.unwrap_or(&name);
        NAMED.iter().find(|(known, _)| known.as_bytes() == bare).map_or_else(Self::default, |&(_, rules)| rules)
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
            ("koPOSITIONALscoreAREAtaxNONEsui0", GoRules { suicide: false, ..tromp_taylor }),
            ("koSITUATIONALscoreAREAtaxNONEsui0whbN", GoRules { suicide: false, ..nz }),
            ("koSIMPLEscoreTERRITORYtaxSEKIsui0", plain),
            ("koSIMPLEscoreAREAtaxALLsui1button1", ing),
            ("koSPIGHTscoreAREAtaxNONEsui1", ing),
            ("Ing", ing),
            ("ING rules", ing),
            ("GOE", ing),
            ("AGA", GoRules { suicide: false, ..nz }),
            ("AGA rules", GoRules { suicide: false, ..nz }),
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
}
