//! A fix loses no word of a text, unless it reports a finding of the game as left.

use std::collections::{BTreeMap, BTreeSet};

use sgfstream::parallel::PartReader;
use sgfstream::{Event, Options, SliceReader};
use sgfstream_adapt::fix::{FixFilter, GameChunks, Outcome, fix};
use sgfstream_game::{
    Game,
    property::{Definition, ValueType},
};

use super::with_borders;
use crate::common;

/// Game information with a format of its own, which a repair may respell.
const SPELLED: [&str; 12] = [
    "AP", "BR", "CA", "DT", "HA", "KM", "OT", "RE", "SZ", "TM", "WR", "GM",
];

/// Returns the words in texts, in values and outside of values, with their numbers of occurrences.
/// Words consist of ASCII letters and digits, because a fix may encode other characters
/// differently.
fn words(bytes: &[u8]) -> BTreeMap<Vec<u8>, usize> {
    let mut words = BTreeMap::new();
    let mut add = |text: &[u8]| {
        for word in text
            .split(|byte| !byte.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
        {
            *words.entry(word.to_vec()).or_default() += 1;
        }
    };
    let mut values = BTreeSet::new();
    for event in SliceReader::with_options(bytes, Options::default().with_gaps(true))
        .events()
        .flatten()
    {
        match event {
            Event::NodeStart { .. } => values.clear(),
            Event::Gap(text) => add(text),
            Event::Property(property) => {
                let ident = property.ident().canonical();
                let definition =
                    Definition::find(Game::Go, 4, &ident).map(|found| found.definition.value_type);
                let is_text = definition.is_none_or(|value_type| {
                    value_type.is_text()
                        || matches!(value_type, ValueType::Compose(_, second) if second.is_text())
                });
                if is_text
                    && !SPELLED
                        .iter()
                        .any(|spelled| property.ident().is(spelled.as_bytes()))
                {
                    for value in property.values() {
                        // An equal value adds no information.
                        if values.insert((ident.to_vec(), value.as_bytes().trim_ascii().to_vec())) {
                            let is_pair = matches!(definition, Some(ValueType::Compose(..)));
                            let colon = value
                                .as_bytes()
                                .iter()
                                .position(|&byte| byte == b':')
                                .filter(|_| is_pair);
                            add(&value.as_bytes()[colon.unwrap_or(0)..]);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    words
}

/// Returns the words of all values, and the words outside of values, with their numbers of
/// occurrences; on request also the words of identifiers.
fn all_words(bytes: &[u8], with_idents: bool) -> BTreeMap<Vec<u8>, usize> {
    let mut words = BTreeMap::new();
    let mut add = |text: &[u8]| {
        for word in text
            .split(|byte| !byte.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
        {
            *words.entry(word.to_vec()).or_default() += 1;
        }
    };
    for event in SliceReader::with_options(bytes, Options::default().with_gaps(true))
        .events()
        .flatten()
    {
        match event {
            Event::Gap(text) => add(text),
            Event::Property(property) if with_idents => add(property.as_bytes()),
            Event::Property(property) => property.values().for_each(|value| add(value.as_bytes())),
            _ => {}
        }
    }
    words
}

/// Checks each game on its own, because a finding that is left excuses only its own game.
fn keeps_words(name: &str, bytes: &[u8], choice: &FixFilter) -> (u64, u64) {
    let mut read = bytes;
    let mut reader = PartReader::whole(&mut read, Options::default(), None);
    let mut pieces = GameChunks::new(&reader);
    let (mut held, mut left_games) = (0, 0);
    while let Some(piece) = pieces.next(&mut reader).expect("a slice can be read") {
        let game = &bytes[piece.span.start as usize..piece.span.end as usize];
        let mut is_left = false;
        let fixed = fix(game, choice, Options::default(), |_, _, outcome| {
            is_left |= outcome == Outcome::Left
        });
        if is_left {
            left_games += 1;
            continue;
        }
        let bounded = with_borders(game, choice);
        // If a later pass escapes more brackets, text after a game may become properties.
        let is_settled = with_borders(&bounded, choice) == bounded;
        let after = all_words(&fixed, !is_settled);
        for (word, count) in words(&bounded) {
            let found = after.get(&word).copied().unwrap_or(0);
            assert!(
                found >= count,
                "{name}: `{}` {count} times, then {found} times: {}\n{}",
                word.escape_ascii(),
                String::from_utf8_lossy(game),
                String::from_utf8_lossy(&fixed)
            );
        }
        held += 1;
    }
    (held, left_games)
}

#[test]
fn of_every_file() {
    let (mut held, mut left) = (0, 0);
    common::each_file(20, |name, bytes| {
        let bytes = sgfstream::transcode(bytes);
        for level in [sgfstream::Severity::Error, sgfstream::Severity::Warning] {
            let of_file = keeps_words(name, &bytes, &FixFilter::from_level(level));
            (held, left) = (held + of_file.0, left + of_file.1);
        }
    });
    println!("{held} games, and {left} of which something is left");
    assert!(held > left);
}

proptest::proptest! {
    #[test]
    fn of_anything(
        input in "\\(;FF\\[4\\]GM\\[1\\](\\(;|\\)|;|C\\[|N\\[|LB\\[aa:|PW\\[|B\\[cc\\]|[a-z]{2}|[A-Z]{1,2}|\\]| |\\[|\\\\|1|\\.|\n){0,30}",
    ) {
        keeps_words("random", input.as_bytes(), &FixFilter::from_level(sgfstream::Severity::Warning));
    }
}
