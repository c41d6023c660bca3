//! Escapes text for the inside of a value, and no more than necessary (spec T-02, K-02).

use crate::base::Limits;
use crate::scan::restart_in_value;

/// Escaped line break, which is not part of the text.
const SOFT_BREAK: &str = "\\\n";

/// Escapes `]` and `\`. If a text ends like the start of a game, a reader would assume that the `]`
/// before that game was lost. So the text then gets an escaped line break, which readers omit.
///
/// ```
/// use sgfstream::escape_text;
///
/// assert_eq!(escape_text("a]b\\c: d"), "a\\]b\\\\c: d");
/// assert_eq!(escape_text("see\n(;FF[4"), "see\n(;FF[4\\\n");
/// ```
#[must_use]
pub fn escape_text(text: &str) -> String {
    escape(text, &[']', '\\'])
}

/// Escapes `]`, `\` and `:`, for one half of a Compose value.
///
/// ```
/// use sgfstream::{Framing, encode_property, escape_compose_text};
///
/// assert_eq!(escape_compose_text("ratio 1:2"), "ratio 1\\:2");
/// let label = format!("aa:{}", escape_compose_text("[1:2]"));
/// assert_eq!(encode_property("LB", [label], Framing::Value)?, br"LB[aa:[1\:2\]]");
/// # Ok::<(), sgfstream::WriteError>(())
/// ```
#[must_use]
pub fn escape_compose_text(text: &str) -> String {
    escape(text, &[']', '\\', ':'])
}

/// Escapes each byte `]` or `\`, because FF\[4\] unescapes bytes before it decodes them. So text in
/// Shift_JIS, whose characters may end with such a byte, is encoded first and then escaped. The end
/// of the text gets an escaped line break where [`escape_text`] adds one.
///
/// ```
/// use sgfstream::{Charset, Writer, escape_bytes};
///
/// let charset = Charset::for_label(b"Shift_JIS").expect("a known name");
/// let text = charset.encode("表[1]").expect("the charset has it");
/// let mut writer = Writer::new(Vec::new());
/// writer.start_game()?;
/// writer.start_node()?;
/// writer.property("CA", ["Shift_JIS"])?;
/// writer.property("C", [escape_bytes(&text)])?;
/// writer.end_variation()?;
/// assert_eq!(writer.finish()?, b"(;CA[Shift_JIS]C[\x95\\\\[1\\]])");
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn escape_bytes(bytes: &[u8]) -> Vec<u8> {
    let escaped = |&byte: &u8| {
        matches!(byte, b']' | b'\\')
            .then_some(b'\\')
            .into_iter()
            .chain([byte])
    };
    let mut out: Vec<u8> = bytes.iter().flat_map(escaped).collect();
    if ends_like_game(&out) {
        out.extend_from_slice(SOFT_BREAK.as_bytes());
    }
    out
}

fn ends_like_game(value: &[u8]) -> bool {
    restart_in_value(value, &Limits::default()).is_some()
}

fn escape(text: &str, special: &[char]) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for char in text.chars() {
        if special.contains(&char) {
            out.push('\\');
        }
        out.push(char);
    }
    if ends_like_game(out.as_bytes()) {
        out.push_str(SOFT_BREAK);
    }
    out
}
