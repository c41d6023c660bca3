//! P-01 to P-09, P-50 to P-55: the general format, charsets, and the behavior of Pentobi's own
//! reader where ours does the same or more.

use super::*;
use sgfstream::{Charset, CharsetSource, Code, EventReader, Framing, RawValue};
use sgfstream_game::pentobi::accepts_charset;

#[test]
fn p_01_records_of_blokus_read() {
    let raw = "(;GM[Blokus]AP[Pentobi:27.0];1[a20,b20])";
    assert!(is_clean(raw.as_bytes()));
    assert_eq!(game_of(raw), Game::Pentobi(Variant::Blokus));
}

#[test]
fn p_02_general_syntax_and_properties_hold() {
    let raw = "(;GM[Blokus Duo]GN[a \\] b]EV[x];B[e8]C[two\nlines]N[n](;W[i4]TE[1])(;W[i5]BM[1]))";
    assert!(is_clean(raw.as_bytes()));
    let names: Vec<_> = listed(raw).into_iter().map(|(ident, _)| ident).collect();
    assert_eq!(
        names,
        ["GM", "GN", "EV", "B", "C", "N", "W", "TE", "W", "BM"]
    );
}

#[test]
fn p_03_blanks_around_identifiers() {
    let raw = "( ;GM[Blokus Duo] B [e8,e9] )";
    assert!(is_clean(raw.as_bytes()));
    assert_eq!(listed(raw)[1], ("B".to_owned(), vec!["e8,e9".to_owned()]));
    assert_eq!(
        written(raw.as_bytes()).trim_end(),
        "(;GM[Blokus Duo]B[e8,e9])"
    );
}

/// Returns the text of the comment, and how its charset was determined.
fn comment(raw: &[u8]) -> (String, CharsetSource) {
    let mut reader = SliceReader::new(raw);
    while let Some(Ok(event)) = reader.events().next() {
        if let Event::Property(property) = event
            && property.ident().is(b"C")
        {
            return (property.text().into_owned(), reader.place().charset_source);
        }
    }
    panic!("no comment")
}

#[test]
fn p_06_utf_8_without_ca() {
    let raw = "(;GM[Blokus Duo]C[Käse 黒])";
    assert_eq!(comment(raw.as_bytes()).0, "Käse 黒");
}

#[test]
fn p_07_utf_8_with_ca() {
    let raw = "(;GM[Blokus Duo]CA[UTF-8]C[Käse])";
    assert_eq!(
        comment(raw.as_bytes()),
        ("Käse".to_owned(), CharsetSource::Declared)
    );
}

#[test]
fn p_08_charsets_of_earlier_versions() {
    // Versions that knew other charsets wrote their names; they are read.
    assert_eq!(comment(b"(;GM[Blokus]CA[ISO-8859-1]C[K\xe4se])").0, "Käse");
    assert_eq!(comment(b"(;GM[Blokus]CA[windows-1251]C[\xcf])").0, "П");
}

#[test]
fn p_09_accepted_names_of_charsets() {
    for label in [&b"utf-8"[..], b"UTF-8", b"utf8", b"Utf8"] {
        assert!(accepts_charset(label), "{label:?}");
    }
    for label in [&b"ISO-8859-1"[..], b"", b"utf-16", b" utf-8"] {
        assert!(!accepts_charset(label), "{label:?}");
    }
}

fn codes(raw: &[u8]) -> Vec<Code> {
    SliceReader::new(raw)
        .events()
        .flatten()
        .filter_map(|event| match event {
            Event::Problem(problem) => Some(problem.code),
            _ => None,
        })
        .collect()
}

#[test]
fn p_50_text_around_trees() {
    assert!(is_clean(b" \n\t(;GM[Blokus])\n"));
    // Pentobi refuses text before the game; this reader reports and skips it.
    assert_eq!(codes(b"x (;GM[Blokus])"), [Code::TextBeforeGame]);
    assert_eq!(codes(b"(;GM[Blokus]) tail"), [Code::TextAfterGame]);
    // With several trees, the first decides.
    assert_eq!(
        detect(b"(;GM[Nexos])(;GM[Blokus])").0,
        Game::Pentobi(Variant::Nexos)
    );
}

#[test]
fn p_51_identifiers_keep_digits_and_lowercase_as_written() {
    let found = properties(b"(;GM[Blokus];1L[3]aB[x])");
    assert_eq!(found[1].ident().as_bytes(), b"1L");
    assert_eq!(found[2].ident().as_bytes(), b"aB");
    // Pentobi makes `B;W` one identifier. Here `B` has no value, and `W` is a
    // property of the next node.
    assert!(codes(b"(;GM[Blokus Duo];B;W[e8])").contains(&Code::IdentifierWithoutValue));
    assert_eq!(
        listed("(;GM[Blokus Duo];B;W[e8])")[1],
        ("W".to_owned(), vec!["e8".to_owned()])
    );
}

#[test]
fn p_52_escapes_and_line_breaks() {
    let text = |raw: &'static str| {
        RawValue::new(raw.as_bytes(), Framing::Value)
            .with_charset(Charset::UTF_8)
            .text()
    };
    assert_eq!(text("a\\]b\\\\c\\d"), "a]b\\cd");
    assert_eq!(text("a\rb\r\nc"), "a\nb\nc");
    // Where Pentobi differs from FF[4], this reader follows FF[4]: an escaped break vanishes, and
    // LF CR is one break.
    assert_eq!(text("a\\\nb"), "ab");
    assert_eq!(text("a\n\rb"), "a\nb");
}

#[test]
fn p_53_an_identifier_twice_in_a_node() {
    // Pentobi keeps only the second; this reader returns both in their order.
    let found = listed("(;GM[Blokus Duo];B[e8]B[e9])");
    assert_eq!(found[1].1, ["e8"]);
    assert_eq!(found[2].1, ["e9"]);
}

#[test]
fn p_54_nodes_after_variations_and_empty_ones() {
    let raw = "(;GM[Blokus Duo](;B[e8]);W[i4])";
    assert_eq!(codes(raw.as_bytes())[0], Code::NodeAfterVariation);
    assert_eq!(listed(raw)[2], ("W".to_owned(), vec!["i4".to_owned()]));
    assert!(codes(b"(;GM[Blokus]())").contains(&Code::EmptyVariation));
}

#[test]
fn p_55_what_is_escaped_in_writing() {
    let text = "a]b\\c:d";
    assert_eq!(sgfstream::escape_text(text), "a\\]b\\\\c:d");
    let raw = sgfstream::escape_text(text);
    assert_eq!(
        RawValue::new(raw.as_bytes(), Framing::Value)
            .with_charset(Charset::UTF_8)
            .text(),
        text
    );
    // TAB, VT and FF become spaces.
    assert_eq!(
        RawValue::new(b"a\tb\x0bc\x0cd", Framing::Value)
            .with_charset(Charset::UTF_8)
            .text(),
        "a b c d"
    );
}
