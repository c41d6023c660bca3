//! The three ways in give the same events however the bytes are cut, events
//! and gaps give the bytes back, a skip lands where reading comes to, and
//! parts read as the whole.
use std::task::Poll;

use bytes::Bytes;
use sgfstream::parallel::{End, PartReader};
use sgfstream::{
    Event, EventReader, FramingPolicy, Limits, Options, OwnedEvent, PushReader, Reader, SliceReader, Span,
};

use super::draw::ways;

type Log = Vec<(OwnedEvent, Span)>;

/// Panics where it does not hold.
pub fn holds(data: &[u8]) {
    // The last bytes say how to read, so that files are inputs as they are.
    let knob = data.last().copied().unwrap_or(0);
    let framing = [FramingPolicy::Auto, FramingPolicy::Value, FramingPolicy::Whole][usize::from(knob) % 3];
    let limits = match knob / 3 % 4 {
        0 => Limits::default().with_property(16).with_identifier(4).with_lookahead(64).with_repairs(2),
        1 => Limits::default().with_property(40),
        _ => Limits::default(),
    };
    let options = Options::default().with_framing(framing).with_limits(limits);

    let expected = slice(data, options);
    let cut = usize::from(data.first().copied().unwrap_or(0)) * (data.len() + 1) / 256;
    let capacity = 1 + usize::from(knob % 61);
    let chunks = || data.chunks(1 + usize::from(knob % 7)).collect::<Vec<&[u8]>>();
    for way in ways(data, 6) {
        match way {
            0 => all_bytes_come_back(data, options),
            1 => same(&stream(data, options, capacity), &expected, "a small buffer"),
            2 => same(&push(&[&data[..cut], &data[cut..]], options), &expected, "pushed in two"),
            3 => same(&push(&chunks(), options), &expected, "pushed in pieces"),
            4 => skips(data, options, &expected, cut),
            _ => in_parts(data, options, &expected, 16 + cut as u64 % 200),
        }
    }
}

fn same(got: &Log, expected: &Log, how: &str) {
    if got != expected {
        let first = got.iter().zip(expected).take_while(|(one, other)| one == other).count();
        panic!("{how}: event {first}: expected {:?}, found {:?}", expected.get(first), got.get(first));
    }
}

fn slice(data: &[u8], options: Options) -> Log {
    rest(SliceReader::with_options(data, options))
}

fn rest(mut reader: SliceReader<'_>) -> Log {
    let mut log = Log::new();
    while let Some(event) = reader.next() {
        let values = |event: &Event<'_>| match event {
            Event::Property(property) => property.values().map(|value| value.as_bytes().to_vec()).collect(),
            _ => Vec::new(),
        };
        let kept = event.into_owned();
        assert_eq!(values(&kept.as_event()), values(&event), "values of an event that was kept");
        log.push((kept, reader.span()));
    }
    log
}

fn stream(data: &[u8], options: Options, capacity: usize) -> Log {
    let mut reader = Reader::with_buffer(data, options, capacity);
    let mut log = Log::new();
    while let Some(event) = reader.next_event().expect("memory can be read").map(|event| event.into_owned()) {
        log.push((event, reader.span()));
    }
    log
}

fn push(chunks: &[&[u8]], options: Options) -> Log {
    let mut reader = PushReader::with_options(options);
    let mut log = Log::new();
    for chunk in chunks.iter().map(Some).chain([None]) {
        match chunk {
            Some(chunk) => reader.feed(Bytes::copy_from_slice(chunk)),
            None => reader.finish(),
        }
        while let Poll::Ready(Some(event)) = reader.next_owned() {
            log.push((event, reader.place().span));
        }
    }
    assert_eq!(reader.next_owned(), Poll::Ready(None));
    log
}

/// Events in their order, and the gaps between them, are the input.
fn all_bytes_come_back(data: &[u8], options: Options) {
    let mut reader = SliceReader::with_options(data, options.with_gaps(true));
    let mut at = 0;
    while let Some(event) = reader.next() {
        let is_problem = matches!(event, Event::Problem(_));
        let span = reader.span();
        if !is_problem {
            assert_eq!(span.start, at, "{span}");
            at = span.end;
        }
    }
    assert_eq!(at, data.len() as u64);
}

/// A skip after some event goes on where reading would have.
fn skips(data: &[u8], options: Options, expected: &Log, cut: usize) {
    let index = cut % expected.len().max(1);
    for whole_game in [false, true] {
        let mut reader = SliceReader::with_options(data, options);
        for _ in 0..=index {
            if reader.next().is_none() {
                return;
            }
        }
        let at = reader.span();
        if whole_game {
            reader.skip_game();
        } else {
            reader.skip_variation();
        }
        let got = rest(reader);
        assert!(expected.ends_with(&got), "after {at}, skipped a game: {whole_game}");
    }
}

/// Read in parts, one after another.
fn in_parts(data: &[u8], options: Options, expected: &Log, block: u64) {
    let mut log = Log::new();
    let mut index = 0;
    loop {
        let part = PartReader::open(&data, options, block.max(16), index, &|| true).expect("memory can be read");
        let mut part = part.expect("the part before ended where this one begins");
        while part.advance().expect("memory can be read") {
            log.push((part.event().into_owned(), part.span()));
        }
        match part.finish().expect("memory can be read").end {
            End::Unit(next) => index = next,
            End::Input => break,
        }
    }
    same(&log, expected, "in parts");
}
