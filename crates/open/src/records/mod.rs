//! Converts records of Go servers to SGF: `.gib` (Tygem), `.ngf` (wBaduk, Cyberoro) and `.ugf`,
//! `.ugi` (PandaNet).
//!
//! No server publishes its format. This module reads the fields on which the pages of Sensei's
//! Library and the converters of other programs agree. It moves header lines without a matching
//! property into `XK`. It refuses a record if a line among its moves is unknown, or if its moves
//! are out of order. Texts keep their bytes, in any charset.

mod gib;
mod ngf;
mod ugf;

use std::fmt::{self, Write as _};

use sgfstream::escape_bytes;

use gib::gib;
use ngf::ngf;
use ugf::ugf;

/// Longest record; a longer file is not a record of one game.
pub(crate) const RECORD_MAX: u64 = 256 << 10;

/// Bytes at the start of an entry that identify a record.
pub(crate) const RECORD_HEAD: usize = 4 << 10;

/// Format of a record.
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

/// Returns whether a file that begins with `head` is the record of a Go server (`.gib`, `.ngf`,
/// `.ugf`), which the engine converts to SGF. The first 4 KiB are enough.
///
/// ```
/// assert!(sgfstream_open::is_record(b"\\HS\n\\[GAMEBLACKNAME=ada\\]"));
/// assert!(!sgfstream_open::is_record(b"(;GM[1])"));
/// ```
#[must_use]
pub fn is_record(head: &[u8]) -> bool {
    Format::of(head).is_some()
}

/// Returns whether a file begins like an NGF record: with twelve lines that include numbers and a
/// date, or with `GI` lines that include the size. The moves follow.
fn is_ngf(head: &[u8]) -> bool {
    let is_number =
        |line: &[u8]| !line.is_empty() && line.len() < 6 && line.iter().all(u8::is_ascii_digit);
    let is_size = |size: &[u8]| [&b"9"[..], b"13", b"19"].contains(&size);
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    if head.starts_with(b"GI") {
        let lines: Vec<&[u8]> = lines.take(12).collect();
        return lines.len() == 12
            && lines[..11].iter().all(|line| line.starts_with(b"GI"))
            && is_size(&lines[6][2..])
            && [7, 9].into_iter().all(|at| is_number(&lines[at][2..]))
            && lines[11].starts_with(b"PM");
    }
    // The second line excludes most other files.
    if !lines.nth(1).is_some_and(is_size) {
        return false;
    }
    let lines: Vec<&[u8]> = lines.take(11).collect();
    lines.len() == 11
        && [3, 4, 5, 7, 9].into_iter().all(|at| is_number(lines[at]))
        && lines[6].len() >= 8
        && lines[6][..8].iter().all(u8::is_ascii_digit)
        && lines[10].starts_with(b"PM")
}

/// The reason why a record of a Go server is not converted, as a message in lower case.
#[derive(Debug)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Converts a record to SGF.
///
/// # Errors
///
/// The record contains something unknown.
pub(crate) fn to_sgf(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    if bytes.len() as u64 > RECORD_MAX {
        return Err(Refusal("the record is longer than 256 KiB".to_owned()));
    }
    let lines: Vec<&[u8]> = bytes
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .collect();
    match Format::of(bytes) {
        // A GIB file may contain several records.
        Some(Format::Gib) => {
            let records = lines
                .split(|line| line.starts_with(b"\\HS"))
                .skip(1)
                .map(gib);
            Ok(records.collect::<Result<Vec<_>, _>>()?.concat())
        }
        Some(Format::Ngf) => ngf(&lines),
        _ => ugf(&lines),
    }
}

/// Points of handicap stones on a board of 19 on these servers.
const CORNERS: [&str; 4] = ["pd", "dp", "pp", "dd"];

/// SGF of a game under construction.
struct Game {
    root: Vec<u8>,
    moves: String,
    size: u8,
    last: char,
    /// Number of the last move.
    number: Option<u32>,
    /// Values of `XK`: header lines without a matching property.
    unread: Vec<u8>,
}

impl Game {
    fn new(size: u8) -> Self {
        let root = format!("GM[1]FF[4]SZ[{size}]").into_bytes();
        Self {
            root,
            moves: String::new(),
            size,
            last: 'W',
            number: None,
            unread: Vec::new(),
        }
    }

