//! Reads what the games of an index say about a position.

use std::cmp::Reverse;

use sgfstream_game::Facts;
use sgfstream_table::filter::Filter;
use sgfstream_table::find::Query;

use super::answer_error::AnswerError;
use super::cores::{Cores, SearchContext};
use crate::Store;
use crate::remarks::RemarkText;

/// Maximum number of games read for a position, the newest first.
const GAMES: usize = 500;

/// Maximum number of remarks of a position.
const REMARKS: usize = 2000;

/// What the games of an index say about a position, the newest games first.
#[derive(Debug, Default)]
pub(crate) struct RemarkList {
    /// Number of games that say something, and of those that were read.
    pub(crate) games: usize,
    pub(crate) read: usize,
    /// Remarks with the numbers of their games.
    pub(crate) remarks: Vec<(u32, RemarkText)>,
}

impl RemarkList {
    /// Returns the approximate bytes of the list in a cache.
    pub(crate) fn bytes(&self) -> usize {
        let texts: usize = self
            .remarks
            .iter()
            .map(|(_, remark)| remark.comment.as_ref().map_or(0, String::len))
            .sum();
        texts + 2 * size_of_val(&*self.remarks)
    }
}

/// Reads the remarks about the position of `query` in `games`, which are candidates of `query`.
pub(super) fn read<S: Store + Sync>(
    context: &SearchContext<'_, S, impl Cores>,
    query: &Query,
    games: Vec<u32>,
) -> Result<RemarkList, AnswerError> {
    let index = context.index;
    let count = games.len();
    let mut dated = Vec::with_capacity(count);
    index.locate(games, None, |game, facts, _| {
        dated.push((Reverse(facts.day), game));
        Ok(())
    })?;
    dated.sort_unstable();
    dated.truncate(GAMES);
    let games: Vec<u32> = dated.iter().map(|(_, game)| *game).collect();
    let filter = Filter::default().following(query.clone());
    let runs = context.each(&games, |run| {
        let (mut found, mut filled) = (Vec::new(), filter.row(RemarkText::columns()));
        let mut stored = index.games();
        for &game in run {
            if stored.read(game)?.is_none() {
                continue;
            }
            let facts = Facts::of(stored.game.record(), filled.infos());
            filled.fill(&facts);
            found.extend(
                RemarkText::of_game(&filled, &facts)
                    .into_iter()
                    .map(|remark| (game, remark)),
            );
        }
        Ok(found)
    })?;
    Ok(RemarkList {
        games: count,
        read: games.len(),
        remarks: runs.into_iter().flatten().take(REMARKS).collect(),
    })
}
