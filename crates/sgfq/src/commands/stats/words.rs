//! Numbers and values of statistics as text.

use sgfstream::game::Game;
use sgfstream::value::BoardSize;

/// A number with a separator between groups of three digits.
pub(super) fn grouped(number: u64, separator: char) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(separator);
        }
        out.push(digit);
    }
    out
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number, ','), text);
        }
    }
}
