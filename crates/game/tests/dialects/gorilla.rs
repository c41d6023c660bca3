//! G-01 to G-30: GoRilla's rules.

use super::*;
use sgfstream_game::gorilla::{converted, stripped};
use sgfstream_game::havannah::{Hexagon, Numbering};
use sgfstream_game::kropki::Territory;
use sgfstream_game::{
    dialect::{Program, Word},
    property::{Definition, PropertyType},
};

fn gorilla(game: Game) -> Dialect {
    Dialect::of_program(game, None, Program::Gorilla)
}

fn size(raw: &str) -> Option<(u32, u32)> {
    Game::Kropki
        .parse_size(raw.as_bytes())
        .ok()
        .map(|size| (size.columns(), size.rows()))
}

fn strip(raw: &str) -> String {
    String::from_utf8(stripped(raw.as_bytes()).into_owned()).expect("ASCII")
}

#[test]
fn g_01_ff_4_is_the_base() {
    let raw = "(;FF[4]GM[1]XV[]SZ[19];B[pd]XB[2](;W[dp])(;W[dd]))";
    assert!(is_clean(raw.as_bytes()));
    assert_eq!(detect(raw.as_bytes()).1, Program::Gorilla);
}

#[test]
fn g_02_four_games_with_a_format() {
    for game in [Game::Go, Game::Othello, Game::Hex, Game::Kropki] {
        assert!(game.number().is_some_and(|number| number <= 40));
        assert!(gorilla(game).has_points());
    }
}

#[test]
fn g_03_swaps_anywhere_in_hex() {
    let raw = "(;GM[11]SZ[5];B[c1];W[a5];B[e5];W[swap-pieces];B[swap-sides];W[b2])";
    let (position, results) = replay(raw);
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    // After both swaps, the black c1 became a white a3.
    assert_eq!(stone(&position, "a3"), Some(Side::White));
}

#[test]
fn g_04_no_gm_is_go() {
    assert_eq!(game_of("(;FF[4]SZ[19];B[pd])"), Game::Go);
}

#[test]
fn g_05_go_is_19() {
    assert_eq!(gorilla(Game::Go).size(), BoardSize::square(19));
}

#[test]
fn g_06_hex_is_17_here_and_11_elsewhere() {
    assert_eq!(gorilla(Game::Hex).size(), BoardSize::square(17));
    assert_eq!(dialect(Game::Hex).size(), BoardSize::square(11));
    assert_eq!(Dialect::default_size(Game::Kropki, Program::Gorilla), None);
}

#[test]
fn g_07_algebraic_or_go_style() {
    for game in [Game::Othello, Game::Hex] {
        let dialect = gorilla(game);
        assert_eq!(point(&dialect, "c4"), Some((2, 3)));
        assert_eq!(
            dialect.parse_move(b"c4"),
            dialect.parse_move(b"cd"),
            "{game:?}"
        );
        assert_eq!(canonical(&dialect, "cd").as_deref(), Some("c4"));
    }
    // Hex's own page has only the first form.
    assert!(dialect(Game::Hex).parse_move(b"cd").is_err());
}

#[test]
fn g_08_kropki_by_its_page() {
    let kropki = dialect(Game::Kropki);
    for raw in [
        "ab",
        "ce.cecfdgefdece",
        ".cecfdgefdece",
        "gg.cfdgefdecf.ggghhiihjgifhfgg",
    ] {
        assert_eq!(canonical(&kropki, raw).as_deref(), Some(raw));
    }
}

#[test]
fn g_09_borders_in_moves() {
    let raw = "(;GM[40]SZ[39:32];W[cd];B[bd];B[cc];B[dd];B[ce.cebdccddce])";
    let (position, results) = replay(raw);
    assert_eq!(
        results
            .last()
            .map(|result| result.map(|played| played.captured)),
        Some(Ok(1))
    );
    assert_eq!(stone(&position, "cd"), Some(Side::White)); // the dot stays, it is enclosed
}

#[test]
fn g_10_borders_in_tb_and_tw() {
    let kropki = dialect(Game::Kropki);
    assert!(
        matches!(kropki.parse_territory(b".cgdhegdfcg"), Ok(Territory::Borders(borders)) if borders.len() == 1)
    );
    assert!(matches!(
        kropki.parse_territory(b"ab"),
        Ok(Territory::Point(_))
    ));
    assert_eq!(kropki.parse_territory(b""), Ok(Territory::Empty));
    assert!(dialect(Game::Go).parse_territory(b".cgdhegdfcg").is_err());
    let (_, results) = replay("(;GM[40]SZ[20]AB[cg][dh][eg][df]AW[dg]TB[.cgdhegdfcg]TW[])");
    assert!(results.is_empty(), "{results:?}");
}

