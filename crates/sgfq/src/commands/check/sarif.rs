//! Findings as a streamed SARIF 2.1.0 log.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::report::json;
use sgfstream::Code;
use sgfstream_adapt::check::{Explanation, Remedy};

use super::finding_line::FindingLine;

/// Writes everything before the first result.
pub(super) fn begin(out: &mut impl Write) -> io::Result<()> {
    let driver = json!({
        "name": "sgfq",
        "version": env!("CARGO_PKG_VERSION"),
        "informationUri": "https://docs.rs/sgfq",
        "rules": Code::ALL.iter().copied().map(rule).collect::<Value>(),
    });
    let mut head =
        br#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","#
            .to_vec();
    head.extend_from_slice(br#""runs":[{"tool":{"driver":"#);
    json::write(&mut head, &driver)?;
    head.extend_from_slice(br#"},"results":["#);
    out.write_all(&head)
}

/// Writes a comma and a finding. The caller removes the first comma.
pub(super) fn write(out: &mut Vec<u8>, line: &FindingLine) -> io::Result<()> {
    out.extend_from_slice(b",\n");
    json::write(out, &result(line))
}

/// Writes everything after the last result.
pub(super) fn end(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"\n],\"columnKind\":\"unicodeCodePoints\"}]}\n")
}

fn rule(code: Code) -> Value {
    let explanation = Explanation::of(code);
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": code.message() },
        "fullDescription": { "text": explanation.meaning },
        "help": { "text": explanation.advice },
        "helpUri": format!("https://docs.rs/sgfstream/latest/sgfstream/base/enum.Code.html#variant.{code:?}"),
        "defaultConfiguration": { "level": code.severity().as_str() },
        "properties": { "sgfc": code.sgfc() },
    })
}

fn result(line: &FindingLine) -> Value {
    let finding = &line.finding;
    let span = finding.span;
    // Viewers open files but not members of archives, so the logical location contains the member.
    let (source, member) = line.file.split_at(line.source_len.min(line.file.len()));
    let is_member = member.starts_with('!');
    let artifact = json!({ "uri": uri(source) });
    let mut region = json!({ "startLine": line.position.line, "byteOffset": span.start, "byteLength": span.len() });
    if let Some(column) = line.characters {
        region["startColumn"] = column.into();
    }
    let mut place = json!({ "artifactLocation": artifact });
    if !is_member {
        place["region"] = region;
    }
    let node = format!("game {} node {}", finding.game, finding.path);
    let name = if is_member {
        format!("{}:{} {node}", &member[1..], line.position.line)
    } else {
        node
    };
    let mut result = json!({
        "ruleId": finding.code.as_str(),
        "ruleIndex": Code::ALL.iter().position(|&code| code == finding.code),
        "level": finding.severity.as_str(),
        "message": { "text": line.message() },
        "locations": [{
            "physicalLocation": place,
            "logicalLocations": [{ "fullyQualifiedName": name }],
        }],
    });
    let remedy = finding.remedy.as_ref().filter(|_| !is_member);
    let replacement = match remedy {
        Some(Remedy::EscapeBracket { bracket, .. }) => Some((*bracket, 0, "\\")),
        Some(remedy) => remedy.text().map(|text| (span.start, span.len(), text)),
        None => None,
    };
    if let (Some(remedy), Some((start, len, text))) = (remedy, replacement) {
        result["fixes"] = json!([{
            "description": { "text": remedy.to_string() },
            "artifactChanges": [{
                "artifactLocation": artifact,
                "replacements": [{
                    "deletedRegion": { "byteOffset": start, "byteLength": len },
                    "insertedContent": { "text": text },
                }],
            }],
        }]);
    }
    result
}

/// Converts a path to a relative URI. Bytes that are invalid in URIs are percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for &byte in path.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~!+,".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
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
