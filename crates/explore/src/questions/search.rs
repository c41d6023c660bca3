//! Searches for the games that match a question of the page.

use std::cell::Cell;
use std::io;
use std::sync::Arc;

use sgfstream_adapt::stats::BoardId;
use sgfstream_game::{Coordinates, Side};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{LocateResult, Occurrence, Query};
use sgfstream_table::row::{ColumnSet, FilledRow};

use super::node_text::NodeText;
use crate::record_list::RecordList;
use crate::summary::{self, CountMode, NextMoves};
use crate::{GameFacts, Index, ScratchStore, SortRecord, Store};

/// Question of the page about games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Question {
    /// Position or pattern to search for.
    pub(crate) what: QueryKind,
    /// Filter expression for the games.
    pub(crate) condition: Option<String>,
    pub(crate) swap_colors: bool,
    /// Whether only the same orientation matches.
    pub(crate) exact: bool,
    /// Player who moves next.
    pub(crate) mover: Option<Side>,
    /// Whether variations are searched, too.
    pub(crate) variations: bool,
}

/// Subject of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum QueryKind {
    /// Position after these moves.
    Position(String),
    /// Position after the moves tried at a node of a game.
    Node {
        game: u32,
        path: String,
        moves: String,
    },
    Pattern(String),
    /// No position or pattern: all games match.
    Nothing,
}

impl Default for QueryKind {
    fn default() -> Self {
        Self::Position(String::new())
    }
}

/// Result of a search.
#[derive(Debug)]
pub(crate) struct Answer<S> {
    /// Query of the search, or `None` for all games.
    pub(crate) query: Option<Query>,
    pub(crate) summary: NextMoves,
    /// Matching games, the latest first, and games without a date last.
    pub(crate) hits: Arc<RecordList<MatchedGame, S>>,
}

/// A game that matches a question.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct MatchedGame {
    pub(crate) game: u32,
    /// Number of moves before the match.
    pub(crate) ply: u64,
    /// Number of the board of the match, as [`board_number`] returns it.
    pub(crate) board: u16,
    /// Node that has the searched words or the finding.
    pub(crate) place: Option<NodeText>,
}

impl MatchedGame {
    /// Returns the game of a hit.
    pub(crate) fn of([order, at]: Hit) -> Self {
        Self {
            game: order as u32,
            ply: at >> 16,
            board: at as u16,
            place: None,
        }
    }
}

impl SortRecord for MatchedGame {
    fn append_to(&self, out: &mut Vec<u8>) {
        [self.game.into(), self.ply << 16 | u64::from(self.board)].append_to(out);
        let place = self
            .place
            .as_ref()
            .map(|place| format!("{}\0{}", place.path, place.text));
        place.unwrap_or_default().into_bytes().append_to(out);
    }

    fn memory(&self) -> usize {
        size_of::<Self>()
            + self
                .place
                .as_ref()
                .map_or(0, |place| place.path.len() + place.text.len())
    }

    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let ((hit, place), len) = <(Hit, Vec<u8>)>::parse(bytes)?;
        let place = String::from_utf8_lossy(&place);
        let place = place.split_once('\0');
        let place = place.map(|(path, text)| NodeText {
            path: path.to_owned(),
            text: text.to_owned(),
        });
        let hit = Self::of(hit);
        Some((Self { place, ..hit }, len))
    }
}

/// Returns the number of a board of the index, or a number without a board.
pub(crate) fn board_number(index: &Index<impl Store>, is_meant: impl Fn(BoardId) -> bool) -> u16 {
    let found = index
        .dialects()
        .iter()
        .position(|dialect| is_meant(BoardId::of_dialect(dialect)));
    found.map_or(u16::MAX, |at| at as u16)
}

/// Approximate bytes of a next move with its counts.
const NEXT_MOVE: usize = 256;

impl<S: ScratchStore> Answer<S> {
    /// Returns the approximate bytes of the answer in a cache.
    pub(crate) fn bytes(&self) -> usize {
        let moves: usize = self.summary.all.iter().map(|board| board.rows.len()).sum();
        self.hits.bytes() + moves * NEXT_MOVE
    }
}

/// A matching game as numbers in the order of lists: the game after its day, which begins with the
/// latest one, and the board after the number of moves.
pub(crate) type Hit = [u64; 2];

/// Counting of the next moves for the page.
const COUNTED: CountMode = CountMode {
    in_variations: false,
    coordinates: Coordinates::Sgf,
};

