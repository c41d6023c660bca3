//! Compares every reader, however the input is cut, with one list of events.

use std::io::{self, Read};
use std::task::Poll;

use bytes::Bytes;
use sgfstream::internal::LineCursor;
use sgfstream::parallel::PartReader;
use sgfstream::{
    Charset, CharsetSource, Detection, Event, EventReader, Flow, FramingPolicy, Limits, Options,
    Place, Property, PushReader, Reader, Sink, SliceReader, Span, Variation,
};

use crate::twin::{Bounds, Kind, Step, log};

/// Asserts that all readers, however the bytes are cut, return the events
/// `expected` under `Framing::Value`, and equal events under the other
/// framings.
pub fn assert_all_read(input: &[u8], bounds: Bounds, expected: &[Step]) {
    let options = options(bounds, FramingPolicy::Value);
    assert_slice_reads(input, options, expected);
    assert_splits_read(input, options, expected);
    assert_positions(input, options);
    for framing in [FramingPolicy::Auto, FramingPolicy::Whole] {
        let options = self::options(bounds, framing);
        let read = slice(input, options);
        assert_splits_read(input, options, &read);
        assert_skips(input, options, &read);
        let detecting = options.with_detection(Detection::new(&by_sum));
        let detected = slice(input, detecting);
        assert_same(&detected, &read, input, || "with a charset detected".into());
        // Readers that detect charsets look ahead, so they see such a short input whole. So only
        // some inputs are tried.
        if input.len().is_multiple_of(8) {
            assert_splits_read(input, detecting, &read);
        }
    }
}

/// Like `assert_all_read`, but only for a slice and for single bytes: an input of many blocks
/// takes a fast path in a slice, and the slow path in single bytes.
pub fn assert_slice_and_bytes_read(input: &[u8], expected: &[Step]) {
    assert_slice_reads(
        input,
        options(Bounds::default(), FramingPolicy::Value),
        expected,
    );
    for framing in [
        FramingPolicy::Value,
        FramingPolicy::Auto,
        FramingPolicy::Whole,
    ] {
        let options = options(Bounds::default(), framing);
        let bytes: Vec<&[u8]> = input.chunks(1).collect();
        assert_same(
            &push(&bytes, options),
            &slice(input, options),
            input,
            || "pushed byte by byte".into(),
        );
    }
}

/// Asserts that a sink, a loop and a stream get the same events, places and charsets from a reader
/// that detects charsets.
pub fn assert_detected_alike(input: &[u8]) {
    struct Charsets(Vec<String>);
    impl Sink for Charsets {
        fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
            self.0.push(format!("{event:?} at {place:?}"));
            Flow::Go
        }
    }
    let options = Options::default().with_detection(Detection::new(&by_sum));
    let mut driven = Charsets(Vec::new());
    SliceReader::with_options(input, options)
        .drive(&mut driven)
        .expect("no limit is set");
    let mut looped = Vec::new();
    let mut reader = SliceReader::with_options(input, options);
    while reader.advance().expect("no limit is set") {
        looped.push(format!("{:?} at {:?}", reader.event(), reader.place()));
    }
    let mut streamed = Charsets(Vec::new());
    Reader::with_buffer(input, options, 1)
        .drive(&mut streamed)
        .expect("no limit is set");
    for (how, found) in [("a loop", looped), ("a stream", streamed.0)] {
        let first = (0..found.len()).find(|&at| found.get(at) != driven.0.get(at));
        assert!(
            found == driven.0,
            "{how}: {:?}, of {}",
            first.map(|at| (&found[at], driven.0.get(at))),
            input.escape_ascii()
        );
    }
}

/// Detection whose result depends on every byte that it gets.
fn by_sum(game: &[u8]) -> Option<(Charset, CharsetSource)> {
    let labels: [&[u8]; 3] = [b"none", b"GBK", b"windows-1252"];
    let sum: usize = game.iter().map(|&byte| usize::from(byte)).sum();
    Charset::for_label(labels[sum % 3]).map(|charset| (charset, CharsetSource::Detected))
}

