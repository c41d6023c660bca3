//! Random games and texts in every charset: what a writer accepts, a reader finds again.

use proptest::prelude::*;
use sgfstream::record::{GameReader, GameRecord};
use sgfstream::{
    Charset, Event, EventReader, Layout, Limits, Options, Property, SliceReader, WriteError, Writer,
};
use sgfstream_adapt::edit::{Rewriter, edits};
use sgfstream_adapt::{GameTree, NodeId};

use super::common::own_files;

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
        "a", "]", "\\", "[", ":", ";", "(", ")", "\n", " ", "(;GM[1]", ";B[aa]", "表", "ソ", "黑",
        "李", "許", "功", "é", "ж", "😀", "弌", "俓", "\u{80}", "[1]", "\\]",
    ]);
    prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
}

const PROPERTIES: [&str; 10] = [
    "B[aa]",
    "W [bb]",
    "AddBlack[aa] [bb]",
    "AB\n[cc]\t[dd]\r\n[ee]",
    "N\t[x\\]y]",
    "SZ[9]",
    "GM [1]",
    "GM[1]",
    "PB[Ada]",
    "PW\n[Ben]",
];

/// Nodes and variations in every spelling and with every kind of blanks, without the root.
fn layouts(properties: &'static [&'static str]) -> impl Strategy<Value = String> {
    let blanks = || prop::sample::select(vec!["", "", " ", "\n", "\r\n\t"]);
    let property = prop::sample::select(properties);
    let properties = prop::collection::vec((property, blanks()), 0..4);
    let node = (blanks(), properties).prop_map(|(blanks, properties)| {
        let properties: Vec<String> = properties
            .iter()
            .map(|(property, blanks)| format!("{property}{blanks}"))
            .collect();
        format!(";{blanks}{}", properties.concat())
    });
    let line = prop::collection::vec(node, 1..4).prop_map(|nodes| nodes.concat());
    line.prop_recursive(4, 24, 3, move |inner| {
        let variation = (blanks(), inner.clone(), blanks())
            .prop_map(|(before, line, after)| format!("({before}{line}){after}"));
        (inner, prop::collection::vec(variation, 1..4))
            .prop_map(|(line, below)| format!("{line}{}", below.concat()))
    })
}

/// Returns the bytes of a tree.
fn bytes_of(tree: &GameTree) -> Vec<u8> {
    written_as(tree, Layout::AsWritten)
}

