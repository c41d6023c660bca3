//! Text from files on its way to a person. A file may hold anything, and a terminal obeys some of it; so it is cleaned first.

use std::borrow::Cow;

/// Returns `text` without what a terminal would obey or be misled by: control
/// characters, ESC and the C1 controls, and the marks that turn the direction
/// of text, each shown by its number. TAB and LF become a space.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    // Nearly all text is printable ASCII, and a look at its bytes tells that at once.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for char in text.chars() {
        match char {
            '\t' | '\n' => out.push(' '),
            char if is_unsafe(char) => out.push_str(&format!("\\u{{{:x}}}", u32::from(char))),
            char => out.push(char),
        }
    }
    Cow::Owned(out)
}

/// True for what a terminal would obey or be misled by.
#[must_use]
pub fn is_unsafe(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn nothing_dangerous_is_left() {
        assert_eq!(clean("plain 黒 text"), "plain 黒 text");
        assert_eq!(clean("a\x1b[31mb\u{9b}c"), "a\\u{1b}[31mb\\u{9b}c");
        assert_eq!(clean("x\u{202e}y\tz\n"), "x\\u{202e}y z ");
    }
}
