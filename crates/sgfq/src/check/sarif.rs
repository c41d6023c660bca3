//! Findings as one SARIF 2.1.0 log, written as they come.

use std::io::Write;

use serde_json::{Value, json};

use crate::json;
use sgfstream::base::Code;

use super::{Line, Needs, Show};

/// Each result has a comma before it; the first of all loses it.
pub(super) struct Sarif;

impl Show for Sarif {
    fn needs(&self) -> Needs {
        Needs { characters: true, ..Needs::default() }
    }

    fn begin(&mut self, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let driver = json!({
            "name": "sgfq",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": Code::ALL.iter().copied().map(rule).collect::<Vec<_>>(),
        });
        out.write_all(
            b"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":",
        )?;
        json::write(out, &driver)?;
        Ok(out.write_all(b"},\"results\":[")?)
    }

    fn show(&mut self, out: &mut Vec<u8>, line: &Line<'_>) -> anyhow::Result<()> {
        out.extend_from_slice(b",\n");
        json::write(out, &result(line))?;
        Ok(())
    }

    fn separator(&self) -> usize {
        1
    }

    fn end(&mut self, out: &mut Vec<u8>) -> anyhow::Result<()> {
        Ok(out.write_all(b"\n],\"columnKind\":\"unicodeCodePoints\"}]}\n")?)
    }
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": code.message() },
        "defaultConfiguration": { "level": code.severity().as_str() },
        "properties": { "sgfc": code.sgfc() },
    })
}

fn result(line: &Line<'_>) -> Value {
    let finding = &*line.finding;
    let span = finding.span;
    let artifact = json!({ "uri": uri(&line.file) });
    let mut region = json!({
        "startLine": line.position.line,
        "byteOffset": span.start,
        "byteLength": span.len(),
    });
    if let Some(column) = line.characters {
        region["startColumn"] = column.into();
    }
    let mut result = json!({
        "ruleId": finding.code.as_str(),
        "ruleIndex": Code::ALL.iter().position(|&code| code == finding.code),
        "level": finding.severity.as_str(),
        "message": { "text": line.message() },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": artifact,
                "region": region,
            },
            "logicalLocations": [{ "fullyQualifiedName": format!("game {} node {}", finding.game, finding.path) }],
        }],
    });
    if let Some(remedy) = &finding.remedy
        && let Some(text) = remedy.text()
    {
        result["fixes"] = json!([{
            "description": { "text": remedy.to_string() },
            "artifactChanges": [{
                "artifactLocation": artifact,
                "replacements": [{
                    "deletedRegion": { "byteOffset": span.start, "byteLength": span.len() },
                    "insertedContent": { "text": text },
                }],
            }],
        }]);
    }
    result
}

/// A path as a relative URI: what no URI may hold is written by its number.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for &byte in path.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b'!' | b'+' | b',' => {
                uri.push(char::from(byte));
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn names_become_uris() {
        assert_eq!(uri("a b/c#1.sgf"), "a%20b/c%231.sgf");
        assert_eq!(uri("x.zip!黒.sgf"), "x.zip!%E9%BB%92.sgf");
    }
}
