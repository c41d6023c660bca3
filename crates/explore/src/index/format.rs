//! File format of an index.
//!
//! The sections are: the names of files and the stored games, in the order of the games; the
//! problems after the last games of files; the changes of the boards; a record for each game; the
//! boards of main lines, sorted by hash and without its first byte; the end of each first byte's
//! run; the same two sections for boards that only variations have, and for boards with remarks in
//! any line; the starts of the games; a trailer; and a footer with the positions of the sections.
//! All sections are in blocks with [checksums](super::checksums). The name of the format follows
//! the last block. All numbers are little-endian.

use std::io;

use sgfstream::{Code, Problem, Span};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Dialect, Game, dialect::Program};

use super::GameFacts;

/// Last bytes of an index, with the version of the format.
pub(super) const MAGIC: [u8; 16] = *b"sgfstream/indexE";

/// Start of [`MAGIC`] in every version.
pub(super) const NAME: &[u8] = b"sgfstream/index";

/// Hash in the index for games whose boards are unknown, so that they are candidates for every
/// board.
pub(super) const INCOMPLETE: u64 = 0;

/// Maximum bytes of the trailer.
const TRAILER_MAX: u64 = 1 << 20;

/// A board of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Board {
    pub(super) hash: u64,
    pub(super) game: u32,
}

impl Board {
    /// Bytes of a board without the first byte of its hash.
    pub(super) const SHORT: usize = 11;

    /// Returns the number of the board's run, which is the first byte of its hash.
    pub(super) fn first_byte(self) -> usize {
        (self.hash >> 56) as usize
    }

    /// Returns the bytes of a board inside its run.
    pub(super) fn to_short(self) -> [u8; Self::SHORT] {
        let [a, b, c, d, e, f, g, _] = self.hash.to_le_bytes();
        let [h, i, j, k] = self.game.to_le_bytes();
        [a, b, c, d, e, f, g, h, i, j, k]
    }

    pub(super) fn of_short(first_byte: usize, bytes: &[u8; Self::SHORT]) -> Self {
        let [a, b, c, d, e, f, g, game @ ..] = *bytes;
        let hash = u64::from_le_bytes([a, b, c, d, e, f, g, first_byte as u8]);
        Self {
            hash,
            game: u32::from_le_bytes(game),
        }
    }
}

/// Number of runs of boards: one for each first byte of a hash.
pub(super) const FIRST_BYTES: usize = 256;

/// Section with the end of each run, as a number of boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ends(pub(super) Box<[u64; FIRST_BYTES]>);

impl Ends {
    pub(super) const LEN: usize = 8 * FIRST_BYTES;

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|end| end.to_le_bytes()).collect()
    }

    /// Parses the ends of `boards` boards. Returns `None` if the bytes do not fit that number.
    pub(super) fn of_bytes(bytes: &[u8; Self::LEN], boards: u64) -> Option<Self> {
        let ends = Box::new(numbers(bytes));
        (ends.is_sorted() && ends[FIRST_BYTES - 1] == boards).then_some(Self(ends))
    }

    /// Returns the numbers of the boards with this first byte.
    pub(super) fn of(&self, first_byte: usize) -> std::ops::Range<u64> {
        first_byte.checked_sub(1).map_or(0, |before| self.0[before])..self.0[first_byte]
    }
}

/// Place of the name of a file. Equal for games next to each other of the same file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    pub(super) name_at: u64,
    pub(super) name_len: u32,
}

impl FileId {
    /// Returns whether the name ends before `end`.
    pub(super) fn is_before(self, end: u64) -> bool {
        self.name_at
            .checked_add(self.name_len.into())
            .is_some_and(|at| at <= end)
    }
}

/// Record of a game: where its bytes and the name of its file are, and its facts for counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexEntry {
    pub(super) at: u64,
    pub(super) len: u32,
    pub(super) file: FileId,
    pub(super) number: u64,
    /// Start of the head of its changes in their section.
    pub(super) changes_at: u64,
    pub(super) facts: GameFacts,
}

impl IndexEntry {
    pub(super) const LEN: usize = 48;

    pub(super) fn to_bytes(self) -> [u8; Self::LEN] {
        let Self {
            at,
            len,
            file,
            number,
            changes_at,
            facts,
        } = self;
        let FileId { name_at, name_len } = file;
        joined([
            at,
            u64::from(len) << 32 | u64::from(name_len),
            name_at,
            number,
            changes_at,
            facts.to_bits(),
        ])
    }

