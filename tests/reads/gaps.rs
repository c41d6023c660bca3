//! The depth of gaps, and skips that begin at a gap.

use sgfstream::{Event, EventReader, Options, SliceReader, Variation};

const INPUT: &[u8] = b" ( ;A[1] ( ;B[1] ) ( ;C[1] ) ) ";

fn reader() -> SliceReader<'static> {
    SliceReader::with_options(INPUT, Options::default().with_gaps(true))
}

#[test]
fn a_gap_has_game_and_depth_of_its_place() {
    let mut reader = reader();
    let mut places = Vec::new();
    while let Some(Ok(event)) = reader.events().next() {
        if matches!(event, Event::Gap(_)) {
            places.push((reader.game(), reader.depth()));
        }
    }
    // Gaps:    (  ;  A  (  ;  B  )  (  ;  C  )  )
    let depths = [0, 1, 1, 2, 2, 1, 2, 2, 1, 0];
    assert!(places.iter().map(|place| place.1).eq(depths), "{places:?}");
    assert!(
        places
            .iter()
            .map(|place| place.0)
            .eq([0, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        "{places:?}"
    );
}

#[test]
fn a_skip_from_a_gap_ends_where_its_variation_does() {
    // Number of the gap, its depth, and the rest of the input after the `)`.
    for (gap, depth, left) in [
        (2, 1, " "),
        (3, 2, " ( ;C[1] ) ) "),
        (4, 2, " ( ;C[1] ) ) "),
        (5, 1, " "),
        (6, 2, " ) "),
    ] {
        let mut reader = reader();
        let mut seen = 0;
        while seen <= gap {
            seen += usize::from(matches!(reader.next_event(), Ok(Some(Event::Gap(_)))));
        }
        reader.skip_variation();
        let end = reader.next_event().expect("no limit is set");
        assert_eq!(
            end,
            Some(Event::VariationEnd(Variation::new(depth, false))),
            "from gap {gap}"
        );
        let rest = &INPUT[reader.span().end as usize..];
        assert_eq!(std::str::from_utf8(rest), Ok(left), "from gap {gap}");
    }
}

/// A `(` after the end of a variation may begin another game, also behind a word in between.
#[test]
fn a_skip_passes_words_behind_a_variation() {
    let words = "words ".repeat(40);
    let input = format!("(;FF[4](;B[aa]){words}(PW[Ada]SZ[9]");
    let game = input.rfind('(').expect("a game") as u64;
    for skipped_from in 1..6 {
        let mut reader = SliceReader::new(input.as_bytes());
        for _ in 0..skipped_from {
            assert!(reader.advance().expect("no limit is set"));
        }
        reader.skip_game();
        let end = reader.next_event().expect("no limit is set");
        assert_eq!(end, Some(Event::VariationEnd(Variation::new(1, true))));
        assert_eq!(reader.span().end, game, "from event {skipped_from}");
    }
}
