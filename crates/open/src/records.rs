//! Records of Go servers in formats of their own, given as SGF: `.gib` (Tygem), `.ngf` (wBaduk, Cyberoro) and
//! `.ugf`, `.ugi` (PandaNet). Only what is certain is taken; a record with a line that is not known, or moves out of
//! order, is refused. Texts keep their bytes, whatever charset they are in.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// A longer record is none of one game.
pub(crate) const RECORD_MAX: u64 = 256 << 10;

/// Bytes at the start of an entry that tell a record.
pub(crate) const RECORD_HEAD: usize = 4 << 10;

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Gib,
    Ngf,
    Ugf,
}

impl Format {
    fn of(head: &[u8]) -> Option<Self> {
        match head {
            [b'\\', b'H', b'S', ..] => Some(Self::Gib),
            _ if head.starts_with(b"[Header]") => Some(Self::Ugf),
            _ if is_ngf(head) => Some(Self::Ngf),
            _ => None,
        }
    }
}

/// True if a file that begins with `head` is the record of a Go server (`.gib`, `.ngf`, `.ugf`), which the engine reads
/// as SGF. The first 4 KiB are enough.
///
/// ```
/// assert!(sgfstream_open::is_record(b"\\HS\n\\[GAMEBLACKNAME=ada\\]"));
/// assert!(!sgfstream_open::is_record(b"(;GM[1])"));
/// ```
#[must_use]
pub fn is_record(head: &[u8]) -> bool {
    Format::of(head).is_some()
}

/// True for the first bytes of an NGF record: twelve lines, of which some are numbers and one is a date.
fn is_ngf(head: &[u8]) -> bool {
    let is_number = |line: &[u8]| !line.is_empty() && line.len() < 6 && line.iter().all(u8::is_ascii_digit);
    // Most files are told by their second line.
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).skip(1);
    if !lines.next().is_some_and(|size| [&b"9"[..], b"13", b"19"].contains(&size)) {
        return false;
    }
    let lines: Vec<&[u8]> = lines.take(11).collect();
    lines.len() == 11
        && [3, 4, 5, 7, 9].into_iter().all(|at| is_number(lines[at]))
        && lines[6].len() >= 8
        && lines[6][..8].iter().all(u8::is_ascii_digit)
        && lines[10].starts_with(b"PM")
}

/// Why a record is refused, or an entry is not read without loss.
#[derive(Debug)]
pub struct Refusal {
    /// A word for the record as it should be.
    pub expected: Cow<'static, str>,
    /// A word for the record as it is.
    pub found: Cow<'static, str>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

/// The record as SGF.
///
/// # Errors
///
/// When something in it is not known.
pub(crate) fn to_sgf(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    if bytes.len() as u64 > RECORD_MAX {
        return Err(Refusal { expected: "a record of at most 256 KiB".into(), found: "a longer one".into() });
    }
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
    match Format::of(bytes) {
        // A file may have several.
        Some(Format::Gib) => {
            let records = lines.split(|line| line.starts_with(b"\\HS")).skip(1).map(gib);
            Ok(records.collect::<Result<Vec<_>, _>>()?.concat())
        }
        Some(Format::Ngf) => ngf(&lines),
        _ => ugf(&lines),
    }
}

/// Handicap stones on a board of 19, as they are placed by these servers.
const CORNERS: [&str; 4] = ["pd", "dp", "pp", "dd"];

/// A game under construction.
struct Game {
    root: Vec<u8>,
    moves: String,
    size: u8,
    last: char,
    /// The number of the last move.
    number: Option<u32>,
}

impl Game {
    fn new(size: u8) -> Self {
        Self { root: format!("GM[1]FF[4]SZ[{size}]").into_bytes(), moves: String::new(), size, last: 'W', number: None }
    }

