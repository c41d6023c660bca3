//! BR and WR: ranks of Go players, in kyu, dan and professional dan (FF\[4\] properties, spec
//! GI-08, Q-33). Other games store ratings and titles in these properties. Such values are legal,
//! but they are not ranks.

use std::fmt;

use super::lenient::{narrowed, reads};
use super::words::NUMERALS;
use super::{Number, Reading, Repair, ValueError};

/// Completes "expected …" in errors.
const EXPECTED: &str = "a rank: a number with `k` or `kyu`, `d` or `dan`, `p`";

/// Rank of a Go player. Ranks are ordered by strength: kyu, dan, professional.
///
/// ```
/// use sgfstream_game::value::Rank;
///
/// let rank = |text: &str| Rank::parse_lenient(text.as_bytes()).expect("a rank").value;
/// assert_eq!(rank("5k?"), Rank::Kyu(5));
/// assert_eq!(rank("9p").to_string(), "9p");
/// assert_eq!([rank("2 kyu").level(), rank("1d").level(), rank("P3段").level()], [-2, 1, 23]);
/// assert!(rank("1k") < rank("1d") && rank("10k") < rank("9k"));
/// assert_eq!("3d".parse(), Ok(Rank::Dan(3)));
/// assert!(Rank::parse_lenient(b"2100").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rank {
    /// Student rank, from 30 (lowest) to 1 (highest).
    Kyu(u8),
    /// Master rank; 1 is the lowest.
    Dan(u8),
    /// Professional rank; 1 is the lowest.
    Pro(u8),
}

/// Parses a Chinese or Japanese numeral; 初 and 초 are the first dan.
fn numeral(char: char) -> Option<u16> {
    let at = NUMERALS
        .iter()
        .position(|&numeral| numeral == char || (numeral == '一' && matches!(char, '初' | '초')))?;
    Some(at as u16 + 1)
}

impl Rank {
    /// Parses the value strictly: a number from 1 to 30, `k`, `d` or `p`, and optionally a server's
    /// `?` or `*` (spec G-08).
    ///
    /// # Errors
    ///
    /// The value has another form.
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        let wrong = || ValueError::syntax(EXPECTED, raw);
        let (kind, digits) = raw
            .strip_suffix(b"?")
            .or_else(|| raw.strip_suffix(b"*"))
            .unwrap_or(raw)
            .split_last()
            .ok_or_else(wrong)?;
        let number = match Number::parse(digits).map(Number::get) {
            Ok(number @ 1..=30) if digits[0].is_ascii_digit() => number as u8,
            _ => return Err(wrong()),
        };
        match kind {
            b'k' => Ok(Self::Kyu(number)),
            b'd' => Ok(Self::Dan(number)),
            b'p' => Ok(Self::Pro(number)),
            _ => Err(wrong()),
        }
    }

    /// Reads the value leniently: a number, and `k`, `kyu`, `gup`, `级`, `級`, `급`; `d`, `dan`, `段`,
    /// `단`; `p`, `pro`, or a dan beside `p` or `pro`. Ignores case, blanks, the servers' `?` and
    /// `*`, and a title after a comma.
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(rank) = Self::parse(raw) {
            return Reading::as_written(rank);
        }
        // A longer text is not a rank.
        let raw = narrowed(&raw[..raw.len().min(128)]);
        let text = String::from_utf8_lossy(&raw);
        if let Some(rank) = Self::in_words(&text) {
            return Reading::repaired(rank, Repair::Spelling);
        }
        // `9p, Honinbo`: a title or a tournament follows the comma. If the rest contains a number,
        // it may be a second rank.
        let (rank, title) = text.split_once(',').unwrap_or_default();
        let is_title = title.contains(char::is_alphabetic)
            && !title.contains(|c: char| c.is_numeric() || c == '&');
        let rank = Self::in_words(rank).filter(|_| is_title);
        rank.map_or(Reading::Unknown, |rank| {
            Reading::repaired(rank, Repair::Junk)
        })
    }

    /// Splits the name of a player into the name of the person, without surrounding blanks, and a
    /// rank at its end: the last word, maybe in brackets, a number and the word after it, or a
    /// number and `段`, `级` and the like without a blank.
    ///
    /// ```
    /// use sgfstream_game::value::Rank;
    ///
    /// assert_eq!(Rank::split_name("吴清源 四段"), ("吴清源", Some(Rank::Dan(4))));
    /// assert_eq!(Rank::split_name("Lee (9p) "), ("Lee", Some(Rank::Pro(9))));
    /// assert_eq!(Rank::split_name("Lee 9 dan"), ("Lee", Some(Rank::Dan(9))));
    /// assert_eq!(Rank::split_name("中村茂九段"), ("中村茂", Some(Rank::Dan(9))));
    /// assert_eq!(
    ///     [Rank::split_name(" AlphaGo 4"), Rank::split_name("9p")],
    ///     [("AlphaGo 4", None), ("9p", None)]
    /// );
    /// ```
    #[must_use]
    pub fn split_name(text: &str) -> (&str, Option<Self>) {
        let text = text.trim();
        let mut name = text;
        for _ in 0..2 {
            let Some((before, _)) = name.rsplit_once(char::is_whitespace) else {
                break;
            };
            name = before.trim_end();
            let last = text[before.len()..]
                .trim_start()
                .trim_start_matches(['(', '[']);
            let last = last.trim_end_matches([')', ']']);
            let is_number_first =
                last.starts_with(|first: char| first.is_numeric() || numeral(first).is_some());
            if is_number_first && let Some(rank) = Self::in_words(last) {
                return (name, Some(rank));
            }
        }
        let before = text
            .strip_suffix(['段', '級', '级', '단', '급'])
            .unwrap_or_default();
        let name =
            before.trim_end_matches(|char: char| char.is_numeric() || numeral(char).is_some());
        let rank = Self::in_words(&text[name.len()..]);
        // `业余3段` and `业余2级` are ranks alone.
        let is_name = !name.is_empty() && Self::in_words(text).is_none();
        if is_name && rank.is_some() {
            (name, rank)
        } else {
            (text, None)
        }
    }

    fn in_words(text: &str) -> Option<Self> {
        let mut number: Option<u16> = None;
        let mut ended = false;
        let mut words = String::new();
        for char in text.chars().take(32) {
            if let Some(digit) = char
                .to_digit(10)
                .and_then(|digit| u16::try_from(digit).ok())
                .filter(|_| !ended)
            {
                number = Some(number.unwrap_or(0) * 10 + digit);
                if number > Some(99) {
                    return None;
                }
            } else if let (Some(value), None) = (numeral(char), number) {
                number = Some(value);
                ended = true;
            } else if char.is_ascii_digit() {
                return None;
            } else {
                ended = number.is_some();
                if char.is_alphabetic() {
                    words.extend(char.to_lowercase());
                } else if !matches!(
                    char,
                    ' ' | '\t' | '?' | '*' | '.' | '-' | '+' | '(' | ')' | ','
                ) {
                    return None;
                }
            }
        }
        let number = match number {
            Some(number @ 1..=30) => number as u8,
            _ => return None,
        };
        match words.as_str() {
            "k" | "kyu" | "gup" | "g" | "级" | "級" | "급" | "kyû" | "业余级" | "业级" => {
                Some(Self::Kyu(number))
            }
            "d" | "dan" | "段" | "단" | "amateurdan" | "amadan" | "dana" | "dama" | "danama"
            | "amad" | "damateur" | "danamateur" | "业余段" | "业段" | "业" | "아마단"
            | "アマ段" => Some(Self::Dan(number)),
            "p" | "pro" | "p段" | "prodan" | "dpro" | "prod" | "danpro" | "dp" | "pd" | "pdan"
            | "danp" | "职业段" | "プロ段" => Some(Self::Pro(number)),
            _ => None,
        }
    }

    /// Returns the rank as a number, for comparing and counting: kyu `n` is `-n`, dan `n` is `n`,
    /// professional `n` is `20 + n`. No rank is 0.
    #[must_use]
    pub const fn level(self) -> i64 {
        match self {
            Self::Kyu(number) => -(number as i64),
            Self::Dan(number) => number as i64,
            Self::Pro(number) => 20 + number as i64,
        }
    }
}

