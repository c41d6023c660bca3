//! Reply about what the games say about a position.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::explorer::Request;
use super::replies::{JudgedMoveReply, SaidReply, SaidRow};
use super::requests::SaidRequest;
use crate::Store;

/// Maximum number of remarks per reply.
const ROWS: u64 = 100;

impl<S: Store + Sync, C: Cores> Request<'_, S, C> {
    /// Returns a part of the remarks about a position, and the judgments of its next moves.
    pub(super) fn said(&self, asked: &SaidRequest) -> Result<SaidReply, AnswerError> {
        let question = self.question(&asked.question);
        let list = self.remarks(&question)?;
        let mut here = Vec::new();
        let mut judged = BTreeMap::new();
        for (game, remark) in &list.remarks {
            if remark.next.is_none() {
                here.push((*game, remark));
            }
            let Some(add) = &remark.add else { continue };
            for judgment in &remark.judgments {
                *judged.entry((add, judgment)).or_insert(0) += 1;
            }
        }
        if asked.longest {
            // The sort is stable, so remarks of equal length stay in the order of their dates.
            here.sort_by_key(|(_, remark)| Reverse(remark.text_len()));
        }
        let count = asked.count.unwrap_or(20).min(ROWS) as usize;
        let mut rows = Vec::new();
        for (id, remark) in here.iter().skip(asked.skip as usize).take(count) {
            rows.push(SaidRow {
                id: *id,
                game: self.index.name(*id)?,
                remark: (*remark).clone(),
            });
        }
        let judged = judged.into_iter().map(|((add, judgment), count)| {
            let (add, judgment) = (add.clone(), judgment.clone());
            JudgedMoveReply {
                add,
                judgment,
                count,
            }
        });
        let command = self
            .command(&question)
            .replace("--variations ", "")
            .replace("--summary", "--said");
        Ok(SaidReply {
            games: list.games,
            read: list.read,
            total: here.len(),
            rows,
            judged: judged.collect(),
            command,
        })
    }
}