    /// Adds a text. One whose bytes could end a value is left out, since its charset is not known.
    fn text(&mut self, ident: &str, text: &[u8]) {
        let text = text.trim_ascii();
        let is_certain =
            text.is_ascii() || std::str::from_utf8(text).is_ok() || !text.iter().any(|b| b"\\]".contains(b));
        if text.is_empty() || !is_certain {
            return;
        }
        self.root.extend_from_slice(ident.as_bytes());
        self.root.push(b'[');
        for &byte in text {
            if b"\\]".contains(&byte) {
                self.root.push(b'\\');
            }
            self.root.push(byte);
        }
        self.root.push(b']');
    }

    /// A name with a rank after it.
    fn player(&mut self, [name_id, rank_id]: [&str; 2], name: &[u8], rank: &[u8]) {
        self.text(name_id, name);
        let rank = rank.trim_ascii_end().strip_suffix(b"*").unwrap_or(rank);
        let is_rank = rank.first().is_some_and(u8::is_ascii_digit) && rank.last().is_some_and(u8::is_ascii_alphabetic);
        if is_rank && rank.len() < 5 && rank.iter().all(u8::is_ascii_alphanumeric) {
            self.text(rank_id, &rank.to_ascii_lowercase());
        }
    }

    /// Places the stones of a handicap: a number of them, or nothing.
    fn handicap(&mut self, text: &[u8]) -> Result<(), Refusal> {
        let stones = match number(text) {
            Some(0 | 1) => return Ok(()),
            None if text.is_empty() => return Ok(()),
            Some(stones @ 2..=9) if self.size == 19 => stones as usize,
            _ => return Err(unsure("a handicap of at most 9 stones on a board of 19", &shown(text))),
        };
        let sides: &[&str] = match stones {
            6 | 7 => &["dj", "pj"],
            8 | 9 => &["dj", "pj", "jd", "jp"],
            _ => &[],
        };
        let middle: &[&str] = if stones % 2 == 1 && stones > 3 { &["jj"] } else { &[] };
        let corners = &CORNERS[..stones.min(4)];
        self.root.extend_from_slice(format!("HA[{stones}]AB").as_bytes());
        for point in corners.iter().chain(sides).chain(middle) {
            self.root.extend_from_slice(format!("[{point}]").as_bytes());
        }
        self.last = 'B';
        Ok(())
    }

    /// Looks at the number of a line: each move is one after the other.
    fn count(&mut self, number: Option<u32>, line: &[u8]) -> Result<(), Refusal> {
        if number.is_none() || self.number.is_some_and(|last| number != last.checked_add(1)) {
            return Err(unsure("moves whose numbers follow each other", &shown(line)));
        }
        self.number = number;
        Ok(())
    }

    /// A move; nothing for a pass. Columns and rows are counted from 0, from the upper left corner.
    fn play(&mut self, color: char, point: Option<(u8, u8)>) {
        _ = write!(self.moves, ";{color}[");
        if let Some((column, row)) = point {
            self.moves.extend([char::from(b'a' + column), char::from(b'a' + row)]);
        }
        self.moves.push_str("]\n");
        self.last = color;
    }

    fn finish(self) -> Vec<u8> {
        [b"(;", &*self.root, b"\n", self.moves.as_bytes(), b")\n"].concat()
    }
}

fn unsure(expected: &'static str, found: &str) -> Refusal {
    Refusal { expected: expected.into(), found: format!("`{}`", found.chars().take(40).collect::<String>()).into() }
}

fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

fn number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

/// `2011- 8-12` or `20110812` as SGF writes it.
fn date(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text.get(..10.min(text.len()))?).ok()?;
    let parts: Vec<u32> = match text.split('-').collect::<Vec<_>>()[..] {
        [year, month, day] => [year, month, day].iter().filter_map(|part| part.trim().parse().ok()).collect(),
        _ => [(0, 4), (4, 6), (6, 8)].iter().filter_map(|&(from, to)| text.get(from..to)?.parse().ok()).collect(),
    };
    match parts[..] {
        [year @ 1900..=2200, month @ 1..=12, day @ 1..=31] => Some(format!("{year:04}-{month:02}-{day:02}")),
        _ => None,
    }
}

