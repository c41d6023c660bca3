//! Each finding of the checker has existing bytes, a path and a message. The
//! findings do not depend on how the bytes arrive, also in parts, and no
//! finding comes twice.
use std::collections::BTreeSet;

use sgfstream::parallel::{End, PartReader};
use sgfstream::{EventReader, Options, Reader, Severity, SliceReader};
use sgfstream_adapt::check::{CheckOptions, Checker, ComparedFact, Finding, InputGames, SourceWindow};

use super::{Choice, Property};

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property { name: "check", ways: 6, holds };

fn holds(data: &[u8], mut choice: Choice) {
    let options = CheckOptions::default().with_legality(choice.below(2) == 1);
    match choice.below(3) {
        0 => findings_are_there(data, options),
        way => same_findings(data, options, way, choice),
    }
}

/// Checks that each finding has bytes of the input.
fn findings_are_there(data: &[u8], options: CheckOptions) {
    let trail = SourceWindow::default();
    let mut count = 0usize;
    let mut checker = Checker::new(options, |finding| {
        count += 1;
        let span = finding.span;
        assert!(span.start <= span.end && span.end <= data.len() as u64, "{finding} at {span}");
        assert!(finding.severity >= Severity::Note && !finding.message.is_empty());
        assert_eq!(finding.path.is_empty(), finding.game == 0 || !finding.path.contains('/'), "{finding:?}");
        let position = trail.position_of(span.start);
        assert!(position.byte == span.start && position.line >= 1 && position.column >= 1);
        assert_eq!(trail.bytes_of(span).as_deref(), data.get(span.start as usize..span.end as usize));
        let line = trail.line_of(span).expect("kept");
        assert!(line.span.end <= line.bytes.len() as u64);
        if let Some(remedy) = &finding.remedy {
            assert!(!remedy.to_string().is_empty());
        }
    });
    let mut reader = Reader::new(trail.follow(data));
    reader.drive(&mut checker).expect("memory can be read");
    drop(checker);
    assert!(count <= 40 + 8 * data.len(), "{count} findings in {} bytes", data.len());
}

/// Checks that a small buffer and parts lose and double no finding.
fn same_findings(data: &[u8], options: CheckOptions, way: usize, mut choice: Choice) {
    let expected = findings(options, &mut SliceReader::new(data));
    let mut seen = BTreeSet::new();
    for line in &expected {
        assert!(seen.insert(line), "twice: {line}");
    }
    let found = if way == 1 {
        let capacity = 1 + choice.below(61);
        findings(options, &mut Reader::with_buffer(data, Options::default(), capacity))
    } else {
        in_parts(options, data, 16 + choice.below(200) as u64)
    };
    assert_same(&found, &expected);
}

/// Checks that each problem of the reader is one finding.
fn findings(options: CheckOptions, reader: &mut impl EventReader) -> Vec<String> {
    let mut lines = Vec::new();
    let mut checker = Checker::new(options, |finding| lines.push(line(finding, &finding.message, 0)));
    reader.drive(&mut checker).expect("memory can be read");
    drop(checker);
    lines
}

fn line(finding: &Finding, message: &str, games_before: u64) -> String {
    let Finding { code, severity, span, game, path, remedy, .. } = finding;
    // Before the first game of a part, findings have the number of the last game of earlier parts.
    format!("{severity}[{code}] {span} {} {path}: {message} {remedy:?}", game + games_before)
}

fn in_parts(options: CheckOptions, data: &[u8], block: u64) -> Vec<String> {
    let (mut index, mut games) = (0, 0);
    let (mut lines, mut input) = (Vec::new(), InputGames::default());
    loop {
        let part = PartReader::open(&data, Options::default(), block, index, &|| true).expect("memory can be read");
        let mut part = part.expect("the part before ended where this one begins");
        let mut checker = Checker::new(options, |finding| match finding.compared {
            None => lines.push(line(finding, &finding.message, games)),
            Some(fact) => {
                let fact =
                    if let ComparedFact::Number(number) = fact { ComparedFact::Number(number + games) } else { fact };
                if let Some(message) = input.compare(fact) {
                    lines.push(line(finding, &message, games));
                }
            }
        });
        if index > 0 {
            checker = checker.for_part();
        }
        part.drive(&mut checker).expect("memory can be read");
        let first_games = checker.input_games();
        drop(checker);
        if index == 0 {
            input = first_games;
        }
        let end = part.finish().expect("memory can be read");
        games += end.games;
        match end.end {
            End::Unit(next) => index = next,
            End::Input => return lines,
        }
    }
}

#[track_caller]
fn assert_same(found: &[String], expected: &[String]) {
    if found != expected {
        let at = found.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
        panic!("finding {at}: expected {:?}, found {:?}", expected.get(at), found.get(at));
    }
}
