//! Laws of rewriting that hold for every file.

use sgfstream::{Code, Event, EventReader, SliceReader, transcode};
use sgfstream_adapt::Count;

use super::rewrite;
use crate::common;

/// Reads every eleventh of the real files; the tests of archives read all.
const STEP: usize = 11;

fn same(name: &str, law: &str, one: &[u8], other: &[u8]) {
    if one != other {
        let at = one
            .iter()
            .zip(other)
            .position(|(one, other)| one != other)
            .unwrap_or(one.len().min(other.len()));
        let around = |bytes: &[u8]| {
            let range = at.saturating_sub(60)..(at + 40).min(bytes.len());
            String::from_utf8_lossy(bytes.get(range).unwrap_or(b"")).into_owned()
        };
        panic!(
            "{name}: {law}: byte {at}: `{}` and `{}`",
            around(one),
            around(other)
        );
    }
}

#[test]
fn no_edits_change_no_byte() {
    common::each_file(STEP, |name, bytes| {
        same(name, "no edits", &rewrite(&[], bytes).0, bytes)
    });
}

#[test]
fn an_edit_with_nothing_to_do_changes_nothing_in_a_sound_file() {
    common::each_file(STEP, |name, bytes| {
        let is_sound = |event: Event<'_>| match event {
            Event::Problem(problem) => {
                matches!(
                    problem.code,
                    Code::TextBeforeGame | Code::TextAfterGame | Code::AssumedCharset
                )
            }
            _ => true,
        };
        if SliceReader::new(bytes).events().flatten().all(is_sound) {
            same(
                name,
                "nothing to strip",
                &rewrite(&[("strip", "ZZZZZ")], bytes).0,
                bytes,
            );
        }
    });
}

#[test]
fn most_edits_done_twice_are_done_once() {
    let edits = [
        ("strip", "comments,markup"),
        ("keep", "B,W,AB,AW"),
        ("main-line", ""),
        ("depth", "2"),
        ("moves", "7"),
        ("set", "EV=x"),
        ("short-names", ""),
        ("pentobi", ""),
        ("expand", ""),
        ("compress", ""),
        ("text", ""),
        ("utf8", ""),
        ("repair", ""),
        ("upgrade", ""),
        ("canonical", ""),
    ];
    common::each_file(STEP, |name, bytes| {
        for edit in edits {
            let (once, _) = rewrite(&[edit], bytes);
            let (twice, _) = rewrite(&[edit], &once);
            same(name, edit.0, &once, &twice);
        }
    });
}

#[test]
fn a_turn_undone_gives_every_byte_back() {
    let turns = [
        ("rotate-90", "rotate-270"),
        ("rotate-180", "rotate-180"),
        ("mirror-columns", "mirror-columns"),
        ("mirror-rows", "mirror-rows"),
        ("transpose", "transpose"),
        ("antitranspose", "antitranspose"),
    ];
    common::each_file(STEP, |name, bytes| {
        // The first rewrite inserts missing characters and drops stray text.
        let (sound, _) = rewrite(&[("strip", "ZZZZZ")], bytes);
        for (turn, back) in turns {
            let (turned, _) = rewrite(&[("turn", turn)], &sound);
            same(name, turn, &rewrite(&[("turn", back)], &turned).0, &sound);
            same(
                name,
                turn,
                &rewrite(&[("turn", turn), ("turn", back)], &sound).0,
                &sound,
            );
        }
    });
}

#[test]
fn texts_mean_the_same_in_utf8_and_in_other_spellings() {
    /// Returns the decoded texts of a file.
    fn texts(bytes: &[u8]) -> Vec<String> {
        let mut reader = SliceReader::new(bytes);
        let mut texts = Vec::new();
        while let Some(Ok(event)) = reader.events().next() {
            if let Event::Property(property) = event
                && !property.ident().is(b"CA")
            {
                let charset = reader.charset();
                texts.extend(
                    property
                        .values()
                        .map(|value| value.with_charset(charset).text().into_owned()),
                );
            }
        }
        texts
    }
    common::each_file(STEP, |name, bytes| {
        let bytes = &*transcode(bytes);
        // The simple reader above reads a text before its CA too early.
        let (declared, _) = rewrite(&[("strip", "ZZZZZ")], bytes);
        let before_its_charset = SliceReader::new(&declared)
            .events()
            .flatten()
            .filter_map(|event| match event {
                Event::Property(property) => {
                    Some((property.ident().is(b"CA"), property.as_bytes().is_ascii()))
                }
                _ => None,
            })
            .scan(false, |had_high, (is_charset, is_ascii)| {
                *had_high |= !is_ascii;
                Some(is_charset && *had_high)
            })
            .any(|is_late| is_late);
        if before_its_charset {
            return;
        }
        let expected = texts(&declared);
        let (rewritten, _) = rewrite(&[("utf8", "")], bytes);
        assert!(texts(&rewritten) == expected, "{name}");
    });
}

#[test]
fn structure_stays_where_no_edit_touches_it() {
    common::each_file(STEP, |name, bytes| {
        let count = |bytes: &[u8]| {
            let mut count = Count::default();
            SliceReader::new(bytes)
                .drive(&mut count)
                .expect("no limit is set");
            (count.games, count.nodes, count.variations, count.moves())
        };
        let before = count(bytes);
        for edit in [
            ("strip", "comments"),
            ("utf8", ""),
            ("repair", ""),
            ("canonical", ""),
            ("swap-colors", ""),
        ] {
            assert_eq!(
                count(&rewrite(&[edit], bytes).0),
                before,
                "{name}: {edit:?}"
            );
        }
    });
}
