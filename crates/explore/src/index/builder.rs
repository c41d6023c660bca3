//! Builder that writes an index of games.

use std::io::{self, Write};

use sgfstream::Problem;
use sgfstream::record::GameRecord;
use sgfstream_adapt::stats::BoardId;
use sgfstream_game::{Dialect, Facts};
use sgfstream_table::filter::Filter;
use sgfstream_table::row::FilledRow;

use crate::record_list::RecordList;
use crate::{ScratchStore, SortRecord, Sorter};

use super::IndexedGame;
use super::checksums::ChecksumWriter;
use super::format::{
    Board, ChangesHead, Ends, FIRST_BYTES, FileId, Footer, INCOMPLETE, IndexEntry, MAGIC, Trailer,
    TrailingHead, can_be_written, problem_to_bytes,
};
use super::starts::{StartRecord, start_rows};

/// Maximum number of dialects in an index. Games of further dialects are candidates for every
/// query.
const DIALECTS: usize = 256;

/// Maximum bytes of boards in memory.
const BOARDS: usize = 8 << 20;

/// Builder of an index. The documentation of the crate has an example.
///
/// It needs some 20 MiB of memory for any number of games. Other data is in scratch space.
#[derive(Debug)]
pub struct Builder<W, S> {
    out: ChecksumWriter<W>,
    /// Row of the last game.
    filled: FilledRow,
    /// The record of the last game, in the form that the index stores.
    stored: Vec<u8>,
    in_variations: bool,
    /// Boards of main lines, and boards that only variations have.
    boards: Sorter<Board, S>,
    variations: Sorter<Board, S>,
    /// Boards with remarks in any line.
    remarks: Sorter<Board, S>,
    starts: Sorter<StartRecord, S>,
    /// Records of the games.
    records: RecordList<Vec<u8>, S>,
    /// Changes of the boards, and their bytes.
    changes: RecordList<Vec<u8>, S>,
    changes_len: u64,
    /// Problems after the last games of files.
    trailing: RecordList<Vec<u8>, S>,
    /// Last name of a file, and its place in the output.
    name: Option<(String, FileId)>,
    games: u32,
    dialects: Vec<Dialect>,
}

impl SortRecord for Board {
    fn append_to(&self, out: &mut Vec<u8>) {
        out.push(self.first_byte() as u8);
        out.extend_from_slice(&self.to_short());
    }

    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let (&first_byte, rest) = bytes.split_first()?;
        let board = Self::of_short(first_byte.into(), rest.first_chunk()?);
        Some((board, 1 + Self::SHORT))
    }
}

fn empty_row(in_variations: bool) -> FilledRow {
    let (filter, columns) = IndexedGame::collecting(Filter::default(), in_variations);
    filter.row(columns)
}

impl<W: Write, S: ScratchStore> Builder<W, S> {
    /// Creates a builder that writes to `out`, which must be empty.
    #[must_use]
    pub fn new(out: W) -> Self {
        Self::with_memory(out, BOARDS)
    }

    fn with_memory(out: W, memory: usize) -> Self {
        Self {
            out: ChecksumWriter::new(out),
            filled: empty_row(false),
            stored: Vec::new(),
            in_variations: false,
            boards: Sorter::with_memory(memory),
            variations: Sorter::with_memory(memory),
            remarks: Sorter::default(),
            starts: Sorter::default(),
            records: RecordList::default(),
            changes: RecordList::default(),
            changes_len: 0,
            trailing: RecordList::default(),
            name: None,
            games: 0,
            dialects: Vec::new(),
        }
    }

    /// Indexes all lines of the games instead of only their main lines. Index data passed to
    /// [`add_noted`](Self::add_noted) must then be of all lines.
    #[must_use]
    pub fn with_variations(mut self) -> Self {
        (self.filled, self.in_variations) = (empty_row(true), true);
        self
    }