#[test]
fn g_11_sz_as_numbers() {
    assert_eq!(
        (size("39:32"), size("39")),
        (Some((39, 32)), Some((39, 39)))
    );
}

#[test]
fn g_12_sz_as_letters() {
    assert_eq!((size("NG"), size("N")), (Some((39, 32)), Some((39, 39))));
}

#[test]
fn g_13_letters_of_a_size_count_from_zero() {
    assert_eq!(size("T"), Some((45, 45)));
    assert_eq!(size("b"), Some((1, 1)));
    assert_eq!(size("U"), None);
    // As coordinates, the same letters are one more.
    assert_eq!(point(&dialect(Game::Kropki), "NG"), Some((39, 32)));
}

#[test]
fn g_14_at_most_45() {
    assert_eq!(
        (size("T"), size("U"), size("TU")),
        (Some((45, 45)), None, None)
    );
}

#[test]
fn g_15_unlur_and_havannah_write_as_hex() {
    for game in [Game::Unlur, Game::Havannah] {
        let dialect = Dialect::new(game, Some(BoardSize::square(9)));
        assert_eq!(canonical(&dialect, "E5").as_deref(), Some("e5"));
        assert_eq!(
            canonical(&dialect, "Swap-Sides").as_deref(),
            Some("swap-sides")
        );
    }
}

#[test]
fn g_16_numbers_and_names() {
    for raw in ["4000", "Unlur"] {
        assert_eq!(Game::parse(raw.as_bytes()), Ok(Game::Unlur));
        assert_eq!(
            detect(format!("(;GM[{raw}]SZ[9];B[e5])").as_bytes()).0,
            Game::Unlur
        );
    }
    for raw in ["4100", "Havannah"] {
        assert_eq!(Game::parse(raw.as_bytes()), Ok(Game::Havannah));
    }
}

#[test]
fn g_17_unlur_is_odd_and_as_wide_as_sz() {
    assert!(Game::Unlur.parse_size(b"11").is_ok() && Game::Unlur.parse_size(b"10").is_err());
    let unlur = Dialect::new(Game::Unlur, Some(BoardSize::square(11)));
    assert!(unlur.parse_point(b"k11").is_ok() && unlur.parse_point(b"l1").is_err());
}

#[test]
fn g_18_havannah_has_sides_of_sz() {
    let havannah = Dialect::new(Game::Havannah, Some(BoardSize::square(4)));
    assert!(havannah.parse_point(b"g7").is_ok() && havannah.parse_point(b"h1").is_err());
    assert_eq!(Hexagon::new(4, Numbering::Straight).cells().count(), 37);
    assert_eq!(Hexagon::new(4, Numbering::FromOne).cells().count(), 37);
}

#[test]
fn g_19_both_play_black_at_first() {
    // PB and PW state who goes first; nothing ties them to a color.
    let (position, results) = replay("(;GM[Unlur]SZ[9]PB[first]PW[second];B[e5];B[d4])");
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(stone(&position, "d4"), Some(Side::Black));
}

#[test]
fn g_20_an_empty_move_takes_black() {
    let unlur = Dialect::new(Game::Unlur, Some(BoardSize::square(9)));
    assert_eq!(unlur.parse_move(b""), Ok(Move::Word(Word::TakeBlack)));
    assert_eq!(canonical(&unlur, "").as_deref(), Some(""));
    assert_eq!(dialect(Game::Go).parse_move(b""), Ok(Move::Pass));
    let (_, results) = replay("(;GM[4000]SZ[9];B[e5];B[];W[d4])");
    assert!(results.iter().all(Result::is_ok));
}

#[test]
fn g_21_swaps_anywhere_in_havannah() {
    let (position, results) =
        replay("(;GM[Havannah]SZ[5];W[e5];B[a1];W[swap-sides];B[swap-pieces])");
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert_eq!(
        (stone(&position, "e5"), stone(&position, "a1")),
        (Some(Side::Black), Some(Side::White))
    );
}

