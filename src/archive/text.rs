//! Member names: bytes to text. Old archives do not say their charset.

use encoding_rs::{Encoding, GBK, SHIFT_JIS};

/// The upper half of code page 437, which zip means when it says nothing.
const CP437: &str = "\
ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// A name as text: UTF-8 where it is valid (or `utf8` says so), else the best
/// guess of Shift_JIS, GBK and code page 437.
pub(super) fn decode_name(name: &[u8], utf8: bool) -> String {
    match std::str::from_utf8(name) {
        Ok(text) => text.to_owned(),
        Err(_) if utf8 => String::from_utf8_lossy(name).into_owned(),
        Err(_) => guess(name),
    }
}

fn guess(name: &[u8]) -> String {
    // A byte beyond ASCII between two letters is an accent: of names in East
    // Asian charsets few have only characters with an ASCII second byte.
    let high = |at: usize| name.get(at).is_some_and(|byte| *byte >= 0x80);
    if (0..name.len()).all(|at| !(high(at) && high(at + 1))) {
        return cp437(name);
    }
    let score = |encoding: &'static Encoding| Some((plausible(&decode(encoding, name)?), encoding));
    let best = [GBK, SHIFT_JIS].into_iter().filter_map(score).max_by_key(|(score, _)| *score);
    match best {
        Some((score, encoding)) if score > 0 => decode(encoding, name).unwrap_or_default(),
        _ => cp437(name),
    }
}

fn decode(encoding: &'static Encoding, name: &[u8]) -> Option<String> {
    encoding.decode_without_bom_handling_and_without_replacement(name).map(Into::into)
}

/// How much a guess reads like East Asian text: kana and common ideographs
/// speak for it, half-width kana, rare ideographs and signs against.
fn plausible(text: &str) -> i32 {
    text.chars()
        .map(|c| match c {
            '\0'..='\x7f' => 0,
            'ぁ'..='ん' | 'ァ'..='ヶ' | 'ー' | '々' => 6,
            '｡'..='ﾟ' => -2,
            '\u{e000}'..='\u{f8ff}' => -20,
            '一'..='龥' => ideograph(c),
            '　'..='】' | '！'..='～' => 1,
            _ => -3,
        })
        .sum()
}

/// GB2312 has the frequent ideographs of Chinese in its first level, rows 16
/// to 55, and Shift_JIS those of Japanese in 88 9F to 97 FC.
fn ideograph(c: char) -> i32 {
    let mut utf8 = [0; 4];
    let text = c.encode_utf8(&mut utf8);
    let first = |encoding: &'static Encoding| encoding.encode(text).0.first_chunk::<2>().copied();
    let chinese = first(GBK).is_some_and(|pair| (0xb0..=0xd7).contains(&pair[0]) && pair[1] >= 0xa1);
    let japanese = first(SHIFT_JIS).is_some_and(|pair| (0x88..=0x97).contains(&pair[0]));
    match (chinese, japanese) {
        (true, true) => 4,
        (true, false) | (false, true) => 3,
        (false, false) => -2,
    }
}

fn cp437(name: &[u8]) -> String {
    let upper: Vec<char> = CP437.chars().collect();
    name.iter()
        .map(|&byte| match byte {
            0..=0x7f => char::from(byte),
            _ => upper.get(usize::from(byte) - 0x80).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(CP437.chars().count(), 128);
        assert_eq!(decode_name("囲碁.sgf".as_bytes(), false), "囲碁.sgf");
        for (charset, text) in [
            (GBK, "围棋/古力对李世石.sgf"),
            (GBK, "第一局.sgf"),
            (GBK, "马晓春.sgf"),
            (SHIFT_JIS, "囲碁/本因坊戦.sgf"),
            (SHIFT_JIS, "第01局 趙治勲.sgf"),
            (SHIFT_JIS, "タイトル戦.sgf"),
        ] {
            assert_eq!(decode_name(&charset.encode(text).0, false), text);
        }
        assert_eq!(decode_name(b"M\x81ller.sgf", false), "Müller.sgf");
        assert_eq!(decode_name(b"caf\x82 Andr\x82.sgf", false), "café André.sgf");
        assert_eq!(decode_name(b"\x90tudes/\x8echecs.sgf", false), "Études/Ächecs.sgf");
    }
}
