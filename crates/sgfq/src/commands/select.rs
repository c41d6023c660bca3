//! `sgfq head`, `sample` and `cat --games`: select games by their position.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::str::FromStr;

use clap::Args;

use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::io::Io;
use crate::args::threads::{Pool, ProgressWhen};
use crate::io::game_buffer::GameBuffer;
use crate::io::output::Output;
use crate::report::counted;
use crate::report::exit::Exit;
use crate::report::terminal;

/// Write the first games.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq head -n 3 archive.zip\n\
\x20 sgfq head -n 1 --where \"moves > 20\" games/")]
pub(crate) struct Head {
    /// Number of games.
    #[arg(
        short = 'n',
        long = "number",
        alias = "games",
        value_name = "N",
        default_value_t = 10
    )]
    games: u64,

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
    #[arg(
        short = 'n',
        long = "number",
        alias = "games",
        value_name = "N",
        default_value_t = 10
    )]
    games: u64,

    /// Seed the random choice with N.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    io: Io<Pool>,
}

/// Numbers of games, counted from 1: sorted ranges, and the number of last games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct GameNumbers {
    ranges: Vec<(u64, u64)>,
    last: u64,
}

impl FromStr for GameNumbers {
    type Err = String;

    /// Parses a list such as `3-7,9,20-,-5`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "expected numbers and ranges of games, counted from 1, such as 3-7,9,20- or -5, found `{text}`"
            )
        };
        let number = |text: &str| {
            text.parse()
                .ok()
                .filter(|&number: &u64| number > 0)
                .ok_or_else(wrong)
        };
        let mut numbers = Self::default();
        for range in text.split(',') {
            let (from, to) = match range.split_once('-') {
                Some(("", last)) => {
                    numbers.last = numbers.last.max(number(last)?);
                    continue;
                }
                Some((from, "")) => (number(from)?, u64::MAX),
                Some((from, to)) => (number(from)?, number(to)?),
                None => (number(range)?, number(range)?),
            };
            if from > to {
                return Err(wrong());
            }
            numbers.ranges.push((from, to));
        }
        numbers.ranges.sort_unstable();
        Ok(numbers)
    }
}

impl<P: Args> Io<P> {
    /// Writes the selected games with these numbers, in the order of the input. Only the end of the
    /// input shows which games are the last N, so each game is buffered until N games follow it.
    /// Reports a range that begins after the last game.
    pub(super) fn write_numbers(
        mut self,
        out: &mut Output,
        numbers: &GameNumbers,
    ) -> anyhow::Result<Exit> {
        self.inputs.how.write_games();
        let chooser = self.parse_without_text()?;
        let (mut ranges, last) = (&numbers.ranges[..], numbers.last);
        let end = if last > 0 {
            u64::MAX
        } else {
            ranges.iter().map(|&(_, to)| to).max().unwrap_or_default()
        };
        let (mut waiting, mut shelf) = (VecDeque::new(), GameBuffer::default());
        let (mut number, mut found, is_shown) = (0u64, false, self.is_shown(out));
        let exit = self.with(out, |out| {
            if end == 0 {
                return Ok(Exit::Done);
            }
            let progress = if is_shown {
                ProgressWhen::Never
            } else {
                ProgressWhen::Auto
            };
            let mut filled = chooser.row(ColumnSet::default());
            let exit = self.inputs.each(progress, |part| {
                let mut rows = RowReader::of_part(part, &mut filled)?;
                if chooser.chooses_all() {
                    rows = rows.keeping_long_games();
                }
                while chooser.next(&mut rows)? {
                    if rows.read_rest()?.is_none() && !rows.games().keeps_long_games() {
                        continue;
                    }
                    number += 1;
                    while let [(_, to), rest @ ..] = ranges
                        && *to < number
                    {
                        ranges = rest;
                    }
                    let is_named = ranges.first().is_some_and(|&(from, _)| from <= number);
                    if last > 0 {
                        let place = ((number - 1) % last) as usize;
                        if waiting.len() as u64 == last && waiting.pop_front() == Some(true) {
                            shelf.copy(place, out)?;
                        }
                        waiting.push_back(is_named);
                        shelf.put(place, number, |out| rows.write_line(out).map(|_| ()))?;
                    } else if is_named {
                        rows.write_line(out)?;
                        found = true;
                    }
                    if number >= end {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(rows.end()?))
            })?;
            found |= shelf.write(out)?;
            Ok(exit)
        })?;
        if let Some((from, _)) = numbers
            .ranges
            .iter()
            .find(|(from, _)| number > 0 && *from > number)
        {
            let games = counted(number, "game");
            terminal::print_line(&format!(
                "sgfq: --games: no game {from}: the inputs have {games}"
            ));
            return Ok(if found { exit } else { exit.or(Exit::Found) });
        }
        Ok(self.inputs.or_none(exit, found))
    }
}

impl Head {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let ranges = if self.games > 0 {
            vec![(1, self.games)]
        } else {
            Vec::new()
        };
        self.io.write_numbers(out, &GameNumbers { ranges, last: 0 })
    }
}

impl Sample {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let Self {
            games,
            seed,
            mut io,
        } = self;
        io.inputs.how.write_games();
        let chooser = io.parse_without_text()?;
        let (mut random, mut shelf) = (Random(seed), GameBuffer::default());
        let (mut number, mut found, mut place) = (0u64, false, None);
        let exit = io.with(out, |out| {
            let row = || chooser.row(ColumnSet::default()).with_final_numbers();
            let exit = io.inputs.each_game_bytes(
                &io.pool,
                &chooser,
                row,
                |_| {},
                |note, bytes| {
                    if note.is_none() {
                        return Ok(place.map_or(Ok(()), |place| shelf.append(place, bytes))?);
                    }
                    // Algorithm R: game n replaces a random earlier game with probability games /
                    // n.
                    let of_game = if number < games {
                        number
                    } else {
                        random.below(number + 1)
                    };
                    place = (of_game < games).then_some(of_game as usize);
                    number += 1;
                    place.map_or(Ok(()), |place| {
                        shelf.put(place, number, |out| Ok(out.write_all(bytes)?))
                    })
                },
            )?;
            found = shelf.write(out)?;
            Ok(exit)
        })?;
        Ok(io.inputs.or_none(exit, found))
    }
}

/// SplitMix64 generator: small, and the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// Returns a uniform number below `bound`: the upper half of a product. Its bias is below 2⁻³²
    /// for any realistic number of games.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        for (text, ranges, last) in [
            ("5-10", &[(5, 10)][..], 0),
            ("5-", &[(5, u64::MAX)], 0),
            ("7", &[(7, 7)], 0),
            ("-5", &[], 5),
            ("9,-2,3-7,-4,3", &[(3, 3), (3, 7), (9, 9)], 4),
        ] {
            let numbers: GameNumbers = text.parse().expect(text);
            assert_eq!(
                (&numbers.ranges[..], numbers.last),
                (ranges, last),
                "{text}"
            );
        }
        for wrong in [
            "",
            "0",
            "-0",
            "-",
            "0-3",
            "3-2",
            "a-b",
            "1-2-3",
            "1,,2",
            "1,",
            "..3",
            "99999999999999999999",
        ] {
            assert!(wrong.parse::<GameNumbers>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_number_has_its_chance() {
        let mut random = Random(7);
        let mut seen = [0u32; 10];
        for _ in 0..10_000 {
            seen[random.below(10) as usize] += 1;
        }
        assert!(
            seen.iter().all(|&count| (850..1150).contains(&count)),
            "{seen:?}"
        );
    }
}
