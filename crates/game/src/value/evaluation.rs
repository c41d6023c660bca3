//! Reads evaluations that analysis programs write into nodes (docs/spec/analysis.md): `LZ`, `LZOP`,
//! `LZ2` and `LZOP2` of Lizzie, `SBKV` of Sabaki, and the comments of KataGo, KaTrain and
//! analyze-sgf.

use super::Color;

/// Evaluation of a position by a program, with the parts that the record states.
///
/// ```
/// use sgfstream_game::value::{Color, Evaluation};
///
/// // Lizzie's winrate belongs to the side that has just moved, its lead to the side to move.
/// let read =
///     Evaluation::read(b"LZ", b"KataGo 60.0 1.2k -3.5 9.8\nmove Q16").expect("an evaluation");
/// let read = read.of_black(Some(Color::White));
/// assert_eq!(
///     (read.winrate, read.score_lead, read.visits),
///     (Some(0.4), Some(-3.5), Some(1200))
/// );
/// let read = Evaluation::read(b"SBKV", b"55.34").expect("an evaluation");
/// assert_eq!((read.winrate, read.score_lead, read.visits), (Some(0.5534), None, None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Evaluation {
    /// Chance that Black wins, from 0 to 1; if `is_of_mover`, the chance of the side that moved.
    pub winrate: Option<f64>,
    /// Points by which Black leads; if `is_of_mover`, the lead of the side that moved.
    pub score_lead: Option<f64>,
    /// Visits or playouts of the search.
    pub visits: Option<i64>,
    /// Whether the other fields are from the view of the side that moved in the node.
    pub is_of_mover: bool,
    /// Whether the program evaluated the position before the move of the node, as KataGo's
    /// self-play does. The other programs evaluate the position after it.
    pub is_before_move: bool,
}

/// Variation that an engine proposes: a candidate of Lizzie, or the best line of KaTrain.
///
/// ```
/// use sgfstream_game::value::{Color, EngineLine};
///
/// let raw = b"KataGo 47.2 593\nmove Q16 visits 481 winrate 4720 scoreMean -0.3 pv Q16 D4 info move D4 visits 112 pv D4";
/// let lines = EngineLine::read(b"LZ", raw, Color::White);
/// assert_eq!((lines.len(), &*lines[0].moves), (2, &["Q16".to_owned(), "D4".to_owned()][..]));
/// let read = lines[0].evaluation;
/// assert_eq!((read.winrate, read.score_lead, read.visits), (Some(0.528), Some(0.3), Some(481)));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct EngineLine {
    /// Evaluation after the line, from Black's view.
    pub evaluation: Evaluation,
    /// Moves in the notation of players, such as `Q16`. The first one is a move of the side to
    /// move.
    pub moves: Vec<String>,
}

/// Maximum number of lines of a node, and of moves of a line.
const LINES: usize = 20;
const LINE_MOVES: usize = 60;

/// Bytes of a value to search for an evaluation: it stands at the start.
const SEARCHED: usize = 4096;

impl Evaluation {
    /// Reads a value of the property with this canonical identifier. Returns `None` if it states no
    /// evaluation.
    #[must_use]
    pub fn read(ident: &[u8], raw: &[u8]) -> Option<Self> {
        let text = || first_text(&raw[..raw.len().min(SEARCHED)]);
        match ident {
            _ if is_lizzie(ident) => Self::lizzie(text()),
            b"SBKV" => Some(Self {
                winrate: Some(percent(text().trim())?),
                ..Self::default()
            }),
            b"C" if raw.first()?.is_ascii_digit() => Self::katago(text()),
            b"C" => Some(text())
                .filter(|text| text.contains("Win rate:"))
                .and_then(Self::report),
            _ => None,
        }
    }

    /// Fills fields that are `None` from another evaluation with the same view.
    pub fn add(&mut self, other: &Self) {
        self.is_of_mover |= other.is_of_mover;
        self.is_before_move |= other.is_before_move;
        self.winrate = self.winrate.or(other.winrate);
        self.score_lead = self.score_lead.or(other.score_lead);
        self.visits = self.visits.or(other.visits);
    }

    /// Returns the evaluation from Black's view; `mover` made the move of the node. All fields are
    /// `None` if the view is the mover's and `mover` is `None`.
    #[must_use]
    pub fn of_black(self, mover: Option<Color>) -> Self {
        match (self.is_of_mover, mover) {
            (false, _) => self,
            (true, Some(color)) => Self {
                is_of_mover: false,
                ..self.seen_by(color)
            },
            (true, None) => Self::default(),
        }
    }

