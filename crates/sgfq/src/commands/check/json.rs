//! Findings as JSON, one object per line.

use std::io;

use sgfstream_adapt::check::Remedy;

use crate::report::json::{JsonField, SCHEMA, write_object};

use super::line::Line;

pub(super) fn write(out: &mut Vec<u8>, line: &Line<'_>) -> io::Result<()> {
    use JsonField::{Null, Number, Object, Text};
    let finding = &line.finding;
    let remedy = finding.remedy.as_ref().map(|remedy| (remedy, remedy.to_string()));
    let repair = remedy.as_ref().map(|(remedy, message)| repair_fields(remedy, message));
    let fields = [
        ("schema", Number(SCHEMA)),
        ("file", Text(&line.file)),
        ("game", Number(finding.game)),
        ("path", Text(&finding.path)),
        ("byte", Number(finding.span.start)),
        ("end", Number(finding.span.end)),
        ("line", Number(line.position.line)),
        ("column", Number(line.position.column)),
        ("code", Text(finding.code.as_str())),
        ("severity", Text(finding.severity.as_str())),
        ("sgfc", finding.code.sgfc().map_or(Null, |number| Number(number.into()))),
        ("message", Text(&line.message())),
        ("found", line.found.as_deref().into()),
        ("repair", repair.as_ref().map_or(Null, |fields| Object(fields))),
    ];
    write_object(out, &fields, &[])?;
    out.push(b'\n');
    Ok(())
}

/// Returns the fields of a repair; `message` is the text of `remedy`. The report of `fix` has them, too.
pub(crate) fn repair_fields<'r>(remedy: &'r Remedy, message: &'r str) -> [(&'static str, JsonField<'r>); 3] {
    use JsonField::Text;
    [("name", Text(remedy.as_str())), ("text", remedy.text().into()), ("message", Text(message))]
}
