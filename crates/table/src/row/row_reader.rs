//! Reader of games that fills a row for each.

use sgfstream::record::{GameReader, GameRecord};
use sgfstream::{EventReader, Result};
use sgfstream_game::{Facts, internal::FactPlaces};

use crate::filter::Filter;

use super::probe::ProbeReach;
use super::{Column, FilledRow, GameRow};

/// Nodes to read at a time while the facts of a game are not settled, or a question is not
/// answered. Then the rest follows.
const STEPS: [usize; 3] = [1, 80, 4096];

/// Reader of games that fills a row for each. It reads only as much of a game as the row needs.
///
/// A game that does not fit the budget ([`Limits::game`](sgfstream::Limits::game)) has no row. The
/// reader skips it, and [`take_long_games`](Self::take_long_games) names it.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_table::row::{Column, ColumnSet, FilledRow, RowReader};
///
/// let input = b"(;PB[Go Seigen];B[aa];W[bb])(;PB[Kitani];B[cc])";
/// let wanted =
///     ColumnSet::of(["pb", "moves"].map(|name| Column::find(name).expect("a column")));
/// let mut filled = FilledRow::new(wanted);
/// let mut rows = RowReader::new(SliceReader::new(input), &mut filled);
/// let mut moves = 0;
/// while rows.next_root()? {
///     // The reader skips the rest of a game unless you ask for it.
///     if rows.row().pb.as_deref() != Some("Kitani")
///         && let Some(filled) = rows.finish_row()?
///     {
///         moves += filled.row().moves.expect("it was wanted");
///     }
/// }
/// assert_eq!(moves, 2);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct RowReader<'f, R> {
    games: GameReader<R>,
    filled: &'f mut FilledRow,
    /// Facts of the game that is being read.
    places: Option<FactPlaces>,
    long_games: Vec<u64>,
    /// Whether a filter rejected the game, whatever the parts have that were not searched.
    is_refused: bool,
    /// Number of places that were not searched in the games before the current one.
    unsearched: u64,
}

impl<'f, R: EventReader> RowReader<'f, R> {
    /// Returns a reader that fills `filled`.
    pub fn new(reader: R, filled: &'f mut FilledRow) -> Self {
        let games = GameReader::new(reader);
        Self {
            games,
            filled,
            places: None,
            long_games: Vec::new(),
            is_refused: false,
            unsearched: 0,
        }
    }

    /// Keeps all bytes from the end of the last game on, also the bytes of games that are too long;
    /// see [`GameReader::keeping_all_bytes`] and [`keeping_long_games`](Self::keeping_long_games).
    #[must_use]
    pub fn keeping_all_bytes(self) -> Self {
        Self {
            games: self.games.keeping_all_bytes(),
            ..self
        }
    }

    /// Keeps the bytes between a game and the game before it.
    pub(crate) fn keeping_context(self) -> Self {
        Self {
            games: self.games.keeping_context(),
            ..self
        }
    }

    /// Keeps the bytes of games that are too long, so that they can be written. The reader then
    /// stops at them, too; they have no [facts](Self::facts).
    #[must_use]
    pub fn keeping_long_games(self) -> Self {
        Self {
            games: self.games.keeping_long_games(),
            ..self
        }
    }