    /// Returns the name of the engine that a value of Lizzie states. The other programs write no
    /// name.
    #[must_use]
    pub fn engine(ident: &[u8], raw: &[u8]) -> Option<String> {
        if !is_lizzie(ident) {
            return None;
        }
        let words = first_words(first_text(raw));
        let (name, ..) = lizzie_numbers(&words)?;
        Some(name.join(" "))
    }

    /// Returns the winrate and the points that a move of `mover` lost, if `self` and `after` are
    /// the evaluations before and after the move, both from Black's view. What the move gained is
    /// negative.
    #[must_use]
    pub fn cost(&self, after: &Self, mover: Color) -> (Option<f64>, Option<f64>) {
        let cost = |before: Option<f64>, after: Option<f64>| {
            let lost = before? - after?;
            Some(rounded(if mover == Color::Black { lost } else { -lost }))
        };
        (
            cost(self.winrate, after.winrate),
            cost(self.score_lead, after.score_lead),
        )
    }

    /// Converts an evaluation from the view of `side` to Black's view.
    fn seen_by(self, side: Color) -> Self {
        match side {
            Color::White => Self {
                winrate: self.winrate.map(|rate| rounded(1.0 - rate)),
                score_lead: self.score_lead.map(|lead| 0.0 - lead),
                ..self
            },
            Color::Black => self,
        }
    }

    /// Parses Lizzie's first line, `engine winrate visits [lead [deviation]]`; the candidates
    /// follow on the next line. The winrate belongs to the mover, in percent. The lead belongs to
    /// the other side.
    fn lizzie(text: &str) -> Option<Self> {
        let words = first_words(text);
        let (_, winrate, visits, rest) = lizzie_numbers(&words)?;
        let lead = rest.first().and_then(|lead| number(lead));
        let score_lead = lead.map(|lead| 0.0 - lead);
        Some(Self {
            winrate: Some(winrate),
            score_lead,
            visits: Some(visits),
            is_of_mover: true,
            ..Self::default()
        })
    }

    /// Parses KataGo's `0.39 0.61 0.00 -9.3 v=600 weight=0.75`: White wins, Black wins, no result,
    /// White's lead.
    fn katago(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let mut next = || number(words.next()?);
        let (white, black, none, lead) = (next()?, next()?, next()?, next()?);
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        if ![white, black, none].into_iter().all(is_share)
            || (white + black + none - 1.0).abs() > 0.02
        {
            return None;
        }
        let visits = words.find_map(|word| visits(word.strip_prefix("v=")?));
        let (winrate, score_lead) = (Some(black), Some(0.0 - lead));
        Some(Self {
            winrate,
            score_lead,
            visits,
            is_before_move: true,
            ..Self::default()
        })
    }

    /// Parses lines such as `* Win rate: 55.34%` below `As White:`, or `Win rate: B 51.2%` and
    /// `Score: W+0.5`.
    fn report(text: &str) -> Option<Self> {
        let mut found = Self::default();
        let mut view = None;
        for line in text.lines().map(|line| line.trim_start_matches(['*', ' '])) {
            match line.trim_end() {
                "As Black:" => view = Some(Color::Black),
                "As White:" => view = Some(Color::White),
                line => {
                    let Some((key, value)) = line.split_once(':') else {
                        continue;
                    };
                    let value = value.trim();
                    let (side, value) = match value.as_bytes() {
                        [b'B', b'+' | b' ', ..] => (Some(Color::Black), &value[2..]),
                        [b'W', b'+' | b' ', ..] => (Some(Color::White), &value[2..]),
                        _ => (view, value),
                    };
                    let mut read = Self::default();
                    match key {
                        "Win rate" => read.winrate = value.strip_suffix('%').and_then(percent),
                        "Score" | "Score lead" => read.score_lead = number(value),
                        "Visits" => read.visits = visits(value),
                        _ => continue,
                    }
                    match side {
                        Some(side) => found.add(&read.seen_by(side)),
                        None => found.visits = found.visits.or(read.visits),
                    }
                }
            }
        }
        found.winrate.map(|_| found)
    }
}

