//! Index data of one game, which readers collect from its row.

use sgfstream::record::{GameRecord, TokenKind};
use sgfstream_game::{Dialect, Facts};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::Query;
use sgfstream_table::row::{ColumnSet, FilledRow};

use super::GameFacts;
use super::starts::GameStart;
use crate::parted_game::is_parted;

/// Index data of one game.
#[derive(Clone, Debug)]
pub struct IndexedGame {
    /// Canonical hashes of the boards of the main line, and of the boards that only variations
    /// have.
    pub(super) boards: Vec<u64>,
    pub(super) variations: Vec<u64>,
    /// Canonical hashes of the boards with remarks in any line.
    pub(super) remarks: Vec<u64>,
    /// Start of the game, if it has a known board.
    pub(super) start: Option<GameStart>,
    pub(super) dialect: Dialect,
    /// Changes of the board on the main line.
    pub(super) changes: Vec<u8>,
    pub(super) facts: GameFacts,
    /// Whether some boards of the main line, or of variations, are unknown.
    pub(super) is_incomplete: bool,
    pub(super) has_unknown_variations: bool,
}

impl IndexedGame {
    /// Returns `filter`, set to collect the index data of the main lines or of all lines. Its row
    /// needs these columns.
    #[must_use]
    pub fn collecting(filter: Filter, in_variations: bool) -> (Filter, ColumnSet) {
        let mut columns = GameFacts::columns();
        columns.extend(GameStart::columns());
        (
            filter.following(Query::boards().variations(in_variations).remarks()),
            columns,
        )
    }

    /// Returns the index data of a game that was read to its end, from its row. `is_transcoded`
    /// says whether its file was transcoded to UTF-8.
    ///
    /// # Panics
    ///
    /// If the row is not of the filter that [`collecting`](Self::collecting) returned.
    #[must_use]
    pub fn of(
        filled: &FilledRow,
        facts: &Facts<'_>,
        in_variations: bool,
        is_transcoded: bool,
    ) -> Self {
        let finder = filled.finder().expect("the filter collects boards");
        let ((boards, lost), (variations, unsearched)) =
            (finder.boards(), finder.boards_of_variations());
        let has_unknown_variations = unsearched > 0;
        Self {
            boards: boards.to_vec(),
            variations: variations.to_vec(),
            remarks: finder.remarked_boards().to_vec(),
            has_unknown_variations,
            changes: finder.changes().to_vec(),
            facts: GameFacts {
                has_variations: has_unknown_variations
                    || in_variations && has_branch(facts.record()),
                is_transcoded,
                is_parted: is_parted(facts),
                ..GameFacts::of(filled.row())
            },
            start: (!boards.is_empty()).then(|| GameStart::of(filled.row(), finder.start())),
            dialect: facts.dialect(),
            is_incomplete: lost > 0,
        }
    }

    /// Returns the bytes of memory that it takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        size_of::<Self>()
            + 8 * (self.boards.len() + self.variations.len() + self.remarks.len())
            + self.changes.len()
    }
}

/// Returns whether a game has a second line. Some programs open a variation for each move although
/// there is only one line. The main line is all of such a game.
fn has_branch(game: GameRecord<'_>) -> bool {
    let after_line = &game.tokens()[game.main_line().len()..];
    after_line
        .iter()
        .any(|token| token.kind() == TokenKind::Open || token.nodes() > 0)
}
