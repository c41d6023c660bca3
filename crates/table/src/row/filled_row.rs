//! Rows of games.

use sgfstream::record::TokenKind;
use sgfstream_game::{
    Coordinates, Facts,
    internal::{Key, Opening},
};

use crate::find::{Finder, Hit};

use super::game_row::{TextOf, at};
use super::line_hash::LineHasher;
use super::main_line::fill_main_line;
use super::root_cells::infos;
use super::{Column, ColumnSet, GameRow, LineMoves, Probes};

/// Row of a game, and the answers to questions about it, with the columns and questions and with
/// memory for the next game.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_game::Facts;
/// use sgfstream_table::row::{ColumnSet, FilledRow};
///
/// let mut games = GameReader::new(SliceReader::new(b"(;PB[Ada];B[aa];W[bb])(;PB[Ben])"));
/// let mut filled = FilledRow::new(ColumnSet::all());
/// let mut rows = Vec::new();
/// while let Some(game) = games.next_game()? {
///     filled.fill(&Facts::of(game.expect("it is short"), filled.infos()));
///     rows.push((filled.row().pb.clone(), filled.row().moves));
/// }
/// assert_eq!(rows, [(Some("Ada".to_owned()), Some(2)), (Some("Ben".to_owned()), Some(0))]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// A [`RowReader`](super::RowReader) reads only as much of each game as its row needs.
#[derive(Debug)]
pub struct FilledRow {
    pub(super) columns: ColumnSet,
    pub(super) texts: Vec<(usize, TextOf)>,
    infos: u32,
    needs_nodes: bool,
    /// Whether a column or question depends on which game it is, so that the moves of a game without
    /// `GM` are examined.
    pub(crate) needs_game: bool,
    /// Whether the values of a part of an entry are not enough: a condition or an expression uses
    /// the number of a game, or problems before its game.
    pub(crate) needs_whole_entries: bool,
    pub(super) coordinates: Coordinates,
    /// The questions and their answers.
    pub(crate) probes: Probes,
    pub(super) row: GameRow,
    pub(super) is_damaged: bool,
    /// Whether the row and the answers have all that the columns and questions ask.
    pub(super) is_complete: bool,
    /// Strings of earlier rows.
    pub(super) spare: Vec<String>,
    pub(super) hasher: Option<Box<LineHasher>>,
}

impl Default for FilledRow {
    fn default() -> Self {
        Self::new(ColumnSet::default())
    }
}

impl FilledRow {
    /// Returns an empty row with these columns.
    #[must_use]
    pub fn new(columns: ColumnSet) -> Self {
        Self::with_probes(columns, Probes::default())
    }

    /// Returns an empty row with these columns and questions.
    #[must_use]
    pub(crate) fn with_probes(columns: ColumnSet, probes: Probes) -> Self {
        let canonical = columns.contains_index(at::canonical_hash);
        let is_hashed = canonical || columns.contains_index(at::hash);
        Self {
            columns,
            texts: columns
                .columns()
                .filter_map(|column| Some((column.index(), column.text_of?)))
                .collect(),
            infos: infos(columns),
            needs_nodes: columns.any(Column::is_in_nodes),
            needs_game: columns.any(Column::is_of_game) || !probes.is_empty(),
            needs_whole_entries: false,
            coordinates: Coordinates::Sgf,
            probes,
            row: GameRow::default(),
            is_damaged: false,
            is_complete: false,
            spare: Vec::new(),
            hasher: is_hashed.then(|| Box::new(LineHasher::new(canonical))),
        }
    }

    /// Returns this row with another spelling of moves.
    #[must_use]
    pub fn spelling(mut self, coordinates: Coordinates) -> Self {
        self.coordinates = coordinates;
        self.probes.spell(coordinates);
        self
    }

    /// Returns this row for a caller that uses the values of all columns at once. Other callers add
    /// the counts of earlier parts of the entry later.
    #[must_use]
    pub fn with_final_numbers(self) -> Self {
        let needs_whole_entries = self.columns.any(Column::counts_in_entry);
        self.needing_whole_entries(needs_whole_entries)
    }

    /// Returns this row, which needs whole entries if it did or if `needs_whole_entries`.
    #[must_use]
    pub(crate) fn needing_whole_entries(mut self, needs_whole_entries: bool) -> Self {
        self.needs_whole_entries |= needs_whole_entries;
        self
    }

    /// Returns this row for a caller that needs to know which game it is, whatever the columns ask.
    #[must_use]
    pub(crate) fn with_game(self) -> Self {
        Self {
            needs_game: true,
            ..self
        }
    }

    /// Sets the origin of the next games.
    pub fn set_input(&mut self, source: String, member: Option<String>) {
        (self.row.source, self.row.member) = (Some(source), member);
    }

