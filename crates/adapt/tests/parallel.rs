//! Reading an input in parts gives the same events as one reader, for any bytes and any block size.

use proptest::prelude::*;
use sgfstream::internal::{End, ReadAt};
use sgfstream::parallel::PartReader;
use sgfstream::{Error, Event, EventReader, Limits, Options, Reader, Severity};

/// Returns each event as a line, with its bytes, its place and the charset. For gaps it returns the
/// bytes only, because the reader's buffer decides where gaps are cut, and so their place among
/// problems.
fn log(reader: &mut impl EventReader) -> Result<Vec<String>, Error> {
    let mut lines: Vec<String> = Vec::new();
    let mut gaps = Vec::new();
    while let Some(event) = reader.next_event()? {
        if let Event::Gap(_) = event {
            let span = reader.place().span;
            gaps.extend((span.start..span.end).map(|at| format!("Gap {at} 0 0 - -")));
            continue;
        }
        let event = format!("{event:?}");
        let place = reader.place();
        if event.starts_with("VariationStart") && place.depth == 1 {
            lines.append(&mut gaps);
        }
        let (span, depth, game) = (place.span, place.depth, place.game);
        lines.push(format!(
            "{event} {span} {depth} {game} {:?} {:?}",
            place.charset, place.charset_source
        ));
    }
    lines.append(&mut gaps);
    Ok(lines)
}

fn sequential(bytes: &[u8], options: Options) -> Vec<String> {
    log(&mut Reader::with_options(bytes, options)).expect("no limits")
}

/// Calls `each` with the result of `read` for the parts that count, in order.
fn for_each_part<T>(
    input: &dyn ReadAt,
    options: Options,
    block: u64,
    mut read: impl FnMut(&mut PartReader<'_>) -> Result<T, Error>,
    mut each: impl FnMut(T),
) -> Result<(), Error> {
    let mut index = 0;
    loop {
        let part = PartReader::open(input, options, block, index, &|| true)?;
        let mut part = part.expect("the part before ended where this one begins");
        each(read(&mut part)?);
        match part.finish()?.end {
            End::Part(next) => index = next,
            End::Input => return Ok(()),
        }
    }
}

/// Returns the lines of all parts, and the number of parts.
fn in_parts(input: &dyn ReadAt, options: Options, block: u64) -> (Vec<String>, usize) {
    let mut all = Vec::new();
    let mut games = 0;
    let mut parts = 0;
    let read = |part: &mut PartReader<'_>| Ok((log(part)?, part.games()));
    for_each_part(input, options, block, read, |(lines, in_part)| {
        // The number of the game is the fourth word from the end.
        all.extend(lines.into_iter().map(|line| renumbered(&line, games)));
        games += in_part;
        parts += 1;
    })
    .expect("no limits");
    (all, parts)
}

fn renumbered(line: &str, games: u64) -> String {
    if line.starts_with("Gap") {
        return line.to_owned();
    }
    let mut words: Vec<_> = line.rsplitn(4, ' ').map(str::to_owned).collect();
    words[2] = (words[2].parse::<u64>().expect("a number") + games).to_string();
    words.reverse();
    words.join(" ")
}

fn check(bytes: &[u8], options: Options, block: u64) -> usize {
    let expected = sequential(bytes, options);
    let (found, parts) = in_parts(&bytes, options, block);
    assert_same(&found, &expected, block);
    for_each_part(&bytes, options, block, problems, |[told, counted]| {
        assert_eq!(counted, told, "block {block} of {}", bytes.escape_ascii());
    })
    .expect("no limits");
    // Read again by its range alone, a part has the numbers of the whole input.
    let (mut ranges, mut from, mut games) = (Vec::new(), 0, 0);
    let read = |part: &mut PartReader<'_>| {
        part.finish()
            .map(|done| (part.offset(), part.games(), done.end))
    };
    let skipped = for_each_part(&bytes, options, block, read, |(offset, in_part, end)| {
        let to = if end == End::Input { u64::MAX } else { offset };
        let mut rest = &bytes[from as usize..];
        let mut part = PartReader::range(&mut rest, options, from..to, games);
        ranges.extend(log(&mut part).expect("no limits"));
        assert_eq!((part.offset(), part.games()), (offset, in_part));
        (from, games) = (to, games + in_part);
    });
    skipped.expect("no limits");
    assert_same(&ranges, &expected, block);
    parts
}

