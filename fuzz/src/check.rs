//! Each finding of the checker has existing bytes, a path and a message. The
//! findings do not depend on how the bytes arrive, also in parts, and no
//! finding comes twice.
use std::collections::BTreeSet;

use sgfstream::internal::End;
use sgfstream::internal::LineCursor;
use sgfstream::parallel::PartReader;
use sgfstream::record::GameReader;
use sgfstream::{EventReader, Options, Reader, Severity, SliceReader};
use sgfstream_adapt::check::{
    CheckOptions, ComparedFact, Finding, FindingPlace, InputChecker, InputGames,
};

use super::{Choice, Property};

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "check",
    ways: 6,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    let options = CheckOptions::default().with_legality(choice.below(2) == 1);
    match choice.below(3) {
        0 => findings_are_there(data, options),
        way => same_findings(data, options, way, choice),
    }
}

/// Checks that each finding has bytes of the input.
fn findings_are_there(data: &[u8], options: CheckOptions) {
    let mut count = 0usize;
    let mut games = GameReader::new(Reader::new(data)).keeping_context();
    let mut look = |finding: Finding, place: &mut FindingPlace<'_, Reader<&[u8]>>| {
        count += 1;
        let span = finding.span;
        assert!(
            span.start <= span.end && span.end <= data.len() as u64,
            "{finding} at {span}"
        );
        assert!(finding.severity >= Severity::Note && !finding.message.is_empty());
        assert_eq!(
            finding.path.is_empty(),
            finding.game == 0 || !finding.path.contains('/'),
            "{finding:?}"
        );
        let mut lines = LineCursor::default();
        lines.advance(&data[..span.start as usize]);
        assert_eq!(place.position_of(span.start), lines.position());
        assert_eq!(
            place.reader().bytes(span.start..span.end),
            data.get(span.start as usize..span.end as usize)
        );
        if let Some(remedy) = &finding.remedy {
            assert!(!remedy.to_string().is_empty());
        }
        true
    };
    InputChecker::new(options)
        .check_games(&mut games, &mut look)
        .expect("memory can be read");
    assert!(
        count <= 40 + 8 * data.len(),
        "{count} findings in {} bytes",
        data.len()
    );
}

/// Checks that a small buffer and parts lose and double no finding.
fn same_findings(data: &[u8], options: CheckOptions, way: usize, mut choice: Choice) {
    let expected = findings(options, SliceReader::new(data));
    let mut seen = BTreeSet::new();
    for line in &expected {
        assert!(seen.insert(line), "twice: {line}");
    }
    let found = if way == 1 {
        let capacity = 1 + choice.below(61);
        findings(
            options,
            Reader::with_buffer(data, Options::default(), capacity),
        )
    } else {
        in_parts(options, data, 16 + choice.below(200) as u64)
    };
    assert_same(&found, &expected);
}

/// Checks that each problem of the reader is one finding.
fn findings(options: CheckOptions, reader: impl EventReader) -> Vec<String> {
    let mut lines = Vec::new();
    let mut add = |finding: Finding| lines.push(line(&finding, &finding.message, 0));
    InputChecker::new(options)
        .check_all(reader, &mut add)
        .expect("memory can be read");
    lines
}

fn line(finding: &Finding, message: &str, games_before: u64) -> String {
    let Finding {
        code,
        severity,
        span,
        game,
        path,
        remedy,
        ..
    } = finding;
    // Before the first game of a part, findings have the number of the last game of earlier parts.
    format!(
        "{severity}[{code}] {span} {} {path}: {message} {remedy:?}",
        game + games_before
    )
}

fn in_parts(options: CheckOptions, data: &[u8], block: u64) -> Vec<String> {
    let (mut index, mut games) = (0, 0);
    let (mut lines, mut input) = (Vec::new(), InputGames::default());
    loop {
        let part = PartReader::open(&data, Options::default(), block, index, &|| true)
            .expect("memory can be read");
        let mut part = GameReader::new(part.expect("the part before ended where this one begins"));
        let mut checker = InputChecker::new(options);
        if index > 0 {
            checker = checker.for_part();
        }
        let mut add = |finding: Finding, _: &mut FindingPlace<'_, PartReader<'_>>| {
            match finding.compared {
                None => lines.push(line(&finding, &finding.message, games)),
                Some(fact) => {
                    let fact = match fact {
                        ComparedFact::Number(number) => ComparedFact::Number(number + games),
                        fact => fact,
                    };
                    if let Some(message) = input.compare(fact) {
                        lines.push(line(&finding, &message, games));
                    }
                }
            }
            true
        };
        checker
            .check_games(&mut part, &mut add)
            .expect("memory can be read");
        if index == 0 {
            input = checker.input_games;
        }
        let end = part.reader_mut().finish().expect("memory can be read");
        games += end.games;
        match end.end {
            End::Part(next) => index = next,
            End::Input => return lines,
        }
    }
}

#[track_caller]
fn assert_same(found: &[String], expected: &[String]) {
    if found != expected {
        let at = found
            .iter()
            .zip(expected)
            .take_while(|(found, expected)| found == expected)
            .count();
        panic!(
            "finding {at}: expected {:?}, found {:?}",
            expected.get(at),
            found.get(at)
        );
    }
}
