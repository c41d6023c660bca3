//! `--coords`: how points are spelled in an output.

use clap::{Args, ValueEnum};

use sgfstream_game::Coordinates;

/// The argument that says how points are spelled.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Coords {
    /// Spelling of points: `sgf` as in the file (`pd`), `gtp` as on the edge of a board (`Q16`; Go has no column I).
    #[arg(long, value_name = "SPELLING", value_enum)]
    coords: Option<Spelling>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Spelling {
    Sgf,
    Gtp,
}

impl Coords {
    /// Coordinates that were asked for, or else `usual`.
    pub(crate) fn or(self, usual: Coordinates) -> Coordinates {
        self.coords.map_or(usual, |spelling| match spelling {
            Spelling::Sgf => Coordinates::Sgf,
            Spelling::Gtp => Coordinates::Gtp,
        })
    }
}
