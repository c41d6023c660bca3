//! Converts GIB, the format of Tygem.

use super::{Game, Refusal, date, number, shown, split, unsure};

/// Converts tenths of a point to points, as SGF writes them.
fn tenths(text: &[u8]) -> Option<String> {
    number(text)
        .filter(|&tenths| tenths < 10_000)
        .map(|tenths| match tenths % 10 {
            0 => format!("{}", tenths / 10),
            rest => format!("{}.{rest}", tenths / 10),
        })
}

/// Coded fields in the header of a GIB record: `GAMEINFOMAIN=…,GRLT:1,ZIPSU:125,…` and
/// `GAMETAG=S1,R7,…,C2018:05:11:…`.
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

    /// Returns the result, if its code is known.
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

    /// Returns the main time, the seconds of a period, and the number of periods.
    fn times(&self) -> Option<[u32; 3]> {
        let parts: Vec<u32> = self
            .time?
            .split(|&byte| byte == b'-')
            .filter_map(number)
            .collect();
        parts.try_into().ok()
    }
}

// \[NAME=value\] … INI 0 1 handicap … STO 0 number color column row
pub(super) fn gib(lines: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
    let mut game = Game::new(19);
    let mut is_head = true;
    let mut codes = GibCodes::default();
    let (mut date_text, mut result_text) = (None, None);
    for line in lines {
        let tag = line
            .strip_prefix(b"\\[")
            .and_then(|rest| rest.strip_suffix(b"\\]"));
        if let Some((tag, (name, value))) = tag.and_then(|tag| Some((tag, split(tag, b'=')?))) {
            match name {
                b"GAMEBLACKNAME" | b"GAMEWHITENAME" => {
                    let ids = if name == b"GAMEBLACKNAME" {
                        ["PB", "BR"]
                    } else {
                        ["PW", "WR"]
                    };
                    let at = value
                        .iter()
                        .rposition(|&byte| byte == b'(')
                        .unwrap_or(value.len());
                    let (name, rank) = value.split_at(at);
                    let rank = rank
                        .strip_prefix(b"(")
                        .and_then(|rank| rank.strip_suffix(b")"))
                        .unwrap_or_default();
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
        let words: Vec<&[u8]> = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .collect();
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
                let (Some(column @ 0..19), Some(row @ 0..19)) = (number(column), number(row))
                else {
                    return Err(unsure("a point of the board", &shown(line)));
                };
                game.count(number(at), line)?;
                game.play(
                    if color == b"1" { 'B' } else { 'W' },
                    Some((column as u8, row as u8)),
                );
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
    // The texts of date and result come in many languages. If a code is used instead, the text goes
    // into XK.
    let date_read = date_text.and_then(|(value, _)| date(value));
    let unread_date = date_text.filter(|_| date_read.is_none());
    game.text(
        "DT",
        date_read
            .or_else(|| codes.date.and_then(date))
            .unwrap_or_default(),
    );
    let result = codes.result();
    let unread_result = result_text.filter(|_| result.is_some());
    game.text(
        "RE",
        result.as_deref().map_or(
            result_text.map_or(&b""[..], |(value, _)| value),
            str::as_bytes,
        ),
    );
    for (_, tag) in [unread_date, unread_result]
        .into_iter()
        .flatten()
        .filter(|(value, _)| !value.is_empty())
    {
        game.unread(tag);
    }
    Ok(game.finish())
}
