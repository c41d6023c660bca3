//! Findings as JSON, one object a line.

use std::io::{self, Write};

use serde_json::json;

use crate::cli::output::Output;

use super::{Line, Show};

pub(super) struct Json;

impl Show for Json {
    fn show(&mut self, out: &mut Output, line: &Line<'_>) -> anyhow::Result<()> {
        let finding = line.finding;
        let repair = finding
            .remedy
            .as_ref()
            .map(|remedy| json!({ "name": remedy.as_str(), "text": remedy.text(), "message": remedy.to_string() }));
        let object = json!({
            "file": line.file,
            "game": finding.game,
            "path": finding.path,
            "byte": finding.span.start,
            "end": finding.span.end,
            "line": line.position.line,
            "column": line.position.column,
            "code": finding.code.as_str(),
            "severity": finding.severity.as_str(),
            "sgfc": finding.code.sgfc(),
            "message": line.message(),
            "found": line.found,
            "repair": repair,
        });
        serde_json::to_writer(&mut *out, &object).map_err(io::Error::from)?;
        Ok(out.write_all(b"\n")?)
    }
}
