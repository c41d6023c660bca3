//! Bytes of games that workers read in parallel, for a command that handles one game after another.

use sgfstream::parallel::PartReader;
use sgfstream_engine::{Out, OutputWriter};
use sgfstream_table::row::{FilledRow, RowReader};

use super::{ANSWER, Output, OutputTiming, Pool, each_part, hand_out_if_full, read};
use crate::args::input::Inputs;
use crate::args::where_games::Chooser;
use crate::report::exit::Exit;

/// Maximum games of an output, because each note takes memory beside the bytes.
const GAMES: usize = 4096;

/// Games of a part, with their notes.
struct GameBytes<N> {
    bytes: Vec<u8>,
    /// Start and note of each game. Bytes before the first start belong to the last game of the
    /// previous output.
    games: Vec<(usize, N)>,
}

impl<N> Default for GameBytes<N> {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            games: Vec::new(),
        }
    }
}

impl<N: Send + 'static> Output for GameBytes<N> {
    fn text(&mut self) -> Option<&mut Vec<u8>> {
        Some(&mut self.bytes)
    }

    fn is_full(&self) -> bool {
        self.games.len() >= GAMES
    }
}

impl Inputs {
    /// Passes the bytes of each selected game to `each`, with a newline after the game, in the
    /// order of the inputs. The first call for a game also has the note that `note` made of the
    /// game; a long game takes several calls.
    pub(crate) fn each_game_bytes<N: Send + 'static>(
        &self,
        pool: &Pool,
        chooser: &Chooser,
        row: impl Fn() -> FilledRow + Sync,
        note: impl Fn(&RowReader<'_, PartReader<'_>>) -> N + Sync,
        mut each: impl FnMut(Option<N>, &[u8]) -> anyhow::Result<()>,
    ) -> anyhow::Result<Exit> {
        let job = each_part(row, |filled, part, out: &mut Out<'_, GameBytes<N>>| {
            let mut rows = RowReader::of_part(part, filled)?;
            while chooser.next_whole(&mut rows)? {
                let start = out.bytes.len();
                out.games.push((start, note(&rows)));
                rows.write_line(&mut OutputWriter::new(out, |out| &mut out.bytes))?;
                if !hand_out_if_full(out) {
                    break;
                }
            }
            Ok(rows.end()?)
        });
        let engine = self.how.engine().with_part_size(ANSWER);
        read(
            pool,
            self,
            engine,
            OutputTiming::Streamed { is_shown: false },
            &job,
            |result| {
                let GameBytes { bytes, games } = &mut result.output;
                let mut games = games.drain(..).peekable();
                let first = games.peek().map_or(bytes.len(), |(start, _)| *start);
                if first > 0 {
                    each(None, &bytes[..first])?;
                }
                while let Some((start, note)) = games.next() {
                    let end = games.peek().map_or(bytes.len(), |(start, _)| *start);
                    each(Some(note), &bytes[start..end])?;
                }
                Ok(())
            },
        )
    }
}
