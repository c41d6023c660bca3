//! Any bytes as a record of a Go server: the converter refuses them, or returns games that the
//! checker accepts, with one move for each line with a move.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use sgfstream::record::GameReader;
use sgfstream::{Code, EventReader, Severity};
use sgfstream_adapt::check::{CheckOptions, Finding, FindingPlace, InputChecker};
use sgfstream_archive::Input;
use sgfstream_engine::{Engine, is_record};

use super::draw::Draw;
use super::{Choice, Property};

/// Starts of records, so that the fuzzer need not find them.
const HEADS: [&[u8]; 4] = [
    b"",
    b"\\HS\n\\[GAMEBLACKNAME=ada (9D)\\]\n\\HE\n\\GS\n2 1 0\n",
    b"Rating\n19\nAda Lo  7D*\nBen 5DP\nwww.example.com\n0\n0\n6\n20110812 [09:31]\n480\nwhite wins\n2\nPMABBQEEQ\n",
    b"[Header]\nTitle=Final\nPlayerB=Ada,3d,\nSize=9\nHdcp=0,5.5\nCoordinateType=IGS\n[Data]\n",
];

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "records",
    ways: 8,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    let format = choice.below(HEADS.len());
    let lines = if choice.below(2) == 0 {
        data.to_vec()
    } else {
        drawn_lines(format, &mut Draw::new(data, choice))
    };
    let record = [HEADS[format], &lines].concat();
    if is_record(&record) {
        becomes_games(&record);
    }
}

/// Returns lines with moves, most of them valid.
fn drawn_lines(format: usize, draw: &mut Draw<'_>) -> Vec<u8> {
    let mut text = String::new();
    for number in 1..3 + draw.below(20) {
        let number = if draw.below(30) == 0 {
            draw.below(99)
        } else {
            number
        };
        let color = draw.below(2);
        let rows = if draw.below(40) == 0 { 30 } else { 9 };
        let [column, row] = [draw.below(19), draw.below(rows)];
        let letter = |from: u8, at: usize| char::from(from + at as u8);
        let stone = ["B", "W"][color];
        text.push_str(&match (format, draw.below(30)) {
            (_, 0) => "\n".to_owned(),
            (1, 1) => "\\HS\n\\HE\n".to_owned(),
            (1, 2) => format!("INI 0 {number} {} &4\n", draw.below(11)),
            (1, 3) => format!("SKI 0 {number}\n"),
            (1, _) => format!("STO 0 {number} {} {column} {row}\n", color + 1),
            (2, _) => format!(
                "PM{}{}{stone}{}{}\n",
                letter(b'A', number / 26),
                letter(b'A', number % 26),
                letter(b'B', column),
                letter(b'B', row)
            ),
            (3, 1) => "[Remark]\nGood\n[Data]\n".to_owned(),
            (3, _) => {
                format!(
                    "{}{},{stone}1,{number},0\n",
                    letter(b'A', column % 9),
                    letter(b'A', row)
                )
            }
            _ => format!("({row}"),
        });
    }
    text.into_bytes()
}

/// Checks that the record is refused or becomes games.
fn becomes_games(record: &[u8]) {
    let path = path();
    fs::write(&path, record).expect("disk space");
    let (mut entries, mut refused, mut games, mut moves) = (0, 0, 0, 0);
    let expected = lines(record);
    let has_zip = record.windows(4).any(|start| start == b"PK\x03\x04");
    let each = |part: sgfstream_engine::Part<'_>| {
        entries += 1;
        let mut games = GameReader::new(part.reader());
        // Entries are parts of the input. Unless a zip file follows, the first begins with the
        // games of the record.
        let is_own = |finding: &Finding| entries == 1 && !has_zip && finding.game <= expected.0;
        let mut look = |finding: Finding, _: &mut FindingPlace<'_, _>| {
            // The converter keeps unknown results and damaged texts as the server wrote them. Games
            // of SGF after the record have errors of their own.
            let is_kept = matches!(finding.code, Code::MalformedGameInfo | Code::InvalidBytes);
            let is_right = finding.severity < Severity::Error || is_kept || !is_own(&finding);
            assert!(is_right, "{finding} in `{}`", record.escape_ascii());
            true
        };
        InputChecker::new(CheckOptions::default()).check_games(&mut games, &mut look)?;
        Ok(ControlFlow::Continue(games.reader_mut().finish()?))
    };
    let inputs = [Input::path(&path)];
    Engine::new()
        .each(&inputs, each, |_| refused += 1)
        .expect("only reading can fail");
    assert!(entries + refused > 0, "`{}`", record.escape_ascii());
    // The bytes after the record may be an archive.
    if (entries, refused) != (1, 0) {
        return;
    }
    let count = |part: sgfstream_engine::Part<'_>| {
        let mut reader = part.reader();
        while let Some(event) = reader.next_event()? {
            match event {
                sgfstream::Event::VariationStart { .. } => games += 1,
                sgfstream::Event::Property(property)
                    if matches!(property.ident().as_bytes(), b"B" | b"W") =>
                {
                    moves += 1
                }
                _ => {}
            }
        }
        Ok(ControlFlow::Continue(reader.finish()?))
    };
    Engine::new()
        .each(&inputs, count, |problem| panic!("{problem}"))
        .expect("only reading can fail");
    let has_games = record.windows(2).any(|start| start == b"(;");
    if !(has_games && games > expected.0) {
        assert_eq!((games, moves), expected, "`{}`", record.escape_ascii());
    }
}

/// Temporary file of this thread.
fn path() -> PathBuf {
    thread_local! {
        static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a directory");
    }
    FOLDER.with(|folder| folder.path().join("record"))
}

/// Returns the number of games of a record, and of lines with moves.
fn lines(record: &[u8]) -> (u64, u64) {
    let lines: Vec<&[u8]> = record
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .collect();
    let is_move = |line: &&&[u8]| {
        let words: Vec<&[u8]> = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .collect();
        matches!(words[..], [b"STO", ..] | [b"SKI", _, _, ..])
            && !(line.starts_with(b"\\[") && line.ends_with(b"\\]"))
    };
    if record.starts_with(b"\\HS") {
        let games = lines
            .iter()
            .filter(|line| line.starts_with(b"\\HS"))
            .count();
        return (games as u64, lines.iter().filter(is_move).count() as u64);
    }
    if record.starts_with(b"GI") {
        return (
            1,
            lines.iter().filter(|line| line.starts_with(b"PM")).count() as u64,
        );
    }
    if !record.starts_with(b"[Header]") {
        return (
            1,
            lines
                .iter()
                .skip(12)
                .filter(|line| !line.is_empty())
                .count() as u64,
        );
    }
    let (mut is_data, mut moves) = (false, 0);
    for line in lines {
        if line.starts_with(b"[") {
            is_data = line == b"[Data]";
        } else {
            // Handicap stones have the number 0.
            let number = line
                .split(|&byte| byte == b',')
                .nth(2)
                .map(<[u8]>::trim_ascii)
                .unwrap_or_default();
            let is_setup = !number.is_empty() && number.iter().all(|&digit| digit == b'0');
            moves += u64::from(is_data && !line.is_empty() && !is_setup);
        }
    }
    (1, moves)
}
