//! Findings for people: the source line with a caret, or one line per finding. All text is cleaned
//! before it reaches a terminal.

use std::io::{self, Write};

use unicode_width::UnicodeWidthChar;

use crate::report::terminal::clean;
use sgfstream::Severity;

use super::finding_line::FindingLine;

/// Writes a finding in the style of rustc.
pub(super) fn write(out: &mut Vec<u8>, line: &FindingLine, is_styled: bool) -> io::Result<()> {
    let finding = &line.finding;
    let severity = match finding.severity {
        Severity::Error => "\x1b[1m\x1b[91m",
        Severity::Warning => "\x1b[1m\x1b[33m",
        Severity::Note => "\x1b[1m\x1b[92m",
    };
    let styles = [severity, "\x1b[1m\x1b[94m", "\x1b[1m", "\x1b[0m"];
    let [color, frame, bold, plain] = if is_styled { styles } else { [""; 4] };
    let (code, message) = (finding.code, line.message());
    writeln!(
        out,
        "{color}{}[{code}]{plain}{bold}: {}{plain}",
        finding.severity,
        clean(&message)
    )?;
    let (number, column) = (line.position.line, line.position.column);
    let place = format!("{}:{number}:{column}", clean(&line.file));
    let (mut gutter, mut has_place) = (0, false);
    if let Some(source) = &line.source {
        gutter = number.max(1).ilog10() as usize + 1;
        let text = |bytes: &[u8]| clean(&line.charset.decode(bytes).0).into_owned();
        let cut = |is_cut| if is_cut { "…" } else { "" };
        let (start, end) = (source.span.start as usize, source.span.end as usize);
        let before = format!("{}{}", cut(source.cut_before), text(&source.bytes[..start]));
        let (fault, after) = (text(&source.bytes[start..end]), text(&source.bytes[end..]));
        // If the line is shortened or changed, its columns differ from the columns of the file, so
        // the place is not printed above it.
        has_place = !source.cut_before && before.len() as u64 + 1 == column;
        if has_place {
            let (file, column) = (clean(&line.file), before.chars().count() + 1);
            writeln!(
                out,
                "{:gutter$}{frame}--> {plain}{file}:{number}:{column}",
                ""
            )?;
        }
        writeln!(out, "{:gutter$} {frame}|{plain}", "")?;
        let shown = format!(" {before}{fault}{after}{}", cut(source.cut_behind));
        writeln!(
            out,
            "{frame}{number}{plain} {frame}|{plain}{}",
            if shown.len() > 1 { &shown } else { "" }
        )?;
        let (blanks, carets) = (width_of(&before), "^".repeat(width_of(&fault).max(1)));
        writeln!(
            out,
            "{:gutter$} {frame}|{plain} {:blanks$}{color}{carets}{plain}",
            "", ""
        )?;
    }
    let node =
        (!finding.path.is_empty()).then(|| format!("game {}, {}", finding.game, finding.path));
    let help = finding
        .remedy
        .as_ref()
        .map(|remedy| clean(&remedy.to_string()).into_owned());
    let notes = [
        ("at", Some(place).filter(|_| !has_place)),
        ("node", node),
        ("help", help),
    ];
    if notes.iter().any(|(_, text)| text.is_some()) {
        writeln!(out, "{:gutter$} {frame}|{plain}", "")?;
    }
    for (name, text) in notes
        .iter()
        .filter_map(|(name, text)| Some((name, text.as_ref()?)))
    {
        writeln!(
            out,
            "{:gutter$} {frame}= {plain}{bold}{name}{plain}: {text}",
            ""
        )?;
    }
    writeln!(out)
}

/// Returns the terminal columns of a [cleaned](clean) text.
fn width_of(text: &str) -> usize {
    text.chars().map(|char| char.width().unwrap_or(0)).sum()
}

