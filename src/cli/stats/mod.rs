//! `sgfq stats`: a summary of any number of games, for a person or as JSON.

mod json;
mod text;

use clap::{Args, ValueEnum};

use crate::adapt::stats::{Stats as Summary, StatsOptions};

use super::exit::Exit;
use super::input::Inputs;
use super::output::Output;

/// Summarise games: counts, problems, what they say of themselves, how they begin and where moves are played.
///
/// Problems are those that reading meets. Lengths, first moves, openings and the heat of points are of main lines: what
/// comes before the first `)` of a game. Openings leave out games that begin with stones set up; lines of Go, Gomoku
/// and Kropki that are the same on the turned or mirrored board are one. Memory is the same however much there is to
/// read; where that makes a list incomplete, the output says by how much.
#[derive(Debug, Args)]
pub(super) struct Stats {
    #[command(flatten)]
    inputs: Inputs,

    /// Text for a person, or one JSON object.
    #[arg(short = 'f', long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Rows of each list; 0: all. In JSON, of the lists of players, events, openings and moves.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// Moves of an opening, at most 16.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=16))]
    depth: u8,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// Aligned lists.
    Text,
    /// One JSON object.
    Json,
}

impl Stats {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let options = StatsOptions { opening_depth: usize::from(self.depth), ..StatsOptions::default() };
        let mut stats = Summary::new(options);
        let exit = self.inputs.each(self.inputs.how.options(), |_, mut reader| {
            let result = reader.drive(&mut stats);
            stats.end_input(reader.offset());
            Ok(result?)
        })?;
        let top = if self.top == 0 { usize::MAX } else { self.top };
        match self.format {
            Format::Text => text::write(out, &stats, top)?,
            Format::Json => json::write(out, &stats, top)?,
        }
        Ok(exit)
    }
}
