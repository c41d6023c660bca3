//! Values are serialized by serde as their SGF text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sgfstream_game::value::{
    BoardSize, Color, Dates, Double, GameResult, Komi, Number, Point, Rank, Real, SimpleText, Text,
};

/// Asserts that the value of this text is serialized to it, and reads it back.
fn assert_kept<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(text: &str) {
    let json = serde_json::to_string(text).expect("a text");
    let value: T = serde_json::from_str(&json).expect(text);
    assert_eq!(serde_json::to_string(&value).expect("a value"), json);
    assert_eq!(serde_json::from_str::<T>(&json).expect(text), value);
}

#[test]
fn values_are_texts() {
    assert_kept::<Number>("-7");
    assert_kept::<Real>("6.5");
    assert_kept::<Komi>("6.5");
    assert_kept::<Color>("B");
    assert_kept::<Double>("2");
    assert_kept::<Point>("pd");
    assert_kept::<BoardSize>("19");
    assert_kept::<Dates>("1996-05,06");
    assert_kept::<GameResult>("W+2.5");
    assert_kept::<Rank>("3k");
    assert_kept::<SimpleText>("a \\] bracket");
    assert_kept::<Text>("two\nlines");
    let err = serde_json::from_str::<Real>("\"6,5\"").expect_err("no number of SGF");
    assert!(err.to_string().contains("expected a real number"), "{err}");
}
