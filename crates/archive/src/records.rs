//! Records of Go servers in formats of their own, given as SGF: `.gib` (Tygem), `.ngf` (wBaduk, Cyberoro) and
//! `.ugf`, `.ugi` (PandaNet). Only what is certain is taken; a record with something else in its moves is refused.
//! Texts keep their bytes, whatever charset they are in.

use std::fmt::Write as _;
use std::io::Read;

use crate::fault::Fault;
use crate::problem::Trouble;
use crate::sniff::Sniff;

/// A longer record is none of one game.
const LONGEST: u64 = 256 << 10;

/// Handicap stones on a board of 19, as they are placed by these servers.
const CORNERS: [&str; 4] = ["pd", "dp", "pp", "dd"];

/// The record as SGF.
pub(crate) fn to_sgf(sniff: Sniff, source: &mut dyn Read) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let read = source.take(LONGEST + 1).read_to_end(&mut bytes);
    read.map_err(|err| Fault::of(&err, "a game record"))?;
    if bytes.len() as u64 > LONGEST {
        return Err(Fault::new(Trouble::Unsupported, "a record of at most 256 KiB", "a longer one"));
    }
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
    match sniff {
        Sniff::Gib => gib(&lines),
        Sniff::Ngf => ngf(&lines),
        _ => ugf(&lines),
    }
}

/// A game under construction.
struct Game {
    root: Vec<u8>,
    moves: String,
    size: u8,
    last: char,
}

