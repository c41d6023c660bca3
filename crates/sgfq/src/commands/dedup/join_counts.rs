//! Joins games with the same main line into one game with the content of all.

use std::io::{self, Write};

use sgfstream::record::GameReader;
use sgfstream::{Options, SliceReader};
use sgfstream_game::Facts;

use crate::commands::merge::{GameInfo, Tree};
use crate::report::exit::note_count;
use crate::report::unread::Unread;

use super::stored_games::StoredGames;

/// Counts of joined games, and of games that could not be joined.
#[derive(Debug, Default)]
pub(super) struct JoinCounts {
    /// Number of games joined with another game.
    pub(super) joined: u64,
    /// Number of properties with different values in the games. The most complete game's value
    /// stays.
    pub(super) differences: u64,
    /// Number of games that are not joined because the result would lose something.
    pub(super) alone: u64,
}

impl JoinCounts {
    /// Writes a game and the `others` of its group as one game.
    ///
    /// `fullest` is the most complete game. It is written unchanged if joining would lose
    /// something: undecodable or unparseable bytes, nodes beyond the memory limit, or starting
    /// positions that are set up in different nodes.
    pub(super) fn write(
        &mut self,
        held: &mut StoredGames,
        fullest: u64,
        mut others: impl FnMut() -> io::Result<Option<u64>>,
        options: Options,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let (mut tree, mut is_unread, mut joined) = (Tree::new(GameInfo::Root), false, 0);
        let (mut game, mut next) = (fullest, others()?);
        while joined > 0 || next.is_some() {
            let options = options
                .with_charset(held.charset(game)?)
                .with_detection(None);
            let mut bytes = Vec::new();
            held.copy(game..game + 1, &mut bytes)?;
            let mut games = GameReader::new(SliceReader::with_options(&bytes, options));
            match games.next_game()? {
                Some(Ok(game)) => {
                    let mut unread = Unread::default();
                    unread.add(&game, "");
                    is_unread |= !unread.is_empty();
                    tree.add(&Facts::of_values(game, 0));
                }
                _ => is_unread = true,
            }
            let Some(other) = next else { break };
            (game, next, joined) = (other, others()?, joined + 1);
        }
        tree.place_game_info();
        if joined == 0 || tree.is_lossy() || is_unread {
            self.alone += u64::from(joined > 0);
            return held.copy(fullest..fullest + 1, out);
        }
        self.joined += joined;
        self.differences += tree.differences();
        Ok(tree.write(out)?)
    }
}

impl JoinCounts {
    /// Reports the counts.
    pub(super) fn print_summary(&self) {
        let Self {
            joined,
            differences,
            alone,
        } = self;
        let counts = [
            (
                *joined,
                "game was merged into another",
                "games were merged into others",
            ),
            (
                *differences,
                "property was left out: the most complete game has another value",
                "properties were left out: the most complete game has other values",
            ),
            (
                *alone,
                "game stays as it is: a join would lose something of it",
                "games stay as they are: a join would lose something of them",
            ),
        ];
        for (count, one, many) in counts {
            note_count(count, one, many);
        }
    }
}
