//! Compares how the readers obey the limit of depth.

use std::task::Poll;

use bytes::Bytes;
use sgfstream::parallel::PartReader;
use sgfstream::record::GameReader;
use sgfstream::{
    Error, Event, EventReader, Flow, Limits, Options, PushReader, Reader, Result, SliceReader,
    Span, Strict, from_fn,
};

const INPUT: &[u8] = b"(;B[aa](;W[bb](;B[cc](;W[dd]))))(;GM[2])";

/// Events before the third `(`.
const EVENTS: usize = 6;

fn options() -> Options {
    Options::default().with_limits(Limits::default().with_depth(2))
}

fn pushed() -> PushReader {
    let mut reader = PushReader::with_options(options());
    reader.feed(Bytes::from_static(INPUT));
    reader.finish();
    reader
}

/// Calls `read` until it fails, and returns the number of calls before the error.
fn calls_before_error(mut read: impl FnMut() -> Result<bool>) -> (usize, Error) {
    let mut calls = 0;
    loop {
        match read() {
            Ok(true) => calls += 1,
            Ok(false) => panic!("no error after {calls} calls"),
            Err(err) => return (calls, err),
        }
    }
}

/// Returns the number of events that a sink gets before the error.
fn driven(mut reader: impl EventReader) -> (usize, Error) {
    let mut events = 0;
    let result = reader.drive(&mut from_fn(|_, _| {
        events += 1;
        Flow::Go
    }));
    (events, result.expect_err("a limit is exceeded"))
}

fn advanced(mut reader: impl EventReader) -> (usize, Error) {
    calls_before_error(|| reader.advance())
}

fn returned(mut reader: impl EventReader) -> (usize, Error) {
    calls_before_error(|| Ok(reader.next_event()?.is_some()))
}

fn is_ready<T>(event: Poll<Option<Result<T>>>) -> Result<bool> {
    match event {
        Poll::Ready(Some(event)) => event.map(|_| true),
        Poll::Ready(None) | Poll::Pending => Ok(false),
    }
}

#[test]
fn every_reader_obeys_the_limit_of_depth() {
    let slice = || SliceReader::with_options(INPUT, options());
    let stream = || Reader::with_options(INPUT, options());
    let (mut iterated, mut borrowed, mut owned) = (slice(), pushed(), pushed());
    let mut sunk = 0;
    let mut sink = from_fn(|_, _| {
        sunk += 1;
        Flow::Go
    });
    let Poll::Ready(Err(err)) = pushed().drive(&mut sink) else {
        panic!("no error from a driven push reader")
    };
    for (way, (events, err)) in [
        ("slice, advance", advanced(slice())),
        ("slice, next_event", returned(slice())),
        (
            "slice, events",
            calls_before_error(|| Ok(iterated.events().next().transpose()?.is_some())),
        ),
        ("slice, drive", driven(slice())),
        ("stream, advance", advanced(stream())),
        ("stream, next_event", returned(stream())),
        ("stream, drive", driven(stream())),
        ("strict, advance", advanced(Strict::new(slice()))),
        (
            "boxed, drive",
            driven(Box::new(slice()) as Box<dyn EventReader>),
        ),
        (
            "part, advance",
            advanced(PartReader::whole(&mut &INPUT[..], options(), None)),
        ),
        (
            "part, drive",
            driven(PartReader::whole(&mut &INPUT[..], options(), None)),
        ),
        (
            "push, next_event",
            calls_before_error(|| is_ready(borrowed.next_event())),
        ),
        (
            "push, next_owned",
            calls_before_error(|| is_ready(owned.next_owned())),
        ),
        ("push, drive", (sunk, err)),
    ] {
        assert_eq!(events, EVENTS, "{way}");
        assert!(
            err.is_limit()
                && err
                    .to_string()
                    .contains("more than 2 variations are nested"),
            "{way}: {err}"
        );
    }
    let err = GameReader::new(slice())
        .next_game()
        .expect_err("the first game is too deep");
    assert!(err.is_limit(), "{err}");
}

#[test]
fn a_boxed_reader_has_the_games_of_the_reader_inside() {
    let mut games = GameReader::new(Box::new(SliceReader::new(INPUT)) as Box<dyn EventReader>);
    let mut spans = Vec::new();
    while let Some(game) = games.next_game().expect("no limit is set") {
        let game = game.expect("the game is short");
        spans.push((game.span(), game.nodes().count(), game.as_bytes().len()));
    }
    assert_eq!(
        spans,
        [(Span::new(0, 32), 4, 32), (Span::new(32, 40), 1, 8)]
    );
}

#[test]
fn the_last_event_can_be_read_again() {
    let mut reader = SliceReader::new(b"(;C[a]PB[b][c];B[dd]) x");
    assert_eq!(reader.event(), Event::Gap(b""));
    let events: Vec<_> = reader
        .clone()
        .events()
        .flatten()
        .map(Event::into_owned)
        .collect();
    for event in &events {
        assert_eq!(
            reader
                .events()
                .next()
                .map(|event| event.map(Event::into_owned).ok()),
            Some(Some(event.clone()))
        );
        assert_eq!(&reader.event().into_owned(), event);
    }
    for stop in 1..=events.len() {
        let mut reader = SliceReader::new(b"(;C[a]PB[b][c];B[dd]) x");
        let mut left = stop;
        let mut sink = from_fn(|_, _| {
            left -= 1;
            if left == 0 { Flow::Stop } else { Flow::Go }
        });
        reader.drive(&mut sink).expect("no limit is set");
        assert_eq!(reader.event().into_owned(), events[stop - 1], "{stop}");
    }
}