fn written_as(tree: &GameTree, layout: Layout) -> Vec<u8> {
    let mut writer = Writer::with_layout(Vec::new(), layout);
    tree.write_with(&mut writer).expect("a Vec takes all");
    writer.finish().expect("a Vec takes all")
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

/// Returns each property of the first game, with the place where it starts.
fn places_of_properties(bytes: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut games = GameReader::new(SliceReader::new(bytes));
    let game = games
        .next_game()
        .expect("no limit is met")
        .expect("a game")
        .expect("it is short");
    let place = |token, property: Property<'_>| {
        (
            game.span_of(token).start as usize,
            property.as_bytes().to_vec(),
        )
    };
    game.nodes()
        .flat_map(|node| node.properties())
        .map(|(token, property)| place(token, property))
        .collect()
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
        let bytes = bytes_of(&tree);
        prop_assert_eq!(read(&bytes), [accepted], "{}: {}", charset, bytes.escape_ascii());
    }

    /// A tree is written as it was read. An edit of one property changes no other byte.
    #[test]
    fn a_tree_keeps_what_is_not_edited(
        charset in prop::sample::select(&CHARSETS[1..]),
        game in layouts(&PROPERTIES[..5]),
        old in texts(),
        new in texts(),
    ) {
        let name = Charset::for_label(charset.as_bytes()).expect("a known name");
        let Ok(comment) = sgfstream::encode_texts("C", &[&old], name, sgfstream::Framing::Auto) else { return Ok(()) };
        let head = format!("( ; CA [{charset}]");
        let input = [head.as_bytes(), &comment, b" FF[4]\n", game.as_bytes(), b")"].concat();
        prop_assume!(read(&input).len() == 1);
        let mut tree = GameTree::parse(&input).expect("one game");
        prop_assert_eq!(bytes_of(&tree), input.clone(), "{}", input.escape_ascii());
        tree.compact().expect("there is memory");
        prop_assert_eq!(bytes_of(&tree), input.clone(), "{}", input.escape_ascii());
        if tree.set_text(tree.root(), "C", &new).is_err() {
            prop_assert_eq!(bytes_of(&tree), input);
            return Ok(());
        }
        let output = bytes_of(&tree);
        prop_assert_eq!(read(&output)[0][0].clone(), new, "{}", output.escape_ascii());
        prop_assert!(output.starts_with(head.as_bytes()), "{}", output.escape_ascii());
        let rest = &input[head.len() + comment.len()..];
        prop_assert!(output.ends_with(rest), "{}", output.escape_ascii());
    }

    /// After any edits, the tree is read as it was written, and each property that no edit names
    /// has the bytes of the input.
    #[test]
    fn an_edited_tree_is_read_as_it_was_written(
        charset in prop::sample::select(&CHARSETS[..]),
        game in layouts(&PROPERTIES),
        edits in prop::collection::vec((0..8u8, any::<prop::sample::Index>(), texts()), 1..8),
    ) {
        let head = if charset.is_empty() { "(;FF[4]".to_owned() } else { format!("(;FF[4] CA[{charset}]\n") };
        let input = [head.as_bytes(), game.as_bytes(), b")"].concat();
        let Ok(mut tree) = GameTree::parse(&input) else { return Ok(()) };
        if tree.problems().is_empty() {
            prop_assert_eq!(bytes_of(&tree), input);
        }
        for (kind, place, text) in &edits {
            let nodes: Vec<NodeId> = tree.preorder().collect();
            let node = nodes[place.index(nodes.len())];
            // A tree refuses an edit that a reader would not find again.
            let _ = match kind {
                0 => tree.set_text(node, "C", text),
                1 => tree.set_texts(node, "LB", &[text, "aa:1"]),
                2 => tree.add_property(node, "KM", ["6.5"]),
                3 => tree.remove_property(node, "B").map(|_| ()),
                4 => tree.add_node(node).and_then(|new| tree.set_text(new, "N", text)),
                5 => tree.remove_node(node),
                // Readers look 4 KiB ahead, so they do not see the end of the game.
                6 => tree.set_text(node, "GC", &"long ".repeat(1000)),
                _ => tree.promote(node).and_then(|()| tree.insert_after(node)).map(|_| ()),
            };
        }
        let output = bytes_of(&tree);
        let again = GameTree::parse(&output).expect("one game");
        prop_assert_eq!(written_as(&again, Layout::Canonical), written_as(&tree, Layout::Canonical), "{}", output.escape_ascii());
        // Without the blanks that were added, a variation would be another game.
        let mut blanks = Vec::new();
        let properties = tree.preorder().flat_map(|node| tree.properties(node));
        for (property, (start, found)) in properties.zip(places_of_properties(&output)) {
            if property.as_bytes() != found {
                prop_assert_eq!(property.to_bytes_spaced(), found);
                blanks.push(start + property.ident().as_bytes().len());
            }
        }
        let mut without = output.clone();
        for &place in blanks.iter().rev() {
            without.remove(place);
        }
        prop_assert!(blanks.is_empty() || read(&without).len() > 1, "{}", output.escape_ascii());
        tree.compact().expect("there is memory");
        prop_assert_eq!(bytes_of(&tree), output);
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
    writer
        .text("PB", "é")
        .expect("UTF-8 until the game declares another charset");
    let late = writer
        .property("CA", ["GBK"])
        .expect_err("text came before");
    assert_eq!(
        late.to_string(),
        "the game declares GBK after text in auto; write `CA` first"
    );
    assert!(writer.finish().is_err());
}

/// Sets `PB` with a filter of events, or returns the error.
fn filtered(input: &[u8], text: &str, options: Options) -> std::io::Result<Vec<u8>> {
    let mut reader = SliceReader::with_options(input, options.with_gaps(true));
    let mut writer = Writer::new(Vec::new());
    while reader.advance().expect("no limit is met") {
        match reader.event() {
            Event::Property(property) if property.ident() == "PB" => writer.text("PB", text)?,
            event => writer.event(&event)?,
        }
    }
    writer.finish()
}

/// The text as bytes, or a part of the error.
type Expected = Result<&'static [u8], &'static str>;

const UNKNOWN: &str = "declares no known charset";
const LATE: &str = "write `CA` first";

