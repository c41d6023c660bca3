//! Amounts in words, as in results and komi of older files: `5 1/2`, `three and a half points`,
//! `6½` (spec ).

/// Words of an amount of points. Any other word may change its meaning.
const POINTS: &str = "point points pt pts moku komi half and a an of by one two three four five 目 目半 半目 half目 子 点 點";

/// Returns whether `words`, a list separated by blanks, contains `word`.
pub(crate) fn is_among(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

/// Returns whether all words of `text`, in small letters, are words of points.
pub(super) fn is_of_points(text: &str) -> bool {
    let mut words = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty());
    words.all(|word| is_among(POINTS, word))
}

/// Returns the amount in `text`, in small letters: at most one whole or decimal number and one
/// fraction of halves or quarters, in digits or words. Ignores other words. Returns `None` if there
/// is no amount, more than one, or another fraction.
pub(super) fn amount(text: &str) -> Option<f64> {
    let (mut whole, mut part) = (None, None);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, after) = rest.split_at(token_len(rest, first, is_letter));
        rest = after;
        let value = match token {
            "half" | "½" => Some((0.5, true)),
            "¼" => Some((0.25, true)),
            "¾" => Some((0.75, true)),
            "one" => Some((1.0, false)),
            "two" => Some((2.0, false)),
            "three" => Some((3.0, false)),
            "four" => Some((4.0, false)),
            "five" => Some((5.0, false)),
            _ if first.is_ascii_digit() => Some(number(token, &mut rest)?),
            _ if is_fraction(first) => return None,
            _ => None,
        };
        let slot = match value {
            None => continue,
            Some((_, true)) => &mut part,
            Some((_, false)) => &mut whole,
        };
        if slot
            .replace(value.map_or(0.0, |(amount, _)| amount))
            .is_some()
        {
            return None;
        }
    }
    match (whole, part) {
        (None, None) => None,
        (whole, part) => Some(whole.unwrap_or(0.0) + part.unwrap_or(0.0)),
    }
}

/// Returns whether `char` is a fraction.
fn is_fraction(char: char) -> bool {
    matches!(char, '½' | '¼' | '¾' | '\u{2150}'..='\u{215F}' | '\u{2189}')
}

/// Returns whether `text`, in small letters, contains a fraction.
pub(super) fn has_fraction(text: &str) -> bool {
    text.contains('/') || text.contains("half") || text.contains(is_fraction)
}

/// Returns whether `text`, in small letters, mentions a komi, so that its numbers are not a margin.
pub(super) fn has_komi(text: &str) -> bool {
    ["komi", "コミ", "贴", "貼", "덤"]
        .iter()
        .any(|word| text.contains(word))
}

/// Chinese and Japanese numerals up to ten.
pub(super) const NUMERALS: [char; 10] =
    ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

/// Returns whether `text` contains a Chinese or Japanese numeral.
pub(super) fn has_numeral(text: &str) -> bool {
    text.contains(NUMERALS)
}

/// Parses points in the spellings of Asian sites, and nothing else: `六目半`, `6目`, `3집반`, `半目`.
pub(super) fn asian_points(text: &str) -> Option<f64> {
    const UNITS: [char; 5] = ['目', '집', '목', '点', '點'];
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let before_unit = text.strip_suffix(UNITS);
    let text = before_unit.unwrap_or(&text);
    match text.strip_suffix(['半', '반']) {
        Some("") => Some(0.5),
        Some(rest) => Some(whole(rest.strip_suffix(UNITS).unwrap_or(rest))? + 0.5),
        // A number without a unit may count something else.
        None => whole(text).filter(|_| before_unit.is_some()),
    }
}

/// Korean numerals up to ten, by their Chinese sounds.
const KOREAN_NUMERALS: [char; 10] = ['일', '이', '삼', '사', '오', '육', '칠', '팔', '구', '십'];

/// Native Korean numbers, used before a counted thing.
const KOREAN_COUNTS: [&str; 9] = [
    "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉",
];

/// Parses a number of handicap stones in words, and nothing else: `三子`, `让二子`, `受二子`, `四子局`, `두점`.
pub(super) fn asian_stones(text: &str) -> Option<i64> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let text = text.strip_prefix(['让', '讓', '受', '授']).unwrap_or(&text);
    let text = text.strip_suffix('局').unwrap_or(text);
    whole(text.strip_suffix(['子', '점'])?).map(|stones| stones as i64)
}

