//! `sgfq sort`: sorts games by columns or expressions.

use clap::Args;

use sgfstream::parallel::PartReader;
use sgfstream_table::row::RowReader;

use crate::args::io::Io;
use crate::args::listed_values::columns;
use crate::args::threads::Pool;
use crate::io::output::Output;
use crate::io::sorted_spill::{SortOrder, SortedSpill};
use crate::report::exit::Exit;

/// Sort games by columns or expressions.
///
/// Numbers and dates sort by value, text by character. Games without a value come last. Games with
/// equal values keep their order. `sort` compares only the first 4 KiB of a game's values. It keeps
/// games in a temporary file, so memory use does not depend on their number. It leaves out text
/// between games.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq sort date_min,pb games/ -o sorted.sgf\n\
\x20 sgfq sort --reverse moves games/ | sgfq head -n 3")]
pub(crate) struct Sort {
    /// Columns and expressions, separated by commas; `sgfq get --list` lists the columns.
    #[arg(value_name = "COLUMNS", value_parser = columns(), hide_possible_values = true)]
    columns: String,

    /// Sort in descending order; games without a value still come last.
    #[arg(long)]
    reverse: bool,

    #[command(flatten)]
    io: Io<Pool>,
}

impl Sort {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.write_games();
        let chooser = self.io.choice.parse()?;
        let selection = chooser.select(&self.columns)?;
        self.io.inputs.how.ask_text(selection.asks_text());
        let order = SortOrder {
            columns: selection.columns(),
            is_reversed: self.reverse,
        };
        let mut games = SortedSpill::default();
        // The key of the last game.
        let mut last = Vec::new();
        let note = |rows: &RowReader<'_, PartReader<'_>>| {
            let mut key = Vec::new();
            order.push_key(rows.filled(), &mut key);
            key
        };
        self.io.with(out, |out| {
            let (pool, row) = (&self.io.pool, || selection.row().with_final_numbers());
            let exit =
                self.io
                    .inputs
                    .each_game_bytes(pool, &chooser, row, note, |key, bytes| {
                        if let Some(key) = key {
                            games.end(std::mem::replace(&mut last, key))?;
                        }
                        Ok(games.write(bytes)?)
                    })?;
            let exit = chooser.or_none(&self.io.inputs, exit);
            games.end(last)?;
            let mut sorted = games.sorted()?;
            while sorted.copy_next(out)? {}
            Ok(exit)
        })
    }
}
