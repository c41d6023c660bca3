//! O-01 to O-32: Octi.

use super::*;
use sgfstream_game::octi::{OctiBoard, OctiMove, OctiStone};
use sgfstream_game::{
    board::{Board, Fault, Setup, Turn},
    dialect::Stone,
    property::{Definition, PropertyType, ValueType},
};

const NINE: BoardSize = BoardSize::square(9);

fn octi() -> Dialect {
    dialect(Game::Octi)
}

fn stone_at(raw: &str) -> OctiStone {
    OctiStone::parse(NINE, raw.as_bytes()).expect(raw)
}

fn definition(id: &str) -> &'static Definition {
    Definition::find(Game::Octi, 4, id.as_bytes())
        .expect(id)
        .definition
}

/// Returns the prongs of the pods on a point.
fn pods(board: &OctiBoard, raw: &str) -> Vec<String> {
    board
        .pods(stone_at(raw).field)
        .iter()
        .map(|pod| pod.prongs.to_string())
        .collect()
}

fn board(stones: &[(Side, &str)]) -> OctiBoard {
    let mut board = OctiBoard::new(NINE).expect("fits");
    for &(side, raw) in stones {
        board
            .set_up(Setup::Stone(Some(side)), &Stone::Pod(stone_at(raw)))
            .expect(raw);
    }
    board
}

fn play(board: &mut OctiBoard, side: Side, raw: &str) -> Result<Effects, Violation> {
    board
        .play(
            side,
            &Move::Octi(OctiMove::parse(NINE, raw.as_bytes()).expect(raw)),
        )
        .map_err(|illegal| illegal.reason)
}

#[test]
fn o_01_black_is_who_played_first() {
    let (position, results) = replay("(;GM[19];B[33];W[37])");
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(Turn::at_start(Game::Octi, false), Turn::First(Side::Black));
    assert_eq!(
        (stone(&position, "33"), stone(&position, "37")),
        (Some(Side::Black), Some(Side::White))
    );
}

#[test]
fn o_02_points() {
    // From the south-west corner to the north-east, horizontal digit first.
    for (raw, at) in [
        ("11", (0, 8)),
        ("99", (8, 0)),
        ("91", (8, 8)),
        ("19", (0, 0)),
        ("46", (3, 3)),
    ] {
        assert_eq!(point(&octi(), raw), Some(at), "{raw}");
        assert_eq!(octi().show_point(field(&octi(), raw)).to_string(), raw);
    }
    for raw in ["10", "01", "1", "111", "a1", "1a", ""] {
        assert_eq!(point(&octi(), raw), None, "{raw}");
    }
    let squares =
        OctiBoard::usual_squares(Side::Black).map(|field| octi().show_point(field).to_string());
    assert_eq!(squares, ["33", "53", "73"]);
}

#[test]
fn o_03_stones_and_their_prongs() {
    let stone = stone_at("46CD");
    assert_eq!(
        point(&octi(), "46"),
        Some((stone.field.column, stone.field.row))
    );
    assert_eq!(stone.prongs.to_string(), "CD");
    // A is north, then clockwise to H, north-west: each moves one step in its direction.
    for (letter, to) in [
        ("A", "56"),
        ("B", "66"),
        ("C", "65"),
        ("D", "64"),
        ("E", "54"),
        ("F", "44"),
        ("G", "45"),
        ("H", "46"),
    ] {
        let mut board = board(&[(Side::Black, &format!("55{letter}"))]);
        assert!(
            play(&mut board, Side::Black, &format!("55-{to}")).is_ok(),
            "{letter}"
        );
        assert_eq!(pods(&board, to), [letter]);
    }
    assert_eq!(OctiStone::parse(NINE, b"46CC"), Err(Fault::Repeated));
    assert!(OctiStone::parse(NINE, b"46I").is_err());
}

#[test]
fn o_04_prongs_may_be_left_out() {
    assert!(stone_at("46").prongs.is_empty());
    let mut board = board(&[(Side::Black, "46C")]);
    assert!(play(&mut board, Side::Black, "46-56").is_ok());
}

#[test]
fn o_05_a_new_pod() {
    assert!(matches!(
        octi().parse_move(b"73"),
        Ok(Move::Octi(OctiMove::Place(_)))
    ));
    let mut board = board(&[(Side::White, "55")]);
    play(&mut board, Side::Black, "73").expect("legal");
    assert_eq!(pods(&board, "73"), [""]);
}