impl EngineLine {
    /// Reads the candidates in a value of the property with this canonical identifier, each
    /// `move Q16 visits 12 winrate 4720 scoreMean -0.3 pv Q16 D4`, from the view of `to_move`.
    /// Other properties have none.
    #[must_use]
    pub fn read(ident: &[u8], raw: &[u8], to_move: Color) -> Vec<Self> {
        let mut lines: Vec<Self> = Vec::new();
        if !is_lizzie(ident) {
            return lines;
        }
        let text = first_text(raw);
        let mut words = text
            .lines()
            .nth(1)
            .unwrap_or_default()
            .split_whitespace()
            .peekable();
        while let Some(word) = words.next() {
            if word == "move" && lines.len() == LINES {
                break;
            }
            if word == "move" {
                lines.push(Self::default());
            }
            let Some(line) = lines.last_mut() else {
                continue;
            };
            match word {
                "visits" => line.evaluation.visits = words.next().and_then(visits),
                // In hundredths of a percent.
                "winrate" => {
                    line.evaluation.winrate = words.next().and_then(|word| share(word, 10_000.0))
                }
                "scoreMean" => line.evaluation.score_lead = words.next().and_then(number),
                "pv" => {
                    while let Some(point) = words.next_if(|word| is_point(word)) {
                        line.moves.push(point.to_owned());
                    }
                    line.moves.truncate(LINE_MOVES);
                }
                _ => {}
            }
        }
        lines.retain(|line| !line.moves.is_empty());
        for line in &mut lines {
            line.evaluation = line.evaluation.seen_by(to_move);
        }
        lines
    }

    /// Reads the line that KaTrain prefers to the move of a node, and the player of its first move:
    /// `PV: BQ16 R14` in the comment of the node. `Predicted top move was Q16 (B+0.5).` states its
    /// lead.
    ///
    /// ```
    /// use sgfstream_game::value::{Color, EngineLine};
    ///
    /// let raw = b"Move 3: B D16\nPredicted top move was Q16 (W+0.5).\nPV: BQ16 R14";
    /// let (player, line) = EngineLine::instead_of_move(b"C", raw).expect("a line");
    /// assert_eq!(
    ///     (player, &*line.moves),
    ///     (Color::Black, &["Q16".to_owned(), "R14".to_owned()][..])
    /// );
    /// assert_eq!(line.evaluation.score_lead, Some(-0.5));
    /// ```
    #[must_use]
    pub fn instead_of_move(ident: &[u8], raw: &[u8]) -> Option<(Color, Self)> {
        if ident != b"C" {
            return None;
        }
        let text = first_text(&raw[..raw.len().min(SEARCHED)]);
        let (player, moves) = text
            .lines()
            .find_map(|line| of_side(line.strip_prefix("PV: ")?))?;
        let mut line = Self::default();
        let points = moves
            .split_whitespace()
            .take_while(|word| is_point(word))
            .take(LINE_MOVES);
        line.moves.extend(points.map(str::to_owned));
        let lead = text.lines().find_map(|line| {
            line.strip_prefix("Predicted top move was ")?
                .split_once(" (")
        });
        let lead = lead.and_then(|(_, lead)| of_side(lead.split_once(')')?.0));
        if let Some((side, lead)) = lead {
            let read = Evaluation {
                score_lead: number(lead),
                ..Evaluation::default()
            };
            line.evaluation = read.seen_by(side);
        }
        Some((player, line)).filter(|(_, line)| !line.moves.is_empty())
    }
}

/// Returns whether Lizzie writes a property with this canonical identifier: of its engine, or of
/// its second engine.
fn is_lizzie(ident: &[u8]) -> bool {
    matches!(ident, b"LZ" | b"LZOP" | b"LZ2" | b"LZOP2")
}

/// Splits the letter of a side from a text: `BQ16`, `W+0.5`.
fn of_side(text: &str) -> Option<(Color, &str)> {
    let side = match text.bytes().next()? {
        b'B' => Color::Black,
        b'W' => Color::White,
        _ => return None,
    };
    Some((side, &text[1..]))
}

/// Returns whether a word is a point such as `Q16`, or a pass.
fn is_point(word: &str) -> bool {
    let is_named = |row: &str| !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit());
    word == "pass"
        || word
            .strip_prefix(|first: char| first.is_ascii_uppercase())
            .is_some_and(is_named)
}

