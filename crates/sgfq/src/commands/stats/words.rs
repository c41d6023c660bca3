//! Numbers and values of statistics as text.

use sgfstream_adapt::stats::{Board, PlayedMove};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Coordinates, Dialect, Game};

/// A value of GM, with the name of the game.
pub(super) fn game(gm: &String) -> String {
    let game = Game::parse_lenient(gm.as_bytes()).value;
    if gm.parse::<i64>().is_ok() && game.number().is_some() { format!("{gm} {}", game.name()) } else { gm.clone() }
}

pub(super) fn size(&(columns, rows): &(u32, u32)) -> String {
    BoardSize::new(columns, rows).to_string()
}

pub(super) fn komi(&hundredths: &i64) -> String {
    (hundredths as f64 / 100.0).to_string()
}

/// A move with the letter of its side, in this spelling: `B Q16`.
pub(super) fn played(board: Board, played: &PlayedMove, coordinates: Coordinates) -> String {
    let text = played.to_string();
    if coordinates == Coordinates::Sgf || played.is_pass() {
        return text;
    }
    let dialect = Dialect::new(board.game, board.size);
    match (text.split_once(' '), dialect.parse_move(played.as_bytes())) {
        (Some((side, _)), Ok(mv)) => format!("{side} {}", dialect.show_move_in(&mv, coordinates)),
        _ => text,
    }
}
