//! Starts of the games of an archive, as the page lists them.

use std::io;

use sgfstream_adapt::stats::BoardId;
use sgfstream_game::{Facts, Side};

use super::cores::Cores;
use super::explorer::Explorer;
use super::replies::StartReply;
use super::spelling;
use crate::{Index, Store};

impl<S: Store, C: Cores> Explorer<S, C> {
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
        let board = BoardId::of_dialect(&index.dialects()[usize::from(row.board)]).to_string();
        let (games, setups, handicap) = (row.games, row.setups, row.handicap);
        let mut start = StartReply {
            board,
            handicap,
            black: 0,
            white: 0,
            games,
            setups,
            moves: None,
        };
        if setups == 1
            && let Some(game) = index.game(row.example)?
            && let Some(board) = spelling::start_of(&Facts::of(game.record(), 0))
        {
            start.moves = spelling::of_board(&board);
            for (_, side) in board.stones() {
                start.black += u16::from(side == Side::Black);
                start.white += u16::from(side == Side::White);
            }
        }
        starts.push(start);
    }
    Ok(starts)
}
