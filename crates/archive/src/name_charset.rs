//! Decodes the names of members. Old archives do not state the charset of names. So the charset that makes the names
//! most probable is used, for all names of an archive together if they are known beforehand. Every name has a text.
//!
//! Crates that detect charsets know the charsets of the web, but not code page 437.

use std::sync::LazyLock;

use encoding_rs::{Encoding, GBK, SHIFT_JIS};

/// Upper half of code page 437, which is zip's default charset.
const CP437: &str = "\
ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// Limits of names beyond ASCII in a vote, and of their bytes. More would not change the result.
const NAMES: usize = 1000;
const BYTES: usize = 64 << 10;

/// Difference in bits at which a name counts as clearly in another charset than its archive's.
const CLEAR: u64 = 16;

/// Penalty in bits, added to a name's likeliest reading, for a charset that does not have its bytes. It is more than
/// `CLEAR`, but so small that one damaged name does not outweigh all others.
const NEVER: u64 = 40;

/// Charset of member names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NameCharset {
    /// UTF-8. This is also the initial value while nothing is known of an archive: other names are then guessed one by
    /// one.
    #[default]
    Utf8,
    Cp437,
    ShiftJis,
    Gbk,
}

impl NameCharset {
    /// Decodes `name` in this charset. If the name cannot be in it, or is clearly in another, its charset is guessed
    /// from the name alone, because an archive may have been packed on two systems.
    pub(crate) fn decode(self, name: &[u8]) -> String {
        if let Ok(text) = std::str::from_utf8(name)
            && (self == Self::Utf8 || name.is_ascii())
        {
            return text.to_owned();
        }
        let mut alone = NameVote::default();
        alone.add(name);
        let best = alone.charset();
        let charset = if alone.bits(best) + CLEAR < alone.bits(self) { best } else { self };
        charset.text(name).unwrap_or_else(|| cp437(name))
    }

    fn text(self, name: &[u8]) -> Option<String> {
        let by = |encoding: &'static Encoding| {
            encoding.decode_without_bom_handling_and_without_replacement(name).map(Into::into)
        };
        match self {
            Self::Utf8 => std::str::from_utf8(name).ok().map(Into::into),
            Self::Cp437 => Some(cp437(name)),
            Self::ShiftJis => by(SHIFT_JIS),
            Self::Gbk => by(GBK),
        }
    }
}

/// Vote that finds the charset of names that belong together, in any order.
#[derive(Debug, Default)]
pub(crate) struct NameVote {
    names: usize,
    bytes: usize,
    /// Whether a name is not UTF-8. Then no name is, even if some are valid.
    other: bool,
    utf8: u64,
    cp437: u64,
    shift_jis: u64,
    gbk: u64,
}

impl NameVote {
    /// Adds a name whose charset is not stated.
    pub(crate) fn add(&mut self, name: &[u8]) {
        if name.is_ascii() || self.is_full() {
            return;
        }
        self.names += 1;
        self.bytes += name.len();
        self.other |= std::str::from_utf8(name).is_err();
        let bits = |charset: NameCharset, bits: fn(&str) -> u64| charset.text(name).map(|text| bits(&text));
        let utf8 = bits(NameCharset::Utf8, |text| {
            text.chars().map(|c| if c.is_ascii() { ASCII } else { 4 * c.len_utf8() as u64 }).sum()
        });
        let cp437 = bits(NameCharset::Cp437, latin);
        let shift_jis = bits(NameCharset::ShiftJis, |text| east_asian(text, SHIFT_JIS));
        let gbk = bits(NameCharset::Gbk, |text| east_asian(text, GBK));
        let least = [utf8, cp437, shift_jis, gbk].into_iter().flatten().min().unwrap_or_default();
        let or_never = |bits: Option<u64>| bits.unwrap_or(least + NEVER);
        self.utf8 += or_never(utf8);
        self.cp437 += or_never(cp437);
        self.shift_jis += or_never(shift_jis);
        self.gbk += or_never(gbk);
    }

    /// Returns whether further names are ignored.
    pub(crate) fn is_full(&self) -> bool {
        self.names >= NAMES || self.bytes >= BYTES
    }

    fn bits(&self, charset: NameCharset) -> u64 {
        match charset {
            NameCharset::Utf8 => self.utf8,
            NameCharset::Cp437 => self.cp437,
            NameCharset::ShiftJis => self.shift_jis,
            NameCharset::Gbk => self.gbk,
        }
    }

    pub(crate) fn charset(&self) -> NameCharset {
        if !self.other {
            NameCharset::Utf8
        } else if self.cp437 <= self.shift_jis.min(self.gbk) {
            NameCharset::Cp437
        } else if self.shift_jis < self.gbk {
            NameCharset::ShiftJis
        } else {
            NameCharset::Gbk
        }
    }
}

/// Cost in bits of an ASCII character in a name.
const ASCII: u64 = 5;

