//! RE: the result of a game, in the exact spellings of FF\[4\] (properties, spec GI-02), and in the
//! spellings of real files (spec Q-10, Q-54).

use std::fmt;

use super::lenient::{narrowed, reads, without_blanks};
use super::words::{amount, has_fraction, has_komi, is_among, is_of_points};
use super::{Color, LenientValue, Number, Reading, Real, Repair, ValueError};

/// Completes "expected …" in errors.
const EXPECTED: &str =
    "a result: `0`, `Draw`, `Void`, `?`, or `B+` or `W+` with a score, `R`, `T` or `F`";

/// Longest text to parse, in bytes. A longer sentence is a comment.
const LONGEST: usize = 256;

/// Result of a game.
///
/// ```
/// use sgfstream_game::value::{Color, GameResult, Margin};
///
/// let result = GameResult::parse(b"W+Resign").expect("a result");
/// assert_eq!(result, GameResult::Win { winner: Color::White, margin: Margin::Resign });
/// assert_eq!(result.to_string(), "W+R");
/// assert_eq!(GameResult::parse(b"Draw").expect("a result").to_string(), "0");
/// assert!(GameResult::parse(b"Black resigns").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum GameResult {
    /// `0` or `Draw`.
    Draw,
    /// `Void`: no result, or play was suspended.
    Void,
    /// `?`.
    Unknown,
    /// One side won.
    Win {
        /// The side that won.
        winner: Color,
        /// The margin or the cause.
        margin: Margin,
    },
    /// `2+5`: a player of a game of three or four won.
    PlayerWin {
        /// The player, from 1.
        player: u8,
        /// The margin or the cause.
        margin: Margin,
    },
}

/// Margin or cause of a win.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Margin {
    /// `B+`: the margin is unknown, or the game has no scores.
    NotGiven,
    /// `B+3.5`: won by points.
    Score(Real),
    /// `B+R`: the loser resigned.
    Resign,
    /// `B+6R`, Backgammon: the loser resigned this many points.
    ResignPoints(Number),
    /// `B+T`: the loser ran out of time.
    Time,
    /// `B+F`: the loser forfeited.
    Forfeit,
}

