//! P-10 to P-48: games, colors, coordinates, moves, setup.

use super::*;
use sgfstream_game::pentobi::{
    CellKind, PentobiCells, Piece, Subject, canonical_ident, is_foreign, name_idents, subject,
};
use sgfstream_game::{
    board::Fault,
    property::{Definition, PropertyType},
};

const NAMES: [&str; 18] = [
    "Blokus",
    "Blokus Two-Player",
    "Blokus Three-Player",
    "Blokus Duo",
    "Blokus Trigon",
    "Blokus Trigon Two-Player",
    "Blokus Trigon Three-Player",
    "Blokus Junior",
    "Nexos",
    "Nexos Two-Player",
    "Callisto",
    "Callisto Two-Player",
    "Callisto Two-Player Four-Color",
    "Callisto Three-Player",
    "GembloQ",
    "GembloQ Two-Player",
    "GembloQ Three-Player",
    "GembloQ Two-Player Four-Color",
];

fn ident(variant: Variant, raw: &str) -> String {
    String::from_utf8(canonical_ident(variant, raw.as_bytes()).into_owned()).expect("ASCII")
}

#[test]
fn p_10_eighteen_games_by_name() {
    for name in NAMES {
        let Ok(Game::Pentobi(variant)) = Game::parse(name.as_bytes()) else {
            panic!("{name}")
        };
        assert_eq!(variant.name(), name);
    }
    assert_eq!(Variant::ALL.len(), NAMES.len());
}

#[test]
fn p_11_names_are_case_sensitive_but_read_leniently() {
    assert!(Game::parse(b"blokus duo").is_err());
    assert_eq!(
        game_of("(;GM[blokus duo];B[e8,e9])"),
        Game::Pentobi(Variant::BlokusDuo)
    );
}

#[test]
fn p_12_one_space_between_words() {
    for name in ["Blokus  Duo", "Blokus\tDuo", "Blokus\nDuo"] {
        assert!(Game::parse(name.as_bytes()).is_err(), "{name:?}");
        assert_eq!(Game::parse_lenient(name.as_bytes()).value, Game::Other);
    }
}

#[test]
fn p_13_no_blanks_around_names_but_trimmed_leniently() {
    for name in [" Blokus", "Blokus ", "\nBlokus"] {
        assert!(Game::parse(name.as_bytes()).is_err(), "{name:?}");
        assert_eq!(
            Game::parse_lenient(name.as_bytes()).value,
            Game::Pentobi(Variant::Blokus)
        );
    }
}

#[test]
fn p_14_gm_anywhere_in_the_root() {
    for raw in [
        "(;GM[Nexos]CA[UTF-8]AP[Pentobi:27]PB[x])",
        "(;CA[UTF-8]PB[x]AP[Pentobi:27]GM[Nexos])",
    ] {
        assert_eq!(
            detect(raw.as_bytes()).0,
            Game::Pentobi(Variant::Nexos),
            "{raw}"
        );
    }
}

#[test]
fn p_15_two_players_and_two_colors_are_b_and_w() {
    let two = [
        Variant::BlokusDuo,
        Variant::BlokusJunior,
        Variant::CallistoTwoPlayer,
        Variant::GembloQTwoPlayer,
    ];
    for &variant in Variant::ALL {
        let is_two = variant.players() == 2 && variant.colors() == 2;
        assert_eq!(is_two, two.contains(&variant), "{variant}");
        if is_two {
            assert_eq!(
                subject(variant, b"B"),
                Some(Subject {
                    player: Some(1),
                    color: Some(1)
                })
            );
            assert_eq!(
                subject(variant, b"W"),
                Some(Subject {
                    player: Some(2),
                    color: Some(2)
                })
            );
        }
    }
}

