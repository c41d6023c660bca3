//! Findings for people: the line with a caret under what is wrong, or one line
//! each. All text is cleaned before it reaches a terminal.

use std::io::Write;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::terminal::clean;
use sgfstream::adapt::check::SourceLine;
use sgfstream::base::Severity;

use super::{Line, Needs, Show};

/// As rustc shows them.
pub(super) struct Human {
    renderer: Renderer,
}

impl Human {
    pub(super) fn new(is_styled: bool) -> Self {
        let renderer = if is_styled { Renderer::styled() } else { Renderer::plain() };
        Self { renderer: renderer.term_width(200) }
    }
}

impl Show for Human {
    fn needs(&self) -> Needs {
        Needs { source: true, ..Needs::default() }
    }

    fn show(&mut self, out: &mut Vec<u8>, line: &Line<'_>) -> anyhow::Result<()> {
        let finding = &*line.finding;
        let level = match finding.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let message = line.message();
        let message = clean(&message);
        let place = clean(&line.file);
        let node = (!finding.path.is_empty()).then(|| format!("game {}, {}", finding.game, finding.path));
        let at_line = usize::try_from(line.position.line).unwrap_or(usize::MAX);
        let source = line.source.as_ref().map(shown);
        let title = level.primary_title(&*message).id(finding.code.as_str());
        // The renderer counts columns in what it shows; where that is not the
        // whole line, the place is said below it.
        let below = format!("{place}:{}:{}", line.position.line, line.position.column);
        let is_whole = source.as_ref().is_some_and(|(_, span)| span.start as u64 + 1 == line.position.column);
        let mut group = match &source {
            Some((text, span)) => {
                let snippet = Snippet::source(&**text).line_start(at_line);
                let snippet = snippet.annotation(AnnotationKind::Primary.span(span.clone()));
                title.element(if is_whole { snippet.path(&*place) } else { snippet })
            }
            None => Group::with_title(title),
        };
        if !is_whole {
            group = group.element(Level::NOTE.with_name("at").message(&*below));
        }
        if let Some(node) = &node {
            group = group.element(Level::NOTE.with_name("node").message(&**node));
        }
        let remedy = finding.remedy.as_ref().map(ToString::to_string);
        let remedy = remedy.as_deref().map(clean);
        if let Some(remedy) = &remedy {
            group = group.element(Level::HELP.message(&**remedy));
        }
        let rendered = self.renderer.render(&[group]);
        out.write_all(rendered.as_bytes())?;
        Ok(out.write_all(b"\n\n")?)
    }
}

/// The line as text, and where in it the finding is.
fn shown(source: &SourceLine) -> (String, std::ops::Range<usize>) {
    let (start, end) = (source.span.start as usize, source.span.end as usize);
    let mut text = String::new();
    let push = |text: &mut String, bytes: &[u8]| text.push_str(&clean(&String::from_utf8_lossy(bytes)));
    text.push_str(if source.cut_before { "…" } else { "" });
    push(&mut text, &source.bytes[..start]);
    let from = text.len();
    push(&mut text, &source.bytes[start..end]);
    let to = text.len();
    push(&mut text, &source.bytes[end..]);
    text.push_str(if source.cut_behind { "…" } else { "" });
    (text, from..to)
}

/// One line each.
pub(super) struct Short;

impl Show for Short {
    fn show(&mut self, out: &mut Vec<u8>, line: &Line<'_>) -> anyhow::Result<()> {
        let finding = &*line.finding;
        let message = line.message();
        let (file, message) = (clean(&line.file), clean(&message));
        let position = line.position;
        let (severity, code) = (finding.severity, finding.code);
        Ok(writeln!(out, "{file}:{}:{}: {severity}[{code}]: {message}", position.line, position.column)?)
    }
}
