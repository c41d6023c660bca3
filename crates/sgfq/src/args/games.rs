//! The games of the inputs with their rows and bytes. Parts of games that are left out are counted
//! for the report at the end of the command.

use std::io::{self, Write};

use sgfstream::record::GameRecord;
use sgfstream_engine::{Out, OutputWriter};
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::{self, ANSWER, OutputTiming, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::report::cut;
use crate::report::exit::Exit;
use crate::report::unread::Unread;

/// Output of the games of a part, and their unparseable bytes.
#[derive(Default)]
struct GameText {
    text: Vec<u8>,
    unread: Unread,
    /// Number of lines that were left out.
    left_out: u64,
}

impl threads::Output for GameText {
    fn text(&mut self) -> Option<&mut Vec<u8>> {
        Some(&mut self.text)
    }
}

impl Io<Pool> {
    /// Writes each selected game with `write`, which returns the number of lines that it left out.
    /// Unparseable bytes inside games are counted and change the exit status. A filter that selects
    /// no game changes it, too.
    pub(crate) fn write_games(
        &self,
        out: &mut Output,
        chooser: &Chooser,
        write: impl Fn(&GameRecord<'_>, &mut dyn Write) -> io::Result<u64> + Sync,
    ) -> anyhow::Result<Exit> {
        let job = threads::each_part(
            || chooser.row(ColumnSet::default()),
            |filled, part, written: &mut Out<'_, GameText>| {
                let name = shown_name(&part);
                let mut rows = RowReader::of_part(part, filled)?;
                while let Some(game) = chooser.next_game(&mut rows)? {
                    written.unread.add(&game, &name);
                    written.left_out += write(
                        &game,
                        &mut OutputWriter::new(written, |written| &mut written.text),
                    )?;
                }
                Ok(rows.end()?)
            },
        );
        let mut unread = Unread::default();
        let exit = self.with(out, |out| {
            self.read(
                OutputTiming::Streamed { is_shown: false },
                ANSWER,
                &job,
                |result| {
                    let written = &mut result.output;
                    unread.merge(std::mem::take(&mut written.unread));
                    cut::counts().left_out += written.left_out;
                    Ok(out.write_all(&written.text)?)
                },
            )
        })?;
        Ok(chooser
            .or_none(&self.inputs, exit)
            .or(unread.print_summary()))
    }
}
