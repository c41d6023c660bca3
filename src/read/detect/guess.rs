//! Guesses the charset of texts that declare no charset, with a confidence.

use std::sync::LazyLock;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use crate::base::{Charset, CharsetSource};
use crate::event::Event;
use crate::read::{EventReader, SliceReader};

/// Bytes beyond ASCII that are needed for medium confidence, unless the text is valid UTF-8.
const EVIDENCE: usize = 12;

/// Bytes of a text that the detector reads. Reading them takes longer than anything else that is
/// done with a game, and more bytes change no guess in the real archives.
const SAMPLE: usize = 768;

/// Confidence of a [`CharsetGuess`].
///
/// ```
/// use sgfstream::Confidence;
///
/// assert!(Confidence::High > Confidence::Low);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Confidence {
    /// There is little text, or it does not fit the charset well.
    Low,
    /// The text fits the charset, and there is some of it.
    Medium,
    /// The text fits, there is enough of it, and the guesses for both of its halves agree; or it is
    /// UTF-8, which no other text resembles.
    High,
}

impl Confidence {
    /// Returns `low`, `medium` or `high`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Guessed charset of texts; see [`guess_charset`].
///
/// ```
/// use sgfstream::guess_charset;
///
/// let guess = guess_charset("提子後の攻防".as_bytes()).expect("there are characters beyond ASCII");
/// assert_eq!(guess.charset.name(), "UTF-8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CharsetGuess {
    /// The charset.
    pub charset: Charset,
    /// Confidence of the guess.
    pub confidence: Confidence,
}

/// Guesses the charset of `text`; returns `None` if it is ASCII.
///
/// ```
/// use sgfstream::{Confidence, guess_charset};
///
/// let guess = guess_charset("本因坊秀策".as_bytes()).expect("not ASCII");
/// assert_eq!((guess.charset.name(), guess.confidence), ("UTF-8", Confidence::High));
/// assert_eq!(guess_charset(b"Shusaku"), None);
/// ```
#[must_use]
pub fn guess_charset(text: &[u8]) -> Option<CharsetGuess> {
    let high = high_bytes(text);
    if high == 0 {
        return None;
    }
    let (first_half, whole) = two_guesses(text);
    // The sample may end within a character.
    let faulty = match std::str::from_utf8(text) {
        Err(err) if whole == Charset::UTF_8 => err.valid_up_to() + 3 < text.len(),
        _ => (0..4).all(|cut| whole.decode(&text[..text.len().saturating_sub(cut)]).1),
    };
    // The middle may be within a character of two bytes, so the second half begins at one of two
    // places.
    let second_agrees = |middle: usize| two_guesses(&text[middle.min(text.len())..]).1 == whole;
    // Evaluated last, because it reads half of the text again.
    let agree = || {
        first_half == whole && (second_agrees(text.len() / 2) || second_agrees(text.len() / 2 + 1))
    };
    let confidence = match (faulty, high) {
        // The intact characters are evidence enough.
        (true, _) if whole == Charset::UTF_8 => Confidence::Medium,
        (true, _) => Confidence::Low,
        (false, 4..) if whole == Charset::UTF_8 => Confidence::High,
        (false, 64..) if agree() => Confidence::High,
        (false, EVIDENCE..) => Confidence::Medium,
        _ => Confidence::Low,
    };
    if confidence == Confidence::Low
        && let Some(charset) = charset_by_words(text)
    {
        return Some(CharsetGuess {
            charset,
            confidence: Confidence::Medium,
        });
    }
    Some(CharsetGuess {
        charset: whole,
        confidence,
    })
}

/// Returns the charset in which the text decodes and has a line that is a rank (`九段`, `5级`, `1급`)
/// or a result, if there is exactly one. These words show a record of Go, even if there are no more
/// than eight bytes of other text.
fn charset_by_words(text: &[u8]) -> Option<Charset> {
    let has_word = |words: &[[u8; 2]]| {
        text.windows(2)
            .any(|pair| pair[0] >= 0x80 && words.iter().any(|word| word == pair))
    };
    let charsets = WORD_CHARSETS
        .iter()
        .filter(|(_, words)| has_word(words))
        .map(|(charset, _)| *charset);
    let mut fitting = charsets.filter(|charset| {
        let (text, is_faulty) = charset.decode(text);
        !is_faulty && text.lines().any(|line| is_rank(line) || is_result(line))
    });
    fitting.next().filter(|_| fitting.next().is_none())
}