/// Returns the text of a value up to the first bytes that are not UTF-8.
fn first_text(raw: &[u8]) -> &str {
    raw.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// Returns the words of the first line.
fn first_words(text: &str) -> Vec<&str> {
    text.lines()
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect()
}

/// Returns the words of the engine's name, the winrate and the visits in Lizzie's first line, and
/// the words that follow.
fn lizzie_numbers<'w>(words: &'w [&'w str]) -> Option<(&'w [&'w str], f64, i64, &'w [&'w str])> {
    // The name of an engine may contain blanks.
    (1..words.len().saturating_sub(1)).find_map(|at| {
        let (winrate, visits) = (percent(words[at])?, visits(words[at + 1])?);
        Some((&words[..at], winrate, visits, &words[at + 2..]))
    })
}

fn number(text: &str) -> Option<f64> {
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'));
    text.parse()
        .ok()
        .filter(|number: &f64| is_plain && number.is_finite())
}

/// Converts percent to a share from 0 to 1.
fn percent(text: &str) -> Option<f64> {
    share(text, 100.0)
}

/// Converts a number up to `whole` to a share from 0 to 1.
fn share(text: &str, whole: f64) -> Option<f64> {
    number(text)
        .filter(|number| (0.0..=whole).contains(number))
        .map(|number| rounded(number / whole))
}

/// Rounds away the error of the binary fraction.
fn rounded(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}

/// Parses a number of visits: `448`, `4.1k`, `1.2m`, but not `51.0`, which is a winrate.
fn visits(text: &str) -> Option<i64> {
    let (digits, factor) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1e3),
        None => match text.strip_suffix(['m', 'M']) {
            Some(digits) => (digits, 1e6),
            None if text.contains('.') => return None,
            None => (text, 1.0),
        },
    };
    let visits = (number(digits)? * factor).round();
    (0.0..1e15).contains(&visits).then_some(visits as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_programs() {
        use Color::{Black, White};
        for (ident, raw, mover, expected) in [
            (
                "LZ",
                "ikatago 36.4 3.2k 0.8 13.4",
                Some(Black),
                Some((Some(0.364), Some(-0.8), Some(3200))),
            ),
            (
                "LZ",
                "ELFOpenGov2 7.4 69k\nmove D16 visits 4",
                Some(White),
                Some((Some(0.926), None, Some(69_000))),
            ),
            (
                "LZ",
                "Leela Zero 0.17 51.0 448",
                Some(Black),
                Some((Some(0.51), None, Some(448))),
            ),
            ("LZ", "ikatago 36.4 3.2k", None, None),
            ("LZ", "", Some(Black), None),
            (
                "LZ2",
                "KataGo 36.4 3.2k 0.8",
                Some(Black),
                Some((Some(0.364), Some(-0.8), Some(3200))),
            ),
            ("SBKV", "99.89", None, Some((Some(0.9989), None, None))),
            ("SBKV", "101", None, None),
            (
                "C",
                "0.75 0.25 0.00 6.1 v=32 weight=0.66",
                None,
                Some((Some(0.25), Some(-6.1), Some(32))),
            ),
            ("C", "0.75 0.75 0.00 6.1", None, None),
            ("C", "19 is a number", None, None),
            (
                "C",
                "As White:\n* Win rate: 44.65%\n* Win rate loss: 0.01%\n* Score lead: -0.19\n* Visits: 30015",
                None,
                Some((Some(0.5535), Some(0.19), Some(30_015))),
            ),
            (
                "C",
                "Move 3: B Q16\nScore: W+0.5\nWin rate: B 48.1%",
                None,
                Some((Some(0.481), Some(-0.5), None)),
            ),
            ("C", "My Win rate: good", None, None),
        ] {
            let read =
                Evaluation::read(ident.as_bytes(), raw.as_bytes()).map(|read| read.of_black(mover));
            let read = read.filter(|read| *read != Evaluation::default());
            assert_eq!(
                read.map(|read| (read.winrate, read.score_lead, read.visits)),
                expected,
                "{ident}[{raw}]"
            );
        }
    }

    #[test]
    fn lines_of_katrain() {
        use Color::{Black, White};
        for (raw, expected) in [
            (
                "Move was predicted best move\nPV: WD4 pass Q16\nTop policy move",
                Some((White, "D4 pass Q16", None)),
            ),
            (
                "Predicted top move was S2 (B+0.5).\nPV: BS2 K4 (well)",
                Some((Black, "S2 K4", Some(0.5))),
            ),
            (
                "Predicted top move was S2 (B+x).\nPV: BS2",
                Some((Black, "S2", None)),
            ),
            ("PV: Q16", None),
            ("PV: B", None),
            ("PV: black is better", None),
            ("My PV: BQ16", None),
        ] {
            let read = EngineLine::instead_of_move(b"C", raw.as_bytes());
            let read = read
                .map(|(player, line)| (player, line.moves.join(" "), line.evaluation.score_lead));
            let expected = expected.map(|(player, moves, lead)| (player, moves.to_owned(), lead));
            assert_eq!(read, expected, "{raw}");
        }
        assert_eq!(EngineLine::instead_of_move(b"N", b"PV: BQ16"), None);
    }

    proptest::proptest! {
        #[test]
        fn any_text(raw in "[0-9.kvB+%:= \n-]{0,40}|(Win rate: |As White:|Score: |[0-9.]{1,5}|\n){0,8}") {
            for ident in ["LZ", "SBKV", "C"] {
                let read = Evaluation::read(ident.as_bytes(), raw.as_bytes()).map(|read| read.of_black(Some(Color::White)));
                let winrate = read.and_then(|read| read.winrate);
                proptest::prop_assert!(winrate.is_none_or(|rate| (0.0..=1.0).contains(&rate)));
            }
        }
    }
}