/// Returns how unlikely `text` is as a name in a Latin script, in bits. It is a rough sum of costs for each character;
/// frequent characters cost little.
fn latin(text: &str) -> u64 {
    let is_accent = |c: char| !c.is_ascii() && c.is_alphabetic() && c <= '\u{ff}';
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    let mut cost = 0;
    while let Some(c) = chars.next() {
        let after = chars.peek().copied().unwrap_or(' ');
        cost += match c {
            '\0'..='\x7f' => ASCII,
            // Unusual: a capital inside a word, an accented letter alone, or two in a row.
            _ if is_accent(c) => {
                let is_inside = c.is_uppercase() && before.is_lowercase();
                let is_alone = !before.is_alphabetic() && !after.is_alphabetic();
                let odd = [is_inside, is_alone, is_accent(before)].into_iter().filter(|odd| *odd).count() as u64;
                let bits = if "äöüßéè".contains(c) { 8 } else { 10 };
                bits + 4 * odd
            }
            'ª' | 'º' | '¿' | '¡' | '«' | '»' | '°' => 14,
            _ => 18,
        };
        before = c;
    }
    cost
}

/// Returns how unlikely `text` is as a name in Chinese or Japanese, in bits.
fn east_asian(text: &str, encoding: &'static Encoding) -> u64 {
    let is_japanese = encoding == SHIFT_JIS;
    let mut before = ' ';
    let mut cost = 0;
    for c in text.chars() {
        cost += match c {
            '\0'..='\x7f' => ASCII,
            'ぁ'..='ん' | 'ァ'..='ヶ' | 'ー' | '々' if is_japanese => 8,
            'ぁ'..='ん' | 'ァ'..='ヶ' | 'ー' | '々' => 13,
            // These are rare, but a name that has one usually has several.
            '｡'..='ﾟ' if ('｡'..='ﾟ').contains(&before) => half_width(c),
            '｡'..='ﾟ' => half_width(c) + 6,
            '\u{e000}'..='\u{f8ff}' => 30,
            '一'..='龥' => ideograph(c, is_japanese),
            '　'..='】' | '！'..='～' => 11,
            _ => 18,
        };
        // Letters hardly ever touch such characters, but digits do.
        let touches = |a: char, b: char| a.is_ascii_alphabetic() && !b.is_ascii();
        cost += 9 * u64::from(touches(before, c) || touches(c, before));
        before = c;
    }
    cost
}

fn half_width(c: char) -> u64 {
    if "ｱｲｳｶｷｸｺｼｽﾀﾄﾆﾉﾗﾘﾙﾝﾞｰ".contains(c) { 5 } else { 7 }
}

/// Returns the cost of an ideograph. Frequent Chinese ideographs are in the first level of GB2312, rows 16 to 55, and
/// frequent Japanese ones in 88 9F to 97 FC of Shift_JIS.
fn ideograph(c: char, is_japanese: bool) -> u64 {
    let mut utf8 = [0; 4];
    let text = c.encode_utf8(&mut utf8);
    let first = |encoding: &'static Encoding| encoding.encode(text).0.first_chunk::<2>().copied();
    let in_chinese = first(GBK).is_some_and(|pair| (0xb0..=0xd7).contains(&pair[0]) && pair[1] >= 0xa1);
    let in_japanese = first(SHIFT_JIS).is_some_and(|pair| (0x88..=0x97).contains(&pair[0]));
    match (in_chinese, in_japanese) {
        (true, true) => 11,
        (true, false) if !is_japanese => 13,
        (false, true) if is_japanese => 13,
        _ => 19,
    }
}