/// The charsets of [`charset_by_words`]. Each has the encoded units of ranks and words of results:
/// a text without any of them is neither a rank nor a result. Most texts are, and looking for these
/// bytes is cheaper than decoding a text five times.
static WORD_CHARSETS: LazyLock<Vec<(Charset, Vec<[u8; 2]>)>> = LazyLock::new(|| {
    let labels = [&b"GBK"[..], b"Big5", b"Shift_JIS", b"EUC-JP", b"EUC-KR"];
    let encode = |charset: Charset, char: char| {
        charset
            .encode(char.encode_utf8(&mut [0; 4]))?
            .try_into()
            .ok()
    };
    let words = |charset| {
        RANK_UNITS
            .chars()
            .chain(WINS)
            .filter_map(|char| encode(charset, char))
            .collect()
    };
    labels
        .into_iter()
        .filter_map(Charset::for_label)
        .map(|charset| (charset, words(charset)))
        .collect()
});

/// Units of ranks, and words that a result has.
const RANK_UNITS: &str = "段級级단급";
const WINS: [char; 3] = ['勝', '胜', '승'];

fn is_rank(line: &str) -> bool {
    let mut last = line.trim_end().chars().rev();
    let is_numeral = |char: char| {
        char.is_ascii_digit() || "初一二三四五六七八九十초일이삼사오육칠팔구십".contains(char)
    };
    last.next().is_some_and(|unit| RANK_UNITS.contains(unit)) && last.next().is_some_and(is_numeral)
}

fn is_result(line: &str) -> bool {
    let by_black_or_white = line
        .trim_start()
        .starts_with(['黑', '黒', '白', '흑', '백']);
    by_black_or_white
        && [
            "中押", "中盤", "中盘", "불계", "시간", "時間", "超时", "目", "子", "집",
        ]
        .iter()
        .any(|word| line.contains(word))
        && line.contains(WINS)
}

/// Guesses the charset of the first half of a text, and of the whole text.
fn two_guesses(text: &[u8]) -> (Charset, Charset) {
    // The detector would return the same, but only after trying all other charsets.
    if std::str::from_utf8(text).is_ok() || is_damaged_utf8(text) {
        return (Charset::UTF_8, Charset::UTF_8);
    }
    // Text in ISO-2022-JP was transcoded before.
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let text = &text[..text.len().min(SAMPLE)];
    let (first, second) = text.split_at(text.len() / 2);
    let [first_half, whole] = [(first, false), (second, true)].map(|(part, is_last)| {
        detector.feed(part, is_last && text.len() < SAMPLE);
        Charset::from_encoding(detector.guess(None, Utf8Detection::Allow))
    });
    (first_half, whole)
}

/// Returns whether the text is UTF-8 with destroyed characters. At its first invalid byte the
/// detector would choose another charset, and misread all intact characters.
///
/// Such a text has intact characters of three bytes or more, and these are two thirds of the bytes
/// beyond ASCII. In other charsets, three bytes hardly ever resemble such a character. Four
/// characters are needed; two suffice if a `?` replaces the rest of a character. The bytes before
/// that `?` are no evidence for another charset.
fn is_damaged_utf8(text: &[u8]) -> bool {
    // The first byte of a character determines its length.
    let len_of = |first: u8| {
        if first >= 0xF0 {
            4
        } else {
            3 * usize::from(first >= 0xE0)
        }
    };
    let (mut whole, mut replaced) = (0, 0);
    // Bytes of a character whose next byte may be a `?`.
    let mut cut = 0;
    for chunk in text.utf8_chunks() {
        if cut > 0 && chunk.valid().starts_with('?') {
            replaced += cut;
            // What is left of the same character.
            if chunk.valid() == "?" && matches!(chunk.invalid(), [0x80..0xC0]) {
                replaced += 1;
            }
        }
        whole += chunk.valid().bytes().map(len_of).sum::<usize>();
        cut = match chunk.invalid() {
            cut @ [0xC2..=0xF4, ..] => cut.len(),
            _ => 0,
        };
    }
    let needed = if replaced > 0 { EVIDENCE / 2 } else { EVIDENCE };
    whole >= needed && whole * 3 >= (high_bytes(text) - replaced) * 2
}

