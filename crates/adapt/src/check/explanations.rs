//! What each code means, an input that produces it, and what to do: a table
//! with one row a code, in the order of [`Code::ALL`](sgfstream::Code::ALL).

use sgfstream::Code;

/// A code, explained.
///
/// ```
/// use sgfstream::Code;
/// use sgfstream_adapt::check::Explanation;
///
/// let explanation = Explanation::of(Code::MalformedGameInfo);
/// assert_eq!(explanation.example(), b"(;FF[4]GM[1]KM[6,5])");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    code: Code,
    meaning: &'static str,
    example: Example,
    advice: &'static str,
}

/// An input that produces a code.
#[derive(Clone, Copy, Debug)]
enum Example {
    /// These bytes.
    Bytes(&'static [u8]),
    /// The middle so many times.
    Repeated(&'static [u8], &'static [u8], usize, &'static [u8]),
    /// These bytes, with the moves replayed.
    Replayed(&'static [u8]),
}

impl Explanation {
    /// The explanation of a code.
    ///
    /// # Panics
    ///
    /// Never: a test holds that each code has its row.
    #[must_use]
    pub fn of(code: Code) -> &'static Self {
        ROWS.iter().find(|row| row.code == code).expect("each code has a row")
    }

    /// The code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// What it means, and what the format says about it.
    #[must_use]
    pub const fn meaning(&self) -> &'static str {
        self.meaning
    }

    /// What to do about it.
    #[must_use]
    pub const fn advice(&self) -> &'static str {
        self.advice
    }

    /// An input that produces it.
    #[must_use]
    pub fn example(&self) -> Vec<u8> {
        match self.example {
            Example::Bytes(bytes) | Example::Replayed(bytes) => bytes.to_vec(),
            Example::Repeated(before, middle, times, after) => [before, &middle.repeat(times), after].concat(),
        }
    }

    /// True if the moves must be replayed to find it.
    #[must_use]
    pub const fn needs_legality(&self) -> bool {
        matches!(self.example, Example::Replayed(_))
    }
}

/// One row a code.
macro_rules! explanations {
    ($($code:ident $meaning:literal $example:expr, $advice:literal)*) => {
        static ROWS: &[Explanation] = &[$(
            Explanation { code: Code::$code, meaning: $meaning, example: $example, advice: $advice },
        )*];
    };
}

