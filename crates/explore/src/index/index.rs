//! The index: games by the hashes of their boards.

use std::io;
use std::ops::Range;

use sgfstream::{Options, SliceReader};
use sgfstream_game::Dialect;
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{Located, Locator, Query};
use sgfstream_table::row::{RowBuilder, Rows};

use super::checksums::ChecksumStore;
use super::format::{Board, Ends, Footer, GameRecord, INCOMPLETE, MAGIC, NAME, Trailer, damaged, not_an_index};
use super::stones::{self, TimesOfGame};
use super::window::Window;
use super::{GameFacts, Store};

/// Boards that are read at once.
const READ: u64 = 1024;

/// Which games have which boards. All of it but a list of dialects stays in its store: it takes no more memory for more games.
#[derive(Debug)]
pub struct Index<S> {
    store: ChecksumStore<S>,
    footer: Footer,
    games: u32,
    trailer: Trailer,
    ends: Ends,
    variation_ends: Ends,
    /// How many fields the board of each dialect has.
    fields: Vec<usize>,
    options: Options,
}

impl<S: Store> Index<S> {
    /// The index that a [`Builder`](super::Builder) wrote, of games that were read with `options`.
    ///
    /// # Errors
    ///
    /// When the store cannot be read; if it is no index, of the kind [`InvalidData`](io::ErrorKind::InvalidData), and if it is one
    /// of another version, [`Unsupported`](io::ErrorKind::Unsupported).
    pub fn open(store: S, options: Options) -> io::Result<Self> {
        let len = store.size()?;
        let mut magic = [0; MAGIC.len()];
        let start = len.checked_sub(MAGIC.len() as u64).ok_or_else(|| not_an_index("a shorter file"))?;
        store.read_at(start, &mut magic)?;
        if magic != MAGIC && magic.starts_with(NAME) {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "another version of sgfq wrote this index; make it again",
            ));
        }
        if magic != MAGIC {
            return Err(not_an_index("another file"));
        }
        let store = ChecksumStore::new(store, start)?;
        let len = store.size()?;
        let start = len.checked_sub(Footer::LEN as u64).ok_or_else(damaged)?;
        let mut footer = [0; Footer::LEN];
        store.read_at(start, &mut footer)?;
        let footer = Footer::of_bytes(&footer, len).ok_or_else(damaged)?;
        let mut trailer = vec![0; (start - footer.trailer_at) as usize];
        store.read_at(footer.trailer_at, &mut trailer)?;
        let trailer = Trailer::of_bytes(&trailer).ok_or_else(damaged)?;
        let games = (footer.boards_at - footer.games_at) / GameRecord::LEN as u64;
        let games = u32::try_from(games).map_err(|_| damaged())?;
        let read_ends = |start: u64, end: u64| {
            let mut ends = [0; Ends::LEN];
            store.read_at(end, &mut ends)?;
            Ends::of_bytes(&ends, (end - start) / Board::SHORT as u64).ok_or_else(damaged)
        };
        let ends = read_ends(footer.boards_at, footer.ends_at)?;
        let variation_ends = read_ends(footer.variations_at, footer.variation_ends_at)?;
        let fields = stones::fields_of(&trailer.dialects);
        Ok(Self { store, footer, games, trailer, ends, variation_ends, fields, options })
    }

    /// How many games there are: they have the numbers below that.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.games
    }

    /// True without games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// How many positions main lines have: each board of a game once.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.trailer.positions
    }

    /// How many positions variations add: each board of a game once, if its main line lacks it. `None` if the index is of main lines
    /// only.
    #[must_use]
    pub fn variation_positions(&self) -> Option<u64> {
        self.trailer.variation_positions
    }

    /// How many bytes the index has.
    ///
    /// # Errors
    ///
    /// When the store does not say.
    pub fn size(&self) -> io::Result<u64> {
        self.store.inner.size()
    }

    /// The games and boards of the archive, as they came; at most 256.
    #[must_use]
    pub fn dialects(&self) -> &[Dialect] {
        &self.trailer.dialects
    }

    /// How its games are read.
    #[must_use]
    pub fn options(&self) -> Options {
        self.options
    }

    /// The note that its maker gave it.
    #[must_use]
    pub fn note(&self) -> &str {
        &self.trailer.note
    }

    fn record(&self, game: u32) -> io::Result<Option<GameRecord>> {
        if game >= self.games {
            return Ok(None);
        }
        let mut bytes = [0; GameRecord::LEN];
        self.store.read_at(self.place_of_record(game), &mut bytes)?;
        let record = GameRecord::of_bytes(&bytes);
        if record.is_before(self.footer.stones_at) { Ok(Some(record)) } else { Err(damaged()) }
    }

    fn place_of_record(&self, game: u32) -> u64 {
        self.footer.games_at + u64::from(game) * GameRecord::LEN as u64
    }

    fn read(&self, at: u64, len: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
        self.store.read_at(at, &mut bytes)?;
        Ok(bytes)
    }

    /// The file of a game, `archive.zip!games.sgf`, and its number there, from 1; none if there is no such game.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn place(&self, game: u32) -> io::Result<Option<(String, u64)>> {
        Ok(self.entry(game)?.map(|(name, number)| (name.replace('\0', "!"), number)))
    }

    /// The name of the file of a game, with a NUL between an archive and its member, and its number there.
    fn entry(&self, game: u32) -> io::Result<Option<(String, u64)>> {
        let Some(record) = self.record(game)? else { return Ok(None) };
        let name = self.read(record.name_at, record.name_len.into())?;
        Ok(Some((String::from_utf8_lossy(&name).into_owned(), record.number)))
    }

    /// The name of a game, `archive.zip!games.sgf#3`; empty if there is no such game.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn name(&self, game: u32) -> io::Result<String> {
        Ok(self.place(game)?.map_or_else(String::new, |(file, number)| format!("{file}#{number}")))
    }

    /// The numbers of the games that may have what `query` looks for, in their order: few more than have it. If it looks in
    /// variations, all games with variations are among them, but for a position of an index that has the boards of variations.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn candidates(&self, query: &Query) -> io::Result<Vec<u32>> {
        let is_known = query.is_position() && self.variation_positions().is_some();
        let mut games = Vec::new();
        if query.has_variations() && !is_known {
            self.games_with_variations(&mut games)?;
        }
        if !query.is_position() {
            let section = (self.footer.stones_at, self.footer.games_at);
            stones::sift(&self.store, section, (query, self.dialects(), &self.fields), &mut games)?;
            games.sort_unstable();
            games.dedup();
            return Ok(games);
        }
        let mut looked_up = vec![INCOMPLETE];
        for dialect in self.dialects() {
            let Some(mut board) = query.board(dialect) else { continue };
            board.keep_hash();
            let Some(hash) = board.hash() else { continue };
            let exchanged = hash.exchanged().filter(|_| query.swaps_colors());
            looked_up.extend([Some(hash.canonical()), exchanged].into_iter().flatten().map(|(hash, _)| hash));
        }
        looked_up.sort_unstable();
        looked_up.dedup();
        for hash in looked_up {
            self.games_with(hash, (self.footer.boards_at, &self.ends), &mut games)?;
            if query.has_variations() && is_known {
                self.games_with(hash, (self.footer.variations_at, &self.variation_ends), &mut games)?;
            }
        }
        games.sort_unstable();
        games.dedup();
        Ok(games)
    }

    /// Adds the games that have variations.
    fn games_with_variations(&self, games: &mut Vec<u32>) -> io::Result<()> {
        let mut records = Window::new(&self.store, self.footer.boards_at);
        for game in 0..self.games {
            let record = records.get(self.place_of_record(game), GameRecord::LEN)?;
            let record = GameRecord::of_bytes(record.first_chunk().ok_or_else(damaged)?);
            games.extend(record.has_variations.then_some(game));
        }
        Ok(())
    }

    /// Adds the games that have a board with this hash in the section of boards that begins at `at`.
    fn games_with(&self, hash: u64, (at, ends): (u64, &Ends), games: &mut Vec<u32>) -> io::Result<()> {
        let place = |board: u64| at + board * Board::SHORT as u64;
        let first_byte = Board { hash, game: 0 }.first_byte();
        let Range { mut start, end: boards } = ends.of(first_byte);
        let (mut end, mut bytes) = (boards, [0; Board::SHORT]);
        while start < end {
            let middle = start + (end - start) / 2;
            self.store.read_at(place(middle), &mut bytes)?;
            let is_before = Board::of_short(first_byte, &bytes).hash < hash;
            (start, end) = if is_before { (middle + 1, end) } else { (start, middle) };
        }
        while start < boards {
            let len = (boards - start).min(READ);
            let bytes = self.read(place(start), len * Board::SHORT as u64)?;
            for board in bytes.as_chunks().0.iter().map(|bytes| Board::of_short(first_byte, bytes)) {
                if board.hash != hash {
                    return Ok(());
                }
                games.push(board.game);
            }
            start += len;
        }
        Ok(())
    }

    /// Gives what is counted of these games to `each`, and where `query` is in them, as far as that is known without reading them:
    /// of games in whose boards it is by its hash, as those are that [`candidates`](Self::candidates) names. Without a query only
    /// what is counted. If the query looks in variations, nothing is known of games that have some.
    ///
    /// # Errors
    ///
    /// When the store cannot be read, and those of `each`.
    pub fn locate(
        &self,
        games: impl IntoIterator<Item = u32>,
        query: Option<&Query>,
        mut each: impl FnMut(u32, GameFacts, Located) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut locators: Vec<Option<Option<Locator>>> = self.dialects().iter().map(|_| None).collect();
        let mut records = Window::new(&self.store, self.footer.boards_at);
        let mut entries = Window::new(&self.store, self.footer.games_at);
        let (longest, mut times) = (TimesOfGame::longest(&self.fields), TimesOfGame::default());
        for game in games.into_iter().filter(|game| *game < self.games) {
            let record = records.get(self.place_of_record(game), GameRecord::LEN)?;
            let record = GameRecord::of_bytes(record.first_chunk().ok_or_else(damaged)?);
            let mut located = Located::Unknown;
            if let Some(query) = query
                && !(query.has_variations() && (record.has_variations || self.variation_positions().is_none()))
            {
                let at = self.footer.stones_at.checked_add(record.times_at).ok_or_else(damaged)?;
                let dialect = times.read(entries.get(at, longest)?, &self.fields)?.ok_or_else(damaged)?.0;
                if let Some(dialect) = dialect {
                    // A game without variations has its main line.
                    let new = || query.clone().variations(false).locator(&self.dialects()[dialect]);
                    if let Some(locator) = locators[dialect].get_or_insert_with(new) {
                        located = locator.locate(times.of_fields(), times.told());
                    }
                }
            }
            each(game, record.facts, located)?;
        }
        Ok(())
    }

    /// The bytes of a game; none if there is no such game.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn bytes(&self, game: u32) -> io::Result<Option<Vec<u8>>> {
        let Some(record) = self.record(game)? else { return Ok(None) };
        self.read(record.at, record.len.into()).map(Some)
    }

    /// A reader of games with `builder`, which the filter [made](Filter::builder).
    #[must_use]
    pub fn reader<'i>(&'i self, filter: &'i Filter, builder: RowBuilder) -> GameReader<'i, S> {
        GameReader { index: self, filter, builder: Some(builder) }
    }

    /// Reads these games with `builder`, which the filter [made](Filter::builder), and gives those for which `filter` is true to
    /// `each`, with what the filter [finds](Filter::finding).
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn search(
        &self,
        games: impl IntoIterator<Item = u32>,
        filter: &Filter,
        builder: RowBuilder,
        mut each: impl FnMut(u32, &RowBuilder),
    ) -> io::Result<()> {
        let mut reader = self.reader(filter, builder);
        for game in games {
            if let Some(row) = reader.read(game)? {
                each(game, row);
            }
        }
        Ok(())
    }
}

