//! Findings for people: the line with a caret under the fault, or one line
//! each. All text is cleaned before it reaches a terminal.

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::report::terminal::clean;
use sgfstream::adapt::check::SourceLine;
use sgfstream::base::Severity;

use super::line::Line;

/// Writes a finding as rustc shows its errors.
pub(super) fn write(out: &mut Vec<u8>, line: &Line<'_>, is_styled: bool) -> io::Result<()> {
    let finding = &*line.finding;
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(clean(&line.message()).into_owned()).id(finding.code.as_str());
    let place = clean(&line.file);
    let (number, column) = (line.position.line, line.position.column);
    let (mut group, has_place) = match line.source.as_ref().map(shown) {
        Some((text, span)) => {
            // The renderer counts columns in what it shows; where that is not the
            // whole line, the place is written below it.
            let is_whole = span.start as u64 + 1 == column;
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
fn shown(source: &SourceLine) -> (String, Range<usize>) {
    let (start, end) = (source.span.start as usize, source.span.end as usize);
    let text = |bytes: &[u8]| clean(&String::from_utf8_lossy(bytes)).into_owned();
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
