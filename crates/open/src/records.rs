//! Converts records of Go servers to SGF: `.gib` (Tygem), `.ngf` (wBaduk, Cyberoro) and `.ugf`, `.ugi` (PandaNet). No server
//! publishes its format. The fields are those on which the pages of Sensei's Library and the converters of other programs
//! agree. A line of the header that no property carries goes into `XK`. A record is refused if a line among its moves is not
//! known, or if its moves are out of order. Texts keep their bytes, whatever charset they are in.

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

/// Returns whether a file begins as an NGF record does: with twelve lines, some of which are numbers and one of which is a
/// date, or with lines that begin with `GI`, one of which is the size. Then follow the moves.
fn is_ngf(head: &[u8]) -> bool {
    let is_number = |line: &[u8]| !line.is_empty() && line.len() < 6 && line.iter().all(u8::is_ascii_digit);
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
    // The second line tells most files apart.
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
    /// Values of `XK`: lines of the header that no property carries.
    unread: Vec<u8>,
}

impl Game {
    fn new(size: u8) -> Self {
        let root = format!("GM[1]FF[4]SZ[{size}]").into_bytes();
        Self { root, moves: String::new(), size, last: 'W', number: None, unread: Vec::new() }
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

    /// Adds a name with a rank after it: `7D*`, `5DP` and `1급` mean 7d, 5p and `1급`.
    fn player(&mut self, [name_id, rank_id]: [&str; 2], name: &[u8], rank: &[u8]) {
        self.text(name_id, name);
        let rank = rank.trim_ascii().strip_suffix(b"*").unwrap_or(rank);
        match rank.to_ascii_lowercase().strip_suffix(b"dp") {
            Some(dan) => self.text(rank_id, [dan, b"p"].concat()),
            None if rank.is_ascii() => self.text(rank_id, rank.to_ascii_lowercase()),
            None => self.text(rank_id, rank),
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

    /// Adds a move; a pass has no point. Columns and rows are counted from 0, from the upper left corner.
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

/// The text as a value in brackets.
fn value(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.trim_ascii();
    let may_end = |byte: &u8| b"\\]".contains(byte);
    // In some charsets these bytes are the second half of a character, and the charset is not known yet.
    if text.is_empty() || std::str::from_utf8(text).is_err() && text.iter().any(may_end) {
        return None;
    }
    let escaped = text.iter().flat_map(|byte| may_end(byte).then_some(b'\\').into_iter().chain([*byte]));
    Some([b'['].into_iter().chain(escaped).chain([b']']).collect())
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

/// Writes `2011- 8-12`, `2011/08/12`, `2011:08:12` or `20110812` as SGF does.
fn date(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text.get(..10.min(text.len()))?).ok()?;
    let parts: Vec<u32> = match text.split(['-', '/', ':']).collect::<Vec<_>>()[..] {
        [year, month, day] => [year, month, day].iter().filter_map(|part| part.trim().parse().ok()).collect(),
        _ => [(0, 4), (4, 6), (6, 8)].iter().filter_map(|&(from, to)| text.get(from..to)?.parse().ok()).collect(),
    };
    match parts[..] {
        [year @ 1900..=2200, month @ 1..=12, day @ 1..=31] => Some(format!("{year:04}-{month:02}-{day:02}")),
        _ => None,
    }
}

/// Tenths of a point as SGF writes points.
fn tenths(text: &[u8]) -> Option<String> {
    number(text).filter(|&tenths| tenths < 10_000).map(|tenths| match tenths % 10 {
        0 => format!("{}", tenths / 10),
        rest => format!("{}.{rest}", tenths / 10),
    })
}

/// What the header of a GIB record says in codes: `GAMEINFOMAIN=…,GRLT:1,ZIPSU:125,…` and `GAMETAG=S1,R7,…,C2018:05:11:…`.
#[derive(Default)]
struct GibCodes<'a> {
    komi: Option<&'a [u8]>,
    result: Option<&'a [u8]>,
    margin: Option<&'a [u8]>,
    time: Option<&'a [u8]>,
    date: Option<&'a [u8]>,
}

impl<'a> GibCodes<'a> {
    fn take(&mut self, name: &[u8], value: &'a [u8]) {
        for field in value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii) {
            let (key, value) = match name {
                b"GAMETAG" => field.split_at(1.min(field.len())),
                _ => split(field, b':').unwrap_or_default(),
            };
            match key {
                b"GONGJE" | b"G" => self.komi = self.komi.or(Some(value)),
                b"GRLT" | b"W" => self.result = self.result.or(Some(value)),
                b"ZIPSU" | b"Z" => self.margin = self.margin.or(Some(value)),
                b"GTIME" => self.time = Some(value),
                b"C" => self.date = Some(value),
                _ => {}
            }
        }
    }

    /// The result, as far as its code is known.
    fn result(&self) -> Option<String> {
        let margin = || self.margin.and_then(tenths).filter(|margin| margin != "0");
        Some(match self.result.and_then(number)? {
            0 => format!("B+{}", margin()?),
            1 => format!("W+{}", margin()?),
            3 => "B+R".into(),
            4 => "W+R".into(),
            7 => "B+T".into(),
            8 => "W+T".into(),
            _ => return None,
        })
    }

    /// Main time, seconds of a period, and number of periods.
    fn times(&self) -> Option<[u32; 3]> {
        let parts: Vec<u32> = self.time?.split(|&byte| byte == b'-').filter_map(number).collect();
        parts.try_into().ok()
    }
}

// \[NAME=value\] … INI 0 1 handicap … STO 0 number color column row
fn gib(lines: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
    let mut game = Game::new(19);
    let mut is_head = true;
    let mut codes = GibCodes::default();
    let (mut date_text, mut result_text) = (None, None);
    for line in lines {
        let tag = line.strip_prefix(b"\\[").and_then(|rest| rest.strip_suffix(b"\\]"));
        if let Some((tag, (name, value))) = tag.and_then(|tag| Some((tag, split(tag, b'=')?))) {
            match name {
                b"GAMEBLACKNAME" | b"GAMEWHITENAME" => {
                    let ids = if name == b"GAMEBLACKNAME" { ["PB", "BR"] } else { ["PW", "WR"] };
                    let at = value.iter().rposition(|&byte| byte == b'(').unwrap_or(value.len());
                    let (name, rank) = value.split_at(at);
                    let rank = rank.strip_prefix(b"(").and_then(|rank| rank.strip_suffix(b")")).unwrap_or_default();
                    game.player(ids, if rank.is_empty() { value } else { name }, rank);
                }
                b"GAMEDATE" => date_text = Some((value, tag)),
                b"GAMENAME" => game.text("EV", value),
                b"GAMEPLACE" => game.text("PC", value),
                b"GAMECOMMENT" => game.text("GC", value),
                b"GAMERESULT" => result_text = Some((value, tag)),
                _ => {
                    if [&b"GAMEINFOMAIN"[..], b"GAMETAG"].contains(&name) {
                        codes.take(name, value);
                    }
                    game.unread(if value.is_empty() { value } else { tag });
                }
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
    if let Some(komi) = codes.komi.and_then(tenths) {
        game.text("KM", komi);
    }
    if let Some([main, period, periods]) = codes.times() {
        game.text("TM", main.to_string());
        game.text("OT", format!("{periods}x{period} byo-yomi"));
    }
    // The texts of the date and the result come in many languages. Where a code is used, the text goes into XK.
    let date_read = date_text.and_then(|(value, _)| date(value));
    let unread_date = date_text.filter(|_| date_read.is_none());
    game.text("DT", date_read.or_else(|| codes.date.and_then(date)).unwrap_or_default());
    let result = codes.result();
    let unread_result = result_text.filter(|_| result.is_some());
    game.text("RE", result.as_deref().map_or(result_text.map_or(&b""[..], |(value, _)| value), str::as_bytes));
    for (_, tag) in [unread_date, unread_result].into_iter().flatten().filter(|(value, _)| !value.is_empty()) {
        game.unread(tag);
    }
    Ok(game.finish())
}

// title, size, White, Black, site, handicap, …, komi, date, minutes, result, number of moves; then the moves
// GI: title, two players, …, date, size, handicap, …, komi, number of moves; then the moves
fn ngf(lines: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
    let is_gi = lines.first().is_some_and(|line| line.starts_with(b"GI"));
    let at = |at: usize| {
        let line = lines.get(at).copied().unwrap_or_default();
        if is_gi { line.strip_prefix(b"GI").unwrap_or_default().trim_ascii() } else { line }
    };
    let (size, handicap, komi, day, moves) = if is_gi { (6, 7, 9, 5, 11) } else { (1, 5, 7, 8, 12) };
    let mut game = Game::new(number(at(size)).unwrap_or(19) as u8);
    game.text("EV", at(0));
    if is_gi {
        // No source says which of the players is Black.
        [1, 2, 3, 4].into_iter().for_each(|line| game.unread(at(line)));
    } else {
        for (line, ids) in [(2, ["PW", "WR"]), (3, ["PB", "BR"])] {
            let text = at(line);
            let gap = text.iter().rposition(u8::is_ascii_whitespace).unwrap_or(text.len());
            let (name, rank) = text.split_at(gap);
            game.player(ids, name, rank.trim_ascii());
        }
        game.text("PC", at(4));
        if let Some(minutes) = number(at(9)).filter(|&minutes| minutes > 0) {
            game.text("TM", (60 * minutes).to_string());
        }
        game.text("RE", at(10));
    }
    match date(at(day)) {
        Some(date) => game.text("DT", date),
        None => game.unread(at(day)),
    }
    // The half point of an even game is not written.
    if let Some(points) = number(at(komi)) {
        let half = if number(at(handicap)) == Some(0) { ".5" } else { "" };
        game.text("KM", format!("{points}{half}"));
    }
    game.handicap(at(handicap))?;
    for line in lines.iter().skip(moves).filter(|line| !line.is_empty()) {
        let &[b'P', b'M', high, low, color @ (b'B' | b'W'), column, row, ..] = *line else {
            return Err(unsure("a move of Black or White", &shown(line)));
        };
        let digit = |letter: u8| letter.checked_sub(b'A').filter(|&digit| digit < 26).map(u32::from);
        game.count(digit(high).zip(digit(low)).map(|(high, low)| 26 * high + low), line)?;
        // `B` is the first column and row, and `A` is for a pass.
        let point = if [column, row] == *b"AA" {
            None
        } else {
            let [column, row] = [column, row].map(|letter| letter.checked_sub(b'B').filter(|&at| at < game.size));
            Some(column.zip(row).ok_or_else(|| unsure("a point of the board", &shown(line)))?)
        };
        game.play(char::from(color), point);
    }
    Ok(game.finish())
}

// [Header] name=value … [Data] point,color and player,number,seconds …
fn ugf(lines: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
    let mut sections: Vec<Vec<&[u8]>> = Vec::new();
    for line in lines.iter().filter(|line| !line.is_empty()) {
        if line.first() == Some(&b'[') {
            sections.push(Vec::new());
        }
        sections.last_mut().into_iter().for_each(|section| section.push(line));
    }
    let mut headers = sections.extract_if(.., |section| section[0] == b"[Header]");
    let header = headers.next().unwrap_or_default();
    if headers.next().is_some() {
        return Err(unsure("one record in a file", "[Header]"));
    }
    drop(headers);
    let find = |name: &[u8]| header.iter().filter_map(|line| split(line, b'=')).find(|(known, _)| *known == name);
    let value = |name: &[u8]| find(name).map_or(&b""[..], |(_, value)| value);
    let is_from_below = match value(b"CoordinateType") {
        b"IGS" => true,
        b"JPN" => false,
        other => return Err(unsure("points as on IGS or in Japan (CoordinateType)", &shown(other))),
    };
    let size = number(value(b"Size")).filter(|size| (2..=24).contains(size));
    let mut game = Game::new(size.ok_or_else(|| unsure("a size of 2 to 24", &shown(value(b"Size"))))? as u8);
    for line in &header[1..] {
        let (name, value) = split(line, b'=').unwrap_or((b"", line));
        if !game.ugf_value(name, value) && !value.is_empty() {
            game.unread(line);
        }
    }
    for section in sections.iter().filter(|section| section[0] != b"[Data]") {
        game.unread(&section.join(&b'\n'));
    }
    game.number = Some(0);
    for line in sections.iter().filter(|section| section[0] == b"[Data]").flat_map(|section| &section[1..]) {
        game.ugf_move(line, is_from_below)?;
    }
    Ok(game.finish())
}

impl Game {
    /// Takes a line of the header. Returns whether properties carry all of it.
    fn ugf_value(&mut self, name: &[u8], value: &[u8]) -> bool {
        let mut fields = value.split(|&byte| byte == b',');
        let (first, second) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        match name {
            b"CoordinateType" | b"Size" => return true,
            b"Title" => self.text("EV", value.strip_suffix(b",").unwrap_or(value)),
            b"Place" => self.text("PC", value),
            b"Copyright" => self.text("CP", value),
            b"Comment" => self.text("GC", value),
            b"Commentator" => self.text("AN", value),
            b"Rule" => self.text("RU", if value == b"JPN" { b"Japanese" } else { value }),
            b"PlayerB" | b"PlayerW" => {
                self.player(if name == b"PlayerB" { ["PB", "BR"] } else { ["PW", "WR"] }, first, second);
                return fields.all(<[u8]>::is_empty);
            }
            b"Date" => {
                self.text("DT", date(first).unwrap_or_default());
                return false;
            }
            b"Hdcp" => {
                let stones = number(first).filter(|&stones| stones > 1);
                self.text("HA", stones.map(|stones| stones.to_string()).unwrap_or_default());
                self.text("KM", second);
                return number(first).is_some();
            }
            b"Winner" => {
                let result = ugf_result(first, second);
                self.text("RE", result.as_deref().unwrap_or_default());
                return result.is_some();
            }
            _ => return false,
        }
        true
    }

    fn ugf_move(&mut self, line: &[u8], is_from_below: bool) -> Result<(), Refusal> {
        let fields: Vec<&[u8]> = line.split(|&byte| byte == b',').collect();
        let &[&[column, row], player, at, ..] = &fields[..] else {
            return Err(unsure("a point of two letters, a player and a number", &shown(line)));
        };
        let color = match player {
            [b'B', ..] => 'B',
            [b'W', ..] => 'W',
            // Seen for a pass of the player whose turn it is.
            b"MK" if self.last == 'B' => 'W',
            b"MK" => 'B',
            _ => return Err(unsure("a move of Black or White", &shown(line))),
        };
        let [column, row] = [column, row].map(|letter| letter.to_ascii_uppercase());
        let on_board = |letter: u8| letter.checked_sub(b'A').filter(|&at| at < self.size);
        let point = match (on_board(column), on_board(row)) {
            (Some(column), Some(row)) => Some((column, if is_from_below { self.size - 1 - row } else { row })),
            // A column beyond all boards is for a pass: `YA`, `ZZ`.
            _ if matches!(column, b'Y' | b'Z') => None,
            _ => return Err(unsure("a point of the board", &shown(line))),
        };
        match (number(at), point) {
            // Handicap stones come before the first move.
            (Some(0), Some((column, row))) if color == 'B' && self.moves.is_empty() => {
                let ident = if self.last == 'W' { "AB" } else { "" };
                self.root.extend_from_slice(format!("{ident}[{}{}]", letter(column), letter(row)).as_bytes());
                self.last = 'B';
            }
            (at, point) => {
                self.count(at, line)?;
                self.play(color, point);
            }
        }
        Ok(())
    }
}

/// Writes `B,7.50`, `W,C` (resignation) and `B,F` (forfeit) as SGF does.
fn ugf_result(winner: &[u8], margin: &[u8]) -> Option<String> {
    let winner = match winner {
        b"B" => 'B',
        b"W" => 'W',
        b"D" => return Some("0".into()),
        _ => return None,
    };
    match std::str::from_utf8(margin).ok()? {
        "C" => Some(format!("{winner}+R")),
        margin @ ("F" | "") => Some(format!("{winner}+{margin}")),
        margin if margin.parse::<f64>().is_ok_and(|points| points > 0.0) => Some(format!("{winner}+{margin}")),
        _ => None,
    }
}

/// The letter of a column or row of SGF.
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
        to_sgf(record.as_bytes()).map_or_else(|_| "refused".into(), |sgf| String::from_utf8(sgf).expect("UTF-8"))
    }

    /// The fields of Tygem, as real records have them.
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
        let named = |lines: &str| sgf(&format!("\\HS\n\\[{}\\]\n\\HE\n", lines.replace('|', "\\]\n\\[")));
        assert_eq!(
            named(
                "GAMERESULT=흑 시간승|GAMEINFOMAIN=GTIME:1200-30-3,GRLT:7,ZIPSU:0,GONGJE:65,TCNT:49|GAMEWHITENAME=b (1급)"
            ),
            "(;GM[1]FF[4]SZ[19]PW[b]WR[1급]KM[6.5]TM[1200]OT[3x30 byo-yomi]RE[B+T]\
             XK[GAMEINFOMAIN=GTIME:1200-30-3,GRLT:7,ZIPSU:0,GONGJE:65,TCNT:49][GAMERESULT=흑 시간승]\n)\n"
        );
        let tag = "GAMETAG=S1,R3,D5,G0,W1,Z125,T30-3-1200,\t\tC2018:05:11:17:29,I:b";
        assert_eq!(named(tag), format!("(;GM[1]FF[4]SZ[19]KM[0]DT[2018-05-11]RE[W+12.5]XK[{tag}]\n)\n"));
        for (codes, result) in
            [("0,ZIPSU:5", "B+0.5"), ("1,ZIPSU:0", "?"), ("3", "B+R"), ("4", "W+R"), ("8", "W+T"), ("9", "?")]
        {
            let sgf = named(&format!("GAMEINFOMAIN=GRLT:{codes}|GAMERESULT=?"));
            assert!(sgf.contains(&format!("RE[{result}]")), "{sgf}");
        }
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
            PMABBQEEQ\nPMACWEEEE\nPMADBAAAA\n";
        assert!(is_record(ngf.as_bytes()) && !is_record(&[b'\n'; 600]));
        assert_eq!(
            sgf(ngf),
            "(;GM[1]FF[4]SZ[19]EV[Rating]PW[Ada Lo]WR[7d]PB[Ben]BR[5p]PC[www.example.com]TM[28800]RE[white wins]\
             DT[2011-08-12]KM[6.5]\n;B[pd]\n;W[dd]\n;B[]\n)\n"
        );
        assert!(sgf(&ngf.replace("com\n0\n0\n6", "com\n2\n0\n0")).contains("KM[0]HA[2]AB[pd][dp]\n"));
        for (from, to) in [("WEEEE", "WAEEE"), ("PMAC", "PMAB"), ("PMAC", "XXAC"), ("PMABB", "GIABC")] {
            assert_eq!(sgf(&ngf.replace(from, to)), "refused", "{to}");
        }
        let gi = "GICup\nGIAda 1p\nGIBen 5p\nGI\nGI\nGI2006-09-05\nGI19\nGI0\nGI0\nGI6\nGI211\nPMABBREER\n";
        assert!(is_record(gi.as_bytes()));
        assert_eq!(sgf(gi), "(;GM[1]FF[4]SZ[19]EV[Cup]DT[2006-09-05]KM[6.5]XK[Ada 1p][Ben 5p]\n;B[qd]\n)\n");
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
        let handicap = ugf.replace("Hdcp=0", "Hdcp=2").replace("[Data]\n", "[Data]\nCC,B1,0,0\nGG,B1,0,0\n");
        assert!(sgf(&handicap).contains("HA[2]KM[5.5]AB[cg][gc]XK["), "{}", sgf(&handicap));
        assert!(sgf(&ugf.replace("=IGS", "=JPN")).contains(";B[aa]"));
        for (winner, result) in [("W,C", "RE[W+R]"), ("B,F", "RE[B+F]"), ("D,", "RE[0]"), ("N1,E", "[Winner=N1,E]")] {
            assert!(sgf(&ugf.replace("B,7.50", winner)).contains(result), "{winner}");
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
