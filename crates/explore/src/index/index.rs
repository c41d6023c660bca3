//! The index: finds games by the hashes of their boards.

use std::io;
use std::ops::Range;

use sgfstream::Problem;
use sgfstream::record::{GameRecord, OwnedGame};
use sgfstream_game::{Coordinates, Dialect};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{LocateResult, Locator, Query};
use sgfstream_table::row::{ColumnSet, FilledRow};

use super::checksums::ChecksumStore;
use super::format::{
    BOARDS, Board, ChangesHead, Ends, FileId, Footer, INCOMPLETE, IndexEntry, MAGIC, NAME, Section,
    StartRow, TRAILING_LEN, Trailer, TrailingHead, damaged, not_an_index, problem_of_bytes,
};
use super::window::Window;
use super::{GameFacts, Store};

/// Number of boards read at once.
const READ: u64 = 1024;

/// Index of games by their boards. It stays in its store except for the list of dialects, so memory
/// does not grow with the games.
#[derive(Debug)]
pub struct Index<S> {
    store: ChecksumStore<S>,
    footer: Footer,
    games: u32,
    trailer: Trailer,
    /// Ends of the runs of each section of [`BOARDS`].
    ends: [Ends; 3],
}

impl<S: Store> Index<S> {
    /// Opens an index that a [`Builder`](super::Builder) wrote.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read. The kind is
    /// [`InvalidData`](io::ErrorKind::InvalidData) if it contains no index, and
    /// [`Unsupported`](io::ErrorKind::Unsupported) if the index has another version.
    pub fn open(store: S) -> io::Result<Self> {
        let len = store.size()?;
        let mut magic = [0; MAGIC.len()];
        let start = len
            .checked_sub(MAGIC.len() as u64)
            .ok_or_else(|| not_an_index("a shorter file"))?;
        store.read_at(start, &mut magic)?;
        if magic != MAGIC && magic.starts_with(NAME) {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "another version of sgfq wrote this index; make it again",
            ));
        }
        if magic != MAGIC {
            return Err(not_an_index(
                "another file; choose another name for the index",
            ));
        }
        let store = ChecksumStore::new(store, start)?;
        let len = store.size()?;
        let start = len.checked_sub(Footer::LEN as u64).ok_or_else(damaged)?;
        let mut footer = [0; Footer::LEN];
        store.read_at(start, &mut footer)?;
        let footer = Footer::of_bytes(&footer, len).ok_or_else(damaged)?;
        let mut trailer = vec![0; footer.len(Section::Trailer) as usize];
        store.read_at(footer.start(Section::Trailer), &mut trailer)?;
        let trailer = Trailer::of_bytes(&trailer).ok_or_else(damaged)?;
        let games = footer.len(Section::Records) / IndexEntry::LEN as u64;
        let games = u32::try_from(games).map_err(|_| damaged())?;
        let read_ends = |section: Section| {
            let mut ends = [0; Ends::LEN];
            store.read_at(footer.end(section), &mut ends)?;
            let boards = footer.len(section) / Board::SHORT as u64;
            Ends::of_bytes(&ends, boards).ok_or_else(damaged)
        };
        let [boards, variations, remarks] = BOARDS.map(read_ends);
        let ends = [boards?, variations?, remarks?];
        Ok(Self {
            store,
            footer,
            games,
            trailer,
            ends,
        })
    }

    /// Returns the number of games. Games are numbered from 0.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.games
    }

    /// Returns whether the index has no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// Returns the number of positions of main lines. Each board counts once per game.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.trailer.positions
    }

    /// Returns the number of positions that variations add. Each board counts once per game, unless
    /// the main line has it. Returns `None` if the index has only main lines.
    #[must_use]
    pub fn variation_positions(&self) -> Option<u64> {
        self.trailer.variation_positions
    }

    /// Returns the size of the index in bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot return its size.
    pub fn size(&self) -> io::Result<u64> {
        self.store.inner.size()
    }

    /// Returns the dialects of the archive in the order of their first games, at most 256.
    #[must_use]
    pub fn dialects(&self) -> &[Dialect] {
        &self.trailer.dialects
    }

    /// Returns the starts of the games: for each board and handicap the most frequent ones, then
    /// the number of the others.
    pub(crate) fn starts(&self) -> io::Result<Vec<StartRow>> {
        let (start, len) = (
            self.footer.start(Section::Starts),
            self.footer.len(Section::Starts),
        );
        let bytes = self.read(start, len)?;
        let rows = bytes.as_chunks().0.iter().map(StartRow::of_bytes);
        let is_known = |row: &StartRow| {
            usize::from(row.board) < self.dialects().len() && row.example < self.games
        };
        let rows: Vec<_> = rows.collect();
        if rows.iter().all(is_known) {
            Ok(rows)
        } else {
            Err(damaged())
        }
    }

    /// Returns the note that was passed to [`Builder::finish`](super::Builder::finish).
    #[must_use]
    pub fn note(&self) -> &str {
        &self.trailer.note
    }

    /// Returns a window on a section.
    fn window(&self, section: Section) -> Window<'_, ChecksumStore<S>> {
        Window::new(&self.store, self.footer.end(section))
    }

    fn record(&self, game: u32) -> io::Result<Option<IndexEntry>> {
        self.record_in(&mut self.window(Section::Records), game)
    }

    /// Returns the record of a game from a window on the records, or `None` if the game does not
    /// exist.
    fn record_in(
        &self,
        records: &mut Window<'_, ChecksumStore<S>>,
        game: u32,
    ) -> io::Result<Option<IndexEntry>> {
        if game >= self.games {
            return Ok(None);
        }
        let start = self.footer.start(Section::Records);
        let at = start + u64::from(game) * IndexEntry::LEN as u64;
        let bytes = records.get(at, IndexEntry::LEN)?;
        let record = IndexEntry::of_bytes(bytes.first_chunk().ok_or_else(damaged)?);
        if record.is_before(self.footer.end(Section::Games)) {
            Ok(Some(record))
        } else {
            Err(damaged())
        }
    }

    fn read(&self, at: u64, len: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
        self.store.read_at(at, &mut bytes)?;
        Ok(bytes)
    }

    /// Returns the file of a game, `archive.zip!games.sgf`, and the number of the game there,
    /// from 1. Returns `None` if the game does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read.
    pub fn place(&self, game: u32) -> io::Result<Option<(String, u64)>> {
        let Some(record) = self.record(game)? else {
            return Ok(None);
        };
        Ok(Some((
            shown_name(&self.file_name(record.file)?),
            record.number,
        )))
    }

    /// Returns the name of a file with a NUL between an archive and its member.
    fn file_name(&self, file: FileId) -> io::Result<String> {
        let name = self.read(file.name_at, file.name_len.into())?;
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    /// Returns the name of a game, `archive.zip!games.sgf#3`, or an empty string if the game does
    /// not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read.
    pub fn name(&self, game: u32) -> io::Result<String> {
        Ok(self
            .place(game)?
            .map_or_else(String::new, |(file, number)| format!("{file}#{number}")))
    }

    /// Returns the numbers of the candidate games for `query`, in increasing order. Nearly all
    /// candidates of a position match. If `query` searches variations, the candidates include all
    /// games with variations, unless the index has the boards of variations. Any game is a
    /// candidate of a pattern or sequence. If `query` collects [remarks](Query::remarks), the
    /// candidates are the games that say something about its position in any line.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read.
    pub fn candidates(&self, query: &Query) -> io::Result<Vec<u32>> {
        if !query.is_position() {
            return Ok((0..self.games).collect());
        }
        let is_known = self.variation_positions().is_some();
        let sections = match query.has_variations() && is_known {
            _ if query.has_remarks() => &BOARDS[2..],
            true => &BOARDS[..2],
            false => &BOARDS[..1],
        };
        let mut games = Vec::new();
        if query.has_variations() && !is_known && !query.has_remarks() {
            self.games_that(|entry| entry.facts.has_variations, &mut games)?;
        }
        for hash in std::iter::once(INCOMPLETE).chain(self.hashes_of(query)) {
            for &section in sections {
                self.games_with(hash, section, &mut games)?;
            }
        }
        games.sort_unstable();
        games.dedup();
        Ok(games)
    }

    /// Returns the canonical hashes of the position of `query` on the boards of the archive.
    fn hashes_of(&self, query: &Query) -> Vec<u64> {
        let mut hashes = Vec::new();
        for dialect in self.dialects() {
            let Some(mut board) = query.board(dialect) else {
                continue;
            };
            board.keep_hash();
            let Some(hash) = board.hash() else { continue };
            let exchanged = hash.exchanged().filter(|_| query.swaps_colors());
            hashes.extend(
                [Some(hash.canonical()), exchanged]
                    .into_iter()
                    .flatten()
                    .map(|(hash, _)| hash),
            );
        }
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }

    /// Adds the games whose entries are meant.
    fn games_that(
        &self,
        is_meant: impl Fn(&IndexEntry) -> bool,
        games: &mut Vec<u32>,
    ) -> io::Result<()> {
        let mut records = self.window(Section::Records);
        for game in 0..self.games {
            games.extend(
                self.record_in(&mut records, game)?
                    .filter(&is_meant)
                    .map(|_| game),
            );
        }
        Ok(())
    }

    /// Returns the games whose players come from their [variations](crate::parted_game).
    pub(crate) fn parted_games(&self) -> io::Result<Vec<u32>> {
        let mut games = Vec::new();
        self.games_that(|entry| entry.facts.is_parted, &mut games)?;
        Ok(games)
    }

    /// Adds the games that have a board with this hash in a section of [`BOARDS`].
    fn games_with(&self, hash: u64, section: Section, games: &mut Vec<u32>) -> io::Result<()> {
        let at = self.footer.start(section);
        let number = BOARDS.iter().position(|boards| *boards == section);
        let ends = &self.ends[number.expect("a section of boards")];
        let place = |board: u64| at + board * Board::SHORT as u64;
        let first_byte = Board { hash, game: 0 }.first_byte();
        let Range {
            mut start,
            end: boards,
        } = ends.of(first_byte);
        let (mut end, mut bytes) = (boards, [0; Board::SHORT]);
        while start < end {
            let middle = start + (end - start) / 2;
            self.store.read_at(place(middle), &mut bytes)?;
            let is_before = Board::of_short(first_byte, &bytes).hash < hash;
            (start, end) = if is_before {
                (middle + 1, end)
            } else {
                (start, middle)
            };
        }
        while start < boards {
            let len = (boards - start).min(READ);
            let bytes = self.read(place(start), len * Board::SHORT as u64)?;
            for board in bytes
                .as_chunks()
                .0
                .iter()
                .map(|bytes| Board::of_short(first_byte, bytes))
            {
                if board.hash != hash {
                    return Ok(());
                }
                games.push(board.game);
            }
            start += len;
        }
        Ok(())
    }

    /// Passes the facts of each game to `each`, and the places where `query` matches, as far as the
    /// index knows them without reading the game.
    ///
    /// The games must be [`candidates`](Self::candidates) of `query`, because only their hashes
    /// were compared. Without a query, only the facts are passed. If `query` searches variations,
    /// the places in games with variations are unknown.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read or `each` returns one.
    pub fn locate(
        &self,
        games: impl IntoIterator<Item = u32>,
        query: Option<&Query>,
        mut each: impl FnMut(u32, GameFacts, LocateResult) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut locators: Vec<Option<Result<Locator, LocateResult>>> = Vec::new();
        locators.resize_with(self.dialects().len(), || None);
        let mut records = self.window(Section::Records);
        let mut changes = self.window(Section::Changes);
        for game in games {
            let Some(record) = self.record_in(&mut records, game)? else {
                continue;
            };
            let mut located = LocateResult::Unknown;
            if let Some(query) = query
                && !(query.has_variations()
                    && (record.facts.has_variations || self.variation_positions().is_none()))
            {
                let start = self.footer.start(Section::Changes);
                let at = start.checked_add(record.changes_at).ok_or_else(damaged)?;
                let head = *changes
                    .get(at, ChangesHead::LEN)?
                    .first_chunk()
                    .ok_or_else(damaged)?;
                let head = ChangesHead::of_bytes(head);
                let changes = changes.get(at + ChangesHead::LEN as u64, head.len.into())?;
                if !changes.is_empty() {
                    let dialect = usize::from(head.dialect);
                    // A game without variations has only its main line.
                    let new = || {
                        query
                            .clone()
                            .variations(false)
                            .locator(&self.dialects()[dialect])
                    };
                    let locator = locators.get_mut(dialect).ok_or_else(damaged)?;
                    located = match locator.get_or_insert_with(new) {
                        Ok(locator) => locator.locate(changes),
                        Err(located) => located.clone(),
                    };
                }
            }
            each(game, record.facts, located)?;
        }
        Ok(())
    }

    /// Returns a game as it was read in its file, or `None` if the game does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read.
    pub fn game(&self, game: u32) -> io::Result<Option<OwnedGame>> {
        let mut games = self.games();
        Ok(games.read(game)?.map(|_| games.game))
    }

    /// Returns whether the file of a game was transcoded to UTF-8.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read.
    pub fn is_transcoded(&self, game: u32) -> io::Result<bool> {
        Ok(self
            .record(game)?
            .is_some_and(|record| record.facts.is_transcoded))
    }

    /// Returns a reader of single games.
    pub(crate) fn games(&self) -> StoredGames<'_, S> {
        StoredGames {
            index: self,
            records: self.window(Section::Records),
            games: self.window(Section::Games),
            game: OwnedGame::default(),
            is_parted: false,
            name: None,
        }
    }

    /// Passes the problems after the last game of each file to `each`, with the name of the file.
    pub(crate) fn each_trailing(&self, mut each: impl FnMut(&str, &[Problem])) -> io::Result<()> {
        let mut window = self.window(Section::Trailing);
        let mut next = self.footer.start(Section::Trailing);
        let mut problems = Vec::new();
        while let Some(head) = window.get(next, TRAILING_LEN)?.first_chunk() {
            let head = TrailingHead::of_bytes(head);
            problems.clear();
            for _ in 0..head.count {
                next += TRAILING_LEN as u64;
                let problem = window
                    .get(next, TRAILING_LEN)?
                    .first_chunk()
                    .and_then(problem_of_bytes);
                problems.push(problem.ok_or_else(damaged)?);
            }
            next += TRAILING_LEN as u64;
            if !head.file.is_before(self.footer.end(Section::Games)) {
                return Err(damaged());
            }
            each(&shown_name(&self.file_name(head.file)?), &problems);
        }
        Ok(())
    }

    /// Returns a reader of the games that `filter` selects, with its columns and `columns`.
    #[must_use]
    pub fn reader<'i>(&'i self, filter: &'i Filter, columns: ColumnSet) -> FilteredGames<'i, S> {
        FilteredGames {
            games: self.games(),
            filter,
            filled: filter.row(columns),
            file: None,
        }
    }
}

