//! A reader retains the bytes of the input unchanged.

use std::io::{self, Read};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use sgfstream::parallel::PartReader;
use sgfstream::{Event, EventReader, Options, Reader, SliceReader};

use crate::random::PIECES;

/// Reader that returns single bytes.
struct Bytes<'a>(&'a [u8]);

impl Read for Bytes<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = buf.len().min(1);
        self.0.read(&mut buf[..len])
    }
}

proptest! {
    #[test]
    fn retained_bytes_are_those_of_the_input(
        pieces in vec(select(&PIECES[..]), 0..40),
        // For each event: no change, the offset to retain from, or the end of retaining.
        calls in vec(prop_oneof![4 => Just(None), 2 => (0..64_u64).prop_map(|back| Some(Some(back))), 1 => Just(Some(None))], 1..40),
    ) {
        let input = pieces.concat();
        let mut reader = Reader::with_buffer(Bytes(&input), Options::default(), 1);
        let (mut from, mut events, mut calls) = (None, Vec::new(), calls.into_iter().cycle());
        while let Some(event) = reader.next_event().expect("no error of memory") {
            events.push(event.into_owned());
            if let Some(call) = calls.next().flatten() {
                let window = reader.window();
                // Released bytes do not come back.
                from = call.map(|back| reader.offset().saturating_sub(back).max(window.start));
                reader.retain(from);
            }
            let window = reader.window();
            if let Some(from) = from {
                prop_assert!(window.start <= from);
                prop_assert_eq!(reader.bytes(from..window.end), Some(&input[from as usize..window.end as usize]));
            }
            prop_assert_eq!(reader.bytes(window.clone()), Some(&input[window.start as usize..window.end as usize]));
            prop_assert_eq!(reader.bytes(window.start..window.end + 1), None);
            if let Some(before) = window.start.checked_sub(1) {
                prop_assert_eq!(reader.bytes(before..window.end), None);
            }
            let at = reader.span().start;
            prop_assert_eq!(reader.position_of(at), SliceReader::new(&input).position_of(at));
        }
        let whole: Vec<_> = SliceReader::new(&input).events().flatten().map(Event::into_owned).collect();
        prop_assert_eq!(whole, events);
    }
}

/// The reader retains a game of several blocks, and no bytes after the caller releases it.
#[test]
fn a_game_is_retained_to_its_end() {
    let game = format!("(;B[aa]{})\n", ";W[bb];B[cc]".repeat(100_000));
    let input = game.repeat(3).into_bytes();
    let mut read = &input[..];
    let mut reader = PartReader::whole(&mut read, Options::default(), None);
    let (mut start, mut games) = (0, 0);
    reader.retain(Some(0));
    while reader.advance().expect("no error of memory") {
        if matches!(reader.event(), Event::VariationEnd(_)) {
            let end = reader.span().end;
            assert!(reader.bytes(start..end) == Some(&input[start as usize..end as usize]));
            reader.retain(Some(end));
            (start, games) = (end, games + 1);
            let window = reader.window();
            assert!(window.end - window.start < game.len() as u64 + (1 << 20));
        }
    }
    assert_eq!(games, 3);
    reader.retain(None);
    assert_eq!(reader.bytes(0..8), None);
}
