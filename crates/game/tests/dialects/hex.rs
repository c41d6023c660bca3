//! H-01 to H-25: Hex by both revisions of its page.

use super::*;
use sgfstream_game::hex::{HEX_MAX, HEX_MIN};
use sgfstream_game::{
    board::{Fault, Turn},
    dialect::Word,
    property::{Definition, PropertyType, ValueType},
};

fn hex() -> Dialect {
    dialect(Game::Hex)
}

fn word(raw: &str) -> Option<Word> {
    match hex().parse_move(raw.as_bytes()) {
        Ok(Move::Word(word)) => Some(word),
        _ => None,
    }
}

#[test]
fn h_01_values_in_any_case() {
    assert_eq!(hex().parse_move(b"G5"), hex().parse_move(b"g5"));
    assert_eq!(word("SWAP-PIECES"), Some(Word::SwapPieces));
}

#[test]
fn h_02_11_by_default() {
    assert_eq!(11, 11);
    assert_eq!(hex().size(), BoardSize::square(11));
    assert!(hex().parse_point(b"k11").is_ok() && hex().parse_point(b"l1").is_err());
}

#[test]
fn h_03_sizes() {
    assert_eq!((HEX_MIN, HEX_MAX), (3, 26));
    for side in [3, 26, 1, 27, 1000] {
        let dialect = Dialect::new(Game::Hex, Some(BoardSize::square(side)));
        assert!(GameBoard::new(&dialect).is_ok(), "{side}");
        assert_eq!(
            point(&dialect, &format!("a{side}")),
            Some((0, side as u16 - 1))
        );
    }
    // There is no maximum for reading, but boards beyond a million cells are not replayed.
    let huge = Dialect::new(Game::Hex, Some(BoardSize::square(5000)));
    assert!(huge.parse_move(b"gjh5000").is_ok() && GameBoard::new(&huge).is_err());
}

#[test]
fn h_04_columns_and_rows() {
    let size = BoardSize::parse(b"7:5").expect("columns:rows");
    let dialect = Dialect::new(Game::Hex, Some(size));
    assert!(dialect.parse_point(b"g5").is_ok());
    assert_eq!(dialect.parse_point(b"e7"), Err(Fault::OffBoard));
    assert_eq!(
        BoardSize::parse(b"7").map(|size| size.is_square()),
        Ok(true)
    );
}

#[test]
fn h_05_black_joins_top_and_bottom() {
    assert_eq!(
        replay("(;GM[11]SZ[3];B[b1];B[b2];B[b3])").0.winner(),
        Some(Side::Black)
    );
    assert_eq!(
        replay("(;GM[11]SZ[3];W[a2];W[b2];W[c2])").0.winner(),
        Some(Side::White)
    );
    assert_eq!(replay("(;GM[11]SZ[3];B[a2];B[b2];B[c2])").0.winner(), None);
    assert_eq!(replay("(;GM[11]SZ[3];W[b1];W[b2];W[b3])").0.winner(), None);
}

#[test]
fn h_06_black_goes_first() {
    assert_eq!(Turn::at_start(Game::Hex, false).side(), Some(Side::Black));
}

#[test]
fn h_07_points() {
    for (raw, at) in [
        ("a1", (0, 0)),
        ("G5", (6, 4)),
        ("D11", (3, 10)),
        ("j10", (9, 9)),
    ] {
        assert_eq!(point(&hex(), raw), Some(at), "{raw}");
        assert_eq!(
            hex().show_point(field(&hex(), raw)).to_string(),
            raw.to_lowercase()
        );
    }
}

#[test]
fn h_08_a_move_is_a_point() {
    for raw in ["e4", "F9"] {
        assert_eq!(canonical(&hex(), raw), Some(raw.to_lowercase()));
    }
    for raw in ["", "e", "4", "e-4", "e4 ", "cd", "tt"] {
        assert_eq!(canonical(&hex(), raw), None, "{raw}");
    }
}

#[test]
fn h_09_illegal_moves_are_reported() {
    let (position, results) = replay("(;GM[11];B[e4];W[e4])");
    assert_eq!(results[1], Err(Violation::Occupied));
    assert_eq!(stone(&position, "e4"), Some(Side::White));
}

#[test]
fn h_10_swap_sides() {
    let (position, results) = replay("(;GM[11];B[c1];W[swap-sides];W[b2])");
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    // The stones stay; the swapper plays Black now, and the opponent plays White.
    assert_eq!(stone(&position, "c1"), Some(Side::Black));
    let swap = hex().parse_move(b"swap-sides").expect("a word");
    assert_eq!(
        Turn::after(&hex(), Side::White, &swap),
        Turn::Next(Side::White)
    );
}

#[test]
fn h_11_swap_pieces() {
    let (position, results) = replay("(;GM[11];B[c1];W[d2];B[e5];W[swap-pieces])");
    assert_eq!(results[3].map(|played| played.turned), Ok(3));
    for (raw, side) in [
        ("a3", Side::White),
        ("b4", Side::Black),
        ("e5", Side::White),
    ] {
        assert_eq!(stone(&position, raw), Some(side), "{raw}");
    }
}