    /// Adds a property, if the text is not empty and its bytes cannot end a value in any charset.
    fn text(&mut self, ident: &str, text: impl AsRef<[u8]>) {
        if let Some(value) = value(text.as_ref()) {
            self.root.extend_from_slice(ident.as_bytes());
            self.root.extend(value);
        }
    }

    /// Adds a value of `XK`.
    fn unread(&mut self, text: &[u8]) {
        self.unread.extend(value(text).unwrap_or_default());
    }

    /// Adds a name and a rank. `7D*`, `5DP` and `1급` become 7d, 5p and `1급`.
    fn player(&mut self, [name_id, rank_id]: [&str; 2], name: &[u8], rank: &[u8]) {
        self.text(name_id, name);
        let rank = rank.trim_ascii().strip_suffix(b"*").unwrap_or(rank);
        match rank.to_ascii_lowercase().strip_suffix(b"dp") {
            Some(dan) => self.text(rank_id, [dan, b"p"].concat()),
            None if rank.is_ascii() => self.text(rank_id, rank.to_ascii_lowercase()),
            None => self.text(rank_id, rank),
        }
    }

    /// Places handicap stones; `text` is their number or empty.
    fn handicap(&mut self, text: &[u8]) -> Result<(), Refusal> {
        let stones = match number(text) {
            Some(0 | 1) => return Ok(()),
            None if text.is_empty() => return Ok(()),
            Some(stones @ 2..=9) if self.size == 19 => stones as usize,
            _ => {
                return Err(unsure(
                    "a handicap of at most 9 stones on a board of 19",
                    &shown(text),
                ));
            }
        };
        let sides: &[&str] = match stones {
            6 | 7 => &["dj", "pj"],
            8 | 9 => &["dj", "pj", "jd", "jp"],
            _ => &[],
        };
        let middle: &[&str] = if stones % 2 == 1 && stones > 3 {
            &["jj"]
        } else {
            &[]
        };
        let corners = &CORNERS[..stones.min(4)];
        self.root
            .extend_from_slice(format!("HA[{stones}]AB").as_bytes());
        for point in corners.iter().chain(sides).chain(middle) {
            self.root.extend_from_slice(format!("[{point}]").as_bytes());
        }
        self.last = 'B';
        Ok(())
    }

    /// Checks the number of a move: each must be one more than the last.
    fn count(&mut self, number: Option<u32>, line: &[u8]) -> Result<(), Refusal> {
        if number.is_none()
            || self
                .number
                .is_some_and(|last| number != last.checked_add(1))
        {
            return Err(unsure(
                "moves whose numbers follow each other",
                &shown(line),
            ));
        }
        self.number = number;
        Ok(())
    }

    /// Adds a move; a pass has no point. Columns and rows count from 0, from the upper left corner.
    fn play(&mut self, color: char, point: Option<(u8, u8)>) {
        _ = write!(self.moves, ";{color}[");
        if let Some((column, row)) = point {
            self.moves.extend([letter(column), letter(row)]);
        }
        self.moves.push_str("]\n");
        self.last = color;
    }

    fn finish(mut self) -> Vec<u8> {
        if !self.unread.is_empty() {
            self.root.extend_from_slice(b"XK");
            self.root.append(&mut self.unread);
        }
        [b"(;", &*self.root, b"\n", self.moves.as_bytes(), b")\n"].concat()
    }
}

/// Returns the text as an escaped value in brackets.
fn value(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    let may_end = |byte: &u8| b"\\]".contains(byte);
    // In some charsets these bytes are the second half of a character, and the charset is not known
    // yet.
    if text.is_empty() || std::str::from_utf8(text).is_err() && text.iter().any(may_end) {
        return None;
    }
    Some([b"[", &*escape_bytes(text), b"]"].concat())
}

fn unsure(expected: &'static str, found: &str) -> Refusal {
    Refusal(format!(
        "expected {expected}, found `{}`",
        found.chars().take(40).collect::<String>()
    ))
}

fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}

fn number(text: &[u8]) -> Option<u32> {
    std::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

/// Converts `2011- 8-12`, `2011/08/12`, `2011:08:12` or `20110812` to a date of SGF.
fn date(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text.get(..10.min(text.len()))?).ok()?;
    let parts: Vec<u32> = match text.split(['-', '/', ':']).collect::<Vec<_>>()[..] {
        [year, month, day] => [year, month, day]
            .iter()
            .filter_map(|part| part.trim().parse().ok())
            .collect(),
        _ => [(0, 4), (4, 6), (6, 8)]
            .iter()
            .filter_map(|&(from, to)| text.get(from..to)?.parse().ok())
            .collect(),
    };
    match parts[..] {
        [year @ 1900..=2200, month @ 1..=12, day @ 1..=31] => {
            Some(format!("{year:04}-{month:02}-{day:02}"))
        }
        _ => None,
    }
}

