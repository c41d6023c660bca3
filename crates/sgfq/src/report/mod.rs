//! Output of commands: boards on a terminal, numbers, JSON, pages, sanitized text, exit statuses.

pub(crate) mod cut;
pub(crate) mod exit;
pub(crate) mod format;
pub(crate) mod json;
pub(crate) mod rows;
pub(crate) mod tally;
pub(crate) mod terminal;
pub(crate) mod unread;

use sgfstream_table::row::nearest;

/// Returns the error for an invalid pattern. The last line of `err` has the reason; the other lines
/// draw the place.
pub(crate) fn regex_error(pattern: &str, err: &regex::Error) -> anyhow::Error {
    let message = err.to_string();
    let reason = message
        .lines()
        .last()
        .unwrap_or_default()
        .trim_start_matches("error: ");
    anyhow::anyhow!("invalid regular expression `{pattern}`: {reason}")
}

/// Returns a count with its noun: `1 game`, `2 games`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns the end of a message about an unknown name: the nearest of `names`.
pub(crate) fn did_you_mean<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(name, names).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