    /// Adds a game of the file `name`. A NUL separates the name of an archive from its member.
    /// `is_transcoded` says whether the file was transcoded to UTF-8.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn add(&mut self, name: &str, game: GameRecord<'_>, is_transcoded: bool) -> io::Result<()> {
        let facts = Facts::of(game, self.filled.infos());
        self.filled.fill(&facts);
        let noted = IndexedGame::of(&self.filled, &facts, self.in_variations, is_transcoded);
        let mut stored = std::mem::take(&mut self.stored);
        stored.clear();
        game.store(&mut stored);
        let added = self.add_noted(name, game.number(), &stored, &noted);
        self.stored = stored;
        added
    }

    /// Adds a game, [stored](GameRecord::store), with its number in the file and its index data.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails or there are more than 4,294,967,295 games.
    pub fn add_noted(
        &mut self,
        name: &str,
        number: u64,
        stored: &[u8],
        noted: &IndexedGame,
    ) -> io::Result<()> {
        let game = self.games;
        self.games = game
            .checked_add(1)
            .ok_or_else(|| io::Error::other("an index holds at most 4,294,967,295 games"))?;
        let file = self.write_name(name)?;
        let entry = IndexEntry {
            at: self.out.len(),
            len: short(stored.len())?,
            file,
            number,
            changes_at: self.changes_len,
            facts: noted.facts,
        };
        self.out.write_all(stored)?;
        self.records.push(entry.to_bytes().to_vec())?;
        let Self {
            boards,
            variations,
            remarks,
            ..
        } = self;
        for (sorter, hashes) in [
            (boards, &noted.boards),
            (variations, &noted.variations),
            (remarks, &noted.remarks),
        ] {
            hashes
                .iter()
                .try_for_each(|&hash| sorter.push(Board { hash, game }))?;
        }
        let mut dialect = self
            .dialects
            .iter()
            .position(|known| *known == noted.dialect);
        if dialect.is_none() && self.dialects.len() < DIALECTS && can_be_written(&noted.dialect) {
            dialect = Some(self.dialects.len());
            self.dialects.push(noted.dialect);
        }
        if let (Some(start), Some(dialect)) = (noted.start, dialect) {
            let board = BoardId::of_dialect(&self.dialects[dialect]);
            let first = self
                .dialects
                .iter()
                .position(|known| BoardId::of_dialect(known) == board);
            self.starts
                .push(start.record(first.unwrap_or(dialect) as u8, game))?;
        }
        let dialect = dialect.filter(|_| !noted.is_incomplete);
        let incomplete = Board {
            hash: INCOMPLETE,
            game,
        };
        if dialect.is_none() {
            self.boards.push(incomplete)?;
            if !noted.remarks.is_empty() {
                self.remarks.push(incomplete)?;
            }
        } else if noted.has_unknown_variations {
            self.variations.push(incomplete)?;
        }
        let changes = if dialect.is_some() {
            &noted.changes[..]
        } else {
            &[]
        };
        let head = ChangesHead {
            dialect: dialect.unwrap_or(0) as u8,
            len: changes.len() as u16,
        };
        let changes = [&head.to_bytes(), changes].concat();
        self.changes_len += changes.len() as u64;
        self.changes.push(changes)
    }

    /// Adds the problems after the last game of the file `name`, or the problems of a file without
    /// games. Call it after the games of the file were added.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn add_trailing(&mut self, name: &str, problems: &[Problem]) -> io::Result<()> {
        if problems.is_empty() {
            return Ok(());
        }
        let head = TrailingHead {
            file: self.write_name(name)?,
            count: problems.len() as u64,
        };
        self.trailing.push(head.to_bytes().to_vec())?;
        problems
            .iter()
            .try_for_each(|problem| self.trailing.push(problem_to_bytes(problem).to_vec()))
    }

    /// Writes the name of a file, unless it is the last one. Returns its place.
    fn write_name(&mut self, name: &str) -> io::Result<FileId> {
        if let Some((last, file)) = &self.name
            && last == name
        {
            return Ok(*file);
        }
        let file = FileId {
            name_at: self.out.len(),
            name_len: short(name.len())?,
        };
        self.out.write_all(name.as_bytes())?;
        self.name = Some((name.to_owned(), file));
        Ok(file)
    }

    /// Writes the rest of the index, with a `note` that [`Index::note`](super::Index::note)
    /// returns. Returns the output.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails.
    pub fn finish(mut self, note: &str) -> io::Result<W> {
        let (out, mut starts) = (&mut self.out, Vec::new());
        for section in [self.trailing, self.changes, self.records] {
            starts.push(out.len());
            for bytes in section.iter() {
                out.write_all(&bytes?)?;
            }
        }
        let mut positions = Vec::new();
        for boards in [self.boards, self.variations, self.remarks] {
            starts.push(out.len());
            let (ends, count) = write_boards(boards, out)?;
            positions.push(count);
            starts.push(out.len());
            out.write_all(&ends.to_bytes())?;
        }
        starts.push(out.len());
        for row in start_rows(self.starts.sorted()?)? {
            out.write_all(&row.to_bytes())?;
        }
        starts.push(out.len());
        let trailer = Trailer {
            note: note.to_owned(),
            positions: positions[0],
            variation_positions: self.in_variations.then_some(positions[1]),
            dialects: self.dialects,
        };
        out.write_all(&trailer.to_bytes())?;
        out.write_all(&Footer::to_bytes(&starts))?;
        let mut out = self.out.finish()?;
        out.write_all(&MAGIC)?;
        out.flush()?;
        Ok(out)
    }
}

