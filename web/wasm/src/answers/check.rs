//! Findings: the fields of `sgfq check -f jsonl`.

use std::borrow::Cow;

use sgfstream::record::GameReader;
use sgfstream::{Charset, Code, Error, Position, Severity, SliceReader};
use sgfstream_adapt::check::{CheckOptions, Finding, InputChecker};

use crate::input::whole;
use crate::json::Json;

use super::{Answer, Args, Refusal};

/// Maximum faulty bytes shown with a message.
const FOUND: usize = 60;

pub(crate) fn check(args: &Args<'_>, bytes: &[u8]) -> Result<Answer, Refusal> {
    let (bytes, options) = whole(bytes, args.options()?);
    let (level, allow) = (args.level(Severity::Warning)?, args.codes("allow")?);
    let mut found = Vec::new();
    let mut games = GameReader::new(SliceReader::with_options(&bytes, options)).keeping_context();
    let mut checker =
        InputChecker::new(CheckOptions::default().with_legality(args.is_set("legality")));
    let long_games = checker
        .check_games(&mut games, &mut |finding, place| {
            if finding.severity >= level && !allow.contains(&finding.code) {
                let position = place.position_of(finding.span.start);
                found.push((finding, place.charset, position));
            }
            true
        })
        .map_err(|err| Refusal::new("too-large", err.to_string()))?;
    if let Some(long) = long_games.first() {
        return Err(Refusal::new("too-large", Error::from(*long).to_string()));
    }
    let mut json = Json::default();
    json.open('[');
    for (finding, charset, position) in &found {
        json.open('{');
        write_head(&mut json, finding, Some(*position));
        json.name("sgfc").number_or_null(finding.code.sgfc());
        let text = text_of(&bytes, finding, *charset);
        json.name("message")
            .text(&message(finding, text.as_deref()));
        json.name("found").optional(text.as_deref());
        write_repair(&mut json, finding);
        json.close('}');
    }
    json.close(']');
    Ok(Answer {
        json: json.out,
        ..Answer::default()
    })
}

/// Returns the faulty bytes as text.
fn text_of(bytes: &[u8], finding: &Finding, charset: Charset) -> Option<String> {
    let at_fault = bytes.get(finding.span.start as usize..finding.span.end as usize)?;
    let shown = &at_fault[..at_fault.len().min(FOUND)];
    let dots = if shown.len() < at_fault.len() {
        "…"
    } else {
        ""
    };
    (!shown.is_empty()).then(|| charset.decode(shown).0.into_owned() + dots)
}

/// Returns the message. For a problem of the reader, it includes the bytes, which the reader's
/// message lacks.
fn message<'f>(finding: &'f Finding, found: Option<&str>) -> Cow<'f, str> {
    let message = &finding.message;
    match found {
        Some(found)
            if finding.code <= Code::AssumedCharset && message == finding.code.message() =>
        {
            Cow::Owned(format!("{message}: `{found}`"))
        }
        _ => Cow::Borrowed(message),
    }
}

/// Writes place, code and severity. Bytes, line and column are null without a position.
pub(super) fn write_head(json: &mut Json, finding: &Finding, position: Option<Position>) {
    json.name("game").number(finding.game);
    json.name("path").text(&finding.path);
    json.name("byte")
        .number_or_null(position.map(|_| finding.span.start));
    json.name("end")
        .number_or_null(position.map(|_| finding.span.end));
    json.name("line")
        .number_or_null(position.map(|position| position.line));
    json.name("column")
        .number_or_null(position.map(|position| position.column));
    json.name("code").text(finding.code.as_str());
    json.name("severity").text(finding.severity.as_str());
}

pub(super) fn write_repair(json: &mut Json, finding: &Finding) {
    json.name("repair");
    let Some(remedy) = &finding.remedy else {
        return json.null();
    };
    json.open('{');
    json.name("name").text(remedy.as_str());
    json.name("text").optional(remedy.text());
    json.name("message").text(&remedy.to_string());
    json.close('}');
}