#[test]
fn o_06_a_new_prong() {
    let mut board = board(&[(Side::Black, "33")]);
    play(&mut board, Side::Black, "33+B").expect("legal");
    assert_eq!(pods(&board, "33"), ["B"]);
    assert_eq!(canonical(&octi(), "33+B").as_deref(), Some("33+B"));
}

#[test]
fn o_07_a_superprong() {
    let mut board = board(&[(Side::Black, "33")]);
    play(&mut board, Side::Black, "33+B!").expect("legal");
    assert_eq!(pods(&board, "33"), ["B!"]);
    assert_eq!(canonical(&octi(), "33+B!").as_deref(), Some("33+B!"));
}

#[test]
fn o_08_a_prong_is_turned() {
    let mut board = board(&[(Side::Black, "33B")]);
    play(&mut board, Side::Black, "33+A-B").expect("legal");
    assert_eq!(pods(&board, "33"), ["A"]);
    assert_eq!(
        play(&mut board, Side::Black, "33+C-B"),
        Err(Violation::NoSuchStone)
    );
    assert_eq!(
        play(&mut board, Side::Black, "33+A-A"),
        Err(Violation::Occupied)
    );
    assert_eq!(canonical(&octi(), "33+A-B").as_deref(), Some("33+A-B"));
}

#[test]
fn o_09_steps_and_jumps() {
    let Ok(Move::Octi(OctiMove::Travel(journeys))) = octi().parse_move(b"84-86-68") else {
        panic!("a journey")
    };
    assert_eq!((journeys.len(), journeys[0].legs.len()), (1, 2));
    let mut board = board(&[
        (Side::Black, "84AH"),
        (Side::Black, "85"),
        (Side::White, "77"),
    ]);
    play(&mut board, Side::Black, "84-86-68").expect("legal");
    assert_eq!(
        (pods(&board, "68"), pods(&board, "77").len()),
        (vec!["AH".to_owned()], 1)
    );
}

#[test]
fn o_10_captures() {
    let stones = [
        (Side::Black, "84AH"),
        (Side::Black, "85"),
        (Side::White, "77"),
    ];
    let mut first = board(&stones);
    assert_eq!(
        play(&mut first, Side::Black, "84-86-68x").map(|played| played.captured),
        Ok(1)
    );
    assert!(pods(&first, "77").is_empty());
    let mut second = board(&stones);
    assert_eq!(
        play(&mut second, Side::Black, "84-86x-68").map(|played| played.lost),
        Ok(1)
    );
    assert!(pods(&second, "85").is_empty());
}

#[test]
fn o_11_selected_captures() {
    let mut board = board(&[
        (Side::Black, "84AH"),
        (Side::Black, "85"),
        (Side::White, "77D"),
        (Side::White, "77AB"),
        (Side::White, "77C"),
    ]);
    assert_eq!(
        play(&mut board, Side::Black, "84-86-68xDxAB").map(|played| played.captured),
        Ok(2)
    );
    assert_eq!(pods(&board, "77"), ["C"]);
    assert_eq!(
        canonical(&octi(), "84-86-68xDxAB").as_deref(),
        Some("84-86-68xDxAB")
    );
}

#[test]
fn o_12_several_pods_of_a_stack() {
    let mut board = board(&[(Side::Black, "46CD"), (Side::Black, "46D")]);
    play(&mut board, Side::Black, "46CD-56,46D-55").expect("legal");
    assert_eq!(
        (pods(&board, "56"), pods(&board, "55")),
        (vec!["CD".to_owned()], vec!["D".to_owned()])
    );
    assert_eq!(
        canonical(&octi(), "46CD-56,46D-55").as_deref(),
        Some("46CD-56,46D-55")
    );
}

#[test]
fn o_13_types_of_its_properties() {
    for id in ["BO", "NP", "NR", "NS", "RU", "WO"] {
        assert_eq!(definition(id).property_type, PropertyType::GameInfo, "{id}");
    }
    for id in ["AS", "CS", "MS", "SS", "TS"] {
        assert_eq!(definition(id).property_type, PropertyType::None, "{id}");
    }
    assert_eq!(definition("RP").property_type, PropertyType::Setup);
}

#[test]
fn o_14_ru_is_a_text_with_a_colon_of_its_own() {
    assert_eq!(definition("RU").value_type, ValueType::SimpleText);
}

#[test]
fn o_15_the_colon_may_be_left_out() {
    for rules in ["fast", "fast:", "edgeless,superprong", ":edgeless", "kids"] {
        let raw = format!("(;GM[19]RU[{rules}])");
        assert_eq!(listed(&raw)[1], ("RU".to_owned(), vec![rules.to_owned()]));
    }
}