impl Game {
    fn new(size: u8) -> Self {
        Self { root: format!("GM[1]FF[4]SZ[{size}]").into_bytes(), moves: String::new(), size, last: 'W' }
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

    fn handicap(&mut self, stones: u8) -> Result<(), Fault> {
        if stones < 2 {
            return Ok(());
        }
        if self.size != 19 || stones > 9 {
            return Err(unsure("a handicap of at most 9 stones on a board of 19", &stones.to_string()));
        }
        let sides: &[&str] = match stones {
            6 | 7 => &["dj", "pj"],
            8 | 9 => &["dj", "pj", "jd", "jp"],
            _ => &[],
        };
        let middle: &[&str] = if stones % 2 == 1 && stones > 3 { &["jj"] } else { &[] };
        let corners = &CORNERS[..usize::from(stones.min(4))];
        self.root.extend_from_slice(format!("HA[{stones}]AB").as_bytes());
        for point in corners.iter().chain(sides).chain(middle) {
            self.root.extend_from_slice(format!("[{point}]").as_bytes());
        }
        self.last = 'B';
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

fn unsure(expected: &'static str, found: &str) -> Fault {
    Fault::new(Trouble::Unsupported, expected, format!("`{}`", found.chars().take(40).collect::<String>()))
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
fn gib(lines: &[&[u8]]) -> Result<Vec<u8>, Fault> {
    let mut game = Game::new(19);
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
        match words[..] {
            [b"INI", _, _, stones, ..] => game.handicap(number(stones).unwrap_or(0).min(255) as u8)?,
            [b"STO", _, _, color @ (b"1" | b"2"), column, row, ..] => {
                let (Some(column @ 0..19), Some(row @ 0..19)) = (number(column), number(row)) else {
                    return Err(unsure("a point of the board", &shown(line)));
                };
                game.play(if color == b"1" { 'B' } else { 'W' }, Some((column as u8, row as u8)));
            }
            [b"STO", ..] => return Err(unsure("a move of Black or White", &shown(line))),
            [b"SKI", ..] => game.play(if game.last == 'B' { 'W' } else { 'B' }, None),
            _ => {}
        }
    }
    Ok(game.finish())
}

// title, size, White, Black, site, handicap, …, date, …, result, …; then PM, two letters, color, column, row
fn ngf(lines: &[&[u8]]) -> Result<Vec<u8>, Fault> {
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
    game.handicap(number(line(5)).unwrap_or(0).min(255) as u8)?;
    for line in lines.iter().skip(12).filter(|line| line.starts_with(b"PM")) {
        let &[_, _, _, _, color @ (b'B' | b'W'), column, row, ..] = *line else {
            return Err(unsure("a move of Black or White", &shown(line)));
        };
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
fn ugf(lines: &[&[u8]]) -> Result<Vec<u8>, Fault> {
    let mut values = Vec::new();
    let mut moves = Vec::new();
    let mut section: &[u8] = b"";
    for line in lines {
        match section {
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
    if number(handicap).unwrap_or(0) > 1 {
        return Err(unsure("a game without handicap stones (Hdcp)", &shown(handicap)));
    }
    let size = number(value(b"Size")).filter(|size| (2..=26).contains(size));
    let mut game = Game::new(size.ok_or_else(|| unsure("a size of 2 to 26", &shown(value(b"Size"))))? as u8);
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
        let &[point, &[color @ (b'B' | b'W'), ..], ..] = &fields[..] else {
            return Err(unsure("a move of Black or White", &shown(line)));
        };
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

    fn sgf(sniff: Sniff, record: &str) -> String {
        let read = to_sgf(sniff, &mut record.as_bytes());
        read.map_or_else(|fault| format!("{:?}", fault.trouble), |sgf| String::from_utf8(sgf).expect("UTF-8"))
    }

    #[test]
    fn records_of_tygem() {
        let gib = "\\HS\r\n\\[GAMEBLACKNAME=ada (9D)\\]\r\n\\[GAMEWHITENAME=b]en\\]\r\n\\[GAMEDATE=2016- 3-26-17-29- 0\\]\r\n\\HE\r\n\\GS\r\n\
            2 1 0\r\nINI 0 1 3 &4\r\nSTO 0 2 2 15 3\r\nSTO 0 3 1 0 18 \r\nSKI 0 4\r\n\\GE\r\n";
        assert_eq!(
            sgf(Sniff::Gib, gib),
            "(;GM[1]FF[4]SZ[19]PB[ada]BR[9d]PW[b\\]en]DT[2016-03-26]HA[3]AB[pd][dp][pp]\n;W[pd]\n;B[as]\n;W[]\n)\n"
        );
        for wrong in ["\\HS\nSTO 0 2 3 1 1\n", "\\HS\nSTO 0 2 1 19 1\n", "\\HS\nINI 0 1 12 &4\n"] {
            assert_eq!(sgf(Sniff::Gib, wrong), "Unsupported", "{wrong}");
        }
    }

    #[test]
    fn records_of_wbaduk() {
        let ngf = "Rating\n19\nAda Lo  7D*\nBen      5DP\nwww.example.com\n0\n0\n6\n20110812 [09:31]\n480\nwhite wins\n2\n\
            PMABBQEEQ\nPMACWEEEE\n";
        assert_eq!(Sniff::of(ngf.as_bytes(), true), Some(Sniff::Ngf));
        assert_eq!(Sniff::of(&[b'\n'; 600], true), Some(Sniff::Other));
        assert_eq!(
            sgf(Sniff::Ngf, ngf),
            "(;GM[1]FF[4]SZ[19]EV[Rating]PW[Ada Lo]WR[7d]PB[Ben]BR[5dp]PC[www.example.com]DT[2011-08-12]RE[white wins]\n\
             ;B[pd]\n;W[dd]\n)\n"
        );
        assert_eq!(sgf(Sniff::Ngf, &ngf.replace("WEEEE", "WAEEE")), "Unsupported");
    }

    #[test]
    fn records_of_pandanet() {
        let ugf = "[Header]\nLang=US\nTitle=Final\nPlayerB=Ada,3d,\nPlayerW=Ben,4d,\nSize=9\nHdcp=0,5.5\nCoordinateType=IGS\n[Remark]\nx\n\
            [Data]\nAA,B1,0,5\nIC,W2,0,7\n";
        assert_eq!(
            sgf(Sniff::Ugf, ugf),
            "(;GM[1]FF[4]SZ[9]PB[Ada]BR[3d]PW[Ben]WR[4d]KM[5.5]EV[Final]\n;B[ai]\n;W[ig]\n)\n"
        );
        for (from, to) in
            [("=IGS", "=JPN"), ("Hdcp=0", "Hdcp=4"), ("IC,W2", "ZZ,W2"), ("IC,W2", "IC,X2"), ("Size=9", "Size=99")]
        {
            assert_eq!(sgf(Sniff::Ugf, &ugf.replace(from, to)), "Unsupported", "{to}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300), lines in "(STO|INI|PM|\\\\\\[GAMEDATE=|Hdcp=|Size=|\\[Data\\])?[ 0-9A-Z,=\\n\\\\]{0,300}") {
            for sniff in [Sniff::Gib, Sniff::Ngf, Sniff::Ugf] {
                _ = to_sgf(sniff, &mut &bytes[..]);
                _ = to_sgf(sniff, &mut lines.as_bytes());
            }
            _ = Sniff::of(&bytes, true);
        }
    }
}
