//! `--where`: selects the games that a command reads.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Args;

use sgfstream::record::GameRecord;
use sgfstream_engine::PartReader;
use sgfstream_explore::IndexedGame;
use sgfstream_table::filter::{Filter, PlayerAliases, Selection};
use sgfstream_table::find::Query;
use sgfstream_table::games::GameExtractor;
use sgfstream_table::row::{ColumnSet, FilledRow, RowReader};

use crate::args::input::Inputs;
use crate::report::cut;
use crate::report::exit::Exit;
use crate::report::terminal::quoted;

/// Arguments that select games.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct WhereArgs {
    /// Select the games for which EXPR is true; see `sgfq help expressions`.
    #[arg(id = "where", long, value_name = "EXPR", allow_hyphen_values = true)]
    text: Option<String>,

    /// Read the names of players from FILE; see `sgfq help expressions`.
    #[arg(long, value_name = "FILE")]
    aliases: Option<PathBuf>,
}

/// Maximum bytes of a file of aliases.
const ALIASES_MAX: u64 = 64 << 20;

impl WhereArgs {
    /// Returns the filter of the expression.
    pub(crate) fn filter(&self) -> anyhow::Result<Option<Filter>> {
        let filter = self.expanded()?.as_deref().map(Filter::parse).transpose();
        let filter = filter.map_err(|err| anyhow::anyhow!("--where: {err}"))?;
        cut::add_queries(filter.iter().flat_map(Filter::queries));
        Ok(filter)
    }

    /// Returns the expression, in which each player's name matches all aliases.
    pub(crate) fn expanded(&self) -> anyhow::Result<Option<String>> {
        let aliases = self.aliases()?;
        let expanded = self
            .text
            .as_deref()
            .map(|text| aliases.expand(text))
            .transpose();
        expanded.map_err(|err| anyhow::anyhow!("--where: {err}"))
    }

    /// Returns the aliases in the file of `--aliases`. Returns an empty map without the option.
    pub(crate) fn aliases(&self) -> anyhow::Result<PlayerAliases> {
        let Some(path) = &self.aliases else {
            return Ok(PlayerAliases::default());
        };
        let shown = || format!("--aliases: {}", path.display());
        let len = path.metadata().with_context(shown)?.len();
        anyhow::ensure!(
            len <= ALIASES_MAX,
            "{}: the file is larger than 64 MiB: {len} bytes",
            shown()
        );
        let text = std::fs::read_to_string(path).with_context(shown)?;
        PlayerAliases::parse(&text).map_err(|err| anyhow::anyhow!("{}: {err}", shown()))
    }

    /// Returns the option as shell words.
    pub(crate) fn words(&self) -> String {
        let aliases = self
            .aliases
            .iter()
            .map(|path| format!(" --aliases {}", quoted(&path.to_string_lossy())));
        self.text
            .iter()
            .map(|text| format!(" --where {}", quoted(text)))
            .chain(aliases)
            .collect()
    }

    /// Returns whether there is an expression.
    pub(crate) fn is_given(&self) -> bool {
        self.text.is_some()
    }

    /// Parses the expression.
    pub(crate) fn parse(&self) -> anyhow::Result<Chooser> {
        Ok(Chooser::of(self.filter()?))
    }

    /// Parses the expression for a command that does not read texts. Charsets are then guessed only
    /// if the expression reads texts.
    pub(crate) fn parse_without_text(&self, inputs: &mut Inputs) -> anyhow::Result<Chooser> {
        let chooser = self.parse()?;
        inputs.how.ask_text(chooser.asks_text());
        Ok(chooser)
    }

    /// Returns a chooser that also collects the index data of the selected games, and a builder for
    /// it.
    pub(crate) fn collecting(&self, in_variations: bool) -> anyhow::Result<(Chooser, ColumnSet)> {
        let filter = self.filter()?.unwrap_or_default();
        let (filter, columns) = IndexedGame::collecting(filter, in_variations);
        Ok((Chooser::of(Some(filter)), columns))
    }

    /// Returns a chooser of the selected games that also follows their lines with `query`.
    pub(crate) fn following(&self, query: Query) -> anyhow::Result<Chooser> {
        let filter = self.filter()?.unwrap_or_default().following(query);
        cut::add_queries(filter.queries());
        Ok(Chooser::of(Some(filter)))
    }

