//! Compares the charset that a game declares with the charset of its texts.

use crate::base::{Charset, Code, Severity};
use crate::event::{Event, RawValue};
use crate::read::{FramingPolicy, Options, SliceReader};

use super::guess::{CharsetGuess, guess_charset};

/// Bytes of text to base a guess on.
const TEXT: usize = 64 << 10;

/// Charset of a game: declared, checked against the texts, and guessed.
///
/// ```
/// use sgfstream::internal::GameCharset;
///
/// let found = GameCharset::of("(;CA[Big5]C[黒番の先手が右上の星に打ち])".as_bytes());
/// assert_eq!((found.declared.as_deref(), found.valid), (Some(&b"Big5"[..]), "no"));
/// assert_eq!(found.guess.map(|guess| guess.charset.name()), Some("UTF-8"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameCharset {
    /// Value of CA as written, at most 100 bytes.
    pub declared: Option<Vec<u8>>,
    /// `yes` if all texts decode in the declared charset, else `no`. It is `ascii` if all texts are
    /// ASCII, and `-` if no charset is declared.
    pub valid: &'static str,
    /// Guessed charset of the texts; `None` if they are ASCII.
    pub guess: Option<CharsetGuess>,
    /// Rule for the end of a value that reads the game without errors: `value` (by bytes), `whole`
    /// (by characters), `either` or `neither`.
    pub framing: &'static str,
}

impl GameCharset {
    /// Examines the bytes of one game.
    #[must_use]
    pub fn of(game: &[u8]) -> Self {
        let mut declared = None;
        let mut text = Vec::new();
        let mut charset = None;
        // If all texts are ASCII, only CA matters.
        let is_ascii = game.is_ascii();
        let looked_at = if is_ascii && !may_have_ca(game) {
            &[][..]
        } else {
            game
        };
        for event in SliceReader::new(looked_at).events().flatten() {
            if is_ascii && declared.is_some() {
                break;
            }
            let Event::Property(property) = event else {
                continue;
            };
            if property.ident().is(b"CA") && declared.is_none() {
                let raw = property.first().as_bytes();
                charset = Charset::for_label(raw.trim_ascii());
                declared = Some(raw[..raw.len().min(100)].to_vec());
            } else if !property.as_bytes().is_ascii() && text.len() < TEXT {
                for value in property
                    .values()
                    .filter(|value| !value.as_bytes().is_ascii())
                {
                    text.extend_from_slice(value.as_bytes());
                    text.push(b'\n');
                }
            }
        }
        text.truncate(TEXT);
        let guess = guess_charset(&text);
        let faults = |charset: Charset, framing| faults(game, charset, framing);
        let valid = match (charset, guess) {
            (_, None) => "ascii",
            (Some(charset), _) => {
                let (_, bytes) = faults(charset, FramingPolicy::Auto);
                if bytes == 0 { "yes" } else { "no" }
            }
            (None, Some(_)) if declared.is_some() => "no",
            (None, Some(_)) => "-",
        };
        let assumed = charset
            .or(guess.map(|guess| guess.charset))
            .unwrap_or(Charset::AUTO);
        let framing = if guess.is_some() && assumed.has_structural_trail_bytes() {
            match (
                faults(assumed, FramingPolicy::Value).0,
                faults(assumed, FramingPolicy::Whole).0,
            ) {
                (0, 0) => "either",
                (0, _) => "value",
                (_, 0) => "whole",
                _ => "neither",
            }
        } else {
            "either"
        };
        Self {
            declared,
            valid,
            guess,
            framing,
        }
    }
}

/// Returns false if no property can be CA, in any spelling, because every `C` is followed by a
/// bracket before an `A`. The moves of most games contain no `C`.
fn may_have_ca(game: &[u8]) -> bool {
    let mut rest = game;
    while let Some(at) = memchr::memchr(b'C', rest) {
        rest = &rest[at + 1..];
        match memchr::memchr2(b'A', b'[', rest) {
            Some(end) if rest[end] == b'[' => rest = &rest[end..],
            Some(_) => return true,
            None => return false,
        }
    }
    false
}

/// Reads a game with these settings; returns its structural errors and its undecodable values.
fn faults(game: &[u8], charset: Charset, framing: FramingPolicy) -> (u64, u64) {
    let options = Options::default()
        .with_charset(Some(charset))
        .with_framing(framing);
    let (mut structure, mut bytes) = (0, 0);
    for event in SliceReader::with_options(game, options).events().flatten() {
        match event {
            Event::Problem(problem) => {
                let is_text = matches!(problem.code, Code::InvalidBytes | Code::UnknownCharset);
                structure += u64::from(!is_text && problem.severity() == Severity::Error);
            }
            Event::Property(property) if !property.as_bytes().is_ascii() => {
                let is_faulty = |value: &RawValue<'_>| {
                    value.with_charset(charset).try_text().1
                        || charset.for_value(value.as_bytes()) != charset
                };
                bytes += property.values().filter(is_faulty).count() as u64;
            }
            _ => {}
        }
    }
    (structure, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn no_ca_is_overlooked() {
        let pieces = [
            "C", "A", "[x]", "a", ";", " ", "B[", "]", "(", "1", "\\", "CA[GBK]",
        ];
        // Try all games of five pieces.
        for number in 0..pieces.len().pow(5) {
            let game: String = (0..5)
                .map(|at| pieces[number / pieces.len().pow(at) % pieces.len()])
                .collect();
            let game = format!("(;{game}");
            let is_ca = |event: &Event<'_>| matches!(event, Event::Property(property) if property.ident().is(b"CA"));
            let has_ca = SliceReader::new(game.as_bytes())
                .events()
                .flatten()
                .any(|event| is_ca(&event));
            assert!(!has_ca || may_have_ca(game.as_bytes()), "{game}");
        }
        for game in ["(;B[aC];W[AC])", "(;PC[A];C[A])", "(;FF[4]C", ""] {
            assert!(!may_have_ca(game.as_bytes()), "{game}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn framings() {
        // 表 is 0x95 0x5C, ゾ 0x83 0x5D: unescaped, escaped, and neither of the two characters.
        assert_eq!(
            GameCharset::of(b"(;CA[Shift_JIS]C[\x95\x5c\x83\x5d])").framing,
            "whole"
        );
        assert_eq!(
            GameCharset::of(b"(;CA[Shift_JIS]C[\x95\x5c\x5c\x83\x5c\x5d])").framing,
            "value"
        );
        assert_eq!(
            GameCharset::of(b"(;CA[Shift_JIS]C[\x8d\x95])").framing,
            "either"
        );
        assert_eq!(GameCharset::of(b"(;CA[UTF-8]C[\xe9])").valid, "no");
        assert_eq!(GameCharset::of(b"(;CA[UTF-8]C[\xc3\xa9])").valid, "yes");
        assert_eq!(GameCharset::of(b"(;CA[UTF-8]C[x])").valid, "ascii");
    }
}