/// Writes the boards in order, each once. Returns the ends of the runs, and the number of known
/// boards.
fn write_boards<S: ScratchStore>(
    mut boards: Sorter<Board, S>,
    out: &mut impl Write,
) -> io::Result<(Ends, u64)> {
    let (mut known, mut last) = (0, None);
    let mut sorted = boards.sorted()?;
    let mut counts = Box::new([0; FIRST_BYTES]);
    while let Some(board) = sorted.next()? {
        if last.replace(board) == Some(board) {
            continue;
        }
        known += u64::from(board.hash != INCOMPLETE);
        out.write_all(&board.to_short())?;
        counts[board.first_byte()] += 1;
    }
    for at in 1..FIRST_BYTES {
        counts[at] += counts[at - 1];
    }
    Ok((Ends(counts), known))
}

fn short(len: usize) -> io::Result<u32> {
    u32::try_from(len).map_err(|_| io::Error::other("a game in an index has at most 4 GiB"))
}

#[cfg(test)]
mod tests {
    use sgfstream::SliceReader;
    use sgfstream::record::GameReader;
    use sgfstream_table::find::Query;

    use super::*;
    use crate::{GameFacts, Index, MemoryStore};

    fn written(games: u64, memory: usize) -> Vec<u8> {
        let mut builder = Builder::<_, MemoryStore>::with_memory(Vec::new(), memory);
        add_games(&mut builder, games);
        builder
            .finish("a note\n\nof lines")
            .expect("memory takes all")
    }

    fn add_games(builder: &mut Builder<Vec<u8>, MemoryStore>, games: u64) {
        let mut text = String::new();
        for number in 0..games {
            let [a, b, c] =
                [number % 19, number / 19 % 19, number % 7].map(|at| char::from(b'a' + at as u8));
            let board = if number % 3 == 0 {
                "GM[6]"
            } else {
                "GM[1]SZ[19]"
            };
            text += &format!("(;{board};B[{a}{b}];W[{c}{a}];B[{b}{c}])");
            if number % 50 == 49 || number + 1 == games {
                add_file(
                    builder,
                    &format!("{}.sgf", number / 50),
                    &std::mem::take(&mut text),
                );
            }
        }
    }