#[test]
fn g_22_digits_and_lowercase_as_a_switch() {
    for (raw, id) in [
        ("Black", "B"),
        ("B1", "B"),
        ("AddWhite", "AW"),
        ("A1", "A"),
        ("1L", "L"),
        ("P1", "P"),
        ("b", ""),
    ] {
        assert_eq!(strip(raw), id);
    }
    // Without `stripped`, digits stay and lowercase letters are dropped.
    assert_eq!(listed("(;GM[1];Black[dd]1L[3])")[1].0, "B");
    assert_eq!(listed("(;GM[1];Black[dd]1L[3])")[2].0, "1L");
}

#[test]
fn g_23_markup() {
    for id in ["TR", "CR", "SQ", "MA", "LB", "TB", "TW"] {
        assert!(
            Definition::find(Game::Go, 4, id.as_bytes()).is_some(),
            "{id}"
        );
    }
}

#[test]
fn g_24_old_markup_is_converted() {
    for (old, new) in [("M", "MA"), ("L", "LB"), ("SL", "SQ"), ("TR", "TR")] {
        assert_eq!(converted(old.as_bytes()), new.as_bytes());
    }
}

#[test]
fn g_25_four_identifiers_of_its_own() {
    for id in ["XS", "XV", "XP", "XB"] {
        assert!(
            Definition::find(Game::Unlur, 4, id.as_bytes()).is_some(),
            "{id}"
        );
    }
}

/// Returns the types of the property and of its values in GoRilla's files.
fn types(id: &str) -> (PropertyType, String) {
    let definition = Definition::find(Game::Unlur, 4, id.as_bytes())
        .expect("in the table")
        .definition;
    (definition.property_type, definition.value_type.to_string())
}

#[test]
fn g_26_xs_in_the_root() {
    assert_eq!(types("XS"), (PropertyType::Root, "none".to_owned()));
}

#[test]
fn g_27_xv_marks_a_node() {
    assert_eq!(types("XV"), (PropertyType::None, "none".to_owned()));
}

#[test]
fn g_28_a_collection_reopens_where_it_was() {
    let raw = "(;GM[1];B[aa]XV[])(;GM[1]XS[];B[aa];W[bb]XV[])";
    assert!(is_clean(raw.as_bytes()));
    assert_eq!(written(raw.as_bytes()).replace('\n', ""), raw);
}

#[test]
fn g_29_xp_marks_a_position() {
    assert_eq!(types("XP"), (PropertyType::None, "none".to_owned()));
}

#[test]
fn g_30_bookmarks_have_an_order() {
    assert_eq!(
        types("XB"),
        (PropertyType::None, "none or number".to_owned())
    );
    let raw = "(;GM[1]XB[2];B[aa]XB[];W[bb]XB[1])";
    assert_eq!(written(raw.as_bytes()).replace('\n', ""), raw);
}

/// `SZ[NG]` is 39 columns and 32 rows, `SZ[N]` 39x39, for every reader of SZ.
#[test]
fn sizes_in_letters_are_read_leniently_too() {
    for (raw, columns, rows) in [
        ("NG", 39, 32),
        ("N", 39, 39),
        ("39:32", 39, 32),
        (" 20 ", 20, 20),
    ] {
        let size = Game::Kropki
            .read_size(raw.as_bytes())
            .sure()
            .expect(raw)
            .value;
        assert_eq!((size.columns(), size.rows()), (columns, rows), "{raw}");
    }
    assert!(Game::Go.read_size(b"NG").sure().is_none());
}

/// "for Hex it is 17": the size depends on the program.
#[test]
fn the_default_size_goes_by_the_program() {
    let size = |raw: &[u8]| {
        Dialect::default_size(
            Game::Hex,
            sgfstream_game::dialect::Program::of_application(raw),
        )
    };
    assert_eq!(size(b"GoRilla:1"), Some(BoardSize::square(17)));
    assert_eq!(size(b"HexGui:1"), Some(BoardSize::square(11)));
}

/// "SZ must be an odd number for Unlur".
#[test]
fn an_even_unlur_board_is_out_of_range() {
    assert!(Game::Unlur.parse_size(b"11").is_ok() && Game::Unlur.parse_size(b"10").is_err());
}

/// `c4` and `cd` are the same move of Othello, with one canonical spelling.
#[test]
fn both_notations_of_othello_are_one_move() {
    let othello = dialect(Game::Othello);
    let spelt = |raw: &[u8]| {
        othello
            .show_move(&othello.parse_move(raw).expect("a move"))
            .to_string()
    };
    assert_eq!(spelt(b"c4"), spelt(b"cd"));
}