/// Returns the problems of a part, and how many errors and warnings follow its last game. The first
/// result is from its events, the second from its own counts.
fn problems(part: &mut PartReader<'_>) -> Result<[(u64, [u64; 2]); 2], Error> {
    let (mut count, mut trailing) = (0, [0, 0]);
    while let Some(event) = part.next_event()? {
        let severity = if let Event::Problem(problem) = event {
            Some(problem.severity())
        } else {
            None
        };
        let is_within = part.place().depth > 0;
        count += u64::from(severity.is_some());
        match severity {
            _ if is_within => trailing = [0, 0],
            Some(Severity::Error) => trailing[0] += 1,
            Some(Severity::Warning) => trailing[1] += 1,
            _ => {}
        }
    }
    let end = part.finish()?;
    Ok([(count, trailing), (end.problems, end.trailing)])
}

#[track_caller]
fn assert_same(found: &[String], expected: &[String], block: u64) {
    if expected != found {
        let at = expected
            .iter()
            .zip(found)
            .take_while(|(a, b)| a == b)
            .count();
        panic!(
            "block {block}: expected {:?}, found {:?}",
            expected.get(at),
            found.get(at)
        );
    }
}

const PIECES: &[&[u8]] = &[
    b"(;FF[4]",
    b"(;GM[1]",
    b"\n(;FF[4]C[x]",
    b"(;B[aa]",
    b"(;",
    b"(",
    b"(",
    b")",
    b")",
    b")\n",
    b"]",
    b"]",
    b"[",
    b"\\",
    b";W[bb]",
    b";B[]",
    b"C[long (;FF[4]) text \\] ; ) (",
    b"C[x]",
    b"]) (;PB[a]PW[b];B[cc])",
    b"(;GM[1]FF[4];B[aa];W[bb])\n",
    b"(;GM[1]FF[4];B[aa];W[bb])\n",
    b"(;B[cd];W[ef](;B[gh])(;B[ij]))",
    b"(;B[cd];W[ef](;B[gh])(;B[ij]))",
    b"()",
    b"((",
    b"))",
    b"abc",
    b"lower[x]",
    b"X",
    b"\n;B[aa]",
    b"\xEF\xBB\xBF",
    b"\0",
    b"CA[GBK]",
    b"CA[no]",
    b"\xba\x5d",
    b"C[\xba\x5d]",
    b" ",
    b"\r\n",
    b"From: a friend\n[White \"x\"]\n",
];

fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => proptest::sample::select(PIECES).prop_map(<[u8]>::to_vec),
        1 => proptest::collection::vec(any::<u8>(), 1..6),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn any_bytes_at_any_block(bytes in soup(), block in 16u64..200, gaps in any::<bool>(), small in any::<bool>()) {
        let limits = if small { Limits::default().with_property(16).with_identifier(4).with_lookahead(64).with_repairs(3) } else { Limits::default() };
        check(&bytes, Options::default().with_gaps(gaps).with_limits(limits), block);
    }
}

fn cases() -> u32 {
    std::env::var("SGF_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(300)
}

#[test]
fn a_plain_collection_is_cut_in_every_block() {
    let game = b"(;GM[1]FF[4]SZ[19]PB[a]PW[b];B[pd];W[dp](;B[pq];W[dd])(;B[dd];W[pq]))\n";
    let bytes = game.repeat(400);
    assert!(check(&bytes, Options::default(), 1000) >= bytes.len() / 1000);
    // If no property shows a root, the depth decides.
    let game = b"(;B[pd];W[dp](;B[pq];W[dd])(;B[dd];W[pq]))\n";
    let bytes = game.repeat(400);
    assert!(check(&bytes, Options::default(), 1000) >= bytes.len() / 1000);
}

#[test]
fn indivisible_games_are_one_part() {
    let tree = [
        &b"(;GM[1]"[..],
        &b"(;B[aa];W[bb])(;B[cc];W[dd])".repeat(500),
        b")",
    ]
    .concat();
    assert_eq!(check(&tree, Options::default(), 512), 1);
    // Root properties in variations do not end the game, because its parentheses balance.
    let roots = [
        &b"(;GM[1]FF[4]C[a root]"[..],
        &b"(;GM[1]FF[4]SZ[9];B[aa])".repeat(500),
        b")",
    ]
    .concat();
    assert_eq!(check(&roots, Options::default(), 512), 1);
    let text = [&b"(;C["[..], &b"(;FF[4\\]) (;GM[1\\]) ".repeat(500), b"])"].concat();
    assert_eq!(check(&text, Options::default(), 512), 1);
    // A dropped `(` stays open to the end.
    let dropped = [&b"( ("[..], &b"(;FF[4];B[aa])\n".repeat(300)].concat();
    assert_eq!(check(&dropped, Options::default(), 512), 1);
}

#[test]
fn marks_and_text_between_games() {
    let marked = b"\xEF\xBB\xBF(;GM[1]C[\xC3\xA9])\n".repeat(300);
    check(&marked, Options::default(), 512);
    let mail = b"From: a [list]\n\n(;GM[1];B[aa])\n-- \nregards\n".repeat(300);
    assert!(check(&mail, Options::default(), 512) > 10);
}

#[test]
fn errors_are_those_of_one_reader() {
    let bytes = [
        &b"(;FF[4];B[aa])\r\n".repeat(200)[..],
        b"(;FF[4](;B[aa](;W[bb](;B[cc]))))",
        &b"(;FF[4])".repeat(99),
    ]
    .concat();
    let options = Options::default().with_limits(Limits::default().with_depth(3));
    let mut reader = Reader::with_options(&bytes[..], options);
    let expected = loop {
        match reader.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("a limit was set"),
            Err(err) => break err,
        }
    };
    let found =
        for_each_part(&bytes, options, 512, |part| log(part), |_| ()).expect_err("a limit was set");
    // Lines count from the start of the part.
    assert_eq!(
        found.position().map(|at| at.byte),
        expected.position().map(|at| at.byte)
    );
    assert!(found.is_limit() && expected.is_limit());
}