    fn add_file(builder: &mut Builder<Vec<u8>, MemoryStore>, name: &str, text: &str) {
        let mut games = GameReader::new(SliceReader::new(text.as_bytes()));
        while let Some(game) = games.next_game().expect("a slice") {
            builder
                .add(name, game.expect("a short game"), false)
                .expect("memory takes all");
        }
        builder
            .add_trailing(name, games.trailing_problems())
            .expect("memory takes all");
    }

    #[test]
    fn runs_make_no_difference() {
        for games in [0, 1, 300] {
            let index = written(games, BOARDS);
            for memory in [1, 100, 2000] {
                assert!(written(games, memory) == index, "{games} {memory}");
            }
            let index = Index::open(index).expect("an index");
            assert_eq!(
                (u64::from(index.len()), index.note()),
                (games, "a note\n\nof lines")
            );
        }
    }

    #[test]
    fn errors_distinguish_another_version_from_another_file() {
        let mut other = written(8, BOARDS);
        *other.last_mut().expect("a footer") = b'1';
        let kind = |bytes: Vec<u8>| Index::open(bytes).expect_err("no index").kind();
        assert_eq!(
            (kind(other), kind(vec![0; 100])),
            (io::ErrorKind::Unsupported, io::ErrorKind::InvalidData)
        );
    }

    /// A filter may ask for the file of a game and for its number there.
    #[test]
    fn places_are_in_rows() {
        let mut builder = Builder::<_, MemoryStore>::new(Vec::new());
        for name in ["a.zip\0b.sgf", "a.zip\0c.sgf", "d!e.sgf"] {
            add_file(&mut builder, name, &"(;B[aa])".repeat(3));
        }
        let index = Index::open(builder.finish("").expect("memory takes all")).expect("an index");
        for (condition, expected) in [
            (
                "source = 'a.zip' AND member = 'c.sgf' AND game = 2",
                &["a.zip!c.sgf#2"][..],
            ),
            (
                "source = 'd!e.sgf' AND member IS NULL AND game > 1",
                &["d!e.sgf#2", "d!e.sgf#3"],
            ),
            (
                "byte_offset = 0 AND length = 8 AND game = 1",
                &["a.zip!b.sgf#1", "a.zip!c.sgf#1", "d!e.sgf#1"],
            ),
        ] {
            let (filter, mut found) = (Filter::parse(condition).expect("a condition"), Vec::new());
            let mut reader = index.reader(&filter, GameFacts::columns());
            for game in 0..9 {
                if reader.read(game).expect("memory is readable").is_some() {
                    found.push(index.name(game).expect("memory is readable"));
                }
            }
            assert_eq!(found, expected, "{condition}");
        }
    }

    /// A damaged index returns an error or the right answer.
    #[test]
    fn damage_is_an_error_or_changes_nothing() {
        let whole = written(8, 10);
        let query = Query::position_after("aa").expect("moves");
        let pattern = Query::sequence("aa ba", true, true).expect("moves");
        let ask = |bytes: Vec<u8>| {
            let index = Index::open(bytes)?;
            let (games, others) = (index.candidates(&query)?, index.candidates(&pattern)?);
            let mut answers = Vec::new();
            for game in games.into_iter().chain(others).chain([0, 7, u32::MAX]) {
                let bytes = index
                    .game(game)?
                    .map(|game| game.record().as_bytes().to_vec());
                answers.push((game, index.name(game)?, bytes));
            }
            Ok::<_, io::Error>(answers)
        };
        let expected = ask(whole.clone()).expect("an index");
        for len in 0..whole.len() {
            assert!(ask(whole[..len].to_vec()).is_err(), "{len}");
        }
        for at in 0..whole.len() {
            for other in [0, 1, 0x7F, 0xFF] {
                let mut bytes = whole.clone();
                bytes[at] = other;
                assert!(
                    ask(bytes).map_or(true, |answers| answers == expected),
                    "{at}"
                );
            }
        }
    }
}
