//! Decodes the names of members. Old archives do not state the charset of names, so it is guessed:
//! from all names of an archive together if they are known beforehand, else from each name. Every
//! name has a text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, IBM866, SHIFT_JIS};

/// Upper half of code page 437, which is zip's default charset.
const CP437: &str = "\
ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// Limit of the bytes of a sample. More would not change the guess.
const SAMPLE: usize = 64 << 10;

/// Charset of member names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NameCharset {
    /// UTF-8. This is also the initial value while nothing is known of an archive: other names are
    /// then guessed one by one.
    #[default]
    Utf8,
    Cp437,
    Other(&'static Encoding),
}

impl NameCharset {
    /// Decodes `name` in this charset. If the name cannot be in it, its charset is guessed from the
    /// name alone, because an archive may have been packed on two systems.
    pub(crate) fn decode(self, name: &[u8]) -> String {
        self.text(name)
            .or_else(|| guess(name).text(name))
            .unwrap_or_else(|| cp437(name))
    }

    fn text(self, name: &[u8]) -> Option<String> {
        match self {
            _ if name.is_ascii() => String::from_utf8(name.to_vec()).ok(),
            Self::Utf8 => String::from_utf8(name.to_vec()).ok(),
            Self::Cp437 => Some(cp437(name)),
            Self::Other(encoding) => {
                let text = encoding.decode_without_bom_handling_and_without_replacement(name)?;
                (!has_accented_words(&text)).then(|| text.into_owned())
            }
        }
    }
}

/// Names that belong together, in any order, from which their charset is guessed.
#[derive(Debug, Default)]
pub(crate) struct NameSample(Vec<u8>);

impl NameSample {
    /// Adds a name whose charset is not stated.
    pub(crate) fn add(&mut self, name: &[u8]) {
        if !name.is_ascii() && !self.is_full() {
            self.0.extend_from_slice(name);
            self.0.push(b'/');
        }
    }

    /// Returns whether further names are ignored.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= SAMPLE
    }

    pub(crate) fn charset(&self) -> NameCharset {
        guess(&self.0)
    }
}

/// Guesses the charset of names. The candidates are those that archivers write.
fn guess(names: &[u8]) -> NameCharset {
    if std::str::from_utf8(names).is_ok() {
        return NameCharset::Utf8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(names, true);
    let encoding = match detector.guess(None, Utf8Detection::Deny) {
        // The detector mistakes short names in GBK for charsets that archivers do not write.
        guess if guess == EUC_JP || guess == EUC_KR => GBK,
        guess => guess,
    };
    let is_candidate = [GBK, BIG5, SHIFT_JIS, IBM866].contains(&encoding);
    let charset = NameCharset::Other(encoding);
    if is_candidate && charset.text(names).is_some() {
        charset
    } else {
        NameCharset::Cp437
    }
}

/// Returns whether most characters beyond ASCII stand alone between ASCII letters, as the accented
/// letters of a Latin script do. The detector does not know code page 437.
fn has_accented_words(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let is_accented = |chars: &&[char]| {
        chars[0].is_ascii_alphabetic() && !chars[1].is_ascii() && chars[2].is_ascii_alphabetic()
    };
    let accented = chars.windows(3).filter(is_accented).count();
    let other = chars.iter().filter(|char| !char.is_ascii()).count();
    2 * accented > other
}

fn cp437(name: &[u8]) -> String {
    let upper: Vec<char> = CP437.chars().collect();
    let decode = |byte: &u8| {
        upper
            .get(usize::from(*byte).wrapping_sub(0x80))
            .copied()
            .unwrap_or(char::from(*byte))
    };
    name.iter().map(decode).collect()
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
            (IBM866, "Шахматы.sgf"),
            (BIG5, "張栩 對 林海峰.sgf"),
        ] {
            assert_eq!(alone(&charset.encode(text).0), text);
        }
        for text in [
            "Müller.sgf",
            "café André.sgf",
            "Études/Ächecs.sgf",
            "Größe.sgf",
            "Größe/Äußere.sgf",
            "Señor Núñez.sgf",
        ] {
            assert_eq!(alone(&of_cp437(text)), text);
        }
    }

    #[test]
    fn names_of_one_archive() {
        // The guess needs all names: from a first name alone, it is another charset.
        for (encoding, texts) in [
            (SHIFT_JIS, &["表.sgf", "第一局.sgf", "ソフト.sgf"][..]),
            (SHIFT_JIS, &["黒.sgf", "本因坊戦.sgf"]),
            (GBK, &["模.sgf", "泰顺.sgf", "古力.sgf", "李世石.sgf"]),
        ] {
            let names: Vec<_> = texts
                .iter()
                .map(|text| encoding.encode(text).0.into_owned())
                .collect();
            let charset = NameCharset::Other(encoding);
            assert_ne!(alone(&names[0]), texts[0]);
            assert_eq!(sample(&names), charset, "{texts:?}");
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
        assert_eq!(sample(std::slice::from_ref(&valid)), NameCharset::Utf8);
        let charset = sample(&[&names[..], std::slice::from_ref(&valid)].concat());
        assert_eq!(
            (charset, &*charset.decode(&valid)),
            (NameCharset::Other(GBK), "模.sgf")
        );
        let plain: [Vec<u8>; 1] = [b"one.sgf".to_vec()];
        assert_eq!(sample(&plain), NameCharset::Utf8);
    }

    #[test]
    fn a_name_from_elsewhere() {
        let others = ["囲碁.sgf", "ソフト.sgf", "本因坊戦.sgf", "第一局.sgf"]
            .map(|text| SHIFT_JIS.encode(text).0.into_owned());
        for (name, text) in [
            (of_cp437("Größe und Müller.sgf"), "Größe und Müller.sgf"),
            (b"plain.sgf".to_vec(), "plain.sgf"),
        ] {
            let charset = sample(&[&others[..], std::slice::from_ref(&name)].concat());
            assert_eq!(
                (charset, &*charset.decode(&name)),
                (NameCharset::Other(SHIFT_JIS), text)
            );
        }
    }

    #[test]
    fn any_bytes_have_a_name() {
        for first in 0..=255_u8 {
            for second in (0x40..=255).step_by(13) {
                let name = [first, second];
                for charset in [
                    NameCharset::Utf8,
                    NameCharset::Cp437,
                    NameCharset::Other(SHIFT_JIS),
                    NameCharset::Other(GBK),
                ] {
                    assert!(!charset.decode(&name).contains('\u{fffd}'), "{name:?}");
                    assert_eq!(charset.decode(&name[..1]).chars().count(), 1);
                }
            }
        }
    }

    #[test]
    fn a_sample_ends() {
        let mut sample = NameSample::default();
        let name = GBK.encode("围棋.sgf").0.into_owned();
        (0..SAMPLE / name.len()).for_each(|_| sample.add(&name));
        assert!(sample.is_full());
        (0..9000).for_each(|_| sample.add(&of_cp437("Größe und Müller.sgf")));
        assert_eq!(sample.charset(), NameCharset::Other(GBK));
    }

    fn sample(names: &[Vec<u8>]) -> NameCharset {
        let mut sample = NameSample::default();
        names.iter().for_each(|name| sample.add(name));
        sample.charset()
    }

    fn alone(name: &[u8]) -> String {
        NameCharset::default().decode(name)
    }

    fn of_cp437(text: &str) -> Vec<u8> {
        let byte = |c: char| {
            CP437
                .chars()
                .position(|upper| upper == c)
                .map_or(c as u8, |at| at as u8 + 0x80)
        };
        text.chars().map(byte).collect()
    }
}