explanations! {
    TextBeforeGame
        "There is text before the first game. The grammar does not allow it, FF[1] reserved it, and all readers skip it: mail headers, titles."
        Example::Bytes(b"Game of the day\n(;FF[4]GM[1])"),
        "Nothing must be done; take the text out if it is no longer wanted."
    ValueBeforeGame
        "Something that looks like a move comes before the first game, so the start of a game may be lost."
        Example::Bytes(b"B[aa];W[bb])\n(;FF[4]GM[1])"),
        "Look at the start of the file: a `(;` may be missing."
    TextAfterGame
        "There is text after a game, where only another game or the end can come."
        Example::Bytes(b"(;FF[4]GM[1])\nend of file"),
        "Take it out; if it is part of a game, there is a `)` too many before it."
    NoGame
        "The input has no game: there is no `(;` in it."
        Example::Bytes(b"no game"),
        "Look whether it is an SGF file at all, and whether it is packed."
    WideEncoding
        "The bytes are UTF-16 or UTF-32; SGF's structure is ASCII (FF[4], `CA`). The command line converts such files on its own."
        Example::Bytes(b"\xff\xfe(\0;\0)\0"),
        "Convert the file to UTF-8 and state `CA[UTF-8]`."
    MissingParenthesis
        "There is a node where a game should begin with `(`."
        Example::Bytes(b";FF[4]GM[1];B[aa])"),
        "Write `(` before the first `;`."
    MissingRootSemicolon
        "A game begins with `(` and a property, and the `;` of its root node is missing."
        Example::Bytes(b"(FF[4]GM[1];B[aa])"),
        "Write `;` after the `(`."
    MissingSemicolon
        "A variation begins with a property, and the `;` of its first node is missing."
        Example::Bytes(b"(;FF[4]GM[1](B[aa])(;B[bb]))"),
        "Write `;` after the `(`."
    VariationWithoutNode
        "A `(` is followed by something that cannot begin a variation; a variation has one node at least."
        Example::Bytes(b"(;FF[4]GM[1]((;B[aa])))"),
        "Take the parenthesis and its partner out."
    EmptyVariation
        "`()` holds no node; the smallest variation is `(;)`."
        Example::Bytes(b"(;FF[4]GM[1]()(;B[aa]))"),
        "Take it out."
    NodeAfterVariation
        "A node comes after a variation that was closed; all nodes of a sequence come before its variations."
        Example::Bytes(b"(;FF[4]GM[1](;B[aa]);B[bb])"),
        "Look where the `)` before it belongs; a `(` was supplied to keep the node."
    StrayParenthesis
        "A `)` has no `(`."
        Example::Bytes(b"(;FF[4]GM[1]))"),
        "Take it out, or find the `(` that was lost."
    StrayBracket
        "A `]` ends no value: probably one in a text was not escaped and ended it early."
        Example::Bytes(b"(;FF[4]GM[1]C[a]b])"),
        "Write `\\]` in the text before it."
    UnexpectedText
        "There are characters inside a game that belong to no property: often the rest of a text that a bare `]` ended."
        Example::Bytes(b"(;FF[4]GM[1]C[a] rest;B[aa])"),
        "Look at the value before it: write `\\]` for a `]` in a text."
    NulByte
        "There is a byte 0x00 in the file; it has no meaning."
        Example::Bytes(b"(;FF[4]GM[1]\0;B[aa])"),
        "Take it out; the file may have been cut or padded by a program."
    IdentifierWithoutValue
        "An identifier has no value; a property has one at least."
        Example::Bytes(b"(;FF[4]GM[1]PB;B[aa])"),
        "Give it a value, or take it out."
    IdentifierWithoutCapital
        "An identifier has no capital letter; lowercase letters are dropped in reading, so nothing is left of it."
        Example::Bytes(b"(;FF[4]GM[1]black[aa])"),
        "Write the identifier in capitals."
    IdentifierTooLong
        "An identifier is longer than any sensible one; the file is probably no SGF there."
        Example::Repeated(b"(;FF[4]GM[1]", b"A", 5000, b"[x])"),
        "Look at the bytes; the limit is `Limits::identifier`."
    LowercaseIdentifier
        "FF[4] identifiers are capitals; FF[1] to FF[3] allowed lowercase letters between them, which readers drop."
        Example::Bytes(b"(;FF[4]GM[1];Black[aa])"),
        "Write the capitals alone."
    ValueWithoutIdentifier
        "A value has no identifier before it."
        Example::Bytes(b"(;FF[4]GM[1];[aa])"),
        "Find the identifier that was lost, or take the value out."
    UnclosedValue
        "The input, or this game, ends inside a value."
        Example::Bytes(b"(;FF[4]GM[1]C[cut off"),
        "The end of the file is lost, or a `]` is."
    UnclosedIdentifier
        "The input ends after an identifier."
        Example::Bytes(b"(;FF[4]GM[1];B"),
        "The end of the file is lost."
    UnclosedGame
        "The input ends, or another game begins, while variations are open."
        Example::Bytes(b"(;FF[4]GM[1];B[aa]"),
        "Write the `)` that are missing; the end of the file may be lost."
    UnknownCharset
        "`CA` names a charset that is not known."
        Example::Bytes(b"(;FF[4]CA[klingon]GM[1])"),
        "Write the name as the IANA list has it, such as `UTF-8`, and read with --charset until then."
    BracketInCharacter
        "A `]` or `\\` is the second byte of a character in a double-byte charset, and was not escaped as FF[4] asks."
        Example::Bytes(b"(;FF[4]CA[Shift_JIS]C[\x83\x5d])"),
        "Convert the file to UTF-8, where no character has such bytes."
    InvalidBytes
        "A text has bytes that are none in the charset of its game."
        Example::Bytes(b"(;FF[4]CA[UTF-8]GM[1]C[\xe9t\xe9])"),
        "Find the charset that the bytes are in, and state it in `CA`."
    AssumedCharset
        "Text beyond ASCII has no `CA`. By FF[4] it is ISO-8859-1; here it is UTF-8 where its bytes are valid UTF-8."
        Example::Bytes(b"(;FF[4]GM[1]C[caf\xc3\xa9])"),
        "State `CA[UTF-8]`, or what it is."
    DigitInIdentifier
        "FF[4] identifiers are capital letters; digits belong to dialects."
        Example::Bytes(b"(;FF[4]GM[1]X1[x])"),
        "State the game in `GM` if it is of a dialect; else choose another identifier."
    DuplicateProperty
        "An identifier occurs twice in a node; lists are one property with several values."
        Example::Bytes(b"(;FF[4]GM[1]AB[aa]AB[bb])"),
        "Join the values: `AB[aa][bb]`. Of other properties, keep one."
    UnreadableValue
        "A value is nothing that the type of its property could be."
        Example::Bytes(b"(;FF[4]GM[1];B[3x])"),
        "Correct it by hand; readers drop it."
    PointOffBoard
        "A point is not on the board that `SZ` states, or the default."
        Example::Bytes(b"(;FF[4]GM[1]SZ[9];B[pd])"),
        "Look at `SZ` first: if many points are outside, it is missing or wrong."
    MalformedValue
        "A value is not written as the specification has it, and still tells what it means: `B[a a]`, `PL[b]`."
        Example::Bytes(b"(;FF[4]GM[1];B[d d])"),
        "Write it as the repair says."
    EmptyValue
        "A value is empty, and its type has no empty value: only lists that may be empty are written `[]`."
        Example::Bytes(b"(;FF[4]GM[1]AB[])"),
        "Take the property out, or give it its value."
    UselessEmptyValue
        "A text is empty: legal, and it says nothing."
        Example::Bytes(b"(;FF[4]GM[1]GN[])"),
        "Take the property out."
    TooManyValues
        "A property of one value has several; a `]` may be lost, as in `B[aa LB[bb][cc]`."
        Example::Bytes(b"(;FF[4]GM[1]N[one][two])"),
        "Keep one of them, after a look at the value before it."
    MissingColon
        "The value should be two, with `:` between, and there is no `:`."
        Example::Bytes(b"(;FF[4]GM[1]LB[aa])"),
        "Write both: `LB[aa:label]`."
    MalformedCompose
        "A value of two with `:` between is written in another form: without the second half, with a bare `:` in it, with blanks."
        Example::Bytes(b"(;FF[4]GM[1]LB[aa:x:y])"),
        "Write `\\:` for a `:` inside a text: `LB[aa:x\\:y]`."
    MalformedGameInfo
        "`DT`, `RE`, `TM` or `KM` is not in the form that FF[4] fixes for it."
        Example::Bytes(b"(;FF[4]GM[1]KM[6,5])"),
        "Write it as the repair says: dates as `1996-12-27`, results as `B+3.5`, times in seconds, komi with a point."
    RepeatedPoint
        "A point occurs twice in the setup, markup, territory, labels or view of one node."
        Example::Bytes(b"(;FF[4]GM[1]AB[aa]AW[aa])"),
        "Keep one of them."
    OnePointLine
        "An arrow or line goes from a point to itself."
        Example::Bytes(b"(;FF[4]GM[1]AR[aa:aa])"),
        "Take it out, or mark the point."
    NewerFeature
        "There is a rectangular board or a rectangle of points in a file that states a version before FF[4]."
        Example::Bytes(b"(;FF[3]GM[1]AB[aa:bb])"),
        "State `FF[4]`."
    FaultyView
        "`VW` in FF[3] is two corners; in FF[4] an empty value is alone."
        Example::Bytes(b"(;FF[3]GM[1]VW[aa][bb][cc])"),
        "State `FF[4]` and list the points, or write the two corners."
    EmptyPassInOldVersion
        "The pass `[]` came with FF[4]; before, `tt` was the pass."
        Example::Bytes(b"(;FF[3]GM[1];B[])"),
        "State `FF[4]`, or write `tt`."
    BadRootValue
        "A root property has a value that cannot be read, and what depends on it takes the default."
        Example::Bytes(b"(;FF[4]GM[Chequers])"),
        "Correct the value."
    UnknownVersion
        "`FF` is above 4; there is no such version."
        Example::Bytes(b"(;FF[5]GM[1])"),
        "State `FF[4]`."
    MissingVersion
        "The root has no `FF`: by the specification that is FF[1], and rarely what was meant."
        Example::Bytes(b"(;GM[1];B[aa])"),
        "State `FF[4]`."
    SquareSizePair
        "The size of a square board is written as a pair; FF[4] requires one number."
        Example::Bytes(b"(;FF[4]GM[1]SZ[19:19])"),
        "Write `SZ[19]`."
    BoardTooLarge
        "The board is larger than the game's points can name: two letters reach 52."
        Example::Bytes(b"(;FF[4]GM[1]SZ[60])"),
        "Correct `SZ`."
    BoardSizeNotAllowed
        "The document of the game rules this size out: a board of Unlur has an odd width, one of Twixt 3 to 702 lines a side."
        Example::Bytes(b"(;FF[4]GM[Unlur]SZ[10])"),
        "Look at the moves: they show which size is meant."
    CharsetNotAllowed
        "Pentobi's games are UTF-8 only."
        Example::Bytes(b"(;GM[Blokus Duo]FF[4]CA[ISO-8859-1];B[a1])"),
        "Convert the file to UTF-8."
    DifferentVersions
        "Games of one input state different FF."
        Example::Bytes(b"(;FF[4]GM[1])(;FF[3]GM[1])"),
        "Legal; mind it when games are joined."
    DifferentGames
        "Games of one input state different GM."
        Example::Bytes(b"(;FF[4]GM[1])(;FF[4]GM[11])"),
        "Legal; mind it when games are joined."
    DifferentCharsets
        "Games of one input state different charsets."
        Example::Bytes(b"(;FF[4]CA[UTF-8]GM[1])(;FF[4]CA[GBK]GM[1])"),
        "Legal; programs that decode whole files cannot read it, so convert all to UTF-8."
    SeveralGames
        "The input holds several games."
        Example::Bytes(b"(;FF[4]GM[1])(;FF[4]GM[1])"),
        "Nothing must be done; some programs read the first alone."
    UncheckedGame
        "No document defines the points and moves of this game, or no board replays it."
        Example::Bytes(b"(;FF[4]GM[3];W[e2e4])"),
        "Nothing; its values are kept as they are."
    NewerRevision
        "Only the newest revision of the game's page has it. The page of Hex allowed 3 to 26 rows and columns until 2021, and had no move `pass`."
        Example::Bytes(b"(;FF[4]GM[11]SZ[27])"),
        "Nothing is wrong with the file; older programs may refuse it."
    OlderForm
        "The current document of the dialect has replaced this form. Pentobi wrote a piece as a list of points before version 0.3, and the colours as `BLUE`, `YELLOW`, `RED` and `GREEN` before 0.2. Reported once a game."
        Example::Bytes(b"(;GM[Blokus]FF[4];1[a20][b20])"),
        "`sgfq rewrite --pentobi` writes the current form."
    UnknownProperty
        "No version, game or known program has this property. Said once a game for each identifier."
        Example::Bytes(b"(;FF[4]GM[1]QQ[x])"),
        "Nothing must be done: readers keep what they do not know. If it was meant for another, correct it."
    PrivateProperty
        "The property belongs to one program. Said once a game for each identifier."
        Example::Bytes(b"(;FF[4]GM[1]MULTIGOGM[1])"),
        "Nothing must be done; others will not understand it."
    OtherGameProperty
        "The property belongs to another game than the one `GM` states. Said once a game for each identifier."
        Example::Bytes(b"(;FF[4]GM[11]KM[6.5])"),
        "Correct `GM`, or take the property out."
    OtherVersionProperty
        "The property belongs to another version of the format than the one `FF` states. Said once a game for each identifier."
        Example::Bytes(b"(;FF[3]GM[1]ST[2])"),
        "State `FF[4]`; of properties that FF[4] dropped, see its replacement."
    LongIdentifier
        "Identifiers of more than two capitals are allowed for private properties, and some programs cannot read them."
        Example::Bytes(b"(;FF[4]GM[1]LONG[x])"),
        "Choose a shorter one."
    KomiInHalves
        "`KI` is the komi of Smart Game Board, in halves of a point."
        Example::Bytes(b"(;FF[4]GM[1]KI[11])"),
        "Write `KM` with half the number."
    MoveInRoot
        "There is a move in the root node: legal, but bad style, which some programs cannot show."
        Example::Bytes(b"(;FF[4]GM[1]B[aa])"),
        "Put the move into a node of its own."
    SetupWithMove
        "One node has setup and move properties, which FF[4] forbids. `MN`, `BL`, `TE` are move properties too, `PL` is setup."
        Example::Bytes(b"(;FF[4]GM[1];B[aa]AW[bb])"),
        "Make two nodes of it, setup first; take `PL` out where it is all the setup there is."
    TwoMovesInNode
        "A node has two moves."
        Example::Bytes(b"(;FF[4]GM[1];B[aa]W[bb])"),
        "Make two nodes of it; handicap stones are `AB`."
    RootPropertyElsewhere
        "A root property is in another node than the root of a game."
        Example::Bytes(b"(;FF[4]GM[1];B[aa]SZ[19])"),
        "Move it into the root node, or take it out."
    GameInfoBelowGameInfo
        "Two nodes of one path have game information; FF[4] allows one."
        Example::Bytes(b"(;FF[4]GM[1]PB[x];EV[y])"),
        "Move all of it into one node."
    RepeatedInitialPosition
        "A game of Hex has `IP` twice; it marks the one position that is shown first."
        Example::Bytes(b"(;FF[4]GM[11];B[a1]IP[];W[b2]IP[])"),
        "Keep one of them."
    ContradictingAnnotation
        "One node has annotations that exclude each other: of `DM` `UC` `GB` `GW`, and of `BM` `DO` `IT` `TE`, one each."
        Example::Bytes(b"(;FF[4]GM[1];B[aa]GB[1]GW[1])"),
        "Keep one of them."
    GoodAndBadMove
        "One node has `TE` and `BM`; before FF[4], that was the way to write interesting and doubtful moves."
        Example::Bytes(b"(;FF[4]GM[1];B[aa]TE[1]BM[1])"),
        "Write `IT[]` for `TE` before `BM`, `DO[]` for `BM` before `TE`."
    AnnotationWithoutMove
        "`BM`, `DO`, `IT`, `TE` and `KO` say something about a move, and the node has none."
        Example::Bytes(b"(;FF[4]GM[1];TE[1])"),
        "Move it into the node of the move."
    EmptyNode
        "A node has no property: legal, and of no use."
        Example::Bytes(b"(;FF[4]GM[1];;B[aa])"),
        "Take it out."
    HandicapMismatch
        "`HA` states another number of handicap stones than `AB` of the same node sets up; `HA` itself puts no stones."
        Example::Bytes(b"(;FF[4]GM[1]HA[2]AB[dd])"),
        "Set the stones up with `AB` in that node, or correct `HA`."
    HandicapTooSmall
        "A handicap is 2 stones or more. `HA[0]` says nothing; one stone is a game without komi."
        Example::Bytes(b"(;FF[4]GM[1]HA[0])"),
        "Take the property out."
    SetupInMainLine
        "Stones are set up in the main line after the root, where a game should be played."
        Example::Bytes(b"(;FF[4]GM[1];B[aa];AB[bb])"),
        "Set up in the root; legal all the same."
    TwoMovesInRow
        "The same colour moves twice. The format implies no turn order, so it may be meant: free handicap, problems."
        Example::Bytes(b"(;FF[4]GM[1];B[aa];B[bb])"),
        "Look whether a move is missing, or a colour wrong."
    SetupWithoutEffect
        "Setup puts what is there already: bad style."
        Example::Replayed(b"(;FF[4]GM[1]AB[aa];AB[aa][bb])"),
        "Take the points out."
    OccupiedPoint
        "A move is made where there is a stone. It is executed: the stone is replaced."
        Example::Replayed(b"(;FF[4]GM[1];B[aa];W[aa])"),
        "Look for a wrong coordinate, or setup that is missing."
    IllegalKo
        "A move takes back a ko at once. It is executed."
        Example::Replayed(b"(;FF[4]GM[1]AB[ba][ab][bc]AW[ca][bb][db][cc];B[cb];W[bb])"),
        "Look for a threat that is missing; where the rules allow it, write `KO[]`."
    IllegalSuicide
        "A move leaves its group without a liberty, which `RU` does not allow. It is executed: the stones are taken."
        Example::Replayed(b"(;FF[4]GM[1]AW[ba][ab];B[aa])"),
        "Look for a wrong coordinate; rules with suicide are stated in `RU`, such as `RU[NZ]`."
    IllegalMove
        "A move is against the rules of its game: a piece placed twice in Blokus, a swap with nothing to swap in Hex."
        Example::Replayed(b"(;FF[4]GM[11];B[swap-pieces])"),
        "Look at the move; it was executed as far as it can be."
    IllegalSetup
        "Setup is against the rules of its game, such as a piece of Blokus set up twice."
        Example::Replayed(b"(;GM[Blokus Duo]FF[4];AE[a1,b1])"),
        "Look at the setup; it was done as far as it can be."
    MarkWithoutStone
        "The node marks more stones of a point than are there, or marks one stone twice. The page of Octi allows one mark of `CS`, `MS`, `SS` and `TS` on a stone."
        Example::Replayed(b"(;FF[4]GM[19]BO[46];CS[46]MS[46])"),
        "Take marks out, or look for a move that is missing."
    CheckLimit
        "More was open, or in one node, than the checker remembers in its bounded memory; the message says which check stops here."
        Example::Repeated(b"(;FF[4]GM[1]C[x", b"xxxxxxxxxxxxxxxx", 17000, b"]SZ[19])"),
        "Nothing is wrong with the file; the check is incomplete from here on."
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckOptions, Checker};
    use sgfstream::{EventReader, SliceReader};

    #[test]
    fn each_code_once_in_order() {
        let rows: Vec<_> = ROWS.iter().map(|row| row.code).collect();
        assert_eq!(rows, Code::ALL);
    }

    #[test]
    fn every_example_produces_its_code() {
        for row in ROWS {
            let example = row.example();
            let mut codes = Vec::new();
            let options = CheckOptions::default().with_legality(row.needs_legality());
            let mut checker = Checker::new(options, |finding| codes.push(finding.code));
            SliceReader::new(&example).drive(&mut checker).expect("no limit is set");
            drop(checker);
            assert!(codes.contains(&row.code), "{}: {codes:?}", row.code);
        }
    }

    #[test]
    fn texts_are_sentences() {
        for row in ROWS {
            for text in [row.meaning, row.advice] {
                assert!(
                    text.ends_with('.') && text.starts_with(|c: char| c.is_ascii_uppercase() || c == '`'),
                    "{}",
                    row.code
                );
            }
        }
    }
}
