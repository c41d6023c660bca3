//! Converts UGF and UGI, the formats of PandaNet.

use super::{Game, Refusal, date, letter, number, shown, split, unsure};

// [Header] name=value … [Data] point,color and player,number,seconds …
pub(super) fn ugf(lines: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
    let mut sections: Vec<Vec<&[u8]>> = Vec::new();
    for line in lines.iter().filter(|line| !line.is_empty()) {
        if line.first() == Some(&b'[') {
            sections.push(Vec::new());
        }
        sections
            .last_mut()
            .into_iter()
            .for_each(|section| section.push(line));
    }
    let mut headers = sections.extract_if(.., |section| section[0] == b"[Header]");
    let header = headers.next().unwrap_or_default();
    if headers.next().is_some() {
        return Err(unsure("one record in a file", "[Header]"));
    }
    drop(headers);
    let find = |name: &[u8]| {
        header
            .iter()
            .filter_map(|line| split(line, b'='))
            .find(|(known, _)| *known == name)
    };
    let value = |name: &[u8]| find(name).map_or(&b""[..], |(_, value)| value);
    let is_from_below = match value(b"CoordinateType") {
        b"IGS" => true,
        b"JPN" => false,
        other => {
            return Err(unsure(
                "points as on IGS or in Japan (CoordinateType)",
                &shown(other),
            ));
        }
    };
    let size = number(value(b"Size")).filter(|size| (2..=24).contains(size));
    let mut game =
        Game::new(size.ok_or_else(|| unsure("a size of 2 to 24", &shown(value(b"Size"))))? as u8);
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
    for line in sections
        .iter()
        .filter(|section| section[0] == b"[Data]")
        .flat_map(|section| &section[1..])
    {
        game.ugf_move(line, is_from_below)?;
    }
    Ok(game.finish())
}

impl Game {
    /// Reads a header line. Returns whether properties carry all of it.
    fn ugf_value(&mut self, name: &[u8], value: &[u8]) -> bool {
        let mut fields = value.split(|&byte| byte == b',');
        let (first, second) = (
            fields.next().unwrap_or_default(),
            fields.next().unwrap_or_default(),
        );
        match name {
            b"CoordinateType" | b"Size" => return true,
            b"Title" => self.text("EV", value.strip_suffix(b",").unwrap_or(value)),
            b"Place" => self.text("PC", value),
            b"Copyright" => self.text("CP", value),
            b"Comment" => self.text("GC", value),
            b"Commentator" => self.text("AN", value),
            b"Rule" => self.text("RU", if value == b"JPN" { b"Japanese" } else { value }),
            b"PlayerB" | b"PlayerW" => {
                self.player(
                    if name == b"PlayerB" {
                        ["PB", "BR"]
                    } else {
                        ["PW", "WR"]
                    },
                    first,
                    second,
                );
                return fields.all(<[u8]>::is_empty);
            }
            b"Date" => {
                self.text("DT", date(first).unwrap_or_default());
                return false;
            }
            b"Hdcp" => {
                let stones = number(first).filter(|&stones| stones > 1);
                self.text(
                    "HA",
                    stones.map(|stones| stones.to_string()).unwrap_or_default(),
                );
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
            return Err(unsure(
                "a point of two letters, a player and a number",
                &shown(line),
            ));
        };
        let color = match player {
            [b'B', ..] => 'B',
            [b'W', ..] => 'W',
            // Observed in files as a pass of the player to move.
            b"MK" if self.last == 'B' => 'W',
            b"MK" => 'B',
            _ => return Err(unsure("a move of Black or White", &shown(line))),
        };
        let [column, row] = [column, row].map(|letter| letter.to_ascii_uppercase());
        let on_board = |letter: u8| letter.checked_sub(b'A').filter(|&at| at < self.size);
        let point = match (on_board(column), on_board(row)) {
            (Some(column), Some(row)) => Some((
                column,
                if is_from_below {
                    self.size - 1 - row
                } else {
                    row
                },
            )),
            // A column beyond all boards marks a pass: `YA`, `ZZ`.
            _ if matches!(column, b'Y' | b'Z') => None,
            _ => return Err(unsure("a point of the board", &shown(line))),
        };
        match (number(at), point) {
            // Handicap stones come before the first move.
            (Some(0), Some((column, row))) if color == 'B' && self.moves.is_empty() => {
                let ident = if self.last == 'W' { "AB" } else { "" };
                self.root.extend_from_slice(
                    format!("{ident}[{}{}]", letter(column), letter(row)).as_bytes(),
                );
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

/// Converts `B,7.50`, `W,C` (resignation) and `B,F` (forfeit) to results of SGF.
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
        margin if margin.parse::<f64>().is_ok_and(|points| points > 0.0) => {
            Some(format!("{winner}+{margin}"))
        }
        _ => None,
    }
}
