//! The index: games by the hashes of their boards.

use std::io;

use sgfstream::{Options, SliceReader};
use sgfstream_game::Dialect;
use sgfstream_table::filter::Filter;
use sgfstream_table::find::Query;
use sgfstream_table::row::{RowBuilder, Rows};

use super::Store;
use super::games::Games;

/// Which games have which boards.
#[derive(Clone, Debug)]
pub struct Index {
    games: Games,
    /// Hashes in their order, and the game of each.
    hashes: Vec<u64>,
    games_of: Vec<u32>,
    /// Which games and boards there are.
    dialects: Vec<Dialect>,
    /// Games of which some boards are not known.
    incomplete: Vec<u32>,
    options: Options,
}

impl Index {
    pub(crate) fn new(
        games: Games,
        boards: Vec<(u64, u32)>,
        dialects: Vec<Dialect>,
        incomplete: Vec<u32>,
        options: Options,
    ) -> Self {
        let (hashes, games_of) = boards.into_iter().unzip();
        Self { games, hashes, games_of, dialects, incomplete, options }
    }

    /// How many games there are: they have the numbers below that.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.games.len() as u32
    }

    /// True without games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.len() == 0
    }

    /// How many positions there are: each board of a game once.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.hashes.len()
    }

    /// The games and boards of the archive, as they came; at most 256.
    #[must_use]
    pub fn dialects(&self) -> &[Dialect] {
        &self.dialects
    }

    /// The file of a game, `archive.zip!games.sgf`, and its number there, from 1; none if there is no such game.
    #[must_use]
    pub fn place(&self, game: u32) -> Option<(&str, u64)> {
        self.games.place(game)
    }

    /// The name of a game, `archive.zip!games.sgf#3`; empty if there is no such game.
    #[must_use]
    pub fn name(&self, game: u32) -> String {
        self.place(game).map_or_else(String::new, |(file, number)| format!("{file}#{number}"))
    }

    /// The numbers of the games that may have what `query` looks for, in their order: for a position few more than have it, for
    /// any other query all.
    #[must_use]
    pub fn candidates(&self, query: &Query) -> Vec<u32> {
        if !query.is_position() || query.has_variations() {
            return (0..self.len()).collect();
        }
        let mut games = self.incomplete.clone();
        let mut looked_up = Vec::new();
        for dialect in &self.dialects {
            let Some(mut board) = query.board(dialect) else { continue };
            board.keep_hash();
            let Some(hash) = board.hash() else { continue };
            let exchanged = hash.exchanged().filter(|_| query.swaps_colors());
            for (hash, _) in [Some(hash.canonical()), exchanged].into_iter().flatten() {
                if !looked_up.contains(&hash) {
                    looked_up.push(hash);
                    games.extend_from_slice(self.games_with(hash));
                }
            }
        }
        games.sort_unstable();
        games.dedup();
        games
    }

    fn games_with(&self, hash: u64) -> &[u32] {
        let start = self.hashes.partition_point(|&known| known < hash);
        let len = self.hashes[start..].partition_point(|&known| known == hash);
        &self.games_of[start..start + len]
    }

    /// The bytes of a game; none if there is no such game.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    pub fn bytes(&self, store: &impl Store, game: u32) -> io::Result<Option<Vec<u8>>> {
        let Some((start, len)) = self.games.span(game) else { return Ok(None) };
        let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
        store.read_at(start, &mut bytes)?;
        Ok(Some(bytes))
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
        store: &impl Store,
        games: impl IntoIterator<Item = u32>,
        filter: &Filter,
        mut builder: RowBuilder,
        mut each: impl FnMut(u32, &RowBuilder),
    ) -> io::Result<()> {
        for game in games {
            let Some(bytes) = self.bytes(store, game)? else { continue };
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
