//! Text from files that people read. A file may contain escape sequences, which a terminal would
//! execute, so [`clean`] replaces them.

use std::borrow::Cow;

use sgfstream_draw::Diagram;

/// Returns `text` without characters that control or mislead a terminal.
///
/// Control characters (ESC and C1 included) and the marks that change the direction of text become
/// their numbers. TAB and LF become a space.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    // Nearly all text is printable ASCII, and this test needs only its bytes.
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

/// Returns a diagram as text: the board, then a line for each mark that does not fit on it.
#[must_use]
pub fn diagram_text(diagram: &Diagram) -> String {
    let mut text = String::new();
    for line in diagram.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for note in diagram.notes() {
        text.push_str(&clean(&note));
        text.push('\n');
    }
    text
}

/// Returns whether a character controls or misleads a terminal.
#[must_use]
pub fn is_unsafe(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}')
}

/// Returns a text as one word of a shell.
#[must_use]
pub fn quoted(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./+:@%".contains(&byte);
    match !text.is_empty() && text.bytes().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
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