/// If the input fails while detection looks ahead, the reader still returns the events before the
/// failure, each once.
#[test]
fn events_before_a_failure_are_returned() {
    struct Faulty<'a>(&'a [u8], u8);
    impl std::io::Read for Faulty<'_> {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                self.1 += 1;
                return Err(std::io::Error::other(format!("fault {}", self.1)));
            }
            self.0.read(buf)
        }
    }
    let input = b"(;C[\xe9])(;B[aa]C[\xe9\xe9];W[bb]C[un";
    let events = |detection: Option<Detection>| {
        let mut reader = Reader::with_options(
            Faulty(input, 0),
            Options::default().with_detection(detection),
        );
        let mut events = Vec::new();
        loop {
            match reader.next_event() {
                Ok(event) => events.push(format!("{:?}", event.expect("it fails before its end"))),
                Err(err) => return (events, err.to_string(), reader.detected().games),
            }
        }
    };
    let (expected, fault, _) = events(None);
    assert!(
        expected.len() == 10 && fault.contains("fault 1"),
        "{expected:?} {fault}"
    );
    let gbk = Detection::new(&|_| {
        Charset::for_label(b"GBK").map(|charset| (charset, CharsetSource::Guessed))
    });
    assert_eq!(events(Some(gbk)), (expected, fault, 2));
}

/// However a long input is cut, detection gets the same bytes of each game, and no bytes of a
/// skipped game.
#[test]
fn detection_looks_at_the_same_bytes() {
    let mut input = Vec::new();
    for game in 0..400_usize {
        let text: &[u8] = if game % 3 == 0 { b"\xe9" } else { b"x" };
        input.extend_from_slice(b" junk (;GM[1];B[aa]C[");
        (0..game * 7 % 1000).for_each(|_| input.extend_from_slice(text));
        input.extend_from_slice(b"])");
    }
    let options = Options::default().with_detection(Detection::new(&by_sum));
    fn charsets(mut reader: impl EventReader, skipped: u64) -> Vec<(u64, Charset, CharsetSource)> {
        let mut found = Vec::new();
        while reader.advance().expect("reading memory does not fail") {
            match reader.event() {
                Event::VariationStart { .. }
                    if skipped > 0 && reader.game().is_multiple_of(skipped) =>
                {
                    reader.skip_game()
                }
                Event::Property(property) if property.ident() == "C" => {
                    found.push((
                        reader.game(),
                        reader.charset(),
                        reader.place().charset_source,
                    ));
                }
                _ => {}
            }
        }
        found
    }
    let expected = charsets(SliceReader::with_options(&input, options), 0);
    for name in ["GBK", "windows-1252", Charset::AUTO.name()] {
        assert!(
            expected
                .iter()
                .filter(|found| found.1.name() == name)
                .count()
                > 50,
            "{name}"
        );
    }
    for capacity in [1, 100, 70_000, 1_000_000] {
        assert_eq!(
            charsets(Reader::with_buffer(&input[..], options, capacity), 0),
            expected,
            "{capacity}"
        );
    }
    assert_eq!(
        charsets(
            Reader::with_options(
                ShortReads {
                    rest: &input,
                    step: 4_099
                },
                options
            ),
            0
        ),
        expected
    );
    let mut kept = expected.clone();
    kept.retain(|found| found.0 % 5 != 0);
    assert_eq!(
        charsets(SliceReader::with_options(&input, options), 5),
        kept
    );
    let mut read = &input[..];
    let mut part = PartReader::whole(&mut read, options, None);
    let end = part.finish().expect("reading memory does not fail");
    assert_eq!((end.games, end.detected.games), (400, 0));
    let mut reader = PushReader::with_options(options);
    let mut pushed = Vec::new();
    for chunk in input.chunks(50_000).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => reader.feed(Bytes::copy_from_slice(chunk)),
            None => reader.finish(),
        }
        while let Poll::Ready(Some(Ok(event))) = reader.next_event() {
            if matches!(event, Event::Property(property) if property.ident() == "C") {
                let Place {
                    game,
                    charset,
                    charset_source,
                    ..
                } = reader.place();
                pushed.push((game, charset, charset_source));
            }
        }
    }
    assert_eq!(pushed, expected);
}

