//! Findings as JSON, one object a line.

use std::io::{self, Write};

use crate::json;

use super::{Line, Show};

/// Each object is made in memory: many small writes to the output cost more.
#[derive(Default)]
pub(super) struct Json {
    object: Vec<u8>,
}

impl Show for Json {
    fn show(&mut self, out: &mut Vec<u8>, line: &Line<'_>) -> anyhow::Result<()> {
        let finding = &*line.finding;
        let repair = finding.remedy.as_ref();
        let repair_message = repair.map(ToString::to_string);
        // Written field by field: a `Value` costs four times as much.
        self.object.clear();
        let mut object = Object { out: &mut self.object, has_field: false };
        object.text("file", &line.file)?;
        object.number("game", Some(finding.game))?;
        object.text("path", &finding.path)?;
        object.number("byte", Some(finding.span.start))?;
        object.number("end", Some(finding.span.end))?;
        object.number("line", Some(line.position.line))?;
        object.number("column", Some(line.position.column))?;
        object.text("code", finding.code.as_str())?;
        object.text("severity", finding.severity.as_str())?;
        object.number("sgfc", finding.code.sgfc().map(u64::from))?;
        object.text("message", &line.message())?;
        object.maybe("found", line.found.as_deref())?;
        if let (Some(repair), Some(message)) = (repair, &repair_message) {
            object.out.extend_from_slice(b",\"repair\":");
            let mut repair_object = Object { out: &mut *object.out, has_field: false };
            repair_object.text("name", repair.as_str())?;
            repair_object.maybe("text", repair.text())?;
            repair_object.text("message", message)?;
            repair_object.out.push(b'}');
        } else {
            object.maybe("repair", None)?;
        }
        self.object.extend_from_slice(b"}\n");
        Ok(out.write_all(&self.object)?)
    }
}

struct Object<'o> {
    out: &'o mut Vec<u8>,
    has_field: bool,
}

impl Object<'_> {
    fn name(&mut self, name: &str) {
        self.out.extend_from_slice(if self.has_field { b",\"" } else { b"{\"" });
        self.has_field = true;
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    fn text(&mut self, name: &str, value: &str) -> io::Result<()> {
        self.name(name);
        json::write_text(self.out, value)
    }

    fn maybe(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        match value {
            Some(value) => self.text(name, value),
            None => self.number(name, None),
        }
    }

    fn number(&mut self, name: &str, value: Option<u64>) -> io::Result<()> {
        self.name(name);
        match value {
            // Four times as fast as `write!`.
            Some(value) => serde_json::to_writer(&mut *self.out, &value).map_err(io::Error::from),
            None => {
                self.out.extend_from_slice(b"null");
                Ok(())
            }
        }
    }
}
