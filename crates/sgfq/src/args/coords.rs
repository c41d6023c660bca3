//! `--coords`: coordinates of points in the output.

use clap::{Args, ValueEnum};

use sgfstream_game::Coordinates;

/// The argument that says how points are spelled.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Coords {
    /// Spell points as `sgf` (`pd`) or `gtp` (`Q16`) [env: SGFQ_COORDS].
    #[arg(
        long,
        value_name = "SPELLING",
        value_enum,
        hide_possible_values = true,
        env = "SGFQ_COORDS",
        hide_env = true
    )]
    coords: Option<Spelling>,
}

/// Returns the coordinates of a list of moves: the players' notation if every point fits it, else
/// SGF.
pub(crate) fn spelling_of(moves: &str) -> Coordinates {
    let words = moves
        .split([' ', ',', ']'])
        .filter_map(|word| word.rsplit('[').next());
    let mut points = words.filter(|word| word.len() > 1 && !word.eq_ignore_ascii_case("pass"));
    let is_players = |word: &str| {
        let (letter, digits) = word.split_at_checked(1).unwrap_or_default();
        letter.bytes().all(|byte| byte.is_ascii_alphabetic())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    match points.next() {
        Some(first) if is_players(first) && points.all(is_players) => Coordinates::Gtp,
        _ => Coordinates::Sgf,
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Spelling {
    Sgf,
    Gtp,
}

impl Coords {
    /// Returns the requested coordinates, or else `usual`.
    pub(crate) fn or(self, usual: Coordinates) -> Coordinates {
        self.coords.map_or(usual, |spelling| match spelling {
            Spelling::Sgf => Coordinates::Sgf,
            Spelling::Gtp => Coordinates::Gtp,
        })
    }
}
