//! PO-01 to PO-10: differences and additions in the document of 2017-09-16.

use super::*;
use sgfstream::Charset;
use sgfstream_game::pentobi::{PentobiCells, canonical_ident};

#[test]
fn po_02_latin_1_without_ca() {
    // Valid UTF-8 is UTF-8, as in the current document, and other bytes are Latin-1.
    let utf_8 = "(;GM[Blokus]C[Käse])".as_bytes();
    for input in [&b"(;GM[Blokus]C[K\xe4se])"[..], utf_8] {
        let comment = properties(input)[1];
        assert!(comment.ident().is(b"C"));
        assert_eq!(comment.text(), "Käse");
    }
}

#[test]
fn po_03_utf_8_and_latin_1_by_name() {
    for label in [&b"UTF-8"[..], b"ISO-8859-1"] {
        assert!(Charset::for_label(label).is_some());
    }
}

#[test]
fn po_04_the_same_eighteen_names() {
    let sentence = "Blokus, Blokus Two-Player, Blokus Three-Player, Blokus Duo, Blokus Trigon, \
        Blokus Trigon Two-Player, Blokus Trigon Three-Player, Blokus Junior, Nexos, Nexos Two-Player, Callisto, \
        Callisto Two-Player, Callisto Two-Player Four-Color, Callisto Three-Player, GembloQ, GembloQ Two-Player, \
        GembloQ Three-Player, GembloQ Two-Player Four-Color";
    let names: Vec<_> = sentence.split(", ").collect();
    assert_eq!(
        names,
        Variant::ALL
            .iter()
            .map(|variant| variant.name())
            .collect::<Vec<_>>()
    );
    assert!(Game::parse(b"blokus").is_err() && Game::parse(b"Blokus ").is_err());
}

#[test]
fn po_05_gm_need_not_be_first() {
    assert_eq!(
        detect(b"(;C[first]GM[Callisto])").0,
        Game::Pentobi(Variant::Callisto)
    );
}

#[test]
fn po_06_the_same_colors() {
    assert_eq!(&*canonical_ident(Variant::Blokus, b"BLUE"), b"1");
    assert_eq!(&*canonical_ident(Variant::CallistoTwoPlayer, b"1"), b"B");
    assert_eq!(listed("(;GM[Blokus Two-Player];1[a20]1L[5])")[2].0, "1L");
}

#[test]
fn po_07_the_same_pictures() {
    assert_eq!(
        (
            PentobiCells::trigon(3).columns,
            PentobiCells::trigon(3).rows
        ),
        (11, 6)
    );
    assert_eq!(PentobiCells::of(Variant::Nexos).count(), 312);
    assert_eq!(
        point(&pentobi(Variant::GembloQ), "aa9").map(|(column, _)| column),
        Some(26)
    );
}

#[test]
fn po_08_the_same_moves() {
    let duo = pentobi(Variant::BlokusDuo);
    assert_eq!(
        canonical(&duo, "f9,e10,f10,g10,f11").as_deref(),
        Some("f9,e10,f10,g10,f11")
    );
    let (position, _) = replay("(;GM[Blokus Duo];B[e8][e9])");
    assert_eq!(stone(&position, "e9"), Some(Side::Black));
}

#[test]
fn po_09_the_same_setup() {
    let (position, results) = replay("(;GM[Blokus Duo];B[e8];AW[i4]PL[W])");
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(stone(&position, "i4"), Some(Side::White));
}

#[test]
fn po_10_the_same_notes() {
    assert!(is_clean(b"(; GM [Blokus] ;1 [a20])"));
}