/// Parses a number up to 99 in digits or numerals: `12`, `십이`, `十二`, `二十`, `두`. In digits, also
/// accepts decimals: `3.5`.
fn whole(text: &str) -> Option<f64> {
    if text.len() <= 4
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return text
            .parse()
            .ok()
            .filter(|_| text.len() <= 2 || text.contains('.'));
    }
    if let Some(at) = KOREAN_COUNTS.iter().position(|known| *known == text) {
        return Some((at + 1) as f64);
    }
    let one = |numeral: char| {
        let known = [NUMERALS, KOREAN_NUMERALS]
            .into_iter()
            .find_map(|all| all.iter().position(|&known| known == numeral));
        known.map(|at| at + 1)
    };
    let values: Vec<usize> = text.chars().map(one).collect::<Option<_>>()?;
    let value = match values[..] {
        [value] => value,
        [10, ones @ 1..10] => 10 + ones,
        [tens @ 2..10, 10] => tens * 10,
        [tens @ 2..10, 10, ones @ 1..10] => tens * 10 + ones,
        _ => return None,
    };
    Some(value as f64)
}

/// Returns the length in bytes of the number or word at the start of `text`, which begins with
/// `first`.
pub(super) fn token_len(text: &str, first: char, is_letter: fn(char) -> bool) -> usize {
    let same: fn(char) -> bool = if first.is_ascii_digit() {
        |c| c.is_ascii_digit() || c == '.'
    } else if is_letter(first) {
        is_letter
    } else {
        return first.len_utf8();
    };
    text.find(|c| !same(c)).unwrap_or(text.len())
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic()
}

/// Parses a number, or a fraction of halves or quarters if `/` and another number follow. The
/// boolean is true for a fraction.
fn number(token: &str, rest: &mut &str) -> Option<(f64, bool)> {
    let Some(fraction) = rest.strip_prefix('/') else {
        return token
            .trim_end_matches('.')
            .parse()
            .ok()
            .map(|amount| (amount, false));
    };
    let (below, after) = fraction.split_at(token_len(fraction, '0', is_letter));
    *rest = after;
    let amount = match (token, below) {
        ("1", "4") => 0.25,
        ("1", "2") | ("2", "4") => 0.5,
        ("3", "4") => 0.75,
        _ => return None,
    };
    Some((amount, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        for (text, value) in [
            ("5", Some(5.0)),
            ("5.5 points", Some(5.5)),
            ("5 1/2", Some(5.5)),
            ("3 3/4", Some(3.75)),
            ("1/2 point", Some(0.5)),
            ("6½", Some(6.5)),
            ("half a point", Some(0.5)),
            ("three and a half", Some(3.5)),
            ("by 2.", Some(2.0)),
            ("", None),
            ("resignation", None),
            ("3 or 4", None),
            ("1/3", None),
            ("1 5/6", None),
            ("7 2/3", None),
            ("10/20", None),
            ("3/2", None),
            ("1/0", None),
            ("6⅔", None),
            ("1 ⅛ points", None),
            ("1.2.3", None),
        ] {
            assert_eq!(amount(text), value, "{text}");
        }
    }

    #[test]
    fn points_of_asian_sites() {
        for (text, value) in [
            ("六目半", Some(6.5)),
            ("6目半", Some(6.5)),
            ("三目", Some(3.0)),
            ("半目", Some(0.5)),
            ("7집 반", Some(7.5)),
            ("3집반", Some(3.5)),
            ("十二目半", Some(12.5)),
            ("二十一目", Some(21.0)),
            ("6半", Some(6.5)),
            ("", None),
            ("6", None),
            ("目", None),
            ("三又四分之三", None),
            ("3子", None),
            ("十十目", None),
            ("6目7", None),
        ] {
            assert_eq!(asian_points(text), value, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text(text in ".{0,16}|[0-9/. a-f½]{0,16}") {
            proptest::prop_assert!(amount(&text).is_none_or(|value| value >= 0.0));
        }
    }
}
