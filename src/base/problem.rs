//! Problems: faults in a file, as data. A code has a stable name, a severity, and SGFC's message number if SGFC has one
//! (spec quirks §1), so that findings can be counted, allowed and compared.

use std::fmt;

use super::Span;

/// Severity of a problem.
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

            /// Returns the severity.
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
        "expected a game, `(;`, found text with a property value in it; a game may have lost its start"
    TextAfterGame "text-after-game" Error 8
        "expected a game or the end of input, found other text; skipped"
    NoGame "no-game" Error 7
        "expected a game, `(;`, found the end of input"
    WideEncoding "wide-encoding" Error 0
        "expected bytes with ASCII structure, found UTF-16 or UTF-32; transcode the input first"
    MissingParenthesis "missing-parenthesis" Error 0
        "expected `(` before the first node, found `;`; supplied"
    MissingRootSemicolon "missing-root-semicolon" Error 36
        "expected `;` after the `(` of a game, found something else; supplied"
    MissingSemicolon "missing-semicolon" Error 67
        "expected `;` after the `(` of a variation, found something else; supplied"
    VariationWithoutNode "variation-without-node" Error 21
        "expected `;` after `(`, found something that starts no node; parenthesis dropped"
    EmptyVariation "empty-variation" Error 12
        "expected a node between `(` and `)`, found none; dropped"
    NodeAfterVariation "node-after-variation" Error 66
        "expected `(` or `)` after a variation, found a node or property; `(` supplied"
    StrayParenthesis "stray-parenthesis" Error 8
        "expected a game, found `)` without its `(`; skipped"
    StrayBracket "stray-bracket" Error 8
        "expected a node, property or variation, found `]` without its `[`; skipped"
    UnexpectedText "unexpected-text" Error 8
        "expected a node, property or variation, found other text; skipped"
    NulByte "nul-byte" Warning 22
        "expected text, found a byte 0x00; read as a space"
    IdentifierWithoutValue "identifier-without-value" Error 20
        "expected `[` after a property identifier, found something else; identifier dropped"
    IdentifierWithoutCapital "identifier-without-capital" Error 54
        "expected a capital letter in the property identifier, found none; property dropped"
    IdentifierTooLong "identifier-too-long" Error 11
        "expected a shorter property identifier, found one past the limit; property dropped"
    LowercaseIdentifier "lowercase-identifier" Error 16
        "expected capital letters in an `FF[4]` identifier, found lowercase; ignored in reading"
    ValueWithoutIdentifier "value-without-identifier" Error 54
        "expected a property identifier before `[`, found none; value dropped"
    UnclosedValue "unclosed-value" Error 10
        "expected `]`, found the end of input or the start of another game; supplied"
    UnclosedIdentifier "unclosed-identifier" Error 10
        "expected `[` after a property identifier, found the end of input; identifier dropped"
    UnclosedGame "unclosed-game" Error 9
        "expected `)`, found the end of input or the start of another game; supplied"
    UnknownCharset "unknown-charset" Error 72
        "expected the name of a charset in `CA`, found one that is not known; default used"
    BracketInCharacter "bracket-in-character" Note 0
        "found `]` or `\\` as the second byte of a character; read as part of it"
    InvalidBytes "invalid-bytes" Error 71
        "expected text in the charset of the game, found bytes that are not; shown as U+FFFD"
    AssumedCharset "assumed-charset" Note 0
        "found text beyond ASCII and no `CA`; charset chosen by its bytes"
    DigitInIdentifier "digit-in-identifier" Error 8
        "expected letters in an `FF[4]` identifier, found a digit; kept"
    DuplicateProperty "duplicate-property" Error 28
        "expected each identifier once in a node, found it again; both kept"
    // Problems of values that `check` reports (docs/problems.md).
    UnreadableValue "unreadable-value" Error 14
        "expected a value of the property's type, found something else"
    PointOffBoard "point-off-board" Error 14
        "expected a point on the board, found one outside it"
    MalformedValue "malformed-value" Error 15
        "expected a value as the specification writes it, found another spelling; repaired"
    EmptyValue "empty-value" Error 17
        "expected a value, found an empty one"
    UselessEmptyValue "useless-empty-value" Warning 17
        "expected some text, found an empty value, which says nothing"
    TooManyValues "too-many-values" Error 13
        "expected one value, found several; a `]` may be lost"
    SwallowedNode "swallowed-node" Warning 0
        "expected the end of a text before a node, found an escaped bracket; the node is part of the text"
    MissingColon "missing-colon" Error 23
        "expected two values with `:` between, found one"
    MalformedCompose "malformed-composed-value" Error 25
        "expected two values with one `:` between, found another form; repaired"
    MalformedGameInfo "malformed-game-info" Error 33
        "expected game information as the specification writes it, found another form"
    RepeatedPoint "repeated-point" Error 38
        "expected each point once among the properties of its kind in a node, found it again"
    OnePointLine "one-point-line" Error 0
        "expected an arrow or line between two points, found one point"
    NewerFeature "newer-feature" Error 51
        "expected what the stated FF has, found a rectangular board or rectangles of points, which are of `FF[4]`"
    FaultyView "faulty-view" Error 52
        "expected `VW` with two corners in `FF[3]`, or an empty value alone, found another list"
    EmptyPassInOldVersion "empty-pass-in-old-version" Error 65
        "expected the pass `tt` below `FF[4]`, found `[]`"
    // Problems of root properties, and of the games of one input.
    BadRootValue "bad-root-value" Error 18
        "expected a root property that can be read, found another value; the default holds"
    UnknownVersion "unknown-version" Error 46
        "expected FF 1 to 4, found a higher one; read as `FF[4]`"
    MissingVersion "missing-version" Note 0
        "expected `FF` in the root, found none; the specification reads `FF[1]`"
    SquareSizePair "square-size-pair" Error 47
        "expected one number for a square board, found a pair of the same"
    BoardTooLarge "board-too-large" Error 50
        "expected a board that the game's points can name, found a larger one; clipped"
    BoardSizeNotAllowed "board-size-not-allowed" Error 0
        "expected a board that the document of the game allows, found one of another size"
    CharsetNotAllowed "charset-not-allowed" Error 0
        "expected UTF-8 in a game of Pentobi's, found another charset"
    StaleCharset "stale-charset" Error 0
        "expected no other charset than UTF-8 in `CA` of text that was transcoded, found one; read as transcoded"
    DifferentVersions "different-versions" Warning 45
        "expected one FF in all games of the input, found another"
    DifferentGames "different-games" Warning 53
        "expected one GM in all games of the input, found another"
    DifferentCharsets "different-charsets" Warning 74
        "expected one CA in all games of the input, found another"
    SeveralGames "several-games" Note 60
        "expected one game, found more"
    UncheckedGame "unchecked-game" Note 19
        "expected a game whose points and moves are defined, found another; they are not checked"
    NewerRevision "newer-revision" Note 0
        "expected what each revision of the game's page has, found what only the newest has"
    OlderForm "older-form" Note 0
        "expected the form that the current document of the dialect has, found an older one; read all the same"
    // Problems of identifiers.
    UnknownProperty "unknown-property" Warning 35
        "expected a property of the format, found one that nothing defines; kept"
    PrivateProperty "private-property" Note 35
        "expected a property of the format, found one of a single program; kept"
    OtherGameProperty "other-game-property" Warning 35
        "expected a property of this game, found one of another; kept"
    OtherVersionProperty "other-version-property" Warning 40
        "expected a property of the stated FF, found one of another; kept"
    LongIdentifier "long-identifier" Warning 31
        "expected one or two capitals in an identifier, found more"
    KomiInHalves "komi-in-halves" Warning 59
        "expected `KM`, found `KI`, which is twice the komi"
    // Problems of nodes and their places in the tree.
    MoveInRoot "move-in-root" Warning 24
        "expected no move in the root node, found one"
    SetupWithMove "setup-with-move" Error 30
        "expected setup or a move in a node, found both"
    TwoMovesInNode "two-moves-in-node" Error 37
        "expected one move in a node, found another"
    RootPropertyElsewhere "root-property-elsewhere" Error 32
        "expected a root property in the root node, found it in another"
    GameInfoBelowGameInfo "game-info-below-game-info" Error 44
        "expected one node with game information on each path, found another below it"
    RepeatedInitialPosition "repeated-initial-position" Error 0
        "expected one `IP` in a game of Hex, found another"
    ContradictingAnnotation "contradicting-annotation" Error 41
        "expected one judgement in a node, found another that excludes it"
    GoodAndBadMove "good-and-bad-move" Error 42
        "expected `TE` or `BM`, found both, which `FF[4]` writes as `IT` or `DO`"
    AnnotationWithoutMove "annotation-without-move" Error 43
        "expected a move in the node of an annotation of moves, found none"
    EmptyNode "empty-node" Note 55
        "expected properties in the node, found none"
    HandicapMismatch "handicap-mismatch" Warning 61
        "expected as many black setup stones in the node as `HA` says, found another number"
    HandicapTooSmall "handicap-too-small" Warning 0
        "expected a handicap of 2 or more, found less"
    SetupInMainLine "setup-in-main-line" Note 62
        "expected no setup in the main line after the root, found some"
    TwoMovesInRow "two-moves-in-row" Note 63
        "expected the other colour to move, found the same again"
    ContradictingPlayer "contradicting-player" Note 0
        "expected a move of the side that `PL` names, found one of the other"
    // Problems by the rules of the game, found by replaying the moves.
    SetupWithoutEffect "setup-without-effect" Warning 39
        "expected setup that changes the position, found a point that is so already"
    OccupiedPoint "occupied-point" Warning 58
        "expected a move on an empty point, found a stone there"
    IllegalKo "illegal-ko" Warning 0
        "expected a move elsewhere first, found a ko taken back at once"
    IllegalSuicide "illegal-suicide" Warning 0
        "expected a move that keeps a liberty, found suicide"
    IllegalMove "illegal-move" Warning 0
        "expected a move that the rules allow, found another"
    IllegalSetup "illegal-setup" Warning 0
        "expected setup that the rules allow, found another"
    MarkWithoutStone "mark-without-stone" Warning 0
        "expected each mark of stones on a stone of its own, found more marks than stones"
    CheckLimit "check-limit" Warning 0
        "expected no more than what is remembered for a check, found more; what comes is not checked in this way"
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Problem of a file: its code, and the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// Kind of the problem.
    pub code: Code,
    /// The faulty bytes; empty if something is missing.
    pub span: Span,
}

impl Problem {
    /// Returns the problem `code` at `span`.
    #[must_use]
    pub const fn new(code: Code, span: Span) -> Self {
        Self { code, span }
    }

    /// Returns the severity.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity(), self.code, self.code.message())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_case_and_unique() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert!(
            names
                .iter()
                .all(|name| { !name.is_empty() && name.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase()) })
        );
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }

    #[test]
    fn messages_are_in_lower_case_without_a_full_stop() {
        for code in Code::ALL {
            let message = code.message();
            assert!(!message.ends_with('.'), "{code}");
            assert!(message.starts_with(|c: char| c.is_ascii_lowercase()), "{code}");
        }
    }
}