impl GameResult {
    /// Parses the value strictly: the spellings of FF\[4\], with their case.
    ///
    /// # Errors
    ///
    /// The value has another spelling, such as a score with a sign.
    // RE = "0" | "Draw" | ("B" | "W") "+" [Score | "R" | "Resign" | …] | "Void" | "?"
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        match raw {
            b"0" | b"Draw" => return Ok(Self::Draw),
            b"Void" => return Ok(Self::Void),
            b"?" => return Ok(Self::Unknown),
            _ => {}
        }
        let (winner, rest) = match raw {
            [b'B', b'+', rest @ ..] => (Color::Black, rest),
            [b'W', b'+', rest @ ..] => (Color::White, rest),
            _ => return Err(ValueError::syntax(EXPECTED, raw)),
        };
        let margin = match rest {
            b"" => Margin::NotGiven,
            b"R" | b"Resign" => Margin::Resign,
            b"T" | b"Time" => Margin::Time,
            b"F" | b"Forfeit" => Margin::Forfeit,
            [b'0'..=b'9', ..] => {
                Margin::Score(Real::parse(rest).map_err(|_| ValueError::syntax(EXPECTED, raw))?)
            }
            _ => return Err(ValueError::syntax(EXPECTED, raw)),
        };
        Ok(Self::Win { winner, margin })
    }

    /// Parses the value strictly for Backgammon, where points may precede `R` (FF\[4\] Backgammon).
    ///
    /// ```
    /// use sgfstream_game::value::GameResult;
    ///
    /// assert_eq!(
    ///     GameResult::parse_backgammon(b"W+2Resign").expect("a result").to_string(),
    ///     "W+2R"
    /// );
    /// assert!(GameResult::parse(b"W+2Resign").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// The same as for [`parse`](Self::parse).
    pub fn parse_backgammon(raw: &[u8]) -> Result<Self, ValueError> {
        let err = match Self::parse(raw) {
            Ok(result) => return Ok(result),
            Err(err) => err,
        };
        let points = raw
            .strip_suffix(b"Resign")
            .or_else(|| raw.strip_suffix(b"R"));
        let (winner, points) = match points {
            Some([b'B', b'+', points @ ..]) => (Color::Black, points),
            Some([b'W', b'+', points @ ..]) => (Color::White, points),
            _ => return Err(err),
        };
        match Number::parse(points) {
            Ok(points) if !matches!(raw[2], b'+' | b'-') => Ok(Self::Win {
                winner,
                margin: Margin::ResignPoints(points),
            }),
            _ => Err(err),
        }
    }

    /// Returns the name of the player who won: `B`, `W`, or `1` to `4`.
    #[must_use]
    pub const fn winner(&self) -> Option<&'static str> {
        match self {
            Self::Win {
                winner: Color::Black,
                ..
            } => Some("B"),
            Self::Win {
                winner: Color::White,
                ..
            } => Some("W"),
            Self::PlayerWin { player: 1, .. } => Some("1"),
            Self::PlayerWin { player: 2, .. } => Some("2"),
            Self::PlayerWin { player: 3, .. } => Some("3"),
            Self::PlayerWin { .. } => Some("4"),
            _ => None,
        }
    }

    /// Reads the value leniently (spec Q-10, Q-54). Ignores blanks and case, and understands words:
    /// `Black+R`, `W+3 1/2`, `Jigo`, `White wins by resignation`, `Black lost on time`, `黑中盘胜`. A
    /// winner alone is a win (`RE[B]`). If the text after the winner is not a margin, the margin is
    /// `NotGiven`.
    ///
    /// `1-0` and `0-1` are guesses, because the order of the sides depends on the game. A value
    /// with two results is unknown. Words beyond ASCII must be UTF-8: for a game in another
    /// charset, pass the decoded text.
    ///
    /// ```
    /// use sgfstream_game::value::{GameResult, Reading, Repair};
    ///
    /// let read = GameResult::parse_lenient(b"Black resigns").expect("understood");
    /// assert_eq!((read.value.to_string().as_str(), read.repair), ("W+R", Some(Repair::Words)));
    /// assert!(GameResult::read(b"0-1").is_guess());
    /// assert_eq!(GameResult::read(b"B+R, W+R"), Reading::Unknown);
    /// ```
    #[must_use]
    pub fn read(raw: &[u8]) -> Reading<Self> {
        if let Ok(result) = Self::parse(raw) {
            return Reading::as_written(result);
        }
        let start = &raw[..raw.len().min(LONGEST)];
        let narrow = narrowed(start);
        let compact = without_blanks(&narrow);
        if let Ok(result) = Self::parse(&compact) {
            return Reading::repaired(result, Repair::Blanks);
        }
        if let Ok(result) = Self::parse_backgammon(&compact) {
            return Reading::repaired(result, Repair::Spelling);
        }
        let text = String::from_utf8_lossy(&narrow).trim().to_lowercase();
        let read = Self::in_short(&text)
            .or_else(|| Self::with_plus(&text))
            .or_else(|| {
                Self::in_chinese(&text)
                    .or_else(|| Self::in_korean(&text))
                    .or_else(|| Self::in_words(&text))
                    .map(|read| in_words(read, &text, start))
            })
            .unwrap_or(Reading::Unknown);
        // A doubt is more than a result.
        if text.contains('?') {
            read.repaired_by(Repair::Junk)
        } else {
            read
        }
    }

    /// Reads short forms: a draw, no result, an unknown result, a winner alone, a score such as
    /// `1-0`.
    fn in_short(text: &str) -> Option<Reading<Self>> {
        let win = |winner| Self::Win {
            winner,
            margin: Margin::NotGiven,
        };
        let spelling = |result| Some(Reading::repaired(result, Repair::Spelling));
        // The result is followed by words with more information.
        let beside = |result| Some(Reading::repaired(result, Repair::Junk));
        let guess = |result| {
            Some(Reading::Guess(LenientValue::repaired(
                result,
                Repair::Spelling,
            )))
        };
        match text.as_bytes() {
            b"1-0" => guess(win(Color::Black)),
            b"0-1" => guess(win(Color::White)),
            b"0.5-0.5" | b"1/2-1/2" => spelling(Self::Draw),
            [b'0', rest @ ..] if matches!(rest.trim_ascii_start(), [b'(' | b'{', ..]) => {
                beside(Self::Draw)
            }
            [b'0', ..] => Some(Reading::Unknown),
            [b'?', ..] if !text.contains('+') => beside(Self::Unknown),
            // SGFC checks only the first letter. But players write their names here, and a win by a
            // player called Dumbot is not a draw.
            b"d" | b"d+j" | b"draw" | b"jigo" => spelling(Self::Draw),
            [b'd', b'r', b'a', b'w', ..] | [b'j', b'i', b'g', b'o', ..] => beside(Self::Draw),
            // No result, or a suspended game (FF[4] properties, RE).
            b"no result" | b"unfinished" | b"not finished" | b"suspended" | b"adjourned" => {
                Some(Reading::repaired(Self::Void, Repair::Words))
            }
            b"v" | b"void" => spelling(Self::Void),
            [b'v', b'o', b'i', b'd', ..] => beside(Self::Void),
            b"b" | b"black" => spelling(win(Color::Black)),
            b"w" | b"white" => spelling(win(Color::White)),
            _ => None,
        }
    }

    /// Reads `Black+R`, `b+res`, `W+3 1/2 points`, `W+1 {moves after}`: the first letter before the
    /// plus is the winner, the text after it the margin.
    fn with_plus(text: &str) -> Option<Reading<Self>> {
        let (before, rest) = text.split_once('+')?;
        let winner = match before.trim().bytes().next()? {
            b'b' | b'z' => Color::Black,
            b'w' => Color::White,
            _ => return None,
        };
        let others = before
            .split(|c: char| !c.is_alphabetic())
            .filter_map(color_of);
        if rest.contains('+') || others.into_iter().any(|color| color != winner) {
            return Some(Reading::Unknown);
        }
        let (rest, note) = rest.split_at(rest.find(['{', '(', ';']).unwrap_or(rest.len()));
        let rest = rest.trim();
        let word = rest
            .split(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or("");
        let begins =
            |words: &[&str]| !word.is_empty() && words.iter().any(|known| known.starts_with(word));
        let (margin, repair) = if begins(&["resignation", "resigned", "resigns", "rsgn"]) {
            (Margin::Resign, Repair::Spelling)
        } else if begins(&["timeout", "time", "timeup"]) {
            (Margin::Time, Repair::Spelling)
        } else if begins(&["forfeit", "forfeiture", "forfeited", "forfait"]) {
            (Margin::Forfeit, Repair::Spelling)
        } else {
            let has_fraction = rest.contains('-') || has_fraction(rest);
            match (Real::read(rest.as_bytes()), amount(rest)) {
                _ if !is_of_points(rest) || has_komi(rest) || rest.contains('子') => {
                    (Margin::NotGiven, Repair::Junk)
                }
                (Reading::Sure(real), _) if !has_fraction => {
                    // `points` and similar words add nothing.
                    let repair = real.repair.filter(|&repair| repair != Repair::Junk);
                    (
                        Margin::Score(real.value),
                        repair.unwrap_or(Repair::Spelling),
                    )
                }
                (_, Some(points)) if !rest.contains('-') => (
                    Real::new(points).map_or(Margin::NotGiven, Margin::Score),
                    Repair::Fraction,
                ),
                _ => (Margin::NotGiven, Repair::Junk),
            }
        };
        // A name in place of the color, or text after the margin, is more than a result.
        let is_color = matches!(before.trim(), "b" | "w" | "z" | "black" | "white" | "zwart");
        let is_margin = matches!(margin, Margin::Score(_) | Margin::NotGiven) || rest == word;
        let repair = if note.is_empty() && is_color && is_margin {
            repair
        } else {
            Repair::Junk
        };
        Some(Reading::repaired(Self::Win { winner, margin }, repair))
    }

    /// Reads a sentence in English or Dutch: who won or lost, and by what margin. Returns `None`
    /// for a sentence with a negation, a modal verb, or a verb for a game that goes on.
    fn in_words(text: &str) -> Option<Self> {
        let mut words = text
            .split(|c: char| !c.is_alphanumeric() && c != '\'')
            .filter(|word| !word.is_empty());
        if words.clone().any(|word| is_among(DOUBTS, word))
            || text.contains("n't")
            || text.contains("n’t")
        {
            return None;
        }
        let says_draw = |word| matches!(word, "draw" | "drawn" | "jigo" | "tie" | "tied");
        let Some(named) = words.clone().find_map(color_of) else {
            return words.any(says_draw).then_some(Self::Draw);
        };
        let says = |any: &[&str]| any.iter().any(|part| text.contains(part));
        let (win, lose) = (
            says(&["win", "won"]),
            says(&["lose", "loose", "lost", "loss"]),
        );
        let (resign, time) = (says(&["resign", "opgave"]), says(&["time"]));
        let forfeit = says(&["forfeit"]);
        // With two sides, or with both a win and a loss, the sentence does not say who won.
        if (win && lose) || words.any(|word| color_of(word).is_some_and(|color| color != named)) {
            return None;
        }
        let margin = if resign {
            Margin::Resign
        } else if time {
            Margin::Time
        } else if forfeit {
            Margin::Forfeit
        } else {
            points_in(text).map_or(Margin::NotGiven, Margin::Score)
        };
        let named_wins = match (win, lose) {
            (true, _) => true,
            (_, true) => false,
            // "Black resigns" is a win for White; "Black by 5 points" is a win for Black.
            _ if matches!(margin, Margin::Resign | Margin::Time | Margin::Forfeit) => false,
            _ if matches!(margin, Margin::Score(_)) && says(&["by", "with", "point", "punt"]) => {
                true
            }
            // `B 0.5`: the plus is missing.
            _ if matches!(margin, Margin::Score(_)) && is_number_after_word(text) => true,
            _ => return None,
        };
        Some(Self::Win {
            winner: if named_wins { named } else { named.other() },
            margin,
        })
    }
}

