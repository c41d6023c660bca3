//! The three readers return the same events however the bytes are cut. Events
//! and gaps together are the input. A skip ends where reading ends, and parts
//! have the events of the whole.
use std::task::Poll;

use bytes::Bytes;
use sgfstream::internal::End;
use sgfstream::parallel::PartReader;
use sgfstream::{
    Event, EventReader, FramingPolicy, Limits, Options, OwnedEvent, PushReader, Reader,
    SliceReader, Span,
};

use super::{Choice, Property};

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "reader",
    ways: 7,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    let way = choice.below(7);
    let framing = choice.one_of(&[
        FramingPolicy::Auto,
        FramingPolicy::Value,
        FramingPolicy::Whole,
    ]);
    let limits = match choice.below(4) {
        0 => Limits::default()
            .with_property(16)
            .with_identifier(4)
            .with_lookahead(64)
            .with_repairs(2),
        1 => Limits::default().with_property(40),
        _ => Limits::default(),
    };
    let options = Options::default().with_framing(framing).with_limits(limits);
    match way {
        0 => all_bytes_come_back(data, options),
        1 => events_can_be_kept(data, options),
        2 => stream(data, options, 1 + choice.below(61)),
        3 => {
            let (first, second) = data.split_at(choice.below(data.len() + 1));
            pushed(&[first, second], data, options);
        }
        4 => pushed(
            &data.chunks(1 + choice.below(7)).collect::<Vec<_>>(),
            data,
            options,
        ),
        5 => skips(data, options, choice),
        _ => in_parts(data, options, 16 + choice.below(200) as u64),
    }
}

/// Events of a slice, to compare with the events of another reader one by one.
struct Expected<'d> {
    reader: SliceReader<'d>,
    how: &'static str,
}

impl<'d> Expected<'d> {
    fn new(data: &'d [u8], options: Options, how: &'static str) -> Self {
        Self {
            reader: SliceReader::with_options(data, options),
            how,
        }
    }

    fn is_next(&mut self, event: &Event<'_>, span: Span) {
        let how = self.how;
        let Some(Ok(expected)) = self.reader.events().next() else {
            panic!("{how}: expected no event, found {event:?}")
        };
        // Compare without the framing, because two readers may note it differently.
        if expected != *event {
            assert_eq!(
                event.into_owned(),
                expected.into_owned(),
                "{how}: event at {span}"
            );
        }
        assert_eq!(span, self.reader.span(), "{how}: span of {event:?}");
    }

    fn ends(mut self) {
        assert!(
            self.reader.events().next().is_none(),
            "{}: an event is missing",
            self.how
        );
    }
}

/// Checks that an owned event has the same values.
fn events_can_be_kept(data: &[u8], options: Options) {
    for event in SliceReader::with_options(data, options).events().flatten() {
        let Event::Property(property) = event else {
            continue;
        };
        let kept: OwnedEvent = event.into_owned();
        let Event::Property(again) = kept.as_event() else {
            panic!("expected a property, found {kept:?}")
        };
        let values = |property: &sgfstream::Property<'_>| -> Vec<Vec<u8>> {
            property
                .values()
                .map(|value| value.as_bytes().to_vec())
                .collect()
        };
        assert_eq!(
            values(&again),
            values(&property),
            "values of an event that was kept"
        );
    }
}

fn stream(data: &[u8], options: Options, capacity: usize) {
    let mut expected = Expected::new(data, options, "a small buffer");
    let mut reader = Reader::with_buffer(data, options, capacity);
    while reader.advance().expect("memory can be read") {
        expected.is_next(&reader.event(), reader.span());
    }
    expected.ends();
}

fn pushed(chunks: &[&[u8]], data: &[u8], options: Options) {
    let mut expected = Expected::new(data, options, "pushed");
    let mut reader = PushReader::with_options(options);
    for chunk in chunks.iter().map(Some).chain([None]) {
        match chunk {
            Some(chunk) => reader.feed(Bytes::copy_from_slice(chunk)),
            None => reader.finish(),
        }
        while let Poll::Ready(Some(event)) = reader.next_owned() {
            expected.is_next(
                &event.expect("no limit is set").as_event(),
                reader.place().span,
            );
        }
    }
    assert!(matches!(reader.next_owned(), Poll::Ready(None)));
    expected.ends();
}

/// Checks that events and gaps, in order, are the input.
fn all_bytes_come_back(data: &[u8], options: Options) {
    let mut reader = SliceReader::with_options(data, options.with_gaps(true));
    let mut at = 0;
    while let Some(Ok(event)) = reader.events().next() {
        let is_problem = matches!(event, Event::Problem(_));
        let span = reader.span();
        if !is_problem {
            assert_eq!(span.start, at, "{span}");
            at = span.end;
        }
    }
    assert_eq!(at, data.len() as u64);
}

/// Checks that a skip after some event continues where reading would.
fn skips(data: &[u8], options: Options, mut choice: Choice) {
    let whole_game = choice.below(2) == 1;
    let count = SliceReader::with_options(data, options).events().count();
    let index = choice.below(count.max(1));
    let mut reader = SliceReader::with_options(data, options);
    for _ in 0..=index {
        if reader.events().next().is_none() {
            return;
        }
    }
    let at = reader.span();
    if whole_game {
        reader.skip_game();
    } else {
        reader.skip_variation();
    }
    let left = reader.clone().events().count();
    assert!(
        left < count - index,
        "after {at}, skipped a game: {whole_game}: {left} events of {count}"
    );
    let mut expected = Expected::new(data, options, "after a skip");
    for _ in 0..count - left {
        expected.reader.events().next();
    }
    while let Some(Ok(event)) = reader.events().next() {
        expected.is_next(&event, reader.span());
    }
}

/// Checks the events of parts, read one after another.
fn in_parts(data: &[u8], options: Options, block: u64) {
    let mut expected = Expected::new(data, options, "in parts");
    let mut index = 0;
    loop {
        let part =
            PartReader::open(&data, options, block, index, &|| true).expect("memory can be read");
        let mut part = part.expect("the part before ended where this one begins");
        while part.advance().expect("memory can be read") {
            expected.is_next(&part.event(), part.span());
        }
        match part.finish().expect("memory can be read").end {
            End::Part(next) => index = next,
            End::Input => return expected.ends(),
        }
    }
}
