//! The bytes of an index: names of files and the games themselves, one after another; when stones came to
//! their boards; a record for each game; the boards in the
//! order of their hashes; a trailer; and at the end a footer that says where these are. All numbers are little-endian.

use std::io;

use sgfstream_game::value::BoardSize;
use sgfstream_game::{Dialect, Game, Program};

/// The last bytes of an index, with the version of the format.
pub(super) const MAGIC: [u8; 16] = *b"sgfstream/index2";

/// Every version begins its last bytes so.
pub(super) const NAME: &[u8] = b"sgfstream/index";

/// The hash under which games are noted that may have any board.
pub(super) const INCOMPLETE: u64 = 0;

/// Longest trailer.
const TRAILER_MAX: u64 = 1 << 20;

/// A board that a game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Board {
    pub(super) hash: u64,
    pub(super) game: u32,
}

impl Board {
    pub(super) const LEN: usize = 12;

    pub(super) fn to_bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        bytes[..8].copy_from_slice(&self.hash.to_le_bytes());
        bytes[8..].copy_from_slice(&self.game.to_le_bytes());
        bytes
    }

    pub(super) fn of_bytes(bytes: &[u8; Self::LEN]) -> Self {
        let [a, b, c, d, e, f, g, h, game @ ..] = *bytes;
        Self { hash: u64::from_le_bytes([a, b, c, d, e, f, g, h]), game: u32::from_le_bytes(game) }
    }
}

/// Where a game is, and the name of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameRecord {
    pub(super) at: u64,
    pub(super) len: u64,
    pub(super) name_at: u64,
    pub(super) name_len: u64,
    pub(super) number: u64,
}

impl GameRecord {
    pub(super) const LEN: usize = 40;

    pub(super) fn to_bytes(self) -> [u8; Self::LEN] {
        let Self { at, len, name_at, name_len, number } = self;
        joined([at, len, name_at, name_len, number])
    }

    pub(super) fn of_bytes(bytes: &[u8; Self::LEN]) -> Self {
        let [at, len, name_at, name_len, number] = numbers(bytes);
        Self { at, len, name_at, name_len, number }
    }

    /// True if game and name are before `end`.
    pub(super) fn is_before(&self, end: u64) -> bool {
        let is_before = |at: u64, len: u64| at.checked_add(len).is_some_and(|at| at <= end);
        is_before(self.at, self.len) && is_before(self.name_at, self.name_len)
    }
}

/// Where the sections begin; each ends where the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footer {
    pub(super) stones_at: u64,
    pub(super) games_at: u64,
    pub(super) boards_at: u64,
    pub(super) trailer_at: u64,
}

impl Footer {
    pub(super) const LEN: usize = 48;

    pub(super) fn to_bytes(self) -> [u8; Self::LEN] {
        let Self { stones_at, games_at, boards_at, trailer_at } = self;
        let mut bytes = [0; Self::LEN];
        bytes[..32].copy_from_slice(&joined::<4, 32>([stones_at, games_at, boards_at, trailer_at]));
        bytes[32..].copy_from_slice(&MAGIC);
        bytes
    }

    /// The footer of an index of `len` bytes; none if it is not one.
    pub(super) fn of_bytes(bytes: &[u8; Self::LEN], len: u64) -> Option<Self> {
        let [stones_at, games_at, boards_at, trailer_at, ..] = numbers::<6>(bytes);
        let footer = Self { stones_at, games_at, boards_at, trailer_at };
        let sections = [stones_at, games_at, boards_at, trailer_at, len.checked_sub(Self::LEN as u64)?];
        let is_whole = |start: u64, end: u64, record: usize| (end - start).is_multiple_of(record as u64);
        let is_index = bytes.ends_with(&MAGIC)
            && sections.is_sorted()
            && is_whole(games_at, boards_at, GameRecord::LEN)
            && is_whole(boards_at, trailer_at, Board::LEN)
            && sections[4] - trailer_at <= TRAILER_MAX;
        is_index.then_some(footer)
    }
}

/// Part of an index that is in memory while it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trailer {
    pub(super) positions: u64,
    pub(super) dialects: Vec<Dialect>,
    pub(super) note: String,
}

/// Programs by their numbers in the file.
const PROGRAMS: [Program; 4] = [Program::Standard, Program::Gorilla, Program::LittleGolem, Program::HexGui];

impl Trailer {
    /// The lines of a trailer: how many positions there are, a line for each dialect, an empty one, and the note.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut text = format!("{}\n", self.positions);
        for dialect in &self.dialects {
            let size = dialect.size();
            let program = PROGRAMS.iter().position(|program| *program == dialect.program()).unwrap_or(PROGRAMS.len());
            text.push_str(&format!("{} {} {program} {}\n", size.columns(), size.rows(), dialect.game()));
        }
        text.push('\n');
        text.push_str(&self.note);
        text.into_bytes()
    }

    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let text = str::from_utf8(bytes).ok()?;
        let (head, note) = text.split_once("\n\n")?;
        let mut lines = head.lines();
        let positions = lines.next()?.parse().ok()?;
        let dialects = lines.map(dialect_of).collect::<Option<_>>()?;
        Some(Self { positions, dialects, note: note.to_owned() })
    }
}

fn dialect_of(line: &str) -> Option<Dialect> {
    let mut words = line.splitn(4, ' ');
    let (columns, rows) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let program = *PROGRAMS.get(words.next()?.parse::<usize>().ok()?)?;
    let game = Game::parse_lenient(words.next()?.as_bytes()).value;
    Some(Dialect::of_program(game, Some(BoardSize::new(columns, rows)), program))
}

/// True if the dialect can be written and read again.
pub(super) fn can_be_written(dialect: &Dialect) -> bool {
    let trailer = Trailer { positions: 0, dialects: vec![*dialect], note: String::new() };
    Trailer::of_bytes(&trailer.to_bytes()).is_some_and(|read| read == trailer)
}

fn joined<const N: usize, const BYTES: usize>(numbers: [u64; N]) -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    for (bytes, number) in bytes.as_chunks_mut().0.iter_mut().zip(numbers) {
        *bytes = number.to_le_bytes();
    }
    bytes
}

fn numbers<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let (numbers, _) = bytes.as_chunks();
    std::array::from_fn(|at| u64::from_le_bytes(numbers[at]))
}

pub(super) fn not_an_index(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("expected an index of positions, found {what}"))
}