/// Returns the options of the reader for `bounds`.
pub fn options(bounds: Bounds, framing: FramingPolicy) -> Options {
    let Bounds {
        property,
        identifier,
        lookahead,
    } = bounds;
    let limits = Limits::default()
        .with_property(property)
        .with_identifier(identifier)
        .with_lookahead(lookahead);
    Options::default().with_limits(limits).with_framing(framing)
}

/// Checks the events, gaps and skips of a slice.
pub fn assert_slice_reads(input: &[u8], options: Options, expected: &[Step]) {
    assert_slice_reads_once(input, options, expected);
    assert_skips(input, options, expected);
}

/// Checks the events and gaps of a slice.
pub fn assert_slice_reads_once(input: &[u8], options: Options, expected: &[Step]) {
    assert_same(&slice(input, options), expected, input, || "slice".into());
    assert_drives(input, options, expected);
    assert_gaps_give_all(input, options, expected);
}

fn assert_splits_read(input: &[u8], options: Options, expected: &[Step]) {
    for capacity in 1..=40 {
        let got = stream(Reader::with_buffer(input, options, capacity));
        assert_same(&got, expected, input, || {
            format!("a buffer of {capacity} bytes")
        });
    }
    for step in [1, 3] {
        let got = stream(Reader::with_options(
            ShortReads { rest: input, step },
            options,
        ));
        assert_same(&got, expected, input, || format!("{step} bytes a read"));
    }
    for cut in (0..=input.len()).step_by(stride(input.len())) {
        let (head, tail) = input.split_at(cut);
        assert_same(&push(&[head, tail], options), expected, input, || {
            format!("pushed, cut at {cut}")
        });
    }
    let bytes: Vec<&[u8]> = input.chunks(1).collect();
    assert_same(&push(&bytes, options), expected, input, || {
        "pushed byte by byte".into()
    });
    assert_same(&push_all_then_ask(&bytes, options), expected, input, || {
        "pushed byte by byte, asked at the end".into()
    });
    assert_same(&poll(&bytes, options), expected, input, || {
        "owned, byte by byte".into()
    });
    assert_same(&poll(&[input], options), expected, input, || {
        "owned, in one".into()
    });
}

/// Checks that line and column of an event equal a count from the start of the
/// input, for any buffer size and any order of requests.
fn assert_positions(input: &[u8], options: Options) {
    for capacity in [1, 7, 40] {
        let mut reader = Reader::with_buffer(input, options, capacity);
        while let Some(event) = reader.next_event().expect("reading memory does not fail") {
            let what = format!(
                "{event:?} of {}, a buffer of {capacity} bytes",
                input.escape_ascii()
            );
            let span = reader.span();
            _ = reader.position_of(span.end);
            for _ in 0..2 {
                let mut lines = LineCursor::default();
                lines.advance(&input[..span.start as usize]);
                assert_eq!(
                    reader.position_of(span.start),
                    lines.position(),
                    "the start of {what}"
                );
            }
        }
    }
}

/// Returns every place of a short input, or a few hundred places of a long one.
fn stride(len: usize) -> usize {
    1 + len / 300
}

#[track_caller]
fn assert_same(got: &[Step], expected: &[Step], input: &[u8], how: impl FnOnce() -> String) {
    if got == expected {
        return;
    }
    let first = got
        .iter()
        .zip(expected)
        .take_while(|(got, expected)| got == expected)
        .count();
    panic!(
        "{}, on b\"{}\":\nexpected {}\nfound    {}\nfirst difference: expected {:?}\n                  found    {:?}",
        how(),
        input.escape_ascii(),
        log(expected),
        log(got),
        expected.get(first),
        got.get(first),
    );
}

