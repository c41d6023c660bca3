//! A stored game loads as the game that was read. Loading a damaged one returns an error or another
//! game, and never panics.

use std::path::Path;

use sgfstream::record::{GameReader, GameRecord, Outline, OwnedGame};
use sgfstream::{Detection, Options, SliceReader};
use sgfstream_adapt::check::{CheckOptions, InputChecker};
use sgfstream_game::Facts;
use sgfstream_table::row::{ColumnSet, FilledRow};

/// Passes the games of the repository's files to `each`, with the name of their file.
fn each_game(mut each: impl FnMut(&str, GameRecord<'_>)) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut files: Vec<_> = corpus
        .read_dir()
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let options = Options::default().with_detection(Detection::LIKELY);
    for file in files.iter().filter(|file| file.is_file()) {
        let bytes = std::fs::read(file).expect("a file");
        let mut games = GameReader::new(SliceReader::with_options(&bytes, options));
        while let Some(game) = games.next_game().expect("a slice") {
            each(&file.to_string_lossy(), game.expect("a short game"));
        }
    }
}

#[test]
fn stored_games_are_the_games_that_were_read() {
    let (mut stored, mut copy, mut games) = (Vec::new(), OwnedGame::default(), 0);
    each_game(|file, game| {
        stored.clear();
        game.store(&mut stored);
        assert!(copy.load(&stored, game.number()), "{file}");
        let copy = copy.record();
        assert_eq!(
            (copy.as_bytes(), copy.tokens()),
            (game.as_bytes(), game.tokens()),
            "{file}"
        );
        assert_eq!(
            (copy.problems(), copy.problems_before()),
            (game.problems(), game.problems_before()),
            "{file}"
        );
        assert_eq!(
            (copy.span(), copy.number(), copy.is_whole()),
            (game.span(), game.number(), true),
            "{file}"
        );
        assert_eq!(
            (copy.charset(), copy.charset_source()),
            (game.charset(), game.charset_source()),
            "{file}"
        );
        for len in 0..stored.len().min(300) {
            assert!(
                !OwnedGame::default().load(&stored[..len], 1),
                "{file} {len}"
            );
        }
        games += 1;
    });
    assert!(games > 100, "{games}");
}

/// An index has checksums, so that only a forged one has such games.
#[test]
fn damaged_games_harm_nobody() {
    let random = &mut fastrand::Rng::with_seed(5);
    let (mut stored, mut copy, mut loaded) = (Vec::new(), OwnedGame::default(), 0);
    let mut filled = FilledRow::new(ColumnSet::all());
    each_game(|_, game| {
        for _ in 0..40 {
            stored.clear();
            game.store(&mut stored);
            for _ in 0..random.usize(1..4) {
                let at = random.usize(..stored.len());
                stored[at] = random.u8(..);
            }
            if !copy.load(&stored, 1) {
                continue;
            }
            loaded += 1;
            let facts = Facts::of(copy.record(), filled.infos());
            filled.fill(&facts);
            InputChecker::new(CheckOptions::default().with_legality(true))
                .check(&facts, &mut |_| {});
            let outline = Outline::of(copy.record());
            let texts = (0..outline.len())
                .flat_map(|node| outline.properties(node))
                .map(|property| property.text().len());
            assert!(texts.sum::<usize>() <= 4 * stored.len());
        }
    });
    assert!(loaded > 100, "{loaded}");
}
