//! Converts NGF, the format of wBaduk and Cyberoro.

use super::{Game, Refusal, date, number, shown, split, unsure};

// title, size, White, Black, site, handicap, …, komi, date, minutes, result, number of moves; then
// the moves GI: title, two players, …, date, size, handicap, …, komi, number of moves; then the
// moves
pub(super) fn ngf(lines: &[&[u8]]) -> Result<Vec<u8>, Refusal> {
    let is_gi = lines.first().is_some_and(|line| line.starts_with(b"GI"));
    let at = |at: usize| {
        let line = lines.get(at).copied().unwrap_or_default();
        if is_gi {
            line.strip_prefix(b"GI").unwrap_or_default().trim_ascii()
        } else {
            line
        }
    };
    let (size, handicap, komi, day, moves) = if is_gi {
        (6, 7, 9, 5, 11)
    } else {
        (1, 5, 7, 8, 12)
    };
    let mut game = Game::new(number(at(size)).unwrap_or(19) as u8);
    game.text("EV", at(0));
    if is_gi {
        // Keep the names as text, because no source states which of the players is Black.
        [1, 2, 3, 4]
            .into_iter()
            .for_each(|line| game.unread(at(line)));
    } else {
        for (line, ids) in [(2, ["PW", "WR"]), (3, ["PB", "BR"])] {
            let text = at(line);
            let gap = text
                .iter()
                .rposition(u8::is_ascii_whitespace)
                .unwrap_or(text.len());
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
    // In an even game, NGF omits the half point of the komi.
    if let Some(points) = number(at(komi)) {
        let half = if number(at(handicap)) == Some(0) {
            ".5"
        } else {
            ""
        };
        game.text("KM", format!("{points}{half}"));
    }
    game.handicap(at(handicap))?;
    for line in lines.iter().skip(moves).filter(|line| !line.is_empty()) {
        if is_gi && let Some(text) = text_after_moves(line) {
            game.unread(text);
            continue;
        }
        let &[
            b'P',
            b'M',
            high,
            low,
            color @ (b'B' | b'W'),
            column,
            row,
            ..,
        ] = *line
        else {
            return Err(unsure("a move of Black or White", &shown(line)));
        };
        let digit = |letter: u8| {
            letter
                .checked_sub(b'A')
                .filter(|&digit| digit < 26)
                .map(u32::from)
        };
        game.count(
            digit(high)
                .zip(digit(low))
                .map(|(high, low)| 26 * high + low),
            line,
        )?;
        // `B` is the first column and row; `A` marks a pass.
        let point = if [column, row] == *b"AA" {
            None
        } else {
            let [column, row] =
                [column, row].map(|letter| letter.checked_sub(b'B').filter(|&at| at < game.size));
            Some(
                column
                    .zip(row)
                    .ok_or_else(|| unsure("a point of the board", &shown(line)))?,
            )
        };
        game.play(char::from(color), point);
    }
    Ok(game.finish())
}

/// Returns the text of a line that may follow the moves of a `GI` record: `GI1`, and
/// `IDB[211] text[EndTxt]`.
fn text_after_moves(line: &[u8]) -> Option<&[u8]> {
    let text = match line.strip_prefix(b"IDB[") {
        Some(comment) => split(comment, b']')?.1,
        None => line.strip_prefix(b"GI")?,
    };
    Some(text.strip_suffix(b"[EndTxt]").unwrap_or(text))
}
