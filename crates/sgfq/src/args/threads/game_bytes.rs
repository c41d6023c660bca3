//! Games that workers read, for a command that takes them one after another.

use sgfstream_engine::{Out, Sending, empty_again};
use sgfstream_table::games::{GameCursor, Kept};
use sgfstream_table::row::RowBuilder;

use super::{ANSWER, Output, Pool, answer, each_game};
use crate::args::input::Inputs;
use crate::args::where_games::Chooser;
use crate::report::exit::Exit;

/// Games of an output: a note takes memory beside the bytes.
const GAMES: usize = 4096;

/// Bytes of the games of a part.
#[derive(Default)]
struct GameBytes {
    bytes: Vec<u8>,
    /// Where each game begins, and its note. Bytes before the first belong to the last game of the output before.
    games: Vec<(usize, Vec<u8>)>,
}

impl Output for GameBytes {
    fn emptied(mut self) -> Option<Self> {
        empty_again(&mut self.bytes);
        self.games.clear();
        Some(self)
    }

    fn is_full(&self) -> bool {
        self.games.len() >= GAMES
    }
}

impl Inputs {
    /// Gives `each` the bytes of the games that `chooser` chooses, a newline after each game, in the order of the inputs. With
    /// the first bytes of a game comes the note that `note` wrote about it; long games come in several calls. `is_whole`:
    /// notes have numbers that are known only where entries are read whole.
    pub(crate) fn each_game_bytes(
        &self,
        pool: &Pool,
        chooser: &Chooser,
        is_whole: bool,
        builder: impl Fn() -> RowBuilder + Sync,
        note: impl Fn(&mut GameCursor<'_>, &mut Vec<u8>) -> anyhow::Result<()> + Sync,
        mut each: impl FnMut(Option<&mut Vec<u8>>, &[u8]) -> anyhow::Result<()>,
    ) -> anyhow::Result<Exit> {
        let job = each_game(chooser, builder, Kept::Games, |game, _, out: &mut Out<'_, GameBytes>| {
            let mut noted = Vec::new();
            note(game, &mut noted)?;
            let start = out.bytes.len();
            out.games.push((start, noted));
            game.write_line(&mut Sending::new(out, |out| &mut out.bytes))
        });
        let engine = self.how.engine().with_cut(chooser.cut(ANSWER.whole_if(is_whole)));
        answer(pool, self, engine, false, &job, |unit| {
            let Some(GameBytes { bytes, games }) = &mut unit.output else { return Ok(()) };
            let mut games = games.iter_mut().peekable();
            let first = games.peek().map_or(bytes.len(), |(start, _)| *start);
            if first > 0 {
                each(None, &bytes[..first])?;
            }
            while let Some((start, note)) = games.next() {
                let end = games.peek().map_or(bytes.len(), |(start, _)| *start);
                // A game that is too long has no bytes.
                if end > *start {
                    each(Some(note), &bytes[*start..end])?;
                }
            }
            Ok(())
        })
    }
}