    pub(super) fn of_bytes(bytes: &[u8; Self::LEN]) -> Self {
        let [at, lens, name_at, number, changes_at, facts] = numbers(bytes);
        Self {
            at,
            len: (lens >> 32) as u32,
            file: FileId {
                name_at,
                name_len: lens as u32,
            },
            number,
            changes_at,
            facts: GameFacts::of_bits(facts),
        }
    }

    /// Returns whether game and name end before `end`.
    pub(super) fn is_before(&self, end: u64) -> bool {
        self.at
            .checked_add(self.len.into())
            .is_some_and(|at| at <= end)
            && self.file.is_before(end)
    }
}

/// Head of the changes of a game's board, which follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChangesHead {
    /// Number of the dialect.
    pub(super) dialect: u8,
    /// Number of bytes. 0 if the changes are unknown.
    pub(super) len: u16,
}

impl ChangesHead {
    pub(super) const LEN: usize = 3;

    pub(super) fn to_bytes(self) -> [u8; Self::LEN] {
        let [low, high] = self.len.to_le_bytes();
        [self.dialect, low, high]
    }

    pub(super) fn of_bytes(bytes: [u8; Self::LEN]) -> Self {
        let [dialect, low, high] = bytes;
        Self {
            dialect,
            len: u16::from_le_bytes([low, high]),
        }
    }
}

/// Bytes of the head of the problems after the last game of a file, and of each of those problems.
pub(super) const TRAILING_LEN: usize = 24;

/// Head of the problems after the last game of a file, which follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TrailingHead {
    pub(super) file: FileId,
    /// Number of problems.
    pub(super) count: u64,
}

impl TrailingHead {
    pub(super) fn to_bytes(self) -> [u8; TRAILING_LEN] {
        joined([self.file.name_at, self.file.name_len.into(), self.count])
    }

    pub(super) fn of_bytes(bytes: &[u8; TRAILING_LEN]) -> Self {
        let [name_at, name_len, count] = numbers(bytes);
        Self {
            file: FileId {
                name_at,
                name_len: name_len as u32,
            },
            count,
        }
    }
}

pub(crate) fn problem_to_bytes(problem: &Problem) -> [u8; TRAILING_LEN] {
    joined([problem.code as u64, problem.span.start, problem.span.end])
}

pub(crate) fn problem_of_bytes(bytes: &[u8; TRAILING_LEN]) -> Option<Problem> {
    let [code, start, end] = numbers(bytes);
    let code = Code::ALL.get(usize::try_from(code).ok()?)?;
    (start <= end).then(|| Problem::new(*code, Span::new(start, end)))
}

/// Section of an index, with its number in the file. After each section of boards, another one has
/// the ends of their runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Names of files and stored games.
    Games,
    /// Problems after the last games of files.
    Trailing,
    Changes,
    Records,
    Boards,
    /// Boards that only variations have.
    Variations = 6,
    /// Boards with remarks in any line.
    Remarks = 8,
    /// Starts of the games.
    Starts = 10,
    Trailer,
}

/// Sections of boards.
pub(super) const BOARDS: [Section; 3] = [Section::Boards, Section::Variations, Section::Remarks];

/// Starts of the sections after the first one, and the end of the last one. Each section ends where
/// the next one starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footer([u64; 12]);

impl Footer {
    pub(super) const LEN: usize = 88;

    /// Returns the bytes of a footer. `starts` are the starts of the sections after the first one.
    pub(super) fn to_bytes(starts: &[u64]) -> Vec<u8> {
        starts.iter().flat_map(|at| at.to_le_bytes()).collect()
    }

    /// Parses the footer of an index of `len` bytes. Returns `None` if it is invalid.
    pub(super) fn of_bytes(bytes: &[u8; Self::LEN], len: u64) -> Option<Self> {
        let mut borders = [0; 12];
        borders[..11].copy_from_slice(&numbers::<11>(bytes));
        borders[11] = len.checked_sub(Self::LEN as u64)?;
        let footer = Self(borders);
        let is_whole =
            |section: Section, record: usize| footer.len(section).is_multiple_of(record as u64);
        let is_index = borders.is_sorted()
            && is_whole(Section::Trailing, TRAILING_LEN)
            && is_whole(Section::Records, IndexEntry::LEN)
            && BOARDS
                .into_iter()
                .all(|section| is_whole(section, Board::SHORT))
            && BOARDS.into_iter().all(|section| {
                footer.0[section as usize + 1] - footer.end(section) == Ends::LEN as u64
            })
            && is_whole(Section::Starts, StartRow::LEN)
            && footer.len(Section::Trailer) <= TRAILER_MAX;
        is_index.then_some(footer)
    }

