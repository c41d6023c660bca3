//! Rules of Go: which moves count as illegal.

/// Moves that count as illegal. They never change what a move does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoRules {
    /// Suicide is legal (New Zealand, Goe).
    pub suicide: bool,
    /// No position may come again, instead of the simple ko.
    pub superko: bool,
}

impl GoRules {
    /// The rules that an `RU` value names: `AGA`, `GOE`, `Japanese`, `NZ`
    /// (spec GI-06), Chinese, Tromp-Taylor, and KataGo's own words
    /// (`koPOSITIONALscoreAREAtaxNONEsui1`). Others: no suicide, simple ko.
    ///
    /// ```
    /// use sgfstream_game::go::GoRules;
    ///
    /// assert!(GoRules::named(b"NZ").suicide && GoRules::named(b"koSIMPLEscoreAREAtaxALLsui1").suicide);
    /// assert_eq!(GoRules::named(b"Japanese"), GoRules::default());
    /// ```
    #[must_use]
    pub fn named(rules: &[u8]) -> Self {
        let rules = rules.trim_ascii();
        let is = |name: &[u8]| rules.eq_ignore_ascii_case(name);
        let has = |part: &[u8]| rules.len() < 256 && rules.windows(part.len()).any(|window| window == part);
        if rules.starts_with(b"ko") && has(b"sui") {
            return Self { suicide: has(b"sui1"), superko: has(b"koPOSITIONAL") };
        }
        let suicide = is(b"NZ") || is(b"GOE") || is(b"New Zealand") || is(b"Ing") || is(b"Tromp-Taylor");
        let superko = suicide || is(b"AGA") || is(b"Chinese");
        Self { suicide, superko }
    }
}