/// Returns the name of a file with `!` between an archive and its member.
fn shown_name(name: &str) -> String {
    name.replace('\0', "!")
}

/// Reader of single games of an index.
#[derive(Debug)]
pub(crate) struct StoredGames<'i, S> {
    index: &'i Index<S>,
    records: Window<'i, ChecksumStore<S>>,
    games: Window<'i, ChecksumStore<S>>,
    /// The last game, and whether only its variations name its players.
    pub(crate) game: OwnedGame,
    is_parted: bool,
    /// Last file and its name.
    name: Option<(FileId, String)>,
}

impl<S: Store> StoredGames<'_, S> {
    /// Reads a game. Returns its file, or `None` if the game does not exist.
    pub(crate) fn read(&mut self, game: u32) -> io::Result<Option<FileId>> {
        let Some(record) = self.index.record_in(&mut self.records, game)? else {
            return Ok(None);
        };
        let stored = self.games.get(record.at, record.len as usize)?;
        if !self.game.load(stored, record.number) {
            return Err(damaged());
        }
        self.is_parted = record.facts.is_parted;
        Ok(Some(record.file))
    }

    /// Returns the name of a game and its bytes, without its tokens, or `None` if the game does not
    /// exist.
    pub(crate) fn name_and_bytes(&mut self, game: u32) -> io::Result<Option<(String, &[u8])>> {
        let Some(record) = self.index.record_in(&mut self.records, game)? else {
            return Ok(None);
        };
        let file = match &self.name {
            Some((file, name)) if *file == record.file => name,
            _ => {
                &self
                    .name
                    .insert((record.file, shown_name(&self.index.file_name(record.file)?)))
                    .1
            }
        };
        let name = format!("{file}#{}", record.number);
        let stored = self.games.get(record.at, record.len as usize)?;
        Ok(Some((
            name,
            OwnedGame::stored_bytes(stored).ok_or_else(damaged)?,
        )))
    }
}