reads!(Rank);

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |rank: &Self| match *rank {
            Self::Kyu(number) => (0, -i16::from(number)),
            Self::Dan(number) => (1, i16::from(number)),
            Self::Pro(number) => (2, i16::from(number)),
        };
        key(self).cmp(&key(other))
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kyu(number) => write!(f, "{number}k"),
            Self::Dan(number) => write!(f, "{number}d"),
            Self::Pro(number) => write!(f, "{number}p"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rank;

    #[test]
    fn ranks_of_the_field() {
        for (text, rank) in [
            ("5k", Some(Rank::Kyu(5))),
            ("12 Kyu", Some(Rank::Kyu(12))),
            ("7级", Some(Rank::Kyu(7))),
            ("业余2级", Some(Rank::Kyu(2))),
            ("3d*", Some(Rank::Dan(3))),
            ("1 dan", Some(Rank::Dan(1))),
            ("6 dan", Some(Rank::Dan(6))),
            ("九段", Some(Rank::Dan(9))),
            ("初段", Some(Rank::Dan(1))),
            ("9段", Some(Rank::Dan(9))),
            ("9단", Some(Rank::Dan(9))),
            ("18급", Some(Rank::Kyu(18))),
            ("P9段", Some(Rank::Pro(9))),
            ("9p", Some(Rank::Pro(9))),
            ("9p, Honinbo", Some(Rank::Pro(9))),
            ("5p, Women's Meijin", Some(Rank::Pro(5))),
            ("九段, 本因坊", Some(Rank::Dan(9))),
            ("6d ama", Some(Rank::Dan(6))),
            ("4단", Some(Rank::Dan(4))),
            ("5급", Some(Rank::Kyu(5))),
            ("초단", Some(Rank::Dan(1))),
            ("３段", Some(Rank::Dan(3))),
            ("아마 5단", Some(Rank::Dan(5))),
            ("アマ五段", Some(Rank::Dan(5))),
            ("业5", Some(Rank::Dan(5))),
            ("9p, 8p", None),
            ("2p & Meijin", None),
            ("1p & 1p", None),
            ("4p, 3 crowns", None),
            ("9d pro", Some(Rank::Pro(9))),
            ("9 dan pro", Some(Rank::Pro(9))),
            ("", None),
            ("dan", None),
            ("1985", None),
            ("0d", None),
            ("Honinbo", None),
            ("2d 3d", None),
            ("NR", None),
        ] {
            let read = Rank::parse_lenient(text.as_bytes()).ok();
            assert_eq!(read.map(|read| read.value), rank, "{text}");
        }
    }
}