// \[NAME=value\] … INI 0 1 handicap … STO 0 number color column row
fn gib(lines: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
    let mut game = Game::new(19);
    let mut is_head = true;
    for line in lines {
        let tag = line.strip_prefix(b"\\[").and_then(|rest| rest.strip_suffix(b"\\]"));
        if let Some((name, value)) = tag.and_then(|tag| split(tag, b'=')) {
            match name {
                b"GAMEBLACKNAME" | b"GAMEWHITENAME" => {
                    let ids = if name == b"GAMEBLACKNAME" { ["PB", "BR"] } else { ["PW", "WR"] };
                    let at = value.iter().rposition(|&byte| byte == b'(').unwrap_or(value.len());
                    let (name, rank) = value.split_at(at);
                    let rank = rank.strip_prefix(b"(").and_then(|rank| rank.strip_suffix(b")")).unwrap_or_default();
                    game.player(ids, if rank.is_empty() { value } else { name }, rank);
                }
                b"GAMEDATE" => {
                    if let Some(date) = date(value) {
                        game.text("DT", date.as_bytes());
                    }
                }
                b"GAMENAME" => game.text("EV", value),
                b"GAMEPLACE" => game.text("PC", value),
                b"GAMERESULT" => game.text("RE", value),
                _ => {}
            }
            continue;
        }
        let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let is_number = |word: &&[u8]| number(word.strip_prefix(b"&").unwrap_or(word)).is_some();
        match words[..] {
            [b"INI", _, first, stones, ..] => {
                if game.number.is_some() {
                    return Err(unsure("one line INI, before the moves", &shown(line)));
                }
                is_head = false;
                game.count(number(first), line)?;
                game.handicap(stones)?;
            }
            [b"STO", _, at, color @ (b"1" | b"2"), column, row, ..] => {
                let (Some(column @ 0..19), Some(row @ 0..19)) = (number(column), number(row)) else {
                    return Err(unsure("a point of the board", &shown(line)));
                };
                game.count(number(at), line)?;
                game.play(if color == b"1" { 'B' } else { 'W' }, Some((column as u8, row as u8)));
            }
            [b"STO", ..] => return Err(unsure("a move of Black or White", &shown(line))),
            [b"SKI", _, at, ..] => {
                game.count(number(at), line)?;
                game.play(if game.last == 'B' { 'W' } else { 'B' }, None);
            }
            [b"\\HE"] => is_head = false,
            _ if is_head || line.starts_with(b"\\") || words.iter().all(is_number) => {}
            _ => return Err(unsure("a line of a GIB record", &shown(line))),
        }
    }
    Ok(game.finish())
}

