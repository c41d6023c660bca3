//! The table of games, one row each, in the order of [`Game::NUMBERED`]. Sources:
//! the list of FF\[4\] and its game pages, GoRilla's document, files of the
//! field. "Unknown" is meant so: no page says, and values stay raw. What the
//! columns mean: [`GameEntry`](super::GameEntry).

use super::Game;
use super::entry::{FirstPlayer, GameEntry, MoveSyntax, PointSyntax};

/// One row a game: side of the default board (0: none), syntax of points and
/// moves, special moves, who begins, own properties, status, notes.
macro_rules! entries {
    ($($game:ident $side:literal $point:ident $moves:ident [$($special:literal)*] $first:ident
       $own:literal $status:literal $notes:literal)*) => {
        /// All that have a number.
        pub(super) static ENTRIES: &[GameEntry] = &[$(
            GameEntry {
                game: Game::$game,
                default_size: GameEntry::square($side),
                point_syntax: PointSyntax::$point,
                move_syntax: MoveSyntax::$moves,
                special_moves: &[$($special),*],
                first_player: FirstPlayer::$first,
                own_properties: $own,
                status: $status,
                notes: $notes,
            },
        )*];
    };
}

entries! {
    Go 19 TwoLetters Point ["[]" "tt"] Black "HA KM TB TW" "FF4 page" "max 52x52; stone=point; lists compressible"
    Othello 8 LetterDigit Point ["PA" "[]" "tt"] Black "PE OS OE" "no FF4 page; FF1 section exists but not readable" "8 (field); GoRilla accepts c4 and cd; GGF is another format"
    Chess 8 Unknown Unknown [] Unknown "" "number only; default size in FF4 properties" "stone differs from point, never defined; keep raw"
    Gomoku 0 TwoLetters Point [] Black "" "number only; stone=point per basics page" "not fixed (15 in the field); gomokuquest adds private QPR QSLW"
    Morris 0 Unknown Unknown [] Unknown "" "number only" "number exists since FF1"
    Backgammon 0 OneLetter Dice ["double" "take" "drop"] Dice "CO CV DI MI" "FF4 page" "none (24 points); a = White 1-point; setup repeats points per checker in gnubg"
    ChineseChess 0 Unknown Unknown [] Unknown "" "number only" "stone differs from point, never defined"
    Shogi 0 Unknown Unknown [] Unknown "" "number only" "stone differs from point, never defined"
    LinesOfAction 8 LetterNumberUp FromTo ["Pass" "Resign" "Forfeit" "Escape"] Black "AS IP IY SE SU" "FF4 page" "values case-insensitive"
    Ataxx 0 Unknown Unknown [] Unknown "" "number only" ""
    Hex 11 LettersNumber Point ["swap-sides" "swap-pieces" "resign" "forfeit" "pass"] Black "IS IP" "FF4 page, two revisions" "revision of 2001: 3..26; of 2021: min 1x1 and columns aa.. after z"
    Jungle 0 Unknown Unknown [] Unknown "" "number only" ""
    Neutron 0 Unknown Unknown [] Unknown "" "number only" ""
    Philosophers 0 Unknown Unknown [] Unknown "" "number only" "Phutball"
    Quadrature 0 Unknown Unknown [] Unknown "" "number only" ""
    Trax 0 Unknown Unknown [] Unknown "" "number only" ""
    Tantrix 0 Unknown Unknown [] Unknown "" "number only (added at Dave Dyer's request, 1999)" ""
    Amazons 10 TwoLetters FromToArrow [] Unknown "AA" "FF4 page" "default start unless root has AB AW AE AA"
    Octi 0 TwoDigits Octi [] Black "BO WO NP NR NS AS CS MS SS TS RP" "FF4 page" "derived from RU and SZ; stone = point + prong letters A-H"
    Gess 20 TwoLetters FromColonTo [] Unknown "" "FF4 page" "18x18 inside the edges; the colon is not Compose"
    Twixt 24 LettersNumber PegAndLinks ["swap" "resign"] White "HA RU" "FF4 page 2021 (second half not readable)" "3..702 rows/cols; White joins top-bottom"
    Zertz 0 Unknown Action [] Unknown "P0 P1 VV SU" "number only; Boardspace files" ""
    Plateau 0 Unknown Unknown [] Unknown "" "number only" "Boardspace has the game; its file number was not seen"
    Yinsh 0 Unknown Unknown [] Unknown "" "number only (2006-05-13)" "registered by Dave Dyer (Boardspace)"
    Punct 0 Unknown Action [] Unknown "P0 P1 VV SU" "number only (2006-05-13)" "Boardspace"
    Gobblet 0 Unknown Unknown [] Unknown "" "number only (2006-05-13)" "registered by Dave Dyer (Boardspace)"
    Hive 0 Unknown Action ["pass" "resign" "done" "swap"] Unknown "P0 P1 VV SU" "number only (2006-06-25)" ""
    Exxit 0 Unknown Action [] Unknown "P0 P1 VV SU" "number only" "Boardspace"
    Hnefatal 0 Unknown Unknown [] Unknown "" "number only" "spelling as registered"
    Kuba 0 Unknown Unknown [] Unknown "" "number only" ""
    Tripples 0 Unknown Unknown [] Unknown "" "number only" ""
    Chase 0 Unknown Unknown [] Unknown "" "number only" ""
    TumblingDown 0 Unknown Unknown [] Unknown "" "number only" ""
    Sahara 0 Unknown Unknown [] Unknown "" "number only" ""
    Byte 0 Unknown Unknown [] Unknown "" "number only" ""
    Focus 0 Unknown Unknown [] Unknown "" "number only" ""
    Dvonn 0 Unknown Unknown [] Unknown "" "number only" "Boardspace has the game; its file number was not seen"
    Tamsk 0 Unknown Action [] Unknown "P0 P1 VV SU" "number only" "Boardspace writes the name, GM[tamsk]"
    Gipf 0 Unknown Action [] Unknown "P0 P1 VV SU" "number only" "Boardspace writes the name, GM[gipf]"
    Kropki 0 TwoLetters DotAndBorders [] Black "TB TW" "external page (eidokropki)" "none (39x32, 30x30, 20x20 usual); no FF below 4; GoRilla sizes to 45x45, SZ letters"
    Unlur 0 LettersNumber Point ["[]"] Unknown "" "GoRilla document" "not given (SZ = max width, odd); also GM[Unlur]"
    Havannah 0 LettersNumber Point ["swap-pieces" "swap-sides"] Unknown "" "GoRilla document" "not given (SZ = side length); also GM[Havannah]"
}
