//! File names that every file system accepts.

use crate::report::terminal::is_unsafe;

/// Returns whether every file system accepts the character in a name, and a terminal shows it
/// unambiguously.
fn is_accepted(char: char) -> bool {
    !is_unsafe(char) && !matches!(char, '/' | '\\' | '<' | '>' | ':' | '"' | '|' | '?' | '*')
}

/// Converts a text to a file name that every file system accepts. Other characters become `_`.
///
/// The name is never empty, hidden, an option, a device of Windows, or longer than `most` bytes. A
/// truncated name ends with the hash of the whole text. Different texts may get the same name.
pub(crate) fn safe_name(text: &str, most: usize) -> String {
    let mut name: String = text
        .chars()
        .map(|char| if is_accepted(char) { char } else { '_' })
        .collect();
    name.truncate(name.trim_end_matches([' ', '.']).len());
    if name.is_empty() || name.starts_with(['.', '-', ' ']) || is_device(&name) {
        name.insert(0, '_');
    }
    if name.len() > most {
        let cut = name
            .char_indices()
            .map(|(at, _)| at)
            .take_while(|&at| at <= most - 20)
            .last()
            .unwrap_or(0);
        let hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
        name = format!("{}-{hash:016x}", &name[..cut]);
    }
    name
}

/// Returns whether Windows reserves the name for a device. The part after its first dot does not
/// matter.
fn is_device(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_ascii_uppercase();
    let port = stem
        .strip_prefix("COM")
        .or_else(|| stem.strip_prefix("LPT"));
    let mut rest = port.unwrap_or_default().chars();
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || (rest
            .next()
            .is_some_and(|c| c.is_ascii_digit() || "\u{b9}\u{b2}\u{b3}".contains(c))
            && rest.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_no_file_system_minds() {
        for (text, name) in [
            ("Go Seigen", "Go Seigen"),
            ("../../etc/passwd", "_.._.._etc_passwd"),
            ("", "_"),
            ("con", "_con"),
            ("Com1.x", "_Com1.x"),
            ("a\0b\n", "a_b_"),
            ("呉清源", "呉清源"),
            ("x...", "x"),
            ("...", "_"),
            (" x. ", "_ x"),
            ("nul .txt", "_nul .txt"),
            ("Q&A (1): \u{202e}x?", "Q&A (1)_ _x_"),
            (".hidden", "_.hidden"),
            ("2-dan_1.5", "2-dan_1.5"),
            ("-rf", "_-rf"),
            ("COM\u{b9}", "_COM\u{b9}"),
            ("lpt\u{b3}.sgf", "_lpt\u{b3}.sgf"),
            ("COM12", "COM12"),
            ("COMÉ", "COMÉ"),
        ] {
            assert_eq!(safe_name(text, 80), name, "{text}");
        }
        let (one, other) = ("é".repeat(500), "é".repeat(501));
        let name = safe_name(&one, 80);
        assert!(name.len() <= 80 && name != safe_name(&other, 80));
    }
}