#[test]
fn a_part_that_is_not_needed_reads_little_more_than_its_block() {
    let bytes = [
        &b"(;FF[4])".repeat(2000),
        &b"(;C["[..],
        &b"x".repeat(4 << 20),
        b"])",
    ]
    .concat();
    let mut part = PartReader::open(&bytes, Options::default(), 4096, 3, &|| false)
        .expect("memory")
        .expect("a border");
    assert_eq!(part.finish().expect("no limits").end, End::Input);
    assert!(part.offset() < 32 << 10);
}

#[test]
fn files_are_read_at_any_place() {
    let bytes = b"(;GM[1]FF[4];B[aa])\n".repeat(300);
    let path = std::env::temp_dir().join(format!("sgfstream-parallel-{}.sgf", std::process::id()));
    std::fs::write(&path, &bytes).expect("a file");
    let file = std::fs::File::open(&path).expect("a file");
    let found = in_parts(&file, Options::default(), 256).0;
    std::fs::remove_file(&path).expect("there");
    assert_eq!(found, sequential(&bytes, Options::default()));
}

#[test]
fn a_part_that_is_skipped_costs_no_event_of_the_next_part() {
    let bytes = b"(;GM[1]FF[4];B[aa])\n".repeat(300);
    let mut starts = Vec::new();
    for_each_part(
        &bytes,
        Options::default(),
        256,
        |part| Ok(part.start()),
        |start| starts.push(start),
    )
    .expect("no limits");
    assert!(starts.len() > 15 && starts.is_sorted() && starts.iter().all(|start| start % 20 == 0));
}

/// Reads all files of the real archives, joined into one.
#[test]
fn the_real_archives_in_one_file() {
    use sgfstream_adapt::Count;
    use std::ops::ControlFlow;

    use sgfstream_archive::{self as archive, Input};
    let Some(directory) = std::env::var_os("SGF_CORPUS") else {
        return eprintln!("skipped: SGF_CORPUS names no directory");
    };
    let mut bytes = Vec::new();
    archive::visit(
        &[Input::path(directory)],
        &archive::ReadOptions::default(),
        |item| {
            match item {
                Ok(mut entry) => assert!(entry.load(&mut bytes, 1 << 30).expect("a whole file")),
                Err(problem) => panic!("{problem}"),
            }
            ControlFlow::Continue(())
        },
    );
    let count = |part: &mut PartReader<'_>| {
        let mut count = Count::default();
        part.drive(&mut count)?;
        Ok(count)
    };
    let mut expected = Count::default();
    Reader::new(&bytes[..])
        .drive(&mut expected)
        .expect("no limits");
    let (mut found, mut parts) = (Count::default(), 0);
    for_each_part(&bytes, Options::default(), 2 << 20, count, |next| {
        found.merge(&next);
        parts += 1;
    })
    .expect("no limits");
    assert_eq!(
        (found.games, found.nodes, found.moves()),
        (expected.games, expected.nodes, expected.moves())
    );
    eprintln!(
        "{} bytes, {} games, {parts} parts",
        bytes.len(),
        expected.games
    );
    // Compare event for event, 4 MB at a time to keep the logs small. Without optimization, compare
    // every fifth block.
    let every = if cfg!(debug_assertions) { 5 } else { 1 };
    for piece in bytes.chunks(4 << 20).step_by(every) {
        check(piece, Options::default(), 64 << 10);
    }
}
