//! State that a root leaves for checking the later nodes of its game. Two roots that leave equal states are followed
//! by the same findings.

use super::context::GameContext;
use super::idents::WORDS;
use super::judge::Judge;
use super::texts::Known;

/// State by which the nodes after a root are judged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AfterRoot {
    context: GameContext,
    charset: Known,
    assumed: bool,
    info_at: Option<u64>,
    reported: [u64; WORDS],
    has_initial_position: bool,
    has_old_list: bool,
    limits: u8,
    last_mover: u8,
}

impl Judge<'_> {
    /// State by which the nodes after the root are judged, at the start of the second node; none if that is too much to be
    /// held.
    pub(super) fn after_root(&self) -> Option<AfterRoot> {
        let Self { context, info_at, has_initial_position, has_old_list, .. } = *self;
        Some(AfterRoot {
            context,
            charset: self.texts.charset,
            assumed: self.texts.assumed,
            info_at,
            reported: self.reported.short()?,
            has_initial_position,
            has_old_list,
            limits: self.report.limits,
            last_mover: self.report.path.last_mover(),
        })
    }
}