/// Checks that every reader passes a sink the events that a loop gets, with
/// their places, and that the trait `EventReader` returns the same events.
fn assert_drives(input: &[u8], options: Options, expected: &[Step]) {
    let driven = |drive: &mut dyn FnMut(&mut Steps)| {
        let mut steps = Steps::default();
        drive(&mut steps);
        steps.0
    };
    let ways: [(&str, Vec<Step>); 4] = [
        (
            "slice",
            driven(&mut |steps| drive(SliceReader::with_options(input, options), steps)),
        ),
        (
            "stream",
            driven(&mut |steps| drive(Reader::with_options(input, options), steps)),
        ),
        (
            "part",
            driven(&mut |steps| drive(PartReader::whole(&mut &input[..], options, None), steps)),
        ),
        (
            "push",
            driven(&mut |steps| {
                let mut reader = PushReader::with_options(options);
                reader.feed(Bytes::copy_from_slice(input));
                _ = reader.drive(steps);
                reader.finish();
                _ = reader.drive(steps);
            }),
        ),
    ];
    for (way, steps) in ways {
        assert_same(&steps, expected, input, || {
            format!("a sink, driven by the {way}")
        });
    }
    let mut reader = SliceReader::with_options(input, options);
    let mut steps = Steps::default();
    while reader.advance().expect("no limit is set") {
        _ = steps.take(&reader.event(), &reader.place());
    }
    assert_same(&steps.0, expected, input, || "one by one".into());
}

fn drive(mut reader: impl EventReader, steps: &mut Steps) {
    reader
        .drive(steps)
        .expect("memory can be read, and no limit is set");
}

/// A property with two letters as its value has the shape of a move.
#[test]
fn the_shape_of_a_move_is_a_move_by_its_letter_only() {
    let moves = ";B[aa];W[bb]".repeat(20);
    for letter in 'A'..='Z' {
        for end in ["", "\n"] {
            let input = format!("(;GM[1]{moves};{letter}[hi]{end}{moves})");
            let options = options(Bounds::default(), FramingPolicy::Value);
            let expected = slice(input.as_bytes(), options);
            assert_drives(input.as_bytes(), options, &expected);
        }
    }
}

/// Sink that collects events, each through the method for its kind.
#[derive(Default)]
struct Steps(Vec<Step>);

impl Sink for Steps {
    fn plays(&self) -> bool {
        true
    }

    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        let has_method = match event {
            Event::NodeStart { supplied } => !supplied,
            Event::Property(property) => property.as_move().is_some(),
            _ => false,
        };
        assert!(!has_method, "{event:?} has a method of its own");
        self.0.push(step_of(event, place.span));
        Flow::Go
    }

    fn node(&mut self, place: &Place) -> Flow {
        self.0
            .push(step_of(&Event::NodeStart { supplied: false }, place.span));
        Flow::Go
    }

    fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
        assert_eq!(property.as_move(), Some((letter, point)));
        self.0
            .push(step_of(&Event::Property(*property), place.span));
        Flow::Go
    }
}

/// Checks that events and gaps together are the bytes of the input.
fn assert_gaps_give_all(input: &[u8], options: Options, expected: &[Step]) {
    let mut bytes = Vec::new();
    let mut steps = Vec::new();
    let mut reader = SliceReader::with_options(input, options.with_gaps(true));
    while let Some(Ok(event)) = reader.events().next() {
        match event {
            Event::Gap(gap) => {
                assert_eq!(
                    reader.span(),
                    Span::new(bytes.len() as u64, (bytes.len() + gap.len()) as u64)
                );
                bytes.extend_from_slice(gap);
            }
            event => {
                let span = reader.span();
                if !matches!(event, Event::Problem(_)) {
                    assert_eq!(
                        span.start,
                        bytes.len() as u64,
                        "{event:?}, of {}",
                        input.escape_ascii()
                    );
                    bytes.extend_from_slice(&input[span.start as usize..span.end as usize]);
                }
                steps.push(step_of(&event, span));
            }
        }
    }
    assert!(
        bytes == input,
        "expected {}\nfound    {}",
        input.escape_ascii(),
        bytes.escape_ascii()
    );
    assert_same(&steps, expected, input, || "with gaps".into());
    // A small limit of identifiers, which no input here reaches, turns the fast paths off. The gaps
    // stay the same.
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric();
    if !input
        .split(|byte| !is_letter(byte))
        .any(|word| word.len() >= SLOW)
    {
        let slow = options
            .limits
            .with_identifier(options.limits.identifier.min(SLOW));
        let [found, expected] =
            [options, options.with_limits(slow)].map(|options| gaps(input, options));
        assert_eq!(found, expected, "gaps of {}", input.escape_ascii());
    }
}