/// Returns SGF's letter of a column or row.
fn letter(at: u8) -> char {
    char::from(b'a' + at)
}

fn split(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = text.iter().position(|&byte| byte == at)?;
    Some((&text[..place], &text[place + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sgf(record: &str) -> String {
        to_sgf(record.as_bytes()).map_or_else(
            |_| "refused".into(),
            |sgf| String::from_utf8(sgf).expect("UTF-8"),
        )
    }

    /// Fields of real records of Tygem.
    #[test]
    fn records_of_tygem() {
        let gib = "\\HS\r\n\\[GAMEBLACKNAME=ada (9D)\\]\r\n\\[GAMEWHITENAME=b]en\\]\r\n\\[GAMEDATE=2016- 3-26-17-29- 0\\]\r\n\\HE\r\n\\GS\r\n\
            2 1 0\r\nINI 0 1 3 &4\r\nSTO 0 2 2 15 3\r\nSTO 0 3 1 0 18 \r\nSKI 0 4\r\n\\GE\r\n";
        assert_eq!(
            sgf(gib),
            "(;GM[1]FF[4]SZ[19]PB[ada]BR[9d]PW[b\\]en]HA[3]AB[pd][dp][pp]DT[2016-03-26]\n;W[pd]\n;B[as]\n;W[]\n)\n"
        );
        assert_eq!(
            sgf("\\HS\n\\HE\nINI 0 1 0 &4\nSTO 0 2 1 1 1\n\\GE\n\\HS\n\\HE\nINI 0 1 0 &4\n"),
            "(;GM[1]FF[4]SZ[19]\n;B[bb]\n)\n(;GM[1]FF[4]SZ[19]\n)\n"
        );
        let named = |lines: &str| {
            sgf(&format!(
                "\\HS\n\\[{}\\]\n\\HE\n",
                lines.replace('|', "\\]\n\\[")
            ))
        };
        assert_eq!(
            named(
                "GAMERESULT=흑 시간승|GAMEINFOMAIN=GTIME:1200-30-3,GRLT:7,ZIPSU:0,GONGJE:65,TCNT:49|GAMEWHITENAME=b (1급)"
            ),
            "(;GM[1]FF[4]SZ[19]PW[b]WR[1급]KM[6.5]TM[1200]OT[3x30 byo-yomi]RE[B+T]\
             XK[GAMEINFOMAIN=GTIME:1200-30-3,GRLT:7,ZIPSU:0,GONGJE:65,TCNT:49][GAMERESULT=흑 시간승]\n)\n"
        );
        let tag = "GAMETAG=S1,R3,D5,G0,W1,Z125,T30-3-1200,\t\tC2018:05:11:17:29,I:b";
        assert_eq!(
            named(tag),
            format!("(;GM[1]FF[4]SZ[19]KM[0]DT[2018-05-11]RE[W+12.5]XK[{tag}]\n)\n")
        );
        for (codes, result) in [
            ("0,ZIPSU:5", "B+0.5"),
            ("1,ZIPSU:0", "?"),
            ("3", "B+R"),
            ("4", "W+R"),
            ("8", "W+T"),
            ("9", "?"),
        ] {
            let sgf = named(&format!("GAMEINFOMAIN=GRLT:{codes}|GAMERESULT=?"));
            assert!(sgf.contains(&format!("RE[{result}]")), "{sgf}");
        }
        for wrong in
            ["SKI 0 4", "SKI 0 5"].map(|line| gib.replace("SKI 0 4", &format!("{line}\r\nUND 0 4")))
        {
            assert_eq!(sgf(&wrong), "refused", "{wrong}");
        }
        for wrong in ["STO 0 2 1 0 18", "STO 0 9 1 0 18", "INI 0 3 2 &4"] {
            assert_eq!(
                sgf(&gib.replace("STO 0 3 1 0 18", wrong)),
                "refused",
                "{wrong}"
            );
        }
        for line in [
            "STO 0 2 3 1 1",
            "STO 0 2 1 19 1",
            "INI 0 1 12 &4",
            "INI 0 1 x &4",
        ] {
            let wrong = &format!("\\HS\n{line}\n");
            assert_eq!(sgf(wrong), "refused", "{wrong}");
        }
    }

    #[test]
    fn records_of_wbaduk() {
        let ngf = "Rating\n19\nAda Lo  7D*\nBen      5DP\nwww.example.com\n0\n0\n6\n20110812 [09:31]\n480\nwhite wins\n2\n\
            PMABBQEEQ\nPMACWEEEE\nPMADBAAAA\n";
        assert!(is_record(ngf.as_bytes()) && !is_record(&[b'\n'; 600]));
        assert_eq!(
            sgf(ngf),
            "(;GM[1]FF[4]SZ[19]EV[Rating]PW[Ada Lo]WR[7d]PB[Ben]BR[5p]PC[www.example.com]TM[28800]RE[white wins]\
             DT[2011-08-12]KM[6.5]\n;B[pd]\n;W[dd]\n;B[]\n)\n"
        );
        assert!(
            sgf(&ngf.replace("com\n0\n0\n6", "com\n2\n0\n0")).contains("KM[0]HA[2]AB[pd][dp]\n")
        );
        for (from, to) in [
            ("WEEEE", "WAEEE"),
            ("PMAC", "PMAB"),
            ("PMAC", "XXAC"),
            ("PMABB", "GIABC"),
        ] {
            assert_eq!(sgf(&ngf.replace(from, to)), "refused", "{to}");
        }
        let gi = "GICup\nGIAda 1p\nGIBen 5p\nGI\nGI\nGI2006-09-05\nGI19\nGI0\nGI0\nGI6\nGI211\nPMABBREER\nGI1\nIDB[1] Black wins[EndTxt]\n";
        assert!(is_record(gi.as_bytes()));
        assert_eq!(
            sgf(gi),
            "(;GM[1]FF[4]SZ[19]EV[Cup]DT[2006-09-05]KM[6.5]XK[Ada 1p][Ben 5p][1][Black wins]\n;B[qd]\n)\n"
        );
    }

    #[test]
    fn records_of_pandanet() {
        let ugf = "[Header]\nLang=US\nTitle=Final,\nDate=2019/03/08,22:09:00,,\nRule=JPN\nWinner=B,7.50\nPlayerB=Ada,3d,\nPlayerW=Ben,4d,,b\n\
            Size=9\nHdcp=0,5.5\nCoordinateType=IGS\n[Remark]\nx]\n[Data]\nAA,B1,1,5\nIC,W1,2,7\nYA,B2,3,0\nZZ,MK,4,0\n";
        assert_eq!(
            sgf(ugf),
            "(;GM[1]FF[4]SZ[9]EV[Final]DT[2019-03-08]RU[Japanese]RE[B+7.50]PB[Ada]BR[3d]PW[Ben]WR[4d]KM[5.5]\
             XK[Lang=US][Date=2019/03/08,22:09:00,,][PlayerW=Ben,4d,,b][[Remark\\]\nx\\]]\n;B[ai]\n;W[ig]\n;B[]\n;W[]\n)\n"
        );
        let handicap = ugf
            .replace("Hdcp=0", "Hdcp=2")
            .replace("[Data]\n", "[Data]\nCC,B1,0,0\nGG,B1,0,0\n");
        assert!(
            sgf(&handicap).contains("HA[2]KM[5.5]AB[cg][gc]XK["),
            "{}",
            sgf(&handicap)
        );
        assert!(sgf(&ugf.replace("=IGS", "=JPN")).contains(";B[aa]"));
        for (winner, result) in [
            ("W,C", "RE[W+R]"),
            ("B,F", "RE[B+F]"),
            ("D,", "RE[0]"),
            ("N1,E", "[Winner=N1,E]"),
        ] {
            assert!(
                sgf(&ugf.replace("B,7.50", winner)).contains(result),
                "{winner}"
            );
        }
        for (from, to) in [
            ("=IGS", "=XXX"),
            ("IC,W1", "[Header]\nLang=US\n[Data]\nIC,W1"),
            ("IC,W1", "[Figure]\n[Header]\n[Data]\nIC,W1"),
            ("IC,W1", "XZ,W1"),
            ("IC,W1", "IC,X1"),
            ("Size=9", "Size=99"),
            ("W1,2", "W1,1"),
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