/// Reads games of an index, one after another.
#[derive(Debug)]
pub struct GameReader<'i, S> {
    index: &'i Index<S>,
    filter: &'i Filter,
    /// None after an error.
    builder: Option<RowBuilder>,
}

impl<S: Store> GameReader<'_, S> {
    /// Reads a game: its row, if the filter is true for it, with what the filter [finds](Filter::finding).
    ///
    /// # Errors
    ///
    /// When the store cannot be read; after an error all games are refused.
    pub fn read(&mut self, game: u32) -> io::Result<Option<&RowBuilder>> {
        Ok(if self.look(game, true)? { self.builder.as_ref() } else { None })
    }

    /// Whether the filter is true for a game.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn decide(&mut self, game: u32) -> io::Result<bool> {
        self.look(game, false)
    }

    /// Whether the filter is true for a game. Of one that is meant, the rest of its row may be read.
    fn look(&mut self, game: u32, is_finished: bool) -> io::Result<bool> {
        let Some(bytes) = self.index.bytes(game)? else { return Ok(false) };
        let mut builder =
            self.builder.take().ok_or_else(|| io::Error::other("the index failed earlier and takes no more games"))?;
        if builder.asks_place()
            && let Some((name, number)) = self.index.entry(game)?
        {
            let (source, member) =
                name.split_once('\0').map_or((&*name, None), |(source, member)| (source, Some(member)));
            builder = builder.for_game(source.to_owned(), member.map(str::to_owned), number);
        }
        let mut rows = Rows::with_builder(SliceReader::with_options(&bytes, self.index.options), builder);
        let is_chosen = rows.next_root().and_then(|is_game| Ok(is_game && self.filter.decide(&mut rows)?));
        let is_chosen = is_chosen.map_err(io::Error::other)?;
        if is_chosen && is_finished {
            rows.finish_row().map_err(io::Error::other)?;
        }
        self.builder = Some(rows.into_parts().1);
        Ok(is_chosen)
    }
}
