//! Cells of CSV on their way out.

use crate::report::terminal::clean;

/// Writes cells: as they are, or [clean] for a terminal.
pub(crate) struct CsvCells {
    pub(crate) is_terminal: bool,
    /// Separator of cells: a comma, or a tab.
    pub(crate) separator: char,
    /// A line of one cell: an empty one needs quotes, or its line looks empty.
    pub(crate) are_alone: bool,
}

impl CsvCells {
    pub(crate) fn new(is_terminal: bool) -> Self {
        Self { is_terminal, separator: ',', are_alone: false }
    }

    /// Adds a cell, in quotes where it needs them.
    pub(crate) fn push(&self, text: &str, out: &mut Vec<u8>) {
        let text = if self.is_terminal { clean(text) } else { text.into() };
        let needs_quotes = text.contains(['"', self.separator, '\r', '\n']) || (self.are_alone && text.is_empty());
        if !needs_quotes {
            return out.extend_from_slice(text.as_bytes());
        }
        out.push(b'"');
        out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        out.push(b'"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_terminal_gets_other_text_than_the_file_has() {
        let cell = |is_terminal: bool, text: &str| {
            let mut out = Vec::new();
            CsvCells::new(is_terminal).push(text, &mut out);
            String::from_utf8(out).expect("UTF-8")
        };
        let text = "a\u{9b}b\u{202e}c\u{1b}[31m\"d\", e\nf";
        assert_eq!(cell(false, text), "\"a\u{9b}b\u{202e}c\u{1b}[31m\"\"d\"\", e\nf\"");
        assert_eq!(cell(true, text), "\"a\\u{9b}b\\u{202e}c\\u{1b}[31m\"\"d\"\", e f\"");
        assert_eq!(cell(true, "plain"), "plain");
    }
}