#[test]
fn h_12_c1_becomes_a_white_a3() {
    let (position, _) = replay("(;GM[11];B[c1];W[swap-pieces])");
    assert_eq!(stone(&position, "a3"), Some(Side::White));
    assert_eq!(stone(&position, "c1"), None);
    let swap = hex().parse_move(b"swap-pieces").expect("a word");
    assert_eq!(
        Turn::after(&hex(), Side::White, &swap),
        Turn::Next(Side::Black)
    );
    let (_, results) = replay("(;GM[11];B[c1];W[swap-pieces];B[a3])");
    assert_eq!(results[2], Err(Violation::Occupied));
}

#[test]
fn h_13_resign_and_on() {
    let (position, results) = replay("(;GM[11];B[c1];W[resign];W[d4];B[e5])");
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(stone(&position, "e5"), Some(Side::Black));
}

#[test]
fn h_14_forfeit_and_on() {
    let (position, results) = replay("(;GM[11];B[forfeit];W[d4])");
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(stone(&position, "d4"), Some(Side::White));
}

#[test]
fn h_15_swaps_at_any_node_and_alike_in_play() {
    // Both kinds of swap lead to the same two chains: the player who swapped owns the first stone
    // and wins with it.
    let (pieces, _) = replay("(;GM[11]SZ[3];B[b1];W[swap-pieces];B[c3];W[b2];B[c1];W[c2])");
    let (sides, _) = replay("(;GM[11]SZ[3];B[b1];W[swap-sides];W[c3];B[b2];W[a3];B[b3])");
    assert_eq!(
        (pieces.winner(), sides.winner()),
        (Some(Side::White), Some(Side::Black))
    );
    let (_, results) = replay("(;GM[11];B[a1];W[b2];B[c3];W[d4];B[swap-sides])");
    assert!(results[4].is_ok());
}

#[test]
fn h_16_ru_may_name_rules() {
    let found = Definition::find(Game::Hex, 4, b"RU").expect("in the table");
    assert_eq!(found.definition.property_type, PropertyType::GameInfo);
    assert!(is_clean(b"(;GM[11]RU[swap];B[a1])"));
}

#[test]
fn h_17_examples_of_special_moves() {
    for (raw, meaning) in [
        ("resign", Word::Resign),
        ("swap-pieces", Word::SwapPieces),
        ("forfeit", Word::Forfeit),
        ("swap-sides", Word::SwapSides),
    ] {
        assert_eq!(word(raw), Some(meaning));
        assert_eq!(canonical(&hex(), raw).as_deref(), Some(raw));
    }
}

#[test]
fn h_18_is_belongs_in_the_root() {
    let found = Definition::find(Game::Hex, 4, b"IS")
        .expect("in the table")
        .definition;
    assert_eq!(found.property_type, PropertyType::Root);
    assert_eq!(
        format!("{:?}", found.value_type),
        "Compose(SimpleText, SimpleText)"
    );
    assert_eq!(found.list_kind, ListKind::List);
}

#[test]
fn h_19_keywords_of_is() {
    let settings = [
        "tried:on",
        "marked:off",
        "lastmove:on",
        "headings:off",
        "lock:on",
    ];
    let raw = format!("(;GM[11]IS[{}])", settings.join("]["));
    assert_eq!(
        listed(&raw)[1],
        ("IS".to_owned(), settings.map(str::to_owned).to_vec())
    );
}

#[test]
fn h_20_the_example_of_is() {
    assert_eq!(
        listed("(;GM[11]IS[tried:on][lock:off][marked:off])")[1]
            .1
            .len(),
        3
    );
}

#[test]
fn h_21_ip_is_game_info() {
    let found = Definition::find(Game::Hex, 4, b"IP")
        .expect("in the table")
        .definition;
    assert_eq!(
        (found.property_type, found.value_type),
        (PropertyType::GameInfo, ValueType::SimpleText)
    );
}

#[test]
fn h_22_ip_twice_is_handed_out_twice() {
    // A second `IP` is illegal, and a checker reports it; the reader keeps both.
    let found = listed("(;GM[11];B[a1]IP[];W[b2]IP[])");
    assert_eq!(found.iter().filter(|(ident, _)| ident == "IP").count(), 2);
}

#[test]
fn h_23_ip_is_empty() {
    let found = listed("(;GM[11];B[a1]IP[])");
    assert_eq!(found[2], ("IP".to_owned(), vec![String::new()]));
    // In Lines of Action it contains `End`: another row of the table.
    let hex = Definition::find(Game::Hex, 4, b"IP")
        .expect("in the table")
        .definition;
    let loa = Definition::find(Game::LinesOfAction, 4, b"IP")
        .expect("in the table")
        .definition;
    assert_ne!(hex.scope, loa.scope);
}

#[test]
fn h_24_sources_and_authors_are_plain_text() {
    assert!(is_clean(
        b"(;GM[11]SO[http://homepages.example/hex]US[D\\:K];B[a1])"
    ));
}

#[test]
fn h_25_the_newer_revision() {
    assert_eq!(hex().parse_move(b"PASS"), Ok(Move::Pass));
    let large = Dialect::new(Game::Hex, Some(BoardSize::square(800)));
    for (raw, at) in [
        ("aA27", (26, 26)),
        ("AB6", (27, 5)),
        ("zz1", (701, 0)),
        ("aaa1", (702, 0)),
    ] {
        assert_eq!(point(&large, raw), Some(at), "{raw}");
    }
}
