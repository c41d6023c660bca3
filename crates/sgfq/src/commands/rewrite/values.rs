//! The values that edits refuse.

use sgfstream::{Code, EventReader, SliceReader, escape_text};
use sgfstream_adapt::check::{CheckOptions, Checker, Finding};

/// The identifier and the values, with their brackets, of an argument of `--set` or `--add` that can be read.
pub(super) fn given(argument: &str) -> Option<(&str, String)> {
    let ident = &argument[..argument.find(['=', '[', '@'])?];
    let value = &argument[argument.find(['=', '['])?..];
    let raw = value.strip_prefix('=').map_or_else(|| value.to_owned(), |text| format!("[{}]", escape_text(text)));
    Some((ident, raw))
}

/// Fault that the checker finds in a property, whatever the game is. `raw` has its values with their brackets.
pub(super) fn fault_of(ident: &str, raw: &str) -> anyhow::Result<Option<String>> {
    // CA and FF of the argument come instead of those.
    let head = match ident {
        "CA" | "FF" => "(;",
        "GM" => "(;CA[UTF-8]FF[4]",
        _ => "(;CA[UTF-8]FF[4]GM[1]",
    };
    let mut fault = None;
    let mut checker = Checker::new(CheckOptions::default(), |finding: &Finding| {
        if matches!(finding.code, Code::UnreadableValue | Code::BadRootValue | Code::MalformedGameInfo) {
            fault.get_or_insert_with(|| finding.message.to_string());
        }
    });
    SliceReader::new(format!("{head}{ident}{raw})").as_bytes()).drive(&mut checker)?;
    drop(checker);
    Ok(fault)
}