/// Writes a finding on one line.
pub(super) fn write_short(out: &mut Vec<u8>, line: &FindingLine) -> io::Result<()> {
    let (file, message) = (clean(&line.file), line.message());
    let (severity, code) = (line.finding.severity, line.finding.code);
    let (number, column) = (line.position.line, line.position.column);
    writeln!(
        out,
        "{file}:{number}:{column}: {severity}[{code}]: {}",
        clean(&message)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::source_text::SourceText;
    use sgfstream::{Charset, Position, SliceReader};
    use sgfstream_adapt::check::{CheckOptions, Finding, InputChecker, LinePositions};

    /// Returns the output for the findings in `bytes`.
    fn written(bytes: &[u8], charset: Charset, source: bool, is_styled: bool) -> String {
        let (mut out, text) = (
            Vec::new(),
            SourceText {
                window: bytes,
                ..SourceText::default()
            },
        );
        let needs = super::super::finding_line::Needs {
            source,
            characters: false,
        };
        let mut lines = LinePositions::new(bytes, Position::default());
        let mut print = |finding: Finding| {
            let position = lines.position_of(finding.span.start);
            let line = FindingLine::new(
                "games/1.sgf".into(),
                finding,
                position,
                charset,
                text,
                needs,
            );
            write(&mut out, &line, is_styled).expect("a Vec takes all");
        };
        let checker = InputChecker::new(CheckOptions::default());
        checker
            .check_all(SliceReader::new(bytes), &mut print)
            .expect("no limit is set");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn a_line_that_is_shown_whole() {
        let found = written(
            b"\n\n(;FF[4]GM[1]SZ[19];B[zz] )",
            Charset::AUTO,
            true,
            false,
        );
        let expected =
            "error[point-off-board]: in `B`: expected a point on a 19x19 board, found `zz`
 --> games/1.sgf:3:22
  |
3 | (;FF[4]GM[1]SZ[19];B[zz] )
  |                      ^^
  |
  = node: game 1, /1

";
        assert_eq!(found, expected);
    }

    #[test]
    fn carets_are_below_wide_characters() {
        let found = written(
            "(;FF[4]GM[1]SZ[19]PB[黒番]KM[x])".as_bytes(),
            Charset::UTF_8,
            true,
            false,
        );
        assert!(
            found.contains(
                "\n1 | (;FF[4]GM[1]SZ[19]PB[黒番]KM[x])\n  |                              ^\n"
            ),
            "{found}"
        );
        let note = "  |                      ^^^^\n";
        assert!(found.contains(note), "{found}");
    }

    #[test]
    fn a_line_that_is_cut_has_its_place_below() {
        let games = format!(
            "(;FF[4]GM[1]SZ[19]C[{}]KM[x]C[{}])",
            "y".repeat(90),
            "z".repeat(90)
        );
        let found = written(games.as_bytes(), Charset::AUTO, true, false);
        let expected = format!(
            "  |\n1 | …{}]KM[x]C[{}…\n  | {}^\n  |\n",
            "y".repeat(56),
            "z".repeat(57),
            " ".repeat(61)
        );
        assert!(
            found.contains(&expected) && found.contains("  = at: games/1.sgf:1:115\n"),
            "{found}"
        );
    }

    #[test]
    fn nothing_of_a_file_moves_the_terminal() {
        let found = written(
            b"(;FF[4]GM[1]SZ[19]PB[\x1b[31m\t\\]]KM[x])",
            Charset::AUTO,
            true,
            false,
        );
        assert!(
            found.contains("1 | (;FF[4]GM[1]SZ[19]PB[\\u{1b}[31m \\]]KM[x])\n"),
            "{found}"
        );
    }

    #[test]
    fn colors_and_a_line_that_is_not_known() {
        let found = written(b"(;FF[4]GM[1]SZ[19]KM[x])", Charset::AUTO, false, true);
        let start = "\x1b[1m\x1b[91merror[malformed-game-info]\x1b[0m\x1b[1m: in `KM`: expected a real number";
        let notes = " \x1b[1m\x1b[94m|\x1b[0m\n \x1b[1m\x1b[94m= \x1b[0m\x1b[1mat\x1b[0m: games/1.sgf:1:22\n";
        assert!(
            found.starts_with(start) && found.contains(notes),
            "{found:?}"
        );
    }
}
