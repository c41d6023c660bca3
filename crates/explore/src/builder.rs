//! Takes games, and makes an index of them.

use std::io::{self, Write};

use sgfstream::{Options, SliceReader};
use sgfstream_game::Dialect;
use sgfstream_table::filter::Filter;
use sgfstream_table::find::Query;
use sgfstream_table::row::{ColumnSet, RowBuilder, Rows};

use super::Index;
use super::games::Games;

/// Dialects that are told apart: games of others are looked at whatever is asked for.
const DIALECTS: usize = 256;

/// Makes an [`Index`]: the page of the crate has an example.
#[derive(Debug)]
pub struct Builder<W> {
    out: W,
    noter: Noter,
    games: Games,
    boards: Vec<(u64, u32)>,
    dialects: Vec<Dialect>,
    incomplete: Vec<u32>,
}

/// Notes of a game: what an index has of it. A [`Noter`] makes them, on any thread.
#[derive(Clone, Debug, Default)]
pub struct Noted {
    /// Hashes of the boards of its main line, turned so that they are least, each once.
    boards: Vec<u64>,
    dialect: Option<Dialect>,
    /// Some boards are not known.
    is_incomplete: bool,
}

/// Reads games for an index.
#[derive(Debug)]
pub struct Noter {
    builder: Option<RowBuilder>,
    options: Options,
}

impl Noter {
    /// A noter of games that are read with `options`.
    ///
    /// # Panics
    ///
    /// Never.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let filter = Filter::finding(Query::boards(), None).expect("no condition");
        Self { builder: Some(filter.builder(ColumnSet::default())), options }
    }

    /// Notes of the game that `bytes` is.
    ///
    /// # Errors
    ///
    /// When a limit of the options is exceeded.
    pub fn note(&mut self, bytes: &[u8]) -> io::Result<Noted> {
        let builder = self.builder.take().expect("it is given back");
        let mut rows = Rows::with_builder(SliceReader::with_options(bytes, self.options), builder);
        let mut noted = Noted::default();
        let read = rows.next_row().map(|row| row.is_some());
        let is_game = read.as_ref().is_ok_and(|is_game| *is_game);
        if is_game {
            let builder = rows.builder();
            noted.boards.extend_from_slice(builder.boards());
            noted.dialect = Some(builder.state().dialect());
            noted.is_incomplete = builder.unsearched() > 0;
        }
        self.builder = Some(rows.into_parts().1);
        read.map_err(io::Error::other)?;
        Ok(noted)
    }
}

impl<W: Write> Builder<W> {
    /// A builder that writes the bytes of games, which are read with `options`, to `out`.
    #[must_use]
    pub fn new(out: W, options: Options) -> Self {
        let (noter, games) = (Noter::new(options), Games::default());
        Self { out, noter, games, boards: Vec::new(), dialects: Vec::new(), incomplete: Vec::new() }
    }

    /// Adds a game: the name of its file, its number there, and its bytes.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn add(&mut self, name: &str, number: u64, bytes: &[u8]) -> io::Result<()> {
        let noted = self.noter.note(bytes)?;
        self.add_noted(name, number, bytes, &noted)
    }

    /// Adds a game of which there are notes.
    ///
    /// # Errors
    ///
    /// When its bytes cannot be written; after four billion games.
    pub fn add_noted(&mut self, name: &str, number: u64, bytes: &[u8], noted: &Noted) -> io::Result<()> {
        let game = u32::try_from(self.games.len()).map_err(io::Error::other)?;
        self.out.write_all(bytes)?;
        self.games.push(name, number, bytes.len() as u64);
        self.boards.extend(noted.boards.iter().map(|&hash| (hash, game)));
        let Some(dialect) = noted.dialect else { return Ok(()) };
        let is_known = self.dialects.contains(&dialect) || {
            let has_space = self.dialects.len() < DIALECTS;
            self.dialects.extend(has_space.then_some(dialect));
            has_space
        };
        if noted.is_incomplete || !is_known {
            self.incomplete.push(game);
        }
        Ok(())
    }

    /// Returns the store with the bytes, and the index.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn finish(mut self) -> io::Result<(W, Index)> {
        self.out.flush()?;
        self.boards.sort_unstable();
        let options = self.noter.options;
        Ok((self.out, Index::new(self.games, self.boards, self.dialects, self.incomplete, options)))
    }
}