/// A program sets `PB` to a text beyond ASCII. The text is right, or an error says why not.
#[test]
fn a_text_is_in_the_charset_of_the_game_or_refused() {
    let utf8: &[u8] = "李".as_bytes();
    let gbk: &[u8] = b"\xc0\xee";
    // The result of a filter, then of a tree and of an edit, which see the whole game first.
    let cases: [(&[u8], Expected, Expected); 12] = [
        (b"(;PB[x])", Ok(utf8), Ok(utf8)),
        ("(;PB[x]PW[黑])".as_bytes(), Ok(utf8), Ok(utf8)),
        (b"(;PB[x]PW[\xba\xda])", Err(UNKNOWN), Err(UNKNOWN)),
        (b"(;PW[\xba\xda]PB[x])", Err(UNKNOWN), Err(UNKNOWN)),
        (
            b"(;PB[x];B[aa](;W[bb])(;C[\xba\xda]))",
            Err(UNKNOWN),
            Err(UNKNOWN),
        ),
        (
            b"(;CA[klingon]PB[x]PW[\xba\xda])",
            Err(UNKNOWN),
            Err(UNKNOWN),
        ),
        (b"(;CA[UTF-8]PB[x]PW[\xba\xda])", Ok(utf8), Ok(utf8)),
        (b"(;CA[GBK]PB[x]PW[\xba\xda])", Ok(gbk), Ok(gbk)),
        (b"(;CA[GBK]PW[x]PB[x])", Ok(gbk), Ok(gbk)),
        (b"(;PB[x]CA[GBK]PW[\xba\xda])", Err(LATE), Ok(gbk)),
        (b"(;PW[\xba\xda]PB[x]CA[GBK])", Err(UNKNOWN), Ok(gbk)),
        (b"(;PB[x]CA[UTF-8]PW[\xba\xda])", Ok(utf8), Ok(utf8)),
    ];
    for (input, by_filter, by_others) in cases {
        let name = input.escape_ascii();
        let place = memchr::memmem::find(input, b"PB[x]").expect("each has one") + 3;
        let with = |text: &[u8]| [&input[..place], text, &input[place + 1..]].concat();
        let check = |found: Result<Vec<u8>, String>, expected: Expected| match (found, expected) {
            (Ok(found), Ok(text)) => assert_eq!(found, with(text), "{name}"),
            (Err(found), Err(reason)) => assert!(found.contains(reason), "{name}: {found}"),
            (found, expected) => panic!("{name}: {found:?}, expected {expected:?}"),
        };
        check(
            filtered(input, "李", Options::default()).map_err(|err| err.to_string()),
            by_filter,
        );
        assert_eq!(
            filtered(input, "Li", Options::default()).expect("ASCII"),
            with(b"Li"),
            "{name}"
        );

        let mut tree = GameTree::parse(input).expect("one game");
        let result = tree.set_text(tree.root(), "PB", "李");
        check(
            result
                .map(|()| tree.to_bytes())
                .map_err(|err| err.to_string()),
            by_others,
        );

        let mut rewriter = Rewriter::new(vec![edits::set("PB", "李").expect("an identifier")]);
        let edited = rewriter.slice(input);
        let kept = if by_others.is_ok() {
            edited
        } else {
            input.to_vec()
        };
        assert_eq!(
            kept,
            by_others.map_or_else(|_| input.to_vec(), with),
            "{name}"
        );
    }
}

#[test]
fn each_game_has_a_charset_of_its_own() {
    let forced = Options::default().with_charset(Charset::for_label(b"GBK"));
    let found =
        filtered(b"(;PW[\xba\xda]PB[x])", "李", forced).expect("the caller names the charset");
    assert_eq!(found, b"(;PW[\xba\xda]PB[\xc0\xee])");
    let found = filtered(
        b"(;PW[\xba\xda])(;PB[x])(;CA[GBK]PB[x])(;PB[x])",
        "李",
        Options::default(),
    );
    let expected = [
        &b"(;PW[\xba\xda])(;PB["[..],
        "李".as_bytes(),
        b"])(;CA[GBK]PB[\xc0\xee])(;PB[",
        "李".as_bytes(),
        b"])",
    ];
    assert_eq!(found.expect("each game has one charset"), expected.concat());
}

/// A long value comes in parts.
#[test]
fn a_part_of_a_value_shows_that_the_charset_is_unknown() {
    let options = Options::default().with_limits(Limits::default().with_property(16));
    let long = [b"(;PB[x]C[".as_slice(), &b"\xba\xda".repeat(40), b"])"].concat();
    let err = filtered(&long, "李", options).expect_err("the charset is unknown");
    assert!(err.to_string().contains(UNKNOWN), "{err}");
    let long = ["(;PB[x]C[", &"黑".repeat(40), "])"].concat();
    assert!(filtered(long.as_bytes(), "李", options).is_ok());
}

