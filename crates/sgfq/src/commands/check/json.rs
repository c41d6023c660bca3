//! Findings as JSON, one object per line.

use std::io;

use serde::Serialize;

use sgfstream_adapt::check::Remedy;

use crate::report::json;

use super::finding_line::FindingLine;

#[derive(Serialize)]
struct FindingFields<'f> {
    schema: u64,
    file: &'f str,
    game: u64,
    path: &'f str,
    byte: u64,
    end: u64,
    line: u64,
    column: u64,
    code: &'f str,
    severity: &'f str,
    sgfc: Option<u8>,
    message: &'f str,
    found: Option<&'f str>,
    repair: Option<RepairFields<'f>>,
}

/// Fields of a repair. The report of `fix` has them, too.
#[derive(Serialize)]
pub(crate) struct RepairFields<'r> {
    name: &'r str,
    text: Option<&'r str>,
    message: String,
}

impl<'r> RepairFields<'r> {
    pub(crate) fn of(remedy: &'r Remedy) -> Self {
        Self {
            name: remedy.as_str(),
            text: remedy.text(),
            message: remedy.to_string(),
        }
    }
}

pub(super) fn write(out: &mut Vec<u8>, line: &FindingLine) -> io::Result<()> {
    let finding = &line.finding;
    let fields = FindingFields {
        schema: json::SCHEMA,
        file: &line.file,
        game: finding.game,
        path: &finding.path,
        byte: finding.span.start,
        end: finding.span.end,
        line: line.position.line,
        column: line.position.column,
        code: finding.code.as_str(),
        severity: finding.severity.as_str(),
        sgfc: finding.code.sgfc(),
        message: &line.message(),
        found: line.found.as_deref(),
        repair: finding.remedy.as_ref().map(RepairFields::of),
    };
    json::write(out, &fields)?;
    out.push(b'\n');
    Ok(())
}