    pub(super) fn start(&self, section: Section) -> u64 {
        let before = (section as usize).checked_sub(1);
        before.map_or(0, |before| self.0[before])
    }

    pub(super) fn end(&self, section: Section) -> u64 {
        self.0[section as usize]
    }

    pub(super) fn len(&self, section: Section) -> u64 {
        self.end(section) - self.start(section)
    }
}

/// Part of an index that stays in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trailer {
    pub(super) positions: u64,
    /// Number of positions that only variations have, or `None` if variations were not read.
    pub(super) variation_positions: Option<u64>,
    pub(super) dialects: Vec<Dialect>,
    pub(super) note: String,
}

/// Programs, numbered as in the file.
const PROGRAMS: [Program; 4] = [
    Program::Standard,
    Program::Gorilla,
    Program::LittleGolem,
    Program::HexGui,
];

impl Trailer {
    /// Returns the lines of the trailer: the number of positions, and the number that variations
    /// add if they were read; a line for each dialect; an empty line; and the note.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let more = self
            .variation_positions
            .map_or_else(String::new, |more| format!(" {more}"));
        let mut text = format!("{}{more}\n", self.positions);
        for dialect in &self.dialects {
            let size = dialect.size();
            let program = PROGRAMS
                .iter()
                .position(|program| *program == dialect.program())
                .unwrap_or(PROGRAMS.len());
            text.push_str(&format!(
                "{} {} {program} {}\n",
                size.columns(),
                size.rows(),
                dialect.game()
            ));
        }
        text.push('\n');
        text.push_str(&self.note);
        text.into_bytes()
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let text = str::from_utf8(bytes).ok()?;
        let (head, note) = text.split_once("\n\n")?;
        let mut lines = head.lines();
        let mut positions = lines.next()?.split(' ').map(str::parse);
        let (main_lines, variation_positions) =
            (positions.next()?.ok()?, positions.next().transpose().ok()?);
        let dialects = lines.map(dialect_of).collect::<Option<_>>()?;
        Some(Self {
            positions: main_lines,
            variation_positions,
            dialects,
            note: note.to_owned(),
        })
    }
}

fn dialect_of(line: &str) -> Option<Dialect> {
    let mut words = line.splitn(4, ' ');
    let (columns, rows) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let program = *PROGRAMS.get(words.next()?.parse::<usize>().ok()?)?;
    let game = Game::parse_lenient(words.next()?.as_bytes()).value;
    Some(Dialect::of_program(
        game,
        Some(BoardSize::new(columns, rows)),
        program,
    ))
}

/// Returns whether the trailer can represent the dialect.
pub(super) fn can_be_written(dialect: &Dialect) -> bool {
    let trailer = Trailer {
        positions: 0,
        variation_positions: None,
        dialects: vec![*dialect],
        note: String::new(),
    };
    Trailer::of_bytes(&trailer.to_bytes()).is_some_and(|read| read == trailer)
}

/// Games of a board and a declared handicap that begin with one setup, or with other setups than
/// the listed ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StartRow {
    /// Number of the first dialect with the board.
    pub(crate) board: u8,
    /// Declared handicap, or 0.
    pub(crate) handicap: u8,
    pub(crate) games: u32,
    /// Number of different setups. The same setup in several orientations counts once.
    pub(crate) setups: u32,
    /// A game that begins so.
    pub(crate) example: u32,
}

impl StartRow {
    pub(super) const LEN: usize = 16;

    pub(super) fn to_bytes(self) -> [u8; Self::LEN] {
        let Self {
            board,
            handicap,
            games,
            setups,
            example,
        } = self;
        let head = u64::from(board) << 56 | u64::from(handicap) << 48 | u64::from(example);
        joined([head, u64::from(games) << 32 | u64::from(setups)])
    }

    pub(super) fn of_bytes(bytes: &[u8; Self::LEN]) -> Self {
        let [head, counts] = numbers(bytes);
        let (board, handicap, example) = ((head >> 56) as u8, (head >> 48) as u8, head as u32);
        Self {
            board,
            handicap,
            games: (counts >> 32) as u32,
            setups: counts as u32,
            example,
        }
    }
}

pub(super) fn joined<const N: usize, const BYTES: usize>(numbers: [u64; N]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (bytes, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
        *bytes = number.to_le_bytes();
    }
    bytes
}

pub(super) fn numbers<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let (numbers, _) = bytes.as_chunks();
    std::array::from_fn(|at| u64::from_le_bytes(numbers[at]))
}

pub(super) fn damaged() -> io::Error {
    not_an_index("one that is damaged")
}

pub(super) fn not_an_index(what: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("not an index of positions: {what}"),
    )
}