/// Negations, modal verbs, and words for a game that goes on. A sentence with one of them states no
/// result.
const DOUBTS: &str = "not no never neither nor cannot niet nicht kein keine pas almost nearly would could should might may must if unless will \
    probably perhaps maybe likely winning losing lead leads leading led ahead";

fn color_of(word: &str) -> Option<Color> {
    match word {
        "b" | "black" | "zwart" | "black's" => Some(Color::Black),
        "w" | "white" | "wit" | "white's" => Some(Color::White),
        _ => None,
    }
}

/// Returns the points in a sentence. Ignores a number that counts something else, such as moves.
fn points_in(text: &str) -> Option<Real> {
    let is_of_something_else = ["move", "game", "round", "stone"]
        .iter()
        .any(|word| text.contains(word))
        || has_komi(text);
    amount(text)
        .filter(|_| !is_of_something_else)
        .and_then(Real::new)
}

/// Returns whether the rest of `text` after its first word is a number.
fn is_number_after_word(text: &str) -> bool {
    text.split_once(char::is_whitespace)
        .is_some_and(|(_, rest)| Real::parse(rest.trim().as_bytes()).is_ok())
}

/// Returns `result` with the repair `Words` if all words belong to a result, and with `Junk` if
/// some do not.
fn in_words(result: GameResult, text: &str, raw: &[u8]) -> Reading<GameResult> {
    const WORDS: &str = "b black black's w white white's zwart wit win wins won lose loses lost loss by on with in through \
        resign resigns resigned resignation opgave time timeout forfeit forfeits forfeited draw drawn jigo tie tied \
        the game is punt punten";
    let is_known = |word: &str| is_among(WORDS, word) || is_of_points(word);
    let mut words = text
        .split(|c: char| !c.is_alphabetic() && c != '\'')
        .filter(|word| !word.is_empty());
    // A number outside the margin, a text cut at `LONGEST`, or a longer text in another script is
    // more than a result.
    let has_number = text.contains(|c: char| c.is_ascii_digit());
    let has_margin = matches!(
        result,
        GameResult::Win {
            margin: Margin::Score(_),
            ..
        }
    );
    let is_all = words.all(is_known) && (has_margin || !has_number) && raw.len() < LONGEST;
    let is_short = !text.is_ascii() && text.chars().count() <= 8 && (has_margin || !has_number);
    let is_of_result = (is_all || is_short) && !has_komi(text) && !text.contains(['子', '?', '？']);
    Reading::repaired(
        result,
        if is_of_result {
            Repair::Words
        } else {
            Repair::Junk
        },
    )
}