    /// Moves to the next game and reads its root, and further nodes if the facts of the game depend
    /// on them. Fills the columns of the root. Returns false at the end.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn next_root(&mut self) -> Result<bool> {
        self.next_game(1)
    }

    /// Moves to the next game that `filter` selects, or to the next game without a filter. Returns
    /// false at the end.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn next_chosen(&mut self, filter: Option<&Filter>) -> Result<bool> {
        let Some(filter) = filter else {
            return self.next_game(if self.filled.needs_nodes() {
                usize::MAX
            } else {
                1
            });
        };
        while self.next_root()? {
            if self.decide(filter)? == Some(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the row of the next game that is not too long, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn next_row(&mut self) -> Result<Option<&GameRow>> {
        while self.next_chosen(None)? {
            if self.finish_row()?.is_some() {
                return Ok(Some(self.row()));
            }
        }
        Ok(None)
    }

    /// Reads as much of the game as the row needs, and skips the rest. Returns `None` if the game
    /// is too long.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn finish_row(&mut self) -> Result<Option<&FilledRow>> {
        let is_complete = !self.filled.needs_nodes() && self.filled.probes.is_settled();
        if is_complete {
            self.games.skip_rest()?;
            if self.games.is_long() {
                self.note_long_game();
                return Ok(None);
            }
            self.filled.row.length = Some(self.games.span().len() as i64);
            return Ok(Some(self.filled));
        }
        self.read_rest()
    }

    /// Reads the whole game, so that its row is complete and [`game`](Self::game) has all of its
    /// bytes. Returns `None` if the game is too long.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn read_rest(&mut self) -> Result<Option<&FilledRow>> {
        self.games.read_rest()?;
        Ok(if self.fill_rest() {
            Some(self.filled)
        } else {
            None
        })
    }

    /// Reads on to the end of the main line. Returns the facts of the game, or `None` if it is too
    /// long.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn read_main_line(&mut self) -> Result<Option<Facts<'_>>> {
        self.games.read_main_line()?;
        if self.games.game().is_none() {
            self.note_long_game();
        }
        Ok(self.facts())
    }

    /// Returns whether the filter selects the game. Reads on if the root is not enough. Returns
    /// `None` if the game is too long.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn decide(&mut self, filter: &Filter) -> Result<Option<bool>> {
        if self.places.is_none() {
            return Ok(None);
        }
        let mut verdict = filter.verdict_of(self.filled, false);
        if verdict.is_none()
            && !self.filled.needs_nodes()
            && !filter.columns().any(Column::is_at_end)
        {
            match self.filled.probes.reach() {
                ProbeReach::Start => self.games.read_nodes(STEPS[1])?,
                // A search begins at the root each time, so that it costs more than reading.
                ProbeReach::MainLine => self.games.read_main_line()?,
                ProbeReach::Tree => self.games.read_rest()?,
            }
            if !self.fill_rest() {
                return Ok(None);
            }
            verdict = filter.verdict_of(self.filled, self.filled.probes.is_settled());
        }
        if verdict.is_none() {
            if self.read_rest()?.is_none() {
                return Ok(None);
            }
            verdict = filter.verdict_of(self.filled, true);
        }
        let is_chosen = verdict.unwrap_or(false);
        self.is_refused =
            !is_chosen && self.filled.unsearched() > 0 && filter.is_false_of(self.filled);
        Ok(Some(is_chosen))
    }

    /// Reads the next game up to this number of nodes, and further until its facts are settled.
    /// Skips games that are too long and not kept. Returns false at the end.
    fn next_game(&mut self, nodes: usize) -> Result<bool> {
        loop {
            self.unsearched = self.unsearched();
            (self.places, self.is_refused) = (None, false);
            if !self.games.next_nodes(nodes)? {
                return Ok(false);
            }
            if self.read_facts()? {
                return Ok(true);
            }
            self.note_long_game();
            if self.games.keeps_long_games() {
                return Ok(true);
            }
        }
    }

    /// Reads on until the facts of the game are settled, and fills the columns of the root. Returns
    /// false if the game is too long.
    fn read_facts(&mut self) -> Result<bool> {
        let Some(game) = self.games.game() else {
            return Ok(false);
        };
        let facts_of = if self.filled.needs_game {
            Facts::of
        } else {
            Facts::of_values
        };
        let mut facts = facts_of(game, self.filled.infos());
        let mut steps = STEPS.into_iter();
        while !facts.is_settled() {
            let places = facts.into_places();
            self.games.read_nodes(steps.next().unwrap_or(usize::MAX))?;
            let Some(game) = self.games.game() else {
                return Ok(false);
            };
            facts = places.extend(game);
        }
        self.filled.fill_root(&facts);
        // Fill the rest of the row now, unless the row is complete, or a column or a search needs
        // later nodes.
        if !self.filled.is_complete
            && !self.filled.needs_nodes()
            && self.filled.probes.reach() == ProbeReach::Start
        {
            self.filled.fill_rest(&facts);
        }
        self.places = Some(facts.into_places());
        Ok(true)
    }

    /// Fills the rest of the row from as much of the game as was read. Returns false if the game is
    /// too long.
    fn fill_rest(&mut self) -> bool {
        let (Some(places), Some(game)) = (self.places.take(), self.games.game()) else {
            self.note_long_game();
            return false;
        };
        let facts = places.extend(game);
        self.filled.fill_rest(&facts);
        self.places = Some(facts.into_places());
        true
    }

    /// Notes that the current game is too long.
    pub(crate) fn note_long_game(&mut self) {
        self.places = None;
        if self.long_games.last() != Some(&self.games.number()) {
            self.long_games.push(self.games.number());
        }
    }

    /// Returns the current game as far as it was read, or `None` if it was skipped or is too long.
    #[must_use]
    pub fn game(&self) -> Option<GameRecord<'_>> {
        self.games.game()
    }

    /// Returns the facts of the current game, if it [was read](Self::game).
    #[must_use]
    pub fn facts(&self) -> Option<Facts<'_>> {
        Some(self.places.clone()?.extend(self.games.game()?))
    }

    /// Returns the row as far as it is known.
    #[must_use]
    pub fn row(&self) -> &GameRow {
        self.filled.row()
    }

    /// Returns the row with the answers, as far as they are known.
    #[must_use]
    pub fn filled(&self) -> &FilledRow {
        self.filled
    }

    /// Returns the number of places of all games so far that were not searched; see
    /// [`FilledRow::unsearched`]. Places of a game that the filter rejects regardless of them do
    /// not count.
    #[must_use]
    pub fn unsearched(&self) -> u64 {
        let has_game = self.places.is_some() && !self.is_refused;
        self.unsearched
            + if has_game {
                self.filled.unsearched()
            } else {
                0
            }
    }

    /// Returns the reader of games.
    #[must_use]
    pub fn games(&self) -> &GameReader<R> {
        &self.games
    }

    /// Returns the reader of games. Reading games from it leaves rows out.
    pub fn games_mut(&mut self) -> &mut GameReader<R> {
        &mut self.games
    }

    /// Takes the numbers of the games that were too long.
    #[must_use]
    pub fn take_long_games(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.long_games)
    }

    /// Returns the reader of events.
    pub fn into_inner(self) -> R {
        self.games.into_inner()
    }
}
