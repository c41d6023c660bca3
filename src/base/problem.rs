//! Problems: errors in a file, as data. A code has a stable name, a severity, and SGFC's message
//! number if SGFC has one (spec quirks §1), so that findings can be counted, allowed and compared.

use std::fmt;

use super::{Span, UnknownName};

/// Severity of a problem.
///
/// ```
/// use sgfstream::{Code, Severity};
///
/// assert_eq!(Code::UnclosedGame.severity(), Severity::Error);
/// assert!(Severity::Error > Severity::Warning);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Information; the record is correct.
    Note,
    /// Legal or harmless, but probably a mistake.
    Warning,
    /// A violation of the specification.
    Error,
}

impl Severity {
    /// Returns `note`, `warning` or `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Takes one row for each code: variant, name, severity, SGFC number (0: none), message.
macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $sgfc:literal $message:literal)*) => {
        /// Kind of a problem. Names are stable; new codes may be added.
        ///
        /// ```
        /// use sgfstream::Code;
        ///
        /// let code: Code = "unclosed-game".parse().expect("a known name");
        /// assert_eq!((code, code.as_str()), (Code::UnclosedGame, "unclosed-game"));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`: ", $message, ".")] $variant,)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the stable kebab-case name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the severity of all problems with this code.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }

            /// Returns SGFC's message number, if SGFC has one.
            #[must_use]
            pub const fn sgfc(self) -> Option<u8> {
                let number: u8 = match self { $(Self::$variant => $sgfc,)* };
                if number == 0 { None } else { Some(number) }
            }

            /// Returns the message: what was expected, what was found, and the reader's reaction.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$variant => $message,)* }
            }
        }
    };
}