/// Searches a run of the candidates of `query`. Without a query, all of them match. `filter` finds
/// the query in a game that is read.
///
/// For a position or a pattern, most games are not read, because the index contains the changes of
/// their boards and the facts that are counted.
pub(crate) fn run(
    index: &Index<impl Store>,
    query: Option<&Query>,
    filter: &Filter,
    games: impl Iterator<Item = u32>,
) -> io::Result<(NextMoves, Vec<Hit>)> {
    let (mut summary, mut matched) = (NextMoves::default(), Vec::new());
    let mut reader = index.reader(filter, ColumnSet::default());
    index.locate(games, query, |game, facts, located| {
        let Some(query) = query else {
            matched.push([order_of(game, facts), 0]);
            return Ok(());
        };
        let places = match located {
            LocateResult::Unwanted => return Ok(()),
            LocateResult::Here(places) => places,
            LocateResult::Unknown => {
                let hits = reader.read(game)?.map(FilledRow::hits).unwrap_or_default();
                hits.iter().map(Occurrence::of).collect()
            }
        };
        let Some(first) = places.first() else {
            return Ok(());
        };
        matched.push(hit_of(index, game, facts, first));
        let unread = Cell::new(None);
        let name = || {
            index.place(game).unwrap_or_else(|err| {
                unread.set(Some(err));
                None
            })
        };
        summary::add(
            &mut summary,
            query,
            COUNTED,
            facts,
            places.into_iter(),
            name,
        );
        unread.into_inner().map_or(Ok(()), Err)
    })?;
    Ok((summary, matched))
}

fn hit_of(index: &Index<impl Store>, game: u32, facts: GameFacts, first: &Occurrence) -> Hit {
    let board = BoardId::of_dialect(&first.board);
    let number = board_number(index, |known| known == board);
    [order_of(game, facts), first.ply << 16 | u64::from(number)]
}

/// Returns the number of a game after its day, which begins with the latest one.
fn order_of(game: u32, facts: GameFacts) -> u64 {
    u64::from(u32::MAX - facts.day) << 32 | u64::from(game)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::MemoryStore;
    use sgfstream::{Options, SliceReader};
    use sgfstream_table::find::position_in;

    use super::*;
    use crate::ArchiveReader;
    use crate::summary::in_order;

    fn index() -> Index<MemoryStore> {
        let mut reader = ArchiveReader::new(Options::default());
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        let mut files: Vec<_> = corpus
            .read_dir()
            .expect("a folder")
            .map(|entry| entry.expect("a file").path())
            .collect();
        files.sort();
        for file in files
            .iter()
            .filter(|file| file.extension().is_some_and(|extension| extension == "sgf"))
        {
            let bytes = std::fs::read(file).expect("a file");
            reader
                .read(&file.display().to_string(), &bytes[..], |_| {})
                .expect("memory takes all");
        }
        reader.finish(Vec::new()).expect("an index").index
    }

    /// Games that are not read are counted like games that are read.
    #[test]
    fn games_that_are_not_read_count_the_same() {
        let (index, mut found) = (index(), 0);
        let all: Vec<u32> = (0..index.len()).collect();
        let plies = [0, 2, 20];
        for (game, ply) in all
            .iter()
            .step_by(2)
            .flat_map(|game| plies.map(|ply| (*game, ply)))
        {
            let read = index.game(game).expect("memory").expect("a game");
            let Ok(Some(board)) =
                position_in(SliceReader::new(read.record().as_bytes()), Some(ply))
            else {
                continue;
            };
            for mover in [None, Some(Side::White)] {
                let query = Query::position(board.clone())
                    .swap_colors(game % 2 == 0)
                    .mover(mover)
                    .all();
                let filter = Filter::finding(query.clone(), None).expect("no condition");
                let shown = |(summary, hits): (NextMoves, Vec<Hit>)| {
                    let boards = summary.all.iter();
                    let boards = boards.map(|board| {
                        format!("{} {:?} {:?}", board.board, board.tally, in_order(board))
                    });
                    (boards.collect::<Vec<_>>(), hits)
                };
                let mut read = (NextMoves::default(), Vec::new());
                let mut reader = index.reader(&filter, ColumnSet::default());
                let counted = index.locate(all.iter().copied(), None, |game, facts, _| {
                    let Some(row) = reader.read(game)? else {
                        return Ok(());
                    };
                    let places: Vec<_> = row.hits().iter().map(Occurrence::of).collect();
                    let place = || index.place(game).expect("memory");
                    let first = places.first();
                    read.1
                        .extend(first.map(|first| hit_of(&index, game, facts, first)));
                    let places = places.into_iter();
                    summary::add(&mut read.0, &query, COUNTED, facts, places, place);
                    Ok(())
                });
                counted.expect("memory is readable");
                let candidates = index.candidates(&query).expect("memory");
                let located = run(&index, Some(&query), &filter, candidates.into_iter());
                let read = shown(read);
                assert_eq!(
                    shown(located.expect("memory is readable")),
                    read,
                    "{game} {ply} {mover:?}"
                );
                found += read.1.len();
            }
        }
        assert!(found > 100, "{found}");
    }
}