reads!(GameResult);

/// Prints the short spellings: `0`, `B+R`, `W+T`.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw => f.write_str("0"),
            Self::Void => f.write_str("Void"),
            Self::Unknown => f.write_str("?"),
            Self::Win { winner, margin } => write!(f, "{winner}+{margin}"),
            Self::PlayerWin { player, margin } => write!(f, "{player}+{margin}"),
        }
    }
}

/// Prints the part after the `+`.
impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotGiven => Ok(()),
            Self::Score(score) => score.fmt(f),
            Self::Resign => f.write_str("R"),
            Self::ResignPoints(points) => write!(f, "{points}R"),
            Self::Time => f.write_str("T"),
            Self::Forfeit => f.write_str("F"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g_02_strict() {
        for (raw, text) in [
            ("0", "0"),
            ("Draw", "0"),
            ("Void", "Void"),
            ("?", "?"),
            ("B+", "B+"),
            ("W+", "W+"),
            ("B+R", "B+R"),
            ("W+Resign", "W+R"),
            ("B+T", "B+T"),
            ("B+Time", "B+T"),
            ("W+F", "W+F"),
            ("W+Forfeit", "W+F"),
            ("B+0.5", "B+0.5"),
            ("W+64", "W+64"),
            ("B+12.50", "B+12.5"),
        ] {
            let result = GameResult::parse(raw.as_bytes()).expect(raw);
            assert_eq!(result.to_string(), text, "{raw}");
            assert_eq!(GameResult::parse(text.as_bytes()), Ok(result), "{raw}");
        }
        for raw in [
            "",
            "B",
            "W",
            "b+r",
            "B+r",
            "B+resign",
            "B + R",
            "B+R ",
            " 0",
            "draw",
            "DRAW",
            "void",
            "Black+R",
            "B+5.",
            "B+.5",
            "B+-5",
            "B++5",
            "B+5,5",
            "B+Res",
            "B+RT",
            "00",
            "0.5",
            "Jigo",
            "Black resigns",
            "??",
            "B+6R",
            "B+1e2",
            "B-5",
            "B+R\\",
        ] {
            assert!(GameResult::parse(raw.as_bytes()).is_err(), "{raw:?}");
        }
    }

    #[test]
    fn backgammon() {
        for (raw, text) in [
            ("B+6R", "B+6R"),
            ("W+2Resign", "W+2R"),
            ("W+4", "W+4"),
            ("W+R", "W+R"),
            ("0", "0"),
        ] {
            assert_eq!(
                GameResult::parse_backgammon(raw.as_bytes())
                    .expect(raw)
                    .to_string(),
                text,
                "{raw}"
            );
        }
        for raw in ["B+6T", "B+6.5R", "B+-6R", "b+6R", "6R", "B+6r", ""] {
            assert!(
                GameResult::parse_backgammon(raw.as_bytes()).is_err(),
                "{raw:?}"
            );
        }
    }

    /// Spec Q-10, Q-29, Q-45, Q-46, Q-54.
    #[test]
    fn lenient() {
        use Repair::{Blanks, DecimalComma, Fraction, Junk, Spelling, Words};
        for (raw, text, repair) in [
            ("B+R", "B+R", None),
            ("B + R", "B+R", Some(Blanks)),
            (" Void ", "Void", Some(Blanks)),
            ("Black+R", "B+R", Some(Spelling)),
            ("b+r", "B+R", Some(Spelling)),
            ("B+res", "B+R", Some(Spelling)),
            ("white+time", "W+T", Some(Spelling)),
            ("zwart+opgave", "B+", Some(Junk)),
            ("W+3.5 points", "W+3.5", Some(Spelling)),
            ("W+3 1/2", "W+3.5", Some(Fraction)),
            ("W+3,5", "W+3.5", Some(DecimalComma)),
            ("B+half", "B+0.5", Some(Fraction)),
            ("W+two", "W+2", Some(Fraction)),
            ("W+1 {moves after 200 not known}", "W+1", Some(Junk)),
            ("Bob+R", "B+R", Some(Junk)),
            ("B+R after 126 moves", "B+R", Some(Junk)),
            ("W+2.5?", "W+2.5", Some(Junk)),
            ("B+R ?", "B+R", Some(Junk)),
            ("draw by agreement", "0", Some(Junk)),
            ("Black resigns after a blunder", "W+R", Some(Junk)),
            ("Jigo", "0", Some(Spelling)),
            ("draw", "0", Some(Spelling)),
            ("0 (jigo)", "0", Some(Junk)),
            ("void", "Void", Some(Spelling)),
            ("? unknown", "?", Some(Junk)),
            ("B", "B+", Some(Spelling)),
            ("White", "W+", Some(Spelling)),
            ("Black resigns", "W+R", Some(Words)),
            ("Black wins by resignation", "B+R", Some(Words)),
            ("White lost on time", "B+T", Some(Words)),
            ("White forfeits", "B+F", Some(Words)),
            ("Black wins", "B+", Some(Words)),
            ("B 0.5", "B+0.5", Some(Words)),
            ("The game is a draw", "0", Some(Words)),
            ("B+2R", "B+2R", Some(Spelling)),
            ("D+J", "0", Some(Spelling)),
            ("White won by 3 1/2 points", "W+3.5", Some(Words)),
            ("Black by half a point", "B+0.5", Some(Words)),
            ("黑中盘胜", "B+R", Some(Words)),
            ("白胜1.5目", "W+1.5", Some(Words)),
            ("黒半目勝ち", "B+0.5", Some(Words)),
            ("白时间负", "B+T", Some(Words)),
            ("黑胜白", "B+", Some(Words)),
            ("白勝黒", "W+", Some(Words)),
            ("白胜六目半", "W+6.5", Some(Words)),
            ("黒十二目勝ち", "B+12", Some(Words)),
            ("흑불계승", "B+R", Some(Words)),
            ("백 불계승", "W+R", Some(Words)),
            ("흑 3집반승", "B+3.5", Some(Words)),
            ("백 3.5집승.", "W+3.5", Some(Words)),
            ("302수 백3.5집승", "W+3.5", Some(Junk)),
            ("백 시간패", "B+T", Some(Words)),
            ("No result", "Void", Some(Words)),
            ("Unfinished", "Void", Some(Words)),
            ("和棋", "0", Some(Words)),
        ] {
            let read = GameResult::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!(
                (read.value.to_string().as_str(), read.repair),
                (text, repair),
                "{raw:?}"
            );
        }
        for (raw, text) in [("1-0", "B+"), ("0-1", "W+")] {
            let read = GameResult::read(raw.as_bytes());
            assert!(read.is_guess(), "{raw}");
            assert_eq!(
                read.likely().map(|read| read.value.to_string()).as_deref(),
                Some(text)
            );
        }
        for (raw, text) in [
            (
                "B+, Goro crushed in his 126th move, and could not continue.",
                "B+",
            ),
            ("W+ 2 or 3", "W+"),
            ("W+0.5/1.5", "W+"),
            ("0.5-0.5", "0"),
            ("Black wins in 126 moves", "B+"),
            ("B+1 5/6", "B+"),
            ("W+6⅔", "W+"),
            ("Black wins by 1 1/3 points", "B+"),
            ("黒コミ5目半負け", "W+"),
            ("黒コミ五目半負け", "W+"),
            ("黑贴3又3/4子胜", "B+"),
            ("白胜1又1/4子", "W+"),
            ("白胜3/4子", "W+"),
            ("W+1.25子", "W+"),
            ("B+6.5 komi", "B+"),
            ("Black wins with half komi", "B+"),
        ] {
            let read = GameResult::parse_lenient(raw.as_bytes()).expect(raw);
            assert_eq!(read.value.to_string(), text, "{raw}");
            assert!(
                text == "0" || read.repair.is_some_and(Repair::loses_text),
                "{raw}"
            );
        }
        for raw in [
            "0.5",
            "B+R, W+R",
            "0-1-0",
            "",
            "Left unfinished",
            "Black lost and White won",
            "won by 3",
            "Black beats White by 3",
            "Dumbot won",
            "Victor wins",
            "null",
            "-",
            "黑白胜",
            "B 6.5 komi W+R",
            "White or Black+R",
            "Black not lost",
            "B cannot win",
            "Black hat nicht gewonnen",
            "white did not win",
            "Black didn't win",
            "Black didn’t win",
            "White almost won by 3.5",
            "Black would have won",
            "W is winning",
            "Black leads by 5",
            "黑不胜",
            "白未胜",
        ] {
            assert!(
                GameResult::parse_lenient(raw.as_bytes()).is_err(),
                "{raw:?}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn scores_read_back(score in 0.0f64..1e9, black: bool) {
            let winner = if black { Color::Black } else { Color::White };
            let margin = Margin::Score(Real::new(score).expect("finite"));
            let written = GameResult::Win { winner, margin };
            proptest::prop_assert_eq!(GameResult::parse(written.to_string().as_bytes()), Ok(written));
        }

        #[test]
        fn any_text(raw in "[BWbw]?[a-z0-9+ ./]{0,12}|.{0,12}") {
            let lenient = GameResult::parse_lenient(raw.as_bytes());
            match GameResult::parse(raw.as_bytes()) {
                Ok(result) => proptest::prop_assert_eq!(lenient, Ok(LenientValue::as_written(result))),
                // A repaired result must survive writing and parsing.
                Err(_) => if let Ok(read) = lenient {
                    proptest::prop_assert!(read.repair.is_some());
                    proptest::prop_assert_eq!(GameResult::parse_backgammon(read.value.to_string().as_bytes()), Ok(read.value));
                }
            }
        }
    }
}