/// Limits with identifiers shorter than a block, so that there are no fast paths.
const SLOW: usize = 63;

/// Returns the gaps with their places, games and depths.
fn gaps(input: &[u8], options: Options) -> Vec<(Span, u64, u64)> {
    let mut gaps = Vec::new();
    let mut reader = SliceReader::with_options(input, options.with_gaps(true));
    while let Some(Ok(event)) = reader.events().next() {
        if let Event::Gap(_) = event {
            gaps.push((reader.span(), reader.game(), reader.depth()));
        }
    }
    gaps
}

/// Checks that a skip after any event continues where reading would.
fn assert_skips(input: &[u8], options: Options, expected: &[Step]) {
    let mut depth = 0;
    for (index, step) in expected.iter().enumerate() {
        let ends = matches!(step.kind, Kind::VariationEnd { .. });
        depth += usize::from(matches!(step.kind, Kind::VariationStart { .. }));
        depth -= usize::from(ends);
        if index % stride(expected.len()) != 0 {
            continue;
        }
        for whole_game in [false, true] {
            let mut reader = SliceReader::with_options(input, options);
            for _ in 0..=index {
                assert!(reader.advance().expect("no limit is set"));
            }
            let levels = if whole_game {
                depth
            } else {
                usize::from(!ends && depth > 0)
            };
            if whole_game {
                reader.skip_game();
            } else {
                reader.skip_variation();
            }
            let next = end_after(&expected[index + 1..], levels) + index + 1;
            let got = rest(reader);
            let how = || format!("after {} events, skipped {levels} levels", index + 1);
            assert_same(&got, &expected[next..], input, how);
        }
    }
}

/// Returns the index in `steps` at which the variation `levels` up ends.
fn end_after(steps: &[Step], levels: usize) -> usize {
    let mut open = levels;
    if open == 0 {
        return 0;
    }
    for (index, step) in steps.iter().enumerate() {
        match step.kind {
            Kind::VariationStart { .. } => open += 1,
            Kind::VariationEnd { .. } if open == 1 => return index,
            Kind::VariationEnd { .. } => open -= 1,
            _ => {}
        }
    }
    panic!("every variation ends")
}

fn slice(input: &[u8], options: Options) -> Vec<Step> {
    let mut reader = SliceReader::with_options(input, options);
    let (mut steps, mut depth, mut game) = (Vec::new(), 0, 0);
    let mut ended = false;
    while let Some(Ok(event)) = reader.events().next() {
        depth -= u64::from(std::mem::take(&mut ended));
        match event {
            Event::VariationStart { .. } => {
                game += u64::from(depth == 0);
                depth += 1;
            }
            Event::VariationEnd { .. } => ended = true,
            _ => {}
        }
        let what = || {
            format!(
                "{event:?} at {}, of {}",
                reader.span(),
                input.escape_ascii()
            )
        };
        assert_eq!(
            (reader.depth(), reader.game()),
            (depth, game),
            "depth and game at {}",
            what()
        );
        steps.push(step_of(&event, reader.span()));
    }
    steps
}

fn rest(mut reader: SliceReader<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    while let Some(Ok(event)) = reader.events().next() {
        steps.push(step_of(&event, reader.span()));
    }
    steps
}

