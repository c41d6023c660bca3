//! Checks the values that edits write.

use sgfstream::{Code, SliceReader, escape_text};
use sgfstream_adapt::check::{CheckOptions, InputChecker};

/// Returns the identifier and the values, with their brackets, of a valid argument of `--set` or
/// `--add`.
pub(super) fn given(argument: &str) -> Option<(&str, String)> {
    let ident = &argument[..argument.find(['=', '[', '@'])?];
    let value = &argument[argument.find(['=', '['])?..];
    let raw = value.strip_prefix('=').map_or_else(
        || value.to_owned(),
        |text| format!("[{}]", escape_text(text)),
    );
    Some((ident, raw))
}

/// Returns the problem that the checker finds in a property in every game. `raw` contains the
/// values with their brackets.
pub(super) fn fault_of(ident: &str, raw: &str) -> anyhow::Result<Option<String>> {
    // CA and FF of the argument replace the CA and FF of the head.
    let head = match ident {
        "CA" | "FF" => "(;",
        "GM" => "(;CA[UTF-8]FF[4]",
        _ => "(;CA[UTF-8]FF[4]GM[1]",
    };
    let mut fault = None;
    let game = format!("{head}{ident}{raw})");
    InputChecker::new(CheckOptions::default()).check_all(
        SliceReader::new(game.as_bytes()),
        &mut |finding| {
            if matches!(
                finding.code,
                Code::UnreadableValue | Code::BadRootValue | Code::MalformedGameInfo
            ) {
                fault.get_or_insert(finding.message);
            }
        },
    )?;
    Ok(fault)
}
