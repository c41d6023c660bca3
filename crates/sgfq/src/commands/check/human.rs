//! Findings for people: the line with a caret under the fault, or one line
//! each. All text is cleaned before it reaches a terminal.

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::report::terminal::clean;
use sgfstream::{Charset, Severity};
use sgfstream_adapt::check::SourceLine;

use super::line::Line;

/// Writes a finding as rustc shows its errors.
pub(super) fn write(out: &mut Vec<u8>, line: &Line<'_>, is_styled: bool) -> io::Result<()> {
    if !is_styled && let Some(source) = line.source.as_ref().filter(|source| is_plain(line, source)) {
        return write_plain(out, line, source);
    }
    render(out, line, is_styled)
}

/// Bytes of a line that the renderer shows whole.
const PLAIN_MAX: usize = 180;

/// True if the renderer shows the line as it is, from its start, a column for each byte.
fn is_plain(line: &Line<'_>, source: &SourceLine) -> bool {
    let SourceLine { bytes, span, cut_before, .. } = source;
    let is_from_start = !cut_before && span.start + 1 == line.position.column;
    is_from_start && (1..=PLAIN_MAX).contains(&bytes.len()) && bytes.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Writes without colours what [`render`] does, for a line that [`is_plain`]. The renderer can lay out many
/// annotations of many lines; for one it takes more time than all else that `check` does.
fn write_plain(out: &mut Vec<u8>, line: &Line<'_>, source: &SourceLine) -> io::Result<()> {
    let finding = &*line.finding;
    let (severity, code) = (finding.severity, finding.code);
    let (number, column) = (line.position.line, line.position.column);
    let (before, gutter) = (source.span.start as usize, number.max(1).ilog10() as usize + 1);
    writeln!(out, "{severity}[{code}]: {}", clean(&line.message()))?;
    writeln!(out, "{:gutter$}--> {}:{number}:{column}", "", clean(&line.file))?;
    write!(out, "{:gutter$} |\n{number} | ", "")?;
    out.extend_from_slice(&source.bytes);
    out.extend_from_slice(if source.cut_behind { "…\n" } else { "\n" }.as_bytes());
    write!(out, "{:gutter$} | {:before$}", "", "")?;
    out.resize(out.len() + (source.span.len() as usize).max(1), b'^');
    if !finding.path.is_empty() || finding.remedy.is_some() {
        write!(out, "\n{:gutter$} |", "")?;
    }
    if !finding.path.is_empty() {
        write!(out, "\n{:gutter$} = node: game {}, {}", "", finding.game, finding.path)?;
    }
    if let Some(remedy) = &finding.remedy {
        write!(out, "\n{:gutter$} = help: {}", "", clean(&remedy.to_string()))?;
    }
    out.extend_from_slice(b"\n\n");
    Ok(())
}

/// Has the renderer lay a finding out.
fn render(out: &mut Vec<u8>, line: &Line<'_>, is_styled: bool) -> io::Result<()> {
    let finding = &*line.finding;
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(clean(&line.message()).into_owned()).id(finding.code.as_str());
    let place = clean(&line.file);
    let (number, column) = (line.position.line, line.position.column);
    let (mut group, has_place) = match line.source.as_ref().map(|source| shown(source, line.charset)) {
        Some((text, span)) => {
            // The renderer counts columns in what it shows; where that is not the
            // whole line, the place is written below it.
            let is_cut = line.source.as_ref().is_some_and(|source| source.cut_before);
            let is_whole = !is_cut && span.start as u64 + 1 == column;
            let snippet = Snippet::source(text).line_start(usize::try_from(number).unwrap_or(usize::MAX));
            let snippet = snippet.annotation(AnnotationKind::Primary.span(span));
            (title.element(if is_whole { snippet.path(&place) } else { snippet }), is_whole)
        }
        None => (Group::with_title(title), false),
    };
    if !has_place {
        group = group.element(Level::NOTE.with_name("at").message(format!("{place}:{number}:{column}")));
    }
    if !finding.path.is_empty() {
        let node = format!("game {}, {}", finding.game, finding.path);
        group = group.element(Level::NOTE.with_name("node").message(node));
    }
    if let Some(remedy) = &finding.remedy {
        group = group.element(Level::HELP.message(clean(&remedy.to_string()).into_owned()));
    }
    let renderer = if is_styled { Renderer::styled() } else { Renderer::plain() };
    write!(out, "{}\n\n", renderer.term_width(200).render(&[group]))
}

/// The line as text, and where in it the finding is.
fn shown(source: &SourceLine, charset: Charset) -> (String, Range<usize>) {
    let (start, end) = (source.span.start as usize, source.span.end as usize);
    let text = |bytes: &[u8]| clean(&charset.decode(bytes).0).into_owned();
    let cut = |is_cut| if is_cut { "…" } else { "" };
    let before = format!("{}{}", cut(source.cut_before), text(&source.bytes[..start]));
    let fault = text(&source.bytes[start..end]);
    let span = before.len()..before.len() + fault.len();
    (format!("{before}{fault}{}{}", text(&source.bytes[end..]), cut(source.cut_behind)), span)
}

/// Writes a finding on one line.
pub(super) fn write_short(out: &mut Vec<u8>, line: &Line<'_>) -> io::Result<()> {
    let (file, message) = (clean(&line.file), line.message());
    let (severity, code) = (line.finding.severity, line.finding.code);
    let (number, column) = (line.position.line, line.position.column);
    writeln!(out, "{file}:{number}:{column}: {severity}[{code}]: {}", clean(&message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sgfstream::{EventReader, Reader};
    use sgfstream_adapt::check::{CheckOptions, Checker, Finding, SourceWindow};

    /// Output of both ways for each finding in `bytes`, and whether the first may be taken.
    fn both(bytes: &[u8]) -> Vec<(bool, String, String)> {
        let (trail, mut written) = (SourceWindow::default(), Vec::new());
        let mut reader = Reader::new(trail.follow(bytes));
        let needs = super::super::line::Needs { source: true, characters: false };
        let print = |finding: &Finding| {
            let line = Line::new("games/1.sgf", finding, &trail, Charset::AUTO, needs);
            let (mut plain, mut rendered) = (Vec::new(), Vec::new());
            let source = line.source.as_ref().expect("kept");
            write_plain(&mut plain, &line, source).expect("a Vec takes all");
            render(&mut rendered, &line, false).expect("a Vec takes all");
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            written.push((is_plain(&line, source), text(&plain), text(&rendered)));
        };
        reader.drive(&mut Checker::new(CheckOptions::default().with_legality(true), print)).expect("from memory");
        written
    }

    #[test]
    fn plain_lines_are_written_as_the_renderer_lays_them_out() {
        let long = format!("(;FF[4]GM[1]SZ[19]KM[x]C[{}]{})", "x".repeat(58), ";W[zz];W[zz]".repeat(30));
        let many_lines = format!("{}(;FF[4]GM[1]KM[x];B[aa]B[zz]\n  C[])", "\n".repeat(12_345));
        for games in [
            "(;FF[4]GM[1]SZ[19]AP[x]KM[];B[zz]\n;B[aa]AB[bb]  \n   KM[6,5]HA[ ]\n)\n(;B[aa];W[aa]",
            "(;GM[1]FF[4]SZ[9];B[aa]TE[3]BM[1]\nLB[aa:]LB[bb:1]ZZ[]AB[aa:zz][bb]MN[x];W[aa];B[ab]\n;W[ba];B[aa];;W[tt]",
            "((;PB[a]PB[b]\n))x",
            "KM[x]",
            &long,
            &many_lines,
        ] {
            let written = both(games.as_bytes());
            assert!(written.iter().any(|(is_plain, ..)| *is_plain), "{games}");
            for (is_plain, plain, rendered) in written {
                assert!(!is_plain || plain == rendered, "{games}\n{plain}\n{rendered}");
            }
        }
    }

    #[test]
    fn other_lines_go_to_the_renderer() {
        for games in
            ["(;PB[黒]KM[x])", "(;PB[\u{1b}]KM[x])", "(;PB[\t]KM[x])", &format!("(;C[{}]KM[x])", "y".repeat(90))]
        {
            let written = both(games.as_bytes());
            assert!(written.iter().any(|(is_plain, _, rendered)| !is_plain && rendered.contains("KM")), "{games}");
        }
    }

    /// Also where as many bytes of the line are cut off as the sign for it has.
    #[test]
    fn every_finding_has_its_place() {
        for before in 1..300 {
            let games = format!("(;FF[4]GM[1]C[{}]KM[x])", "y".repeat(before));
            let place = format!(":1:{}\n", games.find("x]").expect("it is there") + 1);
            let written = both(games.as_bytes());
            let (.., rendered) = written.iter().find(|(.., rendered)| rendered.contains("in `KM`")).expect("a finding");
            assert!(rendered.contains(&place), "{place}{rendered}");
        }
    }

    #[test]
    fn any_plain_lines() {
        let words = [
            "(;", ";", ")", "\n", " ", "B[aa]", "W[zz]", "KM[", "]", "AP[x", "[]", "C[ ]", "AB[aa:", "DT[2", "HA",
            "\\", "x y",
        ];
        let (mut number, mut plain_lines) = (1u64, 0);
        for _ in 0..300 {
            let mut games = String::from("(;FF[4]GM[1]");
            for _ in 0..20 {
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                games.push_str(words[(number >> 33) as usize % words.len()]);
            }
            for (is_plain, plain, rendered) in both(games.as_bytes()) {
                assert!(!is_plain || plain == rendered, "{games}\n{plain}\n{rendered}");
                plain_lines += usize::from(is_plain);
            }
        }
        assert!(plain_lines > 1000, "{plain_lines}");
    }
}