/// Guesses the charset of a game with at least medium confidence.
pub(in crate::read) fn likely_charset(game: &[u8]) -> Option<(Charset, CharsetSource)> {
    let GameText { text, declared } = text_to_guess(game)?;
    // For a shorter text, the detector would be right only by luck.
    let is_short = high_bytes(&text) < EVIDENCE
        && std::str::from_utf8(&text).is_err()
        && !is_damaged_utf8(&text);
    let guess = match is_short {
        true => charset_by_words(&text).map(|charset| CharsetGuess {
            charset,
            confidence: Confidence::Medium,
        }),
        false => guess_charset(&text),
    };
    let CharsetGuess {
        charset,
        confidence,
    } = guess?;
    match confidence {
        Confidence::Low => None,
        _ if declared.is_some() => {
            (declared != Some(charset)).then_some((charset, CharsetSource::Overruled))
        }
        Confidence::Medium => Some((charset, CharsetSource::Guessed)),
        Confidence::High => Some((charset, CharsetSource::Detected)),
    }
}

/// Guesses the charset of a game, with any confidence.
pub(in crate::read) fn any_charset(game: &[u8]) -> Option<(Charset, CharsetSource)> {
    let GameText { text, declared } = text_to_guess(game)?;
    let guess = guess_charset(&text)?;
    let source = match (declared, guess.confidence) {
        (Some(_), Confidence::Low) => return None,
        (Some(_), _) => CharsetSource::Overruled,
        (None, Confidence::Low) => CharsetSource::Guessed,
        (None, _) => CharsetSource::Detected,
    };
    (declared != Some(guess.charset)).then_some((guess.charset, source))
}

/// Text of a game: its values beyond ASCII, with line breaks between them.
#[derive(Debug)]
struct GameText {
    text: Vec<u8>,
    /// The known charset that `CA` names.
    declared: Option<Charset>,
}

/// Returns the text of the first game in `head`. Returns `None` if it needs no guess: valid UTF-8
/// without `CA`, or text that fits its `CA`. Bytes after the game in `head` must not change how the
/// game is read.
fn text_to_guess(head: &[u8]) -> Option<GameText> {
    if head.is_ascii() {
        return None;
    }
    let found = game_text(head, TextPart::Enough);
    match found.declared {
        Some(charset) => refutes(&found.text, charset).then(|| game_text(head, TextPart::All)),
        None => std::str::from_utf8(&found.text).is_err().then_some(found),
    }
}

/// Returns whether text does not fit the charset that `CA` names. Some damaged characters do not
/// refute a charset: at least one in eight must be invalid, or the text must be UTF-8.
fn refutes(text: &[u8], charset: Charset) -> bool {
    let (decoded, is_faulty) = charset.decode(text);
    if !is_faulty {
        return false;
    }
    let faults = decoded
        .chars()
        .filter(|&char| char == char::REPLACEMENT_CHARACTER)
        .count();
    let characters = decoded.chars().filter(|char| !char.is_ascii()).count();
    faults * 8 >= characters || std::str::from_utf8(text).is_ok()
}

fn high_bytes(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte >= 0x80).count()
}

/// Part of the text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextPart {
    All,
    /// The text of the root, if that is enough to test its `CA`; otherwise all.
    Enough,
}

/// Returns the text of the first game in `head`.
fn game_text(head: &[u8], part: TextPart) -> GameText {
    let mut reader = SliceReader::new(head);
    let (mut text, mut nodes, mut declared) = (Vec::with_capacity(256), 0, None);
    while let Some(Ok(event)) = reader.events().next() {
        match event {
            Event::VariationEnd { .. } if reader.depth() == 1 => break,
            Event::NodeStart { .. } => {
                nodes += 1;
                if nodes == 2
                    && declared.is_some()
                    && part == TextPart::Enough
                    && high_bytes(&text) >= EVIDENCE
                {
                    break;
                }
                if nodes == 2 {
                    // Most games have no text beyond ASCII after their root, and skipping the moves
                    // is much cheaper than reading them.
                    let at = reader.offset();
                    let end = end_of_game(&mut reader);
                    if head[at as usize..end].is_ascii() {
                        break;
                    }
                    reader = SliceReader::new(&head[..end]);
                    while reader.offset() < at && reader.advance().is_ok_and(|is_event| is_event) {}
                }
            }
            Event::Property(property)
                if nodes == 1
                    && declared.is_none()
                    && property.ident().is(b"CA")
                    && property.as_bytes().is_ascii() =>
            {
                declared = Charset::for_label(property.first().as_bytes().trim_ascii());
            }
            Event::Property(property) if !property.as_bytes().is_ascii() => {
                for value in property
                    .values()
                    .filter(|value| !value.as_bytes().is_ascii())
                {
                    text.extend_from_slice(value.as_bytes());
                    text.push(b'\n');
                }
            }
            _ => {}
        }
    }
    GameText { text, declared }
}

