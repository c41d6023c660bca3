//! Table of properties, one row each, sorted by identifier (identifiers of more than two characters
//! last). Each row names its source: FF\[4\]'s properties and game pages, the indexes of FF\[1\] to
//! FF\[4\], and the dialects' documents and files. [`Definition`](super::Definition) explains the
//! columns and finds rows.

use crate::value::ListKind;

use super::definition::{Definition, Origin, PropertyType, Scope, Versions};
use super::value_type::ValueType;

/// Takes one row for each property: identifier, FF versions (0: any), origin, games, property type,
/// value type, list kind, description. The comment names the source, and the long name in older
/// files if any has one (spec I-02).
macro_rules! definitions {
    ($($id:literal $versions:literal $origin:ident $games:ident $kind:ident
       $value:ident $list:ident $description:literal)*) => {
        /// All rows.
        pub(super) static DEFINITIONS: &[Definition] = &[$(
            Definition {
                id: $id,
                versions: Versions::of_digits($versions),
                origin: Origin::$origin,
                scope: Scope::$games,
                property_type: PropertyType::$kind,
                value_type: ValueType::$value,
                list_kind: ListKind::$list,
                description: $description,
            },
        )*];
    };
}

definitions! {
    "1"    0    Dialect    PentobiMultiColor Move     Piece        Single  "move of color 1" // Pentobi document
    "1L"   0    Dialect    PentobiMultiColor Move     Real         Single  "color 1 time left" // Pentobi document
    "2"    0    Dialect    PentobiMultiColor Move     Piece        Single  "move of color 2" // Pentobi document
    "2L"   0    Dialect    PentobiMultiColor Move     Real         Single  "color 2 time left" // Pentobi document
    "3"    0    Dialect    PentobiMultiColor Move     Piece        Single  "move of color 3" // Pentobi document
    "3L"   0    Dialect    PentobiMultiColor Move     Real         Single  "color 3 time left" // Pentobi document
    "4"    0    Dialect    PentobiMultiColor Move     Piece        Single  "move of color 4" // Pentobi document
    "4L"   0    Dialect    PentobiMultiColor Move     Real         Single  "color 4 time left" // Pentobi document
    "5A"   0    Private    Gomoku            GameInfo SimpleText   Single  "fifth moves that are offered" // iwzq.com files
    "A"    0    Private    Backgammon        None     Text         List    "gnubg move analysis" // gnubg source
    "A1"   0    Dialect    PentobiMultiColor Setup    Piece        List    "pieces of color 1" // Pentobi document
    "A2"   0    Dialect    PentobiMultiColor Setup    Piece        List    "pieces of color 2" // Pentobi document
    "A3"   0    Dialect    PentobiMultiColor Setup    Piece        List    "pieces of color 3" // Pentobi document
    "A4"   0    Dialect    PentobiMultiColor Setup    Piece        List    "pieces of color 4" // Pentobi document
    "AA"   4    Standard   Amazons           Setup    Point        List    "add arrows" // FF4 Amazons
    "AB"   1234 Standard   All               Setup    Stone        List    "put black stones, no captures" // FF4 properties; AddBlack
    "AB"   0    Dialect    PentobiTwoColor   Setup    Piece        List    "pieces of first color" // Pentobi document
    "AE"   1234 Standard   All               Setup    Point        List    "clear points" // FF4 properties; AddEmpty
    "AE"   0    Dialect    Pentobi           Setup    Piece        List    "remove whole pieces" // Pentobi document
    "AN"   34   Standard   All               GameInfo SimpleText   Single  "annotator name" // FF4 properties
    "AP"   4    Standard   All               Root     TEXT_PAIR    Single  "writing application and version" // FF4 properties
    "AR"   4    Standard   All               None     POINT_PAIR   List    "arrows from first to second" // FF4 properties
    "AS"   4    Standard   LinesOfAction     None     SimpleText   Single  "side adding stones Black White None" // FF4 LOA
    "AS"   4    Standard   Octi              None     ARROW        List    "arrow from stone to point" // FF4 Octi
    "AW"   1234 Standard   All               Setup    Stone        List    "put white stones, no captures" // FF4 properties; AddWhite
    "AW"   0    Dialect    PentobiTwoColor   Setup    Piece        List    "pieces of second color" // Pentobi document
    "B"    1234 Standard   All               Move     Move         Single  "black move" // FF4 properties; Black
    "B"    0    Dialect    PentobiTwoColor   Move     Piece        Single  "first player's move, comma points" // Pentobi document
    "BC"   0    Private    Backgammon        None     Double       Single  "gnubg bad cube action" // gnubg source
    "BL"   1234 Standard   All               Move     Real         Single  "Black seconds left after move" // FF4 properties; BlacktimeLeft
    "BL"   0    Dialect    PentobiTwoPlayer  Move     Real         Single  "first player's time left" // Pentobi document
    "BM"   1234 Standard   All               Move     Double       Single  "bad move" // FF4 properties; BadMove
    "BO"   4    Standard   Octi              GameInfo Point        List    "Black octi squares" // FF4 Octi
    "BR"   1234 Standard   All               GameInfo SimpleText   Single  "Black's rank" // FF4 properties; BlackRank
    "BS"   123  Standard   All               GameInfo Number       Single  "Black human, modem or computer" // FF1-4 index; BlackSpecies
    "BT"   34   Standard   All               GameInfo SimpleText   Single  "Black's team" // FF4 properties
    "C"    1234 Standard   All               None     Text         Single  "comment on node" // FF4 properties; Comment
    "CA"   4    Standard   All               Root     SimpleText   Single  "charset of texts, default Latin-1" // FF4 properties
    "CA"   0    Dialect    Pentobi           Root     SimpleText   Single  "UTF-8 only, default UTF-8" // Pentobi document
    "CH"   123  Standard   All               None     Double       Single  "check mark" // FF1-4 index; CHeckmark
    "CI"   3    Standard   Go                GameInfo Unknown      Unknown "Chinese handicap, only named as dropped" // FF4 changes
    "CO"   4    Standard   Backgammon        Setup    SimpleText   Single  "cube owner b w c n" // FF4 Backgammon
    "CP"   34   Standard   All               GameInfo SimpleText   Single  "copyright note" // FF4 properties; CoPyright
    "CP"   4    Standard   Backgammon        Setup    SimpleText   Single  "cube position before 2001, see CO" // FF4 history
    "CR"   34   Standard   All               None     Point        List    "circle marks" // FF4 properties
    "CS"   4    Standard   Octi              None     Stone        List    "circle on stone" // FF4 Octi
    "CV"   4    Standard   Backgammon        Setup    Number       Single  "cube value, default 1" // FF4 Backgammon
    "DA"   0    Private    Backgammon        None     Text         Single  "gnubg cube analysis" // gnubg source
    "DC"   0    Private    Backgammon        None     None         Single  "gnubg doubtful cube action" // gnubg source
    "DD"   4    Standard   All               Inherit  Point        Elist   "dimmed points, [] clears" // FF4 properties
    "DG"   0    Private    Go                None     Unknown      Unknown "Many Faces, silently dropped" // Many Faces source mention
    "DI"   4    Standard   Backgammon        Setup    Number       Single  "set dice, e.g. 31" // FF4 Backgammon
    "DM"   34   Standard   All               None     Double       Single  "even position; 2 main line" // FF4 properties
    "DO"   34   Standard   All               Move     None         Single  "doubtful move" // FF4 properties
    "DP"   0    Private    Go                Root     SimpleText  Single  "difficulty in percent, of goproblems.com" // field
    "DT"   1234 Standard   All               GameInfo SimpleText   Single  "ISO dates with shortcuts" // FF4 properties; DaTe
    "DZ"   0    Private    Go                Root     SimpleText  Single  "kind of match between engines, of Lizzie" // LizzieYzy source
    "EL"   12   Standard   All               None     Number       Single  "computer evaluation of move" // FF1 (Kierulf); EvaLuation
    "EV"   1234 Standard   All               GameInfo SimpleText   Single  "event name" // FF4 properties; EVent
    "EX"   12   Standard   All               None     Move         Single  "expected next move" // FF1 (Kierulf); EXpectedmove
    "FF"   234  Standard   All               Root     Number       Single  "file format 1-4, default 1" // FF4 properties; FileFormat
    "FG"   1234 Standard   All               None     FIGURE       Single  "new print figure, flags, name" // FF4 properties; FiGure
    "GB"   1234 Standard   All               None     Double       Single  "good for Black" // FF4 properties; GoodforBlack
    "GC"   1234 Standard   All               GameInfo Text         Single  "text about the game" // FF4 properties; GameComment
    "GE"   0    Private    Go                Root     SimpleText  Single  "kind of problem, of goproblems.com" // field
    "GM"   1234 Standard   All               Root     Number       Single  "game number, default 1" // FF4 properties; GaMe
    "GM"   0    Dialect    Pentobi           Root     SimpleText   Single  "one of 18 game names" // Pentobi document
    "GM"   0    Dialect    GoRilla           Root     NUMBER_OR_NAME Single  "also 4000/Unlur, 4100/Havannah" // GoRilla document
    "GN"   1234 Standard   All               GameInfo SimpleText   Single  "game name" // FF4 properties; GameName
    "GS"   0    Private    Backgammon        None     Text         List    "gnubg game statistics M C D" // gnubg source
    "GW"   1234 Standard   All               None     Double       Single  "good for White" // FF4 properties; GoodforWhite
    "HA"   1234 Standard   Go                GameInfo Number       Single  "number of handicap stones" // FF4 Go; HAndicap
    "HO"   34   Standard   All               None     Double       Single  "hotspot node" // FF4 properties
    "IC"   0    Private    Backgammon        None     None         Single  "gnubg interesting cube action" // gnubg source
    "ID"   3    Standard   All               GameInfo SimpleText   Single  "game identifier" // FF1-4 index
    "IP"   4    Standard   LinesOfAction     GameInfo SimpleText   Single  "position shown first; End" // FF4 LOA
    "IP"   4    Standard   Hex               GameInfo SimpleText   Single  "marks first displayed node, empty" // FF4 Hex
    "IS"   4    Standard   Hex               Root     TEXT_PAIR    List    "viewer settings keyword:on/off" // FF4 Hex
    "IT"   34   Standard   All               Move     None         Single  "interesting move" // FF4 properties
    "IY"   4    Standard   LinesOfAction     GameInfo SimpleText   Single  "invert Y axis true false" // FF4 LOA
    "JD"   0    Private    Go                GameInfo SimpleText  Single  "date in the Japanese calendar" // field
    "KI"   0    Sgb        Go                GameInfo Number       Single  "integer komi, twice KM" // SGFC README
    "KM"   1234 Standard   Go                GameInfo Real         Single  "komi" // FF4 Go; KoMi
    "KO"   34   Standard   All               Move     None         Single  "execute move though illegal" // FF4 properties
    "KO"   0    Private    Go                GameInfo SimpleText   Single  "komi in Sina/old files" // field
    "KT"   0    Analysis   Go                None     Text         List    "KaTrain's analysis, compressed" // KaTrain source
    "L"    12   Standard   All               None     Point        List    "letters A, B, C in order" // FF1 (Kierulf); Letters
    "LB"   34   Standard   All               None     LABEL        List    "text labels (FF3 max 4 chars)" // FF4 properties
    "LC"   0    Private    Go                GameInfo SimpleText   Single  "periods of byo-yomi in Sina files" // field
    "LN"   4    Standard   All               None     POINT_PAIR   List    "plain lines" // FF4 properties
    "LT"   3    Standard   All               None     None         Single  "enforce losing on time" // FF1-4 index
    "LT"   0    Private    Go                GameInfo SimpleText   Single  "seconds of a byo-yomi period in Sina files" // field
    "LU"   0    Private    Backgammon        None     Real         Single  "gnubg luck value" // gnubg source
    "LZ"   0    Analysis   Go                None     Text         Single  "evaluation by Lizzie's engine" // field
    "M"    12   Standard   All               None     Point        List    "simple marks" // FF1 (Kierulf); Marks or Mark
    "MA"   34   Standard   All               None     Point        List    "X marks" // FF4 properties
    "MI"   4    Standard   Backgammon        GameInfo TEXT_PAIR    List    "match info tag:value pairs" // FF4 Backgammon
    "MN"   34   Standard   All               Move     Number       Single  "set move number" // FF4 properties
    "MR"   0    Private    Backgammon        None     None         Single  "gnubg mark of a move, meaning not found" // gnubg files
    "MS"   4    Standard   Octi              None     Stone        List    "X on stone" // FF4 Octi
    "N"    1234 Standard   All               None     SimpleText   Single  "node name" // FF4 properties; Nodename or Name
    "NB"   0    Private    Go                None     Number       Single  "IGS extra, meaning not found" // field
    "NP"   4    Standard   Octi              GameInfo Number       Single  "prongs per player at start" // FF4 Octi
    "NR"   4    Standard   Octi              GameInfo Number       Single  "reserve pods per player" // FF4 Octi
    "NS"   4    Standard   Octi              GameInfo Number       Single  "superprongs per player" // FF4 Octi
    "NW"   0    Private    Go                None     Number       Single  "IGS extra, meaning not found" // field
    "OB"   34   Standard   All               Move     Number       Single  "Black overtime moves left" // FF4 properties
    "OE"   1    Standard   Othello           None     Number       Single  "empties for optimal score" // FF1 Othello section via SGFGrove/Cassio
    "OH"   0    Private    Go                GameInfo SimpleText  Single  "handicap between the players: their colors in turn" // field
    "OM"   3    Standard   All               None     Number       Single  "moves per overtime period" // FF1-4 index
    "ON"   34   Standard   All               GameInfo SimpleText   Single  "opening name (Text before 2001)" // FF4 properties
    "OP"   3    Standard   All               None     Real         Single  "overtime period length" // FF1-4 index
    "OS"   1    Standard   Othello           None     Number       Single  "optimal score" // FF1 Othello section via SGFGrove/Cassio
    "OT"   4    Standard   All               GameInfo SimpleText   Single  "overtime method, free text" // FF4 properties
    "OV"   3    Standard   All               None     Real         Single  "operator overhead per move" // FF1-4 index
    "OW"   34   Standard   All               Move     Number       Single  "White overtime moves left" // FF4 properties
    "P0"   0    Dialect    Boardspace        Move     Action       List    "player 0 name or action" // Boardspace files
    "P1"   0    Dialect    PentobiManyPlayer GameInfo SimpleText   Single  "player 1 name" // Pentobi source
    "P1"   0    Dialect    Boardspace        Move     Action       List    "player 1 name or action" // Boardspace files
    "P2"   0    Dialect    PentobiManyPlayer GameInfo SimpleText   Single  "player 2 name" // Pentobi source
    "P3"   0    Dialect    PentobiManyPlayer GameInfo SimpleText   Single  "player 3 name" // Pentobi source
    "P4"   0    Dialect    PentobiManyPlayer GameInfo SimpleText   Single  "player 4 name" // Pentobi source
    "PB"   1234 Standard   All               GameInfo SimpleText   Single  "black player's name" // FF4 properties; PlayerBlack
    "PB"   0    Dialect    PentobiTwoPlayer  GameInfo SimpleText   Single  "first player's name" // Pentobi document
    "PC"   1234 Standard   All               GameInfo SimpleText   Single  "place played" // FF4 properties; PlaCe
    "PE"   1    Standard   Othello           None     Number       Single  "perfect score" // FF1 Othello section via SGFGrove/Cassio
    "PL"   1234 Standard   All               Setup    Color        Single  "side to play" // FF4 properties; PLayerfirst
    "PL"   0    Dialect    Pentobi           Setup    AnyColor     Single  "color to play" // Pentobi document, Pentobi source
    "PM"   4    Standard   All               Inherit  Number       Single  "print move number mode 0-2" // FF4 properties
    "PW"   1234 Standard   All               GameInfo SimpleText   Single  "white player's name" // FF4 properties; PlayerWhite
    "PW"   0    Dialect    PentobiTwoPlayer  GameInfo SimpleText   Single  "second player's name" // Pentobi document
    "RD"   0    Private    Go                GameInfo SimpleText   Single  "date in Sina files" // field
    "RE"   1234 Standard   All               GameInfo SimpleText   Single  "result in fixed spelling" // FF4 properties; REsult
    "RE"   4    Standard   Backgammon        GameInfo SimpleText   Single  "points before R, e.g. B+6R" // FF4 Backgammon
    "RG"   123  Standard   Go                None     Point        List    "board region" // FF1 (Kierulf); ReGion
    "RL"   0    Private    Go                Root     Number       Single  "Foxwq private" // Fox files
    "RN"   0    Private    Go                Root     Number       Single  "Foxwq private" // Fox files
    "RO"   1234 Standard   All               GameInfo SimpleText   Single  "round number and type" // FF4 properties; ROund
    "RP"   4    Standard   Octi              Setup    Stone        List    "remove pod (stone)" // FF4 Octi
    "RU"   34   Standard   All               GameInfo SimpleText   Single  "rule set" // FF4 properties
    "RU"   4    Standard   Backgammon        GameInfo SimpleText   Single  "Crawford, Crawford:CrawfordGame, Jacoby" // FF4 Backgammon
    "RU"   4    Standard   Octi              GameInfo SimpleText   Single  "major:variation,variation" // FF4 Octi
    "SC"   123  Standard   Go                None     Point        List    "secure stones" // FF1 (Kierulf); SeCurestones
    "SE"   3    Standard   All               None     Point        List    "moves tried in selftest" // FF1-4 index
    "SE"   4    Standard   LinesOfAction     None     Point        Single  "mark point and its moves" // FF4 LOA
    "SI"   3    Standard   All               None     Double       Single  "sigma mark" // FF1-4 index
    "SL"   1234 Standard   All               None     Point        List    "selected points" // FF4 properties; SeLected
    "SO"   1234 Standard   All               GameInfo SimpleText   Single  "source, book or journal" // FF4 properties; SOurce
    "SQ"   4    Standard   All               None     Point        List    "square marks" // FF4 properties
    "SS"   4    Standard   Octi              None     Stone        List    "square on stone" // FF4 Octi
    "ST"   4    Standard   All               Root     Number       Single  "variation display style 0-3" // FF4 properties
    "SU"   4    Standard   LinesOfAction     GameInfo SimpleText   Single  "setup type, default Standard" // FF4 LOA
    "SU"   0    Dialect    Boardspace        GameInfo SimpleText   Single  "variant, e.g. hive-plm" // Boardspace files
    "SW"   0    Private    Gomoku            GameInfo SimpleText   Single  "colors were swapped" // iwzq.com files
    "SY"   0    Private    Go                Root     SimpleText  Single  "program that wrote the file, of CGoban 1" // field
    "SZ"   1234 Standard   All               Root     SIZE         Single  "board size, columns:rows" // FF4 properties; SiZe
    "SZ"   0    Dialect    Kropki            Root     SIZE_OR_LETTERS Single  "39:32 same as NG" // GoRilla document
    "TB"   1234 Standard   Go                None     Point        Elist   "black territory or area" // FF4 Go; TerritoryBlack
    "TB"   4    Standard   Kropki            None     TERRITORY    Elist   "points or dotted border sequences" // Kropki page
    "TC"   3    Standard   Go                None     Number       Single  "territory count" // FF1-4 index
    "TC"   0    Private    Backgammon        None     Double       Single  "gnubg good cube action" // gnubg source
    "TC"   0    Private    Go                Root     Number       Single  "Foxwq overtime periods" // Fox files
    "TE"   1234 Standard   All               Move     Double       Single  "good move" // FF4 properties; TEsuji
    "TE"   0    Private    Go                GameInfo SimpleText   Single  "title in Sina/Nihon Ki-in files" // field
    "TM"   1234 Standard   All               GameInfo Real         Single  "main time seconds (FF1 minutes)" // FF4 properties; TiMe
    "TM"   0    Dialect    Boardspace        None     Real         Single  "the mover's clock, in each node" // Boardspace files
    "TR"   34   Standard   All               None     Point        List    "triangle marks" // FF4 properties
    "TS"   4    Standard   Octi              None     Stone        List    "triangle on stone" // FF4 Octi
    "TT"   0    Private    Go                Root     Number       Single  "Foxwq overtime seconds" // Fox files
    "TW"   1234 Standard   Go                None     Point        Elist   "white territory or area" // FF4 Go; TerritoryWhite
    "TW"   4    Standard   Kropki            None     TERRITORY    Elist   "points or dotted border sequences" // Kropki page
    "UC"   34   Standard   All               None     Double       Single  "unclear position" // FF4 properties
    "US"   1234 Standard   All               GameInfo SimpleText   Single  "who entered the game" // FF4 properties; USer
    "V"    1234 Standard   All               None     Real         Single  "node value, positive for Black" // FF4 properties; nodeValue
    "VV"   0    Dialect    Boardspace        Root     Number       Single  "file version" // Boardspace files
    "VW"   4    Standard   All               Inherit  Point        Elist   "visible points, [] all" // FF4 properties; VieW
    "VW"   12   Standard   All               Root     Point        Elist   "two corner points, [] whole board" // FF1 (Kierulf); VieW
    "VW"   3    Standard   All               None     Point        List    "unofficial: two corners" // FF4 converting; VieW
    "W"    1234 Standard   All               Move     Move         Single  "white move" // FF4 properties; White
    "W"    0    Dialect    PentobiTwoColor   Move     Piece        Single  "second player's move" // Pentobi document
    "WL"   1234 Standard   All               Move     Real         Single  "White seconds left after move" // FF4 properties; WhitetimeLeft
    "WL"   0    Dialect    PentobiTwoPlayer  Move     Real         Single  "second player's time left" // Pentobi document
    "WO"   4    Standard   Octi              GameInfo Point        List    "White octi squares" // FF4 Octi
    "WR"   1234 Standard   All               GameInfo SimpleText   Single  "White's rank" // FF4 properties; WhiteRank
    "WS"   123  Standard   All               GameInfo Number       Single  "White human, modem or computer" // FF1-4 index; WhiteSpecies
    "WT"   34   Standard   All               GameInfo SimpleText   Single  "White's team" // FF4 properties
    "WV"   0    Private    Go                None     Text         Single  "engine analysis, meaning not found" // field
    "XB"   0    Dialect    GoRilla           None     NONE_OR_NUMBER Single  "bookmark with list order" // GoRilla document
    "XK"   0    Private    All               None     Text         List    "what a repair took out of its place, by property" // sgfstream
    "XP"   0    Dialect    GoRilla           None     None         Single  "primary position of game" // GoRilla document
    "XS"   0    Dialect    GoRilla           Root     None         Single  "game shown on load" // GoRilla document
    "XV"   0    Dialect    GoRilla           None     None         Single  "node shown on navigation" // GoRilla document
    "XX"   0    Private    Go                None     Text         Single  "OGS private, meaning not found" // field
    "BLUE" 0    OldDialect Pentobi           Move     PIECE_OR_POINT List    "old id of color 1" // Pentobi document
    "GREEN" 0    OldDialect Pentobi           Move     PIECE_OR_POINT List    "old id of color 4" // Pentobi document
    "KGSDE" 0    Private    Go                None     Point        List    "KGS: dead stones" // field
    "KGSSB" 0    Private    Go                None     Real         Single  "KGS: score of Black" // field
    "KGSSW" 0    Private    Go                None     Real         Single  "KGS: score of White" // field
    "KTV"  0    Analysis   Go                Root     SimpleText   Single  "version of KaTrain's KT" // KaTrain source
    "LZ2"  0    Analysis   Go                None     Text         Single  "evaluation by the second engine of LizzieYzy" // LizzieYzy source
    "LZOP" 0    Analysis   Go                None     Text         Single  "evaluation of the root by LizzieYzy" // field
    "LZOP2" 0    Analysis   Go                None     Text         Single  "evaluation of the root by the second engine of LizzieYzy" // LizzieYzy source
    "MULTIGOGM" 0    Private    Go                Root     Number       Single  "MultiGo marker" // sgfmill
    "OGSC" 0    Analysis   Go                None     Text         Single  "Ogatak: score of the engine" // Ogatak source
    "PLYO" 0    Analysis   Go                None     Text         Single  "GoReviewPartner: playouts of Leela" // field
    "PNV"  0    Analysis   Go                None     Text         Single  "GoReviewPartner: policy of Leela's network" // field
    "QPR"  0    Private    Gomoku            None     Text         Single  "gomokuquest candidate points" // field
    "QSLW" 0    Private    Gomoku            None     Text         Single  "gomokuquest chosen point" // field
    "RED"  0    OldDialect Pentobi           Move     PIECE_OR_POINT List    "old id of color 3" // Pentobi document
    "SBKV" 0    Analysis   Go                None     Real         Single  "Sabaki: percent of Black's chance to win" // field
    "VNWR" 0    Analysis   Go                None     Text         Single  "GoReviewPartner: win rate of Leela's value network" // field
    "YELLOW" 0    OldDialect Pentobi           Move     PIECE_OR_POINT List    "old id of color 2" // Pentobi document
}
