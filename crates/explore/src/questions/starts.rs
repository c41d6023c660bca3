//! Starts of the games of an archive, as the page lists them.

use std::io;

use sgfstream_adapt::stats::BoardId;
use sgfstream_game::Facts;

use super::explorer::Explorer;
use super::replies::StartReply;
use super::spelling;
use crate::{Index, Store};

impl<S: Store, C> Explorer<S, C> {
    /// Returns the starts of the games, read once.
    pub(super) fn starts(&self) -> io::Result<&[StartReply]> {
        if let Some(starts) = self.starts.get() {
            return Ok(starts);
        }
        let starts = read(&self.index)?;
        Ok(self.starts.get_or_init(|| starts))
    }
}

fn read(index: &Index<impl Store>) -> io::Result<Vec<StartReply>> {
    let mut starts = Vec::new();
    for row in index.starts()? {
        let moves = if row.is_usual {
            Some(String::new())
        } else if row.setups > 1 {
            None
        } else {
            index.game(row.example)?.and_then(|game| spelling::of_start(&Facts::of(game.record(), 0)))
        };
        starts.push(StartReply {
            board: BoardId::of_dialect(&index.dialects()[usize::from(row.board)]).to_string(),
            handicap: row.handicap,
            black: row.black,
            white: row.white,
            games: row.games,
            setups: row.setups,
            moves,
            example: row.example,
        });
    }
    Ok(starts)
}