fn stream(mut reader: Reader<impl Read>) -> Vec<Step> {
    let mut steps = Vec::new();
    while let Some(mut step) = reader
        .next_event()
        .expect("reading memory does not fail")
        .map(|event| step_of(&event, Span::default()))
    {
        assert_eq!(
            step_of(&reader.event(), Span::default()),
            step,
            "the event again"
        );
        step.span = reader.span().start..reader.span().end;
        steps.push(step);
    }
    steps
}

fn push(chunks: &[&[u8]], options: Options) -> Vec<Step> {
    let mut reader = PushReader::with_options(options);
    let mut steps = Vec::new();
    for chunk in chunks {
        reader.feed(Bytes::copy_from_slice(chunk));
        take_pushed(&mut reader, &mut steps);
    }
    reader.finish();
    take_pushed(&mut reader, &mut steps);
    assert!(matches!(reader.next_event(), Poll::Ready(None)));
    steps
}

fn push_all_then_ask(chunks: &[&[u8]], options: Options) -> Vec<Step> {
    let mut reader = PushReader::with_options(options);
    let mut steps = Vec::new();
    chunks
        .iter()
        .for_each(|chunk| reader.feed(Bytes::copy_from_slice(chunk)));
    reader.finish();
    take_pushed(&mut reader, &mut steps);
    steps
}

fn take_pushed(reader: &mut PushReader, steps: &mut Vec<Step>) {
    while let Poll::Ready(Some(Ok(event))) = reader.next_event() {
        let mut step = step_of(&event, Span::default());
        let span = reader.place().span;
        step.span = span.start..span.end;
        steps.push(step);
    }
}

/// Returns the owned events of the push reader, converted to steps at the end.
fn poll(chunks: &[&[u8]], options: Options) -> Vec<Step> {
    let mut reader = PushReader::with_options(options);
    let mut events = Vec::new();
    for chunk in chunks.iter().map(Some).chain([None]) {
        match chunk {
            Some(chunk) => reader.feed(Bytes::copy_from_slice(chunk)),
            None => reader.finish(),
        }
        while let Poll::Ready(Some(Ok(event))) = reader.next_owned() {
            events.push((event, reader.place().span));
        }
    }
    events
        .iter()
        .map(|(event, span)| step_of(&event.as_event(), *span))
        .collect()
}

/// Reader that returns a few bytes at a time.
struct ShortReads<'a> {
    rest: &'a [u8],
    step: usize,
}

impl Read for ShortReads<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.step.min(buf.len()).min(self.rest.len());
        buf[..len].copy_from_slice(&self.rest[..len]);
        self.rest = &self.rest[len..];
        Ok(len)
    }
}

fn step_of(event: &Event<'_>, span: Span) -> Step {
    let kind = match event {
        Event::VariationStart(Variation {
            depth, supplied, ..
        }) => Kind::VariationStart {
            depth: *depth,
            supplied: *supplied,
        },
        Event::NodeStart { supplied } => Kind::NodeStart {
            supplied: *supplied,
        },
        Event::VariationEnd(Variation {
            depth, supplied, ..
        }) => Kind::VariationEnd {
            depth: *depth,
            supplied: *supplied,
        },
        Event::Property(property) => {
            let values: Vec<_> = property
                .values()
                .map(|value| value.as_bytes().to_vec())
                .collect();
            assert_eq!(property.value_count(), values.len() as u64, "{property:?}");
            Kind::Property {
                ident: property.ident().as_bytes().to_vec(),
                values,
            }
        }
        Event::PropertyPart(part) => Kind::Part {
            ident: part.ident().as_bytes().to_vec(),
            value: part.value_index(),
            content: part.content().as_bytes().to_vec(),
            first: part.is_value_start(),
            last: part.is_value_end(),
        },
        Event::Problem(problem) => Kind::Problem(problem.code.as_str()),
        other => panic!("expected no such event: {other:?}"),
    };
    Step {
        kind,
        span: span.start..span.end,
    }
}