#[test]
fn a_tree_with_text_takes_no_bytes_of_an_unknown_charset() {
    let mut tree = GameTree::new();
    let root = tree.root();
    tree.set_text(root, "PB", "李").expect("UTF-8");
    for result in [
        tree.set_property(root, "PW", [b"\xba\xda"]),
        tree.add_property(root, "PW", [b"\xba\xda"]),
        tree.set_property(root, "PB", [b"\xba\xda"]),
    ] {
        assert_eq!(result, Err(WriteError::UnknownCharset.into()));
    }
    let declared = Charset::for_label(b"GBK").expect("a known name");
    let late = WriteError::Charset {
        written: Charset::AUTO,
        declared,
    };
    assert_eq!(tree.set_text(root, "CA", "GBK"), Err(late.into()));
    tree.set_text(root, "CA", "UTF-8")
        .expect("the text is UTF-8");
    assert_eq!(tree.to_string(), "(;PB[李]CA[UTF-8])");

    // Readers use the first `CA`.
    tree.add_property(root, "CA", ["GBK"])
        .expect("an identifier and a value");
    assert_eq!(tree.charset(), Charset::UTF_8);

    let mut tree = GameTree::parse(b"(;PW[\xba\xda])").expect("one game");
    assert_eq!(
        tree.set_text(root, "PB", "李"),
        Err(WriteError::UnknownCharset.into())
    );
    tree.set_text(root, "CA", "GBK").expect("ASCII");
    tree.set_text(root, "PB", "李").expect("GBK");
    assert_eq!(tree.to_bytes(), b"(;PW[\xba\xda]CA[GBK]PB[\xc0\xee])");
}

/// The reader inserts the missing `;` of a variation. Without the `(`, the properties would belong
/// to the node before it.
#[test]
fn a_node_whose_parenthesis_a_filter_dropped_gets_its_semicolon() {
    for (input, expected) in [
        (&b"(;B[aa] ( W[bb];B[cc]) )"[..], "(;B[aa]  ;W[bb];B[cc] )"),
        (b"(;B[aa](;W[bb]))", "(;B[aa];W[bb])"),
        (b"(B[aa](W[bb]))", "(B[aa];W[bb])"),
    ] {
        let mut writer = Writer::new(Vec::new());
        for event in SliceReader::with_options(input, Options::default().with_gaps(true)).events() {
            match event.expect("no limit is met") {
                Event::VariationStart(variation) if variation.depth > 1 => {}
                Event::VariationEnd(variation) if variation.depth > 1 => {}
                event => writer.event(&event).expect("a Vec takes all"),
            }
        }
        let output = writer.finish().expect("a Vec takes all");
        assert_eq!(output.escape_ascii().to_string(), expected);
    }
}

/// A blank precedes a `[` only where a reader would find another game.
#[test]
fn variations_like_games_stay_variations() {
    for count in [1, 3, 20] {
        let like_games = "\n(;GM[1]FF[4];B[aa])".repeat(count);
        let mut tree =
            GameTree::parse(format!("(;GM[1];C[x]{like_games})").as_bytes()).expect("one game");
        let last = tree.preorder().last().expect("a node");
        tree.set_text(last, "C", "z").expect("ASCII");
        let end = like_games.len() - 1;
        assert_eq!(
            tree.to_string(),
            format!("(;GM[1];C[x]{}C[z]))", &like_games[..end])
        );
        // Readers look 4 KiB ahead, so they do not see the end of the game.
        let long = "long ".repeat(1000);
        tree.set_text(last, "C", &long).expect("ASCII");
        let spaced = like_games[..end].replace("GM[1]", "GM [1]");
        assert_eq!(tree.to_string(), format!("(;GM[1];C[x]{spaced}C[{long}]))"));
        assert_eq!(read(&tree.to_bytes()).len(), 1);
    }
    // The next variation shows that this one is no game.
    let mut tree = GameTree::parse(b"(;GM[1];B[aa](;GM[1]FF[4];B[bb])(;SZ[9]))").expect("one game");
    let last = tree.preorder().last().expect("a node");
    let long = "long ".repeat(1000);
    tree.set_text(last, "C", &long).expect("ASCII");
    assert_eq!(
        tree.to_string(),
        format!("(;GM[1];B[aa](;GM[1]FF[4];B[bb])(;SZ[9]C[{long}]))")
    );
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
        assert_eq!(
            (accepted, read(&bytes)),
            (vec![text.to_owned()], vec![vec![text.to_owned()]]),
            "{charset}"
        );
    }
}

#[test]
fn trees_of_files_are_written_as_they_were_read() {
    let mut equal = 0;
    for (name, bytes) in own_files() {
        let mut games = GameReader::new(SliceReader::new(&bytes));
        while let Some(game) = games.next_game().expect("no limit is met") {
            let game = game.expect("the game is short");
            if game.problems().is_empty() {
                assert_eq!(
                    bytes_of(&GameTree::of(&game).expect("there is memory")),
                    game.as_bytes(),
                    "{name}"
                );
                equal += 1;
            }
        }
    }
    assert!(equal > 50, "{equal}");
}