codes! {
    // Problems that the reader reports (docs/spec/reader.md).
    TextBeforeGame "text-before-game" Note 0
        "expected a game, `(;`, found other text; skipped"
    ValueBeforeGame "value-before-game" Warning 6
        "expected a game, `(;`, found text with a property value; the start of a game may be missing"
    TextAfterGame "text-after-game" Error 8
        "expected a game or the end of input, found other text; skipped"
    NoGame "no-game" Error 7
        "expected a game, `(;`, found the end of input"
    WideEncoding "wide-encoding" Error 0
        "expected a charset that contains ASCII, found UTF-16 or UTF-32; transcode the input first"
    MissingParenthesis "missing-parenthesis" Error 0
        "expected `(` before the first node, found `;`; inserted"
    MissingRootSemicolon "missing-root-semicolon" Error 36
        "expected `;` after the `(` of a game, found something else; inserted"
    MissingSemicolon "missing-semicolon" Error 67
        "expected `;` after the `(` of a variation, found something else; inserted"
    VariationWithoutNode "variation-without-node" Error 21
        "expected a node after `(`, found something else; parenthesis dropped"
    EmptyVariation "empty-variation" Error 12
        "the variation `()` has no node; dropped"
    NodeAfterVariation "node-after-variation" Error 66
        "expected `(` or `)` after a variation, found a node or property; `(` inserted"
    StrayParenthesis "stray-parenthesis" Error 8
        "expected a game, found an unmatched `)`; skipped"
    StrayBracket "stray-bracket" Error 8
        "expected a node, property or variation, found an unmatched `]`; skipped"
    UnexpectedText "unexpected-text" Error 8
        "expected a node, property or variation, found other text; skipped"
    NulByte "nul-byte" Warning 22
        "expected text, found a NUL byte; read as a space"
    IdentifierWithoutValue "identifier-without-value" Error 20
        "expected `[` after a property identifier, found something else; identifier dropped"
    IdentifierWithoutCapital "identifier-without-capital" Error 54
        "the property identifier has no capital letter; property dropped"
    IdentifierTooLong "identifier-too-long" Error 11
        "the property identifier is longer than the limit; property dropped"
    LowercaseIdentifier "lowercase-identifier" Error 16
        "expected capital letters in an `FF[4]` identifier, found lowercase letters; ignored"
    ValueWithoutIdentifier "value-without-identifier" Error 54
        "the value has no property identifier before its `[`; value dropped"
    UnclosedValue "unclosed-value" Error 10
        "expected `]`, found the end of input or the start of another game; inserted"
    UnclosedIdentifier "unclosed-identifier" Error 10
        "expected `[` after a property identifier, found the end of input; identifier dropped"
    UnclosedGame "unclosed-game" Error 9
        "expected `)`, found the end of input or the start of another game; inserted"
    UnknownCharset "unknown-charset" Error 72
        "the charset in `CA` is unknown; read as without `CA`"
    BracketInCharacter "bracket-in-character" Note 0
        "the second byte of a character is `]` or `\\`; read as part of the character"
    InvalidBytes "invalid-bytes" Error 71
        "some bytes are invalid in the game's charset; shown as U+FFFD"
    AssumedCharset "assumed-charset" Note 0
        "the game has text beyond ASCII and no `CA`; charset guessed from the bytes"
    DigitInIdentifier "digit-in-identifier" Error 8
        "expected letters in an `FF[4]` identifier, found a digit; kept"
    DuplicateProperty "duplicate-property" Error 28
        "the identifier occurs again in the same node; both properties kept"
    // Findings of `check` on values (crates/adapt/src/check/findings.md).
    UnreadableValue "unreadable-value" Error 14
        "the value does not fit the property's type"
    PointOffBoard "point-off-board" Error 14
        "the point is not on the board"
    MalformedValue "malformed-value" Error 15
        "the value is not spelled as the specification requires"
    EmptyValue "empty-value" Error 17
        "the value is empty, and its type has no empty value"
    UselessEmptyValue "useless-empty-value" Warning 17
        "the text is empty"
    TooManyValues "too-many-values" Error 13
        "the property has several values and allows one; a `]` may be missing"
    SwallowedNode "swallowed-node" Warning 0
        "an escaped bracket before a node does not end the text; the node is part of the text"
    MissingColon "missing-colon" Error 23
        "expected two values separated by `:`, found one"
    MalformedCompose "malformed-composed-value" Error 25
        "expected two values separated by one `:`, found another form"
    MalformedGameInfo "malformed-game-info" Error 33
        "the game information is not in the form that the specification requires"
    RepeatedPoint "repeated-point" Error 38
        "the point occurs again in properties of one kind in the same node"
    OnePointLine "one-point-line" Error 0
        "the arrow or line starts and ends at the same point"
    NewerFeature "newer-feature" Error 51
        "rectangular boards and rectangles of points need `FF[4]`, and the game declares an older version"
    FaultyView "faulty-view" Error 52
        "a view (`VW`) has two corners in `FF[3]`, and no other value next to an empty one"
    EmptyPassInOldVersion "empty-pass-in-old-version" Error 65
        "expected the pass `tt` before `FF[4]`, found `[]`"
    // Findings on root properties and on the games of one input.
    BadRootValue "bad-root-value" Error 18
        "the value of a root property is invalid; ignored"
    UnknownVersion "unknown-version" Error 46
        "expected `FF` 1 to 4, found a higher number; read as `FF[4]`"
    MissingVersion "missing-version" Note 0
        "the root has no `FF`; by the specification it means `FF[1]`"
    SquareSizePair "square-size-pair" Error 47
        "expected one number for a square board, found a pair of equal numbers"
    BoardTooLarge "board-too-large" Error 50
        "the board is larger than the game's points can name; ignored"
    BoardSizeNotAllowed "board-size-not-allowed" Error 0
        "the document of the game does not allow this board size"
    CharsetNotAllowed "charset-not-allowed" Error 0
        "a Pentobi game must be UTF-8, and declares another charset"
    StaleCharset "stale-charset" Error 0
        "the text was transcoded, and `CA` names another charset than UTF-8; read as transcoded"
    DifferentVersions "different-versions" Warning 45
        "the game has another `FF` than the first game of the input"
    DifferentGames "different-games" Warning 53
        "the game has another `GM` than the first game of the input"
    DifferentCharsets "different-charsets" Warning 74
        "the game has another `CA` than the first game of the input"
    SeveralGames "several-games" Note 60
        "the input has several games"
    UncheckedGame "unchecked-game" Note 19
        "no document defines the points and moves of this game; they are not checked"
    NewerRevision "newer-revision" Note 0
        "only the newest revision of the game's page allows this"
    OlderForm "older-form" Note 0
        "the dialect's current document has another form; the old form is read"
    // Findings on identifiers.
    UnknownProperty "unknown-property" Warning 35
        "no version, game or known program has this property; kept"
    PrivateProperty "private-property" Note 35
        "the property belongs to a single program; kept"
    OtherGameProperty "other-game-property" Warning 35
        "the property belongs to another game; kept"
    OtherVersionProperty "other-version-property" Warning 40
        "the property belongs to another version than the declared `FF`; kept"
    LongIdentifier "long-identifier" Warning 31
        "expected one or two capital letters in an identifier, found more"
    KomiInHalves "komi-in-halves" Warning 59
        "expected `KM`, found `KI`, which is twice the komi"
    // Problems of nodes and their places in the tree.
    MoveInRoot "move-in-root" Warning 24
        "the root node has a move"
    SetupWithMove "setup-with-move" Error 30
        "the node has both setup and a move"
    TwoMovesInNode "two-moves-in-node" Error 37
        "the node has more than one move"
    RootPropertyElsewhere "root-property-elsewhere" Error 32
        "a root property is outside the root node"
    GameInfoBelowGameInfo "game-info-below-game-info" Error 44
        "a node above already has game information"
    RepeatedInitialPosition "repeated-initial-position" Error 0
        "the Hex game has more than one `IP`"
    ContradictingAnnotation "contradicting-annotation" Error 41
        "the node has annotations that exclude each other"
    GoodAndBadMove "good-and-bad-move" Error 42
        "the node has both `TE` and `BM`; `FF[4]` writes `IT` or `DO` instead"
    AnnotationWithoutMove "annotation-without-move" Error 43
        "the node annotates a move and has no move"
    EmptyNode "empty-node" Note 55
        "the node has no properties"
    HandicapMismatch "handicap-mismatch" Warning 61
        "the handicap (`HA`) differs from the number of black setup stones in its node"
    HandicapTooSmall "handicap-too-small" Warning 0
        "a handicap is at least 2, and `HA` is less"
    SetupInMainLine "setup-in-main-line" Note 62
        "the main line has setup after the root"
    TwoMovesInRow "two-moves-in-row" Note 63
        "the same color moves twice in a row"
    ContradictingPlayer "contradicting-player" Note 0
        "the side that moves is not the one that `PL` names"
    // Findings on the rules of the game, if moves are replayed.
    SetupWithoutEffect "setup-without-effect" Warning 39
        "the setup leaves a point as it was"
    OccupiedPoint "occupied-point" Warning 58
        "the move is on an occupied point"
    IllegalKo "illegal-ko" Warning 0
        "the move retakes a ko at once"
    IllegalSuicide "illegal-suicide" Warning 0
        "the move is suicide, which the rules forbid"
    IllegalMove "illegal-move" Warning 0
        "the rules do not allow this move"
    IllegalSetup "illegal-setup" Warning 0
        "the rules do not allow this setup"
    MarkWithoutStone "mark-without-stone" Warning 0
        "the node has more marks than stones at a point"
    CheckLimit "check-limit" Warning 0
        "the game exceeds the memory of one check; that check ends here"
}

