//! Findings: the fields of `sgfq check -f jsonl`.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use sgfstream::{Charset, Code, Event, EventReader, Flow, LineCursor, Place, Position, Severity, Sink, SliceReader};
use sgfstream_adapt::check::{CheckOptions, Checker, Finding};

use crate::input::whole;
use crate::json::Json;

use super::{Answer, Args, Refusal};

/// Maximum faulty bytes shown with a message.
const FOUND: usize = 60;

pub(crate) fn check(args: &Args<'_>, bytes: &[u8]) -> Result<Answer, Refusal> {
    let (bytes, options) = whole(bytes, args.options()?);
    let (level, allow) = (args.level(Severity::Warning)?, args.codes("allow")?);
    let found = RefCell::new(Vec::new());
    let charset = Cell::new(Charset::AUTO);
    let take = |finding: &Finding| {
        if finding.severity >= level && !allow.contains(&finding.code) {
            found.borrow_mut().push((finding.clone(), charset.get()));
        }
    };
    let mut checker = Checker::new(CheckOptions::default().with_legality(args.is_set("legality")), take);
    let mut sink = |event: &Event<'_>, place: &Place| {
        charset.set(place.charset);
        checker.take(event, place);
        Flow::Go
    };
    SliceReader::with_options(&bytes, options)
        .drive(&mut sink)
        .map_err(|err| Refusal::new("too-large", err.to_string()))?;
    drop(checker);
    let found = found.into_inner();
    let positions = positions(&bytes, found.iter().map(|(finding, _)| finding.span.start));
    let mut json = Json::default();
    json.open('[');
    for ((finding, charset), position) in found.iter().zip(positions) {
        json.open('{');
        write_head(&mut json, finding, Some(position));
        json.name("sgfc").number_or_null(finding.code.sgfc());
        let text = text_of(&bytes, finding, *charset);
        json.name("message").text(&message(finding, text.as_deref()));
        json.name("found").optional(text.as_deref());
        write_repair(&mut json, finding);
        json.close('}');
    }
    json.close(']');
    Ok(Answer { json: json.out, ..Answer::default() })
}

/// Returns the faulty bytes as text.
fn text_of(bytes: &[u8], finding: &Finding, charset: Charset) -> Option<String> {
    let at_fault = bytes.get(finding.span.start as usize..finding.span.end as usize)?;
    let shown = &at_fault[..at_fault.len().min(FOUND)];
    let dots = if shown.len() < at_fault.len() { "…" } else { "" };
    (!shown.is_empty()).then(|| charset.decode(shown).0.into_owned() + dots)
}

/// Returns the message. For a problem of the reader, it includes the bytes, which the reader's message lacks.
fn message<'f>(finding: &'f Finding, found: Option<&str>) -> Cow<'f, str> {
    let message = &finding.message;
    match found {
        Some(found) if finding.code <= Code::AssumedCharset && message == finding.code.message() => {
            Cow::Owned(format!("{message}: `{found}`"))
        }
        _ => Cow::Borrowed(message),
    }
}

/// Returns lines and columns of byte offsets in one pass over the input.
fn positions(bytes: &[u8], offsets: impl Iterator<Item = u64>) -> Vec<Position> {
    let offsets: Vec<u64> = offsets.collect();
    let mut order: Vec<usize> = (0..offsets.len()).collect();
    order.sort_by_key(|&index| offsets[index]);
    let mut positions = vec![Position::default(); offsets.len()];
    let mut cursor = LineCursor::default();
    for index in order {
        let (from, to) = (cursor.position().byte as usize, (offsets[index] as usize).min(bytes.len()));
        cursor.advance(&bytes[from..to.max(from)]);
        positions[index] = cursor.position();
    }
    positions
}

/// Writes place, code and severity. Bytes, line and column are null without a position.
pub(super) fn write_head(json: &mut Json, finding: &Finding, position: Option<Position>) {
    json.name("game").number(finding.game);
    json.name("path").text(&finding.path);
    json.name("byte").number_or_null(position.map(|_| finding.span.start));
    json.name("end").number_or_null(position.map(|_| finding.span.end));
    json.name("line").number_or_null(position.map(|position| position.line));
    json.name("column").number_or_null(position.map(|position| position.column));
    json.name("code").text(finding.code.as_str());
    json.name("severity").text(finding.severity.as_str());
}

pub(super) fn write_repair(json: &mut Json, finding: &Finding) {
    json.name("repair");
    let Some(remedy) = &finding.remedy else { return json.null() };
    json.open('{');
    json.name("name").text(remedy.as_str());
    json.name("text").optional(remedy.text());
    json.name("message").text(&remedy.to_string());
    json.close('}');
}
