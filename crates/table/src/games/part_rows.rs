//! Rows of the games of a part.

use std::io::Write;

use sgfstream::Result;
use sgfstream_engine::{Part, PartEnd, PartReader, WorkerState};

use crate::row::{FilledRow, RowReader, write_complete};

impl WorkerState for FilledRow {
    fn needs_whole_entries(&self) -> bool {
        self.needs_whole_entries
    }
}

impl<'f, 'e> RowReader<'f, PartReader<'e>> {
    /// Returns a reader of the rows of a part, before its first game.
    ///
    /// # Errors
    ///
    /// Returns an error if reading up to a requested game fails.
    pub fn of_part(part: Part<'e>, filled: &'f mut FilledRow) -> Result<Self> {
        let mut rows = Self::new_of_part(part, filled);
        rows.games_mut().reader_mut().skip_to_game()?;
        Ok(rows)
    }

    /// Returns a reader of the rows of a part that [keeps the bytes around
    /// games](sgfstream::record::GameReader::keeping_context).
    #[must_use]
    pub fn of_part_in_context(part: Part<'e>, filled: &'f mut FilledRow) -> Self {
        Self::new_of_part(part, filled).keeping_context()
    }

    fn new_of_part(part: Part<'e>, filled: &'f mut FilledRow) -> Self {
        let name = part.name();
        filled.set_input(name.source().into_owned(), name.member_text());
        Self::new(part.reader(), filled)
    }

    /// Ends the part after its last game.
    ///
    /// # Errors
    ///
    /// Returns an error if reading the bytes after the last game fails.
    pub fn end(mut self) -> Result<PartEnd> {
        let (long_games, unsearched) = (self.take_long_games(), self.unsearched());
        Ok(self
            .into_inner()
            .finish()?
            .with_long_games(long_games)
            .with_unsearched(unsearched))
    }

    /// Reads the rest of the current game, and writes its bytes with the characters that a complete
    /// game needs and a newline. Writes a game that is too long as it is, if the reader
    /// [keeps](Self::keeping_long_games) it; else returns false.
    ///
    /// # Errors
    ///
    /// Returns an error if reading or `out` fails.
    pub fn write_line(&mut self, out: &mut dyn Write) -> anyhow::Result<bool> {
        self.games_mut().read_rest()?;
        if let Some(game) = self.game() {
            write_complete(&game, out)?;
        } else {
            self.note_long_game();
            if !self.games().keeps_long_games() {
                return Ok(false);
            }
            let span = self.games().span();
            self.games().reader().copy(span.start..span.end, out)?;
        }
        out.write_all(b"\n")?;
        Ok(true)
    }
}