/// Parses a name, as [`Code::as_str`] returns it.
///
/// ```
/// use sgfstream::Code;
///
/// assert_eq!("unclosed-game".parse(), Ok(Code::UnclosedGame));
/// assert!("closed-game".parse::<Code>().is_err());
/// ```
impl std::str::FromStr for Code {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == name)
            .ok_or(UnknownName)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Problem of a file: its code, and the bytes.
///
/// ```
/// use sgfstream::{Code, Event, SliceReader};
///
/// let input = b"(;GM[1] typo;B[aa])";
/// let mut found = Vec::new();
/// for event in SliceReader::new(input).events() {
///     if let Event::Problem(problem) = event? {
///         found.push((
///             problem.code,
///             &input[problem.span.start as usize..problem.span.end as usize],
///         ));
///     }
/// }
/// assert_eq!(found, [(Code::UnexpectedText, &b"typo"[..])]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Problem {
    /// Kind of the problem.
    pub code: Code,
    /// The wrong bytes; empty if something is missing.
    pub span: Span,
}

impl Problem {
    /// Returns the problem `code` at `span`.
    #[must_use]
    pub const fn new(code: Code, span: Span) -> Self {
        Self { code, span }
    }

    /// Returns the severity of its code.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}[{}]: {}",
            self.severity(),
            self.code,
            self.code.message()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_case_and_unique() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert!(names.iter().all(|name| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte == b'-' || byte.is_ascii_lowercase())
        }));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn messages_are_in_lower_case_without_a_full_stop() {
        for code in Code::ALL {
            let message = code.message();
            assert!(!message.ends_with('.'), "{code}");
            assert!(
                message.starts_with(|c: char| c.is_ascii_lowercase()),
                "{code}"
            );
        }
    }
}
