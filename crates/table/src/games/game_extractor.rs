//! A job that writes the bytes of selected games.

use sgfstream_engine::{Job, Out, OutputWriter, Part, PartEnd, empty_again};

use crate::filter::Filter;
use crate::row::{ColumnSet, FilledRow, RowReader};

/// Writes the bytes of the games that a filter selects, each followed by a newline. It is a [`Job`]
/// for an [`Engine`](sgfstream_engine::Engine). If the root of a game already fails the filter, the
/// rest of the game is skipped.
///
/// ```
/// use sgfstream_archive::Input;
/// use sgfstream_engine::Engine;
/// use sgfstream_table::filter::Filter;
/// use sgfstream_table::games::GameExtractor;
///
/// let filter = Some(Filter::parse("game = 2")?);
/// let job = GameExtractor { filter, ..GameExtractor::default() };
/// let mut bytes = Vec::new();
/// Engine::new().run(&[Input::parse("../../corpus/go-collection.sgf")], &job, |outcome| {
///     bytes.extend(&outcome.output.games);
///     Ok(())
/// })?;
/// assert!(bytes.starts_with(b"(;") && bytes.ends_with(b")\n"));
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameExtractor {
    /// Filter that selects games. Without a filter, all games are selected.
    pub filter: Option<Filter>,
    /// Whether the games are selected for which the filter is not true.
    pub is_inverted: bool,
    /// Whether the bytes of rejected games are requested.
    pub has_rejects: bool,
}

/// Selected games of a part.
#[derive(Debug, Default)]
pub struct Extract {
    /// The bytes of the selected games.
    pub games: Vec<u8>,
    /// The bytes of the rejected games, if requested.
    pub rejects: Vec<u8>,
    /// The numbers of selected and of rejected games.
    pub counts: [u64; 2],
}

impl Job for GameExtractor {
    type Worker = FilledRow;
    type Output = Extract;

    fn worker(&self) -> FilledRow {
        self.filter
            .as_ref()
            .map_or_else(FilledRow::default, |filter| {
                filter.row(ColumnSet::default())
            })
    }

    fn output(&self) -> Extract {
        Extract::default()
    }

    fn reuse(&self, mut chosen: Extract) -> Option<Extract> {
        empty_again(&mut chosen.games);
        empty_again(&mut chosen.rejects);
        Some(Extract {
            games: chosen.games,
            rejects: chosen.rejects,
            ..Extract::default()
        })
    }

    fn read(
        &self,
        filled: &mut FilledRow,
        part: Part<'_>,
        chosen: &mut Out<'_, Extract>,
    ) -> anyhow::Result<PartEnd> {
        let mut rows = RowReader::of_part(part, filled)?;
        if self.filter.is_none() {
            rows = rows.keeping_long_games();
        }
        while rows.next_root()? {
            let verdict = self
                .filter
                .as_ref()
                .map_or(Ok(Some(true)), |filter| rows.decide(filter))?;
            let Some(is_true) = verdict else { continue };
            let is_chosen = is_true != self.is_inverted;
            if is_chosen || self.has_rejects {
                let bytes: fn(&mut Extract) -> &mut Vec<u8> = if is_chosen {
                    |chosen| &mut chosen.games
                } else {
                    |chosen| &mut chosen.rejects
                };
                if !rows.write_line(&mut OutputWriter::new(chosen, bytes))? {
                    continue;
                }
            }
            chosen.counts[usize::from(!is_chosen)] += 1;
        }
        Ok(rows.end()?)
    }
}