#[test]
fn o_16_full_by_default() {
    assert!(is_clean(b"(;GM[19]RU[];B[22])"));
}

#[test]
fn o_17_bo_and_wo_go_before_the_usual_squares() {
    let (position, results) = replay("(;GM[19]BO[22][42]WO[28])");
    assert!(results.is_empty());
    for (raw, side) in [
        ("22", Some(Side::Black)),
        ("28", Some(Side::White)),
        ("33", None),
    ] {
        assert_eq!(stone(&position, raw), side, "{raw}");
    }
    // Each replaces the squares of its side, and other setup acts on the start.
    for (raw, pods) in [
        ("(;GM[19]BO[22][82])", "22 82 37 57 77"),
        ("(;GM[19]WO[28])", "33 53 73 28"),
        ("(;GM[19]RP[33])", "53 73 37 57 77"),
        ("(;GM[19]AE[37])", "33 53 73 57 77"),
        ("(;GM[19]AB[55])", "55"),
        ("(;GM[19]AB[55]BO[22])", "22 55"),
        ("(;GM[19]BO[22]AB[55])", "22 55"),
    ] {
        let (position, _) = replay(raw);
        let expected: Vec<_> = pods.split(' ').collect();
        let all = (1..=9).flat_map(|column| (1..=9).map(move |row| format!("{column}{row}")));
        let found: Vec<_> = all
            .filter(|point| stone(&position, point).is_some())
            .collect();
        assert!(
            found.len() == expected.len() && found.iter().all(|point| expected.contains(&&**point)),
            "{raw}: {found:?}"
        );
    }
    // A record without setup begins on the usual squares.
    let (position, results) = replay("(;GM[19]RU[full]SZ[9];B[33+B];W[37+F];B[33-44])");
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    for (raw, side) in [
        ("44", Some(Side::Black)),
        ("53", Some(Side::Black)),
        ("57", Some(Side::White)),
        ("33", None),
    ] {
        assert_eq!(stone(&position, raw), side, "{raw}");
    }
}

#[test]
fn o_18_bo_puts_empty_pods() {
    assert_eq!(definition("BO").value_type, ValueType::Point);
    let (position, _) = replay("(;GM[19]BO[33][53][73])");
    for raw in ["33", "53", "73"] {
        assert_eq!(stone(&position, raw), Some(Side::Black));
    }
    // South is below.
    assert!(
        OctiBoard::usual_squares(Side::Black)
            .iter()
            .all(|field| field.row > 4)
    );
}

#[test]
fn o_19_wo_likewise_in_the_north() {
    assert_eq!(definition("WO").value_type, ValueType::Point);
    let (position, _) = replay("(;GM[19]WO[37][57])");
    assert_eq!(stone(&position, "57"), Some(Side::White));
    assert!(
        OctiBoard::usual_squares(Side::White)
            .iter()
            .all(|field| field.row < 4)
    );
}

fn is_single_number(id: &str) -> bool {
    let found = definition(id);
    found.value_type == ValueType::Number && found.list_kind == ListKind::Single
}

#[test]
fn o_20_np_is_a_number() {
    assert!(is_single_number("NP"));
}

#[test]
fn o_21_nr_is_a_number() {
    assert!(is_single_number("NR"));
}

#[test]
fn o_22_ns_is_a_number() {
    assert!(is_single_number("NS"));
}

#[test]
fn o_23_markup_of_points_and_of_stones() {
    // A point names the stack, a stone one pod of it.
    assert_eq!(definition("CR").value_type, ValueType::Point);
    assert_eq!(definition("CS").value_type, ValueType::Stone);
    assert!(octi().parse_point(b"46CD").is_err());
    assert!(matches!(octi().parse_stone(b"46CD"), Ok(Stone::Pod(_))));
}

#[test]
fn o_24_one_mark_on_a_stone() {
    // The stones that a node marks, so that a second mark on a stone is visible.
    let marked: Vec<_> = listed("(;GM[19]CS[46CD]SS[46DC][47])")
        .into_iter()
        .skip(1)
        .flat_map(|(_, values)| values)
        .map(|raw| stone_at(&raw))
        .collect();
    assert_eq!(marked[0], marked[1]);
    assert_ne!(marked[0], marked[2]);
}

