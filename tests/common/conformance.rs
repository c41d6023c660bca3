//! The cases of `corpus/conformance`: a line of JSON for each.
#![allow(dead_code, reason = "several tests share this module")]

/// Groups of cases, by what a reader must do with their inputs.
pub(crate) const GROUPS: [(&str, &str); 3] = [
    (
        "must-accept",
        include_str!("../../corpus/conformance/must-accept.jsonl"),
    ),
    (
        "must-report",
        include_str!("../../corpus/conformance/must-report.jsonl"),
    ),
    (
        "may-differ",
        include_str!("../../corpus/conformance/may-differ.jsonl"),
    ),
];

/// Returns the inputs of all cases.
pub(crate) fn inputs() -> impl Iterator<Item = Vec<u8>> {
    let cases = GROUPS.iter().flat_map(|(_, cases)| cases.lines());
    cases.map(|case| from_base64(field(case, "input")))
}

/// Returns the text of a field that needs no escapes in JSON.
fn field<'c>(case: &'c str, name: &str) -> &'c str {
    let (_, rest) = case.split_once(&format!("\"{name}\":\"")).expect("a field");
    rest.split_once('"').expect("the end of a text").0
}

/// Decodes base64.
pub(crate) fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for digit in text
        .bytes()
        .filter_map(|byte| DIGITS.iter().position(|&digit| digit == byte))
    {
        (bits, count) = (bits << 6 | digit as u32, count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