    /// Returns whether the columns include some that [`set_input`](Self::set_input) fills.
    #[must_use]
    pub fn asks_input(&self) -> bool {
        let columns = [at::key, at::source, at::member, at::reference];
        columns
            .iter()
            .any(|&column| self.columns.contains_index(column))
    }

    /// Returns the game information that the columns need and that may be below the root, for
    /// [`Facts::of`].
    #[must_use]
    pub fn infos(&self) -> u32 {
        self.infos
    }

    /// Returns whether a column needs the nodes after the root.
    #[must_use]
    pub fn needs_nodes(&self) -> bool {
        self.needs_nodes
    }

    /// Fills the row and answers the questions, from as much of the game as was read. Returns
    /// whether both are complete. If not, the columns of nodes are empty, and some questions are
    /// unanswered.
    pub fn fill(&mut self, facts: &Facts<'_>) -> bool {
        self.fill_root(facts);
        self.fill_rest(facts)
    }

    /// Answers the questions, and fills the columns of nodes if the game was read to its end.
    /// Returns whether the row is complete.
    pub(crate) fn fill_rest(&mut self, facts: &Facts<'_>) -> bool {
        let is_whole = facts.record().is_whole();
        if is_whole {
            self.row.length = Some(facts.record().span().len() as i64);
        }
        if self.is_complete {
            return true;
        }
        self.probes.answer(facts, self.coordinates);
        if is_whole && self.needs_nodes {
            self.fill_tree(facts);
            fill_main_line(self, facts);
        }
        self.is_complete = is_whole || !self.needs_nodes && self.probes.is_settled();
        self.is_complete
    }

    /// Fills the columns of the whole tree.
    fn fill_tree(&mut self, facts: &Facts<'_>) {
        let game = facts.record();
        let (mut nodes, mut variations, mut depth, mut deepest, mut comments) = (0, 0, 0, 0, 0);
        for &token in game.tokens() {
            match token.kind() {
                TokenKind::Node | TokenKind::Run => nodes += token.nodes() as u64,
                TokenKind::Open => {
                    (variations, depth) = (variations + 1, depth + 1);
                    deepest = depth.max(deepest);
                }
                TokenKind::Close => depth -= 1,
                TokenKind::Property => {
                    if matches!(Key::of_token(&game, token), Key::C | Key::GC) {
                        let values = game.property(token).values();
                        comments += values
                            .map(|value| value.as_bytes().len() as u64)
                            .sum::<u64>();
                    }
                }
                TokenKind::Move | TokenKind::Problem => {}
            }
        }
        let (errors, warnings) = game.faults();
        let columns = self.columns;
        let count =
            |column: usize, count: u64| columns.contains_index(column).then_some(count as i64);
        let row = &mut self.row;
        row.nodes = count(at::nodes, nodes);
        row.variations = count(at::variations, variations - 1);
        row.depth = count(at::depth, deepest);
        row.comment_bytes = count(at::comment_bytes, comments);
        row.errors = count(at::errors, errors);
        row.warnings = count(at::warnings, warnings);
    }

    /// Returns the row.
    #[must_use]
    #[inline]
    pub fn row(&self) -> &GameRow {
        &self.row
    }

    /// Returns whether a text in the row has bytes that are invalid in the charset of the game.
    /// They became U+FFFD.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Returns the main line of the game, if a hash is among the columns and the line has at most
    /// 131,072 moves.
    #[must_use]
    pub fn line(&self) -> Option<LineMoves> {
        self.hasher
            .as_ref()
            .filter(|hasher| !hasher.is_cut())
            .map(|hasher| LineMoves::of(hasher))
    }

    /// Returns the number of parts of the game that searches did not cover; see [`Finder::cut`]. A
    /// line that is too long for a hash counts as one more.
    #[must_use]
    pub fn unsearched(&self) -> u64 {
        let is_unhashed = self.hasher.as_ref().is_some_and(|hasher| hasher.is_cut());
        self.probes.unsearched() + u64::from(is_unhashed)
    }

    /// Returns the finder of [`Filter::finding`](crate::filter::Filter::finding) or
    /// [`Filter::following`](crate::filter::Filter::following), which has searched the game.
    #[must_use]
    pub fn finder(&self) -> Option<&Finder> {
        self.probes.finder()
    }

    /// Returns the hits in the game; see [`Filter::finding`](crate::filter::Filter::finding).
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        self.finder().map_or(&[], Finder::hits)
    }

    /// Returns the first moves of the game; see [`Finder::opening`].
    #[must_use]
    pub fn opening(&self) -> Option<&Opening> {
        self.finder()?.opening()
    }

    /// Returns the first moves of each line of the game; see [`Finder::openings`].
    #[must_use]
    pub fn openings(&self) -> &[Opening] {
        self.finder().map_or(&[], Finder::openings)
    }
}