#[test]
fn o_25_equal_stones_mean_one_of_them() {
    let mut board = board(&[(Side::Black, "46CD"), (Side::Black, "46CD")]);
    board
        .set_up(Setup::RemovePod, &Stone::Pod(stone_at("46CD")))
        .expect("one of two");
    assert_eq!(pods(&board, "46"), ["CD"]);
}

#[test]
fn o_26_repeated_stones_are_legal() {
    let found = listed("(;GM[19]CS[46CD][46CD]SS[46CD])");
    assert_eq!(found[1].1, ["46CD", "46CD"]);
    assert_eq!(found[2].1, ["46CD"]);
    for raw in found[1].1.iter().chain(&found[2].1) {
        assert!(octi().parse_stone(raw.as_bytes()).is_ok());
    }
}

#[test]
fn o_27_no_more_than_there_are() {
    let mut board = board(&[(Side::Black, "46CD")]);
    board
        .set_up(Setup::RemovePod, &Stone::Pod(stone_at("46CD")))
        .expect("there is one");
    assert_eq!(
        board
            .set_up(Setup::RemovePod, &Stone::Pod(stone_at("46CD")))
            .expect_err("no such pod")
            .reason,
        Violation::NoSuchStone
    );
}

#[test]
fn o_28_arrows_from_stones() {
    assert_eq!(definition("AS").value_type, ValueType::ARROW);
    let property = properties(b"(;GM[19]AS[46CD:55][46D:55])")[1];
    let arrows: Vec<_> = property
        .values()
        .map(|value| {
            let (from, to) = value.compose().expect("stone:point");
            (
                octi().parse_stone(from.as_bytes()),
                octi().parse_point(to.as_bytes()),
            )
        })
        .collect();
    // From different stones on one point to the same point.
    assert_ne!(arrows[0].0, arrows[1].0);
    assert!(arrows[0].1.is_ok() && arrows[0].1 == arrows[1].1);
}

#[test]
fn o_29_marks_on_stones() {
    for id in ["CS", "MS", "SS", "TS"] {
        let found = definition(id);
        assert_eq!(
            (found.value_type, found.property_type),
            (ValueType::Stone, PropertyType::None),
            "{id}"
        );
        assert_eq!(found.list_kind, ListKind::List, "{id}");
    }
}

#[test]
fn o_30_rp_removes_one_pod() {
    let (position, results) = replay("(;GM[19]AB[46C][46D][47];RP[46C])");
    assert!(results.is_empty(), "{results:?}");
    assert_eq!(stone(&position, "46"), Some(Side::Black));
    let (position, _) = replay("(;GM[19]AB[46C][46D][47];AE[46])");
    assert_eq!(
        (stone(&position, "46"), stone(&position, "47")),
        (None, Some(Side::Black))
    );
}

#[test]
fn o_31_the_game_decides_what_as_is() {
    let octi = definition("AS");
    let loa = Definition::find(Game::LinesOfAction, 4, b"AS")
        .expect("in the table")
        .definition;
    assert_ne!(octi.value_type, loa.value_type);
    assert_eq!(octi.value_type, ValueType::ARROW);
}

#[test]
fn o_32_notes_of_trademarks_are_plain_text() {
    assert!(is_clean(
        b"(;GM[19]CP[OCTI is a registered trademark, call (800\\)225]SO[www.octi.net];B[33])"
    ));
}

/// "The same arrow must not occur twice", "single point arrows are illegal".
#[test]
fn arrows_compare_by_what_they_say() {
    let arrow = |raw: &[u8]| sgfstream_game::octi::Arrow::parse(NINE, raw);
    assert_eq!(arrow(b"46CD:55"), arrow(b"46DC:55"));
    assert_ne!(arrow(b"46CD:55"), arrow(b"46C:55"));
    assert_eq!(arrow(b"46CD:46"), Err(Fault::Repeated));
    assert!(arrow(b"46CD").is_err() && arrow(b"46CD:00").is_err());
}

/// "Do not specify more stones than the number that occupy that point", and
/// one mark at most on a stone.
#[test]
fn no_more_marks_than_stones() {
    let board = board(&[(Side::Black, "46"), (Side::Black, "46CD")]);
    let too_many = |stones: &[&str]| {
        board.too_many(&stones.iter().map(|raw| stone_at(raw)).collect::<Vec<_>>())
    };
    assert_eq!(too_many(&["46CD"]), 0);
    assert_eq!(too_many(&["46", "46CD"]), 0);
    assert_eq!(too_many(&["46CD", "46CD"]), 1);
    assert_eq!(too_many(&["46", "46", "46"]), 1);
    assert_eq!(too_many(&["47"]), 1);
}