#[test]
fn p_16_one_color_each_is_1_to_4() {
    let three = [
        Variant::BlokusTrigonThreePlayer,
        Variant::CallistoThreePlayer,
        Variant::GembloQThreePlayer,
    ];
    for variant in three {
        assert_eq!((variant.players(), variant.colors()), (3, 3), "{variant}");
        assert_eq!(
            subject(variant, b"3"),
            Some(Subject {
                player: Some(3),
                color: Some(3)
            })
        );
        assert_eq!(subject(variant, b"4"), None);
    }
    // Three players and four colors: the fourth color belongs to no player.
    let blokus = Variant::BlokusThreePlayer;
    assert_eq!((blokus.players(), blokus.colors()), (3, 4));
    assert_eq!(
        subject(blokus, b"4"),
        Some(Subject {
            player: None,
            color: Some(4)
        })
    );
    assert_eq!(
        subject(Variant::Blokus, b"4"),
        Some(Subject {
            player: Some(4),
            color: Some(4)
        })
    );
}

#[test]
fn p_17_two_players_with_four_colors() {
    let four = Variant::ALL
        .iter()
        .copied()
        .filter(|variant| variant.players() == 2 && variant.colors() == 4);
    let mut count = 0;
    for variant in four {
        assert_eq!(
            subject(variant, b"B"),
            Some(Subject {
                player: Some(1),
                color: None
            }),
            "{variant}"
        );
        assert_eq!(
            subject(variant, b"W"),
            Some(Subject {
                player: Some(2),
                color: None
            }),
            "{variant}"
        );
        assert_eq!(
            subject(variant, b"4"),
            Some(Subject {
                player: None,
                color: Some(4)
            }),
            "{variant}"
        );
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn p_18_the_rule_covers_every_property_of_a_color() {
    for (id, color) in [("1", 1), ("A2", 2), ("3L", 3), ("O4", 4), ("2R", 2)] {
        let found = subject(Variant::BlokusTwoPlayer, id.as_bytes()).expect(id);
        assert_eq!((found.player, found.color), (None, Some(color)), "{id}");
    }
    for (id, player) in [
        ("PB", 1),
        ("BL", 1),
        ("WL", 2),
        ("OW", 2),
        ("BR", 1),
        ("WT", 2),
    ] {
        let found = subject(Variant::BlokusTwoPlayer, id.as_bytes()).expect(id);
        assert_eq!((found.player, found.color), (Some(player), None), "{id}");
    }
    for id in ["C", "RE", "AE", "5", "1X", "BLUE"] {
        assert_eq!(
            subject(Variant::BlokusTwoPlayer, id.as_bytes()),
            None,
            "{id}"
        );
    }
}

#[test]
fn p_19_pb_is_a_player_and_1_a_color() {
    let raw = "(;GM[Blokus Two-Player]PB[Ada];1[a20,b20])";
    assert_eq!(
        subject(Variant::BlokusTwoPlayer, b"PB").map(|subject| subject.player),
        Some(Some(1))
    );
    assert_eq!(
        subject(Variant::BlokusTwoPlayer, b"1").map(|subject| subject.color),
        Some(Some(1))
    );
    assert_eq!(listed(raw)[2], ("1".to_owned(), vec!["a20,b20".to_owned()]));
    let (position, results) = replay(raw);
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(stone(&position, "b20"), Some(Side::Black));
}

#[test]
fn p_20_identifiers_that_begin_with_a_digit() {
    let raw = "(;GM[Blokus Two-Player];1[a20]1L[30]2L[29]3L[28]4L[27]BL[50]WL[49])";
    assert!(is_clean(raw.as_bytes()));
    let idents: Vec<_> = listed(raw).into_iter().map(|(ident, _)| ident).collect();
    assert_eq!(idents, ["GM", "1", "1L", "2L", "3L", "4L", "BL", "WL"]);
    assert!(written(raw.as_bytes()).contains("1L[30]2L[29]3L[28]4L[27]"));
}

#[test]
fn p_21_blue_yellow_red_green() {
    for (old, four, two) in [
        ("BLUE", "1", "B"),
        ("YELLOW", "2", "YELLOW"),
        ("RED", "3", "RED"),
        ("GREEN", "4", "W"),
    ] {
        assert_eq!(ident(Variant::Blokus, old), four);
        assert_eq!(ident(Variant::BlokusDuo, old), two);
    }
    let (position, results) = replay("(;GM[Blokus];BLUE[a20,b20];YELLOW[t20];RED[t1];GREEN[a1])");
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(stone(&position, "t1"), Some(Side::Third));
    assert_eq!(stone(&position, "a1"), Some(Side::Fourth));
    let (position, _) = replay("(;GM[Blokus Duo];BLUE[e8];GREEN[i4])");
    assert_eq!(
        (stone(&position, "e8"), stone(&position, "i4")),
        (Some(Side::Black), Some(Side::White))
    );
}

#[test]
fn p_22_numbers_in_games_of_two_colors() {
    assert_eq!(ident(Variant::CallistoTwoPlayer, "1"), "B");
    assert_eq!(ident(Variant::CallistoTwoPlayer, "2"), "W");
    let (position, _) = replay("(;GM[Callisto Two-Player];1[e9];2[l8])");
    assert_eq!(
        (stone(&position, "e9"), stone(&position, "l8")),
        (Some(Side::Black), Some(Side::White))
    );
}

#[test]
fn p_23_old_properties_are_converted() {
    let variant = Variant::Blokus;
    let raw = "(;GM[Blokus];BLUE[b20][a20])";
    let property = properties(raw.as_bytes())[1];
    let values: Vec<_> = property.values().map(|value| value.as_bytes()).collect();
    let piece = Piece::parse_values(variant, values).expect("a piece");
    let (ident, value) = (
        canonical_ident(variant, b"BLUE"),
        piece.show(variant).to_string(),
    );
    assert_eq!(
        encode_property(ident, [value], Framing::Value).expect("a property"),
        b"1[a20,b20]"
    );
}

#[test]
fn p_24_names_of_players() {
    assert_eq!(name_idents(Variant::BlokusTwoPlayer), ["PB", "PW"]);
    assert_eq!(name_idents(Variant::BlokusDuo), ["PB", "PW"]);
    assert_eq!(name_idents(Variant::BlokusThreePlayer), ["P1", "P2", "P3"]);
    assert_eq!(name_idents(Variant::GembloQ), ["P1", "P2", "P3", "P4"]);
}

#[test]
fn p_25_points_in_any_case() {
    let blokus = pentobi(Variant::Blokus);
    assert_eq!(point(&blokus, "A1"), point(&blokus, "a1"));
    let trigon = pentobi(Variant::BlokusTrigon);
    for raw in ["AA9", "aA9", "Aa9"] {
        assert_eq!(field(&trigon, raw), field(&trigon, "aa9"));
        assert_eq!(trigon.show_point(field(&trigon, raw)).to_string(), "aa9");
    }
}

#[test]
fn p_26_a1_is_the_lower_left() {
    let blokus = pentobi(Variant::Blokus);
    assert_eq!(point(&blokus, "a1"), Some((0, 19)));
    assert_eq!(point(&blokus, "a20"), Some((0, 0)));
    assert_eq!(point(&blokus, "t20"), Some((19, 0)));
    for raw in ["a0", "a21", "u1"] {
        assert_eq!(point(&blokus, raw), None);
    }
}

#[test]
fn p_27_no_blanks_in_a_point() {
    for raw in ["a 1", " a1", "a1 ", "a\n1"] {
        assert_eq!(point(&pentobi(Variant::Blokus), raw), None, "{raw:?}");
    }
}

#[test]
fn p_28_the_letter_i_is_used() {
    let blokus = pentobi(Variant::Blokus);
    assert_eq!(point(&blokus, "i1"), Some((8, 19)));
    assert_eq!(point(&blokus, "j1"), Some((9, 19)));
}

#[test]
fn p_29_columns_after_z() {
    let gembloq = pentobi(Variant::GembloQ);
    for (raw, column) in [
        ("z9", 26),
        ("aa9", 27),
        ("ab9", 28),
        ("az9", 52),
        ("ba9", 53),
        ("bd14", 56),
    ] {
        assert_eq!(
            point(&gembloq, raw).map(|(at, _)| at + 1),
            Some(column),
            "{raw}"
        );
    }
    assert_eq!(point(&gembloq, "be14"), None);
    // One point, not two.
    assert_eq!(
        canonical(&pentobi(Variant::BlokusTrigon), "aa9").as_deref(),
        Some("aa9")
    );
}

#[test]
fn p_30_the_hexagon_of_trigon() {
    let small = PentobiCells::trigon(3);
    assert_eq!((small.columns, small.rows), (11, 6));
    let row = |fields: PentobiCells, rank| {
        let columns: Vec<_> = (0..fields.columns)
            .filter(|&at| fields.kind(at, rank).is_some())
            .collect();
        (columns[0], columns.len())
    };
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(|rank| row(small, rank)),
        [(2, 7), (1, 9), (0, 11), (0, 11), (1, 9), (2, 7)]
    );
    assert_eq!(small.kind(0, 3), Some(CellKind::Up)); // a4: `/ \`
    assert_eq!(small.kind(0, 2), Some(CellKind::Down)); // a3: `\ /`
    // The board of the game, with edge 9.
    let board = PentobiCells::of(Variant::BlokusTrigon);
    assert_eq!(
        (row(board, 0), row(board, 8), row(board, 9)),
        ((8, 19), (0, 35), (0, 35))
    );
    assert_eq!(point(&pentobi(Variant::BlokusTrigon), "a1"), None);
}

#[test]
fn p_31_the_lines_of_nexos() {
    let nexos = PentobiCells::of(Variant::Nexos);
    for (column, rank, kind) in [
        (0, 0, Some(CellKind::Junction)),
        (1, 0, Some(CellKind::Horizontal)),
        (0, 1, Some(CellKind::Vertical)),
        (1, 1, None),
        (24, 24, Some(CellKind::Junction)),
        (25, 0, None),
    ] {
        assert_eq!(nexos.kind(column, rank), kind, "{column} {rank}");
    }
    let junctions = (0..25).flat_map(|rank| (0..25).map(move |column| nexos.kind(column, rank)));
    assert_eq!(
        junctions
            .filter(|&kind| kind == Some(CellKind::Junction))
            .count(),
        13 * 13
    );
    assert_eq!(nexos.count(), 2 * 12 * 13);
}

#[test]
fn p_32_the_triangles_of_gembloq() {
    // Each square has four triangles, two columns by two rows, around one point.
    let gembloq = PentobiCells::of(Variant::GembloQ);
    let quarter = |column: u16, rank| match gembloq.kind(column, rank) {
        Some(CellKind::Quarter { right, above }) => (right, above),
        other => panic!("{other:?}"),
    };
    // b1 c1 b2 c2: their upright sides meet between b and c, their level sides
    // between 1 and 2.
    assert_eq!(
        [quarter(1, 0), quarter(2, 0)],
        [(true, true), (false, true)]
    );
    assert_eq!(
        [quarter(1, 1), quarter(2, 1)],
        [(true, false), (false, false)]
    );
    // The picture repeats every four columns and two rows.
    for rank in 4..20 {
        for column in 4..40 {
            assert_eq!(quarter(column, rank), quarter(column + 4, rank));
            assert_eq!(quarter(column, rank), quarter(column, rank + 2));
            assert_eq!(quarter(column, rank).0, column % 2 == 1);
        }
    }
}

#[test]
fn p_33_extents_of_the_boards() {
    for (variant, columns, rows) in [
        (Variant::Blokus, 20, 20),
        (Variant::BlokusTwoPlayer, 20, 20),
        (Variant::BlokusThreePlayer, 20, 20),
        (Variant::BlokusDuo, 14, 14),
        (Variant::BlokusJunior, 14, 14),
        (Variant::BlokusTrigon, 35, 18),
        (Variant::BlokusTrigonTwoPlayer, 35, 18),
        (Variant::BlokusTrigonThreePlayer, 31, 16),
        (Variant::Nexos, 25, 25),
        (Variant::Callisto, 20, 20),
        (Variant::CallistoThreePlayer, 20, 20),
        (Variant::CallistoTwoPlayerFourColor, 20, 20),
        (Variant::CallistoTwoPlayer, 16, 16),
        (Variant::GembloQ, 56, 28),
        (Variant::GembloQTwoPlayerFourColor, 56, 28),
        (Variant::GembloQThreePlayer, 52, 26),
        (Variant::GembloQTwoPlayer, 44, 22),
    ] {
        let fields = PentobiCells::of(variant);
        assert_eq!((fields.columns, fields.rows), (columns, rows), "{variant}");
        // SZ is not used.
        let with_size = Dialect::new(Game::Pentobi(variant), Some(BoardSize::square(9)));
        assert_eq!(with_size, pentobi(variant));
        // Every extent is reached: no empty row or column at the edge.
        assert!((0..columns).any(|column| fields.kind(column, 0).is_some()));
        assert!((0..rows).any(|rank| fields.kind(0, rank).is_some()));
    }
}

#[test]
fn p_34_a_move_is_one_value() {
    let duo = pentobi(Variant::BlokusDuo);
    assert_eq!(piece_points(&duo, "f9,e10,f10,g10,f11").len(), 5);
    let definition = Definition::find(Game::Pentobi(Variant::BlokusDuo), 4, b"B")
        .expect("a move")
        .definition;
    assert_eq!(definition.property_type, PropertyType::Move);
    assert_eq!(definition.list_kind, ListKind::Single);
}

#[test]
fn p_35_no_blanks_in_a_move_but_some_are_read() {
    let duo = pentobi(Variant::BlokusDuo);
    for raw in ["e8, e9", " e8,e9", "e8,e9 "] {
        assert_eq!(canonical(&duo, raw), None, "{raw:?}");
        let lenient = Piece::parse_values(Variant::BlokusDuo, [raw.as_bytes()]).expect(raw);
        assert_eq!(lenient.show(Variant::BlokusDuo).to_string(), "e8,e9");
    }
    // Not inside a coordinate.
    assert!(Piece::parse_values(Variant::BlokusDuo, [&b"e 8,e9"[..]]).is_err());
}

#[test]
fn p_36_any_order_is_read() {
    let duo = pentobi(Variant::BlokusDuo);
    let first = duo.parse_move(b"f9,e10,f10,g10,f11");
    assert!(first.is_ok());
    for raw in ["f11,g10,f10,e10,f9", "g10,f9,f11,e10,f10"] {
        assert_eq!(duo.parse_move(raw.as_bytes()), first);
    }
}

#[test]
fn p_37_written_row_by_row() {
    let duo = pentobi(Variant::BlokusDuo);
    assert_eq!(
        canonical(&duo, "G10,f11,F10,e10,f9").as_deref(),
        Some("f9,e10,f10,g10,f11")
    );
    let blokus = pentobi(Variant::Blokus);
    assert_eq!(
        canonical(&blokus, "b2,a2,b1,a1").as_deref(),
        Some("a1,b1,a2,b2")
    );
    let trigon = pentobi(Variant::BlokusTrigon);
    assert_eq!(canonical(&trigon, "aa9,z9").as_deref(), Some("z9,aa9"));
}

#[test]
fn p_38_segments_alone_in_nexos() {
    let nexos = pentobi(Variant::Nexos);
    assert_eq!(canonical(&nexos, "b1,c2").as_deref(), Some("b1,c2"));
    assert!(
        matches!(nexos.parse_move(b"b1,c1"), Err(Fault::Syntax(_))),
        "c1 is a junction"
    );
    assert_eq!(nexos.parse_move(b"b2"), Err(Fault::NoCell("a hole")));
    assert!(
        nexos.parse_point(b"c1").is_ok(),
        "a junction is a point all the same"
    );
}

#[test]
fn p_39_lists_of_points() {
    for (raw, piece) in [
        ("(;GM[Blokus];BLUE[a20][b20])", "a20,b20"),
        ("(;GM[Blokus];1[c1][b1][a1])", "a1,b1,c1"),
        ("(;GM[Blokus];1[a1,b1][c1])", "a1,b1,c1"),
    ] {
        let property = properties(raw.as_bytes())[1];
        let mut position = GameBoard::new(&pentobi(Variant::Blokus)).expect("a board");
        let BoardEffect::Played(mv, Ok(_)) = position.apply(&property) else {
            panic!("{raw}")
        };
        assert_eq!(pentobi(Variant::Blokus).show_move(&mv).to_string(), piece);
    }
}

#[test]
fn p_40_no_pass() {
    for &variant in Variant::ALL {
        for raw in ["", "pass", "tt"] {
            assert!(
                pentobi(variant).parse_move(raw.as_bytes()).is_err(),
                "{variant} {raw}"
            );
        }
    }
}

#[test]
fn p_41_several_pieces_at_once() {
    let (position, results) = replay("(;GM[Blokus]A1[a20,b20][d20]A2[t20]A3[t1]A4[a1]AE[d20])");
    assert!(results.is_empty(), "{results:?}");
    for (raw, side) in [
        ("b20", Some(Side::Black)),
        ("t20", Some(Side::White)),
        ("t1", Some(Side::Third)),
        ("a1", Some(Side::Fourth)),
        ("d20", None),
    ] {
        assert_eq!(stone(&position, raw), side, "{raw}");
    }
}

#[test]
fn p_42_each_value_is_a_piece() {
    let duo = pentobi(Variant::BlokusDuo);
    for raw in ["e8,e9,f9,d10,e10", "g6,f7,g7,h7,g8"] {
        assert!(
            matches!(duo.parse_stone(raw.as_bytes()), Ok(sgfstream_game::dialect::Stone::Piece(piece)) if piece.fields().len() == 5)
        );
    }
}

#[test]
fn p_43_ae_takes_whole_pieces() {
    let set_up = "(;GM[Blokus Duo]AB[e8,e9,f9,d10,e10]";
    let (position, results) = replay(&format!("{set_up}AE[e8,e9,f9,d10,e10])"));
    assert!(results.is_empty());
    assert_eq!(stone(&position, "e8"), None);
    let (position, results) = replay(&format!("{set_up}AE[e8])"));
    assert_eq!(results, [Err(Violation::NotThere)]);
    assert_eq!(stone(&position, "e8"), Some(Side::Black));
}

#[test]
fn p_44_pl_names_a_color() {
    for (raw, color) in [("B", 1), ("W", 2), ("1", 1), ("2", 2), ("3", 3), ("4", 4)] {
        let side = Side::parse(raw.as_bytes()).expect(raw);
        assert_eq!(side.index() + 1, color);
    }
    assert!(Side::parse(b"5").is_err());
    let found = Definition::find(Game::Pentobi(Variant::Blokus), 4, b"PL")
        .expect("in the table")
        .definition;
    assert_eq!(found.property_type, PropertyType::Setup);
    assert_eq!(
        found.value_type,
        sgfstream_game::property::ValueType::AnyColor
    );
}

#[test]
fn p_45_the_example_of_the_document() {
    let raw = "(;GM[Blokus Duo]AB[e8,e9,f9,d10,e10][g6,f7,g7,h7,g8]\nAW[i4,h5,i5,j5,i6][j7,j8,j9,k9,j10]\nPL[B])";
    assert!(is_clean(raw.as_bytes()));
    let found = listed(raw);
    assert_eq!(found[1].1.len(), 2);
    assert_eq!(found[2].1.len(), 2);
    assert_eq!(found[3], ("PL".to_owned(), vec!["B".to_owned()]));
    let (position, results) = replay(raw);
    assert!(results.is_empty(), "{results:?}");
    let count = |side| {
        let fields = (0..14).flat_map(|row| (0..14).map(move |column| BoardCell::new(column, row)));
        fields
            .filter(|&field| position.stone(field) == Some(side))
            .count()
    };
    assert_eq!((count(Side::Black), count(Side::White)), (10, 10));
}

#[test]
fn p_46_files_without_setup_read() {
    let (position, results) = replay("(;GM[Blokus Duo];BLUE[e8];GREEN[i4])");
    assert_eq!(results.len(), 2);
    assert_eq!(stone(&position, "e8"), Some(Side::Black));
}

#[test]
fn p_47_setup_in_any_node() {
    let (position, results) = replay("(;GM[Blokus Duo];B[e8,e9];AB[a1,a2]AE[e8,e9];AW[n14])");
    // The domino was added first, then removed; it was on the board already.
    assert_eq!(results[1..], [Err(Violation::PieceTwice)]);
    assert_eq!(
        (stone(&position, "e8"), stone(&position, "a1")),
        (None, Some(Side::Black))
    );
    assert_eq!(stone(&position, "n14"), Some(Side::White));
    // At most 24 pieces of a color; Callisto has several single squares.
    let squares: String = (0..25)
        .map(|at| format!("[{}{}]", char::from(b'f' + at % 10), 5 + 2 * (at / 10)))
        .collect();
    let (_, results) = replay(&format!("(;GM[Callisto]A1{squares})"));
    assert_eq!(results, [Err(Violation::TooManyPieces)]);
}

#[test]
fn p_48_no_compressed_lists() {
    assert!(!Game::Pentobi(Variant::Blokus).stone_is_point());
    let blokus = pentobi(Variant::Blokus);
    assert!(blokus.parse_stone(b"a1:b2").is_err());
    assert_eq!(piece_points(&blokus, "a1,b2"), ["a1", "b2"]);
}

/// "a case-insensitive string" of points, in any order; old moves are lists.
#[test]
fn one_move_has_one_spelling() {
    let dialect = pentobi(Variant::Blokus);
    let spelt = |raw: &str| {
        let record = format!("(;{raw})");
        let property = properties(record.as_bytes()).remove(0);
        let mv = dialect.parse_moves(&property).expect(raw);
        dialect.show_move(&mv).to_string()
    };
    for raw in [
        "1[a20,b20,c20]",
        "1[b20,C20,a20]",
        "BLUE[a20][b20][c20]",
        "1[c20][a20,b20]",
    ] {
        assert_eq!(spelt(raw), "a20,b20,c20", "{raw}");
    }
}

/// Games of three colors use 1 to 3, games of four have no `B` and `W`.
#[test]
fn identifiers_of_other_variants() {
    let three = Variant::BlokusTrigonThreePlayer;
    let move_of = |variant, ident: &str| {
        Game::Pentobi(variant)
            .move_ids()
            .color(sgfstream::Ident::new(ident.as_bytes()))
    };
    assert_eq!(
        (
            move_of(three, "3"),
            move_of(three, "4"),
            move_of(three, "GREEN")
        ),
        (Some(3), None, None)
    );
    assert_eq!(move_of(Variant::BlokusThreePlayer, "4"), Some(4));
    for (variant, ident, foreign) in [
        (three, "3", false),
        (three, "4", true),
        (three, "A4", true),
        (Variant::Blokus, "B", true),
        (Variant::Blokus, "AW", true),
        (Variant::BlokusTwoPlayer, "W", true),
        (Variant::BlokusTwoPlayer, "4", false),
        (Variant::BlokusDuo, "B", false),
        (Variant::BlokusDuo, "2", false),
        (Variant::BlokusDuo, "PB", false),
        (Variant::BlokusTwoPlayer, "PB", false),
        (Variant::BlokusTwoPlayer, "BL", false),
        (Variant::BlokusTwoPlayer, "P1", true),
        (Variant::BlokusThreePlayer, "P3", false),
        (Variant::BlokusThreePlayer, "P4", true),
        (Variant::BlokusThreePlayer, "4L", false),
        (Variant::Blokus, "BL", true),
        (Variant::Blokus, "PW", true),
        (Variant::Blokus, "PL", false),
        (Variant::Blokus, "BM", false),
    ] {
        assert_eq!(
            is_foreign(variant, ident.as_bytes()),
            foreign,
            "{variant} {ident}"
        );
    }
}
