//! `sgfq head`, `tail`, `slice` and `sample`: games by their place.

use std::ops::ControlFlow;

use clap::Args;

use sgfstream_table::row::ColumnSet;

use crate::args::io::Io;
use crate::io::output::Output;
use crate::io::shelf::Shelf;
use crate::report::exit::Exit;

/// Write the first games.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq head -n 3 archive.zip\n\
\x20 sgfq head -n 1 --where \"moves > 20\" games/")]
pub(crate) struct Head {
    /// Number of games.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    games: u64,

    #[command(flatten)]
    io: Io,
}

/// Write the last games.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq tail -n 3 archive.zip\n\
\x20 sgfq tail -n 1 games/ -o last.sgf")]
pub(crate) struct Tail {
    /// Number of games.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    games: u64,

    #[command(flatten)]
    io: Io,
}

/// Write games by number.
///
/// RANGE is `5..10`, `5..`, `..10` or `7`. Games are counted from 1 over all inputs; both ends are included.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq slice 2..3 archive.zip\n\
\x20 sgfq slice 5.. games/ -o rest.sgf")]
pub(crate) struct Slice {
    /// The range of games.
    #[arg(value_name = "RANGE", value_parser = parse_range)]
    range: (u64, u64),

    #[command(flatten)]
    io: Io,
}

/// Write a random sample of games.
///
/// Every game has the same chance. The same seed gives the same games.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq sample -n 100 --seed 7 archive.zip -o sample.sgf\n\
\x20 sgfq sample -n 1 --where \"gm = 1\" games/")]
pub(crate) struct Sample {
    /// Number of games.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    games: u64,

    /// Seed of the random choice.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    io: Io,
}

fn parse_range(text: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("expected a range of games, counted from 1, such as 5..10, 5.. or ..10, found `{text}`");
    let number = |text: &str, missing: u64| match text {
        "" => Ok(missing),
        text => text.parse().ok().filter(|&number| number > 0).ok_or_else(wrong),
    };
    match text.split_once("..") {
        Some((from, to)) => {
            Some((number(from, 1)?, number(to, u64::MAX)?)).filter(|(from, to)| from <= to).ok_or_else(wrong)
        }
        None => text.parse().ok().filter(|&number| number > 0).map(|number| (number, number)).ok_or_else(wrong),
    }
}

impl Io {
    /// Writes the games `from..=to` of those that are meant.
    fn write_range(mut self, out: &mut Output, from: u64, to: u64) -> anyhow::Result<Exit> {
        self.inputs.how.write_games();
        let chooser = self.parse_without_text()?;
        let mut number = 0u64;
        let mut found = false;
        let exit = self.with(out, |out| {
            if from > to {
                return Ok(Exit::Done);
            }
            self.games(&chooser, chooser.builder(ColumnSet::default()), |game| {
                number += 1;
                if number >= from {
                    game.write_line(out)?;
                    found = true;
                }
                Ok(if number >= to { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })
        })?;
        Ok(self.inputs.or_none(exit, found))
    }

    /// Puts games on a shelf, where `place` says so, and writes what is there
    /// at the end, in the order of the input. `place` gets the number of the game, from 0.
    fn write_shelf(mut self, out: &mut Output, mut place: impl FnMut(u64) -> Option<u64>) -> anyhow::Result<Exit> {
        self.inputs.how.write_games();
        let chooser = self.parse_without_text()?;
        let mut shelf = Shelf::default();
        let (mut number, mut found) = (0u64, false);
        let exit = self.with(out, |out| {
            let exit = self.games(&chooser, chooser.builder(ColumnSet::default()), |game| {
                if let Some(place) = place(number) {
                    shelf.put(place as usize, number, |out| game.write_line(out))?;
                }
                number += 1;
                Ok(ControlFlow::Continue(()))
            })?;
            found = shelf.write(out)?;
            Ok(exit)
        })?;
        Ok(self.inputs.or_none(exit, found))
    }
}

impl Head {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.write_range(out, 1, self.games)
    }
}

impl Slice {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.write_range(out, self.range.0, self.range.1)
    }
}

impl Tail {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let games = self.games;
        self.io.write_shelf(out, |number| number.checked_rem(games))
    }
}

impl Sample {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let games = self.games;
        let mut random = Random(self.seed);
        // Algorithm R: the game of number n takes the place of another with the chance games / n.
        self.io.write_shelf(out, |number| {
            let place = if number < games { number } else { random.below(number + 1) };
            (place < games).then_some(place)
        })
    }
}

/// SplitMix64: small, and the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, each with the same chance: the upper half of a
    /// product, whose bias is below 2⁻³² for any number of games there is.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(parse_range("5..10"), Ok((5, 10)));
        assert_eq!(parse_range("..10"), Ok((1, 10)));
        assert_eq!(parse_range("5.."), Ok((5, u64::MAX)));
        assert_eq!(parse_range("7"), Ok((7, 7)));
        for wrong in ["", "0", "0..3", "a..b", "-1", "1...3"] {
            assert!(parse_range(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_number_has_its_chance() {
        let mut random = Random(7);
        let mut seen = [0u32; 10];
        for _ in 0..10_000 {
            seen[random.below(10) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
    }
}
