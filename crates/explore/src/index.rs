//! The index: games by the hashes of their boards.

use std::io;

use sgfstream::{Options, SliceReader};
use sgfstream_game::Dialect;
use sgfstream_table::filter::Filter;
use sgfstream_table::find::Query;
use sgfstream_table::row::{RowBuilder, Rows};

use super::format::{Board, Footer, GameRecord, INCOMPLETE, MAGIC, NAME, Trailer, not_an_index};
use super::{Store, stones};

/// Boards that are read at once.
const READ: u64 = 1024;

/// Which games have which boards. All of it but a list of dialects stays in its store: it takes no more memory for more games.
#[derive(Debug)]
pub struct Index<S> {
    store: S,
    footer: Footer,
    games: u32,
    trailer: Trailer,
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
            return Err(io::Error::new(io::ErrorKind::Unsupported, "expected an index of this version, found another"));
        }
        let start = len.checked_sub(Footer::LEN as u64).ok_or_else(|| not_an_index("a shorter file"))?;
        let mut footer = [0; Footer::LEN];
        store.read_at(start, &mut footer)?;
        let footer = Footer::of_bytes(&footer, len).ok_or_else(|| not_an_index("another file"))?;
        let mut trailer = vec![0; (start - footer.trailer_at) as usize];
        store.read_at(footer.trailer_at, &mut trailer)?;
        let trailer = Trailer::of_bytes(&trailer).ok_or_else(|| not_an_index("one that is damaged"))?;
        let games = (footer.boards_at - footer.games_at) / GameRecord::LEN as u64;
        let games = u32::try_from(games).map_err(|_| not_an_index("one that is damaged"))?;
        Ok(Self { store, footer, games, trailer, options })
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

    /// How many positions there are: each board of a game once.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.trailer.positions
    }

    /// The games and boards of the archive, as they came; at most 256.
    #[must_use]
    pub fn dialects(&self) -> &[Dialect] {
        &self.trailer.dialects
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
        self.store.read_at(self.footer.games_at + u64::from(game) * GameRecord::LEN as u64, &mut bytes)?;
        let record = GameRecord::of_bytes(&bytes);
        if record.is_before(self.footer.stones_at) {
            Ok(Some(record))
        } else {
            Err(not_an_index("one that is damaged"))
        }
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
        let Some(record) = self.record(game)? else { return Ok(None) };
        let name = self.read(record.name_at, record.name_len)?;
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

    /// The numbers of the games that may have what `query` looks for, in their order: few more than have it, but all where it
    /// looks in variations.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn candidates(&self, query: &Query) -> io::Result<Vec<u32>> {
        if query.has_variations() {
            return Ok((0..self.len()).collect());
        }
        if !query.is_position() {
            let mut games = Vec::new();
            let section = (self.footer.stones_at, self.footer.games_at);
            stones::sift(&self.store, section, (query, self.dialects()), &mut games)?;
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
        let mut games = Vec::new();
        for hash in looked_up {
            self.games_with(hash, &mut games)?;
        }
        games.sort_unstable();
        games.dedup();
        Ok(games)
    }

    /// Adds the games that have a board with this hash.
    fn games_with(&self, hash: u64, games: &mut Vec<u32>) -> io::Result<()> {
        let place = |board: u64| self.footer.boards_at + board * Board::LEN as u64;
        let boards = (self.footer.trailer_at - self.footer.boards_at) / Board::LEN as u64;
        let (mut start, mut end) = (0, boards);
        let mut bytes = [0; Board::LEN];
        while start < end {
            let middle = start + (end - start) / 2;
            self.store.read_at(place(middle), &mut bytes)?;
            let is_before = Board::of_bytes(&bytes).hash < hash;
            (start, end) = if is_before { (middle + 1, end) } else { (start, middle) };
        }
        while start < boards {
            let len = (boards - start).min(READ);
            let bytes = self.read(place(start), len * Board::LEN as u64)?;
            for board in bytes.as_chunks().0.iter().map(Board::of_bytes) {
                if board.hash != hash {
                    return Ok(());
                }
                games.push(board.game);
            }
            start += len;
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
        self.read(record.at, record.len).map(Some)
    }

    /// Reads these games with `builder`, which the filter [made](Filter::builder), and gives those for which `filter` is true to
    /// `each`, with what the filter [finds](Filter::finding). Their rows have no source, member or number:
    /// [`place`](Self::place) has them.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn search(
        &self,
        games: impl IntoIterator<Item = u32>,
        filter: &Filter,
        mut builder: RowBuilder,
        mut each: impl FnMut(u32, &RowBuilder),
    ) -> io::Result<()> {
        for game in games {
            let Some(bytes) = self.bytes(game)? else { continue };
            let mut rows = Rows::with_builder(SliceReader::with_options(&bytes, self.options), builder);
            let is_chosen = rows.next_root().and_then(|is_game| Ok(is_game && filter.decide(&mut rows)?));
            if is_chosen.map_err(io::Error::other)? {
                rows.finish_row().map_err(io::Error::other)?;
                each(game, rows.builder());
            }
            builder = rows.into_parts().1;
        }
        Ok(())
    }
}