    /// Returns a chooser of the selected games in which `query` matches.
    pub(crate) fn finding(&self, query: Query) -> anyhow::Result<Chooser> {
        let filter = Filter::finding(query, self.expanded()?.as_deref());
        let filter = filter.map_err(|err| anyhow::anyhow!("--where: {err}"))?;
        cut::add_queries(filter.queries());
        Ok(Chooser::of(Some(filter)))
    }
}

/// Selects games with a filter. Without a filter, it selects all games.
pub(crate) struct Chooser {
    filter: Option<Filter>,
    /// Whether a game was selected.
    has_chosen: AtomicBool,
}

impl Chooser {
    fn of(filter: Option<Filter>) -> Self {
        Self {
            filter,
            has_chosen: AtomicBool::new(false),
        }
    }

    /// Converts it to a reader of the bytes of the selected games.
    pub(crate) fn into_choosing(self) -> GameExtractor {
        GameExtractor {
            filter: self.filter,
            ..GameExtractor::default()
        }
    }

    /// Returns whether there is no filter.
    pub(crate) fn chooses_all(&self) -> bool {
        self.filter.is_none()
    }

    /// Returns whether the filter reads texts.
    pub(crate) fn asks_text(&self) -> bool {
        self.filter.as_ref().is_some_and(Filter::asks_text)
    }

    /// Returns the exit status of a run over these inputs: `exit`, or at least 1 if no game was
    /// selected.
    pub(crate) fn or_none(&self, inputs: &Inputs, exit: Exit) -> Exit {
        inputs.or_none(
            exit,
            self.chooses_all() || self.has_chosen.load(Ordering::Relaxed),
        )
    }

    /// Returns the output columns together with the columns that the filter needs.
    pub(crate) fn select(&self, columns: &str) -> anyhow::Result<Selection> {
        let selection = Selection::parse(columns, self.filter.as_ref());
        selection.map_err(|err| match Path::new(columns).exists() {
            true => anyhow::Error::new(err).context("write the columns before the inputs"),
            false => err.into(),
        })
    }

    /// Same as [`select`](Self::select), for an output of one column.
    pub(crate) fn select_one(&self, column: &str) -> anyhow::Result<Selection> {
        let selection = self.select(column)?;
        let found = selection.columns().len();
        anyhow::ensure!(
            found == 1,
            "expected one column, found {found}; to join two, write `pb || ' ' || pw`"
        );
        Ok(selection)
    }

    /// Returns an empty row with the columns that the filter needs, and with `more`.
    pub(crate) fn row(&self, more: ColumnSet) -> FilledRow {
        match &self.filter {
            Some(filter) => filter.row(more),
            None => FilledRow::new(more),
        }
    }

    /// Moves to the next selected game. Returns false at the end.
    pub(crate) fn next(&self, rows: &mut RowReader<'_, PartReader<'_>>) -> anyhow::Result<bool> {
        let is_found = rows.next_chosen(self.filter.as_ref())?;
        self.has_chosen.fetch_or(is_found, Ordering::Relaxed);
        Ok(is_found)
    }

    /// Returns the next selected game, read to its end, or `None` at the end. Passes over games
    /// that are too long.
    pub(crate) fn next_game<'r>(
        &self,
        rows: &'r mut RowReader<'_, PartReader<'_>>,
    ) -> anyhow::Result<Option<GameRecord<'r>>> {
        let is_found = self.next_whole(rows)?;
        Ok(rows.game().filter(|_| is_found))
    }

    /// Moves to the next selected game and reads it to its end. Passes over games that are too
    /// long. Returns false at the end.
    pub(crate) fn next_whole(
        &self,
        rows: &mut RowReader<'_, PartReader<'_>>,
    ) -> anyhow::Result<bool> {
        while self.next(rows)? {
            if rows.read_rest()?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the game whose reading failed, as far as it was read. Without all of a game, a
    /// filter does not select it.
    pub(crate) fn partial_game<'r>(
        &self,
        rows: &'r RowReader<'_, PartReader<'_>>,
    ) -> Option<GameRecord<'r>> {
        rows.game()
            .filter(|game| self.chooses_all() && !game.tokens().is_empty())
    }

    /// Returns whether the game is selected. Reads beyond the root if the filter needs it. A game
    /// that is too long is not.
    pub(crate) fn chooses(&self, rows: &mut RowReader<'_, PartReader<'_>>) -> anyhow::Result<bool> {
        let is_chosen = match &self.filter {
            Some(filter) => rows.decide(filter)? == Some(true),
            None => true,
        };
        self.has_chosen.fetch_or(is_chosen, Ordering::Relaxed);
        Ok(is_chosen)
    }
}