/// Skips the rest of a game and returns its end.
fn end_of_game(reader: &mut SliceReader<'_>) -> usize {
    reader.skip_game();
    while matches!(reader.next_event(), Ok(Some(event)) if !matches!(event, Event::VariationEnd { .. }))
    {
    }
    reader.offset() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses() {
        let text =
            "黒番の先手が右上の星に打ち、白は左下の小目に構えた。次の一手は意外なところだった。";
        let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode(text);
        let found = guess_charset(&sjis).expect("not ASCII");
        assert_eq!(
            (found.charset.name(), found.confidence),
            ("Shift_JIS", Confidence::High)
        );
        let found = guess_charset(text.as_bytes()).expect("not ASCII");
        assert_eq!(
            (found.charset, found.confidence),
            (Charset::UTF_8, Confidence::High)
        );
        assert_eq!(guess_charset(b"plain"), None);
        assert_eq!(
            guess_charset(b"\xe9").map(|guess| guess.confidence),
            Some(Confidence::Low)
        );
    }

    #[test]
    fn utf_8_needs_no_detector() {
        for text in [
            &b"plain"[..],
            b"\x1b$B!!",
            "本因坊".as_bytes(),
            "é".as_bytes(),
            b"\xe6\x9c",
            b"\xed\xa0\x80",
            b"\xc0\xaf",
        ] {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
            detector.feed(text, true);
            let slow = Charset::from_encoding(detector.guess(None, Utf8Detection::Allow));
            assert_eq!(two_guesses(text).1, slow, "{text:?}");
        }
    }

    /// The detector is not asked about few bytes, because its answer would make no difference.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn little_text_is_no_evidence() {
        let mut rng = fastrand::Rng::with_seed(7);
        let pieces: [&[u8]; 7] = [
            b"\xe6\x9c\xac",
            b"\xe6\x9c",
            b"\xc3\xa9",
            b"\xf0\x9f\x98\x80",
            b"\xba\xda",
            b"\x92",
            b"?",
        ];
        let (mut unsure, mut sure) = (0, 0);
        for _ in 0..5_000 {
            let text: Vec<u8> = (0..rng.usize(1..9))
                .flat_map(|_| *rng.choice(&pieces).expect("pieces"))
                .copied()
                .collect();
            let found = likely_charset(&[b"(;C[", &text[..], b"])"].concat());
            let guess = guess_charset(&[&text[..], b"\n"].concat())
                .filter(|_| std::str::from_utf8(&text).is_err());
            let guess = guess.filter(|guess| guess.confidence > Confidence::Low);
            assert_eq!(
                found.map(|found| found.0),
                guess.map(|guess| guess.charset),
                "{text:x?}"
            );
            *if guess.is_some() {
                &mut sure
            } else {
                &mut unsure
            } += 1;
        }
        assert!(sure > 500 && unsure > 500, "{sure}, {unsure}");
    }

    /// Eight bytes of a name and a rank are enough.
    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn ranks_and_results_are_evidence() {
        use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, SHIFT_JIS};
        for (encoding, texts) in [
            (
                GBK,
                &["常昊\n九段", "5级", "柯洁\n9段", "黑中盘胜", "白胜2目半"][..],
            ),
            (BIG5, &["周俊勳\n九段", "黑中盤勝", "王\n3級"]),
            (SHIFT_JIS, &["趙\n九段", "黒中押し勝ち", "5級"]),
            (EUC_JP, &["趙\n九段", "白2目半勝"]),
            (EUC_KR, &["이창호\n9단", "흑 불계승", "초단", "1급"]),
        ] {
            for text in texts {
                let (bytes, _, is_lossy) = encoding.encode(text);
                let game = [b"(;C[".as_slice(), &bytes, b"])"].concat();
                let found = likely_charset(&game).map(|(charset, _)| charset.name());
                assert_eq!((found, is_lossy), (Some(encoding.name()), false), "{text}");
            }
        }
        for text in [&b"Jos\xe9"[..], b"\xb0\xa1\xb0\xa2", b"M\xfcller\n5 dan"] {
            assert_eq!(charset_by_words(text), None);
        }
    }

    /// Records of a server in which the last byte of some characters became `?`, and texts in other
    /// charsets.
    #[test]
    fn damaged_utf_8_is_no_other_charset() {
        let damaged = b"\xe9\x87\x8e\xe7\x8b?\xe4\xb8\x9a\xe6\xa3\x8b\xe6\x89\x8b\n3\xe6\xae\xb5";
        assert_eq!(
            guess_charset(damaged).map(|guess| guess.charset),
            Some(Charset::UTF_8)
        );
        let game = [b"(;PB[".as_slice(), damaged, b"])"].concat();
        assert_eq!(
            likely_charset(&game),
            Some((Charset::UTF_8, CharsetSource::Guessed))
        );
        for (charset, text) in [
            (
                encoding_rs::GBK,
                "\u{672c}\u{56e0}\u{574a}\u{79c0}\u{7b56}\u{5bf9}\u{4e95}\u{4e0a}\u{56e0}\u{7855}",
            ),
            (
                encoding_rs::WINDOWS_1252,
                "\u{e9}\u{e0}\u{fc} \u{e7}a et l\u{e0}, d\u{e9}j\u{e0}",
            ),
            (
                encoding_rs::SHIFT_JIS,
                "\u{9ed2}\u{756a}\u{306e}\u{5148}\u{624b}\u{304c}\u{53f3}\u{4e0a}",
            ),
            (
                encoding_rs::EUC_KR,
                "\u{c11c}\u{bd09}\u{c218} \u{ad6c}\u{b2e8}",
            ),
        ] {
            assert!(!is_damaged_utf8(&charset.encode(text).0), "{text}");
        }
    }

    /// Some bytes of each name became `?`, so that few characters are left. The ranks are intact.
    #[test]
    fn question_marks_are_no_other_charset() {
        let game = b"(;PB[\xe5\xae\x98\xe5?\xb7\xe9?\x92]PW[\xe9\x87?\xe7\x8b?]BR[9\xe6\xae\xb5]WR[9\xe6\xae\xb5])";
        assert_eq!(
            likely_charset(game),
            Some((Charset::UTF_8, CharsetSource::Guessed))
        );
        // In another charset, `?` after a lead byte is not enough.
        assert!(!is_damaged_utf8(b"caf\xe9? \xe0? d\xe9j\xe0"));
    }

    #[test]
    fn a_wrong_declaration_is_overruled() {
        let korean = "\u{c81c}\u{d68c} \u{b18d}\u{c2ec}\u{bc30}\u{ad6d} \u{cee4}\u{c81c} \u{c2e0}\u{c9c4}\u{c11c} \u{bc31} \u{bd88}\u{acc4}\u{c2b9}";
        let (korean, _, _) = encoding_rs::EUC_KR.encode(korean);
        let of = |ca: &str, text: &[u8]| {
            likely_charset(&[b"(;CA[", ca.as_bytes(), b"]C[", text, b"])"].concat())
        };
        let euc_kr = Charset::for_label(b"EUC-KR").expect("known");
        assert_eq!(
            of("UTF-8", &korean),
            Some((euc_kr, CharsetSource::Overruled))
        );
        assert_eq!(of("EUC-KR", &korean), None);
        // UTF-8 that was declared as GBK, and text that fits by chance.
        let chinese = "\u{674e}\u{4e16}\u{77f3} \u{53e4}\u{529b} 5\u{7ea7}";
        assert_eq!(
            of("GBK", chinese.as_bytes()),
            Some((Charset::UTF_8, CharsetSource::Overruled))
        );
        assert_eq!(of("UTF-8", chinese.as_bytes()), None);
        // One cut character in a longer text does not refute its charset, and few bytes suggest no
        // other one.
        let cut = [&"\u{e9}t\u{e9} \u{e0} ".repeat(9).into_bytes()[..], b"\xc3"].concat();
        assert_eq!(of("UTF-8", &cut), None);
        assert_eq!(of("UTF-8", b"caf\xe9"), None);
    }

    #[test]
    fn one_game_counts_unless_it_names_its_charset() {
        let moves = ";B[aa];W[bb]".repeat(20);
        let head = [
            b"(;C[\xe7]CA[nonsense];N[x](;C[\xe6]".as_slice(),
            moves.as_bytes(),
            b"))(;C[\xe5])",
        ]
        .concat();
        assert_eq!(game_text(&head, TextPart::All).text, b"\xe7\n\xe6\n");
        // Later games do not matter, but a charset in the root does, wherever it is.
        assert_eq!(
            likely_charset(&[b"(;C[x]".as_slice(), moves.as_bytes(), b")(;C[\xe5])"].concat()),
            None
        );
        let late = [
            b"(;C[\xe7]C[".as_slice(),
            &[b'x'; 200],
            b"]CA[UTF-8];B[aa])",
        ]
        .concat();
        assert_eq!(
            game_text(&late, TextPart::All).declared,
            Some(Charset::UTF_8)
        );
        assert_eq!(
            game_text(b"(;C[\xe9]CA[UTF-8]PB[\xe8])", TextPart::Enough).declared,
            Some(Charset::UTF_8)
        );
    }
}
