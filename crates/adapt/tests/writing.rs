//! Random games and texts in every charset: what a writer accepts, a reader finds again.

use proptest::prelude::*;
use sgfstream::record::{GameReader, GameRecord};
use sgfstream::{Charset, Event, EventReader, Options, SliceReader, Writer};
use sgfstream_adapt::GameTree;

const CHARSETS: [&str; 14] = [
    "",
    "UTF-8",
    "GBK",
    "GB18030",
    "Shift_JIS",
    "Big5",
    "EUC-KR",
    "EUC-JP",
    "ISO-2022-JP",
    "UTF-16LE",
    "windows-1252",
    "windows-1251",
    "KOI8-R",
    "ISO-8859-2",
];

/// Characters that escapes, borders of games and second bytes of characters depend on.
fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a", "]", "\\", "[", ":", ";", "(", ")", "\n", " ", "(;GM[1]", ";B[aa]", "表", "ソ", "黑", "李", "許", "功",
        "é", "ж", "😀", "弌", "俓", "\u{80}", "[1]", "\\]",
    ]);
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

/// Returns the texts of the comments and names of a game.
fn found_texts(game: &GameRecord<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for node in game.nodes() {
        for (_, property) in node.properties() {
            if property.ident() == "C" {
                found.push(property.text().into_owned());
            }
        }
    }
    found
}

/// Returns the texts of all games in `bytes`.
fn read(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut games = GameReader::new(SliceReader::new(bytes));
    let mut all = Vec::new();
    while let Some(game) = games.next_game().expect("no limit is met") {
        all.push(found_texts(&game.expect("the game is short")));
    }
    all
}

/// Writes a game in which each text has a node of its own; every third starts a variation.
fn written(charset: &str, texts: &[String]) -> std::io::Result<(Vec<u8>, Vec<String>)> {
    let mut writer = Writer::new(Vec::new());
    let mut accepted = Vec::new();
    let mut variations = 1;
    writer.start_game()?;
    writer.start_node()?;
    if !charset.is_empty() {
        writer.property("CA", [charset])?;
    }
    for (number, text) in texts.iter().enumerate() {
        if number % 3 == 2 {
            writer.start_variation()?;
            variations += 1;
        }
        writer.start_node()?;
        if writer.text("C", text).is_ok() {
            accepted.push(text.clone());
        }
    }
    for _ in 0..variations {
        writer.end_variation()?;
    }
    Ok((writer.finish()?, accepted))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_new_game_is_read_as_it_was_written(
        charset in prop::sample::select(&CHARSETS[..]),
        texts in prop::collection::vec(texts(), 1..6),
    ) {
        let (bytes, accepted) = written(charset, &texts).expect("a Vec takes all");
        prop_assert_eq!(read(&bytes), [accepted], "{}: {}", charset, bytes.escape_ascii());
    }

    #[test]
    fn a_new_tree_is_read_as_it_was_written(
        charset in prop::sample::select(&CHARSETS[..]),
        texts in prop::collection::vec(texts(), 1..6),
    ) {
        let mut tree = GameTree::new();
        if !charset.is_empty() {
            tree.set_text(tree.root(), "CA", charset).expect("ASCII");
        }
        let mut accepted = Vec::new();
        for text in &texts {
            let node = tree.add_node(tree.root()).expect("there is memory");
            if tree.set_text(node, "C", text).is_ok() {
                accepted.push(text.clone());
            }
        }
        let mut writer = Writer::new(Vec::new());
        tree.write_with(&mut writer).expect("a Vec takes all");
        let bytes = writer.finish().expect("a Vec takes all");
        prop_assert_eq!(read(&bytes), [accepted], "{}: {}", charset, bytes.escape_ascii());
    }

    /// The natural program: it replaces one property, and passes on all other events.
    #[test]
    fn an_edit_changes_no_other_byte(
        charset in prop::sample::select(&CHARSETS[1..]),
        old in texts(),
        new in texts(),
        is_late in any::<bool>(),
    ) {
        let Some(name) = Charset::for_label(charset.as_bytes()) else { return Ok(()) };
        let Ok(comment) = sgfstream::encode_texts("C", &[&old], name, sgfstream::Framing::Auto) else { return Ok(()) };
        let (first, second) = if is_late { ("C[old]", "") } else { ("", "\n C [old]") };
        let head = format!("mail ( ;{first}CA [{charset}]{second} GM[1]\n;");
        let input = [head.as_bytes(), &comment, b" ;B[aa])\n"].concat();
        let mut reader = SliceReader::with_options(&input, Options::default().with_gaps(true));
        let mut writer = Writer::new(Vec::new());
        let mut is_set = false;
        let mut result = Ok(());
        while result.is_ok() && reader.advance().expect("no limit is met") {
            result = match reader.event() {
                Event::Property(property) if property.ident() == "C" && !is_set => {
                    is_set = true;
                    writer.text("C", &new)
                }
                event => writer.event(&event),
            };
        }
        if result.is_err() {
            return Ok(());
        }
        let output = writer.finish().expect("a Vec takes all");
        prop_assert_eq!(read(&output), [[new, old]], "{}", output.escape_ascii());
        let start = head.find("C[old]").or(head.find("C [old]")).expect("it is there");
        prop_assert_eq!(&output[..start], &input[..start]);
        let end = [" GM[1]\n;".as_bytes(), &comment, b" ;B[aa])\n"].concat();
        prop_assert!(output.ends_with(&end), "{}", output.escape_ascii());
    }
}

#[test]
fn calls_in_a_wrong_order_are_refused() {
    let mut writer = Writer::new(Vec::new());
    assert!(writer.start_node().is_err());
    assert!(writer.end_variation().is_err());
    assert!(writer.property("B", ["aa"]).is_err());
    writer.start_game().expect("the first");
    assert!(writer.start_game().is_err());
    assert!(writer.text("C", "x").is_err());
    assert!(writer.start_variation().is_err());
    writer.start_node().expect("a root");
    assert!(writer.property("b ad[", ["x"]).is_err());
    assert!(writer.property("C", ["a]b"]).is_err());
    assert!(writer.property("C", [""; 0]).is_err());
    writer.text("PB", "é").expect("UTF-8 until the game declares another charset");
    let late = writer.property("CA", ["GBK"]).expect_err("text came before");
    assert_eq!(late.to_string(), "the game declares GBK after text in auto; write `CA` first");
    assert!(writer.finish().is_err());
}

#[test]
fn every_charset_takes_its_own_characters() {
    for (charset, text) in [
        ("", "黑 é 😀"),
        ("UTF-8", "黑 é 😀"),
        ("GBK", "黑[1] 俓"),
        ("GB18030", "😀"),
        ("Shift_JIS", "表ソ黒"),
        ("Big5", "許功"),
        ("EUC-KR", "흑"),
        ("EUC-JP", "黒"),
        ("ISO-2022-JP", "黒"),
        ("windows-1252", "é"),
        ("KOI8-R", "ж"),
    ] {
        let (bytes, accepted) = written(charset, &[text.to_owned()]).expect("a Vec takes all");
        assert_eq!((accepted, read(&bytes)), (vec![text.to_owned()], vec![vec![text.to_owned()]]), "{charset}");
    }
}
