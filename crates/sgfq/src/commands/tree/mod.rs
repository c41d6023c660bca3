//! `sgfq tree`: shows the game trees of each file as text or JSON. One game is in memory at a time,
//! and no function recurses.

mod draw;
mod json;

use clap::Args;

use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::Pool;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::terminal::clean;

/// Show the game trees of each file, drawn or as JSON.
///
/// With `-f jsonl`, `tree` prints one object per file and line: `file`, `tree` (a list of game
/// trees, each with `nodes` and `children`; a node is a list of properties, each its identifier and
/// its decoded values). To list the problems of a file, run `sgfq check`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq tree game.sgf\n\
\x20 sgfq tree -f jsonl game.sgf")]
pub(crate) struct Tree {
    /// Output format; the extension of the output file selects it, too [default: text].
    #[arg(short = 'f', long, value_parser = Format::one_of(FORMATS))]
    format: Option<Format>,

    #[command(flatten)]
    io: Io<Pool>,
}

const FORMATS: &[Format] = &[Format::Text, Format::Jsonl];

impl Tree {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let format = self.io.destination.format(self.format, FORMATS)?;
        if format == Format::Text {
            self.io.inputs.how.count_lines();
        }
        let chooser = self.io.choice.parse()?;
        self.io.write_entries(out, &chooser, |part, out| {
            let name = shown_name(&part);
            if format == Format::Text {
                writeln!(out, "{}", clean(&name))?;
                draw::write(out, part, &chooser)
            } else {
                json::write(out, &name, part, &chooser)
            }
        })
    }
}
