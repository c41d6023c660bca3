//! `sgfq merge`: joins games into one tree.

mod tree;
mod values;

use std::ops::ControlFlow;

use clap::Args;

use sgfstream_game::Facts;
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::ProgressWhen;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::unread::Unread;

pub(super) use self::tree::{GameInfo, Tree};

/// Combine games into one tree that shares their common moves.
///
/// `merge` combines games of the same kind, board and starting position into one game. The first
/// game is the main line. `merge` compares moves as `get hash` does, whatever their spelling.
///
/// `merge` joins the comments and marks of a shared node. If other properties differ, the first
/// value stays, and stderr reports how many were left out. Game information (PB, DT, RE and so on)
/// and unknown root properties move to the first node that only their game has, as the
/// specification requires. If no such node exists, they go into the comment of the game's last
/// node.
///
/// The output is UTF-8. `merge` keeps the tree in memory, and leaves out and counts lines beyond 20
/// MiB and unparseable bytes inside games. If `merge` leaves something out, or a text is invalid in
/// its charset, the exit status is 1.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq merge games/ -o tree.sgf\n\
\x20 sgfq merge --by symmetric games/ -o joseki.sgf\n\
\x20 sgfq merge --where \"gm = 1\" archive.zip -o go.sgf")]
pub(crate) struct Merge {
    /// Compare games `exact`, or `symmetric`: rotate or mirror a line if the tree has it in that
    /// orientation (Go: 8 symmetries, Hex: 2). This changes moves, setup, marks and labels, but no
    /// text.
    #[arg(long, value_parser = ["exact", "symmetric"], default_value = "exact")]
    by: String,

    #[command(flatten)]
    io: Io,
}

impl Merge {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.write_games();
        let chooser = self.io.choice.parse()?;
        let mut tree = Tree::new(GameInfo::OwnNodes).symmetric(self.by == "symmetric");
        let (mut unread, mut filled) = (Unread::default(), chooser.row(ColumnSet::default()));
        let exit = self.io.with(out, |out| {
            let inputs = &self.io.inputs;
            let exit = inputs.each(ProgressWhen::Auto, |part| {
                let name = shown_name(&part);
                let mut rows = RowReader::of_part(part, &mut filled)?;
                while let Some(game) = chooser.next_game(&mut rows)? {
                    unread.add(&game, &name);
                    tree.add(&Facts::of_values(game, 0));
                }
                Ok(ControlFlow::Continue(rows.end()?))
            })?;
            tree.place_game_info();
            tree.write(out)?;
            Ok(exit)
        })?;
        Ok(chooser
            .or_none(&self.io.inputs, exit)
            .or(unread.print_summary())
            .or(tree.report_losses()))
    }
}