fn cp437(name: &[u8]) -> String {
    static UPPER: LazyLock<Vec<char>> = LazyLock::new(|| CP437.chars().collect());
    name.iter()
        .map(|&byte| match byte {
            0..=0x7f => char::from(byte),
            _ => UPPER.get(usize::from(byte) - 0x80).copied().unwrap_or(char::REPLACEMENT_CHARACTER),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(CP437.chars().count(), 128);
        assert_eq!(alone("囲碁.sgf".as_bytes()), "囲碁.sgf");
        for (charset, text) in [
            (GBK, "围棋/古力对李世石.sgf"),
            (GBK, "第一局.sgf"),
            (GBK, "马晓春.sgf"),
            (GBK, "古力.sgf"),
            (GBK, "棋谱.sgf"),
            (GBK, "2016-03-09 AlphaGo 对 李世石.sgf"),
            (SHIFT_JIS, "囲碁/本因坊戦.sgf"),
            (SHIFT_JIS, "第01局 趙治勲.sgf"),
            (SHIFT_JIS, "タイトル戦.sgf"),
            (SHIFT_JIS, "ソフト.sgf"),
            (SHIFT_JIS, "ソ.sgf"),
            (SHIFT_JIS, "表.sgf"),
            (SHIFT_JIS, "ｱｷﾗ.sgf"),
            (SHIFT_JIS, "ﾋｶﾙ ﾉ ｺﾞ.sgf"),
        ] {
            assert_eq!(alone(&charset.encode(text).0), text);
        }
        for text in
            ["Müller.sgf", "café André.sgf", "Études/Ächecs.sgf", "Größe.sgf", "Größe/Äußere.sgf", "Señor Núñez.sgf"]
        {
            assert_eq!(alone(&of_cp437(text)), text);
        }
    }

    #[test]
    fn names_of_one_archive() {
        // Alone, each of the first names is taken for another charset.
        for (charset, encoding, texts) in [
            (NameCharset::ShiftJis, SHIFT_JIS, &["ﾎﾝｲﾝ.sgf", "ｱﾏ.sgf", "ﾋｶﾙ.sgf", "ﾈｯﾄ/ｺﾞ.sgf"][..]),
            (NameCharset::ShiftJis, SHIFT_JIS, &["咆哮.sgf", "第一局.sgf", "ソフト.sgf"]),
            (NameCharset::Gbk, GBK, &["什么1.sgf", "泰顺.sgf", "古力.sgf", "李世石.sgf"]),
        ] {
            let names: Vec<_> = texts.iter().map(|text| encoding.encode(text).0.into_owned()).collect();
            assert_ne!(alone(&names[0]), texts[0]);
            assert_eq!(vote(&names), charset, "{texts:?}");
            for (name, text) in names.iter().zip(texts) {
                assert_eq!(charset.decode(name), *text);
            }
        }
    }

    #[test]
    fn utf8_is_what_every_name_is() {
        // Some names in GBK are valid UTF-8, too.
        let names = ["模糊.sgf", "棋谱.sgf"].map(|text| GBK.encode(text).0.into_owned());
        let valid = GBK.encode("模.sgf").0.into_owned();
        assert!(std::str::from_utf8(&valid).is_ok());
        assert_eq!(vote(std::slice::from_ref(&valid)), NameCharset::Utf8);
        let charset = vote(&[&names[..], std::slice::from_ref(&valid)].concat());
        assert_eq!((charset, &*charset.decode(&valid)), (NameCharset::Gbk, "模.sgf"));
        let plain: [Vec<u8>; 1] = [b"one.sgf".to_vec()];
        assert_eq!(vote(&plain), NameCharset::Utf8);
    }

    #[test]
    fn a_name_from_elsewhere() {
        let others =
            ["囲碁.sgf", "ソフト.sgf", "本因坊戦.sgf", "第一局.sgf"].map(|text| SHIFT_JIS.encode(text).0.into_owned());
        for (name, text) in [
            (of_cp437("Größe und Müller.sgf"), "Größe und Müller.sgf"),
            (GBK.encode("围棋/古力.sgf").0.into_owned(), "围棋/古力.sgf"),
            ("围棋的历史.sgf".as_bytes().to_vec(), "围棋的历史.sgf"),
            ("Шахматы.sgf".as_bytes().to_vec(), "Шахматы.sgf"),
            (b"plain.sgf".to_vec(), "plain.sgf"),
        ] {
            let charset = vote(&[&others[..], std::slice::from_ref(&name)].concat());
            assert_eq!((charset, &*charset.decode(&name)), (NameCharset::ShiftJis, text));
        }
    }

    #[test]
    fn any_bytes_have_a_name() {
        for first in 0..=255_u8 {
            for second in (0x40..=255).step_by(13) {
                let name = [first, second];
                for charset in [NameCharset::Utf8, NameCharset::Cp437, NameCharset::ShiftJis, NameCharset::Gbk] {
                    assert!(!charset.decode(&name).contains('\u{fffd}'), "{name:?}");
                    assert_eq!(charset.decode(&name[..1]).chars().count(), 1);
                }
            }
        }
    }

    #[test]
    fn a_vote_ends() {
        let mut vote = NameVote::default();
        let name = GBK.encode("围棋.sgf").0.into_owned();
        (0..NAMES).for_each(|_| vote.add(&name));
        assert!(vote.is_full());
        (0..9 * NAMES).for_each(|_| vote.add(&of_cp437("Größe und Müller.sgf")));
        assert_eq!(vote.charset(), NameCharset::Gbk);
    }

    fn vote(names: &[Vec<u8>]) -> NameCharset {
        let mut vote = NameVote::default();
        names.iter().for_each(|name| vote.add(name));
        vote.charset()
    }

    fn alone(name: &[u8]) -> String {
        NameCharset::default().decode(name)
    }

    fn of_cp437(text: &str) -> Vec<u8> {
        let byte = |c: char| CP437.chars().position(|upper| upper == c).map_or(c as u8, |at| at as u8 + 0x80);
        text.chars().map(byte).collect()
    }
}
