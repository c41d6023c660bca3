//! `sgfq merge`: games as one tree.

mod tree;
mod values;

use clap::Args;

use sgfstream_game::{GameState, RootRetention};

use crate::args::io::Io;
use crate::io::output::Output;
use crate::report::exit::Exit;

pub(super) use self::tree::{GameInfo, Tree};

/// Join games into one tree: lines that begin alike are one line until they part.
///
/// Games of one kind, board and starting position become one game; moves are compared as `get hash` compares them, not as
/// they are spelled. Comments of the same node are joined, and so are marks; of
/// other properties that differ, the first is kept and the others are counted. Game information (PB, DT, RE and so on) and
/// properties of a root that are not known go to the first node that only their game has, as the specification asks, and into
/// the comment of the last node where there is none. The first game is the main line. The tree is held in memory: what is
/// beyond 20 MiB is left out and counted, and so are bytes inside games that no reader understands. Text is UTF-8. Where
/// something was left out, or bytes were no text in their charset, the exit status is 1.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq merge games/ -o tree.sgf\n\
\x20 sgfq merge --by symmetric games/ -o joseki.sgf\n\
\x20 sgfq merge --where \"gm = 1\" archive.zip -o go.sgf")]
pub(crate) struct Merge {
    /// `exact`, or `symmetric` to turn lines that the tree has on a turned board (Go: 8 symmetries, Hex: 2): moves, setup,
    /// marks and labels, but no text.
    #[arg(long, value_parser = ["exact", "symmetric"], default_value = "exact")]
    by: String,

    #[command(flatten)]
    io: Io,
}

impl Merge {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.write_games();
        let chooser = self.io.choice.parse()?;
        let (mut tree, mut state) = (Tree::new(GameInfo::OwnNodes), GameState::new(RootRetention::All));
        tree = tree.symmetric(self.by == "symmetric");
        let exit = self.io.with(out, |out| {
            let exit = self.io.write_events(&chooser, |event, place| {
                tree.take(&mut state, event, place);
                Ok(())
            })?;
            tree.finish();
            tree.write(out)?;
            Ok(exit)
        })?;
        Ok(exit.or(tree.report_losses()))
    }
}