// title, size, White, Black, site, handicap, …, date, …, result, …; then PM, two letters, color, column, row
fn ngf(lines: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
    let size = lines.get(1).and_then(|size| number(size)).unwrap_or(19) as u8;
    let mut game = Game::new(size);
    let line = |at: usize| lines.get(at).copied().unwrap_or_default();
    game.text("EV", line(0));
    for (at, ids) in [(2, ["PW", "WR"]), (3, ["PB", "BR"])] {
        let text = line(at);
        let gap = text.iter().rposition(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (name, rank) = text.split_at(gap);
        game.player(ids, name, rank.trim_ascii());
    }
    game.text("PC", line(4));
    if let Some(date) = date(line(8)) {
        game.text("DT", date.as_bytes());
    }
    game.text("RE", line(10));
    game.handicap(line(5))?;
    for line in lines.iter().skip(12).filter(|line| !line.is_empty()) {
        let &[b'P', b'M', high, low, color @ (b'B' | b'W'), column, row, ..] = *line else {
            return Err(unsure("a move of Black or White", &shown(line)));
        };
        let digit = |letter: u8| letter.checked_sub(b'A').filter(|&digit| digit < 26).map(u32::from);
        game.count(digit(high).zip(digit(low)).map(|(high, low)| 26 * high + low), line)?;
        // `B` is the first column and row.
        let [column, row] = [column, row].map(|letter| letter.checked_sub(b'B').filter(|&at| at < size));
        let (Some(column), Some(row)) = (column, row) else {
            return Err(unsure("a point of the board", &shown(line)));
        };
        game.play(char::from(color), Some((column, row)));
    }
    Ok(game.finish())
}

// [Header] name=value … [Data] point,color and number,…
fn ugf(lines: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
    let mut values = Vec::new();
    let mut moves = Vec::new();
    let mut section: &[u8] = b"";
    for line in lines {
        match section {
            _ if *line == b"[Header]" && !values.is_empty() => {
                return Err(unsure("one record in a file", &shown(line)));
            }
            _ if line.starts_with(b"[") => section = line,
            b"[Header]" => values.extend(split(line, b'=')),
            b"[Data]" if !line.is_empty() => moves.push(*line),
            _ => {}
        }
    }
    let value = |name: &[u8]| values.iter().find(|(known, _)| *known == name).map_or(&b""[..], |(_, value)| *value);
    if value(b"CoordinateType") != b"IGS" {
        return Err(unsure("points as on IGS (CoordinateType)", &shown(value(b"CoordinateType"))));
    }
    let (handicap, komi) = split(value(b"Hdcp"), b',').unwrap_or((value(b"Hdcp"), b""));
    if !handicap.is_empty() && number(handicap).is_none_or(|stones| stones > 1) {
        return Err(unsure("a game without handicap stones (Hdcp)", &shown(handicap)));
    }
    let size = number(value(b"Size")).filter(|size| (2..=24).contains(size));
    let mut game = Game::new(size.ok_or_else(|| unsure("a size of 2 to 24", &shown(value(b"Size"))))? as u8);
    for (name, ids) in [(b"PlayerB", ["PB", "BR"]), (b"PlayerW", ["PW", "WR"])] {
        let mut fields = value(name).split(|&byte| byte == b',');
        let (player, rank) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        game.player(ids, player, rank);
    }
    if komi.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
        game.text("KM", komi);
    }
    game.text("EV", value(b"Title"));
    game.text("PC", value(b"Place"));
    for line in moves {
        let fields: Vec<&[u8]> = line.split(|&byte| byte == b',').collect();
        let &[point, &[color @ (b'B' | b'W'), ref at @ ..], ..] = &fields[..] else {
            return Err(unsure("a move of Black or White", &shown(line)));
        };
        game.count(number(at), line)?;
        let &[column, row] = point else { return Err(unsure("a point of two letters", &shown(line))) };
        // Rows are counted from below.
        let [column, row] =
            [column, row].map(|letter| letter.to_ascii_uppercase().checked_sub(b'A').filter(|&at| at < game.size));
        let (Some(column), Some(row)) = (column, row) else {
            return Err(unsure("a point of the board", &shown(line)));
        };
        game.play(char::from(color), Some((column, game.size - 1 - row)));
    }
    Ok(game.finish())
}

fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().position(|&byte| byte == at)?;
    Some((&text[..place], &text[place + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sgf(record: &str) -> String {
        to_sgf(record.as_bytes()).map_or_else(|_| "refused".into(), |sgf| String::from_utf8(sgf).expect("UTF-8"))
    }

    #[test]
    fn records_of_tygem() {
        let gib = "\\HS\r\n\\[GAMEBLACKNAME=ada (9D)\\]\r\n\\[GAMEWHITENAME=b]en\\]\r\n\\[GAMEDATE=2016- 3-26-17-29- 0\\]\r\n\\HE\r\n\\GS\r\n\
            2 1 0\r\nINI 0 1 3 &4\r\nSTO 0 2 2 15 3\r\nSTO 0 3 1 0 18 \r\nSKI 0 4\r\n\\GE\r\n";
        assert_eq!(
            sgf(gib),
            "(;GM[1]FF[4]SZ[19]PB[ada]BR[9d]PW[b\\]en]DT[2016-03-26]HA[3]AB[pd][dp][pp]\n;W[pd]\n;B[as]\n;W[]\n)\n"
        );
        assert_eq!(
            sgf("\\HS\n\\HE\nINI 0 1 0 &4\nSTO 0 2 1 1 1\n\\GE\n\\HS\n\\HE\nINI 0 1 0 &4\n"),
            "(;GM[1]FF[4]SZ[19]\n;B[bb]\n)\n(;GM[1]FF[4]SZ[19]\n)\n"
        );
        for wrong in ["SKI 0 4", "SKI 0 5"].map(|line| gib.replace("SKI 0 4", &format!("{line}\r\nUND 0 4"))) {
            assert_eq!(sgf(&wrong), "refused", "{wrong}");
        }
        for wrong in ["STO 0 2 1 0 18", "STO 0 9 1 0 18", "INI 0 3 2 &4"] {
            assert_eq!(sgf(&gib.replace("STO 0 3 1 0 18", wrong)), "refused", "{wrong}");
        }
        for line in ["STO 0 2 3 1 1", "STO 0 2 1 19 1", "INI 0 1 12 &4", "INI 0 1 x &4"] {
            let wrong = &format!("\\HS\n{line}\n");
            assert_eq!(sgf(wrong), "refused", "{wrong}");
        }
    }

    #[test]
    fn records_of_wbaduk() {
        let ngf = "Rating\n19\nAda Lo  7D*\nBen      5DP\nwww.example.com\n0\n0\n6\n20110812 [09:31]\n480\nwhite wins\n2\n\
            PMABBQEEQ\nPMACWEEEE\n";
        assert!(is_record(ngf.as_bytes()) && !is_record(&[b'\n'; 600]));
        assert_eq!(
            sgf(ngf),
            "(;GM[1]FF[4]SZ[19]EV[Rating]PW[Ada Lo]WR[7d]PB[Ben]BR[5dp]PC[www.example.com]DT[2011-08-12]RE[white wins]\n\
             ;B[pd]\n;W[dd]\n)\n"
        );
        for (from, to) in [("WEEEE", "WAEEE"), ("PMAC", "PMAB"), ("PMAC", "XXAC"), ("PMABB", "GIABC")] {
            assert_eq!(sgf(&ngf.replace(from, to)), "refused", "{to}");
        }
    }

    #[test]
    fn records_of_pandanet() {
        let ugf = "[Header]\nLang=US\nTitle=Final\nPlayerB=Ada,3d,\nPlayerW=Ben,4d,\nSize=9\nHdcp=0,5.5\nCoordinateType=IGS\n[Remark]\nx\n\
            [Data]\nAA,B1,0,5\nIC,W2,0,7\n";
        assert_eq!(sgf(ugf), "(;GM[1]FF[4]SZ[9]PB[Ada]BR[3d]PW[Ben]WR[4d]KM[5.5]EV[Final]\n;B[ai]\n;W[ig]\n)\n");
        for (from, to) in [
            ("=IGS", "=JPN"),
            ("Hdcp=0", "Hdcp=4"),
            ("Hdcp=0", "Hdcp=x"),
            ("IC,W2", "[Header]\nLang=US\n[Data]\nIC,W2"),
            ("IC,W2", "[Figure]\n[Header]\n[Data]\nIC,W2"),
            ("IC,W2", "ZZ,W2"),
            ("IC,W2", "IC,X2"),
            ("Size=9", "Size=99"),
            ("W2", "W1"),
        ] {
            assert_eq!(sgf(&ugf.replace(from, to)), "refused", "{to}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300), lines in "(STO|INI|PM|\\\\\\[GAMEDATE=|Hdcp=|Size=|\\[Data\\])?[ 0-9A-Z,=\\n\\\\]{0,300}") {
            for head in ["", "\\HS\n", "[Header]\n", "x\n19\n\n\n\n0\n0\n6\n20110812\n0\n\n2\nPM"] {
                _ = to_sgf(&[head.as_bytes(), &bytes].concat());
                _ = to_sgf(&[head, &lines].concat().into_bytes());
            }
        }
    }
}
