//! `sgfq filter`: the games for which an expression is true.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use clap::Args;

use sgfstream_table::row::{ColumnSet, RowBuilder};

use super::destination::{Destination, WholeFile};
use super::exit::Exit;
use super::games::{Then, games_of};
use super::input::{How, Inputs};
use super::output::Output;
use super::schedule::{self, AnswerPool, At, Entries, Flush, Games, Job, ReadBytes};
use super::where_games::{Chooser, parse_filter};

/// Write the games for which an expression is true.
///
/// The bytes of each game are kept; each game is followed by a newline. If the root node is enough to decide, the
/// rest of the game is skipped. `sgfq help expressions` describes EXPR, `sgfq get --columns` lists the columns.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq filter --where \"winner = 'B' AND moves > 200\" games/ -o black.sgf\n\
\x20 sgfq filter --where \"any('C') LIKE '%ladder%'\" archive.zip")]
pub(super) struct Filter {
    /// Select the games for which EXPR is true.
    #[arg(long = "where", value_name = "EXPR")]
    expression: String,

    /// Write the other games to FILE.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Select the games that do *not* match.
    #[arg(short = 'v', long)]
    invert: bool,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    pool: AnswerPool,

    #[command(flatten)]
    inputs: Inputs,
}

/// Chooses games of a unit.
struct Choosing<'f> {
    chooser: Chooser,
    invert: bool,
    has_rejects: bool,
    how: &'f How,
}

/// What a unit comes to.
#[derive(Default)]
struct Chosen {
    /// The games that were chosen, and the others where they are wanted.
    games: [Vec<u8>; 2],
    found: bool,
}

/// Bytes that a worker holds before it hands them out.
const FULL: usize = 1 << 20;

impl Job for Choosing<'_> {
    type Acc = Chosen;

    fn begin(&self) -> Chosen {
        Chosen::default()
    }

    fn bytes(&self) -> Option<&dyn ReadBytes<Chosen>> {
        Some(self)
    }
}

impl ReadBytes<Chosen> for Choosing<'_> {
    fn worker(&self) -> Box<dyn Entries<Chosen> + '_> {
        Box::new(Worker { job: self, builder: self.chooser.builder(ColumnSet::default()) })
    }
}

/// Chooses games of one entry after another.
struct Worker<'c, 'f> {
    job: &'c Choosing<'f>,
    builder: RowBuilder,
}

impl Entries<Chosen> for Worker<'_, '_> {
    fn read(
        &mut self,
        chosen: &mut Chosen,
        at: &At<'_>,
        read: &mut dyn Read,
        flush: &mut Flush<'_, Chosen>,
    ) -> anyhow::Result<Games> {
        let job = self.job;
        let mut games = 0;
        let (_, is_found) = job.how.open(at.name, at.game, read, |opened| {
            games_of(opened, job.how.options(), &mut self.builder, &mut |game| {
                games += 1;
                let is_chosen = job.chooser.chooses(game)? != job.invert;
                chosen.found |= is_chosen;
                if is_chosen || job.has_rejects {
                    game.write_line(&mut Sending { chosen, place: usize::from(!is_chosen), flush })?;
                }
                Ok(Then::Go)
            })
        })?;
        Ok(Games { games, is_found })
    }
}

/// Where games go to be handed out.
struct Sending<'s, 'f> {
    chosen: &'s mut Chosen,
    place: usize,
    flush: &'s mut Flush<'f, Chosen>,
}

impl Write for Sending<'_, '_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let len = buf.len().min(FULL);
        self.chosen.games[self.place].extend_from_slice(&buf[..len]);
        if self.chosen.games.iter().map(Vec::len).sum::<usize>() > FULL && !(self.flush)(std::mem::take(self.chosen)) {
            return Err(io::Error::new(io::ErrorKind::BrokenPipe, "nobody wants more"));
        }
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Filter {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let mut rejects = self.rejects.as_deref().map(WholeFile::create).transpose()?;
        let (chooser, has_rejects) = (Chooser::new(parse_filter(&self.expression)?), rejects.is_some());
        let job = Choosing { chooser, invert: self.invert, has_rejects, how: &self.inputs.how };
        let is_shown = out.is_terminal() && self.destination.is_stdout();
        let mut found = false;
        let exit = self.destination.with(out, |out| {
            schedule::answer(&self.pool, &self.inputs, is_shown, &job, |unit| {
                let Some(chosen) = &unit.acc else { return Ok(()) };
                found |= chosen.found;
                out.write_all(&chosen.games[0])?;
                if let Some(rejects) = &mut rejects {
                    rejects.write_all(&chosen.games[1])?;
                }
                Ok(())
            })
        })?;
        if let Some(rejects) = rejects {
            rejects.finish()?;
        }
        Ok(if found { exit } else { exit.or(Exit::Found) })
    }
}