/// Reader of the games of an index that a filter selects.
#[derive(Debug)]
pub struct FilteredGames<'i, S> {
    games: StoredGames<'i, S>,
    filter: &'i Filter,
    filled: FilledRow,
    /// File whose name the row has.
    file: Option<FileId>,
}

impl<S: Store> FilteredGames<'_, S> {
    /// Returns this reader with another spelling of moves.
    #[must_use]
    pub fn spelling(self, coordinates: Coordinates) -> Self {
        Self {
            filled: self.filled.spelling(coordinates),
            ..self
        }
    }

    /// Reads a game. Returns its row with the filter's [hits](Filter::finding), or `None` if the
    /// game does not match the filter.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read.
    pub fn read(&mut self, game: u32) -> io::Result<Option<&FilledRow>> {
        Ok(if self.matches(game, true)? {
            Some(&self.filled)
        } else {
            None
        })
    }

    /// Returns whether a game matches the filter.
    ///
    /// # Errors
    ///
    /// Same as [`read`](Self::read).
    pub fn decide(&mut self, game: u32) -> io::Result<bool> {
        self.matches(game, false)
    }

    /// Returns the last game if its players come from its [variations](crate::parted_game).
    pub(crate) fn parted(&self) -> Option<GameRecord<'_>> {
        self.games.is_parted.then(|| self.games.game.record())
    }

    /// Returns the row of the last game.
    pub(crate) fn row(&self) -> &FilledRow {
        &self.filled
    }

    /// Returns whether a game matches the filter. With `is_completed`, the row of a matching game
    /// is completed.
    fn matches(&mut self, game: u32, is_completed: bool) -> io::Result<bool> {
        let Some(file) = self.games.read(game)? else {
            return Ok(false);
        };
        if self.filled.asks_input() && self.file.replace(file) != Some(file) {
            let name = self.games.index.file_name(file)?;
            let (source, member) = name
                .split_once('\0')
                .map_or((&*name, None), |(source, member)| (source, Some(member)));
            self.filled
                .set_input(source.to_owned(), member.map(str::to_owned));
        }
        Ok(self
            .filter
            .selects(self.games.game.record(), &mut self.filled, is_completed))
    }
}
